"""Undo: by consent, not past a reveal or a draw of chance; the log only grows."""

from __future__ import annotations

import random
from datetime import timedelta

import pytest
from sqlalchemy import update

from paddock import records
from paddock.core.words import CHANCE
from paddock.kernel.source import Seeded
from paddock.store.schema import events
from paddock.tables import Forbidden, Table, Tables, autoplay, moves, seats, talk, undo
from paddock.tables.fold import UNDO
from paddock.tables.hosting import Abandon
from store.databases import execute
from tables.clockwork import CAT, PATIENCE_S, HandRuntime, friends, play, play_on, road, said
from tables.harness import ANA, BEN, alter, facts, service

pytestmark = pytest.mark.anyio


async def alone(tables: Tables, browsers: int = 4, bots: int = 0, **agreed: object) -> tuple[Table, int]:
    """Return a table where one car just decided alone, without chance after it, and its player."""
    table = await friends(tables, browsers, bots, **agreed)
    choose = random.Random(2)
    while True:
        if road(table):
            seat = table.game.deciders[0]
            await play(tables, table, seat)
            if not table.game.over and table.game.log[-1].by == seat:
                return table, table.options.owners[seat]
        else:
            await play(tables, table, choose.choice(table.awaited_seats()))


def holders(table: Table, *but: int) -> list[str | None]:
    return [p.holder for p in table.players if p.person and p.index not in but]


async def test_a_move_is_taken_back_when_all_agree(database: str) -> None:
    runtime = HandRuntime()
    async with service(database, Seeded(7), runtime) as tables:
        table, player = await alone(tables)
        before = table.at(len(table.game.log) - 1)
        decision, length = table.decision, len(table.game.log)
        asker = table.players[player].holder
        async with tables.streams.watch(table.id) as changed:
            assert await tables.run(table.id, undo.request, asker) == "asked"
            assert await changed(PATIENCE_S)
        assert table.undo and undo.awaited_consents(table, table.undo) == [p for p in range(4) if p != player]
        others = holders(table, player)
        for holder in others[:-1]:
            assert await tables.run(table.id, undo.agree, holder) == "agreed"
        assert len(table.game.log) == length, "not before the last consent"
        assert await tables.run(table.id, undo.agree, others[-1]) == "undone"
        assert table.game.log == before.log and table.game.position == before.position
        assert table.game.events == before.events and table.undo is None
        assert table.decision == decision + 1, "a late click is known as one"
        assert table.awaited() == [player]
        name = table.players[player].name
        assert await said(tables, table) == [
            f"{name} asks to take the last move back.",
            f"{name} took back the last move.",
        ]
        late = await tables.submit(table.id, asker, before.deciders[0], "7", decision, "late")
        assert late.status == "late"
        # It goes on, and what is stored is the whole history.
        await play_on(tables, table, lambda: table.game.over)
        stored = await tables.store.load(table.id)
        assert stored and [row.seq for row in stored.events] == list(range(table.rows))
        assert [row.what for row in stored.events if row.by == UNDO] == [length - 1]
        record = records.read(await tables.record(table.id))
        assert record.game().log == table.game.log
        stands = facts(table)
    async with service(database, Seeded(7), runtime) as tables:
        again = await tables.table(table.id)
        assert again.frozen is None and facts(again) == stands and again.decision == table.decision


async def test_among_bots_a_move_is_taken_back_at_once(database: str) -> None:
    runtime = HandRuntime()
    async with service(database, Seeded(7), runtime) as tables:
        tables.start_bots()
        table = await friends(tables, 1, 3, pace="human", races=3)
        choose = random.Random(2)
        while True:
            while 0 not in table.awaited_seats():
                await runtime.let(tables, 2)
            moves = dict(table.moves(0))[0]
            lonely = road(table)
            await play(tables, table, 0, choose.choice(moves)[1])
            if lonely and table.game.log[-1].by == 0:
                break
        length, rows = len(table.game.log), table.rows
        assert await tables.run(table.id, undo.request, ANA) == "undone"
        assert (len(table.game.log), table.rows) == (length - 1, rows + 1)
        await play(tables, table, 0, moves[-1][1])
        await runtime.let(tables, 10)
        assert table.rows > rows + 2, "the bots go on"
        stands = facts(table)
    async with service(database, Seeded(7), runtime) as tables:
        again = await tables.table(table.id)
        assert facts(again) == stands and again.rows == table.rows


async def test_one_no_is_enough_and_who_asks_can_withdraw(database: str) -> None:
    async with service(database) as tables:
        table, player = await alone(tables)
        asker, (other, *_) = table.players[player].holder, holders(table, player)
        stands = facts(table)
        for who in (other, asker):
            await tables.run(table.id, undo.request, asker)
            with pytest.raises(Forbidden, match="already"):
                await tables.run(table.id, undo.request, asker)
            await tables.run(table.id, undo.refuse, who)
            assert table.undo is None and facts(table) == stands
            for command in (undo.agree, undo.refuse):
                with pytest.raises(Forbidden, match="out of date"):
                    await tables.run(table.id, command, other)
        assert (await said(tables, table))[1].endswith("declined the undo request.")


async def test_a_request_lapses_when_the_game_goes_on(database: str) -> None:
    async with service(database) as tables:
        table, player = await alone(tables)
        asker, others = table.players[player].holder, holders(table, player)
        await tables.run(table.id, undo.request, asker)
        rows = table.rows
        await play_on(tables, table, lambda: table.rows > rows)
        assert table.undo is None
        with pytest.raises(Forbidden, match="moved on"):
            await tables.run(table.id, undo.agree, others[0])


async def test_nothing_is_taken_back_past_the_barrier(database: str) -> None:
    """After a deal, a reveal, the end or another's move, undo is refused and nothing changes."""
    async with service(database) as tables:
        table = await friends(tables, 4, races=2)
        reasons: dict[str, int] = {}
        choose = random.Random(4)
        while not table.game.over:
            last = table.game.log[-1]
            stored = await tables.store.load(table.id)
            assert stored
            alone_ = last.by != CHANCE and stored.events[-1].decision == stored.events[-1].seq
            for player in range(4):
                may = alone_ and table.options.owners[last.by] == player
                assert undo.possible(table, table.players[player].holder) == may
                if not may:
                    with pytest.raises(Forbidden) as refusal:
                        await tables.run(table.id, undo.request, table.players[player].holder)
                    reasons[str(refusal.value)] = reasons.get(str(refusal.value), 0) + 1
            seat = choose.choice(table.awaited_seats())
            await play(tables, table, seat)
        assert len(reasons) == 3 and min(reasons.values()) > 2
        with pytest.raises(Forbidden, match="cannot be taken back"):
            await tables.run(table.id, undo.request, ANA)


async def test_strangers_have_no_say(database: str) -> None:
    async with service(database) as tables:
        table, player = await alone(tables)
        for stranger in (None, "e" * 64):
            assert not undo.possible(table, stranger)
            with pytest.raises(Forbidden):
                await tables.run(table.id, undo.request, stranger)
        await tables.run(table.id, undo.request, table.players[player].holder)
        for stranger in (None, "e" * 64):
            for command in (undo.agree, undo.refuse):
                with pytest.raises(Forbidden, match="only players of this table"):
                    await tables.run(table.id, command, stranger)
        assert table.undo


async def test_bots_agree_and_so_does_who_is_away(database: str) -> None:
    runtime = HandRuntime()
    async with service(database, runtime=runtime) as tables:
        table, player = await alone(tables, 2, 0, grace=30)
        other = 1 - player
        await tables.run(table.id, alter, {other: {"stand_in": True}})
        length = len(table.game.log)
        assert await tables.run(table.id, undo.request, table.players[player].holder) == "undone"
        assert len(table.game.log) == length - 1


@pytest.mark.parametrize("bots", [False, True])
async def test_a_request_waits_for_nobody_who_has_left(database: str, bots: bool) -> None:
    """The move is taken back when the last who has not agreed leaves, also where bots wait for an answer."""
    runtime = HandRuntime()
    async with service(database, runtime=runtime) as tables:
        tables.start_bots()
        table, player = await alone(tables, pace="human")
        before, decision = table.at(len(table.game.log) - 1), table.decision
        first, second, last = sorted({*range(4)} - {player}, key=lambda p: p not in table.awaited())
        await tables.run(table.id, undo.request, table.players[player].holder)
        await tables.run(table.id, undo.agree, table.players[second].holder)
        if bots:
            await play(tables, table, second)
            await tables.run(table.id, alter, {first: {"bot": "club"}})
            assert table.awaited() == [first], "its move ends the decision"
            await runtime.let(tables, 5)
        else:
            await tables.run(table.id, undo.agree, table.players[first].holder)
        assert table.undo and table.decision == decision
        await tables.run(table.id, seats.leave, table.players[last].holder, last)
        await runtime.let(tables, 1)
        assert table.undo is None and table.game.log == before.log and table.awaited() == [player]
        assert (await said(tables, table))[-1].endswith(" took back the last move.")


async def test_bots_wait_for_the_answer_but_not_for_ever(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(autoplay, "LOOK", 5.0)  # each look costs the test a while
    runtime = HandRuntime()
    async with service(database, runtime=runtime) as tables:
        table, player = await alone(tables, 3, 0, pace="human", drivers=3)
        # The bots of this table stand in for the two others' awaited ones from here on.
        asker = table.players[player].holder
        await tables.run(table.id, undo.request, asker)
        awaited = table.awaited()
        await tables.run(table.id, alter, {p: {"bot": "club"} for p in awaited})
        rows, pending = table.rows, dict(table.pending)
        tables.start_bots()
        await runtime.let(tables, 55)
        assert table.undo and (table.rows, table.pending) == (rows, pending)
        await runtime.let(tables, 60)
        assert table.rows > rows or table.pending != pending


async def test_commitments_made_meanwhile_are_gone_with_the_move(database: str) -> None:
    async with service(database) as tables:
        while True:
            table, player = await alone(tables)
            if len(table.game.deciders) > 1:
                break
        first = table.game.deciders[0]
        await play(tables, table, first)
        assert list(table.pending) == [first]
        asker = table.players[player].holder
        await tables.run(table.id, undo.request, asker)
        for holder in holders(table, player):
            await tables.run(table.id, undo.agree, holder)
        assert table.pending == {} and table.awaited() == [player]
        stored = await tables.store.load(table.id)
        assert stored and stored.pending == () and stored.undo is None


async def test_a_request_is_durable(database: str) -> None:
    runtime = HandRuntime()
    async with service(database, Seeded(7), runtime) as tables:
        table, player = await alone(tables)
        others = holders(table, player)
        await tables.run(table.id, undo.request, table.players[player].holder)
        await tables.run(table.id, undo.agree, others[0])
        await tables.run(table.id, talk.say, others[1], table.players_of(others[1])[0], "Why?")
    async with service(database, Seeded(7), runtime) as tables:
        again = await tables.table(table.id)
        assert again.undo == table.undo is not None
        await tables.run(table.id, undo.agree, others[1])
        assert await tables.run(table.id, undo.agree, others[2]) == "undone"


async def test_an_undo_that_is_not_what_was_stored_freezes(database: str) -> None:
    async with service(database, Seeded(7)) as tables:
        table, player = await alone(tables)
        length = len(table.game.log)
        await tables.run(table.id, undo.request, table.players[player].holder)
        for holder in holders(table, player):
            await tables.run(table.id, undo.agree, holder)
        await execute(tables.store, update(events).where(events.c.by == UNDO).values(what=60))
    async with service(database, Seeded(7)) as tables:
        again = await tables.table(table.id)
        assert again.frozen and "cannot go on" in again.frozen
        assert len(again.game.log) == length, "as it was before the undo"


async def test_since_a_persons_last_look(database: str) -> None:
    async with service(database, Seeded(7)) as tables:
        table, player = await alone(tables)
        told = len(table.game.events)
        holder = table.players[player].holder
        await tables.run(table.id, moves.read, holder, player)
        assert table.since(player) == told
        rows = table.rows
        await play_on(tables, table, lambda: table.rows > rows)
        assert table.since(player) == told < len(table.game.events)
        with pytest.raises(Forbidden):
            await tables.run(table.id, moves.read, "e" * 64, player)
        with pytest.raises(Forbidden):
            await tables.run(table.id, moves.read, holder, (player + 1) % 4)
        reads = [p.read_up_to for p in table.players]
    async with service(database, Seeded(7)) as tables:
        again = await tables.table(table.id)
        assert [p.read_up_to for p in again.players] == reads
        assert again.since(player) == table.since(player)
        assert again.since((player + 1) % 4) <= len(again.game.events)


async def test_the_first_move_after_a_look_is_news(database: str) -> None:
    async with service(database, Seeded(7)) as tables:
        table = await friends(tables, 4)
        await play_on(tables, table, lambda: road(table))
        await tables.run(table.id, moves.read, ANA, 0)
        told, length = len(table.game.events), len(table.game.log)
        await play(tables, table, table.game.deciders[0])
        assert table.events_for(0)[told].entry == length
        assert table.since(0) == told


async def test_who_asks_and_what_is_taken_back_wake_an_abandoned_table(database: str) -> None:
    async with service(database) as tables:
        table, player = await alone(tables)
        later = tables.runtime.now() + timedelta(days=31)
        assert await tables.sweep(later, Abandon()) == [table.id] and table.abandoned
        assert await tables.run(table.id, undo.request, table.players[player].holder) == "asked"
        assert not table.abandoned
        assert await tables.sweep(later, Abandon()) == [table.id] and table.abandoned
        for holder in holders(table, player):
            await tables.run(table.id, undo.agree, holder)
        assert not table.abandoned


async def test_what_is_taken_back_is_news_again(database: str) -> None:
    async with service(database) as tables:
        table, player = await alone(tables)
        holder = table.players[player].holder
        await tables.run(table.id, moves.read, holder, player)
        assert table.since(player) == len(table.game.events)
        await tables.run(table.id, undo.request, holder)
        for other in holders(table, player):
            await tables.run(table.id, undo.agree, other)
        assert table.players[player].read_up_to == len(table.game.log)
        await play(tables, table, table.game.deciders[0])
        assert table.since((player + 1) % 4) < len(table.game.events)
        assert {ANA, BEN, CAT} <= set(holders(table))
