"""Skerries: standing orders for a boat that is robbed (SK-4.2): ``anchor in race 1``, ``yield in race 1``."""

from __future__ import annotations

import re

from paddock.core.errors import BadMove
from paddock.core.i18n import _
from paddock.core.title import Dropped, Order, Seen
from skerries.sailing import ANCHOR, ASKED, PLAY, YIELD, State

_ORDER = re.compile(r"(anchor|yield) in race ([1-9]\d?)")


def describe(seen: Seen, seat: int) -> list[Order]:
    """SK-4.2 both, for as long as the boat can be robbed."""
    if seen.state.place[seat]:
        return []
    return [parse(f"{word} in race {len(seen.rounds) + 1}") for word in ("anchor", "yield")]


def parse(text: str) -> Order:
    """The order of a text; raises ``BadMove``."""
    words = " ".join(text.split())
    found = _ORDER.fullmatch(words)
    if not found:
        raise BadMove(
            _("«{text}» is no order: write «anchor in race 1» or «yield in race 1»").format(text=words[:48])
        )
    if found[1] == "anchor":
        return Order(words, _("Drop anchor whenever this boat is robbed; without an anchor, yield"))
    return Order(words, _("Yield whenever this boat is robbed, and keep the anchors"))


def answer(seen: Seen, seat: int, text: str) -> int | Dropped | None:
    """The move that the order makes now; None where it waits; ``Dropped`` where it no longer fits."""
    s: State = seen.state
    found = _ORDER.fullmatch(text)
    if not found or int(found[2]) != len(seen.rounds) + 1 or s.place[seat]:
        return Dropped("")
    if s.phase != ASKED or seat not in seen.deciders:
        return None
    return PLAY + ANCHOR if found[1] == "anchor" and s.held[seat, ANCHOR] else YIELD
