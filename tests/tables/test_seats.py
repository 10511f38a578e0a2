"""Lobbies and seats: who has which seat, who may change it, and what the table says about it."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from paddock.bots import Level
from paddock.core.errors import BadOption, PaddockError
from paddock.core.i18n import language
from paddock.core.settings import Settings
from paddock.store.kinds import EXPLORED
from paddock.tables import (
    Forbidden,
    NoTable,
    Table,
    Tables,
    Terms,
    TwoHands,
    claims,
    hosting,
    seats,
    talk,
)
from paddock.tables.hosting import Abandon
from paddock.tables.names import NameFilter
from paddock.tables.seats import open_places
from tables.clockwork import PATIENCE_S, until
from tables.harness import ANA, BEN, CountedRuntime, alter, decide, service

pytestmark = pytest.mark.anyio
CLEO, DAN = "c" * 64, "d" * 64
LEVEL = "club"


async def lobby(tables: Tables, who: list[str] | None = None, **terms: Any) -> Table:
    """Create Ana's lobby for her, two others and a bot."""
    return await tables.making.open_lobby(
        "lacorsa",
        {"drivers": 4, "races": 1},
        who or ["me", "open", "open", LEVEL],
        ["Ana"],
        holder=ANA,
        terms=Terms(**terms),
    )


async def told(tables: Tables, id: str) -> list[str]:
    """Return the lines of the table itself."""
    return [line.text for line in talk.lines_for(await tables.table(id), None) if line.player is None]


async def full(tables: Tables, **more: Any) -> Table:
    """Create a lobby where everybody but Cleo is ready."""
    table = await lobby(tables, **more)
    await tables.run(table.id, seats.claim, BEN, 1, "Ben")
    await tables.run(table.id, seats.claim, CLEO, 2, "Cleo")
    await tables.run(table.id, seats.ready, ANA, 0)
    await tables.run(table.id, seats.ready, BEN, 1)
    return table


async def played(tables: Tables, **more: Any) -> Table:
    """The same after the deal."""
    table = await full(tables, **more)
    assert await tables.run(table.id, seats.ready, CLEO, 2)
    return await tables.table(table.id)


async def to_the_end(tables: Tables, table: Table) -> None:
    """Play legal moves for everybody, bots too, until the end."""
    while not table.game.over:
        for player in table.awaited():
            for seat, legal in table.moves(player):
                await decide(tables, table, seat, legal[0][1])


async def test_a_lobby_is_not_dealt_and_is_stored(database: str) -> None:
    async with service(database) as tables:
        table = await lobby(tables, listed=True, clock="600+10", grace=60)
        assert (table.phase, table.host, table.game.log, table.awaited()) == ("lobby", ANA, [], [])
        assert not table.running and open_places(table) == [1, 2]
        assert [player.name for player in table.players] == ["Ana", "Driver 2", "Driver 3", "Club 4"]
        assert [player.bank_ms for player in table.players] == [600_000] * 4
        assert table.moves(0) == [] and table.view(None) and table.view(0)
        facts = (table.players, table.phase, table.host, table.terms, table.rows)
    async with service(database) as tables:
        table = await tables.table(table.id)
        again = (table.players, table.phase, table.host, table.terms, table.rows)
        assert again == facts
        assert table.frozen is None


async def test_the_last_ready_deals(database: str) -> None:
    async with service(database) as tables:
        table = await full(tables)
        async with tables.streams.watch(table.id) as changed:
            assert await tables.run(table.id, seats.ready, CLEO, 2)
            assert await changed(PATIENCE_S)
        assert table.phase == "play" and table.running and table.awaited() == [0, 1, 2, 3]
        assert table.game.names == ("Ana", "Ben", "Cleo", "Club 4")
        assert table.decision == len(table.game.log) > 0 and table.opened_at is not None
        assert await tables.run(table.id, seats.ready, CLEO, 2)  # said twice
        with pytest.raises(Forbidden, match="has begun"):
            await tables.run(table.id, seats.ready, CLEO, 2, False)
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
    async with service(database) as tables:
        table = await tables.table(table.id)
        assert table.phase == "play" and table.game.log == log and len(table.pending) == 1
        assert table.game.names == ("Ana", "Ben", "Cleo", "Club 4")


async def test_an_open_place_or_somebody_not_ready_keeps_the_cards_back(database: str) -> None:
    async with service(database) as tables:
        table = await lobby(tables)
        assert not await tables.run(table.id, seats.ready, ANA, 0)
        with pytest.raises(Forbidden, match="Driver 2, Driver 3"):
            await tables.run(table.id, seats.start, ANA)
        await tables.run(table.id, seats.claim, BEN, 1, "Ben")
        assert not await tables.run(table.id, seats.ready, BEN, 1)
        await tables.run(table.id, seats.ready, BEN, 1, False)
        await tables.run(table.id, hosting.set_bot, ANA, 2, LEVEL)
        with pytest.raises(Forbidden, match="still waiting for Ben"):
            await tables.run(table.id, seats.start, ANA)
        with pytest.raises(Forbidden, match="only the host"):
            await tables.run(table.id, seats.start, BEN)
        await tables.run(table.id, seats.ready, ANA, 0, False)
        await tables.run(table.id, seats.ready, BEN, 1)
        assert table.phase == "lobby"
        assert await tables.run(table.id, seats.ready, ANA, 0)


async def test_a_host_starts_when_a_bot_has_filled_the_last_place(database: str) -> None:
    async with service(database) as tables:
        table = await lobby(tables)
        await tables.run(table.id, seats.ready, ANA, 0)
        await tables.run(table.id, hosting.set_bot, ANA, 1, LEVEL)
        await tables.run(table.id, hosting.set_bot, ANA, 2, LEVEL)
        assert table.phase == "lobby"
        await tables.run(table.id, seats.start, ANA)
        await tables.run(table.id, seats.start, ANA)  # said twice
        assert table.running


async def test_a_place_is_one_browsers(database: str) -> None:
    async with service(database) as tables:
        table = await lobby(tables)
        answers = await asyncio.gather(
            *(
                tables.run(table.id, seats.claim, holder, 1, name)
                for holder, name in ((BEN, "Ben"), (CLEO, "Cleo"))
            ),
            return_exceptions=True,
        )
        assert [type(answer) for answer in answers] == [str, Forbidden]
        assert table.players[1].holder == BEN
        await tables.run(table.id, seats.claim, BEN, 1, "Other")  # sent twice: nothing more
        assert table.players[1].name == "Ben"
        with pytest.raises(Forbidden, match="Club 4 already has that seat"):
            await tables.run(table.id, seats.claim, CLEO, 3, "Cleo")
        for wrong in (-1, 4):
            with pytest.raises(BadOption):
                await tables.run(table.id, seats.claim, CLEO, wrong, "Cleo")
        with pytest.raises(NoTable):
            await tables.run("nowhere", seats.claim, CLEO, 1, "Cleo")
        await tables.run(table.id, seats.claim, BEN, 2, "Bea")  # two people at one device
        assert table.players_of(BEN) == [1, 2]
        assert await told(tables, table.id) == ["Ben joins as driver 2.", "Bea joins as driver 3."]


async def test_only_the_owner_decides_about_a_seat(database: str) -> None:
    async with service(database) as tables:
        table = await full(tables)
        before = (list(map(str, table.players)), await told(tables, table.id))
        for attempt in (
            tables.run(table.id, seats.leave, BEN, 2),
            tables.run(table.id, seats.rename, BEN, 2, "Fool"),
            tables.run(table.id, seats.ready, BEN, 2),
            tables.recovery(table.id, BEN, 2),
            tables.run(table.id, hosting.set_bot, BEN, 2, LEVEL),
            tables.run(table.id, hosting.free, BEN, 2),
            tables.run(table.id, hosting.kick, BEN, 2),
            tables.run(table.id, hosting.mute, BEN, 2),
            tables.run(table.id, hosting.kick, ANA, 0),
            tables.run(table.id, hosting.free, ANA, 0),
            tables.run(table.id, hosting.free, ANA, 3),
            tables.run(table.id, seats.recover, "guess", DAN),
            tables.making.rematch(table.id, ANA),
        ):
            with pytest.raises(Forbidden):
                await attempt
        assert (list(map(str, table.players)), await told(tables, table.id)) == before


async def test_seats_change_only_in_games_that_people_have_met_for(database: str) -> None:
    async with service(database) as tables:
        race = {"drivers": 2, "races": 1}
        table = await tables.making.create("lacorsa", race, ["me", LEVEL], holder=ANA, kind=EXPLORED)
        for command, *args in ((seats.claim, BEN, 1), (seats.rename, ANA, 0, "Eva"), (seats.leave, ANA, 0)):
            with pytest.raises(Forbidden, match="seats cannot change"):
                await tables.run(table.id, command, *args)
        assert (table.players[0].name, table.players[0].holder) == ("Driver 1", ANA)


async def test_names_are_unique_and_decent(database: str) -> None:
    async with service(database) as tables:
        table = await lobby(tables)
        for name in ("ANA", "Club 4", "Admin", "m0derator", "Paddock Team"):
            with pytest.raises(BadOption, match="choose another one"):
                await tables.run(table.id, seats.claim, BEN, 1, name)
        await tables.run(table.id, seats.claim, BEN, 1)
        assert table.players[1].name == "Driver 2"
        await tables.run(table.id, seats.rename, BEN, 1, "  Ben\u202e \n Hur ")
        assert table.players[1].name == table.game.names[1] == "Ben Hur"
        with pytest.raises(BadOption):
            await tables.run(table.id, seats.rename, BEN, 1, "Ana")
        await tables.run(table.id, seats.rename, BEN, 1, "ben hur")
        assert (await told(tables, table.id))[-2:] == [
            "Driver 2 is now called Ben Hur.",
            "Ben Hur is now called ben hur.",
        ]
        with pytest.raises(BadOption) as refusal:
            await tables.making.open_lobby(
                "lacorsa", {"drivers": 3}, ["me", "me", "open"], ["Eva", "eva", "admin"], holder=ANA
            )
        assert len(refusal.value.faults) == 3


async def test_leaving_opens_the_place_and_passes_the_host_on(database: str) -> None:
    async with service(database) as tables:
        table = await full(tables)
        await tables.run(table.id, seats.leave, ANA, 0)
        assert table.host == BEN and open_places(table) == [0] and table.players[0].name == "Driver 1"
        assert (await told(tables, table.id))[-2:] == [
            "Ana leaves: driver 1 is open.",
            "Ben is now the host.",
        ]
        await tables.run(table.id, seats.claim, ANA, 0, "Ana")
        assert table.host == BEN and not table.players[0].ready
        await tables.run(table.id, seats.leave, ANA, 0)
        await tables.run(table.id, seats.leave, CLEO, 2)
        await tables.run(table.id, seats.leave, BEN, 1)
        assert table.host == BEN  # nobody is left: he may come back
        with pytest.raises(Forbidden):
            await tables.run(table.id, seats.leave, BEN, 1)


async def test_a_bot_takes_a_running_seat_and_gives_it_back(database: str) -> None:
    async with service(database) as tables:
        table = await played(tables)
        (seat,) = table.seats_of(1)
        await tables.run(table.id, hosting.set_bot, ANA, 3, None)
        with pytest.raises(Forbidden, match="two hands"):
            await tables.run(table.id, seats.claim, BEN, 3)
        await tables.run(table.id, hosting.set_bot, ANA, 1, LEVEL)
        assert (table.players[1].bot, table.players[1].holder, table.players[1].name) == (LEVEL, None, "Ben")
        with pytest.raises(Forbidden, match="does not belong to this browser"):
            await tables.submit(table.id, BEN, seat, "7", table.decision, "k")
        await tables.run(table.id, hosting.set_bot, ANA, 1, None)
        await tables.run(table.id, seats.claim, BEN, 1, "Ben")
        move = table.moves(1)[0][1][0][1]
        assert (await tables.submit(table.id, BEN, seat, move, table.decision, "k2")).status == "committed"
        with pytest.raises(BadOption, match="choose"):
            await tables.run(table.id, hosting.set_bot, ANA, 1, "genius")
        assert (await told(tables, table.id))[-4:] == [
            "The host opens driver 4.",
            "The host replaces Ben (driver 2) with a bot (Club).",
            "The host opens driver 2 for the person who had it before.",
            "Ben joins as driver 2.",
        ]


async def test_each_reader_gets_the_level_of_a_bot_in_their_language(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hosting, "levels", lambda title: [Level("works", "Werksteam", "")])
    async with service(database) as tables:
        table = await played(tables)
        before = language.set("de")
        await tables.run(table.id, hosting.set_bot, ANA, 1, "works")
        language.reset(before)
        assert (await told(tables, table.id))[-1] == "The host replaces Ben (driver 2) with a bot (Works)."
        before = language.set("de")
        assert "(Werksteam)" in (await told(tables, table.id))[-1]
        language.reset(before)


async def test_bots_play_on_where_a_bot_takes_a_seat(database: str) -> None:
    async with service(database) as tables:
        table = await played(tables)
        tables.start_bots()
        for player in (1, 2):
            await tables.run(table.id, hosting.set_bot, ANA, player, LEVEL)
        await tables.run(table.id, seats.leave, ANA, 0)
        with pytest.raises(Forbidden, match="a bot plays this seat to the end"):
            await tables.run(table.id, seats.claim, DAN, 0, "Dan")
        await tables.run(table.id, seats.claim, ANA, 0, "Ana")
        assert table.host == ANA  # nobody else sat there when she left
        await until(lambda: table.awaited() == [0])


async def test_nothing_of_the_last_owner_stays_with_a_seat(database: str) -> None:
    async with service(database) as tables:
        table = await played(tables)
        (seat,) = table.seats_of(1)
        await tables.run(table.id, alter, orders={seat: "anything"})
        secret = await tables.recovery(table.id, BEN, 1)
        await tables.run(table.id, seats.leave, BEN, 1)
        assert table.orders == {} and table.players[1].recovery is None
        with pytest.raises(Forbidden, match="used"):
            await tables.run(table.id, seats.recover, secret, BEN)
        await tables.run(table.id, seats.claim, DAN, 1, "Dan")
        for holder in (ANA, CLEO):
            await tables.run(table.id, claims.agree, holder, table.claims[0].number)
        stored = await tables.store.load(table.id)
        assert stored is not None and stored.orders == () and stored.players[1].holder == DAN
        assert table.game.names[1] == "Dan"


async def test_kicked_is_kicked(database: str) -> None:
    async with service(database) as tables:
        table = await lobby(tables)
        await tables.run(table.id, seats.claim, BEN, 1, "Ben")
        await tables.run(table.id, seats.claim, BEN, 2, "Bea")
        await tables.run(table.id, hosting.kick, ANA, 2)
        assert open_places(table) == [1, 2]
        with pytest.raises(Forbidden, match="removed you"):
            await tables.run(table.id, seats.claim, BEN, 1, "Ben")
        await tables.run(table.id, seats.claim, CLEO, 1, "Cleo")
        secret = await tables.recovery(table.id, CLEO, 1)
        with pytest.raises(Forbidden, match="removed you"):
            await tables.run(table.id, seats.recover, secret, BEN)
    async with service(database) as tables:
        with pytest.raises(Forbidden, match="removed you"):
            await tables.run(table.id, seats.claim, BEN, 2, "Ben")


async def test_muting_outlives_leaving(database: str) -> None:
    async with service(database) as tables:
        table = await lobby(tables)
        await tables.run(table.id, seats.claim, BEN, 1, "Ben")
        await tables.run(table.id, hosting.mute, ANA, 1)
        await tables.run(table.id, hosting.mute, ANA, 1)
        await tables.run(table.id, seats.leave, BEN, 1)
        await tables.run(table.id, seats.claim, BEN, 1, "Ben")
        assert table.players[1].muted
        await tables.run(table.id, hosting.mute, ANA, 1, False)
        assert not table.players[1].muted
        said = await told(tables, table.id)
        assert said.count("The host mutes Ben.") == 1 and said[-1] == "The host unmutes Ben."


async def test_a_recovery_link_moves_a_seat_once(database: str) -> None:
    async with service(database) as tables:
        table = await played(tables)
        old = await tables.recovery(table.id, ANA, 0)
        async with tables.streams.watch(table.id) as changed:
            secret = await tables.recovery(table.id, ANA, 0)
            assert not await changed(0.2)  # nobody else's business
        assert len(secret) == 43 and secret != old
        assert secret not in str(table.players) and secret not in str(await tables.store.load(table.id))
        with pytest.raises(Forbidden, match="replaced by a newer one"):
            await tables.run(table.id, seats.recover, old, DAN)
        seat, moves = table.moves(0)[0]
        await tables.submit(table.id, ANA, seat, moves[0][1], table.decision, "k")
    async with service(database) as tables:
        assert await tables.run(table.id, seats.recover, secret, DAN) == 0
        table = await tables.table(table.id)
        assert table.host == DAN and table.players_of(DAN) == [0] and table.players_of(ANA) == []
        assert table.pending == {seat: moves[0][0]}  # what was committed stands
        with pytest.raises(Forbidden, match="was used already"):
            await tables.run(table.id, seats.recover, secret, BEN)
        with pytest.raises(Forbidden, match="does not belong to this browser"):
            await tables.submit(table.id, ANA, seat, moves[0][1], table.decision, "k2")
        assert (await told(tables, table.id))[-1] == "Ana continues in another browser."


async def test_a_recovery_link_that_shows_two_hands_asks_first_and_tells_the_table(database: str) -> None:
    async with service(database) as tables:
        table = await played(tables)
        secret = await tables.recovery(table.id, ANA, 0)
        with pytest.raises(TwoHands, match=r"already plays Ben here.*two hands"):
            await tables.run(table.id, seats.recover, secret, BEN)
        assert table.players[0].holder == ANA and "another browser" not in str(await told(tables, table.id))
        assert await tables.run(table.id, seats.recover, secret, BEN, both=True) == 0
        assert table.players_of(BEN) == [0, 1] and table.host == BEN
        words = "Ana continues in the browser of Ben, which now sees the hands of both."
        assert (await told(tables, table.id))[-1] == words
        assert words in [line.text for line in talk.lines_for(await tables.table(table.id), None)]


async def test_a_recovery_link_that_shows_no_second_hand_does_not_ask(database: str) -> None:
    """In the lobby no cards are dealt, after the game all are open, and one's own seat is no second one."""
    async with service(database) as tables:
        table = await lobby(tables)
        await tables.run(table.id, seats.claim, BEN, 1, "Ben")
        await tables.run(table.id, seats.recover, await tables.recovery(table.id, BEN, 1), ANA)
        assert table.players_of(ANA) == [0, 1]
        table = await played(tables)
        await tables.run(table.id, seats.recover, await tables.recovery(table.id, BEN, 1), BEN)
        assert (await told(tables, table.id))[-1] == "Ben continues in another browser."
        secret = await tables.recovery(table.id, BEN, 1)
        await to_the_end(tables, table)
        assert await tables.run(table.id, seats.recover, secret, ANA) == 1


async def test_who_sits_down_later_pays_for_nobody_elses_time(database: str) -> None:
    runtime = CountedRuntime()
    async with service(database, runtime=runtime) as tables:
        table = await played(tables, clock="600+10")
        runtime.time += 100
        await tables.run(table.id, seats.leave, BEN, 1)
        assert table.players[1].bank_ms == 500_000
        runtime.time += 50
        await tables.run(table.id, seats.claim, DAN, 1, "Dan")
        for holder in (ANA, CLEO):
            await tables.run(table.id, claims.agree, holder, table.claims[0].number)
        assert tables.left(table)[1] == 500_000
        runtime.time += 7
        assert tables.left(table)[1] == 493_000


async def test_a_rematch_of_a_table_that_leaves_memory_meanwhile(database: str) -> None:
    async with service(database) as tables:
        table = await tables.making.create("lacorsa", {"drivers": 2, "races": 1}, ["me", "me"], holder=ANA)
        await to_the_end(tables, table)
    async with service(database, memory=1, runtime=CountedRuntime("u")) as tables:
        token = language.set("de")
        new = await tables.making.rematch(table.id, ANA)
        language.reset(token)
        assert new.rematch_of == table.id and (await tables.table(table.id)).rematch == new.id
        assert [p.name for p in new.players] == ["Gast 1", "Gast 2"]  # they were Driver 1 and Driver 2


async def test_a_rematch_moves_everybody_on_by_one(database: str) -> None:
    async with service(database) as tables:
        table = await played(tables, clock="6000+10", grace=60, listed=True)
        await to_the_end(tables, table)
        for command, *args in ((seats.claim, DAN, 1), (seats.rename, ANA, 0, "Eva"), (seats.leave, ANA, 0)):
            with pytest.raises(Forbidden, match="the game is over"):
                await tables.run(table.id, command, *args)
        with pytest.raises(Forbidden, match="only players of this table"):
            await tables.making.rematch(table.id, DAN)
        first, second = await asyncio.gather(
            tables.making.rematch(table.id, BEN), tables.making.rematch(table.id, CLEO)
        )
        assert first is second and table.rematch == first.id and first.rematch_of == table.id
        assert [(p.name, p.bot, p.holder) for p in first.players] == [
            ("Club 1", LEVEL, None),
            ("Ana", None, ANA),
            ("Ben", None, BEN),
            ("Cleo", None, CLEO),
        ]
        assert (first.phase, first.host, first.options) == ("lobby", ANA, table.options)
        assert first.terms == Terms(listed=True, clock="6000+10", grace=60)
        assert [p.bank_ms for p in first.players] == [6_000_000] * 4
        assert not any(p.ready or p.stand_in for p in first.players)
        for player, holder in ((1, ANA), (2, BEN), (3, CLEO)):
            await tables.run(first.id, seats.ready, holder, player)
        assert first.running
    async with service(database) as tables:
        assert (await tables.making.rematch(table.id, ANA)).id == first.id


async def test_listed_tables_are_those_that_wait_or_run(database: str) -> None:
    async with service(database) as tables:
        private = await lobby(tables)
        waiting = await lobby(tables, listed=True)
        closed = await lobby(tables, ["me", LEVEL, LEVEL, LEVEL], listed=True)
        running = await lobby(tables, ["me", LEVEL, LEVEL, LEVEL], listed=True)
        await tables.run(running.id, seats.ready, ANA, 0)
        found = {table.id for table in await tables.listed()}
        assert found == {waiting.id, running.id}
        assert private.id not in found and closed.id not in found
        assert len(await tables.listed(1)) <= 1


async def test_abandoned_tables_are_marked_and_revived(database: str) -> None:
    runtime = CountedRuntime()
    async with service(database, runtime=runtime) as tables:
        waiting, running = await lobby(tables, listed=True), await played(tables)
        hour = timedelta(hours=1)
        assert await tables.sweep(runtime.now() + 23 * hour, Abandon()) == []
        assert await tables.sweep(runtime.now() + 400 * hour, Abandon(None, None)) == []
        async with tables.streams.watch(waiting.id) as changed:
            assert await tables.sweep(runtime.now() + 25 * hour, Abandon()) == [waiting.id]
            assert await changed(PATIENCE_S)
        assert waiting.abandoned and await tables.listed() == []
        await tables.run(waiting.id, seats.claim, BEN, 1, "Ben")
        assert not waiting.abandoned and [table.id for table in await tables.listed()] == [waiting.id]
        assert sorted(await tables.sweep(runtime.now() + 800 * hour, Abandon())) == sorted(
            [waiting.id, running.id]
        )
        seat, moves = running.moves(0)[0]
        await tables.submit(running.id, ANA, seat, moves[0][1], running.decision, "k")
        assert not running.abandoned
    async with service(database) as tables:
        assert not (await tables.table(running.id)).abandoned
        assert (await tables.table(waiting.id)).abandoned


def test_what_abandoned_means_is_a_setting() -> None:
    assert Abandon.of(Settings()) == Abandon() == Abandon(timedelta(days=1), timedelta(days=30))
    some = Settings(abandon_lobby_hours=2, abandon_game_days=0)
    assert Abandon.of(some) == Abandon(timedelta(hours=2), None)


@pytest.mark.parametrize(
    "name",
    [
        "admin",
        "ADMIN",
        "4dm1n",
        "a d m i n",
        "Admin1",
        "Ádmin",
        "the admin",
        "ad.min",
        "аdmin",
        "MyPaddock",
        "h1tler",
    ],
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
        table = await lobby(one)
        twin = await other.table(table.id)
        await other.run(table.id, seats.claim, BEN, 1, "Ben")
        with pytest.raises(Forbidden, match="Ben already has that seat"):
            await one.run(table.id, seats.claim, CLEO, 1, "Cleo")
        await one.run(table.id, seats.claim, CLEO, 2, "Cleo")
        await one.run(table.id, seats.ready, ANA, 0)
        await other.run(table.id, seats.ready, BEN, 1)
        assert await one.run(table.id, seats.ready, CLEO, 2)
        seat, moves = table.moves(1)[0]
        answer = await other.submit(table.id, BEN, seat, moves[0][1], table.decision, "k")
        assert answer.status == "committed" and twin.phase == "play" and twin.game.log == table.game.log
