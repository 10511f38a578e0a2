"""An evening through its pages; while others play its cards, nothing that is sent tells of them."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import httpx
import pytest
from fastapi import FastAPI

from paddock import records
from paddock.bots import fair
from paddock.core.hashed import hashed
from paddock.core.words import CHANCE
from paddock.features.clubs import rules
from paddock.features.clubs.rows import OPENED, PLAYED, RUNNING, EveningRow
from paddock.features.clubs.service import Clubs
from paddock.features.clubs.store import ClubStore, Moved
from paddock.kernel.source import Seeded
from paddock.records.proof import mix
from paddock.server.app import create_app
from paddock.tables import Table
from paddock.tables.errors import Stopped
from paddock.web.guard import COOKIE
from store.databases import prepared
from tables.clockwork import PATIENCE_S
from web.conftest import running
from web.helpers import tables_of
from web.test_friends import browsers
from web.test_home import Clock

pytestmark = pytest.mark.anyio
NAMES = ("Ana", "Ben", "Cai", "Dora", "Emil")
PRESS = {"press": "1"}  # a form without fields
FORM = {"what": "lacorsa/race", "name": "Thursday", "deals": "2", "pause": "60"}


@pytest.fixture
def clock() -> Clock:
    """The clock of ``app``."""
    return Clock()


@pytest.fixture
async def app(tmp_path: Path, clock: Clock, unlimited: None) -> FastAPI:
    """An application whose time a test moves."""
    url = prepared(f"sqlite:///{tmp_path / 'tables.sqlite3'}")
    return create_app(url, chance=Seeded(7), runtime=clock, pace="instant")


@pytest.fixture
async def people(app: FastAPI) -> AsyncIterator[list[httpx.AsyncClient]]:
    """Six browsers: five who play, and one who looks on."""
    async with running(app), browsers(app, 6) as clients:
        yield clients


async def made(host: httpx.AsyncClient, **more: str) -> str:
    """Make an evening; return its address."""
    answer = await host.post("/evenings", data=FORM | more)
    assert answer.status_code == 303, answer.text
    return str(answer.headers["location"])


async def join(client: httpx.AsyncClient, path: str, name: str, lot: str = "ab") -> httpx.Response:
    return await client.post(f"{path}/join", data={"name": name, "lot": lot})


async def begun(people: list[httpx.AsyncClient], **more: str) -> str:
    """Let five people begin an evening; return its address."""
    path = await made(people[0], **more)
    for client, name in zip(people, NAMES, strict=False):
        assert (await join(client, path, name)).status_code == 303
    assert (await people[0].post(f"{path}/begin", data=PRESS)).status_code == 303
    return path


def stored(client: httpx.AsyncClient) -> ClubStore:
    """Return the stored evenings."""
    return tables_of(client).store.part(ClubStore)


async def row_of(client: httpx.AsyncClient, path: str) -> EveningRow:
    found = await stored(client).evening(path.rpartition("/")[2])
    assert found
    return found


async def dealt(client: httpx.AsyncClient, path: str, deal: int) -> list[Table]:
    """Return the tables of people that play a deal."""
    rows = await stored(client).tables([path.rpartition("/")[2]])
    ids = [row.table_id for row in rows if row.deal == deal and row.table_id]
    return [await tables_of(client).table(id) for id in ids]


async def play(client: httpx.AsyncClient, table: Table, pick: int = 0, entries: int = 10**6) -> None:
    """Play everybody's moves at a table, each time that of this number, until its game is over, or its log
    has so many entries."""
    tables = tables_of(client)
    async with tables.streams.watch(table.id) as changed:
        while not table.game.over and len(table.game.log) < entries:
            waiting = [
                p for p in table.awaited() if table.players[p].person and not table.players[p].stand_in
            ]
            if not waiting:
                await changed(PATIENCE_S)
                continue
            who = table.players[waiting[0]]
            seat, legal = table.moves(who.index)[0]
            move = legal[pick % len(legal)][1]
            await tables.submit(
                table.id,
                who.holder,
                seat,
                move,
                table.decision,
                f"k{table.decision} {seat}".replace(" ", "-"),
            )


async def settled(client: httpx.AsyncClient, path: str, deal: int, but: str = "") -> None:
    """Wait until a deal is over at all tables, bots alone included; ``but`` for one."""
    while any(  # noqa: ASYNC110 # nothing tells of it
        not row.over and row.table_id != but for row in await stored(client).tables([path[9:]])
    ):
        await asyncio.sleep(0.05)
    await tables_of(client).service(Clubs).advance(path.rpartition("/")[2])


async def test_an_evening_from_its_link_to_the_results(people: list[httpx.AsyncClient], clock: Clock) -> None:
    ana, ben, *_others, guest = people
    path = await made(ana)
    assert path in (await ana.get("/evenings")).text
    page = (await ben.get(path)).text
    assert "Thursday" in page and "LACORSA · A single race · 2 deals for all · live" in page
    row = await row_of(ana, path)
    commitment = fair.commitment(row.secret)
    assert commitment in page and row.secret not in page
    assert (await ben.post(f"{path}/begin", data=PRESS)).status_code == 403, "only an organiser begins"
    assert (await ana.post(f"{path}/begin", data=PRESS)).status_code == 403, "nobody is here"
    for client, name in zip(people, NAMES, strict=False):
        assert (await join(client, path, name)).status_code == 303
    assert (await join(guest, path, "ana")).status_code == 422, "the name is taken"
    assert "5 play" in (await ana.get(path)).text
    assert (await ana.post(f"{path}/begin", data=PRESS)).status_code == 303

    first = await dealt(ana, path, 1)
    assert len(first) == 2 and all(table.kind == PLAYED for table in first)
    for client in people[:5]:
        led = re.search(r'href="(/t/[^"]+)" id="go"', (await client.get(path)).text)
        assert led and (await client.get(led[1])).status_code == 200
    assert 'id="go"' not in (await guest.get(path)).text
    cards = [[entry for entry in table.game.log if entry.by == CHANCE][:24] for table in first]
    assert cards[0] == cards[1], "all tables have the same cards"

    await play(ana, first[0])
    assert "Results" not in (await ana.get(path)).text and "So far" not in (await ana.get(path)).text
    await play(ana, first[1], pick=1)
    await settled(ana, path, 1)
    page = (await ana.get(path)).text
    assert "So far" in page and "The next deal begins in 1 minute" in page
    assert all(table.kind == OPENED for table in first)
    assert "fair:" not in (await ana.get(f"/t/{first[0].id}/record")).text
    deal = (await ana.get(f"{path}/deal/1")).text
    assert "Parted from you at" in deal and f"/t/{first[0].id}" in deal
    assert (await ana.get(f"{path}/deal/2")).status_code == 404

    clock.time += timedelta(seconds=61)
    await tables_of(ana).service(Clubs).tend()
    second = await dealt(ana, path, 2)
    assert len(second) == 2 and "Deal 2 of 2" in (await ana.get(path)).text
    for table in second:
        await play(ana, table)
    await settled(ana, path, 2)
    page = (await guest.get(path)).text
    assert row.secret in page and "It is over" in page and page.count("<tr") == 1 + 5
    assert commitment == fair.commitment(row.secret)
    assert (await guest.get(f"/t/{second[0].id}/replay")).status_code == 200
    for deal_number, table in enumerate((first[0], second[1]), 1):
        record = records.read((await guest.get(f"/t/{table.id}/record")).text)
        proof = fair.proof_in(record)
        assert proof is not None and proof.name == f"paddock evening 1 {row.id} {deal_number}"
        assert proof.holds(commitment) and not fair.check(record, proof)[1].fault


async def test_a_table_is_closed_until_all_have_played_its_cards(people: list[httpx.AsyncClient]) -> None:
    """Neither a guest nor somebody at another table learns of a deal, by any page or route."""
    path = await begun(people)
    ana, guest = people[0], people[5]
    first, second = await dealt(ana, path, 1)
    rest = ("", "/stream", "/replay", "/record", "/podium.svg", "/embed", "/preview.png", "/embed/stream")
    api = ("", "/stream", "/record", "/talk", "/replay", "/analysis")
    row = await row_of(ana, path)
    key = rules.source(row, 1)._key.hex()

    def others(table: Table) -> list[httpx.AsyncClient]:
        seated = {player.holder for player in table.players if player.person}
        return [client for client in people if holder_of(client) not in seated]

    async def closed(table: Table) -> None:
        for client in others(table):
            for page in [f"/t/{table.id}{one}" for one in rest]:
                assert (await client.get(page)).status_code in (403, 409), page
            for page in [f"/api/v1/tables/{table.id}{one}" for one in api]:
                assert (await client.get(page)).status_code in (403, 409), page
            seats = f"/t/{table.id}/seats"
            taken = await client.post(seats, data={"do": "claim", "player": "0", "name": "Fay"})
            assert taken.status_code in (403, 422)

    await closed(first)
    await closed(second)
    await play(ana, first)
    await closed(first)
    for client in people:
        seen = [
            await client.get(one) for one in (path, f"/api/v1/evenings/{path[9:]}", f"{path}/results.csv")
        ]
        sent = "\n".join(answer.text + str(answer.headers) for answer in seen)
        assert fair.commitment(row.secret) in sent
        for secret in (row.secret, row.secret.upper(), key):
            assert secret not in sent
        told = seen[1].json()
        assert told["results"] == [] and told["secret"] is None
        shown = [seat for table in told["tables"] for seat in table["seats"]]
        assert {(seat["points"], seat["bot_from"]) for seat in shown} == {(None, None)}
        ids = {table["table"] for table in told["tables"]} - {None}
        assert len(ids) == (0 if client is guest else 1), "only one's own table is named"
    for client in people[:5]:
        mine = [table for table in (first, second) if client not in others(table)]
        assert (await client.get(f"/t/{mine[0].id}/replay")).status_code == 409
    await play(ana, second)
    await settled(ana, path, 1)
    assert (await guest.get(f"/t/{first.id}/replay")).status_code == 200
    assert (await guest.get(f"/evenings/table/{first.id}")).status_code == 403, "the link to join is not told"
    assert (await ana.get(f"/evenings/table/{first.id}")).headers["location"] == path


def holder_of(client: httpx.AsyncClient) -> str | None:
    """Return the hash of the secret of a browser."""
    secret = client.cookies.get(COOKIE)
    return hashed(secret) if secret else None


async def test_a_bot_plays_on_for_who_leaves_and_who_comes_late_plays_the_next_deal(
    people: list[httpx.AsyncClient], clock: Clock
) -> None:
    path = await begun(people)
    ana, ben, late = people[0], people[1], people[5]
    tables = await dealt(ana, path, 1)
    table = next(one for one in tables if one.players_of(holder_of(ben)))
    player = table.players_of(holder_of(ben))[0]
    left = await ben.post(f"/t/{table.id}/seats", data={"do": "leave", "player": str(player)})
    assert left.status_code == 303, left.text
    assert (await ben.get(f"/t/{table.id}")).status_code == 200, "the way back is open"
    assert (await ben.post(f"{path}/leave", data=PRESS)).status_code == 303
    assert (await join(late, path, "Fay")).status_code == 303
    for one in tables:
        await play(ana, one)
    await settled(ana, path, 1)
    number = next(one.number for one in await stored(ana).entrants(path[9:]) if one.name == "Ben")
    seat = next(one for one in await stored(ana).seats([path[9:]]) if one.entrant == number)
    assert seat.points is not None and seat.bot_from is not None
    page = (await ana.get(path)).text
    assert "a bot played on for them" in page and "reckoned without the part of the bot" in page
    assert (await ana.post(f"{path}/begin", data=PRESS)).status_code == 303
    second = await dealt(ana, path, 2)
    seated = {player.name for one in second for player in one.players if player.person}
    assert seated == {"Ana", "Cai", "Dora", "Emil", "Fay"}
    assert (await ana.post(f"{path}/time", data={"deal": "1"})).status_code == 303
    assert (await row_of(ana, path)).next_at is None, "a late press ends no other deal"
    assert (await ana.post(f"{path}/time", data={"deal": "2"})).status_code == 303
    await settled(ana, path, 2)
    row = await row_of(ana, path)
    assert row.phase == "over", "without time, bots have played to the end"
    forgotten = await tables_of(ana).forget(holder_of(ben) or "")
    assert forgotten
    page = (await ana.get(path)).text
    assert "a player" in page and ">Ben" not in page


async def test_who_comes_or_leaves_while_an_evening_begins_breaks_neither_it_nor_its_proof(
    people: list[httpx.AsyncClient],
) -> None:
    path = await made(people[0], guests="Ana\nBen\nCai")
    ana, ben, cai = people[:3]
    for client, name in zip((ana, ben, cai), NAMES, strict=False):
        assert (await join(client, path, name)).status_code == 303
    store, row = stored(ana), await row_of(ana, path)
    before = await store.entrants(row.id)
    assert (await cai.post(f"{path}/leave", data=PRESS)).status_code == 303
    with pytest.raises(Moved):
        await store.begin_deal(row, [], [], {"phase": RUNNING, "deal": 1}, before)
    assert (await row_of(ana, path)).phase == "joining"
    assert (await ana.post(f"{path}/begin", data=PRESS)).status_code == 303
    late = replace(before[2], holder="f" * 64, lot="cd")  # as if read before the start
    assert await store.enter(late, rules.MOST) == 3
    assert [one.lot for one in await store.entrants(row.id)] == ["ab", "ab", ""]
    await store.drop_entrant(row.id, 2)
    gone = [one.gone for one in await store.entrants(row.id)]
    assert gone == [False, True, False], "who has a seat stays in the table"
    assert (await ana.post(f"{path}/guests", data={"guests": "Ana"})).status_code == 303
    assert (await join(ben, path, "Ana")).status_code == 403, "the list counts for who comes back"
    long = await ana.post(f"{path}/guests", data={"guests": "x" * 4001})
    assert long.status_code == 422


async def test_who_may_organise_and_who_may_come(people: list[httpx.AsyncClient]) -> None:
    ana, ben, cai, *_rest = people
    path = await made(ana, guests="name;club\nBen;x\n Ana ;y")
    assert (await join(cai, path, "Cai")).status_code == 403
    assert (await join(ben, path, "ben")).status_code == 303
    assert (await ben.post(f"{path}/guests", data={"guests": ""})).status_code == 403
    token = re.search(r"organise=([0-9a-f]{32})", (await ana.get(path)).text)
    assert token and token[1] not in (await ben.get(path)).text
    assert (await ben.post(f"{path}/organise", data={"token": "0" * 32})).status_code == 403
    assert (await ana.post(f"{path}/token", data=PRESS)).status_code == 303
    assert (await ben.post(f"{path}/organise", data={"token": token[1]})).status_code == 403, (
        "it is an old one"
    )
    token = re.search(r"organise=([0-9a-f]{32})", (await ana.get(path)).text)
    assert token
    assert "Organise it" in (await ben.get(f"{path}?organise={token[1]}")).text
    assert (await ben.post(f"{path}/organise", data={"token": token[1]})).status_code == 303
    assert (await ben.post(f"{path}/guests", data={"guests": ""})).status_code == 303
    assert (await join(cai, path, "Cai")).status_code == 303
    assert (await ben.post(f"{path}/remove", data={"number": "2"})).status_code == 303
    assert "1 plays" in (await ben.get(path)).text
    for wrong, status in (
        ({"deals": "0"}, 422),
        ({"deals": "99"}, 422),
        ({"deals": "many"}, 422),
        ({"what": "chess/blitz"}, 422),
        ({"style": "never"}, 422),
        ({"style": "days", "system": "swiss"}, 422),
        ({"minutes": "-1"}, 422),
        ({"planned": "tomorrow"}, 422),
        ({"planned": "9999-12-31T23:59"}, 422),
        ({"club": "nothere"}, 404),
    ):
        assert (await ana.post("/evenings", data=FORM | wrong)).status_code == status, wrong
    for gone in ("/evening/nothere", "/club/nothere", f"{path}/deal/1", "/evenings/table/nothere"):
        assert (await ana.get(gone)).status_code == 404, gone
    assert (await join(ben, path, "Fay", lot="no number")).status_code == 422


@pytest.mark.slow("a server is started twice, each time with workers for the bots")
async def test_an_evening_goes_on_after_a_restart_in_the_middle(tmp_path: Path, clock: Clock) -> None:
    url = prepared(f"sqlite:///{tmp_path / 'again.sqlite3'}")
    cookies: list[httpx.Cookies] = []
    path, log = "", ""
    for start in range(2):
        app = create_app(url, chance=Seeded(7), runtime=clock, pace="instant")
        async with running(app), browsers(app, 6) as clients:
            for client, cookie in zip(clients, cookies, strict=False):
                client.cookies = cookie
            ana = clients[0]
            if start == 0:
                path = await begun(clients)
                first, second = await dealt(ana, path, 1)
                await play(ana, first)
                log = first.id
                cookies = [client.cookies for client in clients]
                continue
            first, second = await dealt(ana, path, 1)
            assert first.id == log and first.game.over and not second.game.over
            await play(ana, second)
            await settled(ana, path, 1)
            cards = [[one for one in table.game.log if one.by == CHANCE][:24] for table in (first, second)]
            assert cards[0] == cards[1]
            assert "So far" in (await ana.get(path)).text


async def test_a_club_keeps_its_evenings_and_a_season(people: list[httpx.AsyncClient], clock: Clock) -> None:
    ana, ben = people[:2]
    club = str((await ana.post("/clubs", data={"club_name": "The Oaks"})).headers["location"])
    assert (await ben.post("/evenings", data=FORM | {"club": club[6:]})).status_code == 403
    path = await made(ana, club=club[6:], deals="1", planned="2026-03-05T19:30")
    page = await ben.get(club)
    assert "Thursday" in page.text and page.headers["x-robots-tag"] == "noindex"
    assert "20260305T193000Z" in (await ben.get(f"{club}/evenings.ics")).text
    for client, name in zip((ana, ben), ("=Ana", "Ben"), strict=True):
        assert (await join(client, path, name)).status_code == 303
    assert (await ana.post(f"{path}/begin", data=PRESS)).status_code == 303
    (table,) = await dealt(ana, path, 1)
    await play(ana, table)
    await settled(ana, path, 1)
    assert "bots play the same deals" in (await ana.get(path)).text, "they complete the field"
    rows = await stored(ana).tables([path[9:]])
    assert [row.alone for row in rows] == [False, True, True, True]
    season = (await ben.get(club)).text
    assert "Strength" in season and "Rating" in season
    told = (await ben.get(f"/api/v1/clubs/{club[6:]}")).json()["seasons"]
    assert [len(one["results"]) for one in told] == [2] and told[0]["results"][0]["rating"] != 25
    file = (await ben.get(f"{club}/season.csv")).text.splitlines()
    assert len(file) == 3 and any("'=Ana" in line for line in file)
    assert (await ben.post(f"{club}/shown", data={"shown": "yes"})).status_code == 403
    assert (await ana.post(f"{club}/shown", data={"shown": "yes"})).status_code == 303
    assert "x-robots-tag" not in (await ben.get(club)).headers


async def test_an_evening_over_days_by_the_api(people: list[httpx.AsyncClient], clock: Clock) -> None:
    ana, ben, cai, *_rest = people
    tokens = [(await one.post("/api/v1/tokens", json={"label": "me"})).json()["token"] for one in (ana, ben)]
    heads = [{"authorization": f"Bearer {token}"} for token in tokens]
    body = {"title": "lacorsa", "deals": 2, "style": "days", "minutes": 48, "name": "Slow"}
    asked = await cai.post("/api/v1/evenings", json=body, headers=heads[0])
    assert asked.status_code == 201, asked.text
    api = f"/api/v1/evenings/{asked.json()['id']}"
    for head, name in zip(heads, ("Ana", "Ben"), strict=True):
        assert (
            await cai.post(f"{api}/join", json={"name": name, "lot": "5e"}, headers=head)
        ).status_code == 200
    assert (await cai.post(f"{api}/begin", headers=heads[1])).status_code == 403
    told = (await cai.post(f"{api}/begin", headers=heads[0])).json()
    mine = [table["table"] for table in told["tables"] if table["table"]]
    assert told["phase"] == "running" and told["deal"] == 2 and len(mine) == 2
    assert mix({1: "5e", 2: "5e"}) == told["mixed"]
    await play(ana, await tables_of(ana).table(mine[0]))
    assert (await cai.get(api)).json()["results"] == []
    clock.time += timedelta(hours=49)
    await tables_of(ana).service(Clubs).tend()
    await settled(ana, "/evening/" + told["id"], 2)
    told = (await cai.get(api)).json()
    assert told["phase"] == "over" and told["secret"] and len(told["results"]) == 2
    assert fair.commitment(told["secret"]) == told["commitment"]
    assert told["results"][0]["left"], "bots have played the second deal"


async def test_an_evening_is_sent_again_only_when_something_has_changed(
    people: list[httpx.AsyncClient],
) -> None:
    ana, ben, cai = people[:3]
    path = await made(ana, deals="1")
    api, part = f"/api/v1/evenings/{path[9:]}", {"paddock-part": "main"}
    tags = dict[httpx.AsyncClient, tuple[str, str]]()

    async def news(client: httpx.AsyncClient) -> tuple[int, int]:
        """Return the status of both answers for who has the last ones."""
        tag, shown = tags.get(client, ("", ""))
        told = await client.get(api, headers={"if-none-match": tag})
        page = await client.get(path, headers=part | {"if-none-match": shown})
        if page.status_code == 200:
            found = re.search(r'data-tag="([0-9a-f]{24})"', page.text)
            assert found
            shown = found[1]
        tags[client] = told.headers["etag"], shown
        return told.status_code, page.status_code

    async def all_hear_once() -> None:
        for client in (ana, ben):
            assert await news(client) == (200, 200)
            assert await news(client) == (304, 304)

    await all_hear_once()
    for client, name in ((ana, "Ana"), (ben, "Ben"), (cai, "Cai")):
        await join(client, path, name)
        await all_hear_once()
    await cai.post(f"{path}/leave", data=PRESS)
    await all_hear_once()
    await join(cai, path, "Cleo")  # as many as before, with the same number
    await all_hear_once()
    await ana.post(f"{path}/begin", data=PRESS)
    (table,) = await dealt(ana, path, 1)
    await settled(ana, path, 1, but=table.id)
    await all_hear_once()
    assert (await ana.get(path, headers={"if-none-match": tags[ana][1]})).status_code == 200, "not a script"
    await tables_of(ana).forget(holder_of(cai) or "")
    await all_hear_once()
    await play(ana, table)
    await settled(ana, path, 1)
    await all_hear_once()
    assert tags[ana][0] != tags[ben][0], "one's own seat is marked"


async def test_a_table_of_bots_that_cannot_be_played_does_not_stop_an_evening(
    people: list[httpx.AsyncClient], monkeypatch: pytest.MonkeyPatch
) -> None:
    ana, ben = people[:2]
    path = await made(ana, deals="1")
    for client, name in ((ana, "Ana"), (ben, "Ben")):
        await join(client, path, name)
    tried = list[int]()

    async def broken(work: Callable[..., object], *task: object, **_more: object) -> tuple[list[int], int]:
        """The worker process dies at the second table, and the rules fail at the third."""
        number = task[-1]
        assert work is rules.play_alone and isinstance(number, int)
        tried.append(number)
        if number == 2:
            raise Stopped("the server could not finish this")
        if number == 3:
            raise ValueError(number)
        return [1] * 4, 40

    monkeypatch.setattr(tables_of(ana).workers, "wait", broken)
    await ana.post(f"{path}/begin", data=PRESS)
    (table,) = await dealt(ana, path, 1)
    await play(ana, table)
    while tried.count(2) < 3:
        await tables_of(ana).service(Clubs).tend()
        await asyncio.sleep(0)
    await settled(ana, path, 1)
    assert (await row_of(ana, path)).phase == "over" and tried.count(3) == 1
    assert len((await ana.get(f"/api/v1/evenings/{path[9:]}")).json()["results"]) == 2


async def test_an_evening_is_called_off_before_it_begins(people: list[httpx.AsyncClient]) -> None:
    ana, ben = people[:2]
    club = str((await ana.post("/clubs", data={"club_name": "The Oaks"})).headers["location"])
    assert "BEGIN:VTIMEZONE" in (await ben.get(f"{club}/evenings.ics")).text, "no calendar is empty"
    path = await made(ana, club=club[6:], planned="2026-03-05T19:30")
    assert "STATUS:CANCELLED" not in (await ben.get(f"{club}/evenings.ics")).text
    await join(ben, path, "Ben")
    assert (await ben.post(f"{path}/off", data=PRESS)).status_code == 403
    for _twice in range(2):
        assert (await ana.post(f"{path}/off", data=PRESS)).status_code == 303
    page = (await ben.get(path)).text
    assert "It was called off: nothing was played." in page and "the cards are open" not in page
    assert "STATUS:CANCELLED" in (await ben.get(f"{club}/evenings.ics")).text
    home = await ben.get(club)
    assert "called off" in home.text and (await ben.get(f"/api/v1/clubs/{club[6:]}")).json()["seasons"] == []
    assert (await join(people[2], path, "Cai")).status_code == 403
    assert (await ana.post(f"{path}/begin", data=PRESS)).status_code == 303
    assert (await row_of(ana, path)).called_off
    running_one = await begun(people)
    late = await ana.post(f"/api/v1/evenings/{running_one[9:]}/call-off")
    assert late.status_code == 403 and "has begun" in late.json()["error"]


async def test_organisers_can_be_dismissed_but_for_the_last(people: list[httpx.AsyncClient]) -> None:
    ana, ben, cai = people[:3]
    club = str((await ana.post("/clubs", data={"club_name": "The Oaks"})).headers["location"])
    for path in (await made(ana), club):
        shown = [
            re.findall(r'name="who" value="([0-9a-f]{24})"', (await client.get(path)).text)
            for client in (ana, ben)
        ]
        assert shown == [[], []], "nobody else organises it"
        token = re.search(r"organise=([0-9a-f]{32})", (await ana.get(path)).text)
        assert token
        assert (await ben.post(f"{path}/organise", data={"token": token[1]})).status_code == 303
        both = re.findall(r'name="who" value="([0-9a-f]{24})"', (await ana.get(path)).text)
        assert len(both) == 2 and holder_of(ben) not in both
        assert (await cai.post(f"{path}/dismiss", data={"who": both[0]})).status_code == 403
        mine = re.search(
            r'is-you">[^<]*<form[^>]*dismiss.*?value="([0-9a-f]{24})"', (await ana.get(path)).text
        )
        assert mine
        (other,) = {*both} - {mine[1]}
        assert (await ana.post(f"{path}/dismiss", data={"who": other})).status_code == 303
        assert (await ben.post(f"{path}/token", data=PRESS)).status_code == 403
        again = await ben.post(f"{path}/organise", data={"token": token[1]})
        assert again.status_code == 403, "the link has ended, too"
        assert (await ana.post(f"{path}/dismiss", data={"who": mine[1]})).status_code == 403, (
            "she is the last"
        )
        assert (await ana.post(f"{path}/token", data=PRESS)).status_code == 303


async def test_by_the_api_time_is_up_for_the_deal_that_was_seen(people: list[httpx.AsyncClient]) -> None:
    path = await begun(people)
    ana, api = people[0], f"/api/v1/evenings/{path[9:]}/time"
    assert (await ana.post(api)).status_code == 422, "a retry could end another deal"
    assert (await ana.post(api, json={"deal": 2})).status_code == 200
    assert (await row_of(ana, path)).next_at is None
    assert (await ana.post(api, json={"deal": 1})).status_code == 200
    assert (await row_of(ana, path)).next_at is not None


async def test_who_comes_back_for_the_end_has_not_played_all(people: list[httpx.AsyncClient]) -> None:
    path = await begun(people, deals="1")
    ana, ben = people[:2]
    tables = await dealt(ana, path, 1)
    table = next(one for one in tables if one.players_of(holder_of(ben)))
    (player,) = table.players_of(holder_of(ben))
    seats = f"/t/{table.id}/seats"
    assert (await ben.post(seats, data={"do": "leave", "player": str(player)})).status_code == 303
    await play(ana, table, entries=len(table.game.log) + 20)
    back = await ben.post(seats, data={"do": "claim", "player": str(player), "name": "Ben"})
    assert back.status_code == 303 and table.players[player].person
    for one in tables:
        await play(ana, one)
    await settled(ana, path, 1)
    number = next(one.number for one in await stored(ana).entrants(path[9:]) if one.name == "Ben")
    rows = {seat.entrant: seat for seat in await stored(ana).seats([path[9:]])}
    seat = rows.pop(number)
    assert seat.bot_from is not None and seat.own is not None and seat.asked is not None
    assert 0 < seat.own < seat.asked, "a bot made some of his decisions, and he the others"
    assert {(other.asked, other.own) for other in rows.values()} == {(None, None)}, "they made all"
    told = (await ana.get(f"/api/v1/evenings/{path[9:]}")).json()["results"]
    assert {line["entrant"] for line in told if line["left"]} == {f"{number}"}


async def test_who_is_barred_comes_back_only_if_an_organiser_lets_them(
    people: list[httpx.AsyncClient],
) -> None:
    ana, ben, cai = people[:3]
    path = await made(ana)
    for client, name in ((ana, "Ana"), (ben, "Ben"), (cai, "Cai")):
        await join(client, path, name)
    assert (await ana.post(f"{path}/remove", data={"number": "3", "bar": "yes"})).status_code == 303
    assert "2 play" in (await ana.get(path)).text
    refused = await join(cai, path, "Cora")
    assert refused.status_code == 403 and "organiser has barred you" in refused.text
    assert (await join(people[3], path, "Cai")).status_code == 422, "nor by the same name"
    assert (await ana.post(f"{path}/remove", data={"number": "2", "bar": "yes"})).status_code == 303
    assert (await ana.post(f"{path}/begin", data=PRESS)).status_code == 403, "one is too few"
    assert (await cai.post(f"{path}/back", data={"number": "3"})).status_code == 403
    assert "Let Ben come back" in (await ana.get(path)).text
    assert (await ana.post(f"{path}/back", data={"number": "2"})).status_code == 303
    assert "Play along" in (await ben.get(path)).text and "Play along" not in (await cai.get(path)).text
    assert (await join(ben, path, "")).status_code == 303
    assert (await ana.post(f"{path}/begin", data=PRESS)).status_code == 303
    (table,) = await dealt(ana, path, 1)
    assert {player.name for player in table.players if player.person} == {"Ana", "Ben"}
    assert (await join(cai, path, "Cai")).status_code == 403
