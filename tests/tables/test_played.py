"""Which decisions of a game its people made: from the log and from what people have sent."""

from __future__ import annotations

import random

import pytest

import paddock
from paddock.core.errors import PaddockError
from paddock.core.game import Game
from paddock.core.words import CHANCE
from paddock.store.rows import LogRow
from paddock.tables.fold import UNDO
from paddock.tables.played import Played, played


def race(seed: int = 3) -> tuple[Game, list[LogRow], set[tuple[int, int]]]:
    """A race at random, the rows of its log, and an answer to each decision."""
    game, choose = paddock.start("lacorsa", drivers=4, races=1, seed=seed), random.Random(seed)
    decision, rows, sent = 0, list[LogRow](), set[tuple[int, int]]()
    while not game.over:
        start = len(game.log)
        for seat in game.deciders:
            game.play(seat, choose.choice(game.legal(seat).ids))
            sent.add((seat, decision))
        rows += [LogRow(entry.by, entry.what, decision) for entry in game.log[len(rows) :]]
        assert len(game.log) > start
        decision = len(rows)
    return game, rows, sent


def test_who_sent_everything_has_played_and_who_sent_nothing_has_left() -> None:
    game, rows, sent = race()
    everything, nothing = played(game, rows, sent), played(game, rows, ())
    assert all(part.counts and not part.left and part.made == part.asked > 0 for part in everything)
    assert nothing == [Played(part.asked, 0, left=True) for part in everything]
    assert not any(part.counts for part in nothing)


def test_moves_without_a_choice_are_no_decisions() -> None:
    game, rows, sent = race()
    position, choices = game.at(0), [set[int]() for _player in range(4)]
    for entry, row in zip(game.log, rows, strict=True):
        if entry.by != CHANCE and len(position.legal(entry.by)) > 1:
            choices[entry.by].add(row.decision)
        position.append(entry)
    found = played(game, rows, sent)
    assert [part.asked for part in found] == [len(some) for some in choices]
    assert sum(part.asked for part in found) < len({(row.by, row.decision) for row in rows if row.by >= 0})
    free = {(seat, decision) for seat, some in enumerate(choices) for decision in some}
    assert played(game, rows, free) == found, "nobody must answer them"


def test_a_chain_is_one_decision_however_it_was_sent() -> None:
    """Whole, link by link, or its first link only: the rest of it was then a bot's."""
    options, choose = {"drivers": 4, "large_grid": True, "pit_draw": "choose"}, random.Random(5)
    game = paddock.start("lacorsa", seed=5, **options)
    while not (len(game.deciders) == 1 and "pit" in game.legal(game.deciders[0])):
        seat = game.deciders[0]
        game.play(seat, choose.choice(game.legal(seat).ids))
    (seat,), start = game.deciders, len(game.log)
    assert start and not game.over
    rows = [LogRow(entry.by, entry.what, 0) for entry in game.log]
    before = played(game, rows, ())[seat].asked
    pit = game.legal(seat).ids[[*map(str, game.legal(seat))].index("pit")]
    game.play(seat, pit)
    game.play(seat, game.legal(seat).ids[0])
    moves = [LogRow(entry.by, entry.what, start) for entry in game.log[start:]]
    assert [row.by for row in moves[:2]] == [seat, seat]
    apart = [moves[0], *(row._replace(decision=start + 1) for row in moves[1:])]
    for chain, sent, made in (
        (moves, {(seat, start)}, 1),
        (apart, {(seat, start), (seat, start + 1)}, 1),
        (apart, {(seat, start)}, 0),
        (apart, (), 0),
    ):
        part = played(game, [*rows, *chain], sent)[seat]
        assert (part.asked, part.made, part.left) == (before + 1, made, not made)


def test_most_are_more_than_half_and_the_last_says_who_left() -> None:
    game, rows, sent = race()
    asked = played(game, rows, sent)[0].asked
    ordered = sorted(decision for seat, decision in sent if seat == 0)
    made = [
        played(game, rows, {(0, decision) for decision in ordered[:n]})[0] for n in range(len(ordered) + 1)
    ]
    assert [part.counts for part in made] == [2 * part.made > asked for part in made]
    assert made[0].left and not made[-1].left and made[len(ordered) // 2].left
    back = played(game, rows, {(0, decision) for decision in ordered[-3:]})[0]
    assert not back.left and not back.counts
    assert not Played().counts and not Played(2, 1).counts and Played(3, 2).counts


def test_decisions_that_were_undone_are_left_out() -> None:
    game, rows, sent = race()
    starts = sorted({row.decision for row in rows})
    back, end = starts[3], starts[6]  # three decisions were undone, and made again
    shift = end + 1 - back
    again = [row._replace(decision=row.decision + shift) for row in rows[back:]]
    twice = [*rows[:end], LogRow(UNDO, back, end), *again]
    before = {(seat, decision) for seat, decision in sent if decision < back}
    after = {(seat, decision + shift) for seat, decision in sent if decision >= back}
    undone = {(seat, decision) for seat, decision in sent if back <= decision < end}
    assert played(game, twice, before | after) == played(game, rows, sent)
    assert played(game, twice, before | undone) == played(game, rows, before)


def test_rows_of_another_log_are_refused() -> None:
    game, rows, sent = race()
    with pytest.raises(PaddockError, match="missing"):
        played(game, rows[:-1], sent)
