"""Who a browser is, without scripts: other devices, shutting them out, forgetting."""

from __future__ import annotations

import hashlib
import random
import re
from pathlib import Path

import httpx
import pytest
from fastapi import FastAPI

from paddock.kernel.source import Seeded
from paddock.server.app import create_app
from paddock.tables import Tables
from paddock.web.guard import COOKIE
from store.databases import prepared
from tables.harness import alter
from tables.test_play import play
from web.conftest import running
from web.test_friends import browsers, lobby, seen

pytestmark = pytest.mark.anyio
ANA = "a" * 64  # who plays all seats in ``play``


async def called(client: httpx.AsyncClient, name: str) -> str:
    """Let a browser become known; return its digest."""
    assert (await client.post("/pair", data={"title": "lacorsa", "pace": "days", "name": name})).is_redirect
    await client.post("/pair/leave", data={"title": "lacorsa", "pace": "days"})
    return hashlib.sha256(client.cookies[COOKIE].encode()).hexdigest()


async def raced(app: FastAPI, *holders: str) -> str:
    """A finished race of these browsers and bots; return its id."""
    tables: Tables = app.state.tables
    names = ["Ana", "Ben", "Cleo", "Dora"]
    table = await tables.making.create("lacorsa", {"races": 1}, ["me"] * 4, names, holder=ANA)
    await play(tables, table, random.Random(3), 10**6)
    bots = {n: {"bot": "club", "holder": None} for n in range(len(holders), 4)}
    await tables.run(table.id, alter, {n: {"holder": one} for n, one in enumerate(holders)} | bots)
    return table.id


async def test_another_device_becomes_this_browser_by_a_click(
    app: FastAPI, client: httpx.AsyncClient
) -> None:
    assert (await client.post("/me/device")).status_code == 409, "nothing to take along"
    async with browsers(app, 4) as (ana, phone, thief, other):
        await called(ana, "Ana")
        path = await lobby(ana)
        await other.post("/learn/lacorsa")

        async def link() -> str:
            page = await ana.post("/me/device")
            assert "<path" in page.text[page.text.index('class="qr"') :]
            found = re.search(r'value="http://paddock\.test(/me/device/[\w-]{43})"', page.text)
            assert found
            return found[1]

        old, new = await link(), await link()
        assert (await phone.get(old)).status_code == (await phone.post(old)).status_code == 404, "replaced"
        for _look in range(2):
            assert "Play here as Ana?" in (await phone.get(new)).text
        assert COOKIE not in phone.cookies, "a look uses nothing up"
        assert (await ana.post(new)).is_redirect, "in the same browser neither"
        assert "games of its own" in (await other.get(new)).text
        before = other.cookies[COOKIE]
        assert (await other.post(new)).status_code == 409 and other.cookies[COOKIE] == before
        evil = await phone.post(new, headers={"sec-fetch-site": "cross-site"})
        assert evil.status_code == 403, "no other site can press the button"
        assert (await phone.post(new)).is_redirect
        assert phone.cookies[COOKIE] == ana.cookies[COOKIE]
        assert (await thief.post(new)).status_code == 404, "once"
        assert "The last link was used at" in (await ana.get("/me")).text
        assert "Ana" in (await seen(phone, path)) and "I am ready" in (await seen(phone, path))

        shown = re.search(r'name="next" value="([\w-]{43})"', (await ana.get("/me")).text)
        assert shown
        lost = ana.cookies[COOKIE]
        for wrong in ("", f"{shown[1]}\n", "x" * 42 + "é"):
            assert (await ana.post("/me/alone", data={"next": wrong})).status_code == 422
        for _press in range(2):  # twice, before the first answer has come
            ana.cookies.clear()
            ana.cookies.set(COOKIE, lost, domain="paddock.test")
            assert (await ana.post("/me/alone", data={"next": shown[1]})).is_redirect
            assert ana.cookies[COOKIE] == shown[1]
        assert "I am ready" in (await seen(ana, path)) and "I am ready" not in (await seen(phone, path))
        assert "Running games" in (await ana.get("/me")).text
        assert "Running games" not in (await phone.get("/me")).text
        newest = await link()
        assert (await other.post(f"{newest}?lose=yes")).is_redirect
        assert other.cookies[COOKIE] == ana.cookies[COOKIE]


async def test_everything_is_forgotten_with_one_button(app: FastAPI, client: httpx.AsyncClient) -> None:
    async with browsers(app, 2) as (ana, ben):
        me = await called(ana, "Ana")
        id = await raced(app, me, await called(ben, "Ben"))
        token = (await ana.post("/api/v1/tokens", json={"label": "mine"})).json()["token"]
        assert (await ana.post("/me/forget")).status_code in (415, 422)
        assert (await ana.post("/me/forget", data={"sure": "no"})).status_code == 422
        secret = ana.cookies[COOKIE]
        answer = await ana.post("/me/forget", data={"sure": "yes"})
        assert answer.status_code == 200 and "1 seat at tables of others" in answer.text
        assert not ana.cookies
        assert (await ben.get(f"/t/{id}")).text.count(">Ana<") == 0
        bearer = {"Authorization": f"Bearer {token}"}
        assert (await client.get("/api/v1/me", headers=bearer)).status_code == 401, "at once"
        client.cookies.set(COOKIE, secret)
        assert "No finished games yet" in (await client.get("/me")).text
        assert "Games" in (await ben.get("/me")).text
        token = (await ben.post("/api/v1/tokens", json={"label": "mine"})).json()["token"]
        bearer = {"Authorization": f"Bearer {token}"}
        gone = await client.delete("/api/v1/me", headers=bearer)
        assert gone.status_code == 200 and gone.json()["tables"] == [id]
        assert (await client.delete("/api/v1/me", headers=bearer)).status_code == 401


async def test_without_a_page_of_its_own_a_browser_moves_and_is_forgotten(tmp_path: Path) -> None:
    """No feature has that page: faults are pages of errors, and nothing leads there."""
    app = create_app(prepared(f"sqlite:///{tmp_path}/t.db"), chance=Seeded(7), features=[])
    async with running(app) as client:
        missing = await client.post("/me/device")
        assert missing.status_code == 409 and "nothing to take along" in missing.text
        await client.post("/learn/lacorsa")
        pages = [(await client.get("/")).text, (await client.post("/me/device")).text]
        assert 'class="qr"' in pages[1] and not [page for page in pages if 'href="/me"' in page]
        assert (await client.post("/me/alone", data={"next": "n" * 43})).headers["location"] == "/"
        assert client.cookies[COOKIE] == "n" * 43
        assert "Tick the box first" in (await client.post("/me/forget", data={"sure": "no"})).text
        assert "Your data is deleted" in (await client.post("/me/forget", data={"sure": "yes"})).text
