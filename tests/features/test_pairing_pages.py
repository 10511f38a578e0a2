"""«Play with whoever comes next», phrases and tables to watch, without scripts."""

from __future__ import annotations

import re
from datetime import timedelta
from pathlib import Path

import httpx
import pytest
from fastapi import FastAPI

from paddock.kernel.source import Seeded
from paddock.server.app import create_app
from web.conftest import running
from web.test_friends import PART, browsers, seen
from web.test_home import Clock

pytestmark = pytest.mark.anyio


async def test_play_with_whoever_comes_next_leave_and_watch(
    app: FastAPI, client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("paddock.features.watching.service.LOOK", 0.001)
    game = {"title": "rasant", "pace": "live"}
    async with browsers(app, 2) as (ana, ben):
        assert (await ana.post("/pair", data=game | {"name": "Ana"})).headers["location"] == "/pair"
        page = (await ana.get("/pair")).text
        assert "Waiting for somebody" in page and "Race bots meanwhile" in page
        assert (await ana.post("/pair/leave", data=game)).is_redirect
        assert "Waiting for somebody" not in (await ana.get("/pair")).text
        assert "Somebody waits" not in (await ben.get("/")).text
        await ana.post("/pair", data=game | {"name": "Ana"})
        assert "Somebody is waiting for Rasant, live." in (await ben.get("/")).text
        assert "You are waiting for Rasant, live." in (await ana.get("/")).text
        path = (await ben.post("/pair", data=game | {"name": "Ben"})).headers["location"]
        assert path.startswith("/t/")
        for asked in (PART, PART, {}):  # a script may lose the answer
            assert (await ana.get("/pair", headers=asked)).headers["location"] == path
        assert (await ana.get("/pair")).status_code == 200, "it leads there once"
        home = (await client.get("/")).text
        assert "Watch live" in home and f'href="{path}"' in home
        assert "Watch live" not in (await ana.get("/")).text
        line = next(one for one in (await client.get("/api/v1/tables")).json()["listed"] if one["id"] in path)
        assert line["watching"] == 0 and set(line["names"]) >= {"Ana", "Ben"}
        wrong = await ben.post("/pair", data={"title": "rasant", "pace": "never"})
        assert wrong.status_code == 422

        mine = re.search(r'name="player" value="(\d)"', (await seen(ana, path)).split('class="phrases"')[1])
        assert mine
        assert (await ana.post(f"{path}/react", data={"player": mine[1], "phrase": "luck"})).is_redirect
        assert "Good luck!</li>" in await seen(ben, path)
        assert (
            await ben.post(f"{path}/react", data={"player": mine[1], "phrase": "luck"})
        ).status_code == 422
        said = {"phrase": "nice"}
        assert (await ana.post(f"/api/v1/tables{path[2:]}/reactions", json=said)).json()["phrase"] == "nice"


async def test_the_page_says_when_nobody_comes_and_offers_bots(tmp_path: Path) -> None:
    clock = Clock()
    app = create_app(f"sqlite:///{tmp_path}/t.db", chance=Seeded(7), runtime=clock, pace="instant")
    async with running(app) as client:
        await client.post("/pair", data={"title": "lacorsa", "pace": "live"})
        assert "Nobody has come yet" not in (await client.get("/pair")).text
        clock.time += timedelta(seconds=61)
        page = (await client.get("/pair")).text
        assert "Nobody has come yet" in page and "for 1 min" in page
        assert 'action="/tables" target="_blank"' in page, "who waits keeps this page open"
        assert "You are waiting for LACORSA, live." in (await client.get("/")).text
        clock.time += timedelta(seconds=75)
        assert "You are waiting for" not in (await client.get("/")).text, "whoever comes does not meet her"
