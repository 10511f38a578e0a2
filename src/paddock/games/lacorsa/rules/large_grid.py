"""LACORSA: what the Large Grid adds: pit stops (LX-2), incidents (LX-3) and special drafting (LX-5)."""

from __future__ import annotations

from paddock.games.lacorsa.rules import refusals, state
from paddock.games.lacorsa.rules.race import can_pit, finish, next_decision, overtake, turn_over
from paddock.games.lacorsa.rules.state import Setup, State
from paddock.kernel import CHANCE, rule, tell


@rule
def why_not_pit(s: State, g: Setup, car: int) -> int:
    """LX-2.0 a car pits once in a race, from the second lap on (``pit_lap``), at the start of its turn."""
    if not g.pit:
        return refusals.NO_PIT_STOPS
    if s.phase == state.PITS:
        return refusals.LEGAL
    if s.phase == state.PIT_DRAW:
        return refusals.MUST_TAKE
    if s.lap < g.pit_lap:
        return refusals.TOO_EARLY
    if (s.stops >> car) & 1 == 0:
        return refusals.PITTED_BEFORE
    return refusals.LEGAL if s.phase == state.ROAD and can_pit(s, g, car) else refusals.TURN_BEGUN


@rule
def why_not_stay(s: State, g: Setup) -> int:
    """LX-2.0 a car stays out if it could pit instead; LC-4.3 a free road asks for another move."""
    if not g.pit:
        return refusals.NO_PIT_STOPS
    if s.phase == state.PITS:
        return refusals.LEGAL
    return refusals.ROAD_IS_FREE if s.phase == state.ROAD else refusals.NOTHING_TO_STAY_FOR


@rule
def why_not_take(s: State, g: Setup, kind: int) -> int:
    """LX-2.1 in a stop, a card is taken that the discard pile holds."""
    if not g.pit:
        return refusals.NO_PIT_STOPS
    if s.phase != state.PIT_DRAW:
        return refusals.NO_STOP_UNDER_WAY
    return refusals.LEGAL if s.discard[kind] > 0 else refusals.NOT_IN_PILE


@rule
def why_not_draft(s: State, g: Setup) -> int:
    """LX-5.1 a car attacks or stops after a 3 that has closed the gap."""
    if not g.drafting:
        return refusals.NO_DRAFTING
    return refusals.LEGAL if s.phase == state.DRAFT else refusals.NOTHING_DRAFTED


@rule
def why_not_else(s: State) -> int:
    """LX-2.0, LX-2.1, LX-5.1 where the expansion asks something, nothing else is played."""
    if s.phase == state.PITS:
        return refusals.PIT_OR_STAY
    if s.phase == state.PIT_DRAW:
        return refusals.MUST_TAKE
    return refusals.ATTACK_OR_STOP if s.phase == state.DRAFT else refusals.LEGAL


@rule
def pit(s: State, g: Setup, car: int) -> None:
    """LX-2.0 begin a stop, which is the whole turn; LX-2.6 cards are drawn first."""
    s.stops &= ~(1 << car)
    s.phase = state.PIT_DRAW
    s.waiting = 1 << (car if g.choose else CHANCE)
    tell(s, state.PITTED, car)


@rule
def to_draw(s: State, g: Setup, car: int) -> int:
    """LX-2.1, LX-2.2 return how many cards the stop of a car still brings."""
    room = g.cards - s.cards[car]
    if g.refill:
        return room
    left = g.pit_cards
    for kind in range(state.KINDS):
        left -= s.known[car, kind]  # a car pits only once, so these come from this stop
    return min(left, room)


@rule
def pit_draw(s: State, g: Setup, kind: int) -> None:
    """LX-2.1 take a card, which everybody sees, from the discard pile; LX-2.2 or refill the hand."""
    car = s.order[s.turn]
    s.discard[kind] -= 1
    s.hand[car, kind] += 1
    s.held[car] |= 1 << kind
    s.known[car, kind] += 1
    s.cards[car] += 1
    tell(s, state.DREW, car, kind)
    if to_draw(s, g, car) == 0:
        s.phase = state.PIT_DIE
        s.waiting = 1 << CHANCE


@rule
def pit_die(s: State, g: Setup, face: int) -> None:
    """LX-2.3 fall back by the die; LX-2.4 the next turn is that of the car ahead of the old space."""
    i = s.turn
    spaces = 0
    if face <= 4:
        spaces = g.pit_low if face <= 2 else g.pit_middle
    tell(s, state.ROLLED, s.order[i], face)
    tell(s, state.DROPPED, s.order[i], spaces)
    for _ in range(spaces):
        i = drop(s, i)
    turn_over(s, g, s.turn + 1)


@rule
def drop(s: State, i: int) -> int:
    """LX-2.3 move the car at this index back one space, and a car there forward; return its new index."""
    if i > 0 and s.gap[i - 1] == 0:
        other = s.order[i - 1]
        s.order[i - 1] = s.order[i]
        s.order[i] = other
        tell(s, state.MOVED_UP, other)
        return i - 1
    if i > 0:
        s.gap[i - 1] -= 1
    if i + 1 < s.running:
        s.gap[i] += 1
    return i


@rule
def retire(s: State, g: Setup, i: int) -> None:
    """LX-3.1 remove the car at this index from the road; LX-3.7 all cars behind it close up by its space."""
    tell(s, state.RETIRED, s.order[i])
    s.out[s.order[i]] = g.cars - s.running + 1
    s.running -= 1
    if i > 0:
        s.gap[i - 1] += s.gap[i]
    for j in range(i, s.running):
        s.order[j] = s.order[j + 1]
        s.gap[j] = s.gap[j + 1]
    s.order[s.running] = 0
    s.gap[s.running] = 0
    s.gap[max(s.running - 1, 0)] = 0  # no car is ahead of the leader


@rule
def rejoin(s: State, i: int, to: int) -> None:
    """LX-3.2, LX-3.3 move the cars at this index and the next directly behind the one at index ``to``.

    The cars between move up two spaces and keep their distances.
    """
    attacker = s.order[i]
    defender = s.order[i + 1]
    s.gap[i - 1] += s.gap[i + 1]
    for j in range(i - 1, to - 1, -1):
        s.order[j + 2] = s.order[j]
        s.gap[j + 2] = s.gap[j]
        s.gap[j] = 0
    s.gap[to + 1] = 0
    s.gap[s.running - 1] = 0  # no car is ahead of the leader
    s.order[to] = attacker
    s.order[to + 1] = defender


@rule
def go_off(s: State, g: Setup, i: int) -> None:
    """LX-3.3 move the cars at this index and the next behind the nearest car that follows.

    With ``off_adjacent``, only a car directly behind them counts.
    """
    behind = 0  # no car follows
    if i > 0:
        behind = 1 + s.order[i - 1]
        if g.adjacent and s.gap[i - 1] > 0:
            behind = 1 + state.CARS  # too far away
    tell(s, state.OFF, s.order[i], s.order[i + 1], behind)
    if 0 < behind <= state.CARS:
        rejoin(s, i, i - 1)


@rule
def incident(s: State, g: Setup, face: int) -> None:
    """LX-3.1 to LX-3.4 apply the defender's die; LX-3.5, LX-3.8 the lap goes on ahead of it."""
    i = s.turn
    turn = i + 1
    attacker = s.order[i]
    defender = s.order[i + 1]
    tell(s, state.ROLLED, defender, face)
    if face >= g.safe_face and g.win_by == 0:  # LC-5.2 the challenger has won
        overtake(s, i)
        s.turn = turn
        next_decision(s, g)
        return
    if face >= g.safe_face:
        tell(s, state.HELD, attacker, defender)
    elif face == 5:
        turn = i + 2
        go_off(s, g, i)
    elif face == 4:
        turn = i + 2
        tell(s, state.SPUN, attacker, defender)
        if i > 0:
            rejoin(s, i, 0)
    else:
        if face != 2:
            retire(s, g, i)
            turn = i
        if face != 3:
            retire(s, g, turn)
        if s.running < 2:  # LX-3.6
            finish(s, g)
            return
    turn_over(s, g, turn)


@rule
def apply_large(s: State, g: Setup, seat: int, move: int) -> None:
    """Apply a move or outcome in the phases of the expansion, or a stop at the start of a turn (LX-2.0)."""
    if s.phase == state.PIT_DRAW:
        pit_draw(
            s, g, move - state.TAKE * (move >= state.TAKE)
        )  # a card that the driver takes, or a drawn one
    elif s.phase == state.PIT_DIE:
        pit_die(s, g, move - state.DIE + 1)
    elif s.phase == state.INCIDENT:
        incident(s, g, move - state.DIE + 1)
    elif move == state.PIT:
        pit(s, g, seat)
    elif move == state.STOP:  # LX-5.1
        tell(s, state.STOPPED, seat, s.order[s.turn + 1])
        turn_over(s, g, s.turn + 1)
    else:  # STAY (LC-4.3) or ATTACK (LX-5.1)
        tell(
            s,
            state.DRAFTS if move == state.ATTACK else state.STAYED,
            seat,
            s.order[s.turn + 1],
        )
        s.phase = state.CHALLENGE
        s.waiting = (1 << seat) | (1 << s.order[s.turn + 1])
