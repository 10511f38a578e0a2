"""The compiled entry points, which Python calls with arrays of records.

``ss`` and ``gg`` are structured arrays of ``State.dtype`` and ``Setup.dtype``. This source runs
with the title's functions and the loops among its globals; every function here is a Numba dispatcher.
"""

# ruff: noqa: F403, F405, SIM102, SIM110

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from paddock.core.errors import OutOfBounds
from paddock.core.words import CHANCE
from paddock.kernel.calls import Compete, ContestCall
from paddock.kernel.chance import SEEDS, below, stream
from paddock.kernel.events import TELL
from paddock.kernel.mode import rule

if TYPE_CHECKING:  # globals that the loader adds
    from paddock.kernel.contract import *
    from paddock.kernel.derived import take_chance
    from paddock.kernel.loops import (
        asks_policy,
        counted,
        first_of,
        listed,
        play_one,
        policy_move,
        settle,
    )
    from paddock.kernel.network import network_move

NETWORK = 4  # in ``parts``: the first network; below it is the number of ``thirds``
LINKS = 6  # length up to which chains are followed when checking ``foreseen``


@rule
def told(s: Any) -> int:
    """Return how many events are in the buffer: at most MAX_EVENTS."""
    n: int = s.n_events
    if n > MAX_EVENTS:
        raise OutOfBounds("MAX_EVENTS", n, MAX_EVENTS)
    return n


@rule
def tally(s: Any, counts: Any) -> None:
    """Count the events in the buffer by their code, and empty it."""
    for event in range(told(s)):
        counts[s.event[event, 0]] += 1
    s.n_events = 0


@rule
def play_many(
    ss: Any, gg: Any, seed: int, first: int, rng: Any, out: Any, scores_: Any, places_: Any, decisions: Any
) -> None:
    """Play the games ``first``, ``first + 1``, … of ``seed``, as many as ``decisions`` has elements.

    Writes each game's scores and places by seat, and its number of decisions.
    """
    s, g = ss[0], gg[0]
    for i in range(decisions.shape[0]):
        decisions[i] = play_one(s, g, seed, first + i, rng, out)
        settle(s, g, out, scores_[i], places_[i])


@rule
def compete(c: Compete) -> None:
    """Play the games of a deal of a match, as ``play_deal`` in lab/play.py does.

    Round r of every game has the chance of stream ``rounds[r]`` of ``deal_seed``. In game i, the bot of
    player p has stream ``bots[i, p]`` of ``bot_seed``. ``parts[i, p]`` says how many of three of its
    decisions the policy makes, or which network makes all of them.
    """
    ss, rng, out, own, moves = c.ss, c.rng, c.out, c.own, c.moves
    s, g = ss[1], c.gg[0]
    chance, lots = rng[:1], rng[1:]
    for i in range(c.bots.shape[0]):
        for player in range(c.bots.shape[1]):
            stream(c.bot_seed, c.bots[i, player], own[player])
            below(own[player], SEEDS)  # the seed of a program; other bots do not use it
        for r in range(c.rounds.shape[0]):
            stream(c.deal_seed, c.rounds[r], chance)
            if r == 0:
                start(s, g)
            else:
                again(s, g)
            waiting = who(s, g)
            while waiting:
                if waiting >> CHANCE:
                    run_chance(s, g, chance)
                else:
                    seats = c.owners.shape[0]
                    for seat in range(first_of(waiting, seats), seats):  # all choose before any move
                        if waiting >> seat & 1:
                            player = c.owners[seat]
                            n = listed(s, g, seat, out)
                            part = c.parts[i, player]
                            if part >= NETWORK or asks_policy(part, own[player]):
                                stream(below(own[player], SEEDS), 0, lots)
                                ss[0] = ss[1]
                                hide(ss[0], g, c.eyes[player])
                                if part < NETWORK:
                                    moves[seat] = policy(ss[0], g, seat, out, n, lots)
                                elif n == 1:
                                    moves[seat] = out[0]
                                else:
                                    k = part - NETWORK
                                    choice = network_move(ss[0], g, seat, out, n, c.nets, k, c.thought, lots)
                                    moves[seat] = out[choice]
                            else:
                                moves[seat] = out[below(own[player], n)]
                    for seat in range(seats):
                        if waiting >> seat & 1:
                            apply(s, g, seat, moves[seat])
                waiting = who(s, g)
            settle(s, g, out, c.scores[i, r], c.places[i, r])


@rule
def contest(c: ContestCall) -> None:
    """Play the games ``first``, ``first + 1``, … of ``seed``: of three decisions of each seat, ``thirds`` by
    the policy, which sees what ``eyes`` see, and the others at random."""
    ss, rng, out, made = c.ss, c.rng, c.out, c.made
    s, g = ss[1], c.gg[0]
    for i in range(made.shape[0]):
        stream(c.seed, c.first + i, rng)
        if TELL:
            s.n_events = 0
        start(s, g)
        made[i] = 0
        waiting = who(s, g)
        while waiting:
            if waiting >> CHANCE:
                run_chance(s, g, rng)
            else:
                if made[i] == 0:
                    c.begins[i] = ss[1]
                seat = first_of(waiting, c.eyes.shape[0])
                n = listed(s, g, seat, out)
                if asks_policy(c.thirds[seat], rng):
                    move = policy_move(ss, 1, g, seat, c.eyes[seat], out, n, rng)
                else:
                    move = out[below(rng, n)]
                apply(s, g, seat, move)
                made[i] = counted(made[i])
            if TELL:
                tally(s, c.event_counts[i])
            waiting = who(s, g)
        settle(s, g, out, c.scores[i], c.places[i])
        ss[2 + i] = ss[1]


@rule
def watched(
    ss: Any,
    gg: Any,
    seats: int,
    seed: int,
    first: int,
    games: int,
    rng: Any,
    out: Any,
    weights: Any,
    row: Any,
    found: Any,
) -> int:
    """Play games entry by entry and check the invariants of every state; return the number of decisions.

    If a state breaks an invariant, write the index of the game and the number of the invariant to
    ``found`` and stop. A bound that the title breaks is an error: moves and their ids, outcomes, events of a
    move and of all chance that is due at once, decisions, seats.
    """
    s, g = ss[0], gg[0]
    decisions = 0
    for index in range(first, first + games):
        stream(seed, index, rng)
        if TELL:
            s.n_events = 0
        start(s, g)
        waiting = who(s, g)
        turns = 0
        while True:
            code = broken(s, g)
            if code:
                found[0] = index
                found[1] = code
                return decisions + turns
            if TELL:
                if waiting >> CHANCE == 0:  # all chance that was due is over
                    told(s)
                    s.n_events = 0
            if waiting == 0:
                break
            if waiting >> CHANCE:
                take_chance(s, g, rng, out, weights)
            else:
                seat = first_of(waiting, seats)
                n = listed(s, g, seat, out)
                for i in range(n):
                    if out[i] < 0 or out[i] >= ACTIONS:
                        raise OutOfBounds("ACTIONS", out[i] + 1, ACTIONS)
                apply(s, g, seat, out[below(rng, n)])
                turns = counted(turns)
                if TELL:
                    told(s)
                    s.n_events = 0
            waiting = who(s, g)
        settle(s, g, out, row, row)
        decisions += turns
    return decisions


@rule
def one_start(ss: Any, gg: Any) -> None:
    """``start`` of the first record."""
    if TELL:
        ss[0].n_events = 0
    start(ss[0], gg[0])


@rule
def one_who(ss: Any, gg: Any) -> int:
    """``who`` of the first record."""
    return who(ss[0], gg[0])


@rule
def one_legal(ss: Any, gg: Any, seat: int, out: Any) -> int:
    """``legal`` of the first record."""
    return listed(ss[0], gg[0], seat, out)


@rule
def one_apply(ss: Any, gg: Any, seat: int, move: int) -> None:
    """``apply`` to the first record."""
    if TELL:
        ss[0].n_events = 0
    apply(ss[0], gg[0], seat, move)


@rule
def one_chance(ss: Any, gg: Any, rng: Any) -> None:
    """``run_chance`` on the first record."""
    if TELL:
        ss[0].n_events = 0
    run_chance(ss[0], gg[0], rng)


@rule
def one_outcome(ss: Any, gg: Any, rng: Any, out: Any, weights: Any) -> int:
    """Draw, apply and return one chance outcome."""
    if TELL:
        ss[0].n_events = 0
    return take_chance(ss[0], gg[0], rng, out, weights)


@rule
def one_hide(ss: Any, gg: Any, eyes: int) -> None:
    """``hide`` of the first record."""
    hide(ss[0], gg[0], eyes)


@rule
def one_redeal(ss: Any, gg: Any, eyes: int, rng: Any, out: Any) -> None:
    """``redeal`` of the first record."""
    redeal(ss[0], gg[0], eyes, rng, out)


@rule
def one_policy(ss: Any, gg: Any, seat: int, out: Any, rng: Any) -> int:
    """Return the move of the policy for ``seat``, which must decide; the first record is hidden for it."""
    n = listed(ss[0], gg[0], seat, out)
    return policy(ss[0], gg[0], seat, out, n, rng)


@rule
def differ(a: Any, b: Any) -> bool:
    """Whether two records, as rows of bytes, differ."""
    for i in range(a.shape[0]):
        if a[i] != b[i]:
            return True
    return False


@rule
def other_moves(s: Any, t: Any, g: Any, seat: int, out: Any, other: Any) -> bool:
    """Whether a seat's legal moves differ in two states; ``out`` gets those of ``s``."""
    n = listed(s, g, seat, out)
    if legal(t, g, seat, other) != n:
        return True
    return differ(out[:n], other[:n])


@rule
def chains(ss: Any, raw: Any, g: Any, seat: int, eyes: int, side: Any, lists: Any) -> int:
    """Check that ``eyes`` can predict a random chain of ``seat`` from here; return the number of links
    checked, or −1 if one breaks the theorem.

    ``ss[0]`` is the state, ``ss[1]`` the same hidden for ``eyes``; ``ss[4]`` to ``ss[8]`` are buffers.
    Every legal link is checked; the chain continues with one after which only ``seat`` must decide.
    """
    ss[4] = ss[0]
    ss[5] = ss[1]
    checks = 0
    for _ in range(LINKS):
        n = listed(ss[4], g, seat, lists[0])
        goes_on = 0
        next_link = 0
        for i in range(n):
            move = lists[0][i]
            known = foreseen(ss[4], g, seat, move)
            if foreseen(ss[5], g, seat, move) != known:
                return -1
            if known == 0:
                continue
            checks += 1
            ss[6] = ss[4]
            apply(ss[6], g, seat, move)
            waiting = who(ss[6], g)
            ss[8] = ss[6]
            hide(ss[8], g, eyes)
            ss[7] = ss[5]
            apply(ss[7], g, seat, move)
            hide(ss[7], g, eyes)
            if differ(raw[7], raw[8]) or who(ss[7], g) != waiting:
                return -1
            if waiting == 1 << seat:
                if other_moves(ss[6], ss[7], g, seat, lists[1], lists[2]):
                    return -1
                goes_on += 1
                if below(side, goes_on) == 0:
                    next_link = move
        if goes_on == 0:
            break
        apply(ss[4], g, seat, next_link)
        apply(ss[5], g, seat, next_link)
        hide(ss[5], g, eyes)
    return checks


@rule
def secrecy(
    ss: Any, raw: Any, gg: Any, seats: int, seed: int, first: int, games: int, rng: Any, side: Any, lists: Any
) -> int:
    """Check the secrecy theorem at every decision of random games; return the number of checks, or
    −1 − the index of a game that breaks it.

    The theorem: ``hide(redeal(hide(s))) = hide(s)`` byte for byte, and every seat in ``eyes`` has the
    same legal moves in all three states. ``chains`` checks moves with ``foreseen``. ``raw`` is ``ss``
    (nine states) as bytes, ``side`` a second random stream for eyes, redeal and links, ``lists`` three
    buffers for legal moves.
    """
    s, g = ss[0], gg[0]
    out, other = lists[0], lists[1]
    checks = 0
    for index in range(first, first + games):
        stream(seed, index, rng)
        stream(seed + 1, index, side)
        start(s, g)
        waiting = who(s, g)
        while waiting:
            eyes = below(side, 1 << seats)
            ss[1] = ss[0]
            hide(ss[1], g, eyes)
            ss[2] = ss[1]
            redeal(ss[2], g, eyes, side, other)
            ss[3] = ss[2]
            hide(ss[3], g, eyes)
            checks += 1
            if differ(raw[1], raw[3]) or who(ss[1], g) != waiting or who(ss[2], g) != waiting:
                return -1 - index
            for seat in range(seats):
                if (eyes & waiting) >> seat & 1:
                    for state in range(1, 3):
                        if other_moves(s, ss[state], g, seat, out, other):
                            return -1 - index
                    links = chains(ss, raw, g, seat, eyes, side, lists)
                    if links < 0:
                        return -1 - index
                    checks += links
            if waiting >> CHANCE:
                take_chance(s, g, rng, out, other)
            else:
                seat = first_of(waiting, seats)
                apply(s, g, seat, out[below(rng, listed(s, g, seat, out))])
            waiting = who(s, g)
    return checks
