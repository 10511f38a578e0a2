"""Skerries: what may happen now, and what follows. The last module of the rules, with the whole contract."""

from __future__ import annotations

from paddock.core.log import Event
from paddock.kernel import CHANCE, HIDDEN, Row, rule, tell
from skerries.cards import (
    can_rob,
    deal_again,
    draw,
    enter_harbour,
    play,
    rob,
    steal,
    surprises,
    weight,
    yields,
)
from skerries.chart import HARBOUR
from skerries.sailing import (
    ANCHOR,
    ASKED,
    DIE,
    DRAW,
    DREW,
    GUST,
    KINDS,
    OVER,
    PILOT,
    PLAY,
    ROB,
    ROLL,
    SAIL,
    SEATS,
    STOP,
    STOPPED,
    THEFT,
    YIELD,
    Setup,
    State,
    begin_turn,
    can_step,
    end_turn,
    roll,
    step,
)

ACTIONS = ROB + SEATS
OUTCOMES = DIE + 6
MAX_SEATS = SEATS
MAX_DECISIONS = 12 * SEATS * 26  # a turn: at most 18 steps, 5 cards, a robbery and its answer, the stop
MAX_EVENTS = SEATS + 1  # the last stop of a race, and every boat that has not arrived
MIN_SCORE, MAX_SCORE = 0, 3


@rule
def start(s: State, g: Setup) -> None:
    """SK-1.2 all boats lie at the quay, with no cards; SK-1.3 the whole deck is face down."""
    s.day = 1
    s.arrived = 0
    s.left = KINDS * g.copies
    for kind in range(KINDS):
        s.deck[kind] = g.copies
        s.open[kind] = 0
    for seat in range(SEATS):
        s.at[seat] = g.quay
        s.place[seat] = 0
        s.cards[seat] = 0
        for kind in range(KINDS):
            s.held[seat, kind] = 0
            for knower in range(SEATS):
                s.known[SEATS * knower + seat, kind] = 0
    begin_turn(s, 0)


@rule
def who(s: State, g: Setup) -> int:
    """The skipper that must decide now, as a bitmask; the chance bit; 0 when the race is over."""
    if s.phase == SAIL:
        return 1 << s.turn
    if s.phase == ASKED:
        return 1 << s.victim
    return int(s.phase != OVER) << CHANCE


@rule
def legal(s: State, g: Setup, seat: int, out: Row) -> int:
    """Write the ids of every legal move of ``seat``, which must decide, and return how many."""
    n = 0
    if s.phase == ASKED:  # SK-4.2
        out[n] = PLAY + ANCHOR
        n += int(s.held[seat, ANCHOR] > 0)
        out[n] = YIELD
        return n + 1
    for way in range(6):
        out[n] = way
        n += can_step(s, g, way)
    out[n] = STOP
    n += 1
    out[n] = PLAY + GUST
    n += int(s.held[seat, GUST] > 0)
    out[n] = PLAY + PILOT
    n += int(s.held[seat, PILOT] > 0 and s.piloted == 0)
    for other in range(g.skippers):
        out[n] = ROB + other
        n += can_rob(s, g, other)
    return n


@rule
def foreseen(s: State, g: Setup, seat: int, move: int) -> int:
    """Whether the seat can predict all that follows: a step without a draw (SK-2.3), a card (SK-3.3)."""
    if move < STOP:
        return 1 - surprises(s, g, g.beside[s.at[seat], move])
    return int(move == PLAY + GUST or move == PLAY + PILOT)


@rule
def apply(s: State, g: Setup, seat: int, move: int) -> None:
    """Apply a legal move of ``seat``, or an outcome if ``seat`` is CHANCE."""
    if seat == CHANCE:
        if move >= DIE:
            roll(s, move - DIE + 1)
        elif s.phase == DRAW:
            draw(s, move)
        else:
            steal(s, move)
    elif move < STOP:
        step(s, g, move)
        if s.phase == SAIL and g.land[s.at[seat]] == HARBOUR:
            enter_harbour(s)
    elif move == STOP:  # SK-2.4
        tell(s, STOPPED, seat)
        end_turn(s, g)
    elif move < YIELD:
        play(s, seat, move - PLAY)
    elif move == YIELD:
        yields(s)
    else:
        rob(s, move - ROB)


@rule
def outcomes(s: State, g: Setup, out: Row, weights: Row) -> int:
    """SK-2.2 a die; SK-3.1 a card of the deck; SK-4.3 a card of the hand that is robbed."""
    if s.phase == ROLL:
        for pip in range(6):
            out[pip] = DIE + pip
            weights[pip] = 1
        return 6
    n = 0
    for kind in range(KINDS):
        out[n] = kind
        weights[n] = weight(s, kind)
        n += int(weights[n] > 0)
    return n


@rule
def hide(s: State, g: Setup, eyes: int) -> None:
    """SK-3.1, SK-4.3 wipe the deck, and the hands and memories of all skippers except the eyes."""
    for kind in range(KINDS):
        s.deck[kind] = 0
        for seat in range(SEATS):
            if not (eyes >> seat) & 1:
                s.held[seat, kind] = 0
                for holder in range(SEATS):
                    s.known[SEATS * seat + holder, kind] = 0


@rule
def redeal(s: State, g: Setup, eyes: int, rng: Row, out: Row) -> None:
    """Fill a hidden state again by the weights of chance, subject to what the eyes remember (SK-4.4)."""
    deal_again(s, g, eyes, rng)


@rule
def seen(s: State, g: Setup, eyes: int, by: int, move: int) -> int:
    """The move or outcome as ``eyes`` sees it: SK-3.1 one sees a draw, SK-4.3 two see a theft."""
    if s.phase == DRAW and not (eyes >> s.turn) & 1:
        return HIDDEN
    if s.phase == THEFT and not ((eyes >> s.turn) | (eyes >> s.victim)) & 1:
        return HIDDEN
    return move


def event_for(g: Setup, eyes: int, event: Event) -> Event | None:
    """What the eyes learn of an event. SK-3.1, SK-4.3 draws and thefts are public, their card is not."""
    if event.for_eyes(eyes):
        return event
    return event._replace(b=HIDDEN) if event.code == DREW else event._replace(c=HIDDEN)


@rule
def places(s: State, g: Setup, out: Row) -> None:
    """SK-5.1 the place of every boat; SK-5.3 0 where it has not arrived."""
    for seat in range(g.skippers):
        out[seat] = s.place[seat]


@rule
def scores(s: State, g: Setup, out: Row) -> None:
    """SK-5.3 the first three places score 3, 2 and 1."""
    for seat in range(g.skippers):
        out[seat] = 0
        if s.place[seat] > 0:
            out[seat] = 4 - s.place[seat]
