"""Rules about choices that several seats make at the same time."""

from __future__ import annotations

from paddock.kernel.mode import rule
from paddock.kernel.record import Row


@rule
def undecided(chosen: Row, seats: int) -> int:
    """Return the bitmask of those of the first ``seats`` seats that have chosen nothing yet: 0 in the row."""
    waiting = 0
    for seat in range(seats):
        waiting |= int(chosen[seat] == 0) << seat
    return waiting
