"""A title without a page of its own: its tables have a button for each move, and break no page."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping
from dataclasses import replace
from importlib.resources.abc import Traversable
from typing import Any

import httpx
import pytest
from fastapi import FastAPI

import paddock
from paddock import records
from paddock.core.title import Title
from paddock.web import titles
from web.api_helpers import act, fine, program

pytestmark = pytest.mark.anyio


def without_pages(monkeypatch: pytest.MonkeyPatch) -> Title:
    """Install «bare»: Rasant without a page, a lesson, slots and a style sheet."""
    made = replace(paddock.title("rasant"), name="bare", label="Rasant Bare")
    room, files = Title.room, titles.web_files

    def less(self: Title, name: str) -> Any:
        return None if self.name == "bare" and name in ("page", "learn") else room(self, name)

    def fewer(title: Title) -> Mapping[str, Traversable]:
        return {} if title.name == "bare" else files(title)

    monkeypatch.setattr(Title, "room", less)
    monkeypatch.setattr(titles, "web_files", fewer)
    monkeypatch.setitem(paddock.titles(), "bare", made)
    return made


@pytest.fixture(autouse=True)
def bare(monkeypatch: pytest.MonkeyPatch) -> Title:
    """A title without pages, installed for all tests here."""
    return without_pages(monkeypatch)


async def made(app: FastAPI, **more: object) -> tuple[httpx.AsyncClient, str]:
    """A table of it that a program created."""
    anna = await program(app)
    body = {"title": "bare", "seats": ["me", "me"], "options": {"deck": "r10-130+k10"}} | more
    return anna, fine(await anna.post("/tables", json=body), 201)["id"]


async def test_it_is_played_by_programs(client: httpx.AsyncClient, app: FastAPI) -> None:
    anna, id = await made(app)
    assert "bare" in [title["name"] for title in fine(await anna.get("/titles"))]
    choose = random.Random(1)
    while await act(anna, id, choose):
        pass
    table = fine(await anna.get(f"/tables/{id}"))
    assert table["phase"] == "over" and table["winners"] and table["story"]
    assert fine(await anna.get(f"/tables/{id}/replay"))["entries"]


async def test_its_table_has_a_button_for_each_move(client: httpx.AsyncClient, app: FastAPI) -> None:
    answer = await client.post("/tables", data={"title": "bare", "players": "2", "who-2": "rookie"})
    path = answer.headers["location"]
    there = await app.state.tables.table(path.rpartition("/")[2])
    for _ in range(8):
        page = (await client.get(path)).text
        if 'class="moves"' in page:
            break
    (seat,) = there.game.deciders
    moves = [str(move) for move in there.game.legal(seat)]
    assert re.findall(r'<button class="primary" name="move" value="([^"]+)"', page) == moves
    assert '<select id="move-' not in page and "bare.css" not in page
    assert '<div class="board" id="board"' in page and "<svg" in page, "its drawing"
    assert '<ul class="lines">' in page, "its board in words"
    fields = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', page))
    answer = await client.post(f"{path}/move", data=fields | {"move": moves[0]})
    assert answer.status_code == 303
    assert any(entry.by == seat for entry in (await app.state.tables.table(there.id)).game.log)


async def test_its_finished_table_has_the_points(client: httpx.AsyncClient, app: FastAPI) -> None:
    game = paddock.start("bare", seed=1, players=2, deck="r10-130+k10")
    while not game.over:
        game.play(game.deciders[0], game.legal(game.deciders[0]).ids[0])
    record = records.write(game, date="2026-03-01", players=[(name, None) for name in game.names])
    table = await app.state.tables.making.upload(record, "x")
    page = (await client.get(f"/t/{table.id}")).text
    for line in game.result.standings.players:
        assert f'{game.names[line.who]}</th><td>{line.total}</td><td class="total">{line.total}</td>' in page
    assert (await client.get(f"/t/{table.id}/replay")).status_code == 200


async def test_pages_offer_it_but_no_lesson(client: httpx.AsyncClient, app: FastAPI) -> None:
    anna, id = await made(app, listed=True)
    assert "/?title=bare" in (await client.get("/")).text
    home = (await client.get("/?title=bare")).text
    assert "/new/bare" in home and "/learn/bare" not in home
    assert (await client.get("/new/bare")).status_code == 200
    for call in (client.get, client.post):
        answer = await call("/learn/bare")
        assert answer.status_code == 404 and "Rasant Bare has no lesson: read its rules." in answer.text
    rules = await client.get("/rules/bare")
    assert rules.status_code == 200 and "bare.css" not in rules.text
    assert [line["id"] for line in fine(await anna.get("/tables"))["yours"]] == [id]


async def test_friends_meet_in_its_lobby(client: httpx.AsyncClient, app: FastAPI) -> None:
    anna, id = await made(app, seats=["me", "open"], lobby=True, listed=True)
    assert f'href="/t/{id}"' in (await client.get("/")).text
    lobby = (await client.get(f"/t/{id}")).text
    assert "Take this seat" in lobby and "bare.css" not in lobby
    for act_ in ({"do": "claim", "name": "Ben"}, {"do": "ready"}):
        assert (await client.post(f"/t/{id}/seats", data={"player": "1"} | act_)).status_code == 303
    fine(await anna.post(f"/tables/{id}/seats/0/ready", json={"ready": True}))
    assert '<ul class="lines">' in (await client.get(f"/t/{id}")).text
