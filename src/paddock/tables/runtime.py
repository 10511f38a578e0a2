"""What tables take from outside, and tests replace: time, ids, seeds, and the pauses of bots.

There are three times, and each has one use:

- ``now`` is the date. It follows the clock of the machine, also when that is set: for what people read, what
  is stored, and what other programs compare (the day of a race, chats, calendars, signatures that end).
- ``elapsed`` only goes forward, and counts the sleep of the machine: for what other programs wait for, such
  as the lease of a server, or how long a token is trusted that others may revoke.
- ``served`` goes forward while the server runs: for what is charged to people, such as clocks and grace
  periods. Time in which nobody could be answered is charged to nobody: a machine that sleeps, a process that
  is stopped, a loop that is stuck, as well as the time between two servers.
"""

from __future__ import annotations

import asyncio
import ctypes
import logging
import secrets
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from functools import partial
from threading import Lock
from typing import Protocol

from paddock.core.title import Seen

log = logging.getLogger("paddock.tables")
_UNSYNCHRONISED = 5  # TIME_ERROR of adjtimex(2)
SHORTEST, LONGEST = 0.6, 1.6  # seconds that a bot takes at human pace
BEAT = 1.0  # seconds between two signs that the loop runs
STILL = 3.0  # seconds without one, after which it did not run


def clock_is_kept() -> bool | None:
    """Return whether something keeps the clock right, such as NTP; None if the system does not say."""
    try:
        state = ctypes.CDLL(None).adjtimex(ctypes.create_string_buffer(512))  # of zeros: it changes nothing
    except (AttributeError, OSError, TypeError):  # only Linux has it
        return None
    return None if state < 0 else state != _UNSYNCHRONISED


def clock_that_counts_sleep() -> Callable[[], float]:
    """Return a clock that only goes forward and counts the sleep of the machine, if the machine has one.

    On macOS that is CLOCK_MONOTONIC, which Python's own ``monotonic`` is not. A system may have the name of a
    clock, and not the clock.
    """
    for name in ("CLOCK_BOOTTIME", "CLOCK_MONOTONIC"):
        with suppress(AttributeError, OSError):
            clock = partial(time.clock_gettime, getattr(time, name))
            clock()
            return clock
    return time.monotonic


_elapsed = clock_that_counts_sleep()


class MoveChooser(Protocol):
    """Chooses moves for bots; implemented by ``paddock.bots.BotPool``."""

    async def choose(self, level: str, seen: Seen, seat: int, legal: Sequence[int], seed: int) -> int:
        """Return the bot's move, one of ``legal``."""

    def close(self) -> None:
        """Stop the workers."""


class Runtime:
    """Real time and real randomness. Tests use their own subclass."""

    still = STILL
    _turn = Lock()  # long pages are rendered in threads, and show clocks
    _seen: float | None = None  # ``elapsed`` when the loop was last seen to run
    _missed = 0.0  # seconds in which it did not

    def now(self) -> datetime:
        """Return the date and time in UTC."""
        return datetime.now(UTC)

    def elapsed(self) -> float:
        """Return the seconds on a clock that only goes forward, also while the machine sleeps."""
        return _elapsed()

    def served(self) -> float:
        """Return the seconds in which this server has run. Call it at least every ``BEAT`` seconds."""
        with self._turn:
            now = self.elapsed()
            gap = 0.0 if self._seen is None else now - self._seen
            self._seen = now
            if gap > self.still:
                self._missed += gap
                log.warning("this server did not run for %.1f seconds: they are charged to nobody", gap)
            return now - self._missed

    def synchronised(self) -> bool:
        """Whether something keeps the clock of the machine right, as far as the system says."""
        return clock_is_kept() is not False

    async def sleep(self, seconds: float) -> None:
        """Sleep."""
        await asyncio.sleep(seconds)

    def pause(self) -> float:
        """Return the seconds that a bot waits; the distribution is the same for every decision."""
        return SHORTEST + (LONGEST - SHORTEST) * secrets.randbelow(1 << 32) / (1 << 32)

    def table_id(self) -> str:
        """Return a random id of 96 bits for a new table."""
        return secrets.token_urlsafe(12)

    def prefers(self, id: str) -> bool:
        """Whether this server rather than another one should have a table that none has."""
        return True

    def bot_seed(self) -> int:
        """Return a random seed of 63 bits for one decision of a bot."""
        return secrets.randbits(63)
