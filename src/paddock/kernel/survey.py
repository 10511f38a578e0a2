"""A compiled entry point for studies: plays games of bots, and measures each of them while it runs.

Like entries.py, this source runs with the title's functions and the loops among its globals. A game is
divided into PARTS parts with the same number of decisions, so that games of different length can be compared.
"""

# mypy: disable-error-code="name-defined,no-any-return"
# ruff: noqa: F821

from __future__ import annotations

from typing import Any

from paddock.core.words import CHANCE
from paddock.kernel.events import TELL
from paddock.kernel.mode import rule

PARTS = 20
# What is counted in a game: decisions; those with a single legal move; legal moves of all decisions; how
# often the lead changed hands; after how many decisions it did so last, or was first taken
DECISIONS, FORCED, MOVES, CHANGES, LAST = range(5)
NUMBERS = 5
DEALS, CHOICES = range(2)  # the seeds


@rule
def how_far(s: Any, g: Any, out: Any) -> int:
    """Write how far ahead every seat is; return 0 as long as nobody can be ahead.

    A title without ``standing`` is judged by its scores.
    """
    there = standing(s, g, out)
    if there < 0:
        scores(s, g, out)
    return there


@rule
def in_front(far: Any, seats: int) -> int:
    """Return 1 + the seat that is ahead of all others, or 0."""
    best = 0
    alone = 1
    for seat in range(1, seats):
        if far[seat] > far[best]:
            best = seat
            alone = 1
        elif far[seat] == far[best]:
            alone = 0
    return (best + 1) * alone


@rule
def line_up(far: Any, seats: int, out: Any) -> None:
    """Write the place of every seat, from 1; all 0 if two are equally far ahead."""
    for seat in range(seats):
        place = 1
        for other in range(seats):
            if far[other] > far[seat]:
                place += 1
            elif far[other] == far[seat] and other != seat:
                out[:seats] = 0
                return
        out[seat] = place


@rule
def survey(
    ss: Any,
    gg: Any,
    thirds: Any,
    eyes: Any,
    seeds: Any,
    first: int,
    repeats: int,
    rng: Any,
    out: Any,
    far: Any,
    moves_by: Any,
    leader_by: Any,
    scores_: Any,
    places_: Any,
    told: Any,
    numbers: Any,
    turns: Any,
    grid: Any,
    leaders: Any,
    moves: Any,
) -> None:
    """Play the deals ``first``, ``first + 1``, …, each ``repeats`` times in a row, and measure the games.

    What chance decides before the first decision comes from stream ``deal`` of ``seeds[DEALS]``; all that
    follows, choices included, from stream ``deal · repeats + repeat`` of ``seeds[CHOICES]``. ``thirds`` is as
    in ``contest``, by game and seat. ``ss`` has two states; ``far``, ``moves_by`` and ``leader_by`` are
    buffers: numbers by seat, and for each decision.

    By game, writes scores and places by seat; how often each event was told, by code; the ``numbers`` above;
    the order in which the seats first decided (``turns``, from 1); the places in the first standing
    (``grid``; 0 if two were level); the ``leaders`` (1 + seat) at the start and after every part; and the
    legal moves and the decisions of every part (``moves``).
    """
    s, g = ss[1], gg[0]
    seats = eyes.shape[0]
    for i in range(numbers.shape[0]):
        deal = first + i // repeats
        stream(seeds[DEALS], deal, rng)
        if TELL:
            s.n_events = 0
        start(s, g)
        made = 0
        decided = 0
        leader = 0
        stood = 0
        leader_by[0] = 0
        waiting = who(s, g)
        while waiting:
            if waiting >> CHANCE:
                run_chance(s, g, rng)
            else:
                if made == 0:
                    stream(seeds[CHOICES], deal * repeats + i % repeats, rng)
                seat = first_of(waiting)
                if turns[i, seat] == 0:
                    decided += 1
                    turns[i, seat] = decided
                n = legal(s, g, seat, out)
                if n == 1:
                    move = out[0]
                    numbers[i, FORCED] += 1
                elif asks_policy(thirds[i, seat], rng):
                    ss[0] = ss[1]
                    hide(ss[0], g, eyes[seat])
                    move = policy(ss[0], g, seat, out, n, rng)
                else:
                    move = out[below(rng, n)]
                apply(s, g, seat, move)
                numbers[i, MOVES] += n
                moves_by[made] = n
                made += 1
            if TELL:
                for event in range(s.n_events):
                    told[i, s.event[event, 0]] += 1
                s.n_events = 0
            if how_far(s, g, far):
                if stood == 0:
                    stood = 1
                    line_up(far, seats, grid[i])
                now = in_front(far, seats)
                if now and now != leader:
                    if leader:
                        numbers[i, CHANGES] += 1
                    numbers[i, LAST] = made
                    leader = now
            leader_by[made] = leader
            waiting = who(s, g)
        numbers[i, DECISIONS] = made
        for tick in range(PARTS + 1):
            leaders[i, tick] = leader_by[tick * made // PARTS]
        for decision in range(made):
            k = decision * PARTS // made
            moves[i, k, 0] += moves_by[decision]
            moves[i, k, 1] += 1
        scores(s, g, scores_[i])
        places(s, g, places_[i])
