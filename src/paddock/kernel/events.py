"""Events: what the rules report about a move. They are not part of the state.

``tell(s, CODE, a, b, c, eyes)`` reports an event; codes are from 0 to ``CODES`` − 1. In plain mode it is
appended to ``s.events``, unless that is None. In compiled mode ``tell`` compiles to nothing. Only tests,
studies and ``paddock invariants`` load the compiled mode with events, whose records have a buffer for them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from paddock.core.errors import OutOfBounds
from paddock.core.words import PUBLIC
from paddock.kernel.mode import compiling, rule, telling

if TYPE_CHECKING:
    import numpy as np

CODES = 64  # the most kinds of events of a title
TELL = telling()  # use ``if TELL:`` around work that only events need

if compiling():

    @rule
    def tell(s: Any, code: int, a: int = 0, b: int = 0, c: int = 0, eyes: int = PUBLIC) -> None:
        """Write an event to the buffer; if it is full, only count the event."""
        if TELL:
            if code < 0 or code >= CODES:
                raise OutOfBounds("CODES", code + 1, CODES)
            n = s.n_events
            if n < s.event.shape[0]:
                s.event[n, 0] = code
                s.event[n, 1] = a
                s.event[n, 2] = b
                s.event[n, 3] = c
                s.event[n, 4] = eyes
            s.n_events = n + 1

else:

    def tell(s: Any, code: int, a: int = 0, b: int = 0, c: int = 0, eyes: int = PUBLIC) -> None:
        """Report an event; ``eyes`` is the bitmask of the seats that saw all of it, or PUBLIC."""
        if s.events is not None:
            if code < 0 or code >= CODES:
                raise OutOfBounds("CODES", code + 1, CODES)
            s.events.append((code, a, b, c, eyes))


def with_events(dtype: np.dtype[Any], most: int) -> np.dtype[Any]:
    """Extend ``dtype`` by a buffer ``event`` for ``most`` events and a counter ``n_events``."""
    import numpy as np  # imported late: plain mode does not need it

    fields = [(name, dtype[name]) for name in dtype.names or ()]
    return np.dtype([*fields, ("n_events", "i4"), ("event", "i4", (most, 5))], align=True)


def events_of(s: Any) -> list[tuple[int, ...]]:
    """Return the events in the buffer of a compiled record."""
    return [tuple(row) for row in s["event"][: s["n_events"]].tolist()]
