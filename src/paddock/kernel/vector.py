"""The compiled entry points of ``paddock.envs``: many games stepped together, and one game step by step.

As in entries.py, ``ss`` and ``gg`` are structured arrays, and this source runs with the title's functions and
the loops among its globals. It also needs ``observe`` of the title's ``features.py``.
"""

# ruff: noqa: F403, F405

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from paddock.core.bounds import FENCED
from paddock.core.errors import OutOfBounds
from paddock.core.words import CHANCE
from paddock.kernel.calls import Networks, StepGames, Thought
from paddock.kernel.chance import SEEDS, below, stream
from paddock.kernel.mode import rule

if TYPE_CHECKING:  # globals that the loader adds
    from paddock.kernel.contract import *
    from paddock.kernel.derived import possible
    from paddock.kernel.entries import NETWORK
    from paddock.kernel.loops import (
        FENCE,
        asks_policy,
        by_seat,
        fence,
        first_of,
        listed,
        of_seats,
        settle,
        written,
    )
    from paddock.kernel.network import network_move

BEGIN = -1  # in place of an action: begin a game
RENEW = -2  # in place of an action: nothing happens; say again what is asked
# In ``parts``, beside the number of ``thirds`` and, from NETWORK on, the networks
OUTSIDE = -1  # the moves of the seat come from outside
CALLED = -2  # they come from a bot that Python calls
OPPONENTS = 1 << 62  # this bit of the seed is flipped for the choices of opponents: chance has its own stream

# What ``advance`` writes to ``now``
ASKED = 0  # the seat that is asked, CHANCE or OVER
COUNT = 1  # the number of its choices
ROUND = 2  # the number of finished rounds
WAITING = 3  # ``who``
NOW = 4  # how many numbers these are
OVER = -1  # in place of a seat: the series is over


@rule
def begin(ss: Any, g: Any, i: int, seed: int, game: int, rngs: Any) -> None:
    """Start game ``game`` of ``seed`` in the place ``i``."""
    stream(seed, game, rngs[i, 0])
    stream(seed ^ OPPONENTS, game, rngs[i, 1])
    start(ss[i], g)


@rule
def pay(s: Any, g: Any, by_win: bool, owners: Any, out: Any, rewards: Any) -> None:
    """Add the result of a finished game to ``rewards``, by player: the value over the mean of all players.

    The value is the sum of the points of the player's seats; ``by_win``: 1 for the most points, on a tie for
    the best place, and equal parts of 1 if that is equal too. Nobody wins if no seat has a place.
    """
    players = rewards.shape[0]
    seats = owners.shape[0]
    worth = out[:players]
    best = out[players : 2 * players]
    row = out[2 * players : 2 * players + MAX_SEATS + FENCED]
    for player in range(players):
        worth[player] = 0
        best[player] = MAX_SEATS + 1
    by_seat(row)
    scores(s, g, row)
    of_seats(row, row)
    for seat in range(seats):
        worth[owners[seat]] += row[seat]
    total = 0.0
    for player in range(players):
        total += worth[player]
    if not by_win:
        for player in range(players):
            rewards[player] += worth[player] - total / players
        return
    by_seat(row)
    places(s, g, row)
    of_seats(row, row)
    for seat in range(seats):
        if 0 < row[seat] < best[owners[seat]]:
            best[owners[seat]] = row[seat]
    first = -1
    winners = 0
    for player in range(players):
        if best[player] <= MAX_SEATS:
            ahead = first < 0 or worth[player] > worth[first]
            if ahead or (worth[player] == worth[first] and best[player] < best[first]):
                first = player
                winners = 0
            winners += worth[player] == worth[first] and best[player] == best[first]
    for player in range(players):
        if winners > 0:
            won = worth[player] == worth[first] and best[player] == best[first]
            rewards[player] += won / winners - 1 / players


@rule
def look(ss: Any, i: int, buffer: int, g: Any, seat: int, eyes: int, short: bool, row: Any) -> None:
    """Write the observation of ``seat`` in ``ss[i]`` to ``row``, hidden for ``eyes`` in ``ss[buffer]``.

    ``short``: that of ``short_features.py``. ``row`` has room for FENCED numbers more.
    """
    size = row.shape[0] - FENCED
    ss[buffer] = ss[i]
    hide(ss[buffer], g, eyes)
    row[:size] = 0
    fence(row, size)
    if short:
        observe_short(ss[buffer], g, seat, row)
    else:
        observe(ss[buffer], g, seat, row)
    intact = 0
    for k in range(FENCED):  # faster than ``written``
        intact += row[size + k] == FENCE
    if intact < FENCED:
        raise OutOfBounds("SHORT_FEATURES" if short else "FEATURES", written(row, size), size)


@rule
def allow(out: Any, n: int, mask: Any) -> None:
    """Mark the first ``n`` moves of ``out`` in a mask with room for ACTIONS."""
    for i in range(n):
        move = out[i]
        if move < 0 or move >= ACTIONS:
            raise OutOfBounds("ACTIONS", move + 1, ACTIONS)
        mask[move] = True


@rule
def by_network(
    ss: Any, i: int, buffer: int, g: Any, seat: int, eyes: int, out: Any, n: int,
    nets: Networks, k: int, t: Thought, side: Any, lots: Any,
) -> int:  # fmt: skip
    """Return which of the ``n`` legal moves in ``out`` network ``k`` plays in ``ss[i]``, hidden for ``eyes``.

    It draws from ``side`` the seed of its own stream, ``lots``, as a bot does that Python calls.
    """
    stream(below(side, SEEDS), 0, lots)
    ss[buffer] = ss[i]
    hide(ss[buffer], g, eyes)
    move: int = out[network_move(ss[buffer], g, seat, out, n, nets, k, t, lots)]
    return move


@rule
def step_games(c: StepGames) -> None:
    """Play an action in every game, and go on until a seat is asked whose move is not made here.

    The action BEGIN begins the game instead, and RENEW changes nothing. A game that ends is followed by game
    ``games[i] + stride``. Writes to ``turns`` the seat that must decide; if its part is OUTSIDE, also to
    ``seats``, its observation and the mask of its legal moves. Where a game has ended, adds the rewards by
    player, and sets ``dones``.
    """
    ss, out, seats = c.ss, c.out, c.seats
    g = c.gg[0]
    buffer = seats.shape[0]
    for i in range(buffer):
        s = ss[i]
        rng, side = c.rngs[i, 0], c.rngs[i, 1]
        seat, move = c.turns[i], c.actions[i]
        while True:  # with one call of ``apply``: its code is most of what is compiled
            if move == BEGIN:
                begin(ss, g, i, c.seed, c.games[i], c.rngs)
            elif move != RENEW:
                apply(s, g, seat, move)
            waiting = who(s, g)
            if waiting >> CHANCE:
                run_chance(s, g, rng)
                waiting = who(s, g)
            if waiting == 0:
                pay(s, g, c.by_win, c.owners, out, c.rewards[i])
                if c.finals.shape[0] > 0:
                    look(ss, i, buffer, g, seats[i], c.eyes[seats[i]], c.short, c.finals[i])
                c.dones[i] = True
                c.games[i] += c.stride
                move = BEGIN
                continue
            seat = first_of(waiting, c.eyes.shape[0])
            n = listed(s, g, seat, out)
            part = c.parts[seat]
            if part < 0:
                break
            if n == 1:
                move = out[0]
            elif part >= NETWORK:
                move = by_network(
                    ss, i, buffer, g, seat, c.eyes[seat], out, n,
                    c.nets, part - NETWORK, c.thought, side, c.lots,
                )  # fmt: skip
            elif asks_policy(part, side):
                ss[buffer] = ss[i]
                hide(ss[buffer], g, c.eyes[seat])
                move = policy(ss[buffer], g, seat, out, n, side)
            else:
                move = out[below(side, n)]
        c.turns[i] = seat
        if part == OUTSIDE:
            seats[i] = seat
            mask = c.masks[i]
            mask[:] = False
            allow(out, n, mask)
            look(ss, i, buffer, g, seat, c.eyes[seat], c.short, c.observations[i])


@rule
def imagine_games(ss: Any, gg: Any, seed: int, first: int, eyes: Any, rngs: Any, out: Any) -> None:
    """Make each state one of the games that it may be for whoever sees what ``eyes`` see of it.

    The hidden cards are dealt again as chance deals them, a hidden commitment becomes any legal move of that
    hand, and what comes after has streams of its own: state ``i`` those of game ``first + i`` of ``seed``.
    """
    g = gg[0]
    for i in range(eyes.shape[0]):
        stream(seed, first + i, rngs[i, 0])
        stream(seed ^ OPPONENTS, first + i, rngs[i, 1])
        hide(ss[i], g, eyes[i])
        if who(ss[i], g) != 0:
            redeal(ss[i], g, eyes[i], rngs[i, 0], out)


@rule
def advance(
    ss: Any,
    gg: Any,
    series: int,
    parts: Any,
    eyes: Any,
    views: Any,
    by: int,
    id: int,
    rngs: Any,
    out: Any,
    weights: Any,
    now: Any,
    shown: Any,
    results: Any,
    short: bool,
    sight: Any,
    row: Any,
    mask: Any,
) -> bool:
    """Apply an entry to the series of games in ``ss[0]``, and go on until something else is asked.

    ``id`` is one of the choices in ``out`` for ``by``. Or it is BEGIN, which begins a series of ``series``
    rounds; or RENEW, after which ``by`` is asked if it must decide. Returns False for anything else, and
    changes nothing. Opponents move as in ``step_games``, but networks are asked, too: see ``one_by_network``.
    Chance is drawn from ``rngs[0]``; but if ``weights`` has room, it is asked like a seat. ``ss[1]`` is a
    buffer.

    Writes what is asked to ``now``; its choices to ``out``, and for chance their ``weights``; what each of
    the players with the eyes ``views`` sees of the entry to ``shown``; scores and places of every finished
    round to ``results``, by round, kind and seat; and if there is room and the seat is OUTSIDE, its
    observation to ``row``, and its mask to ``mask``. These two must be zeros.
    """
    s, g = ss[0], gg[0]
    rng, side = rngs[0], rngs[1]
    if id != BEGIN and id != RENEW:
        listed_move = False
        for j in range(now[COUNT]):
            listed_move |= out[j] == id
        if not listed_move or by != now[ASKED]:
            return False
        for player in range(views.shape[0]):
            shown[player] = seen(s, g, views[player], by, id)
    now[COUNT] = 0
    first, move = by, id
    while True:  # with one call of ``apply``: its code is most of what is compiled
        if move == BEGIN:
            if id == BEGIN:
                now[ROUND] = 0
                start(s, g)
            else:
                again(s, g)
        elif move != RENEW:
            apply(s, g, by, move)
        waiting = who(s, g)
        now[WAITING] = waiting
        if waiting >> CHANCE:
            if weights.shape[0] > 0:
                now[ASKED] = CHANCE
                now[COUNT] = possible(s, g, out, weights)
                return True
            run_chance(s, g, rng)
            waiting = who(s, g)
            now[WAITING] = waiting
        if waiting == 0:
            done = now[ROUND]
            if done < series:
                settle(s, g, out, results[done, 0], results[done, 1])
                done += 1
                now[ROUND] = done
            if done == series:
                now[ASKED] = OVER
                return True
            move = BEGIN
            id = 0
            continue
        by = first if id == RENEW and waiting >> first & 1 else first_of(waiting, eyes.shape[0])
        n = listed(s, g, by, out)
        part = parts[by]
        if part < 0 or part >= NETWORK:
            now[ASKED] = by
            now[COUNT] = n
            if part == OUTSIDE:
                allow(out, n * (mask.shape[0] > 0), mask)
                if row.shape[0] > 0:
                    look_into(ss, g, by, eyes[by], short, sight, row)
            return True
        if n == 1:
            move = out[0]
        elif asks_policy(part, side):
            ss[1] = ss[0]
            hide(ss[1], g, eyes[by])
            move = policy(ss[1], g, by, out, n, side)
        else:
            move = out[below(side, n)]


@rule
def look_into(ss: Any, g: Any, seat: int, eyes: int, short: bool, sight: Any, row: Any) -> None:
    """``look`` at the first state; ``row`` has no more room. ``ss[1]`` and ``sight`` are buffers."""
    look(ss, 0, 1, g, seat, eyes, short, sight[: row.shape[0] + FENCED])
    row[:] = sight[: row.shape[0]]


@rule
def one_look(ss: Any, gg: Any, seat: int, eyes: int, short: bool, sight: Any, row: Any) -> None:
    """Write what ``seat`` sees of the first state to ``row``, for its player's ``eyes``."""
    look_into(ss, gg[0], seat, eyes, short, sight, row)


@rule
def one_by_network(
    ss: Any, gg: Any, seat: int, eyes: int, out: Any, n: int,
    nets: Networks, k: int, t: Thought, side: Any, lots: Any,
) -> int:  # fmt: skip
    """``by_network`` in the first state; ``ss[1]`` is a buffer."""
    return by_network(ss, 0, 1, gg[0], seat, eyes, out, n, nets, k, t, side, lots)


@rule
def one_undecide(ss: Any, gg: Any, eyes: int) -> None:
    """Hide the first state for ``eyes``, and take back the commitments that they cannot see."""
    hide(ss[0], gg[0], eyes)
    undecide(ss[0], gg[0])


@rule
def one_stream(seed: int, index: int, rng: Any) -> None:
    """``stream`` of the kernel."""
    stream(seed, index, rng)


@rule
def sample_actions(masks: Any, rng: Any, actions: Any) -> None:
    """Write a uniformly random action of every mask."""
    for i in range(actions.shape[0]):
        mask = masks[i]
        n = 0
        for action in range(mask.shape[0]):
            n += mask[action]
        left = below(rng, n)
        action = 0
        while action < mask.shape[0] and (not mask[action] or left > 0):
            left -= mask[action]
            action += 1
        actions[i] = action


@rule
def refused_action(masks: Any, actions: Any) -> int:
    """Return the index of the first action that its mask does not allow, or −1."""
    for i in range(actions.shape[0]):
        if actions[i] < 0 or actions[i] >= masks.shape[1] or not masks[i, actions[i]]:
            return i
    return -1


@rule
def leaking_observation(
    ss: Any,
    gg: Any,
    games: int,
    short: bool,
    eyes: Any,
    side: Any,
    out: Any,
    twins: Any,
    rows: Any,
    least: Any,
    most: Any,
) -> int:
    """Check for each of the first ``games`` states that an observation has nothing its player cannot know.

    ``short``: the observation is that of ``short_features.py``.

    The observation of a random seat must be the same from the state, from the state hidden for the player,
    and from the hidden state dealt again: then it reads nothing that ``hide`` wipes. Returns the index of a
    state for which they differ, or −1. ``twins`` has two states, ``rows`` three observations; ``least`` and
    ``most`` get the least and the greatest value of every number.
    """
    g = gg[0]
    for i in range(games):
        seat = below(side, eyes.shape[0])
        twins[0] = ss[i]
        hide(twins[0], g, eyes[seat])
        twins[1] = twins[0]
        redeal(twins[1], g, eyes[seat], side, out)
        rows[:] = 0
        if short:
            observe_short(ss[i], g, seat, rows[0])
            observe_short(twins[0], g, seat, rows[1])
            observe_short(twins[1], g, seat, rows[2])
        else:
            observe(ss[i], g, seat, rows[0])
            observe(twins[0], g, seat, rows[1])
            observe(twins[1], g, seat, rows[2])
        for j in range(rows.shape[1]):
            value = rows[0, j]
            if rows[1, j] != value or rows[2, j] != value:  # also where it is not a number
                return i
            least[j] = min(least[j], value)
            most[j] = max(most[j], value)
    return -1
