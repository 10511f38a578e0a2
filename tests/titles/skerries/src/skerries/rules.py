"""Skerries: what may happen now, and what follows. The last module of the rules, with the whole contract."""

from __future__ import annotations

from paddock.core.log import Event
from paddock.kernel import CHANCE, HIDDEN, Row, rule, tell
from skerries import cards, refusals, sailing
from skerries.chart import HARBOUR
from skerries.sailing import Setup, State

ACTIONS = sailing.ROB + sailing.SEATS
OUTCOMES = sailing.DIE + 6
MAX_SEATS = sailing.SEATS
MAX_DECISIONS = 12 * sailing.SEATS * 26  # a turn: 18 steps, 5 cards, a robbery and its answer, the stop
MAX_EVENTS = sailing.SEATS + 1  # the last stop of a race, and every boat that has not arrived
MIN_SCORE, MAX_SCORE = 0, 3


@rule
def start(s: State, g: Setup) -> None:
    """SK-1.2 all boats lie at the quay, with no cards; SK-1.3 the whole deck is face down."""
    s.day = 1
    s.arrived = 0
    s.left = sailing.KINDS * g.copies
    for kind in range(sailing.KINDS):
        s.deck[kind] = g.copies
        s.open[kind] = 0
    for seat in range(sailing.SEATS):
        s.at[seat] = g.quay
        s.place[seat] = 0
        s.cards[seat] = 0
        for kind in range(sailing.KINDS):
            s.held[seat, kind] = 0
            for knower in range(sailing.SEATS):
                s.known[sailing.SEATS * knower + seat, kind] = 0
    sailing.begin_turn(s, 0)


@rule
def who(s: State, g: Setup) -> int:
    """The skipper that must decide now, as a bitmask; the chance bit; 0 when the race is over."""
    if s.phase == sailing.SAIL:
        return 1 << s.turn
    if s.phase == sailing.ASKED:
        return 1 << s.victim
    return int(s.phase != sailing.OVER) << CHANCE


@rule
def why_not(s: State, g: Setup, seat: int, move: int) -> int:
    """SK-4.2 who is robbed drops anchor or yields, and only then; SK-2.4 a turn may end at any time."""
    answer = move == sailing.PLAY + sailing.ANCHOR or move == sailing.YIELD
    if answer != (s.phase == sailing.ASKED):
        return refusals.NOT_ASKED if answer else refusals.ASKED_NOW
    if move < sailing.STOP:
        return sailing.why_not_step(s, g, move)
    if sailing.PLAY <= move < sailing.YIELD:
        return cards.why_not_play(s, seat, move - sailing.PLAY)
    return cards.why_not_rob(s, g, move - sailing.ROB) if move >= sailing.ROB else refusals.LEGAL


@rule
def foreseen(s: State, g: Setup, seat: int, move: int) -> int:
    """Whether the seat can predict all that follows: a step without a draw (SK-2.3), a card (SK-3.3)."""
    if move < sailing.STOP:
        return 1 - cards.surprises(s, g, g.beside[s.at[seat], move])
    return int(move == sailing.PLAY + sailing.GUST or move == sailing.PLAY + sailing.PILOT)


@rule
def apply(s: State, g: Setup, seat: int, move: int) -> None:
    """Apply a legal move of ``seat``, or an outcome if ``seat`` is CHANCE."""
    if seat == CHANCE:
        if move >= sailing.DIE:
            sailing.roll(s, move - sailing.DIE + 1)
        elif s.phase == sailing.DRAW:
            cards.draw(s, move)
        else:
            cards.steal(s, move)
    elif move < sailing.STOP:
        sailing.step(s, g, move)
        if s.phase == sailing.SAIL and g.land[s.at[seat]] == HARBOUR:
            cards.enter_harbour(s)
    elif move == sailing.STOP:  # SK-2.4
        tell(s, sailing.STOPPED, seat)
        sailing.end_turn(s, g)
    elif move < sailing.YIELD:
        cards.play(s, seat, move - sailing.PLAY)
    elif move == sailing.YIELD:
        cards.yields(s)
    else:
        cards.rob(s, move - sailing.ROB)


@rule
def outcomes(s: State, g: Setup, out: Row, weights: Row) -> int:
    """SK-2.2 a die; SK-3.1 a card of the deck; SK-4.3 a card of the hand that is robbed."""
    if s.phase == sailing.ROLL:
        for pip in range(6):
            out[pip] = sailing.DIE + pip
            weights[pip] = 1
        return 6
    n = 0
    for kind in range(sailing.KINDS):
        out[n] = kind
        weights[n] = cards.weight(s, kind)
        n += int(weights[n] > 0)
    return n


@rule
def hide(s: State, g: Setup, eyes: int) -> None:
    """SK-3.1, SK-4.3 wipe the deck, and the hands and memories of all skippers except the eyes."""
    for kind in range(sailing.KINDS):
        s.deck[kind] = 0
        for seat in range(sailing.SEATS):
            if not (eyes >> seat) & 1:
                s.held[seat, kind] = 0
                for holder in range(sailing.SEATS):
                    s.known[sailing.SEATS * seat + holder, kind] = 0


@rule
def redeal(s: State, g: Setup, eyes: int, rng: Row, out: Row) -> None:
    """Fill a hidden state again by the weights of chance, subject to what the eyes remember (SK-4.4)."""
    cards.deal_again(s, g, eyes, rng)


@rule
def seen(s: State, g: Setup, eyes: int, by: int, move: int) -> int:
    """The move or outcome as ``eyes`` sees it: SK-3.1 one sees a draw, SK-4.3 two see a theft."""
    if s.phase == sailing.DRAW and not (eyes >> s.turn) & 1:
        return HIDDEN
    if s.phase == sailing.THEFT and not ((eyes >> s.turn) | (eyes >> s.victim)) & 1:
        return HIDDEN
    return move


def event_for(g: Setup, eyes: int, event: Event) -> Event | None:
    """What the eyes learn of an event. SK-3.1, SK-4.3 draws and thefts are public, their card is not."""
    if event.for_eyes(eyes):
        return event
    return event._replace(b=HIDDEN) if event.code == sailing.DREW else event._replace(c=HIDDEN)


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
