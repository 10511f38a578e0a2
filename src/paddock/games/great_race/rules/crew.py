"""The Great Race: what every crew has: gauges, guards, cards to play; and how a seat is asked."""

from __future__ import annotations

from paddock.games.great_race.rules import reasons, state
from paddock.games.great_race.rules.hands import lose
from paddock.games.great_race.rules.state import Setup, State
from paddock.kernel import rule, tell


@rule
def ask(s: State, stage: int, seat: int) -> int:
    """Put a question to a seat, or to chance with ``turn`` as the seat; return 1: somebody must answer."""
    s.stage = stage
    s.asked = seat
    return 1


@rule
def most(s: State, g: Setup, seat: int) -> int:
    """GR-1.2 the maximum of the seat's gauges; GR-11.2 one more for Boris."""
    return g.gauge_max + int(s.leader[seat] == state.BORIS)


@rule
def in_city(s: State, g: Setup, seat: int) -> int:
    """Whether the vehicle is in a city, where petrol and parts cost less (GR-5.2, GR-6.3)."""
    return int(g.land[s.at[seat]] == state.CITY)


@rule
def fill(s: State, g: Setup, seat: int, levels: int) -> None:
    """GR-5.10 petrol, up to the maximum; the excess is lost."""
    room = most(s, g, seat) - s.petrol[seat]
    if levels > room:
        levels = room
    s.petrol[seat] += levels
    tell(s, state.FILLED, seat, levels)


@rule
def assistants(s: State, seat: int) -> int:
    """GR-5.1 how many assistants are active."""
    n = 0
    for box in range(state.BOXES):
        n += s.assistants[seat, box]
    return n


@rule
def remove_assistants(s: State, seat: int) -> None:
    """GR-5.4, GR-9.1 take all assistants off the dashboard."""
    for box in range(state.BOXES):
        s.assistants[seat, box] = 0


@rule
def why_not_cook(s: State, seat: int) -> int:
    """GR-11.1 why there is no free guard: it is Cook's, GR-11.6 once a game turn."""
    if s.leader[seat] != state.COOK:
        return reasons.NOT_COOK
    return reasons.COOK_WAS_HERE if s.power_used[seat] else reasons.LEGAL


@rule
def guards(s: State, seat: int) -> int:
    """GR-6.5 how many guards can avoid a danger; everybody sees it."""
    return s.assistants[seat, state.SECURITY] + int(why_not_cook(s, seat) == reasons.LEGAL)


@rule
def may_react(s: State, seat: int) -> int:
    """GR-10.21 whether a seat is asked about a danger: that depends on public facts only."""
    return int(guards(s, seat) > 0 or s.cards[seat] > 0)


@rule
def can_avoid(s: State, seat: int) -> int:
    """GR-7.3, GR-10.20 whether a seat has a guard or a Militia."""
    return int(guards(s, seat) > 0 or s.hand[seat, state.MILITIA] > 0)


@rule
def why_not_drop(s: State, seat: int, kind: int) -> int:
    """GR-3.2, GR-10.18 why a card is not discarded: it is not in the hand."""
    return reasons.LEGAL if s.hand[seat, kind] > 0 else reasons.NOT_HELD


@rule
def why_not_held(s: State, seat: int, move: int) -> int:
    """GR-5.3 why a card is not played: it is not in the hand."""
    return why_not_drop(s, seat, move - state.PLAY) if state.PLAY <= move < state.TAKE_CARD else reasons.LEGAL


@rule
def why_not_react(s: State, seat: int, move: int) -> int:
    """GR-6.5 why a guard does not avoid a danger; GR-10.5 a Militia that is held always does."""
    if move == state.GUARD:
        return reasons.LEGAL if s.assistants[seat, state.SECURITY] else reasons.NO_GUARD
    return why_not_cook(s, seat) if move == state.COOK_GUARD else reasons.LEGAL


@rule
def react(s: State, seat: int, move: int) -> None:
    """GR-6.5 a guard or GR-10.5 a Militia avoids a danger."""
    if move == state.GUARD:
        s.assistants[seat, state.SECURITY] -= 1
    elif move == state.COOK_GUARD:
        s.power_used[seat] = 1
    else:
        spend(s, seat, state.MILITIA)
    tell(s, state.GUARDED, seat, move)


@rule
def play(s: State, seat: int, kind: int) -> None:
    """GR-5.3 a card leaves the hand, and is on no pile yet; GR-5.11 no petrol is bought after it."""
    lose(s, seat, kind)
    s.past[seat, kind] += 1
    tell(s, state.PLAYED, seat, kind)
    s.bought = 1  # other seats play cards only after ``turn`` has played one or begun to steal


@rule
def spend(s: State, seat: int, kind: int) -> None:
    """GR-1.8 a card is played whose effect takes place at once."""
    play(s, seat, kind)
    s.discard[kind] += 1


@rule
def drop(s: State, seat: int, kind: int) -> None:
    """GR-3.2 a card is discarded, face up."""
    lose(s, seat, kind)
    s.discard[kind] += 1
    s.past[seat, state.CARDS + kind] += 1
    tell(s, state.DISCARDED, seat, kind)


@rule
def why_not_refuel(s: State, g: Setup, seat: int) -> int:
    """GR-5.12 why a seat that is asked cannot play a Jerrycan; GR-4.2 nobody does in these stages."""
    if s.stage in (state.PLANS_STAGE, state.CHOOSE_LEADER):
        return reasons.NO_JERRYCAN_NOW
    if s.hand[seat, state.JERRYCAN] == 0:
        return reasons.NOT_HELD
    return reasons.LEGAL if s.petrol[seat] < most(s, g, seat) else reasons.PETROL_FULL


@rule
def refuel(s: State, g: Setup, seat: int) -> None:
    """GR-10.10 a Jerrycan is one level of petrol."""
    spend(s, seat, state.JERRYCAN)
    fill(s, g, seat, g.jerrycan)


@rule
def pay_order(s: State, g: Setup) -> None:
    """GR-8.2 the first in the turn order gets 20 F, the second of three or more 10 F."""
    for i in range(g.players):
        bonus = 0
        if i == 0:
            bonus = g.bonus_first
        elif i == 1 and g.players > 2:
            bonus = g.bonus_second
        s.money[s.order[i]] += bonus
        tell(s, state.ORDERED, s.order[i], i + 1, bonus)


@rule
def place_in_order(s: State, g: Setup, seat: int) -> int:
    """GR-5.1 the seat's place in the turn order, from 0."""
    i = 0
    while s.order[i] != seat:
        i += 1
    return i


@rule
def seat_after(s: State, g: Setup, seat: int) -> int:
    """GR-5.1 the next seat in the turn order; after the last comes the first."""
    i = place_in_order(s, g, seat) + 1
    return s.order[i if i < g.players else 0]
