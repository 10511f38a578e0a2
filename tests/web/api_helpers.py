"""Programs at the API, for its tests."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Sequence
from typing import Any

import httpx
from fastapi import FastAPI

API = "/api/v1"
LEVEL = "rookie"
RACE = {"title": "lacorsa", "options": {"drivers": 4, "races": 1}}


def visitor(app: FastAPI, address: str = "127.0.0.1") -> httpx.AsyncClient:
    """A program that is nobody yet."""
    transport = httpx.ASGITransport(app, raise_app_exceptions=False, client=(address, 1))
    return httpx.AsyncClient(transport=transport, base_url=f"http://paddock.test{API}")


async def program(app: FastAPI, label: str = "bot") -> httpx.AsyncClient:
    """A program with a personal token of its own."""
    client = visitor(app)
    answer = await client.post("/tokens", json={"label": label})
    assert answer.status_code == 201, answer.text
    client.headers["authorization"] = f"Bearer {answer.json()['token']}"
    return client


async def digest(app: FastAPI, client: httpx.AsyncClient) -> str:
    """Whom a program stands for, as seats keep it."""
    token = client.headers["authorization"].removeprefix("Bearer ")
    known: str | None = await app.state.tables.tokens.holder(hashlib.sha256(token.encode()).hexdigest())
    assert known is not None
    return known


async def seated(app: FastAPI, clients: Sequence[httpx.AsyncClient], id: str) -> None:
    """Give each player of a table to the program at its place."""
    tables = app.state.tables
    holders = [await digest(app, client) for client in clients]
    async with tables._store.write(id) as writing:
        for player, holder in zip(tables._live[id].table.players, holders, strict=True):
            player.holder = holder
            await writing.player(player.index, holder=holder)


async def act(client: httpx.AsyncClient, id: str, choose: random.Random) -> bool:
    """Submit a legal move for every seat of this program that must decide; whether there was one."""
    table = (await client.get(f"/tables/{id}")).json()
    done = False
    for ask in table["asks"]:
        if ask["committed"] is None:
            body = {
                "seat": ask["seat"],
                "decision": ask["decision"],
                "move": choose.choice(ask["moves"])["move"],
            }
            answer = await client.post(f"/tables/{id}/moves", json=body)
            assert answer.status_code == 200, answer.text
            done = True
    return done


def fine(answer: httpx.Response, status: int = 200) -> Any:
    """The body of an answer that must be fine."""
    assert answer.status_code == status, answer.text
    return answer.json()


def refused(answer: httpx.Response, status: int) -> str:
    """The sentence of a refusal, which has its shape."""
    assert answer.status_code == status, answer.text
    body = answer.json()
    assert body.keys() == {"error", "clause"}
    words: str = body["error"]
    assert not words[0].islower() or "=" in words.split()[0]  # an option's name
    assert words.endswith((".", "!", "?"))
    return words
