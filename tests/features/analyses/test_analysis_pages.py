"""The analysis on the replay's page and in the API."""

from __future__ import annotations

import asyncio
import html
import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
import pytest
from fastapi import FastAPI

from paddock.bots.analysis import Analysis, Judgement
from paddock.core.title import title
from paddock.features import FEATURES
from paddock.features.analyses.service import Analyses, Run
from paddock.features.analyses.shown import _verdict
from paddock.kernel.source import Seeded
from paddock.server.app import create_app
from paddock.tables import Tables
from paddock.tables.analysing import Analysed
from paddock.tables.workers import SERVER
from store.databases import prepared
from tables.clockwork import PATIENCE_S
from tables.light import in_worlds
from web.api_helpers import visitor
from web.conftest import running
from web.helpers import finish, table

pytestmark = pytest.mark.anyio
PEOPLE = {"who-1": "me", "who-2": "me", "name-1": "Ana", "name-2": "Ben"}


@pytest.fixture(autouse=True)
def few_worlds(monkeypatch: pytest.MonkeyPatch) -> None:
    in_worlds(monkeypatch, 64)


def tables_of(app: FastAPI) -> Tables:
    tables: Tables = app.state.tables
    return tables


async def ended(app: FastAPI, id: str) -> None:
    """Wait until an analysis has ended. The first one compiles."""
    run = tables_of(app).service(Analyses).run(id)
    async with asyncio.timeout(PATIENCE_S):
        if run and run.task:
            await run.task


def part(text: str, element: str, name: str) -> str:
    """Return the words of the element with this class or id; empty if it is not there."""
    found = re.search(rf'<{element} [^>]*(?:class|id)="[^"]*{name}.*?</{element}>', text, re.DOTALL)
    return html.unescape(re.sub(r"<[^>]+>", " ", found[0])) if found else ""


async def test_one_press_analyses_a_finished_game(app: FastAPI, client: httpx.AsyncClient) -> None:
    path = await table(client, title="lacorsa", **PEOPLE)
    id = path.rpartition("/")[2]
    refused = await client.post(f"{path}/analyse", data={"step": "0"})
    assert refused.status_code == 403
    assert "still being played: it can be analysed when it is over" in refused.text
    api = visitor(app)
    for answer in (await api.get(f"/tables/{id}/analysis"), await api.post(f"/tables/{id}/analysis")):
        assert answer.status_code == 403 and "still being played" in answer.json()["error"]
    assert tables_of(app).service(Analyses).run(id) is None

    await finish(client, path)
    assert "Analyse the race" in part((await client.get(f"{path}/replay")).text, "section", "analysis")
    assert (await api.get(f"/tables/{id}/analysis")).json()["state"] == "none"
    for wrong in ({"step": "9999"}, {"step": "x"}, {"eyes": "9"}):  # refused before anything starts
        assert (await client.post(f"{path}/analyse", data=wrong)).status_code == 400
    assert tables_of(app).service(Analyses).run(id) is None
    sent = await client.post(f"{path}/analyse", data={"step": "3", "eyes": "2"})
    assert sent.status_code == 303 and sent.headers["location"] == f"{path}/replay?step=3&eyes=2#analysis"
    shown = part((await client.get(f"{path}/replay")).text, "section", "analysis")
    assert "The analysis starts soon." in shown or "of the analysis is done" in shown
    assert (await api.post(f"/tables/{id}/analysis")).status_code == 202  # the same one
    await ended(app, id)

    answer = (await api.get(f"/tables/{id}/analysis")).json()
    found = await tables_of(app).analysing.of(await tables_of(app).table(id))
    assert found is not None and answer["state"] == "done"
    assert [turn["cost"] for turn in answer["turns"]] == [turn.cost for turn in found.turns]
    assert sum(line["decisions"] for line in answer["costs"]) == len(answer["turns"]) > 20
    worst = next(turn for turn in answer["turns"] if turn["entry"] == answer["swings"][0])
    assert worst["mistake"] and worst["counted"] == max(turn["counted"] for turn in answer["turns"])

    for account in answer["ledger"]:
        total = sum(part["points"] for part in account["parts"].values())
        assert total == pytest.approx(account["result"], abs=1e-9)
    assert sum(account["result"] for account in answer["ledger"]) == pytest.approx(0, abs=1e-9)
    assert answer["moments"][-1]["values"] == [account["result"] for account in answer["ledger"]]

    page = (await client.get(f"{path}/replay")).text
    assert "Analyse the race" not in page
    shown = part(page, "table", "ledger")
    assert all(f"{account['result']:+.2f}" in shown for account in answer["ledger"])
    opened = [(await client.get(f"{path}/replay?step={step}&eyes=all")).text for step in range(1, 9)]
    telling = next(n for n, text in enumerate(opened, 1) if "Worth in points" in text)
    assert "Worth in points" not in (await client.get(f"{path}/replay?step={telling}&eyes=2")).text
    swings = re.findall(r'<li><a href="([^"]+)">([^<]+)</a> <span>([^<]+)</span>', page)
    assert len(swings) == len(answer["swings"]) and page.count('class="is-swing"') == len(swings)
    address, text, sentence = (html.unescape(word) for word in swings[0])
    assert text.endswith(f": {worst['text']}") and sentence.startswith(worst["sentence"])
    seat = worst["seat"] + 1
    other = seat % 4 + 1
    step = address.partition("&")[0]
    for eyes, there in (("all", True), (str(seat), True), (str(other), False), ("none", False)):
        line = part((await client.get(f"{step}&eyes={eyes}")).text, "ul", "verdicts")
        assert (worst["sentence"] in line) == there
    every = 0
    last = int(re.findall(r'max="(\d+)"', page)[0])
    for at in range(last + 1):
        text = (await client.get(f"{path}/replay?step={at}")).text
        found_here = re.search(r'<ul class="verdicts">(.*?)</ul>', text, re.DOTALL)
        assert found_here
        every += found_here[1].count("<li")
    assert every == len(answer["turns"])  # each is shown at one step


async def test_what_is_known_so_far_is_shown(app: FastAPI, client: httpx.AsyncClient) -> None:
    """The decisions that are judged come with the progress; the ledger comes in the end."""
    path = await table(client, title="lacorsa", **PEOPLE)
    await finish(client, path)
    id = path.rpartition("/")[2]
    known = await tables_of(app).table(id)
    worst = next(i for i, entry in enumerate(known.game.log) if entry.by == 1)
    judged = (Judgement(worst, 0, 1, "1", "2", 2.0, 0.5, 16),)
    some = Analysed.of(Analysis("lacorsa", len(known.game.log), 16, "table", judged), known)
    tables_of(app).service(Analyses)._runs[id] = Run(SERVER, done=1, total=90, so_far=some)
    shown = part((await client.get(f"{path}/replay")).text, "section", "analysis")
    assert "1 % of the analysis is done." in shown and "this cost 2.00 ± 0.50 points" in shown
    assert "Where the points came from" not in shown and "Analyse the race" not in shown
    answer = (await visitor(app).get(f"/tables/{id}/analysis")).json()
    assert (answer["state"], answer["swings"], answer["ledger"]) == ("running", [worst], [])


async def test_a_failure_is_shown_with_the_button(app: FastAPI, client: httpx.AsyncClient) -> None:
    path = await table(client, title="lacorsa", **PEOPLE)
    await finish(client, path)
    id = path.rpartition("/")[2]
    runs = tables_of(app).service(Analyses)._runs
    runs[id] = Run(SERVER, fault="The analysis stopped because of an error.")
    shown = part((await client.get(f"{path}/replay")).text, "section", "analysis")
    assert "stopped because of an error" in shown and "Analyse the race" in shown
    answer = (await visitor(app).get(f"/tables/{id}/analysis")).json()
    assert answer["state"] == "failed" and "stopped because of an error" in answer["fault"]


async def test_where_nobody_analyses_there_are_no_puzzles_of_own_games(tmp_path: Path) -> None:
    app = create_app(
        prepared(f"sqlite:///{tmp_path / 'tables.sqlite3'}"),
        chance=Seeded(7),
        features=[feature for feature in FEATURES if feature.name != "analyses"],
    )
    async with running(app) as client:
        path = await table(client, title="lacorsa", **PEOPLE)
        await finish(client, path)
        for page in (f"{path}/replay", "/me", "/puzzles"):
            assert (await client.get(page)).status_code == 200
        answer = await client.get(f"{path}/puzzle/0")
        assert answer.status_code == 404 and "not analysed yet" in answer.text
        assert (await client.post(f"{path}/analyse")).status_code == 404


@pytest.mark.parametrize(("rounds", "where"), [(1, ""), (2, "Race 2")])
def test_a_mistake_names_the_race_if_there_are_several(rounds: int, where: str) -> None:
    table: Any = SimpleNamespace(title=title("lacorsa"), options=SimpleNamespace(rounds=rounds))
    step: Any = SimpleNamespace(stops=(0, 4, 6), scene=SimpleNamespace(names=("Ana", "Ben")), url=str, at=1)
    turn: Any = SimpleNamespace(last=3, seat=1, round=1, text="7", sentence="Best move", mistake=False)
    found = _verdict(table, step, Analysed(Analysis("lacorsa", 6, 8, "1", ()), [], [], [], (0, 1)), turn)
    assert (found.where, found.name) == (where, "Ben")
