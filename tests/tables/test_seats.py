"""Lobbies and seats: who has which seat, who may change it, and what the table says about it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from paddock.core.errors import BadOption, PaddockError
from paddock.core.settings import Settings
from paddock.store import OrderRow
from paddock.tables import Forbidden, NoTable, Table, Tables, clock
from paddock.tables.names import NameFilter
from paddock.tables.seats import Abandon, Seats, open_places
from tables.clockwork import until
from tables.harness import ANA, BEN, CountedRuntime, service

pytestmark = pytest.mark.anyio
CLEO, DAN = "c" * 64, "d" * 64
LEVEL = "club"


@asynccontextmanager
async def seats_of(
    database: str, runtime: CountedRuntime | None = None
) -> AsyncIterator[tuple[Tables, Seats]]:
    async with service(database, runtime=runtime) as tables:
        yield tables, tables.seats


async def lobby(seats: Seats, who: list[str] | None = None, **more: Any) -> Table:
    """Create Ana's lobby for her, two others and a bot."""
    return await seats.open_lobby(
        "lacorsa",
        {"drivers": 4, "races": 1},
        who or ["me", "open", "open", LEVEL],
        ["Ana"],
        holder=ANA,
        **more,
    )


async def told(tables: Tables, id: str) -> list[str]:
    """Return the lines of the table itself."""
    return [line.text for line in await tables.talk.lines(id, None) if line.player is None]


async def full(seats: Seats, **more: Any) -> Table:
    """Create a lobby where everybody but Cleo is ready."""
    table = await lobby(seats, **more)
    await seats.claim(table.id, BEN, 1, "Ben")
    await seats.claim(table.id, CLEO, 2, "Cleo")
    await seats.ready(table.id, ANA, 0)
    await seats.ready(table.id, BEN, 1)
    return table


async def played(tables: Tables, seats: Seats, **more: Any) -> Table:
    """The same after the deal."""
    table = await full(seats, **more)
    assert await seats.ready(table.id, CLEO, 2)
    return await tables.table(table.id)


async def to_the_end(tables: Tables, table: Table) -> None:
    """Play legal moves for everybody, bots too, until the end."""
    while not table.game.over:
        for player in table.awaited():
            for seat, moves in table.moves(player):
                kept = await tables._find(table.id)
                await tables._decide(kept, seat, [moves[0][1]], table.decision, f"k{table.decision}.{seat}")


async def test_a_lobby_is_not_dealt_and_is_stored(database: str) -> None:
    async with seats_of(database) as (tables, seats):
        table = await lobby(seats, listed=True, clock="600+10", grace=60)
        assert (table.phase, table.host, table.game.log, table.awaited()) == ("lobby", ANA, [], [])
        assert not table.running and open_places(table) == [1, 2]
        assert [player.name for player in table.players] == ["Ana", "Driver 2", "Driver 3", "Club 4"]
        assert [player.bank_ms for player in table.players] == [600_000] * 4
        assert table.moves(0) == [] and table.view(None) and table.view(0)
        facts = (table.players, table.phase, table.host, table.listed, table.clock, table.grace, table.rows)
    async with seats_of(database) as (tables, _):
        table = await tables.table(table.id)
        again = (table.players, table.phase, table.host, table.listed, table.clock, table.grace, table.rows)
        assert again == facts
        assert table.frozen is None


async def test_the_last_ready_deals(database: str) -> None:
    async with seats_of(database) as (tables, seats):
        table = await full(seats)
        async with tables.watch(table.id) as changed:
            assert await seats.ready(table.id, CLEO, 2)
            assert await changed(0.2)
        assert table.phase == "play" and table.running and table.awaited() == [0, 1, 2, 3]
        assert table.game.names == ("Ana", "Ben", "Cleo", "Club 4")
        assert table.decision == len(table.game.log) > 0 and table.opened_at is not None
        assert await seats.ready(table.id, CLEO, 2)  # said twice
        with pytest.raises(Forbidden, match="has begun"):
            await seats.ready(table.id, CLEO, 2, False)
        log = table.game.log
        seat, moves = table.moves(0)[0]
        assert (
            await tables.submit(table.id, ANA, seat, moves[0][1], table.decision, "k")
        ).status == "committed"
        assert await told(tables, table.id) == [
            "Ben joins as driver 2.",
            "Cleo joins as driver 3.",
            "Ana is ready.",
            "Ben is ready.",
            "Cleo is ready.",
            "Everybody is ready: the game begins.",
        ]
    async with seats_of(database) as (tables, _):
        table = await tables.table(table.id)
        assert table.phase == "play" and table.game.log == log and len(table.pending) == 1
        assert table.game.names == ("Ana", "Ben", "Cleo", "Club 4")


async def test_an_open_place_or_somebody_not_ready_keeps_the_cards_back(database: str) -> None:
    async with seats_of(database) as (_, seats):
        table = await lobby(seats)
        assert not await seats.ready(table.id, ANA, 0)
        with pytest.raises(Forbidden, match="Driver 2, Driver 3"):
            await seats.start(table.id, ANA)
        await seats.claim(table.id, BEN, 1, "Ben")
        assert not await seats.ready(table.id, BEN, 1)
        await seats.ready(table.id, BEN, 1, False)
        await seats.set_bot(table.id, ANA, 2, LEVEL)
        with pytest.raises(Forbidden, match="still waiting for Ben"):
            await seats.start(table.id, ANA)
        with pytest.raises(Forbidden, match="only the host"):
            await seats.start(table.id, BEN)
        await seats.ready(table.id, ANA, 0, False)
        await seats.ready(table.id, BEN, 1)
        assert table.phase == "lobby"
        assert await seats.ready(table.id, ANA, 0)


async def test_a_host_starts_when_a_bot_has_filled_the_last_place(database: str) -> None:
    async with seats_of(database) as (_, seats):
        table = await lobby(seats)
        await seats.ready(table.id, ANA, 0)
        await seats.set_bot(table.id, ANA, 1, LEVEL)
        await seats.set_bot(table.id, ANA, 2, LEVEL)
        assert table.phase == "lobby"
        await seats.start(table.id, ANA)
        await seats.start(table.id, ANA)  # said twice
        assert table.running


async def test_a_place_is_one_browsers(database: str) -> None:
    async with seats_of(database) as (tables, seats):
        table = await lobby(seats)
        answers = await asyncio.gather(
            *(seats.claim(table.id, holder, 1, name) for holder, name in ((BEN, "Ben"), (CLEO, "Cleo"))),
            return_exceptions=True,
        )
        assert [type(answer) for answer in answers] == [type(None), Forbidden]
        assert table.players[1].holder == BEN
        await seats.claim(table.id, BEN, 1, "Other")  # sent twice: nothing more
        assert table.players[1].name == "Ben"
        with pytest.raises(Forbidden, match="Club 4 already has that seat"):
            await seats.claim(table.id, CLEO, 3, "Cleo")
        for wrong in (-1, 4):
            with pytest.raises(BadOption):
                await seats.claim(table.id, CLEO, wrong, "Cleo")
        with pytest.raises(NoTable):
            await seats.claim("nowhere", CLEO, 1, "Cleo")
        await seats.claim(table.id, BEN, 2, "Bea")  # two people at one device
        assert table.players_of(BEN) == [1, 2]
        assert await told(tables, table.id) == ["Ben joins as driver 2.", "Bea joins as driver 3."]


async def test_only_the_owner_decides_about_a_seat(database: str) -> None:
    async with seats_of(database) as (tables, seats):
        table = await full(seats)
        before = (list(map(str, table.players)), await told(tables, table.id))
        for attempt in (
            seats.leave(table.id, BEN, 2),
            seats.rename(table.id, BEN, 2, "Fool"),
            seats.ready(table.id, BEN, 2),
            seats.recovery(table.id, BEN, 2),
            seats.set_bot(table.id, BEN, 2, LEVEL),
            seats.free(table.id, BEN, 2),
            seats.kick(table.id, BEN, 2),
            seats.mute(table.id, BEN, 2),
            seats.kick(table.id, ANA, 0),
            seats.free(table.id, ANA, 0),
            seats.free(table.id, ANA, 3),
            seats.recover(table.id, "guess", DAN),
            seats.rematch(table.id, ANA),
        ):
            with pytest.raises(Forbidden):
                await attempt
        assert (list(map(str, table.players)), await told(tables, table.id)) == before


async def test_names_are_unique_and_decent(database: str) -> None:
    async with seats_of(database) as (tables, seats):
        table = await lobby(seats)
        for name in ("ANA", "Club 4", "Admin", "m0derator", "Paddock Team"):
            with pytest.raises(BadOption, match="choose another one"):
                await seats.claim(table.id, BEN, 1, name)
        await seats.claim(table.id, BEN, 1)
        assert table.players[1].name == "Driver 2"
        await seats.rename(table.id, BEN, 1, "  Ben\u202e \n Hur ")
        assert table.players[1].name == table.game.names[1] == "Ben Hur"
        with pytest.raises(BadOption):
            await seats.rename(table.id, BEN, 1, "Ana")
        await seats.rename(table.id, BEN, 1, "ben hur")
        assert (await told(tables, table.id))[-2:] == [
            "Driver 2 is now called Ben Hur.",
            "Ben Hur is now called ben hur.",
        ]
        with pytest.raises(BadOption) as refusal:
            await seats.open_lobby(
                "lacorsa", {"drivers": 3}, ["me", "me", "open"], ["Eva", "eva", "admin"], holder=ANA
            )
        assert len(refusal.value.faults) == 3


async def test_leaving_opens_the_place_and_passes_the_host_on(database: str) -> None:
    async with seats_of(database) as (tables, seats):
        table = await full(seats)
        await seats.leave(table.id, ANA, 0)
        assert table.host == BEN and open_places(table) == [0] and table.players[0].name == "Driver 1"
        assert (await told(tables, table.id))[-2:] == [
            "Ana leaves: driver 1 is open.",
            "Ben is now the host.",
        ]
        await seats.claim(table.id, ANA, 0, "Ana")
        assert table.host == BEN and not table.players[0].ready
        await seats.leave(table.id, ANA, 0)
        await seats.leave(table.id, CLEO, 2)
        await seats.leave(table.id, BEN, 1)
        assert table.host == BEN  # nobody is left: he may come back
        with pytest.raises(Forbidden):
            await seats.leave(table.id, BEN, 1)


async def test_a_bot_takes_a_running_seat_and_gives_it_back(database: str) -> None:
    async with seats_of(database) as (tables, seats):
        table = await played(tables, seats)
        (seat,) = table.seats_of(1)
        await seats.set_bot(table.id, ANA, 3, None)
        with pytest.raises(Forbidden, match="two hands"):
            await seats.claim(table.id, BEN, 3)
        await seats.set_bot(table.id, ANA, 1, LEVEL)
        assert (table.players[1].bot, table.players[1].holder, table.players[1].name) == (LEVEL, None, "Ben")
        with pytest.raises(Forbidden, match="does not belong to this browser"):
            await tables.submit(table.id, BEN, seat, "7", table.decision, "k")
        await seats.set_bot(table.id, ANA, 1, None)
        await seats.claim(table.id, BEN, 1, "Ben")
        move = table.moves(1)[0][1][0][1]
        assert (await tables.submit(table.id, BEN, seat, move, table.decision, "k2")).status == "committed"
        with pytest.raises(BadOption, match="choose"):
            await seats.set_bot(table.id, ANA, 1, "genius")
        assert (await told(tables, table.id))[-4:] == [
            "The host opens driver 4.",
            "The host replaces Ben (driver 2) with a bot (Club).",
            "The host opens driver 2.",
            "Ben joins as driver 2.",
        ]


async def test_bots_play_on_where_a_bot_takes_a_seat(database: str) -> None:
    async with seats_of(database) as (tables, seats):
        table = await played(tables, seats)
        tables.start_bots()
        for player in (1, 2):
            await seats.set_bot(table.id, ANA, player, LEVEL)
        await seats.leave(table.id, ANA, 0)
        await seats.claim(table.id, DAN, 0, "Dan")
        assert table.host == ANA  # nobody else sat there when she left
        await until(lambda: table.awaited() == [0])


async def test_nothing_of_the_last_owner_stays_with_a_seat(database: str) -> None:
    async with seats_of(database) as (tables, seats):
        table = await played(tables, seats)
        (seat,) = table.seats_of(1)
        async with tables._store.write(table.id) as writing:
            await writing.order(OrderRow(seat, "anything", tables.runtime.now()))
        table.orders = {seat: "anything"}
        secret = await seats.recovery(table.id, BEN, 1)
        await seats.free(table.id, ANA, 1)
        assert table.orders == {} and table.players[1].recovery is None
        with pytest.raises(Forbidden, match="used"):
            await seats.recover(table.id, secret, BEN)
        await seats.claim(table.id, DAN, 1, "Dan")
        stored = await tables._store.load(table.id)
        assert stored is not None and stored.orders == () and stored.players[1].holder == DAN
        assert table.game.names[1] == "Dan"


async def test_kicked_is_kicked(database: str) -> None:
    async with seats_of(database) as (_, seats):
        table = await lobby(seats)
        await seats.claim(table.id, BEN, 1, "Ben")
        await seats.claim(table.id, BEN, 2, "Bea")
        await seats.kick(table.id, ANA, 2)
        assert open_places(table) == [1, 2]
        with pytest.raises(Forbidden, match="removed you"):
            await seats.claim(table.id, BEN, 1, "Ben")
        await seats.claim(table.id, CLEO, 1, "Cleo")
        secret = await seats.recovery(table.id, CLEO, 1)
        with pytest.raises(Forbidden, match="removed you"):
            await seats.recover(table.id, secret, BEN)
    async with seats_of(database) as (_, seats):
        with pytest.raises(Forbidden, match="removed you"):
            await seats.claim(table.id, BEN, 2, "Ben")


async def test_muting_outlives_leaving(database: str) -> None:
    async with seats_of(database) as (tables, seats):
        table = await lobby(seats)
        await seats.claim(table.id, BEN, 1, "Ben")
        await seats.mute(table.id, ANA, 1)
        await seats.mute(table.id, ANA, 1)
        await seats.leave(table.id, BEN, 1)
        await seats.claim(table.id, BEN, 1, "Ben")
        assert table.players[1].muted
        await seats.mute(table.id, ANA, 1, False)
        assert not table.players[1].muted
        said = await told(tables, table.id)
        assert said.count("The host mutes Ben.") == 1 and said[-1] == "The host unmutes Ben."


async def test_a_recovery_link_moves_a_seat_once(database: str) -> None:
    async with seats_of(database) as (tables, seats):
        table = await played(tables, seats)
        old = await seats.recovery(table.id, ANA, 0)
        async with tables.watch(table.id) as changed:
            secret = await seats.recovery(table.id, ANA, 0)
            assert not await changed(0.2)  # nobody else's business
        assert len(secret) == 43 and secret != old
        assert secret not in str(table.players) and secret not in str(await tables._store.load(table.id))
        with pytest.raises(Forbidden, match="replaced by a newer one"):
            await seats.recover(table.id, old, DAN)
        seat, moves = table.moves(0)[0]
        await tables.submit(table.id, ANA, seat, moves[0][1], table.decision, "k")
    async with seats_of(database) as (tables, seats):
        assert await seats.recover(table.id, secret, DAN) == 0
        table = await tables.table(table.id)
        assert table.host == DAN and table.players_of(DAN) == [0] and table.players_of(ANA) == []
        assert table.pending == {seat: moves[0][0]}  # what was committed stands
        with pytest.raises(Forbidden, match="was used already"):
            await seats.recover(table.id, secret, BEN)
        with pytest.raises(Forbidden, match="does not belong to this browser"):
            await tables.submit(table.id, ANA, seat, moves[0][1], table.decision, "k2")
        assert (await told(tables, table.id))[-1] == "Ana continues in another browser."


async def test_who_sits_down_later_pays_for_nobody_elses_time(database: str) -> None:
    runtime = CountedRuntime()
    async with seats_of(database, runtime) as (tables, seats):
        table = await played(tables, seats, clock="600+10")
        runtime.time += 100
        await seats.leave(table.id, BEN, 1)
        assert table.players[1].bank_ms == 500_000
        runtime.time += 50
        await seats.claim(table.id, DAN, 1, "Dan")
        assert clock.left(table, 1, runtime.now()) == 500_000
        runtime.time += 7
        assert clock.left(table, 1, runtime.now()) == 493_000


async def test_a_rematch_moves_everybody_on_by_one(database: str) -> None:
    async with seats_of(database) as (tables, seats):
        table = await played(tables, seats, clock="6000+10", grace=60, listed=True)
        await to_the_end(tables, table)
        with pytest.raises(Forbidden, match="the game is over"):
            await seats.claim(table.id, DAN, 1)
        with pytest.raises(Forbidden, match="only players of this table"):
            await seats.rematch(table.id, DAN)
        first, second = await asyncio.gather(seats.rematch(table.id, BEN), seats.rematch(table.id, CLEO))
        assert first is second and table.rematch == first.id and first.rematch_of == table.id
        assert [(p.name, p.bot, p.holder) for p in first.players] == [
            ("Club 1", LEVEL, None),
            ("Ana", None, ANA),
            ("Ben", None, BEN),
            ("Cleo", None, CLEO),
        ]
        assert (first.phase, first.host, first.options) == ("lobby", ANA, table.options)
        assert (first.clock, first.grace, first.listed) == ("6000+10", 60, True)
        assert [p.bank_ms for p in first.players] == [6_000_000] * 4
        assert not any(p.ready or p.stand_in for p in first.players)
        for player, holder in ((1, ANA), (2, BEN), (3, CLEO)):
            await seats.ready(first.id, holder, player)
        assert first.running
    async with seats_of(database) as (tables, seats):
        assert (await seats.rematch(table.id, ANA)).id == first.id


async def test_listed_tables_are_those_that_wait_or_run(database: str) -> None:
    async with seats_of(database) as (_, seats):
        private = await lobby(seats)
        waiting = await lobby(seats, listed=True)
        closed = await lobby(seats, ["me", LEVEL, LEVEL, LEVEL], listed=True)
        running = await lobby(seats, ["me", LEVEL, LEVEL, LEVEL], listed=True)
        await seats.ready(running.id, ANA, 0)
        found = {table.id for table in await seats.listed()}
        assert found == {waiting.id, running.id}
        assert private.id not in found and closed.id not in found
        assert len(await seats.listed(1)) <= 1


async def test_abandoned_tables_are_marked_and_revived(database: str) -> None:
    runtime = CountedRuntime()
    async with seats_of(database, runtime) as (tables, seats):
        waiting, running = await lobby(seats, listed=True), await played(tables, seats)
        hour = timedelta(hours=1)
        assert await seats.sweep(runtime.now() + 23 * hour, Abandon()) == []
        assert await seats.sweep(runtime.now() + 400 * hour, Abandon(None, None)) == []
        async with tables.watch(waiting.id) as changed:
            assert await seats.sweep(runtime.now() + 25 * hour, Abandon()) == [waiting.id]
            assert await changed(0.2)
        assert waiting.abandoned and await seats.listed() == []
        await seats.claim(waiting.id, BEN, 1, "Ben")
        assert not waiting.abandoned and [table.id for table in await seats.listed()] == [waiting.id]
        assert sorted(await seats.sweep(runtime.now() + 800 * hour, Abandon())) == sorted(
            [waiting.id, running.id]
        )
        seat, moves = running.moves(0)[0]
        await tables.submit(running.id, ANA, seat, moves[0][1], running.decision, "k")
        assert not running.abandoned
    async with seats_of(database) as (tables, _):
        assert not (await tables.table(running.id)).abandoned
        assert (await tables.table(waiting.id)).abandoned


def test_what_abandoned_means_is_a_setting() -> None:
    assert Abandon.of(Settings()) == Abandon() == Abandon(timedelta(days=1), timedelta(days=30))
    some = Settings(abandon_lobby_hours=2, abandon_game_days=0)
    assert Abandon.of(some) == Abandon(timedelta(hours=2), None)


@pytest.mark.parametrize(
    "name",
    ["admin", "ADMIN", "4dm1n", "a d m i n", "Admin1", "Ádmin", "the admin", "аdmin", "MyPaddock", "h1tler"],
)
def test_names_that_nobody_gets(name: str) -> None:
    assert NameFilter().refuses(name)


@pytest.mark.parametrize(
    "name", ["Ana", "Badminton", "Padma", "Ben 2", "Jørgen", "山田", "7", "Scunthorpe", "🏁"]
)
def test_names_that_anybody_gets(name: str) -> None:
    assert not NameFilter().refuses(name)


def test_a_file_says_more_names(tmp_path: Path) -> None:
    (tmp_path / "words").write_text("Tifosi\n\n  race control \n", "utf-8")
    names = NameFilter.read(tmp_path / "words")
    assert names.refuses("T1fosi") and names.refuses("Race Control") and names.refuses("admin")
    assert not names.refuses("Race") and not names.refuses("Ana")
    with pytest.raises(PaddockError, match="PADDOCK_NAME_FILTER"):
        NameFilter.read(tmp_path / "nothing")


async def test_two_servers_agree_about_seats(database: str) -> None:
    async with service(database) as one, service(database, runtime=CountedRuntime("u")) as other:
        table = await lobby(one.seats)
        twin = await other.table(table.id)
        await other.seats.claim(table.id, BEN, 1, "Ben")
        with pytest.raises(Forbidden, match="Ben already has that seat"):
            await one.seats.claim(table.id, CLEO, 1, "Cleo")
        await one.seats.claim(table.id, CLEO, 2, "Cleo")
        await one.seats.ready(table.id, ANA, 0)
        await other.seats.ready(table.id, BEN, 1)
        assert await one.seats.ready(table.id, CLEO, 2)
        seat, moves = table.moves(1)[0]
        answer = await other.submit(table.id, BEN, seat, moves[0][1], table.decision, "k")
        assert answer.status == "committed" and twin.phase == "play" and twin.game.log == table.game.log
