"""The compiled entry point of training: whole games between networks and levels, with what one of them did.

As in entries.py, ``ss`` and ``gg`` are structured arrays, and this source runs with the title's functions and
the entry points before it among its globals.
"""

# ruff: noqa: F403, F405

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from paddock.core.words import CHANCE
from paddock.kernel.calls import SelfPlay
from paddock.kernel.chance import below, stream
from paddock.kernel.mode import rule

if TYPE_CHECKING:  # globals that the loader adds
    from paddock.kernel.contract import *
    from paddock.kernel.loops import asks_policy, first_of, listed
    from paddock.kernel.network import ILLEGAL, network_move, output_of
    from paddock.kernel.vector import OPPONENTS, pay

LEARNS = 0  # the network whose decisions are written


@rule
def reward(s: Any, g: Any, owners: Any, wins: float, points: float, out: Any, rewards: Any) -> None:
    """Write what the end of a game is worth to every player.

    It is ``points`` for each point and ``wins`` for a win, each over the mean of all players.
    """
    rewards[:] = 0
    pay(s, g, False, owners, out, rewards)
    if wins == 0:
        rewards[:] *= points
        return
    rewards[:] *= points / wins
    pay(s, g, True, owners, out, rewards)
    rewards[:] *= wins


@rule
def self_play(c: SelfPlay) -> int:
    """Play a game for each row of ``c.by``; write the decisions of network 0 and return their number.

    Decisions for which there is no room are played and not written. A seat with a single legal move decides
    nothing. The reward of a player is ``points`` for each point and ``wins`` for a win, each over the mean of
    all players, at the end of the game. A network only foresees what is not ``secured`` yet.
    """
    ss, out, chance, side = c.ss, c.out, c.rngs[0], c.rngs[1]
    s, g = ss[1], c.gg[0]
    decisions = 0
    for i in range(c.by.shape[0]):
        stream(c.seed, c.first + i, chance)
        stream(c.seed ^ OPPONENTS, c.first + i, side)
        began = decisions
        start(s, g)
        while True:
            waiting = who(s, g)
            if waiting >> CHANCE:
                run_chance(s, g, chance)
                waiting = who(s, g)
            if waiting == 0:
                break
            seat = first_of(waiting, c.owners.shape[0])
            n = listed(s, g, seat, out)
            by = c.by[i, c.owners[seat]]
            move = out[0]
            if n > 1 and by < 0 and not asks_policy(-1 - by, side):
                move = out[below(side, n)]
            elif n > 1:
                ss[0] = ss[1]
                hide(ss[0], g, c.eyes[seat])
                if by < 0:
                    move = policy(ss[0], g, seat, out, n, side)
                else:
                    index = network_move(ss[0], g, seat, out, n, c.nets, by, c.thought, side)
                    move = out[index]
                    if by == LEARNS and decisions < c.chosen.shape[0]:
                        note(c, ss[0], g, seat, out, n, index, decisions)
                        decisions += 1
            apply(s, g, seat, move)
        rewards = c.rewards[i]
        reward(s, g, c.owners, c.wins, c.points, out, rewards)
        look_back(c, began, decisions, rewards)
    return decisions


@rule
def note(c: SelfPlay, s: Any, g: Any, seat: int, out: Any, n: int, index: int, row: int) -> None:
    """Write a decision of the learner: what it read, could do and did, and the value that it expected.

    Outputs that no legal move has get the offset ILLEGAL, and that of the policy's move the network's prior.
    Different legal moves have different outputs.
    """
    t = c.thought
    c.inputs[row] = t.inputs[: c.inputs.shape[1]]
    offsets = c.offsets[row]
    offsets[:] = ILLEGAL
    for i in range(n):
        offsets[output_of(s, g, seat, out[i])] = 0
    if t.favoured[0] >= 0:
        offsets[output_of(s, g, seat, t.favoured[0])] = c.nets.prior[LEARNS]
    c.chosen[row] = output_of(s, g, seat, out[index])
    c.seats[row] = seat
    sure = c.points * secured(s, g, seat)
    c.values[row] = t.outputs[OUTPUTS] + sure
    c.returns[row] = sure  # ``look_back`` subtracts it


@rule
def look_back(c: SelfPlay, began: int, decisions: int, rewards: Any) -> None:
    """Write the advantages and returns of the decisions of a game: those of each seat follow each other."""
    seats = c.owners.shape[0]
    ahead = c.ahead
    for seat in range(seats):
        ahead[0, seat] = rewards[c.owners[seat]]  # the value after the decision
        ahead[1, seat] = 0  # the advantage after it
    for row in range(decisions - 1, began - 1, -1):
        seat = c.seats[row]
        value = c.values[row]
        gain = ahead[0, seat] - value + c.fade * ahead[1, seat]
        c.advantages[row] = gain
        c.returns[row] = value + gain - c.returns[row]
        ahead[0, seat] = value
        ahead[1, seat] = gain
