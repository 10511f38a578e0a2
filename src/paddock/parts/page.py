"""Parts of ``page.py``: the hand of a decision, and tables of points.

The macros in ``web/templates/_cards.html`` and ``_macros.html`` draw them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from paddock.core.errors import BadMove, IllegalMove
from paddock.core.rooms.hands import Choice as Choice
from paddock.core.rooms.hands import Hand as Hand
from paddock.core.rooms.hands import Pad as Pad
from paddock.core.rooms.hands import Plus as Plus
from paddock.core.rooms.hands import Row as Row
from paddock.core.rooms.hands import Way as Way
from paddock.core.rooms.hands import row as row
from paddock.core.title import Seen


def names(faces: Iterable[object]) -> list[str]:
    """Return a name for each card of a hand, also of equal ones: «7», «7-2»."""
    count: Counter[str] = Counter()
    out = []
    for face in map(str, faces):
        count[face] += 1
        out.append(face if count[face] == 1 else f"{face}-{count[face]}")
    return out


def refused(seen: Seen, seat: int, notations: Iterable[str]) -> dict[str, tuple[str, str]]:
    """Return why moves of a seat are not legal: notation → (sentence, clause), without malformed ones."""
    out = {}
    for notation in notations:
        try:
            id = seen.title.text.parse_move(seen.setup, notation).id
            fault = seen.title.refused(seen.state, seen.setup, seat, id)
        except IllegalMove as error:
            fault = error
        except BadMove:
            continue
        if fault:
            out[notation] = (fault.reason, fault.clause)
    return out
