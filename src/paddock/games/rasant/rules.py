"""Rasant: what may happen now, and what follows. Nothing else.

A card's kind is ``colour * 13 + speed / 10 - 1``; colours 0 to 3 are those of the cars, 4 is
black, so every kind below BLACK is coloured. A hand is at most six kinds, sorted, then EMPTY.
A move is a kind (play it), ``PASS``, or ``PASS + 1 + kind`` (pass and discard it, RA-5.2).

The line is the cars from the front to the back; cars ``3 * colour`` … are of a colour, the
last is the black one (RA-1.1).
"""

from __future__ import annotations

from typing import Annotated

from paddock.kernel import (
    CHANCE,
    HIDDEN,
    Grid,
    Row,
    below,
    i8,
    i16,
    i64,
    record,
    rule,
    telling,
)

PLAYERS = 5
HAND = 6
SPEEDS = 13
KINDS = 65
BLACK = 52  # the first black kind; those below are coloured
EMPTY = 65  # no card in this place of the hand
COLOURS = 4
NO_COLOUR = 5
CARS = 13
BLACK_CAR = 12

PASS = 65
DISCARD = 66
ACTIONS = DISCARD + KINDS

LINE = 65  # outcomes: a kind, LINE + colour of the next car, DEALER + player
DEALER = LINE + COLOURS
OUTCOMES = DEALER + PLAYERS

MOST_CARDS = 120  # in a deck of the user's own
MAX_SEATS = PLAYERS
MAX_DECISIONS = MOST_CARDS * (PLAYERS + 1)
MAX_EVENTS = 3 * PLAYERS + 8
MIN_SCORE = 0
MAX_SCORE = MOST_CARDS * 24

# Phases
LINING, DEALERS, DEAL, ROUND, DRAW, OVER = range(6)

# Events: (code, a, b, c). All are public; a secret is never told.
LEADS, LED, RAISED, PASSED, WON, MOVED, DREW, RESERVE_EMPTY, FINISHED = range(1, 10)

TELL = telling()


@record
class Setup:
    """What does not change in a game."""

    players: i8
    to_the_last: i8  # 1 where the last player may go on raising (RA-3.4, round_end = all)
    given: i8  # 1 where the line is given (RA-2.1)
    line: Annotated[Row, i8, CARS]  # the given line
    deck: Annotated[Row, i8, KINDS]  # cards of each kind


@record
class State:
    """One game."""

    waiting: i64  # bitmask of the players (or chance) that must decide
    phase: i8
    lined: i8  # cars that stand in the line
    dealer: i8  # HIDDEN before the first game's is drawn by lot (RA-2.2)
    drawing: i8  # who draws now
    leader: i8  # to whom the lead has come (RA-3.8)
    colour: i8  # of the round, NO_COLOUR before a card is led
    top: i8  # the highest card of the round, EMPTY before a card is led
    best: i8  # who played it
    passed: i8  # bitmask of those out of the round
    first: i8  # 1 + who passed first in the round, 0 nobody (RA-3.1)
    reserve: i8
    deck: Annotated[Row, i8, KINDS]  # the reserve, as counts
    suits: Annotated[Row, i8, 5]  # the reserve by colour, where a draw begins to look
    discard: Annotated[Row, i8, KINDS]  # played and discarded
    cards: Annotated[Row, i8, PLAYERS]  # in each hand
    hand: Annotated[Grid, i8, PLAYERS, HAND]
    black: Annotated[Row, i8, PLAYERS]  # so many cards of the hand are known to be black (RA-3.2)
    score: Annotated[Row, i16, PLAYERS]
    line: Annotated[Row, i8, CARS]
    told: i8
    event: Annotated[Grid, i8, MAX_EVENTS, 4]


@rule
def tell(s: State, code: int, a: int, b: int, c: int) -> None:
    """Append an event to what the last ``apply`` told."""
    if TELL:
        n = s.told
        s.event[n, 0] = code
        s.event[n, 1] = a
        s.event[n, 2] = b
        s.event[n, 3] = c
        s.told = n + 1


@rule
def start(s: State, g: Setup) -> None:
    """RA-2 the beginning, before line, dealer and cards; RA-2.3 a full deck every game."""
    s.told = 0
    s.lined = 1
    s.dealer = HIDDEN
    s.drawing = 0
    s.leader = 0
    s.colour = NO_COLOUR
    s.top = EMPTY
    s.best = 0
    s.passed = 0
    s.first = 0
    s.reserve = 0
    for suit in range(5):
        s.suits[suit] = 0
        for speed in range(SPEEDS):
            kind = suit * SPEEDS + speed
            s.deck[kind] = g.deck[kind]
            s.suits[suit] += g.deck[kind]
            s.discard[kind] = 0
        s.reserve += s.suits[suit]
    for player in range(PLAYERS):
        s.cards[player] = 0
        s.black[player] = 0
        s.score[player] = 0
        for i in range(HAND):
            s.hand[player, i] = EMPTY
    for i in range(CARS):
        s.line[i] = g.line[i]
    s.line[0] = BLACK_CAR  # RA-2.1
    s.waiting = 1 << CHANCE
    s.phase = LINING
    if g.given:
        lined_up(s, g)


@rule
def again(s: State, g: Setup) -> None:
    """RA-2.3 the next game of a match, from the end of the one before; RA-5.5 the deal moves left."""
    dealer = left_of(g, s.dealer)
    start(s, g)
    s.dealer = dealer
    if s.phase == DEALERS:
        deals(s, g, dealer)


@rule
def lined_up(s: State, g: Setup) -> None:
    """RA-2.1 the line stands; RA-2.2 the dealer is drawn, unless one is known."""
    s.lined = CARS
    s.phase = DEALERS
    if s.dealer != HIDDEN:
        deals(s, g, s.dealer)


@rule
def deals(s: State, g: Setup, dealer: int) -> None:
    """RA-2.2 the dealer deals, beginning on the left."""
    s.dealer = dealer
    s.drawing = left_of(g, dealer)
    s.phase = DEAL


@rule
def left_of(g: Setup, player: int) -> int:
    """RA-3.3 clockwise: the next player."""
    player += 1
    if player == g.players:
        player = 0
    return player


@rule
def who(s: State, g: Setup) -> int:
    """The players that must decide now, as a bitmask; the chance bit; 0 when the game is over."""
    return s.waiting


@rule
def holds_colour(s: State, player: int) -> int:
    """RA-3.2 whether the hand holds a coloured card: the first in its order is one."""
    return int(s.hand[player, 0] < BLACK)


@rule
def legal(s: State, g: Setup, seat: int, out: Row) -> int:
    """Write the ids of every legal move of ``seat``, which must decide, and return how many.

    RA-3.2 the leader leads any coloured card, and passes only without one; RA-3.3 the others
    play a strictly higher card of the round's colour or black, or pass; RA-5.2 once the
    reserve is empty passing costs a card.
    """
    n = 0
    last = EMPTY
    if s.colour == NO_COLOUR:
        for i in range(HAND):
            kind = s.hand[seat, i]
            out[n] = kind
            n += (kind < BLACK) & (kind != last)
            last = kind
        if n > 0:
            return n
    else:
        base = s.colour * SPEEDS
        high = s.top % SPEEDS + 1
        for i in range(HAND):
            kind = s.hand[seat, i]
            out[n] = kind
            in_colour = (kind >= base + high) & (kind < base + SPEEDS)
            in_black = (kind >= BLACK + high) & (kind < EMPTY)
            n += (in_colour | in_black) & (kind != last)
            last = kind
    if s.reserve > 0:
        out[n] = PASS
        return n + 1
    last = EMPTY
    for i in range(HAND):
        kind = s.hand[seat, i]
        out[n] = DISCARD + kind
        n += (kind < EMPTY) & (kind != last)
        last = kind
    return n


@rule
def put_in(s: State, player: int, kind: int) -> None:
    """A card into a hand, in its place."""
    hand = s.hand
    i = s.cards[player]
    s.cards[player] = i + 1
    while i > 0:
        other = hand[player, i - 1]
        if other <= kind:
            break
        hand[player, i] = other
        i -= 1
    hand[player, i] = kind


@rule
def spend(s: State, player: int, kind: int) -> None:
    """A card out of a hand, face up; a black one uses up what is known of the hand."""
    hand = s.hand
    i = 0
    while hand[player, i] != kind:
        i += 1
    while i < HAND - 1:
        hand[player, i] = hand[player, i + 1]
        i += 1
    hand[player, HAND - 1] = EMPTY
    s.cards[player] -= 1
    s.discard[kind] += 1
    if kind >= BLACK and s.black[player] > 0:
        s.black[player] -= 1


@rule
def draw(s: State, rng: Row) -> int:
    """One card of the reserve; it stays there."""
    suits = s.suits
    deck = s.deck
    x = below(rng, s.reserve)
    suit = 0
    n = suits[0]
    while x >= n:
        x -= n
        suit += 1
        n = suits[suit]
    kind = suit * SPEEDS
    n = deck[kind]
    while x >= n:
        x -= n
        kind += 1
        n = deck[kind]
    return kind


@rule
def take(s: State, player: int, kind: int) -> None:
    """A card from the reserve into a hand."""
    s.deck[kind] -= 1
    s.suits[kind // SPEEDS] -= 1
    s.reserve -= 1
    put_in(s, player, kind)


@rule
def deal(s: State, g: Setup, kind: int) -> None:
    """RA-2.2 the next card of the deal, hand after hand; RA-3.1 the player left of the dealer leads."""
    take(s, s.drawing, kind)
    if s.cards[s.drawing] == HAND:
        if s.drawing == s.dealer:
            begin_round(s, g, left_of(g, s.dealer))
        else:
            s.drawing = left_of(g, s.drawing)


@rule
def refill(s: State, g: Setup, kind: int) -> None:
    """RA-5.1 the next card drawn after an overtaking."""
    take(s, s.drawing, kind)
    tell(s, DREW, s.drawing, 1, 0)
    if s.reserve == 0:
        tell(s, RESERVE_EMPTY, 0, 0, 0)
    find_drawer(s, g)


@rule
def find_drawer(s: State, g: Setup) -> None:
    """RA-5.1, RA-5.6 from the winner clockwise, each draws up to six cards while the reserve lasts."""
    s.waiting = 1 << CHANCE
    while s.reserve > 0:
        if s.cards[s.drawing] < HAND:
            s.phase = DRAW
            return
        s.drawing = left_of(g, s.drawing)
        if s.drawing == s.best:
            break
    begin_round(s, g, s.leader)


@rule
def begin_round(s: State, g: Setup, leader: int) -> None:
    """RA-3.1 a round; RA-5.3 the game ends where nobody holds a card with which to lead."""
    s.colour = NO_COLOUR
    s.top = EMPTY
    s.passed = 0
    s.first = 0
    s.leader = leader
    coloured = 0
    for player in range(g.players):
        coloured |= holds_colour(s, player)
    if not coloured:
        s.phase = OVER
        s.waiting = 0
        for player in range(g.players):
            s.black[player] = s.cards[player]  # the end itself proves it
            if TELL:
                tell(s, FINISHED, player, place_of(s, g, player), 0)
        return
    s.phase = ROUND
    tell(s, LEADS, leader, 0, 0)
    ask(s, g, leader)


@rule
def ask(s: State, g: Setup, player: int) -> int:
    """RA-3.3 the next player in the round decides; RA-3.10 an empty hand passes by itself.

    Returns 1 where such passes end the round, which no card that is not led can.
    """
    while True:
        while (s.passed >> player) & 1:
            player = left_of(g, player)
        if s.colour == NO_COLOUR:
            s.leader = player  # RA-3.8
        if s.cards[player] > 0:
            s.waiting = 1 << player
            return 0
        leave(s, player, EMPTY)
        if round_over(s, g):
            return 1


@rule
def leave(s: State, player: int, discarded: int) -> None:
    """RA-3.3 out of the round; RA-3.1 the first to pass leads the next one."""
    s.passed |= 1 << player
    if s.first == 0:
        s.first = player + 1
    tell(s, PASSED, player, discarded, 0)


@rule
def round_over(s: State, g: Setup) -> int:
    """RA-3.4 once a card is led: all but one have passed, or all where the last may go on raising."""
    if s.colour == NO_COLOUR:  # RA-3.7
        return 0
    left = ((1 << g.players) - 1) & ~s.passed
    if not g.to_the_last:
        left &= left - 1  # one of them may be left
    return int(left == 0)


@rule
def play(s: State, g: Setup, player: int, kind: int) -> None:
    """RA-3.2 a led card sets the colour; RA-3.3 a higher one is now the highest; RA-3.4 a 130 ends it."""
    if s.colour == NO_COLOUR:
        s.colour = kind // SPEEDS
        tell(s, LED, player, kind, 0)
    else:
        tell(s, RAISED, player, kind, 0)
    s.top = kind
    s.best = player
    spend(s, player, kind)
    if kind % SPEEDS == SPEEDS - 1 or round_over(s, g) or ask(s, g, left_of(g, player)):
        overtake(s, g)


@rule
def pass_on(s: State, g: Setup, player: int, move: int) -> None:
    """RA-3.3 pass; RA-5.2 with an empty reserve a card goes, face up."""
    discarded = EMPTY
    if move >= DISCARD:
        discarded = move - DISCARD
        spend(s, player, discarded)
    leave(s, player, discarded)
    if s.colour == NO_COLOUR:
        s.black[player] = s.cards[player]  # RA-3.2 a leader passes only without a coloured card
    if round_over(s, g) or ask(s, g, left_of(g, player)):
        overtake(s, g)


@rule
def overtake(s: State, g: Setup) -> None:
    """RA-4.1 the rearmost car of the colour and all behind it go to the front, the last one first.

    RA-4.2 a point for each, doubled where the black car, which counts nothing, is among them.
    """
    i = CARS - 1
    while s.line[i] // 3 != s.colour:
        i -= 1
    moved = CARS - i
    black = 0
    for j in range(i, CARS):
        black |= int(s.line[j] == BLACK_CAR)
    # Turn the whole line round, then the cars that were overtaken back again.
    reverse(s, 0, CARS - 1)
    reverse(s, moved, CARS - 1)
    points = (moved - black) * (1 + black)
    s.score[s.best] += points
    tell(s, WON, s.best, s.colour, points)
    tell(s, MOVED, moved, black, 0)
    if s.first > 0:
        s.leader = s.first - 1
    else:
        s.leader = left_of(g, s.best)  # RA-3.6
    s.drawing = s.best
    find_drawer(s, g)


@rule
def reverse(s: State, first: int, last: int) -> None:
    """Turn round a stretch of the line."""
    while first < last:
        car = s.line[first]
        s.line[first] = s.line[last]
        s.line[last] = car
        first += 1
        last -= 1


@rule
def apply(s: State, g: Setup, seat: int, move: int) -> None:
    """What follows from a legal move of ``seat``, or from an outcome when ``seat`` is CHANCE."""
    s.told = 0
    if s.phase == ROUND:
        if move < PASS:
            play(s, g, seat, move)
        else:
            pass_on(s, g, seat, move)
    elif s.phase == DRAW:
        refill(s, g, move)
    elif s.phase == DEAL:
        deal(s, g, move)
    elif s.phase == LINING:
        join(s, g, move - LINE)
    else:
        deals(s, g, move - DEALER)


@rule
def cars_of(s: State, colour: int) -> int:
    """How many cars of a colour stand in the line."""
    n = 0
    for i in range(1, s.lined):
        n += int(s.line[i] // 3 == colour)
    return n


@rule
def join(s: State, g: Setup, colour: int) -> None:
    """RA-2.1 the next car of the line is of this colour."""
    s.line[s.lined] = 3 * colour + cars_of(s, colour)
    s.lined += 1
    if s.lined == CARS:
        lined_up(s, g)


@rule
def outcomes(s: State, g: Setup, out: Row, weights: Row) -> int:
    """At chance: the possible outcomes and their weights; returns how many.

    RA-2.1 the colours of the cars not yet in the line; RA-2.2 any dealer; RA-2.2, RA-5.1 a card
    of the reserve.
    """
    n = 0
    if s.phase == LINING:
        for colour in range(COLOURS):
            out[n] = LINE + colour
            weights[n] = 3 - cars_of(s, colour)
            n += weights[n] > 0
    elif s.phase == DEALERS:
        for player in range(g.players):
            out[n] = DEALER + player
            weights[n] = 1
            n += 1
    else:
        for kind in range(KINDS):
            out[n] = kind
            weights[n] = s.deck[kind]
            n += s.deck[kind] > 0
    return n


@rule
def line_up(s: State, g: Setup, rng: Row) -> None:
    """RA-2.1 the rest of the line, drawn as ``outcomes`` and ``join`` do car by car."""
    red, green, blue = 3 - cars_of(s, 0), 3 - cars_of(s, 1), 3 - cars_of(s, 2)
    for i in range(s.lined, CARS):
        x = below(rng, CARS - i)
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
    """Take all chance that is due from ``rng``, as stepwise ``outcomes`` would."""
    s.told = 0
    if s.phase == LINING:
        line_up(s, g, rng)
    if s.phase == DEALERS:
        deals(s, g, below(rng, g.players))
    while s.phase == DEAL:
        deal(s, g, draw(s, rng))
    while s.phase == DRAW:
        s.told = 0
        refill(s, g, draw(s, rng))


@rule
def hide(s: State, g: Setup, eyes: int) -> None:
    """RA-2.2 wipe what the holders of the hands ``eyes`` cannot know: other hands, the reserve."""
    for kind in range(KINDS):
        s.deck[kind] = 0
    for suit in range(5):
        s.suits[suit] = 0
    for player in range(g.players):
        if not (eyes >> player) & 1:
            for i in range(HAND):
                s.hand[player, i] = EMPTY


@rule
def unseen(s: State, g: Setup, eyes: int) -> None:
    """Make the reserve all that the eyes have not seen: the deck less their hands and the open cards."""
    s.reserve = 0
    for suit in range(5):
        s.suits[suit] = 0
        for speed in range(SPEEDS):
            kind = suit * SPEEDS + speed
            s.deck[kind] = g.deck[kind] - s.discard[kind]
            s.suits[suit] += s.deck[kind]
        s.reserve += s.suits[suit]
    for player in range(g.players):
        if (eyes >> player) & 1:
            for i in range(s.cards[player]):
                kind = s.hand[player, i]
                s.deck[kind] -= 1
                s.suits[kind // SPEEDS] -= 1
                s.reserve -= 1


@rule
def redeal(s: State, g: Setup, eyes: int, rng: Row, out: Row) -> None:
    """Fill a hidden state again by the weights of chance, subject to what is known.

    RA-3.2 what a forced pass has shown to be black is black; RA-5.3, RA-3.7 while no card is led
    somebody still in the round holds a coloured one.
    """
    while True:
        unseen(s, g, eyes)
        for player in range(g.players):
            if not (eyes >> player) & 1:
                count = s.cards[player]
                s.cards[player] = 0
                for i in range(HAND):
                    s.hand[player, i] = EMPTY
                out[player] = count
        for player in range(g.players):
            if not (eyes >> player) & 1:
                for _ in range(s.black[player]):
                    x = below(rng, s.suits[4])
                    kind = BLACK
                    while x >= s.deck[kind]:
                        x -= s.deck[kind]
                        kind += 1
                    take(s, player, kind)
        for player in range(g.players):
            if not (eyes >> player) & 1:
                for _ in range(out[player] - s.black[player]):
                    take(s, player, draw(s, rng))
        if s.phase != ROUND or s.colour != NO_COLOUR:
            return
        for player in range(g.players):
            if not (s.passed >> player) & 1 and holds_colour(s, player):
                return


@rule
def seen(s: State, g: Setup, eyes: int, by: int, move: int) -> int:
    """The move or outcome as ``eyes`` sees it: a card dealt or drawn is its player's alone (RA-2.2)."""
    if (s.phase == DEAL or s.phase == DRAW) and not (eyes >> s.drawing) & 1:
        return HIDDEN
    return move


@rule
def place_of(s: State, g: Setup, player: int) -> int:
    """RA-5.4 the place, from 1; a tie is shared."""
    place = 1
    for other in range(g.players):
        if s.score[other] > s.score[player]:
            place += 1
    return place


@rule
def places(s: State, g: Setup, out: Row) -> None:
    """RA-5.4 the place of every player."""
    for player in range(g.players):
        out[player] = place_of(s, g, player)


@rule
def scores(s: State, g: Setup, out: Row) -> None:
    """RA-4.2 the points of every player."""
    for player in range(g.players):
        out[player] = s.score[player]
