"""Skerries: how cards move, which fills in partial records (``paddock.records.room``)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from paddock.core.words import CHANCE
from skerries.sailing import KINDS, PLAY, YIELD, Setup, State

DECK, PILE = -1, -2  # SK-3.2 the pile: the cards that lie open


def passes(g: Setup, by: int, heading: str, what: int) -> Sequence[tuple[int, int, int]]:
    """(card, from, to) of an entry: SK-3.1 a draw, SK-3.3 a card that is played, SK-4.3 a theft."""
    if by != CHANCE:
        return [(what - PLAY, by, PILE)] if PLAY <= what < YIELD else []
    found = re.fullmatch(r"draw (\d)|theft (\d) (\d)", heading)
    if not found:
        return []
    if found[1]:
        return [(what, DECK, int(found[1]) - 1)]
    return [(what, int(found[2]) - 1, int(found[3]) - 1)]


def cards(s: State, g: Setup, place: int) -> Sequence[int]:
    """SK-3.1 the cards of a hand, SK-3.2 or of the pile."""
    counts = [s.open[kind] if place == PILE else s.held[place, kind] for kind in range(KINDS)]
    return [kind for kind in range(KINDS) for _ in range(counts[kind])]
