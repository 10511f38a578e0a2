"""The busiest requests are answered in two ways, which must agree: ``web/api/fast.py`` and the routes."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator

import pytest
from fastapi import FastAPI

from web.api_helpers import RACE, act, fine, program, refused, visitor
from web.conftest import running

pytestmark = pytest.mark.anyio
ROUTES = {"content-type": "application/json; charset=utf-8"}  # is not the plain form


@pytest.fixture
async def ready(app: FastAPI) -> AsyncIterator[FastAPI]:
    """The application, started."""
    async with running(app):
        yield app


async def test_a_table_is_the_same_in_both_ways(ready: FastAPI) -> None:
    client, guest = await program(ready), visitor(ready)
    id = fine(await client.post("/tables", json={**RACE, "seats": ["me"] * 4}), 201)["id"]
    for _ in range(12):
        for one, query in ((client, ""), (client, "player=2"), (guest, "")):
            fast, slow = [await one.get(f"/tables/{id}?{words}") for words in (query, f"{query}&")]
            assert fine(fast) == fine(slow) and fast.content == slow.content
            assert fast.headers["content-type"] == slow.headers["content-type"]
        await act(client, id, random.Random(3))


async def test_a_move_is_answered_the_same_in_both_ways(ready: FastAPI) -> None:
    client = await program(ready)
    id = fine(await client.post("/tables", json={**RACE, "seats": ["me"] * 4}), 201)["id"]
    ask = fine(await client.get(f"/tables/{id}"))["asks"][0]
    body = {"seat": ask["seat"], "decision": ask["decision"], "move": ask["moves"][0]["move"], "key": "k1"}
    fast = await client.post(f"/tables/{id}/moves", json=body)
    slow = await client.post(f"/tables/{id}/moves", json=body, headers=ROUTES)
    assert fine(fast)["status"] == "committed" and fast.content == slow.content
    for wrong, status in (({"move": "nothing"}, 422), ({"decision": 0}, 409), ({"seat": "x"}, 422)):
        answers = [
            await client.post(f"/tables/{id}/moves", json={**body, "key": "k2", **wrong}, headers=headers)
            for headers in ({}, ROUTES)
        ]
        sentences = [refused(answer, status) for answer in answers]
        assert sentences[0] == sentences[1]


async def test_strangers_and_bad_tokens_are_refused_in_both_ways(ready: FastAPI) -> None:
    client, guest = await program(ready), visitor(ready)
    id = fine(await client.post("/tables", json={**RACE, "seats": ["me"] * 4}), 201)["id"]
    body = {"seat": 0, "decision": 0, "move": "12"}
    for headers in ({}, ROUTES):
        refused(await guest.post(f"/tables/{id}/moves", json=body, headers=headers), 401)
        wrong = {**headers, "authorization": "Bearer paddock_wrong"}
        refused(await guest.post(f"/tables/{id}/moves", json=body, headers=wrong), 401)
        other = await program(ready)
        refused(await other.post(f"/tables/{id}/moves", json=body, headers=headers), 403)
    for query in ("", "&"):
        refused(await guest.get(f"/tables/nowhere?{query}"), 404)
        refused(await other.get(f"/tables/{id}?player=0{query}"), 403)
