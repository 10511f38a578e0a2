"""Rasant: what a player sees, as numbers for a network, relative to that player.

All numbers are from −1 to 1. Blocks with a part for each player begin with the player who is asked, and go on
clockwise; parts of players who are not there are 0.
"""

from __future__ import annotations

from paddock.games.rasant.rules import state
from paddock.games.rasant.rules.rounds import points_of
from paddock.games.rasant.rules.state import Setup, State
from paddock.kernel import Floats, field, rule, share

COPIES = 2  # of a kind of card; more are counted as so many
MANY = 100  # points; more are counted as so many
LEAD = 50  # the same for the difference of two scores
PLAYER = 11  # numbers in the block ``players`` for each player


@rule
def hand(s: State, g: Setup, seat: int, out: Floats, n: int) -> int:
    """Cards of each kind in the own hand, of 2: red, green, blue, yellow and black, each from 10 to 130."""
    for i in range(s.cards[seat]):
        kind = s.hand[seat, i]
        same = 1 + int(i > 0 and s.hand[seat, i - 1] == kind)  # the hand is sorted
        out[n + kind] = same / COPIES
    return n + state.KINDS


@rule
def unseen(s: State, g: Setup, seat: int, out: Floats, n: int) -> int:
    """Cards of each kind in other hands or in the reserve, of 2, in the same order."""
    i = 0
    for kind in range(state.KINDS):
        left = g.deck[kind] - s.discard[kind]
        while i < s.cards[seat] and s.hand[seat, i] == kind:
            left -= 1
            i += 1
        out[n + kind] = share(left, COPIES)
    return n + state.KINDS


@rule
def line(s: State, g: Setup, seat: int, out: Floats, n: int) -> int:
    """For each place of the line from the front, one-hot: red, green, blue, yellow, black (RA-1.1)."""
    for i in range(s.lined):
        out[n + 5 * i + s.line[i] // 3] = 1
    return n + 5 * state.CARS


@rule
def wins(s: State, g: Setup, seat: int, out: Floats, n: int) -> int:
    """For each colour if it wins the round now: cars that move, of 13; 1 if the black car is among them; the
    points, of 24 (RA-4.1, RA-4.2)."""
    if s.lined == state.CARS:
        black = 0
        rearmost_found = 0  # bitmask of the colours whose rearmost car is found
        for i in range(state.CARS - 1, -1, -1):
            colour = s.line[i] // 3
            if s.line[i] == state.BLACK_CAR:
                black = 1
            elif (rearmost_found >> colour) & 1 == 0:
                rearmost_found |= 1 << colour
                at = n + 3 * colour
                out[at] = (state.CARS - i) / state.CARS
                out[at + 1] = black
                out[at + 2] = share(points_of(g, state.CARS - i, black), state.MOST_WON)
    return n + 3 * state.COLOURS


@rule
def highest(s: State, g: Setup, seat: int, out: Floats, n: int) -> int:
    """One-hot: the colour of the round; then of its highest card the speed, of 130, and 1 if it is black
    (RA-3.3). All 0 before a card is led."""
    if s.phase == state.ROUND and s.colour != state.NO_COLOUR:
        out[n + s.colour] = 1
        out[n + state.COLOURS] = (s.top % state.SPEEDS + 1) / state.SPEEDS
        out[n + state.COLOURS + 1] = s.top >= state.BLACK
    return n + state.COLOURS + 2


@rule
def reserve(s: State, g: Setup, seat: int, out: Floats, n: int) -> int:
    """Cards in the reserve, of 120; 1 if it is empty, so that passing costs a card (RA-5.2)."""
    out[n] = s.reserve / state.MOST_CARDS
    out[n + 1] = s.reserve == 0
    return n + 2


@rule
def players(s: State, g: Setup, seat: int, out: Floats, n: int) -> int:
    """For each player: 1 if there is one; points, of 100; how many more than the own player's, of 50, below 0
    if fewer; cards in the hand, of 6; those known to be black, of 6 (RA-3.2); then 1 for who must decide, has
    passed, leads (RA-3.8), has played the highest card, passed first (RA-3.1), and is the dealer."""
    in_round = s.phase == state.ROUND
    for k in range(g.players):
        player = (seat + k) % g.players
        at = n + PLAYER * k
        out[at] = 1
        out[at + 1] = share(s.score[player], MANY)
        out[at + 2] = share(s.score[player] - s.score[seat], LEAD)
        out[at + 3] = s.cards[player] / state.HAND
        out[at + 4] = s.black[player] / state.HAND
        out[at + 5] = (s.waiting >> player) & 1
        if in_round:
            out[at + 6] = (s.passed >> player) & 1
            out[at + 7] = s.leader == player
            out[at + 8] = s.colour != state.NO_COLOUR and s.best == player
            out[at + 9] = s.first == player + 1
        out[at + 10] = s.dealer == player and s.phase != state.OVER
    return n + PLAYER * state.PLAYERS


@rule
def options(s: State, g: Setup, seat: int, out: Floats, n: int) -> int:
    """Players, of 5; cards of the deck, of 120 (RA-1.2); 1 if the last player may keep raising (RA-3.4)."""
    cards = 0
    for kind in range(state.KINDS):
        cards += g.deck[kind]
    out[n] = g.players / state.PLAYERS
    out[n + 1] = cards / state.MOST_CARDS
    out[n + 2] = g.to_the_last
    return n + 3


FIELDS = (
    field(hand, state.KINDS),
    field(unseen, state.KINDS),
    field(line, 5 * state.CARS),
    field(wins, 3 * state.COLOURS),
    field(highest, state.COLOURS + 2),
    field(reserve, 2),
    field(players, PLAYER * state.PLAYERS),
    field(options, 3),
)
FEATURES = sum(block.size for block in FIELDS)


@rule
def observe(s: State, g: Setup, seat: int, out: Floats) -> None:
    """Write what the player ``seat`` sees to ``out``: FEATURES zeros. ``FIELDS`` says what each number is."""
    n = hand(s, g, seat, out, 0)
    n = unseen(s, g, seat, out, n)
    n = line(s, g, seat, out, n)
    n = wins(s, g, seat, out, n)
    n = highest(s, g, seat, out, n)
    n = reserve(s, g, seat, out, n)
    n = players(s, g, seat, out, n)
    options(s, g, seat, out, n)
