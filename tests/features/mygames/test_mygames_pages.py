"""«My games» without scripts: results, names, files; no byte of it depends on a secret."""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path

import httpx
import pytest
from fastapi import FastAPI

from paddock.bots.ledger import KINDS, Amount, LedgerAccount
from paddock.core.log import Entry
from paddock.core.words import CHANCE
from paddock.features.mygames.results import ACCOUNT
from paddock.features.mygames.store import GamesStore
from paddock.kernel.source import Seeded
from paddock.server.app import create_app
from paddock.store import Keeping
from paddock.store.schema import answers
from paddock.store.schema import tables as rows
from paddock.tables import Tables
from paddock.web.guard import COOKIE
from store.databases import execute
from tables.harness import give_seats
from web.conftest import running
from web.test_friends import browsers, do, lobby, seen
from web.test_identity import called, raced
from web.test_secrecy import HANDS, OTHERS, SECRET, TWIN, Still

pytestmark = pytest.mark.anyio
_NEXT = re.compile(r'(?<=name="next" value=")[\w-]{43}(?=")')  # a new secret, by chance, in each answer


def plain(html: str) -> str:
    """The words of a page."""
    return " ".join(re.sub(r"<[^>]+>", " ", html[html.index("<main") :]).split())


async def test_the_ledgers_of_analysed_games_are_added_up(app: FastAPI, client: httpx.AsyncClient) -> None:
    me = await called(client, "Ana")
    store = app.state.tables.store.part(GamesStore)
    for deal in (1.0, -4.0, None):
        id = await raced(app, me)
        if deal is None:
            continue  # it was not analysed
        parts = dict.fromkeys(KINDS, Amount(0.0, 0.0)) | {
            "deal": Amount(deal, 0.3),
            "skill": Amount(2.0, 0.4),
        }
        account = ACCOUNT.dump_json(LedgerAccount(0, parts, deal + 2.0)).decode()
        await store.judge(id, {0: (9, 1.0, account)})
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


async def test_a_game_that_bots_played_is_shown_as_left_and_won_by_nobody(
    app: FastAPI, client: httpx.AsyncClient
) -> None:
    ana = await called(client, "Ana")
    for _game in range(2):
        id = await raced(app, ana, "b" * 64)
    await execute(app.state.tables.store, answers.delete().where(answers.c.table_id == id))
    page = plain((await client.get("/me")).text)
    assert "Results Games 1 Games won" in page and "Left 1" in page
    assert page.count("left, does not count") == 1 and re.search(r"Ben 1 \d \d", page)
    told = (await client.get("/api/v1/me")).json()
    assert (told["total"]["games"], told["total"]["left"]) == (1, 1)
    assert {game["id"]: (game["counts"], game["left"]) for game in told["games"]}[id] == (False, True)
    assert sum(rival["games"] for rival in told["opponents"]) == 3


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
