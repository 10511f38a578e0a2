"""Rollouts: moves are tried in many worlds, which are played on.

Like entries.py, this source is compiled. It also runs plainly, in steps: see ``plain_rollouts`` of loader.py.
"""

# ruff: noqa: F403, F405

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from paddock.core.words import CHANCE, HIDDEN, NOBODY
from paddock.kernel.calls import PlaysOn, Rollouts
from paddock.kernel.chance import below, stream
from paddock.kernel.mode import rule
from paddock.kernel.record import Row

if TYPE_CHECKING:  # globals that the loader adds
    from paddock.kernel.contract import *
    from paddock.kernel.loops import (
        by_seat,
        counted,
        first_of,
        give_way,
        listed,
        of_seats,
        policy_move,
        settle,
    )
    from paddock.kernel.network import network_move

# One in this many secret moves is random: otherwise a move that beats only what the policy would choose
# counts as much as one that beats everything.
SURPRISES = 20
USUAL = 0x75  # changes the seed of the moves that whoever plays on makes first


@rule
def next_move(model: PlaysOn, ss: Any, g: Any, seat: int, eyes: int, out: Row, n: int, rng: Row) -> int:
    """Return which of the ``n`` legal moves in ``out`` a model plays in the state ``ss[3]``, of which it sees
    what ``eyes`` see. ``ss[0]`` is a buffer."""
    if n == 1:
        return out[0]
    if model.slips > 0 and below(rng, model.slips) == 0:
        return out[below(rng, n)]
    if model.network < 0:
        return policy_move(ss, 3, g, seat, eyes, out, n, rng)
    ss[0] = ss[3]
    hide(ss[0], g, eyes)
    return out[network_move(ss[0], g, seat, out, n, model.nets, model.network, model.thought, rng)]


@rule
def rollouts(c: Rollouts) -> int:
    """Play the game on after each of the ``moves`` of ``seat``, in the worlds ``first``, ``first + 1``, …

    A world is the state ``ss[1]`` without the hidden commitments, redealt from its own stream of ``seed``.
    All moves are tried in the same worlds, with the same random numbers. A move below 0 is the one that
    whoever plays on makes, with random numbers of its own. All later decisions are those of ``by``: of its
    network, or of the policy, which see what ``eyes`` see; but one in ``slips`` is random, and of the
    policy's moves that ``knows`` cannot see, one in ``SURPRISES``. If ``seat`` is NOBODY, ``ss[1]`` is no
    view but the game itself: it is played on as it is, and no secret move is random for being secret.

    A game that has not ended after ``limit`` decisions (0: no limit) gets the scores of ``estimate``, and no
    places. Returns the number of decisions.
    """
    ss, rng, out = c.ss, c.rng, c.out
    g = c.gg[0]
    decisions = 0
    for world in range(c.worlds):
        stream(c.seed, c.first + world, rng)
        ss[2] = ss[1]
        if c.seat != NOBODY:
            undecide(ss[2], g)
            redeal(ss[2], g, c.knows, rng, out)
        after = rng[0]
        for i in range(len(c.moves)):
            rng[0] = after
            ss[3] = ss[2]
            by, move, turns = c.seat, c.moves[i], 0
            if by != NOBODY and move < 0:
                stream(c.seed ^ USUAL, c.first + world, rng)
                move = next_move(c.by, ss, g, by, c.eyes[by], out, listed(ss[3], g, by, out), rng)
                rng[0] = after
            while True:  # with one call of ``apply``: its code is most of what is compiled
                if by != NOBODY:
                    apply(ss[3], g, by, move)
                give_way()
                turns = counted(turns)
                waiting = who(ss[3], g)
                if waiting >> CHANCE:
                    run_chance(ss[3], g, rng)
                    waiting = who(ss[3], g)
                if waiting == 0 or turns == c.limit:
                    break
                by = first_of(waiting, len(c.eyes))
                n = listed(ss[3], g, by, out)
                secret = c.seat != NOBODY and seen(ss[3], g, c.knows, by, out[0]) == HIDDEN
                if secret and c.by.network < 0 and below(rng, SURPRISES) == 0:
                    move = out[below(rng, n)]
                else:
                    move = next_move(c.by, ss, g, by, c.eyes[by], out, n, rng)
            decisions += turns
            if waiting:
                by_seat(c.expected)
                estimate(ss[3], g, c.expected)
                of_seats(c.expected, c.scores[i, world])
            else:
                settle(ss[3], g, out, c.scores[i, world], c.places[i, world])
    return decisions
