"""Measures how many moves a second this machine decides, stores and answers: for ``paddock admin doctor``."""

from __future__ import annotations

import asyncio
import json
import tempfile
import time
from collections.abc import MutableMapping
from pathlib import Path
from typing import Any

from fastapi import FastAPI

from paddock.core.settings import Settings
from paddock.core.title import titles
from paddock.server.app import create_app
from paddock.tables import Table, Tables
from paddock.web.guard import COOKIE, new_secret

TABLES = 40  # that are played at the same time
PACE = 20.0  # seconds between two moves of one person: human pace
SECONDS = 3.0  # of the measurement


async def measure(folder: Path | None, seconds: float = SECONDS) -> float:
    """Return the moves a second that one server answers by its API, each stored durably.

    A database of its own in the ``folder`` (None: that of temporary files) is played on, and deleted.
    Requests do not go over a network, and no page watches.
    """
    with tempfile.TemporaryDirectory(prefix="paddock-measure-", dir=folder) as folder_made:
        settings = Settings(rate_address=0, rate_holder=0, base_path="", hosts=frozenset(), admin_token="")
        app = create_app(
            f"sqlite:///{Path(folder_made) / 'tables.sqlite3'}", settings=settings, pace="instant"
        )
        async with app.router.lifespan_context(app):
            secret, holder = new_secret()
            tables: Tables = app.state.tables
            title = next(iter(titles().values()))  # any will do: the rules are a small part of a move
            seats = ["me"] * title.options.read({}).players
            tables_made = [
                await tables.making.create(title.name, {}, seats, holder=holder) for _ in range(TABLES)
            ]
            until = time.perf_counter() + seconds
            begun = time.perf_counter()
            counts = await asyncio.gather(*(_play(app, table, secret, until) for table in tables_made))
            return sum(counts) / (time.perf_counter() - begun)


async def _play(app: FastAPI, table: Table, secret: str, until: float) -> int:
    """Play at one table until the time is over; return the number of moves that were answered."""
    moves_made = 0
    while time.perf_counter() < until and table.running:
        seat = table.awaited_seats()[0]
        player = table.options.owners[seat]
        move = next(moves[0][1] for of, moves in table.moves(player) if of == seat)
        asked = {"seat": seat, "decision": table.decision, "move": move, "key": f"{table.version}.{seat}"}
        moves_made += await _post(app, f"/api/v1/tables/{table.id}/moves", asked, secret)
    return moves_made


async def _post(app: FastAPI, path: str, body: dict[str, Any], secret: str) -> bool:
    """Send a request of the API; return whether it was answered well."""
    sent, status = json.dumps(body).encode(), 0
    headers = {"host": "localhost", "content-type": "application/json", "cookie": f"{COOKIE}={secret}"}
    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": "POST",
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
        "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
        "client": ("127.0.0.1", 1),
    }

    async def receive() -> MutableMapping[str, Any]:
        return {"type": "http.request", "body": sent, "more_body": False}

    async def send(message: MutableMapping[str, Any]) -> None:
        nonlocal status
        status = message.get("status", status)

    await app(scope, receive, send)
    return status == 200


def share(rate: float) -> float:
    """Return which part of the capacity 40 tables of four people take at human pace."""
    return TABLES * 4 / PACE / rate
