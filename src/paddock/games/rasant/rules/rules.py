"""Rasant: the kernel contract: legal moves, chance, and their effects.

Rounds are in rounds.py, hands in hands.py, constants in state.py.
"""

from __future__ import annotations

from paddock.games.rasant.rules import refusals, state
from paddock.games.rasant.rules.hands import draw, holds_colour, take, why_not_held
from paddock.games.rasant.rules.rounds import (
    cars_of,
    deal,
    deals,
    ends,
    join,
    left_of,
    lined_up,
    pass_on,
    place_of,
    play,
    refill,
    why_not_pass,
    why_not_play,
)
from paddock.games.rasant.rules.state import Setup, State
from paddock.kernel import CHANCE, HIDDEN, Row, below, rule

ACTIONS = state.DISCARD + state.KINDS
OUTCOMES = state.DEALER + state.PLAYERS
MAX_SEATS = state.PLAYERS
MAX_DECISIONS = state.MOST_CARDS * (state.PLAYERS + 1)
MAX_EVENTS = (state.HAND + 3) * state.PLAYERS + 8  # every hand may be drawn anew (RA-5.1)
MIN_SCORE = 0
MAX_SCORE = state.MOST_CARDS * ((state.CARS - 1) * 3 * 4 + 9)  # the highest numbers of RA-4.2


@rule
def start(s: State, g: Setup) -> None:
    """RA-2 set up the game, before line, dealer and cards; RA-2.3 with a full deck."""
    s.lined = 1
    s.dealer = HIDDEN
    s.drawing = 0
    s.leader = 0
    s.colour = state.NO_COLOUR
    s.top = state.EMPTY
    s.best = 0
    s.passed = 0
    s.first = 0
    s.reserve = 0
    for suit in range(5):
        s.suits[suit] = 0
        for speed in range(state.SPEEDS):
            kind = suit * state.SPEEDS + speed
            s.deck[kind] = g.deck[kind]
            s.suits[suit] += g.deck[kind]
            s.discard[kind] = 0
        s.reserve += s.suits[suit]
    for player in range(state.PLAYERS):
        s.cards[player] = 0
        s.black[player] = 0
        s.score[player] = 0
        for i in range(state.HAND):
            s.hand[player, i] = state.EMPTY
        for i in range(state.PAST):
            s.past[player, i] = 0
    for i in range(state.CARS):
        s.line[i] = g.line[i]
    s.line[0] = state.BLACK_CAR  # RA-2.1
    s.waiting = 1 << CHANCE
    s.phase = state.LINING
    if g.given:
        lined_up(s, g)


@rule
def again(s: State, g: Setup) -> None:
    """RA-2.3 set up the next game, from the end of the last one; RA-5.5 the deal moves left."""
    dealer = left_of(g, s.dealer)
    start(s, g)
    s.dealer = dealer
    if s.phase == state.DEALERS:
        deals(s, g, dealer)


@rule
def who(s: State, g: Setup) -> int:
    """Return the bitmask of the players that must decide, or the chance bit; 0 when the game is over."""
    return s.waiting


@rule
def legal(s: State, g: Setup, seat: int, out: Row) -> int:
    """Write the ids of every legal move of ``seat``, which must decide, and return how many.

    RA-3.2, RA-3.3, RA-5.2 they are those that ``why_not`` lets pass. The cards are listed by hand, for
    speed: in a hand, which is sorted, the same cards are side by side.
    """
    n = 0
    last = state.EMPTY
    if s.colour == state.NO_COLOUR:
        for i in range(state.HAND):
            kind = s.hand[seat, i]
            out[n] = kind
            n += (kind < state.BLACK) & (kind != last)
            last = kind
    else:
        base = s.colour * state.SPEEDS
        least = base + s.top % state.SPEEDS + g.raise_by
        least_black = state.BLACK + s.top % state.SPEEDS + g.black_by
        for i in range(state.HAND):
            kind = s.hand[seat, i]
            out[n] = kind
            in_colour = (kind >= least) & (kind < base + state.SPEEDS)
            in_black = (kind >= least_black) & (kind < state.EMPTY)
            n += (in_colour | in_black) & (kind != last)
            last = kind
    if why_not_pass(s, g, seat, state.PASS) == refusals.LEGAL:
        out[n] = state.PASS
        return n + 1
    if why_not_pass(s, g, seat, state.DISCARD) == refusals.LEGAL:
        last = state.EMPTY
        for i in range(state.HAND):
            kind = s.hand[seat, i]
            out[n] = state.DISCARD + kind
            n += (kind < state.EMPTY) & (kind != last)
            last = kind
    return n


@rule
def why_not(s: State, g: Setup, seat: int, move: int) -> int:
    """Return the code of the first reason that forbids a move, or LEGAL."""
    if move >= state.PASS:
        passing = why_not_pass(s, g, seat, move)
        if passing != refusals.LEGAL or move == state.PASS:
            return passing
        return why_not_held(s, seat, move - state.DISCARD)
    reason = why_not_held(s, seat, move)
    return reason if reason != refusals.LEGAL else why_not_play(s, g, move)


@rule
def apply(s: State, g: Setup, seat: int, move: int) -> None:
    """Apply a legal move of ``seat``, or a chance outcome if ``seat`` is CHANCE."""
    if s.phase == state.ROUND:
        if move < state.PASS:
            play(s, g, seat, move)
        else:
            pass_on(s, g, seat, move)
    elif s.phase == state.DRAW:
        refill(s, g, move)
    elif s.phase == state.DEAL:
        deal(s, g, move)
    elif s.phase == state.LINING:
        join(s, g, move - state.LINE)
    else:
        deals(s, g, move - state.DEALER)


@rule
def foreseen(s: State, g: Setup, seat: int, move: int) -> int:
    """RA-3.4 return 1 if the last player in the round keeps raising: nothing is secret then."""
    if g.to_the_last == 0 or move >= state.PASS or ends(g, move) or s.cards[seat] == 1:
        return 0
    for player in range(g.players):
        if player != seat and (s.passed >> player) & 1 == 0 and s.cards[player] > 0:
            return 0
    return 1


@rule
def outcomes(s: State, g: Setup, out: Row, weights: Row) -> int:
    """Write the possible outcomes of chance and their weights, and return how many.

    RA-2.1 the colour of the next car; RA-2.2 a dealer; RA-2.2, RA-5.1 a card of the reserve.
    """
    n = 0
    if s.phase == state.LINING:
        for colour in range(state.COLOURS):
            out[n] = state.LINE + colour
            weights[n] = 3 - cars_of(s, colour)
            n += weights[n] > 0
    elif s.phase == state.DEALERS:
        for player in range(g.players):
            out[n] = state.DEALER + player
            weights[n] = 1
            n += 1
    else:
        for kind in range(state.KINDS):
            out[n] = kind
            weights[n] = s.deck[kind]
            n += s.deck[kind] > 0
    return n


@rule
def line_up(s: State, g: Setup, rng: Row) -> None:
    """RA-2.1 draw the rest of the line, the same as ``outcomes`` and ``join`` do car by car."""
    red, green, blue = 3 - cars_of(s, 0), 3 - cars_of(s, 1), 3 - cars_of(s, 2)
    for i in range(s.lined, state.CARS):
        x = below(rng, state.CARS - i)
        if x < red:
            red -= 1
            car = 2 - red
        elif x < red + green:
            green -= 1
            car = 5 - green
        elif x < red + green + blue:
            blue -= 1
            car = 8 - blue
        else:
            car = i - 1 + red + green + blue
        s.line[i] = car
    lined_up(s, g)


@rule
def run_chance(s: State, g: Setup, rng: Row) -> None:
    """Take all chance that is due from ``rng``, with the same distribution as ``outcomes``."""
    if s.phase == state.LINING:
        line_up(s, g, rng)
    if s.phase == state.DEALERS:
        deals(s, g, below(rng, g.players))
    while s.phase == state.DEAL:
        deal(s, g, draw(s, rng))
    while s.phase == state.DRAW:
        refill(s, g, draw(s, rng))


@rule
def unseen(s: State, g: Setup, eyes: int) -> None:
    """Make the reserve all unseen cards: the deck without the hands of the eyes and the discard pile."""
    s.reserve = 0
    for suit in range(5):
        s.suits[suit] = 0
        for speed in range(state.SPEEDS):
            kind = suit * state.SPEEDS + speed
            s.deck[kind] = g.deck[kind] - s.discard[kind]
            s.suits[suit] += s.deck[kind]
        s.reserve += s.suits[suit]
    for player in range(g.players):
        if (eyes >> player) & 1:
            for i in range(s.cards[player]):
                kind = s.hand[player, i]
                s.deck[kind] -= 1
                s.suits[kind // state.SPEEDS] -= 1
                s.reserve -= 1


@rule
def redeal(s: State, g: Setup, eyes: int, rng: Row, out: Row) -> None:
    """Fill a hidden state again as chance deals cards, subject to what is known.

    RA-3.2 cards known to be black are black; RA-5.3, RA-3.7 while no card is led, a player still in the round
    has a coloured card.
    """
    while True:
        unseen(s, g, eyes)
        for player in range(g.players):
            if not (eyes >> player) & 1:
                count = s.cards[player]
                s.cards[player] = 0
                for i in range(state.HAND):
                    s.hand[player, i] = state.EMPTY
                out[player] = count
        for player in range(g.players):
            if not (eyes >> player) & 1:
                for _ in range(s.black[player]):
                    x = below(rng, s.suits[4])
                    kind = state.BLACK
                    while x >= s.deck[kind]:
                        x -= s.deck[kind]
                        kind += 1
                    take(s, player, kind)
        for player in range(g.players):
            if not (eyes >> player) & 1:
                for _ in range(out[player] - s.black[player]):
                    take(s, player, draw(s, rng))
        if s.phase != state.ROUND or s.colour != state.NO_COLOUR:
            return
        for player in range(g.players):
            if not (s.passed >> player) & 1 and holds_colour(s, player):
                return


@rule
def seen(s: State, g: Setup, eyes: int, by: int, move: int) -> int:
    """Return the move or outcome as ``eyes`` see it: only its player sees a card dealt or drawn (RA-2.2)."""
    if (s.phase == state.DEAL or s.phase == state.DRAW) and not (eyes >> s.drawing) & 1:
        return HIDDEN
    return move


@rule
def places(s: State, g: Setup, out: Row) -> None:
    """RA-5.4 write the place of every player."""
    for player in range(g.players):
        out[player] = place_of(s, g, player)


@rule
def scores(s: State, g: Setup, out: Row) -> None:
    """RA-4.2 write the points of every player."""
    for player in range(g.players):
        out[player] = s.score[player]
