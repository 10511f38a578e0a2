"""LACORSA: how a page puts a move together from a hand, and what it shows of an event. Plain data for the web."""

from __future__ import annotations

from collections.abc import Mapping

from paddock.core.game import Seen
from paddock.core.i18n import _
from paddock.games.lacorsa.rules import DISCARDED, EXTENDED, KINDS, REDLINE, REVEALED, ROAD
from paddock.games.lacorsa.text import card, cards_of, face

Event = tuple[int, int, int, int]


def marks(seen: Seen) -> Mapping[str, str]:
    """What can be done with a chosen card: the first sign of the move's notation, and the button's word."""
    if seen.state.phase == ROAD:
        return {"^": _("Extend"), "x": _("Discard")}
    return {"": _("Commit")}


def cards(seen: Seen, seat: int) -> list[tuple[str, str]]:
    """The hand of ``seat`` as choices, each kind once: the middle of a move's notation, and the card's name."""
    held = seen.state.hand
    return [(card(k), face(k)) for k in (*range(1, KINDS), REDLINE) if held[seat, k]]


def extras(seen: Seen, seat: int) -> Mapping[str, str]:
    """What can be added to a card: the end of the notation, and its name."""
    return {"+R": _("add a Redline: +2")} if seen.state.hand[seat, REDLINE] else {}


def turned(event: Event) -> tuple[int, tuple[int, ...]] | None:
    """The seat that shows cards with this event, and their kinds; None where no card is shown."""
    code, seat, what, _worth = event
    if code in (REVEALED, DISCARDED):
        return seat, cards_of(what)
    if code == EXTENDED:
        return seat, (what,)
    return None


def waits(seen: Seen) -> bool:
    """Whether the decision that is open is one where all are revealed together."""
    return bool(seen.state.phase != ROAD)
