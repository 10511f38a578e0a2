"""«My games» and «Others» without scripts: results, files, other devices, pairing, phrases, forgetting."""

from __future__ import annotations

import hashlib
import json
import random
import re
from datetime import timedelta
from pathlib import Path

import httpx
import pytest
from fastapi import FastAPI

from paddock.bots.ledger import KINDS, Amount, LedgerAccount
from paddock.core.log import Entry
from paddock.core.words import CHANCE
from paddock.kernel.source import Seeded
from paddock.server.app import create_app
from paddock.store import HistoryStore, Keeping
from paddock.store.schema import tables as rows
from paddock.tables import Tables
from paddock.tables.analysing import ACCOUNT
from paddock.web.guard import COOKIE
from tables.harness import alter, give_seats
from tables.test_play import play
from web.conftest import running
from web.test_friends import PART, browsers, do, lobby, seen
from web.test_home import Clock
from web.test_secrecy import HANDS, OTHERS, SECRET, TWIN, Still

pytestmark = pytest.mark.anyio
_NEXT = re.compile(r'(?<=name="next" value=")[\w-]{43}(?=")')  # a new secret, by chance, in each answer
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


def plain(html: str) -> str:
    """The words of a page."""
    return " ".join(re.sub(r"<[^>]+>", " ", html[html.index("<main") :]).split())


async def test_the_ledgers_of_analysed_games_are_added_up(app: FastAPI, client: httpx.AsyncClient) -> None:
    me = await called(client, "Ana")
    history = app.state.tables.store.part(HistoryStore)
    for deal in (1.0, -4.0, None):
        id = await raced(app, me)
        if deal is None:
            continue  # it was not analysed
        parts = dict.fromkeys(KINDS, Amount(0.0, 0.0)) | {
            "deal": Amount(deal, 0.3),
            "skill": Amount(2.0, 0.4),
        }
        account = ACCOUNT.dump_json(LedgerAccount(0, parts, deal + 2.0)).decode()
        await history.judge(id, {0: (9, 1.0, account)})
    words = plain((await client.get("/me")).text)
    rows = "LACORSA 2 games Deal -1.50 ± 0.21 Own decisions +2.00 ± 0.28 Result +0.50"
    assert f"Where your points came from {rows} In points a game" in words
    ((name, said),) = (await client.get("/api/v1/me")).json()["sums"].items()
    assert (name, said["games"], said["result"]) == ("lacorsa", 2, 1.0)
    assert said["parts"]["deal"] == {"points": -3.0, "error": pytest.approx(0.3 * 2**0.5)}


async def test_results_name_and_file_of_a_browser(app: FastAPI, client: httpx.AsyncClient) -> None:
    assert "No finished games yet" in (await client.get("/me")).text
    async with browsers(app, 2) as (ana, new):
        id = await raced(app, await called(ana, "Ana"), "b" * 64)
        assert (await ana.post("/me", data={"name": "Ana", "number": "3"})).is_redirect
        page = (await ana.get("/me")).text
        place = json.loads((await ana.get("/me/file")).text)["games"][0]["place"]
        assert f"place {place} of 4" in page and f'href="/t/{id}"' in page
        assert re.search(r"Ben 1 \d \d", plain(page)) and re.search(r"bots: Club 2 \d \d", plain(page))
        assert 'data-number="3"' in page and "<h1>Ana</h1>" in page
        told = (await ana.get("/api/v1/me")).json()
        assert told["total"]["games"] == 1 and told["games"][0]["id"] == id and told["uncounted"] == 0
        refused = await ana.post("/me", data={"name": "Admin"})
        assert refused.status_code == 422 and "not allowed here" in refused.text

        file = (await ana.get("/me/file")).content
        assert (await new.post("/me/file", files={"file": ("g.json", file)})).is_redirect
        page = (await new.get("/me")).text
        assert "from another server" in page and f'href="/t/{id}"' not in page and "<h1>Ana</h1>" in page
        wrong = await new.post("/me/file", files={"file": ("g.json", b"[]")})
        assert wrong.status_code == 422 and "This is no file of “My games”" in wrong.text
        assert (await client.post("/me/file", files={"file": ("g.json", b"")})).status_code == 422


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


async def test_play_with_whoever_comes_next_leave_and_watch(app: FastAPI, client: httpx.AsyncClient) -> None:
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


async def test_a_name_and_a_number_are_proposed_at_each_table(
    app: FastAPI, client: httpx.AsyncClient
) -> None:
    async with browsers(app, 2) as (ana, ben):
        path = await lobby(ana)
        await ben.post("/me", data={"name": "Ben", "number": "3"})
        page = await seen(ben, path)
        assert page.count("your number") == 1
        liked = page[page.index('id="p-3"') : page.index('id="p-4"')]
        assert 'value="Ben"' in liked and '<button class="primary" name="do" value="claim">' in liked
        assert page.count('<button class="primary" name="do" value="claim">') == 1
        assert (await do(ana, path, "claim", 2, name="Ana II")).status_code == 303
        assert "your number" not in await seen(ben, path)
        answer = await ben.post("/tables", data={"title": "lacorsa", "races": "1"})
        assert "Ben" in (await ben.get(answer.headers["location"])).text


async def test_one_setting_mutes_everybody(client: httpx.AsyncClient) -> None:
    assert 'data-others="on"' in (await client.get("/")).text
    await client.post("/settings", data={"theme": "dark"})
    await client.post("/settings", data={"others": "off", "back": "/"})
    page = (await client.get("/")).text
    assert 'data-others="off"' in page and 'data-theme="dark"' in page


async def everything(hands: list[list[int]], plays: tuple[str, ...], database: str) -> dict[str, str]:
    """All that «my games», home and the lists say to car 1 and to a stranger while others commit."""
    app = create_app(database, chance=Seeded(7), runtime=Still(), token=lambda: "key")
    me, got = hashlib.sha256(SECRET.encode()).hexdigest(), {}
    async with running(app) as client:
        tables: Tables = app.state.tables
        deal = [Entry(CHANCE, kind) for hand in hands for kind in hand]
        table = await tables.making.create(
            "lacorsa", {"races": 1}, ["me"] * 4, ["A", "B", "C", "D"], holder=me, start=deal
        )
        await give_seats(tables, table, dict.fromkeys((1, 2, 3), "other"))
        await tables.store.part(Keeping)._writer.run(
            lambda connection: connection.execute(
                rows.update().values({"listed": True, "version": rows.c.version + 1})
            )
        )
        await tables.upkeep.notice()

        async def look(when: str) -> None:
            for who, cookies in (("car 1", {COOKIE: SECRET}), ("stranger", {})):
                client.cookies.clear()
                client.cookies.update(cookies)
                for path in (
                    "/",
                    "/me",
                    "/me/file",
                    "/pair",
                    "/api/v1/me",
                    "/api/v1/me/file",
                    "/api/v1/tables",
                ):
                    answer = await client.get(path)
                    assert answer.status_code == 200
                    got[f"{when} {who} {path}"] = _NEXT.sub("", answer.text)

        await look("dealt")
        for seat, play in enumerate(plays, 1):
            await tables.submit(table.id, "other", seat, play, table.decision, f"k{seat}")
            await look(f"car {seat + 1} committed")
    return got


async def test_no_byte_of_my_games_and_of_tables_to_watch_depends_on_a_secret(tmp_path: Path) -> None:
    """The hands of others and their commitments differ, and nothing that is said does."""
    one = await everything(HANDS, OTHERS, f"sqlite:///{tmp_path}/one.db")
    two = await everything(TWIN, ("10", "12", "4"), f"sqlite:///{tmp_path}/two.db")
    assert one == two
    assert "Watch live" in one["dealt stranger /"] and "It is your turn" in one["dealt car 1 /me"]
