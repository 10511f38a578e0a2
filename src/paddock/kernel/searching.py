"""The compiled entry point of *Champion*'s search: moves are tried in worlds in which networks play on.

As in entries.py, ``ss`` and ``gg`` are structured arrays, and this source runs with the title's functions and
the entry points before it among its globals.
"""

# ruff: noqa: F403, F405

from __future__ import annotations

from typing import TYPE_CHECKING

from paddock.core.words import CHANCE
from paddock.kernel.calls import LookAhead
from paddock.kernel.chance import stream
from paddock.kernel.mode import rule

if TYPE_CHECKING:  # globals that the loader adds
    from paddock.kernel.contract import *
    from paddock.kernel.learning import reward
    from paddock.kernel.loops import first_of, listed
    from paddock.kernel.network import network_move


@rule
def look_ahead(c: LookAhead) -> int:
    """Write what each of the ``moves`` of ``seat`` is worth in the worlds ``first``, ``first + 1``, …

    World w is the state ``ss[1]`` without the hidden commitments, redealt from stream w of ``seed``. The rows
    of ``casts`` play in one world after the other. All moves are tried in the same worlds, by the same
    networks, with the same random numbers. Their worth is the ``reward`` at the end. Returns the number of
    decisions.
    """
    ss, rng, out = c.ss, c.rng, c.out
    g = c.gg[0]
    decisions = 0
    for world in range(c.values.shape[1]):
        stream(c.seed, c.first + world, rng)
        ss[2] = ss[1]
        undecide(ss[2], g)
        redeal(ss[2], g, c.knows, rng, out)
        cast = c.casts[(c.first + world) % c.casts.shape[0]]
        after = rng[0]
        for i in range(c.moves.shape[0]):
            rng[0] = after
            ss[3] = ss[2]
            by, move = c.seat, c.moves[i]
            while True:  # with one call of ``apply``: its code is most of what is compiled
                apply(ss[3], g, by, move)
                decisions += 1
                waiting = who(ss[3], g)
                if waiting >> CHANCE:
                    run_chance(ss[3], g, rng)
                    waiting = who(ss[3], g)
                if waiting == 0:
                    break
                by = first_of(waiting, c.owners.shape[0])
                n = listed(ss[3], g, by, out)
                move = out[0]
                if n > 1:
                    ss[0] = ss[3]
                    hide(ss[0], g, c.eyes[by])
                    move = out[network_move(ss[0], g, by, out, n, c.nets, cast[by], c.thought, rng)]
            reward(ss[3], g, c.owners, c.wins, c.points, out, c.rewards)
            c.values[i, world] = c.rewards[c.owners[c.seat]]
    return decisions
