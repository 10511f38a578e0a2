"""LACORSA: how partial records are counted; see ``paddock.records.room``."""

from __future__ import annotations

import re
from collections.abc import Sequence

from paddock.games.lacorsa.state import DISCARD, EXTEND, KINDS, PIT, TAKE, Setup
from paddock.games.lacorsa.text import cards_of


def stock(g: Setup) -> Sequence[int]:
    """LC-1.2, LC-1.3, LX-1.2 how many cards of each kind there are."""
    return [g.deck[kind] for kind in range(KINDS)]


def owner(g: Setup, heading: str) -> int | None:
    """The seat whose hand gets what chance decides under ``heading``; None for a lot or a die.

    LC-1.2 a card dealt, LX-2.1 a card of a pit stop.
    """
    found = re.fullmatch(r"(?:deal|pit) ([1-9]\d?)", heading)
    return int(found[1]) - 1 if found else None


def reopens(g: Setup, heading: str) -> bool:
    """LX-2.1 whether the cards under ``heading`` come from the open pile, where all have seen them."""
    return heading.startswith("pit ")


def uses(g: Setup, move: int) -> tuple[int, ...]:
    """LC-5.5 the cards that a move takes out of the hand."""
    if move >= PIT:
        return ()
    return (move - EXTEND + 1,) if move >= EXTEND else cards_of(move % DISCARD)


def gains(g: Setup, move: int) -> tuple[int, ...]:
    """LX-2.1 the cards that a move brings into the hand from the open pile."""
    return (move - TAKE,) if move >= TAKE else ()
