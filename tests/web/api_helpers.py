"""API clients for tests."""

from __future__ import annotations

import asyncio
import hashlib
import random
from collections.abc import Sequence
from typing import Any

import httpx
from fastapi import FastAPI

from tables.harness import give_seats
from web.conftest import UNPACKED

API = "/api/v1"
LEVEL = "rookie"
RACE = {"title": "lacorsa", "options": {"drivers": 4, "races": 1}}


def visitor(app: FastAPI, address: str = "127.0.0.1") -> httpx.AsyncClient:
    """A client without a token or cookie."""
    transport = httpx.ASGITransport(app, raise_app_exceptions=False, client=(address, 1))
    return httpx.AsyncClient(transport=transport, base_url=f"http://paddock.test{API}", headers=UNPACKED)


async def program(app: FastAPI, label: str = "bot") -> httpx.AsyncClient:
    """A client with its own personal token."""
    client = visitor(app)
    answer = await client.post("/tokens", json={"label": label})
    assert answer.status_code == 201, answer.text
    client.headers["authorization"] = f"Bearer {answer.json()['token']}"
    return client


async def digest(app: FastAPI, client: httpx.AsyncClient) -> str:
    """Return the digest that seats store for a client."""
    token = client.headers["authorization"].removeprefix("Bearer ")
    known: str | None = await app.state.tables.tokens.holder(hashlib.sha256(token.encode()).hexdigest())
    assert known is not None
    return known


async def seated(app: FastAPI, clients: Sequence[httpx.AsyncClient], id: str) -> None:
    """Give each player of a table to the client with the same index."""
    tables = app.state.tables
    holders = [await digest(app, client) for client in clients]
    await give_seats(tables, await tables.table(id), dict(enumerate(holders)))


async def act(client: httpx.AsyncClient, id: str, choose: random.Random) -> bool:
    """Submit a legal move for every seat of this client that must decide; return whether there was one."""
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
    if not done:
        await asyncio.sleep(0.01)  # requests in this process do not wait, so others would never have a turn
    return done


def fine(answer: httpx.Response, status: int = 200) -> Any:
    """Return the body of a response that must be successful."""
    assert answer.status_code == status, answer.text
    return answer.json()


def refused(answer: httpx.Response, status: int) -> str:
    """Return the sentence of an error; check its fields."""
    assert answer.status_code == status, answer.text
    body = answer.json()
    assert body.keys() == {"error", "clause"}
    words: str = body["error"]
    assert not words[0].islower() or "=" in words.split()[0]  # or the name of an option
    assert words.endswith((".", "!", "?"))
    return words
