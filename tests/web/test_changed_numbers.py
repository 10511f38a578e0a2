"""Numbers of the rules on pages: set up, refused, told at the table, and in the rules. About 2 s."""

from __future__ import annotations

import re

import httpx
import pytest

from paddock.web.links import rules_link

pytestmark = pytest.mark.anyio

TRIPLED = {"title": "rasant", "black_factor": "3", "games": "1", "pace": "instant"}


async def test_they_are_folded_for_designers_and_open_where_changed(client: httpx.AsyncClient) -> None:
    usual = (await client.get("/new/rasant")).text
    folded = '<details class="fold group"><summary>For designers'
    group = usual[usual.index(folded) :]
    assert 'name="black_factor" value="2"' in group and "counts for nothing else" in group
    assert "Champion" not in group[: group.index("</details>")]  # Rasant has no network
    assert 'step="10"' in re.findall(r'<input type="number"[^>]*name="raise_by"[^>]*>', group)[0]
    changed = (await client.get("/new/rasant?black_factor=3")).text
    assert '<details class="fold group" open><summary>For designers' in changed


async def test_outside_the_range_the_page_says_what_to_write(client: httpx.AsyncClient) -> None:
    answer = await client.post("/tables", data=TRIPLED | {"black_factor": "5"})
    assert answer.status_code == 422 and "rite a whole number from 1 to 4" in answer.text


async def test_the_table_says_which_and_links_to_rules_that_say_so(client: httpx.AsyncClient) -> None:
    made = await client.post("/tables", data=TRIPLED)
    text = (await client.get(made.headers["location"])).text
    rules = rules_link("rasant", changed={"black_factor": 3})
    assert rules == "/rules/rasant?black_factor=3"
    assert f'<a href="{rules}">Changed rules</a>' in text
    assert f'<a href="{rules}">1 number of the rules is changed</a>' in text
    assert "Factor of the black car: 3, not 2" in text and "×3" in text
    said = (await client.get(rules)).text
    assert "Here: Factor of the black car: 3, not 2." in said[said.index('id="RA-4.2"') :]
    assert "Changed" not in (await client.get("/rules/rasant")).text
    assert (await client.get("/rules/rasant?black_factor=9")).status_code == 400


async def test_by_the_rulebooks_numbers_nothing_is_said(client: httpx.AsyncClient) -> None:
    made = await client.post("/tables", data=TRIPLED | {"black_factor": "2"})
    text = (await client.get(made.headers["location"])).text
    assert "hanged" not in text and 'href="/rules/rasant"' in text
