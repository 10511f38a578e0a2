"""Riders: how hidden cards of a record are filled in. Hands are passed on, so they are places."""

from collections.abc import Mapping, Sequence
from typing import Any

from paddock.kernel import CHANCE
from riders.rules import HAND, KINDS, MAX_SEATS

DECK, PLAYED = -1, -3


def journeys(g: Any, lines: Sequence[Any]) -> Mapping[tuple[int, int], Sequence[tuple[int, int, int]]]:
    """RI-1.2, RI-2.3 cards go to the first hand with too few; RI-2.2, RI-2.4 and leave the hands."""
    moved, cards, turn, chosen = {}, [0] * g.riders, 0, 0
    for at, (by, _heading, whats) in enumerate(lines):
        for i, what in enumerate(whats):
            if by == CHANCE:
                seat = next((seat for seat in range(g.riders) if cards[seat] < HAND), 0)
                cards[seat] += 1
                moved[at, i] = [(what, DECK, _hand(g, seat, turn))]
            else:
                moved[at, i] = [(what, _hand(g, by, turn), PLAYED)]
                cards[by], chosen = cards[by] - 1, chosen + 1
                turn, chosen = (turn + 1, 0) if chosen == g.riders else (turn, chosen)
    return moved


def cards(s: Any, g: Any, place: int) -> Sequence[int]:
    """The cards of a hand, or of the deck."""
    if place == DECK:
        return [kind for kind in range(KINDS) for _ in range(s.deck[kind])]
    if place < MAX_SEATS:
        return []
    holder = (place - MAX_SEATS + g.draft * s.turn) % g.riders
    return [kind for kind in range(KINDS) for _ in range(s.hand[holder, kind])]


def _hand(g: Any, seat: int, turn: int) -> int:
    """The place of the hand that a rider has in a turn."""
    return MAX_SEATS + (seat - g.draft * turn) % g.riders
