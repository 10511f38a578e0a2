"""Rasant: what a player sees in few numbers, the input of *Champion*: relative to the player and the line.

The colours are ranked: the colour of the round is the first, then those whose rearmost car is further back,
so that a network need not learn the same thing for each colour. All numbers are from −1 to 1. Each block is
written from ``n`` on and returns where the next one begins.
"""

from __future__ import annotations

from paddock.games.rasant.bots.features import LEAD
from paddock.games.rasant.bots.policy import EAGER, black_place, hurt, points, rear
from paddock.games.rasant.rules import state
from paddock.games.rasant.rules.rounds import ends, is_higher, points_of
from paddock.games.rasant.rules.state import (
    BLACK,
    CARS,
    COLOURS,
    MOST_WON,
    NO_COLOUR,
    SPEEDS,
    Setup,
    State,
)
from paddock.kernel import Floats, field, rule, share

PLAYER = 8  # numbers in the block ``players`` for each player
COLOUR = 6  # numbers in the block ``colours`` for each colour
OFTEN = 4  # cards that a player has played, or passes; more are counted as so many
MANY = 12  # cards that beat another one; more are counted as so many


@rule
def rank(s: State, colour: int) -> int:
    """Return the rank of a colour, from 0; 4 is black."""
    if colour == COLOURS or s.lined < CARS:
        return colour
    if colour == s.colour:
        return 0
    before = 0 if s.colour == NO_COLOUR else 1 << s.colour  # bitmask of the colours with lower ranks
    i = CARS - 1
    while s.line[i] // 3 != colour:
        before |= 1 << s.line[i] // 3
        i -= 1
    n = 0
    for other in range(COLOURS):
        n += (before >> other) & 1
    return n


@rule
def left(s: State, g: Setup, seat: int, first: int, end: int) -> int:
    """Return how many cards of the kinds from ``first`` to before ``end`` are in other hands or in the
    reserve."""
    n = 0
    for kind in range(first, end):
        n += g.deck[kind] - s.discard[kind]
    for i in range(s.cards[seat]):
        n -= int(first <= s.hand[seat, i] < end)
    return n


@rule
def beaten(s: State, g: Setup, seat: int, colour: int, speed: int) -> int:
    """Return how many unseen cards beat one of this speed in a round of this colour (RA-3.3)."""
    if ends(g, speed):
        return 0
    n = left(s, g, seat, BLACK + speed + g.black_by, BLACK + SPEEDS)
    if colour < COLOURS:
        n += left(s, g, seat, colour * SPEEDS + speed + g.raise_by, (colour + 1) * SPEEDS)
    return n


@rule
def hand(s: State, g: Setup, seat: int, out: Floats, n: int) -> int:
    """1 for each card in the own hand, by rank of its colour, then black, each from 10 to 130; then for each
    of these cards how many unseen cards beat it, of 12, and 0 for a card that the hand does not have. A black
    card counts as one of the round's colour."""
    for i in range(s.cards[seat]):
        kind = s.hand[seat, i]
        colour = kind // SPEEDS
        at = n + rank(s, colour) * SPEEDS + kind % SPEEDS
        out[at] = 1
        suit = s.colour if colour == COLOURS and s.colour != NO_COLOUR else colour
        out[at + state.KINDS] = share(beaten(s, g, seat, suit, kind % SPEEDS), MANY)
    return n + 2 * state.KINDS


@rule
def holds(s: State, g: Setup, seat: int, higher: int, unseen: int) -> float:
    """Return the chance that nobody beats a card which ``higher`` of all ``unseen`` cards beat, as *Club*
    estimates it."""
    sure = 1.0
    if higher > 0:
        for k in range(1, g.players):
            rival = (seat + k) % g.players
            if not (s.passed >> rival) & 1:
                lacks = 1.0
                for _ in range(s.cards[rival]):
                    lacks *= 1 - higher / unseen
                sure *= 1 - EAGER * (1 - lacks)
    return sure


@rule
def chances(s: State, g: Setup, seat: int, out: Floats, n: int) -> int:
    """For each card that can be led or played, as in the block before: the chance that nobody beats it; then
    the points that it wins or leaves to another, of 24."""
    if s.phase == state.ROUND:
        unseen = 0
        for kind in range(state.KINDS):
            unseen += g.deck[kind] - s.discard[kind]
        unseen -= s.cards[seat]
        for i in range(s.cards[seat]):
            kind = s.hand[seat, i]
            colour = kind // SPEEDS
            speed = kind % SPEEDS
            leads = s.colour == NO_COLOUR and colour < COLOURS
            follows = s.colour != NO_COLOUR and (colour == COLOURS or colour == s.colour)
            if leads or (follows and is_higher(s, g, kind)):
                suit = colour if leads else s.colour
                sure = holds(s, g, seat, beaten(s, g, seat, suit, speed), unseen)
                won = points(s, g, suit)
                at = n + rank(s, colour) * SPEEDS + speed
                out[at] = sure
                worth = (sure * won - (1 - sure) * hurt(g, won)) / MOST_WON
                out[at + state.KINDS] = max(-1.0, min(1.0, worth))
    return n + 2 * state.KINDS


@rule
def turned(s: State, g: Setup, colour: int, first: int, black: int) -> int:
    """Return the points of a colour after an overtaking that begins at the place ``first`` (RA-4.1); the
    black car is at the place ``black`` now."""
    moved = CARS - first
    black = CARS - 1 - black if black >= first else black + moved
    car = 3 * colour  # the first of three
    i = first - 1
    while i >= 0 and (s.line[i] < car or s.line[i] >= car + 3):
        i -= 1
    place = i + moved
    if i < 0:  # all cars of the colour are at the front, in reverse order
        i = first
        while s.line[i] < car or s.line[i] >= car + 3:
            i += 1
        place = CARS - 1 - i
    return points_of(g, CARS - place, black >= place)


@rule
def colours(s: State, g: Setup, seat: int, out: Floats, n: int) -> int:
    """For each colour by rank: cars that move if it wins, of 13; 1 if the black car is among them; the
    points, of 24 (RA-4.2); unseen cards of the colour, of 13; its points after the colour of the round, or
    the first one, has won; the points of the best colour after this one has won, each of 24."""
    if s.lined == CARS:
        first = CARS - 1
        black = black_place(s)
        for colour in range(COLOURS):
            if rank(s, colour) == 0:
                first = rear(s, colour)
        for colour in range(COLOURS):
            at = n + COLOUR * rank(s, colour)
            place = rear(s, colour)
            moves = black >= place
            out[at] = (CARS - place) / CARS
            out[at + 1] = moves
            out[at + 2] = share(points_of(g, CARS - place, moves), MOST_WON)
            unseen = left(s, g, seat, colour * SPEEDS, (colour + 1) * SPEEDS)
            out[at + 3] = share(unseen, SPEEDS)
            out[at + 4] = share(turned(s, g, colour, first, black), MOST_WON)
            best = 0
            for other in range(COLOURS):
                best = max(best, turned(s, g, other, place, black))
            out[at + 5] = share(best, MOST_WON)
    return n + COLOUR * COLOURS


@rule
def line(s: State, g: Setup, seat: int, out: Floats, n: int) -> int:
    """For each place of the line from the front, one-hot: the rank of its car's colour; the fifth is
    black (RA-1.1)."""
    if s.lined == CARS:
        for colour in range(COLOURS + 1):
            place = rank(s, colour)
            for i in range(CARS):
                if s.line[i] // 3 == colour:
                    out[n + 5 * i + place] = 1
    return n + 5 * CARS


@rule
def trick(s: State, g: Setup, seat: int, out: Floats, n: int) -> int:
    """1 if a card is led; the speed of the highest card, of 130; 1 if it is black; unseen cards that beat it,
    of 12; own cards that do, of 6; players still in the round, of 5."""
    if s.phase == state.ROUND and s.colour != NO_COLOUR:
        speed = s.top % SPEEDS
        out[n] = 1
        out[n + 1] = (speed + 1) / SPEEDS
        out[n + 2] = s.top >= BLACK
        out[n + 3] = share(beaten(s, g, seat, s.colour, speed), MANY)
        own = 0
        for i in range(s.cards[seat]):
            kind = s.hand[seat, i]
            own += int((kind >= BLACK or kind // SPEEDS == s.colour) and is_higher(s, g, kind))
        out[n + 4] = own / state.HAND
    for player in range(g.players):
        out[n + 5] += (1 - ((s.passed >> player) & 1)) / state.PLAYERS
    return n + 6


@rule
def reserve(s: State, g: Setup, seat: int, out: Floats, n: int) -> int:
    """Cards in the reserve, of 56; 1 if it is empty, so that passing costs a card (RA-5.2); unseen black
    cards, of 8."""
    out[n] = share(s.reserve, 56)
    out[n + 1] = s.reserve == 0
    out[n + 2] = share(left(s, g, seat, BLACK, BLACK + SPEEDS), 8)
    return n + 3


@rule
def players(s: State, g: Setup, seat: int, out: Floats, n: int) -> int:
    """For each player, the own one first: 1 if there is one; points more than the own player's, of 50, below
    0 if fewer; cards in the hand, of 6; those known to be black, of 6 (RA-3.2); 1 for who has passed, leads
    (RA-3.8), has played the highest card, and passed first (RA-3.1)."""
    for k in range(g.players):
        player = (seat + k) % g.players
        at = n + PLAYER * k
        out[at] = 1
        out[at + 1] = share(s.score[player] - s.score[seat], LEAD)
        out[at + 2] = s.cards[player] / state.HAND
        out[at + 3] = s.black[player] / state.HAND
        if s.phase == state.ROUND:
            out[at + 4] = (s.passed >> player) & 1
            out[at + 5] = s.leader == player
            out[at + 6] = s.colour != NO_COLOUR and s.best == player
            out[at + 7] = s.first == player + 1
    return n + PLAYER * state.PLAYERS


@rule
def past(s: State, g: Setup, seat: int, out: Floats, n: int) -> int:
    """For each player, the own one first: for each colour by rank, then black, the cards played with speeds
    up to 50, to 100 and to 130, and those discarded (RA-5.2); then for each colour by rank the passes in its
    rounds, each of 4; and the speed of the highest card at the last of them, of 130, 0 for none (RA-3.3)."""
    for suit in range(COLOURS + 1):
        place = rank(s, suit)
        for k in range(g.players):
            player = (seat + k) % g.players
            at = n + state.PAST * k
            for band in range(state.BANDS):
                count = s.past[player, state.PLAYED + state.BANDS * suit + band]
                out[at + state.PLAYED + state.BANDS * place + band] = share(count, OFTEN)
            out[at + state.DISCARDED + place] = share(s.past[player, state.DISCARDED + suit], OFTEN)
            if suit < COLOURS:
                out[at + state.PASSES + place] = share(s.past[player, state.PASSES + suit], OFTEN)
                out[at + state.REFUSED + place] = s.past[player, state.REFUSED + suit] / SPEEDS
    return n + state.PAST * state.PLAYERS


FIELDS = (
    field(hand, 2 * state.KINDS),
    field(chances, 2 * state.KINDS),
    field(colours, COLOUR * COLOURS),
    field(line, 5 * CARS),
    field(trick, 6),
    field(reserve, 3),
    field(players, PLAYER * state.PLAYERS),
    field(past, state.PAST * state.PLAYERS),
)
SHORT_FEATURES = sum(block.size for block in FIELDS)
PRESENT_FEATURES = SHORT_FEATURES - FIELDS[-1].size
OUTPUTS = state.DISCARD + state.KINDS


@rule
def observe_short(s: State, g: Setup, seat: int, out: Floats) -> None:
    """Write what the player ``seat`` sees to ``out``: SHORT_FEATURES zeros. ``FIELDS`` says what each number
    is."""
    n = hand(s, g, seat, out, 0)
    n = chances(s, g, seat, out, n)
    n = colours(s, g, seat, out, n)
    n = line(s, g, seat, out, n)
    n = trick(s, g, seat, out, n)
    n = reserve(s, g, seat, out, n)
    n = players(s, g, seat, out, n)
    past(s, g, seat, out, n)


@rule
def secured(s: State, g: Setup, seat: int) -> float:
    """Return how many points the player has more than all players on average: no round takes them away."""
    total = 0
    for player in range(g.players):
        total += s.score[player]
    return s.score[seat] - total / g.players


@rule
def output(s: State, g: Setup, seat: int, move: int) -> int:
    """Return the output of a network for a move: its id, with the rank of its colour in place of the
    colour."""
    if move == state.PASS:
        return move
    base = state.DISCARD if move >= state.DISCARD else 0
    kind = move - base
    return base + rank(s, kind // SPEEDS) * SPEEDS + kind % SPEEDS
