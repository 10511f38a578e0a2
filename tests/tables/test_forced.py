"""The only possible move is played by itself, with its reason; what would tell of a hand is asked."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

import paddock
from paddock.core.game import Game
from paddock.tables import Table, Tables, Terms, forced, undo
from tables import test_lessons
from tables.clockwork import HandRuntime, friends, play, quiet
from tables.harness import ANA, Monkeys, service

pytestmark = pytest.mark.anyio


def one_card(game: Game, seat: int) -> bool:
    return int(game.seen(1 << seat).state.cards[seat]) == 1


async def until_one_card(tables: Tables, runtime: HandRuntime, table: Table, seed: int = 3) -> None:
    """Play at random until a seat has one card and must decide."""
    choose = random.Random(seed)
    while not any(one_card(table.game, seat) for seat in table.awaited_seats()):
        seat = table.awaited_seats()[0]
        moves = dict(table.moves(table.options.owners[seat]))[seat]
        await play(tables, table, seat, choose.choice(moves)[1])


async def test_the_last_card_plays_by_itself_and_says_why(database: str) -> None:
    """LC-3.1 all see how many cards a hand has, so nobody waits for a choice of one."""
    runtime, choose, seen = HandRuntime(), random.Random(3), 0
    async with service(database, runtime=runtime) as tables:
        tables.start_bots()
        table = await friends(tables, 4, pace="human", races=2)
        while not table.game.over:
            seats = [seat for seat in table.awaited_seats() if forced.of(table, seat)]
            if not seats:
                seat = table.awaited_seats()[0]
                moves = dict(table.moves(table.options.owners[seat]))[seat]
                assert not (one_card(table.game, seat) and len(moves) == 1)
                await play(tables, table, seat, choose.choice(moves)[1])
                continue
            before, length = table.decision, len(table.game.log)
            only = forced.of(table, seats[0])
            assert only
            await runtime.let(tables, 20)
            made = [it for it in table.forced if it.seat == seats[0] and it.entry >= length]
            assert made and (made[0].move, made[0].entry) == (only.move, only.entry)
            assert str(only.sentence).endswith(": one card is left, so the only possible move is played.")
            if table.decision > before:
                entry = table.game.log[only.entry]
                assert (entry.by, entry.what) == (seats[0], only.move), "the entry that it was said for"
            seen += 1
        assert seen > 1


async def test_it_is_played_at_once_at_a_table_without_pauses(database: str) -> None:
    runtime = HandRuntime()
    async with service(database, runtime=runtime) as tables:
        table = await friends(tables, 4)
        await until_one_card(tables, runtime, table)
        seat = next(seat for seat in table.awaited_seats() if forced.of(table, seat))
        (_id, only, _label), decision = dict(table.moves(seat))[seat][0], table.decision
        slow, stalled = table.copy(), table.copy()
        slow.terms, stalled.stalled = replace(table.terms, pace="human"), "the bots stopped"
        assert [forced.at_once(one, seat) for one in (table, slow, stalled)] == [True, False, False]
        tables.start_bots()
        await quiet(tables)
        assert seat not in table.awaited_seats()
        holder = table.players[seat].holder
        for late, status in ((0, {"played", "duplicate"}), (1, {"late"})):  # pressed a moment too late
            answer = await tables.submit(table.id, holder, seat, only, decision - late, f"late{late}")
            assert answer.status in status


async def test_a_move_is_taken_back_with_the_forced_ones_after_it(database: str) -> None:
    """What played by itself is no choice of anybody: it does not stand between a player and the last move."""
    async with service(database, runtime=HandRuntime()) as tables:
        tables.start_bots()
        table = await tables.making.create(
            "great_race", {"players": 2}, ["me", "me"], holder=ANA, terms=Terms(pace="instant")
        )
        choose, log = random.Random(5), table.game.log
        while not (forced.last_chosen(table) < table.game.log.submission() and undo.possible(table, ANA)):
            await quiet(tables)
            seat = table.awaited_seats()[0]
            await play(tables, table, seat, choose.choice(dict(table.moves(seat))[seat])[1])
            await quiet(tables)
        at, log = forced.last_chosen(table), table.game.log
        mover, before = log[at].by, [it.entry for it in table.forced]
        await tables.run(table.id, undo.request, ANA)
        assert list(table.game.log) == list(log)[:at] and not table.undo, (
            "the move and what followed are gone"
        )
        assert before[-1] > at and all(it.entry < at for it in table.forced)
        assert table.awaited_seats() == [mover]


async def test_a_lesson_and_a_bot_play_for_themselves(database: str) -> None:
    async with service(database, bots=Monkeys()) as tables:
        for title in ("lacorsa", "rasant", "great_race"):
            lesson = await test_lessons.begin(tables, title)
            assert all(forced.of(lesson, seat) is None for seat in lesson.awaited_seats())
        table = await friends(tables, 1, bots=3)
        assert all(forced.of(table, seat) is None for seat in range(1, 4))


async def test_what_is_sent_too_late_is_told_apart(database: str) -> None:
    """Also by a server that did not see it happen; no decision that never was is an error."""
    async with service(database, runtime=HandRuntime()) as tables:
        tables.start_bots()
        table = await friends(tables, 4)
        choose, known = random.Random(3), False
        while not table.game.over:
            await quiet(tables)
            if table.game.over:
                break
            seat = table.awaited_seats()[0]
            moves = dict(table.moves(table.options.owners[seat]))[seat]
            await play(tables, table, seat, choose.choice(moves)[1])
        for decision in (-1, *range(len(table.game.log)), len(table.game.log), 10**9):
            game = table.game.at(decision) if 0 <= decision < len(table.game.log) else None
            for seat in range(4):
                only = game.only(seat) if game and seat in game.deciders else None
                move = str(table.title.text.move(table.game.setup, only[0])) if only else "7"
                assert forced.played(table, seat, move, decision) == (only is not None)
                known |= only is not None
        assert known


def forced_pass(me: int, *, first: bool) -> Game:
    """Return a game of Rasant that asks a seat for a forced pass: at first, or after another move of it."""
    for seed in range(1000):
        game, lots, own = paddock.start("rasant", players=4, seed=seed), random.Random(seed), 0
        while not game.over and not own > 3:
            seat, legal = game.deciders[0], list(game.legal(game.deciders[0]))
            if seat == me and list(map(str, legal)) == ["pass"]:
                if first == (own == 0):
                    return game
                break
            game.play(seat, lots.choice(legal))
            own += seat == me
    raise AssertionError("no forced pass")


async def test_a_game_against_bots_never_begins_with_a_forced_pass(database: str) -> None:
    """Nobody is there who could learn something of the hand; later, and among people, it is asked."""
    async with service(database, runtime=HandRuntime()) as tables:
        made = [
            await tables.making.create("rasant", {"players": 4}, who, holder=ANA, terms=Terms(pace="instant"))
            for who in (["rookie", "rookie", "rookie", "me"], ["me", "rookie", "rookie", "me"])
        ]
        alone, friends = [table.copy() for table in made]
        alone.game = friends.game = forced_pass(3, first=True)
        assert forced.of(friends, 3) is None
        only = forced.of(alone, 3)
        assert only and forced.at_once(alone, 3)
        assert str(only.sentence).endswith(": nothing else is possible, so the only possible move is played.")
        alone.forced = (only,)
        assert forced.told(alone, [3]) == (only,) and forced.told(alone, []) == (), (
            "it is of the hand (RA-3.10)"
        )
        alone.game = forced_pass(3, first=False)
        assert forced.of(alone, 3) is None
