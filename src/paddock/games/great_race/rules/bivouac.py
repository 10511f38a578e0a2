"""The Great Race: bivouac and planning (GR-3.1, GR-4.1)."""

from __future__ import annotations

from paddock.games.great_race.rules import reasons, state
from paddock.games.great_race.rules.crew import ask
from paddock.games.great_race.rules.hands import gain, refill
from paddock.games.great_race.rules.state import Setup, State
from paddock.kernel import Row, rule, tell


@rule
def begin_turn(s: State, g: Setup) -> int:
    """GR-2.1 a game turn begins with the bivouac: GR-3.1 one card more than players. Return 1: chance is due,
    or a seat must decide."""
    s.phase = state.BIVOUAC
    s.round += 1
    s.turn = s.order[0]
    s.left = g.players + 1
    tell(s, state.TURN, s.round)
    return deal_on(s, g)


@rule
def deal_on(s: State, g: Setup) -> int:
    """GR-3.1 the next card of the bivouac is due, if there is one; after the last they are taken."""
    if s.left > 0:
        refill(s)
        if s.deck_size > 0:
            return ask(s, state.DEAL, s.turn)
    s.left = g.players
    return bivouac_on(s, g)


@rule
def deal(s: State, g: Setup, kind: int) -> int:
    """GR-3.1 a card face up. Return 1: chance is due, or a seat must decide."""
    s.deck[kind] -= 1
    s.deck_size -= 1
    s.market[kind] += 1
    s.market_size += 1
    tell(s, state.DEALT, kind)
    s.left -= 1
    return deal_on(s, g)


@rule
def why_not_take(s: State, kind: int) -> int:
    """GR-3.1 why a card is not taken: it does not lie face up."""
    return reasons.LEGAL if s.market[kind] else reasons.NOT_AT_BIVOUAC


@rule
def take(s: State, seat: int, kind: int) -> None:
    """GR-3.1 a player takes a card; GR-3.3 everybody knows that it is in this hand."""
    s.market[kind] -= 1
    s.market_size -= 1
    gain(s, seat, kind, 1)
    tell(s, state.TOOK, seat, kind)


@rule
def bivouac_on(s: State, g: Setup) -> int:
    """GR-3.1 the next in reverse turn order takes a card; the last player gets what is left; then come plans.

    Return whether somebody must answer; if not, the last player has got its second card (GR-3.2).
    """
    if s.market_size == 0:
        return begin_planning(s, g)
    if s.left > 0:
        s.turn = s.order[s.left - 1]
        return ask(s, state.TAKE, s.turn)
    s.turn = s.order[g.players - 1]
    for kind in range(state.CARDS):
        while s.market[kind] > 0:
            take(s, s.turn, kind)
    return 0


@rule
def begin_planning(s: State, g: Setup) -> int:
    """GR-4.1 all players place their assistants at once. Return 1: they must answer."""
    s.left = 0
    s.phase = state.PLANNING
    s.turn = s.order[0]
    return ask(s, state.PLANS_STAGE, s.turn)


@rule
def six(s: State, seat: int) -> int:
    """GR-11.4 whether the seat places six assistants: Li does on odd turns."""
    return int(s.leader[seat] == state.LI and s.round % 2 == 1)


@rule
def why_not_plan(s: State, seat: int, plan: int) -> int:
    """GR-4.1 why a plan is not made: it is not of five assistants, or GR-11.4 of six."""
    if six(s, seat):
        return reasons.LEGAL if plan >= state.FIVE else reasons.SIX_ASSISTANTS
    return reasons.LEGAL if plan < state.FIVE else reasons.FIVE_ASSISTANTS


@rule
def plans(s: State, seat: int, out: Row) -> int:
    """GR-4.1 write every plan that ``why_not_plan`` lets pass; return how many."""
    first, end = (state.FIVE, state.PLANS) if six(s, seat) else (0, state.FIVE)
    for plan in range(first, end):
        out[plan - first] = state.PLAN + plan
    return end - first


@rule
def commit(s: State, g: Setup, seat: int, plan: int) -> int:
    """GR-4.1 a plan is made in secret; the last one reveals all. Return whether others must still answer."""
    s.plan[seat] = 1 + plan
    for next_seat in range(g.players):
        if s.plan[next_seat] == 0:
            return 1
    for i in range(g.players):
        next_seat = s.order[i]
        chosen_plan = s.plan[next_seat] - 1
        for box in range(state.BOXES):
            s.assistants[next_seat, box] = g.plan[chosen_plan, box]
        s.plan[next_seat] = 0
        tell(s, state.PLANNED, next_seat, chosen_plan)
    s.phase = state.CONVOY
    s.turn = s.order[g.players - 1]
    s.assistant = 1  # as if the last player's sequence had just ended: the first player's comes next
    return 0
