"""The Great Race: what may happen now, and what follows: the last module of the rules, the whole contract."""

from __future__ import annotations

from paddock.core.log import Event
from paddock.games.great_race.rules import reasons, state
from paddock.games.great_race.rules.bivouac import (
    bivouac_on,
    commit,
    deal,
    plans,
    take,
    why_not_plan,
    why_not_take,
)
from paddock.games.great_race.rules.convoy import abilities, act, legal_act, sequence_on, why_not_act
from paddock.games.great_race.rules.crew import (
    drop,
    refuel,
    why_not_drop,
    why_not_held,
    why_not_refuel,
)
from paddock.games.great_race.rules.driving import (
    answer_stop_sign,
    answer_tile,
    damage,
    drive_on,
    explore,
    halt,
    legal_go,
    step,
    transport,
    why_not_face,
    why_not_go,
    why_not_pass,
)
from paddock.games.great_race.rules.effects import (
    answer_card,
    answer_theft,
    name_spot,
    name_target,
    search,
    search_on,
    split,
    steal,
    theft_on,
    why_not_target,
    window_on,
)
from paddock.games.great_race.rules.ending import prestige, rank
from paddock.games.great_race.rules.hands import card_by_lot, deal_again, stuck
from paddock.games.great_race.rules.lots import (
    choose_leader,
    draw_number,
    go_first,
    lot_outcomes,
    numbers_left,
    set_ends,
    set_up,
    why_not_leader,
)
from paddock.games.great_race.rules.repair import mend, mend_on, toolbox, why_not_mend
from paddock.games.great_race.rules.resources import draw, keep_on, limit_on, reject, why_not_reject
from paddock.games.great_race.rules.scouting import (
    free_spaces,
    pick,
    place,
    scout,
    spots,
    why_not_space,
    why_not_tile,
)
from paddock.games.great_race.rules.state import ACTIONS, OUTCOMES, Setup, State
from paddock.kernel import CHANCE, HIDDEN, Row, below, rule, weighted

__all__ = ["ACTIONS", "OUTCOMES", "Setup", "State"]

MAX_SEATS = state.SEATS
MAX_DECISIONS = 60_000
MAX_EVENTS = 32  # a finish that ends the race: 9 cards of the hand, 5 results, and what led to it
MIN_SCORE, MAX_SCORE = 0, 12_063  # 9 for arriving, 18 levels of 3, and no more than 120,000 F of 10
BY_CHANCE = (
    1 << state.DRAW_FIRST
    | 1 << state.DRAW_END
    | 1 << state.DRAW_NUMBER
    | 1 << state.DEAL
    | 1 << state.THEFT
    | 1 << state.DRAW_CARD
    | 1 << state.DRAW_TILE
)  # stages in which chance decides
ASKED_AGAIN = (
    1 << state.DISCARD
    | 1 << state.CUSTOMS_DISCARD
    | 1 << state.ARRIVAL
    | 1 << state.DANGER
    | 1 << state.STOP_SIGN
)  # stages whose question a Jerrycan may end


@rule
def start(s: State, g: Setup) -> None:
    """GR-1 the beginning, before the lots."""
    set_up(s, g)


@rule
def who(s: State, g: Setup) -> int:
    """Return the bitmask of the seats that must decide, or the chance bit; 0 when the race is over."""
    if s.stage == state.PLANS_STAGE:  # GR-4.1
        waiting = 0
        for seat in range(g.players):
            waiting |= int(s.plan[seat] == 0) << seat
        return waiting
    if s.stage == state.NOTHING:
        return 0
    if (BY_CHANCE >> s.stage) & 1:
        return 1 << CHANCE
    return 1 << s.asked


@rule
def legal(s: State, g: Setup, seat: int, out: Row) -> int:
    """Write the ids of every legal move of ``seat``, which must decide, and return how many.

    They are those that ``why_not`` lets pass; the lists of some stages do without a look at every id.
    """
    stage = s.stage
    n = 0
    if stage == state.ACT:
        n = legal_act(s, g, seat, out)
    elif stage == state.STEP:
        n = legal_go(s, g, seat, out)
    elif stage == state.PLACE_SPACE:
        n = free_spaces(s, g, out)
    elif stage == state.SPOT:
        n = spots(s, g, out)
    elif stage == state.PLANS_STAGE:
        n = plans(s, seat, out)
    elif stage == state.TAKE:
        for kind in range(state.CARDS):
            out[n] = state.TAKE_CARD + kind
            n += int(why_not_take(s, kind) == reasons.LEGAL)
    elif stage in (state.DISCARD, state.CUSTOMS_DISCARD):
        for kind in range(state.CARDS):
            out[n] = state.DROP_CARD + kind
            n += int(why_not_drop(s, seat, kind) == reasons.LEGAL)
    else:
        for first, end in reasons.ANSWERS[stage]:
            for move in range(first, end):
                out[n] = move
                n += int(not why_not_held(s, seat, move) and not why_not_answer(s, g, seat, move))
    out[n] = state.PLAY + state.JERRYCAN  # GR-5.12
    return n + int(why_not_refuel(s, g, seat) == reasons.LEGAL)


@rule
def why_not(s: State, g: Setup, seat: int, move: int, room: Row) -> int:
    """Return the code of the first reason that forbids a move, or LEGAL; ``room`` is room for a list."""
    stage = s.stage
    if move == state.PLAY + state.JERRYCAN:
        return why_not_refuel(s, g, seat)
    asked = False
    for first, end in reasons.ANSWERS[stage]:
        asked = asked or first <= move < end
    if not asked:
        return reasons.ASKED[stage]
    if move < state.PLAY and move >= g.spaces:
        return reasons.NO_SUCH_SPACE
    if why_not_held(s, seat, move) != reasons.LEGAL:
        return reasons.NOT_HELD
    if stage == state.ACT:
        return why_not_act(s, g, seat, move, abilities(s, g, seat, room))
    if stage == state.STEP:
        return why_not_go(s, g, seat, move)
    if stage == state.PLANS_STAGE:
        return why_not_plan(s, seat, move - state.PLAN)
    if stage in (state.PLACE_SPACE, state.SPOT):
        return why_not_space(s, g, move - state.SPACE, room)
    return why_not_answer(s, g, seat, move)


@rule
def why_not_answer(s: State, g: Setup, seat: int, move: int) -> int:
    """Return the code of why this does not answer a question with few answers; a card is held."""
    stage = s.stage
    if stage == state.TAKE:
        return why_not_take(s, move - state.TAKE_CARD)
    if stage in (state.DISCARD, state.CUSTOMS_DISCARD):  # GR-3.2, GR-10.18
        return why_not_drop(s, seat, move - state.DROP_CARD)
    if stage == state.KEEP:
        return why_not_reject(s, move - state.DROP_CARD)
    if stage in (state.PLACE_TILE, state.PICK_TILE):
        return why_not_tile(s, move - state.TILE)
    if stage == state.TARGET:
        return why_not_target(s, g, s.action, seat, move - state.SEAT)
    if stage == state.CHOOSE_LEADER:
        return why_not_leader(s, g, move - state.LEADER)
    if stage == state.MEND:
        return why_not_mend(s, g, seat, move)
    if stage in (state.CANCEL, state.ARRIVAL, state.DANGER):
        return why_not_face(s, g, seat, move)
    return why_not_pass(s, g, seat, move) if stage == state.STOP_SIGN else reasons.LEGAL


@rule
def apply(s: State, g: Setup, seat: int, move: int) -> None:
    """What follows from a legal move of ``seat``, or from an outcome when ``seat`` is CHANCE."""
    if seat == CHANCE:
        waiting = happen(s, g, move)
    elif move == state.PLAY + state.JERRYCAN:
        waiting = jerrycan(s, g, seat)
    else:
        waiting = answer(s, g, seat, move)
    if not waiting:
        go_on(s, g)


@rule
def happen(s: State, g: Setup, outcome: int) -> int:
    """An outcome of chance. Return whether somebody must answer before the turn goes on."""
    stage = s.stage
    if stage == state.DRAW_TILE:
        if s.action == state.DRIVING:
            return explore(s, g, outcome - state.TILE_DRAWN)
        return scout(s, g, outcome - state.TILE_DRAWN)
    if stage == state.DRAW_CARD:
        return draw(s, outcome)
    if stage == state.DEAL:
        return deal(s, g, outcome)
    if stage == state.THEFT:
        steal(s, g, outcome)
        return 0
    if stage == state.DRAW_FIRST:
        go_first(s, g, outcome - state.FIRST)
    elif stage == state.DRAW_END:
        set_ends(s, g, g.ends[outcome - state.END])
    else:
        draw_number(s, g, outcome - state.NUMBER)
    return 1


@rule
def jerrycan(s: State, g: Setup, seat: int) -> int:
    """GR-5.12 a Jerrycan, and the same question again, where it still stands. Return whether it does."""
    refuel(s, g, seat)
    if s.stage == state.RANSOM_STAGE and s.cards[seat] == 0:  # GR-11.9
        return theft_on(s)
    if s.stage == state.CANCEL:
        return window_on(s, g, seat)
    return 1 - ((ASKED_AGAIN >> s.stage) & 1)


@rule
def answer(s: State, g: Setup, seat: int, move: int) -> int:
    """A move that is no Jerrycan. Return whether somebody must answer before the turn goes on."""
    stage = s.stage
    if stage == state.ACT:
        return act(s, g, seat, move)
    if stage == state.STEP:
        if move == state.HALT:
            return halt(s, seat)
        if move == state.PLAY + state.TRANSPORT:
            return transport(s, g, seat)
        return step(s, g, seat, move - state.SPACE)
    if stage == state.PLACE_SPACE:
        return place(s, g, move - state.SPACE)
    if stage in (state.ARRIVAL, state.DANGER):
        return answer_tile(s, g, seat, move)
    if stage == state.DAMAGE:
        return damage(s, g, seat, move)
    if stage == state.MEND:
        return mend(s, g, seat, move)
    if stage == state.TAKE:
        take(s, seat, move - state.TAKE_CARD)
        s.left -= 1
    elif stage == state.PLANS_STAGE:
        return commit(s, g, seat, move - state.PLAN)
    elif stage == state.DISCARD:
        drop(s, seat, move - state.DROP_CARD)
    elif stage == state.KEEP:
        reject(s, move - state.DROP_CARD)
    elif stage == state.CHOOSE_LEADER:
        choose_leader(s, g, seat, move - state.LEADER)
        return 1
    else:
        return answer_action(s, g, seat, move)
    return 0


@rule
def answer_action(s: State, g: Setup, seat: int, move: int) -> int:
    """A rarer question within an action. Return whether somebody must answer before the turn goes on."""
    stage = s.stage
    if stage == state.SPOT:
        return name_spot(s, g, move - state.SPACE)
    if stage == state.TARGET:
        return name_target(s, g, move - state.SEAT)
    if stage == state.CANCEL:
        return answer_card(s, g, seat, move)
    if stage == state.PLACE_TILE:  # GR-6.8
        s.picked = move - state.TILE
        s.stage = state.PLACE_SPACE
        return 1
    if stage == state.PICK_TILE:
        return pick(s, g, move - state.TILE)
    if stage == state.STOP_SIGN:
        return answer_stop_sign(s, seat, move)
    if stage == state.SPLIT:
        return split(s, g, move)
    if stage == state.TOOLBOX_LEVEL:
        return toolbox(s, g, seat, move)
    if stage == state.CUSTOMS_DISCARD:
        return search(s, seat, move - state.DROP_CARD)
    return answer_theft(s, g, seat, move)


@rule
def go_on(s: State, g: Setup) -> None:
    """GR-3.2 go on until somebody must answer: with the cards drawn, full hands, the action, and the turn.

    GR-10.26 hands come first: a damaged chassis may make its owner discard within an action of others.
    """
    waiting = 0
    while not waiting:
        if s.drawn_size > 0:
            waiting = keep_on(s)
        if not waiting:
            waiting = limit_on(s, g)
        if not waiting:
            if s.phase == state.BIVOUAC:
                waiting = bivouac_on(s, g)
            elif s.action == state.DRIVING:
                waiting = drive_on(s, g)
            elif s.action == state.MENDING:
                waiting = mend_on(s, g)
            elif s.action == state.SEARCHING:
                waiting = search_on(s)
            else:
                waiting = sequence_on(s, g)


@rule
def foreseen(s: State, g: Setup, seat: int, move: int) -> int:
    """GR-4.1 whether the seat can tell all that follows: of everything but a plan, up to the next chance."""
    return int(s.phase != state.PLANNING)


@rule
def outcomes(s: State, g: Setup, out: Row, weights: Row) -> int:
    """At chance: the possible outcomes and their weights; return how many.

    GR-1.6 a tile of the bag; GR-1.8, GR-3.1 a card of the deck; GR-11.5 a card of the victim; the lots.
    """
    if s.stage <= state.DRAW_NUMBER:
        return lot_outcomes(s, g, out, weights)
    n = 0
    if s.stage == state.DRAW_TILE:
        for kind in range(state.TILES):
            out[n] = state.TILE_DRAWN + kind
            weights[n] = s.bag[kind]
            n += int(s.bag[kind] > 0)
        return n
    for kind in range(state.CARDS):
        out[n] = kind
        weights[n] = s.hand[s.target, kind] if s.stage == state.THEFT else s.deck[kind]
        n += int(weights[n] > 0)
    return n


@rule
def run_chance(s: State, g: Setup, rng: Row) -> None:
    """Take all chance that is due from ``rng``, as stepwise ``outcomes`` would."""
    while (BY_CHANCE >> s.stage) & 1:
        apply(s, g, CHANCE, lot(s, g, rng))


@rule
def lot(s: State, g: Setup, rng: Row) -> int:
    """Draw one outcome, by its weight."""
    stage = s.stage
    if stage == state.DRAW_TILE:
        return state.TILE_DRAWN + weighted(rng, s.bag, s.bag_size)
    if stage == state.THEFT:
        return card_by_lot(s, s.target, rng)
    if stage == state.DRAW_FIRST:
        return state.FIRST + below(rng, g.players)
    if stage == state.DRAW_END:
        return state.END + below(rng, g.n_ends)
    if stage == state.DRAW_NUMBER:
        with_one_card = numbers_left(s, g, 1)
        return state.NUMBER + 1 + int(below(rng, with_one_card + numbers_left(s, g, 2)) >= with_one_card)
    return weighted(rng, s.deck, s.deck_size)


@rule
def redeal(s: State, g: Setup, eyes: int, rng: Row, out: Row) -> None:
    """GR-1.5 fill a hidden state again by the weights of chance, subject to what the eyes know (GR-3.3).

    Where a seat that is asked would have no answer it is dealt again: GR-5.10 what it began shows its cards.
    GR-4.1 hidden plans are any plans.
    """
    impossible = 1
    while impossible:
        deal_again(s, g, eyes, rng)
        impossible = 0
        if s.stage != state.PLANS_STAGE and who(s, g) < 1 << CHANCE and s.stage != state.NOTHING:
            impossible = stuck(out, legal(s, g, s.asked, out))
    if s.stage == state.PLANS_STAGE:
        for seat in range(g.players):
            if s.plan[seat] == HIDDEN:
                n = plans(s, seat, out)
                s.plan[seat] = 1 + out[below(rng, n)] - state.PLAN


@rule
def seen(s: State, g: Setup, eyes: int, by: int, move: int) -> int:
    """The move or outcome as ``eyes`` sees it: GR-1.10 one sees a draw, GR-3.4 two see a theft.

    GR-4.1 a committed plan is hidden.
    """
    if s.stage == state.DRAW_CARD:
        owners = 1 << s.turn
    elif s.stage == state.THEFT:
        owners = 1 << s.turn | 1 << s.target
    elif s.stage == state.PLANS_STAGE:
        owners = 1 << by
    else:
        return move
    return move if eyes & owners else HIDDEN


def event_for(g: Setup, eyes: int, event: Event) -> Event | None:
    """How the eyes learn of an event: GR-1.10, GR-3.4 of draws and thefts, but not of which card it was."""
    if event.for_eyes(eyes):
        return event
    return event._replace(c=HIDDEN) if event.code == state.STOLE else event._replace(b=HIDDEN)


@rule
def places(s: State, g: Setup, out: Row) -> None:
    """GR-9.3 the rank of every finisher; GR-9.2 0 for who has not finished."""
    for seat in range(g.players):
        out[seat] = rank(s, g, seat)


@rule
def scores(s: State, g: Setup, out: Row) -> None:
    """GR-9.3 the prestige of every player; GR-9.6 0 for who has not finished."""
    for seat in range(g.players):
        out[seat] = prestige(s, g, seat)
