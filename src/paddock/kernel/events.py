"""What the rules tell of what happens, beside the state and never in it.

``tell(s, CODE, a, b, c, eyes)`` tells an event. In the plain life it is appended to ``s.events``, which is
None where nobody listens. A compiled state has no room for events, and ``tell`` compiles to nothing; only the
telling compiled life, which tests use, has a buffer behind the record.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from paddock.core.words import PUBLIC
from paddock.kernel.mode import compiling, rule, telling

TELL = telling()  # ``if TELL:`` spares a life that does not tell the work that only a tell needs

if compiling():

    @rule
    def tell(s: Any, code: int, a: int = 0, b: int = 0, c: int = 0, eyes: int = PUBLIC) -> None:
        """Write an event into the buffer; what finds no room there is only counted."""
        if TELL:
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
        """Tell an event; ``eyes`` is the bitmask of the seats that saw it whole, PUBLIC: everybody."""
        if s.events is not None:
            s.events.append((code, a, b, c, eyes))


def with_events(dtype: np.dtype[Any], most: int) -> np.dtype[Any]:
    """``dtype`` with room for ``most`` events in ``event``, and their count in ``n_events``."""
    fields = [(name, dtype[name]) for name in dtype.names or ()]
    return np.dtype([*fields, ("n_events", "i4"), ("event", "i4", (most, 5))], align=True)


def events_of(s: Any) -> list[tuple[int, ...]]:
    """The events in the buffer of a telling compiled life."""
    return [tuple(row) for row in s["event"][: s["n_events"]].tolist()]
