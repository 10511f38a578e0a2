"""The Great Race: standing orders for the windows in which a player may react (GR-10.21), for one race.

``protect``: avoid every danger that a rival's card brings, with a guard, else with Militia; ``guards``: with
a guard only. Cook's free guard comes before an assistant. ``decline``: let it happen. ``pay`` and ``refuse``
answer Red Kate. Each is followed by the number of the race: ``protect in race 1``. The option ``reactions``
gives the first or third to everybody.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from paddock.core.errors import BadMove, brief
from paddock.core.i18n import _, mark
from paddock.core.title import Dropped, Order, Seen
from paddock.games.great_race.rules.state import (
    CANCEL,
    COOK_GUARD,
    DECLINE,
    GUARD,
    MILITIA,
    PAY,
    PLAY,
    RANSOM_STAGE,
    State,
)

_LABELS = {
    "protect": mark("Avoid every danger card of a rival: with a guard, else with Militia"),
    "guards": mark("Avoid every danger card of a rival with a guard, but keep Militia"),
    "decline": mark("Let every danger card of a rival happen"),
    "pay": mark("Pay Red Kate whenever she would steal from you"),
    "refuse": mark("Never pay Red Kate"),
}
_DANGER = {  # the answers of each order, the first legal one counts: Cook's guard is free (GR-11.1)
    "protect": (COOK_GUARD, GUARD, PLAY + MILITIA, DECLINE),
    "guards": (COOK_GUARD, GUARD, DECLINE),
    "decline": (DECLINE,),
}
_KATE = {"pay": PAY, "refuse": DECLINE}
_ORDER = re.compile(rf"({'|'.join(_LABELS)}) in race ([1-9])")


def describe(seen: Seen, seat: int) -> list[Order]:
    """GR-10.20, GR-11.5 all of them while the player is in the race; those for Kate if she may be there."""
    s: State = seen.state
    if s.place[seat]:
        return []
    words = list(_LABELS) if seen.setup.leaders else list(_DANGER)
    return [parse(f"{word} in race {len(seen.rounds) + 1}") for word in words]


def parse(text: str) -> Order:
    """The order of a text; raises ``BadMove``."""
    words = " ".join(text.split())
    match = _ORDER.fullmatch(words)
    if not match:
        raise BadMove(
            _("“{text}” is no order: write one of {words}, as in “protect in race 1”").format(
                text=brief(words), words=", ".join(_LABELS)
            )
        )
    return Order(words, _(_LABELS[match[1]]))


def answer(seen: Seen, seat: int, text: str) -> int | Dropped | None:
    """The move that the order makes now; None where it waits; ``Dropped`` where its race is over."""
    s: State = seen.state
    match = _ORDER.fullmatch(text)
    if not match or int(match[2]) != len(seen.rounds) + 1 or s.place[seat]:
        return Dropped("")
    if seat not in seen.deciders:
        return None
    word = match[1]
    if s.stage == CANCEL and word in _DANGER:
        legal = seen.legal(seat)
        return next(move for move in _DANGER[word] if move in legal)
    if s.stage == RANSOM_STAGE and word in _KATE:
        return _KATE[word]
    return None


def always(seen: Seen, seat: int) -> Sequence[str]:
    """GR-10.21 the orders that the table itself gives to everybody: the option ``reactions``."""
    word = seen.options.reactions  # type: ignore[attr-defined]  # an option of this title
    return [] if word == "ask" else [f"{word} in race {len(seen.rounds) + 1}"]
