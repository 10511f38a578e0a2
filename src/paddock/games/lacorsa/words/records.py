"""LACORSA: how partial records are checked and completed; see ``paddock.core.rooms.records``."""

from __future__ import annotations

import re
from collections.abc import Sequence

from paddock.games.lacorsa.rules.state import DISCARD, EXTEND, KINDS, PIT, TAKE, Setup
from paddock.games.lacorsa.words.text import cards_of


def stock(g: Setup) -> Sequence[int]:
    """Return how many cards of each kind there are (LC-1.2, LC-1.3, LX-1.2)."""
    return [g.deck[kind] for kind in range(KINDS)]


def owner(g: Setup, heading: str) -> int | None:
    """Return the seat that gets the card under ``heading``; None if it is no card.

    LC-1.2 a dealt card, LX-2.1 a card of a pit stop.
    """
    match = re.fullmatch(r"(?:deal|pit) ([1-9]\d?)", heading)
    return int(match[1]) - 1 if match else None


def reopens(g: Setup, heading: str) -> bool:
    """LX-2.1 return whether the cards under ``heading`` come from the discard pile, which is public."""
    return heading.startswith("pit ")


def uses(g: Setup, move: int) -> tuple[int, ...]:
    """LC-5.5 return the cards that leave the hand with a move."""
    if move >= PIT:
        return ()
    return (move - EXTEND + 1,) if move >= EXTEND else cards_of(move % DISCARD)


def gains(g: Setup, move: int) -> tuple[int, ...]:
    """LX-2.1 return the cards that come into the hand from the discard pile with a move."""
    return (move - TAKE,) if move >= TAKE else ()
