"""LACORSA: what a reader of partial records must know about hands; see ``paddock.records.fill``."""

from __future__ import annotations

import re
from collections.abc import Sequence

from paddock.games.lacorsa.rules import DISCARD, EXTEND, KINDS, Setup
from paddock.games.lacorsa.text import cards_of


def stock(g: Setup) -> Sequence[int]:
    """LC-1.2, LC-1.3 how many cards of each kind there are."""
    return [g.deck[kind] for kind in range(KINDS)]


def owner(heading: str) -> int | None:
    """LC-1.2 the seat whose hand gets what chance decides under ``heading``; None for a lot."""
    found = re.fullmatch(r"deal ([1-9]\d?)", heading)
    return int(found[1]) - 1 if found else None


def uses(move: int) -> tuple[int, ...]:
    """LC-5.5 the cards that a move takes out of the hand."""
    return (move - EXTEND + 1,) if move >= EXTEND else cards_of(move % DISCARD)
