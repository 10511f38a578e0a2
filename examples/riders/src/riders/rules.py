"""Riders: what may happen now, and what follows."""

from typing import Annotated

from paddock.kernel import CHANCE, Begins, Grid, Hidden, Row, i8, record, rule, tell, undecided

MAX_SEATS, KINDS, COPIES, HAND = 4, 5, 8, 4
ACTIONS, OUTCOMES, MIN_SCORE, MAX_SCORE = KINDS, KINDS, 0, 64
MAX_DECISIONS = KINDS * COPIES
REVEALED, MOVED, DREW = 1, 2, 3


@record
class Setup:
    """RI-1.1 the options."""

    riders: i8
    length: i8


@record
class State:
    """RI-1 a stage."""

    over: i8
    left: Annotated[i8, Begins(KINDS * COPIES)]  # cards of the deck; of which kinds, ``deck`` says
    deck: Annotated[Row, i8, KINDS, Begins(COPIES)]
    hand: Annotated[Grid, i8, MAX_SEATS, KINDS, Hidden("riders", deck="deck", count="cards")]
    cards: Annotated[Row, i8, MAX_SEATS]
    chosen: Annotated[Row, i8, MAX_SEATS, Hidden("riders", choice=True)]
    at: Annotated[Row, i8, MAX_SEATS]


@rule
def drawing(s: State, g: Setup) -> int:
    """RI-1.2, RI-2.3 the rider who gets the next card, −1 if all have theirs."""
    for seat in range(g.riders):
        if s.cards[seat] < HAND:
            return seat
    return -1


@rule
def who(s: State, g: Setup) -> int:
    """RI-2.1 all riders who have not chosen."""
    if s.over:
        return 0
    if drawing(s, g) >= 0:
        return 1 << CHANCE
    return undecided(s.chosen, g.riders)


@rule
def why_not(s: State, g: Setup, seat: int, move: int) -> int:
    """RI-2.1 a rider plays a card of its hand."""
    return int(s.hand[seat, move] == 0)


@rule
def apply(s: State, g: Setup, seat: int, move: int) -> None:
    """RI-2 a card is dealt or chosen."""
    if seat == CHANCE:
        to = drawing(s, g)
        s.deck[move] -= 1
        s.left -= 1
        s.hand[to, move] += 1
        s.cards[to] += 1
        s.over = int(s.left == 0)
        tell(s, DREW, to, move + 1, 0, 1 << to)
        return
    s.chosen[seat] = move + 1
    if who(s, g) == 0:
        for one in range(g.riders):
            tell(s, REVEALED, one, s.chosen[one])
        ride(s, g)


@rule
def ride(s: State, g: Setup) -> None:
    """RI-2.2 who is alone with a card moves; RI-3.1 at the finish the stage ends."""
    for one in range(g.riders):
        same = 0
        for other in range(g.riders):
            same += int(s.chosen[other] == s.chosen[one])
        if same == 1:
            s.at[one] += s.chosen[one]
            tell(s, MOVED, one, s.at[one])
        if s.at[one] >= g.length:
            s.over = 1
    for one in range(g.riders):
        s.hand[one, s.chosen[one] - 1] -= 1
        s.cards[one] -= 1
        s.chosen[one] = 0


@rule
def scores(s: State, g: Setup, out: Row) -> None:
    """RI-3.2 the steps."""
    for seat in range(g.riders):
        out[seat] = s.at[seat]
