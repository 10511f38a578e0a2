"""A compiled entry point for studies: plays games of bots, and measures each of them while it runs.

Like entries.py, this source runs with the title's functions and the loops among its globals. A game is
divided into PARTS parts with the same number of decisions, so that games of different length can be compared.
"""

# ruff: noqa: F403, F405

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from paddock.core.words import CHANCE
from paddock.kernel.calls import Survey
from paddock.kernel.chance import below, stream
from paddock.kernel.events import TELL
from paddock.kernel.mode import rule

if TYPE_CHECKING:  # globals that the loader adds
    from paddock.kernel.contract import *
    from paddock.kernel.entries import NETWORK, tally
    from paddock.kernel.loops import asks_policy, by_seat, counted, first_of, listed, of_seats, settle
    from paddock.kernel.network import network_move

PARTS = 20
# What is counted in a game: decisions; those with a single legal move; legal moves of all decisions; how
# often the lead changed hands; after how many decisions it did so last, or was first taken
DECISIONS, FORCED, MOVES, CHANGES, LAST = range(5)
NUMBERS = 5
LAPS = 24  # rounds of a game, such as laps, at whose beginning the places are noted
DEALS, CHOICES = range(2)  # the seeds


@rule
def how_far(s: Any, g: Any, out: Any) -> int:
    """Write how far ahead every seat is; return 0 as long as nobody can be ahead.

    A title without ``standing`` is judged by its scores.
    """
    by_seat(out)
    placed = standing(s, g, out)
    if placed < 0:
        scores(s, g, out)
    of_seats(out, out)
    return placed


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
def note_places(far: Any, seats: int, out: Any) -> None:
    """Write the place of every seat, from 1; those that are equally far ahead share the best one."""
    for seat in range(seats):
        place = 1
        for other in range(seats):
            place += int(far[other] > far[seat])
        out[seat] = place


@rule
def survey(c: Survey, nets: Any, thought: Any) -> None:
    """Play the deals ``first``, ``first + 1``, …, each ``repeats`` times in a row, and measure the games.

    What chance decides before the first decision comes from stream ``deal`` of ``seeds[DEALS]``; all that
    follows, choices included, from stream ``deal · repeats + repeat`` of ``seeds[CHOICES]``. ``thirds`` is as
    in ``contest``; from NETWORK on it is a network, as in ``compete``. If ``nets`` and ``thought`` are None,
    nothing of networks is compiled.
    With ``gives``, the title's ``give`` is the last that chance decides before a decision.
    """
    ss, rng, out, far = c.ss, c.rng, c.out, c.far
    s, g = ss[1], c.gg[0]
    seats = c.eyes.shape[0]
    items = c.items.shape[2]
    for i in range(c.numbers.shape[0]):
        deal = c.first + i // c.repeats
        stream(c.seeds[DEALS], deal, rng)
        if TELL:
            s.n_events = 0
        start(s, g)
        decisions = 0
        decided = 0
        leader = 0
        stood = 0
        lap = 0
        c.leader_by[0] = 0
        waiting = who(s, g)
        given = 0
        while waiting:
            if waiting >> CHANCE:
                run_chance(s, g, rng)
            elif c.gives > given:
                given = 1
                give(s, g, rng)
            else:
                if decisions == 0:
                    for seat in range(c.eyes.shape[0]):
                        holdings(s, g, seat, out)
                        for item in range(items):
                            c.items[i, seat, item] = out[item]
                    stream(c.seeds[CHOICES], deal * c.repeats + i % c.repeats, rng)
                seat = first_of(waiting, seats)
                if c.turns[i, seat] == 0:
                    decided += 1
                    c.turns[i, seat] = decided
                n = listed(s, g, seat, out)
                if n == 1:
                    move = out[0]
                    c.numbers[i, FORCED] += 1
                elif nets is not None and c.thirds[i, seat] >= NETWORK:
                    ss[0] = ss[1]
                    hide(ss[0], g, c.eyes[seat])
                    network = c.thirds[i, seat] - NETWORK
                    move = out[network_move(ss[0], g, seat, out, n, nets, network, thought, rng)]
                elif asks_policy(c.thirds[i, seat], rng):
                    ss[0] = ss[1]
                    hide(ss[0], g, c.eyes[seat])
                    move = policy(ss[0], g, seat, out, n, rng)
                else:
                    move = out[below(rng, n)]
                apply(s, g, seat, move)
                c.numbers[i, MOVES] += n
                c.moves_by[decisions] = n
                decisions = counted(decisions)
            if TELL:
                tally(s, c.event_counts[i])
            if how_far(s, g, far):
                if stood == 0:
                    stood = 1
                    line_up(far, seats, c.grid[i])
                now = in_front(far, seats)
                if now and now != leader:
                    if leader:
                        c.numbers[i, CHANGES] += 1
                    c.numbers[i, LAST] = decisions
                    leader = now
                while c.round_code >= 0 and lap < min(LAPS, c.event_counts[i, c.round_code]):
                    note_places(far, seats, c.laps[i, lap])
                    lap += 1
            c.leader_by[decisions] = leader
            waiting = who(s, g)
        c.numbers[i, DECISIONS] = decisions
        for tick in range(PARTS + 1):
            c.leaders[i, tick] = c.leader_by[tick * decisions // PARTS]
        for decision in range(decisions):
            k = decision * PARTS // decisions
            c.moves[i, k, 0] += c.moves_by[decision]
            c.moves[i, k, 1] += 1
        settle(s, g, out, c.scores[i], c.places[i])
