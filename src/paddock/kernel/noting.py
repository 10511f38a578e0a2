"""The compiled entry point of data sets: whole games between networks and levels, with all their decisions.

As in entries.py, ``ss`` and ``gg`` are structured arrays, and this source runs with the title's functions and
the entry points before it among its globals.
"""

# ruff: noqa: F403, F405

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from paddock.core.words import CHANCE
from paddock.kernel.calls import NoteGames
from paddock.kernel.chance import SEEDS, below, stream
from paddock.kernel.mode import rule

if TYPE_CHECKING:  # globals that the loader adds
    from paddock.kernel.contract import *
    from paddock.kernel.entries import NETWORK
    from paddock.kernel.loops import asks_policy, first_of, listed, settle
    from paddock.kernel.network import network_move
    from paddock.kernel.vector import allow, look


@rule
def note_games(c: NoteGames) -> int:
    """Play a game for each row of ``c.parts``, and write its decisions, until there is no room for more.

    Returns how many games were written whole. A seat with a single legal move decides nothing. Simultaneous
    decisions are asked one after another, in the order of the seats. Bots choose as in ``compete``: that has
    its own copy of this code, because a call with all these arrays costs it a third of its speed.
    """
    ss, out, own, chance, lots = c.ss, c.out, c.own, c.rng[:1], c.rng[1:]
    s, g = ss[1], c.gg[0]
    rows = 0
    for i in range(c.parts.shape[0]):
        for player in range(c.parts.shape[1]):
            stream(c.bot_seed, c.bots[i, player], own[player])
        stream(c.deal_seed, c.deals[i], chance)
        start(s, g)
        waiting = who(s, g)
        while waiting:
            if waiting >> CHANCE:
                run_chance(s, g, chance)
                waiting = who(s, g)
                continue
            seat = first_of(waiting, c.owners.shape[0])
            player = c.owners[seat]
            n = listed(s, g, seat, out)
            decides = n > 1
            if decides:
                if rows == c.moves.shape[0]:
                    return i  # not whole: its decisions are forgotten
                note_decision(c, g, seat, n, rows)
            part = c.parts[i, player]
            if part >= NETWORK or asks_policy(part, own[player]):
                stream(below(own[player], SEEDS), 0, lots)
                ss[0] = ss[1]
                hide(ss[0], g, c.eyes[player])
                if part < NETWORK:
                    move = policy(ss[0], g, seat, out, n, lots)
                elif decides:
                    move = out[network_move(ss[0], g, seat, out, n, c.nets, part - NETWORK, c.thought, lots)]
                else:
                    move = out[0]
            else:
                move = out[below(own[player], n)]
            if decides:
                c.moves[rows] = move
                rows += 1
            apply(s, g, seat, move)
            waiting = who(s, g)
        c.ends[i] = rows
        settle(s, g, out, c.scores[i], c.places[i])
    games: int = c.parts.shape[0]
    return games


@rule
def note_decision(c: NoteGames, g: Any, seat: int, n: int, row: int) -> None:
    """Write who decides, what it sees, and the ``n`` moves of ``c.out`` that it may make."""
    c.seats[row] = seat
    c.masks[row] = False
    allow(c.out, n, c.masks[row])
    look(c.ss, 1, 0, g, seat, c.eyes[c.owners[seat]], c.short, c.sight)
    c.features[row] = c.sight[: c.features.shape[1]]
