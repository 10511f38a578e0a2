"""``paddock serve`` is killed as soon as it has acknowledged a turn: the next one calls its player."""

from __future__ import annotations

import asyncio
import json
import signal
import sqlite3
from pathlib import Path

import httpx
import pytest

from features.reach.test_reach_pages import receiver
from web.api_helpers import fine
from web.conftest import PATIENT, Server

pytestmark = pytest.mark.anyio


def client(server: Server, token: str = "") -> httpx.AsyncClient:
    headers = {"authorization": f"Bearer {token}"} if token else {}
    return httpx.AsyncClient(base_url=f"{server.url}api/v1", headers=headers, **PATIENT)


@pytest.mark.slow("two starts of a server")
@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="this system has no kill -9")
async def test_a_turn_that_was_acknowledged_is_told_after_a_kill(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PADDOCK_REACH_NETWORKS", "127.0.0.1")
    server = await asyncio.to_thread(Server, tmp_path)
    try:
        async with receiver() as hooks:
            async with client(server) as nobody:
                tokens = [
                    fine(await nobody.post("/tokens", json={"label": name}), 201)["token"]
                    for name in ("ana", "ben")
                ]
            async with client(server, tokens[0]) as ana, client(server, tokens[1]) as ben:
                channel = {"kind": "webhook", "address": f"{hooks.url}/ben"}
                fine(await ben.post("/reach/channels", json=channel), 201)
                seats = {"title": "lacorsa", "seats": ["me", "open", "rookie", "rookie"], "lobby": True}
                id = fine(await ana.post("/tables", json=seats), 201)["id"]
                fine(await ben.post(f"/tables/{id}/seats/1/claim", json={"name": "Ben"}))
                fine(await ben.post(f"/tables/{id}/seats/1/ready", json={}))
                assert fine(await ana.post(f"/tables/{id}/seats/0/ready", json={}))["phase"] == "play"
                server.kill()
            assert not hooks.got  # Ben was there a moment ago
            with sqlite3.connect(server.database.removeprefix("sqlite:///")) as stored:
                assert stored.execute("SELECT table_id, kind FROM outbox").fetchall() == [(id, "turn")]
                stored.execute("UPDATE outbox SET due = '2026-01-01 00:00:00'")  # a minute passes
            stored.close()
            await asyncio.to_thread(server.start)
            said = json.loads((await hooks.next()).body)
            assert (said["table"], said["kind"]) == (id, "turn")
    finally:
        server.kill()
