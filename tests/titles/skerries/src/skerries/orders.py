"""Skerries: standing orders for a boat that is robbed (SK-4.2): ``anchor in race 1``, ``yield in race 1``."""

from __future__ import annotations

import re

from paddock.core.errors import BadMove
from paddock.core.i18n import _
from paddock.core.title import Dropped, Order, Seen
from skerries.sailing import ANCHOR, ASKED, PLAY, YIELD, State

_ORDER = re.compile(r"(anchor|yield) in race ([1-9]\d?)")


def describe(seen: Seen, seat: int) -> list[Order]:
    """SK-4.2 both orders, as long as the boat can be robbed."""
    if seen.state.place[seat]:
        return []
    return [parse(f"{word} in race {len(seen.rounds) + 1}") for word in ("anchor", "yield")]


def parse(text: str) -> Order:
    """Return the order of a text. Raises ``BadMove``."""
    words = " ".join(text.split())
    found = _ORDER.fullmatch(words)
    if not found:
        raise BadMove(
            _("“{text}” is not an order: write “anchor in race 1” or “yield in race 1”").format(
                text=words[:48]
            )
        )
    if found[1] == "anchor":
        return Order(words, _("Drop anchor whenever this boat is robbed; yield if there is no anchor"))
    return Order(words, _("Yield whenever this boat is robbed, and keep the anchors"))


def answer(seen: Seen, seat: int, text: str) -> int | Dropped | None:
    """Return the move that the order makes now; None if it waits; ``Dropped`` if it no longer applies."""
    s: State = seen.state
    found = _ORDER.fullmatch(text)
    if not found or int(found[2]) != len(seen.rounds) + 1 or s.place[seat]:
        return Dropped("")
    if s.phase != ASKED or seat not in seen.deciders:
        return None
    return PLAY + ANCHOR if found[1] == "anchor" and s.held[seat, ANCHOR] else YIELD
