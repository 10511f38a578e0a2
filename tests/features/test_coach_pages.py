"""Hints without scripts, and what a server refuses."""

from __future__ import annotations

import asyncio
import re

import httpx
import pytest

from paddock.store.kinds import HINTED, RACE
from web import foreign
from web.helpers import table, tables_of, turn, words

pytestmark = pytest.mark.anyio
BOTS = {"title": "lacorsa", "drivers": "4"} | {f"who-{n}": "rookie" for n in (2, 3, 4)}
PREPARES = "hints of lacorsa"  # the task


def working() -> set[str]:
    """The names of all tasks that go on."""
    return {task.get_name() for task in asyncio.all_tasks()}


async def test_a_hint_comes_in_steps_and_is_a_page_of_its_own(client: httpx.AsyncClient) -> None:
    path = await table(client, **BOTS)
    at, tables = f"{path}/hint", tables_of(client)
    there = await tables.table(path.rpartition("/")[2])
    await turn(tables, there)
    assert PREPARES not in working()
    page = (await client.get(path)).text
    assert PREPARES in working(), "the first hint shall not wait for it"
    assert f'href="{at}"' in page and 'data-tab="coach"' in page
    asks = await client.get(at)
    assert asks.status_code == 200 and "its result does not count" in words(asks.text)
    assert there.kind is RACE, "to look is no hint"

    async def step(name: str, decision: int = there.decision) -> str:
        answer = await client.post(at, data={"step": name, "decision": str(decision)})
        assert answer.status_code == 200, answer.text
        return answer.text

    first = await step("matters")
    assert there.kind is HINTED
    assert "The highest value starts in front." in words(first) and "points" not in words(first)
    good = await step("good")
    while "data-later-step" in good:  # a worker starts
        await asyncio.sleep(2)
        good = await step("good")
    moves = re.findall(r'<li data-good="([^"]+)">', good)
    assert moves and "±" not in good
    worth = await step("worth")
    assert worth.count("±") > len(moves) and "Champions" in worth
    assert "The highest value" in words(await step("worth", there.decision + 1)), "that is another decision"
    assert "does not count" not in words((await client.get(at)).text), "it is asked once"
    part = await client.get(at, headers={"paddock-part": "main"})
    assert "<html" not in part.text and "hint-matters" in part.text

    asked = {"step": "worth", "decision": str(there.decision)}
    french = await client.post(at, data=asked, headers={"accept-language": "fr"})
    assert "Que vaut" not in french.text and "± est un intervalle" in words(french.text)
    assert foreign.left(words(french.text), "fr") == []

    assert (await client.post(at, data={"step": "all"})).status_code == 400
    program = await client.post(at, data={"step": "worth"}, headers={"authorization": "Bearer x"})
    assert program.status_code == 403 and "a program gets none" in program.text


async def test_other_people_at_the_table_end_all_hints(client: httpx.AsyncClient) -> None:
    path = await table(client, **BOTS | {"who-2": "me"})
    there = await tables_of(client).table(path.rpartition("/")[2])
    assert 'data-tab="coach"' not in (await client.get(path)).text and PREPARES not in working()
    for answer in (
        await client.get(f"{path}/hint"),
        await client.post(f"{path}/hint", data={"step": "good"}),
    ):
        assert answer.status_code == 403 and "no hints at a table with other people" in answer.text
    assert there.kind is RACE
