"""A title without pages: programs can play it, and its tables break no page."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from typing import Any

import httpx
import pytest
from fastapi import FastAPI

import paddock
from paddock import records
from paddock.core.title import Title
from web.api_helpers import act, fine, program

pytestmark = pytest.mark.anyio
SENTENCE = "Rasant Bare has no pages yet: it is played in the terminal and by programs."


def without_pages(monkeypatch: pytest.MonkeyPatch) -> Title:
    """Install «bare»: Rasant without a page, a lesson, slots and a style sheet."""
    made = replace(paddock.title("rasant"), name="bare", label="Rasant Bare")
    room = Title.room

    def less(self: Title, name: str) -> Any:
        return None if self.name == "bare" and name in ("page", "learn") else room(self, name)

    monkeypatch.setattr(Title, "room", less)
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


async def test_its_table_says_so(client: httpx.AsyncClient, app: FastAPI) -> None:
    _anna, id = await made(app)
    page = (await client.get(f"/t/{id}")).text
    assert SENTENCE in page and "bare.css" not in page
    assert "<code>paddock race bare</code>" in page, "how it is played instead"
    assert (await client.get(re.findall(r'href="(/api[^"]*)"', page)[0])).json()["openapi"]
    status = app.state.tables.registry.get(id).table.title.text.status(
        app.state.tables.registry.get(id).table.seen(None)
    )
    assert f'<h1 id="status">{status}</h1>' in page
    part = await client.get(f"/t/{id}", headers={"paddock-part": "main"})
    assert part.status_code == 200 and SENTENCE in part.text and "<html" not in part.text
    for address in ("/replay", "/podium.svg"):
        assert (await client.get(f"/t/{id}{address}")).status_code in (404, 409)
    assert (await client.get(f"/t/{id}/record")).status_code == 200


async def test_its_finished_table_says_so_too(client: httpx.AsyncClient, app: FastAPI) -> None:
    tables = app.state.tables
    game = paddock.start("bare", seed=1, players=2, deck="r10-130+k10")
    while not game.over:
        game.play(game.deciders[0], game.legal(game.deciders[0]).ids[0])
    record = records.write(game, date="2026-03-01", players=[(name, None) for name in game.names])
    table = await tables.making.upload(record, "x")
    assert SENTENCE in (await client.get(f"/t/{table.id}")).text
    for address in ("/replay", "/podium.svg"):
        answer = await client.get(f"/t/{table.id}{address}")
        assert answer.status_code == 404 and SENTENCE in answer.text


async def test_pages_offer_only_titles_with_pages(client: httpx.AsyncClient, app: FastAPI) -> None:
    anna, id = await made(app, listed=True)
    home = (await client.get("/")).text
    assert "/new/bare" not in home and "/new/rasant" in home and 'data-title="bare"' not in home
    for address in ("/?title=bare", "/new/bare", "/new?title=bare"):
        answer = await client.get(address, follow_redirects=True)
        assert answer.status_code == 404 and SENTENCE in answer.text
    assert (await client.post("/tables", data={"title": "bare"})).status_code == 404
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
    seat = {"do": "claim", "player": "1", "name": "Ben"}
    answer = await client.post(f"/t/{id}/seats", data=seat, follow_redirects=True)
    assert answer.status_code == 200 and "Ben" in answer.text
    assert f'href="/t/{id}"' in (await client.get("/")).text, "among his tables"
    ready = {"do": "ready", "player": "1"}
    assert (await client.post(f"/t/{id}/seats", data=ready)).status_code == 303
    fine(await anna.post(f"/tables/{id}/seats/0/ready", json={"ready": True}))
    assert SENTENCE in (await client.get(f"/t/{id}")).text
