"""A log is stored by decision; the last row of a decision has the hash of the position after it."""

from __future__ import annotations

import itertools
import random
from functools import cache
from itertools import groupby

import pytest

import paddock
from paddock.core.errors import PaddockError
from paddock.core.game import Game, digest_of
from paddock.core.log import Entry
from paddock.core.words import CHANCE
from paddock.kernel.source import Seeded
from paddock.store import EventRow
from paddock.tables.fold import UNDO, BrokenLog, begin, decision_start, digest, fold, hash_prefix, undo_to
from sampling import count
from titles import RULES, random_options

PITS = {"drivers": 4, "races": 1, "large_grid": True, "pit_draw": "choose"}


def head_of(game: Game) -> str:
    return hash_prefix(game.title.name, game.title.revision, game.options.short)


@cache
def games() -> list[Game]:
    """Return finished games with some chains."""
    found = []
    for seed, title in itertools.product(range(count(4, 6)), RULES):
        if title.name != "great_race" or seed < count(1, 6):  # its games are long
            choose = random.Random(seed)
            chains = title.name == "lacorsa" and seed % 2
            options = title.options.read(PITS) if chains else random_options(title, choose)
            game = Game(title, options, Seeded(seed))
            while not game.over:
                seat = choose.choice(game.deciders)
                links = [choose.choice(game.legal(seat).ids)]
                if chains and "pit" in game.legal(seat):
                    links = [title.text.parse_move(game.setup, "pit").id]
                ahead = game.seen(1 << seat).preview(links, seat)
                while not ahead.ended and choose.random() < 0.6:
                    links.append(choose.choice(ahead.legal))
                    ahead = game.seen(1 << seat).preview(links, seat)
                game.play(seat, links)
            found.append(game)
    return found


def test_every_decision_ends_in_a_digest() -> None:
    linked = 0
    for game in games():
        again, rows = begin(game.title, game.options, game.names, game.log, None)
        assert again == game and [row.seq for row in rows] == list(range(len(game.log)))
        head = head_of(game)
        for decision, group in groupby(rows, lambda row: row.decision):
            *more, last = group
            assert [row.digest for row in more] == [0] * len(more)
            first = (*more, last)[0]
            before, after = game.at(decision), game.at(last.seq + 1)
            assert first.seq == decision and not first.linked
            assert last.digest == digest(after, head)
            assert (last.digest == digest_of(after.position)) == (not game.options.data)
            moves = [row for row in (*more, last) if row.by != CHANCE]
            assert {row.by for row in moves} == set(before.deciders)
            assert len(moves) == len(before.deciders) + sum(row.linked for row in moves)
            assert moves == [*more, last][: len(moves)], "chance comes after the moves"
            assert not after.chance_due
            linked += sum(row.linked for row in moves)
    assert linked > 2


def test_where_a_decision_begins_is_found_backwards() -> None:
    for game in games():
        _again, rows = begin(game.title, game.options, game.names, game.log, None)
        for at in range(0, len(rows), 3):
            if rows[at].by != CHANCE:
                assert decision_start(game, at) == rows[at].decision


def test_what_was_stored_folds_to_the_same_game() -> None:
    for game in games():
        _again, rows = begin(game.title, game.options, game.names, game.log, None)
        twin = Game(game.title, game.options, None, game.names)
        fold(twin, rows, head_of(game))
        assert twin == game and twin.events == game.events


def test_the_digest_names_the_rules_that_the_table_was_made_with() -> None:
    game = games()[0]
    old = hash_prefix(game.title.name, 1, "drivers=4")
    assert old == "lacorsa/1 drivers=4" and digest(game, old) == digest_of(f"{old} {game.position_words}")
    _again, rows = begin(game.title, game.options, game.names, game.log, None)
    with pytest.raises(BrokenLog, match="the stored position") as found:
        fold(Game(game.title, game.options), rows, old)
    assert found.value.rows == 0 and found.value.game.log == []


def two_races() -> tuple[Game, list[EventRow]]:
    game, choose = paddock.start("lacorsa", seed=4, drivers=2, races=2), random.Random(4)
    while not game.over:
        seat = choose.choice(game.deciders)
        game.play(seat, choose.choice(game.legal(seat).ids))
    return game, begin(game.title, game.options, game.names, game.log, None)[1]


@pytest.mark.parametrize("where", [0, 40, 53, 60, 90, 140])
def test_a_wrong_row_leaves_the_last_sound_position(where: int) -> None:
    """A changed but legal move is found by the hash at the end of its decision, at the latest."""
    game, rows = two_races()
    twin = game.at(where)
    legal = twin.outcomes() if twin.chance_due else twin.legal(rows[where].by).ids
    other = next(what for what in legal if what != rows[where].what)
    bad = [*rows]
    bad[where] = EventRow(where, rows[where].by, other, rows[where].decision, rows[where].digest)
    twin = Game(game.title, game.options, None, game.names)
    with pytest.raises(BrokenLog) as found:
        fold(twin, bad, head_of(game))
    assert found.value.rows == rows[where].decision == len(found.value.game.log)
    assert found.value.game == game.at(rows[where].decision)


@pytest.mark.parametrize("gone", [0, 60])
def test_a_row_that_is_missing_is_named(gone: int) -> None:
    game, rows = two_races()
    twin = Game(game.title, game.options, None, game.names)
    with pytest.raises(BrokenLog, match=f"entry {gone + 1} is missing"):
        fold(twin, rows[:gone] + rows[gone + 1 :], head_of(game))


def test_the_end_of_a_decision_is_missed() -> None:
    game, rows = two_races()
    for length in range(1, 70):
        twin = Game(game.title, game.options, None, game.names)
        if length == rows[length].decision:
            fold(twin, rows[:length], head_of(game))
        else:
            with pytest.raises(BrokenLog, match="the end of a decision is missing") as found:
                fold(twin, rows[:length], head_of(game))
            assert found.value.rows == rows[length].decision


def test_older_tables_have_a_digest_in_every_row() -> None:
    game, rows = two_races()
    head = head_of(game)
    full = [
        EventRow(row.seq, row.by, row.what, row.decision, digest(game.at(row.seq + 1), head))
        for row in rows[:80]
    ]
    twin = Game(game.title, game.options, None, game.names)
    fold(twin, full, head)
    assert twin == game.at(80)
    with pytest.raises(BrokenLog) as found:
        fold(Game(game.title, game.options), [*full[:20], *rows[21:]], head)
    assert found.value.rows == 20, "each of them is checked"


def test_only_whole_submissions_are_taken_back() -> None:
    game = next(game for game in games() if any(entry.linked for entry in game.log))
    length = len(game.log)
    for at, entry in enumerate(game.log):
        twin = game.fork()
        if entry.by == CHANCE or entry.linked:
            with pytest.raises(PaddockError, match="in the middle of a decision"):
                undo_to(twin, at)
            assert twin == game
        elif at > length - 12:
            undo_to(twin, at)
            assert twin == game.at(at)
    for nothing in (-1, length, length + 1):
        with pytest.raises(PaddockError, match="nothing to undo"):
            undo_to(game, nothing)


def test_a_wrong_undo_leaves_what_was_before_it() -> None:
    game, rows = two_races()
    head = head_of(game)
    moves = [row for row in rows if row.by != CHANCE and row.decision == row.seq and row.digest][:20]
    last = moves[-1]
    stored = rows[: last.seq + 1]
    back = EventRow(len(stored), UNDO, last.seq, len(stored), digest(game.at(last.seq), head))
    twin = Game(game.title, game.options, None, game.names)
    fold(twin, [*stored, back], head)
    assert twin == game.at(last.seq)
    for what, bits in ((last.seq, back.digest + 1), (3, back.digest), (moves[-2].seq, back.digest)):
        wrong = EventRow(back.seq, UNDO, what, back.decision, bits)
        with pytest.raises(BrokenLog) as found:
            fold(Game(game.title, game.options, None, game.names), [*stored, wrong], head)
        assert found.value.game == game.at(last.seq + 1) and found.value.rows == len(stored)


def test_a_beginning_that_cannot_be() -> None:
    title = paddock.title("lacorsa")
    options = title.options.read({"drivers": 2, "races": 1})
    with pytest.raises(PaddockError, match="the game waits for chance"):
        begin(title, options, (), [Entry(0, 7)], None)
    assert begin(title, options, (), [], None)[1] == []
