"""What tables take from outside, and tests replace: time, ids, seeds, and the pauses of bots."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Protocol

from paddock.core.title import Seen

_BOOT: int | None = getattr(time, "CLOCK_BOOTTIME", None)
SHORTEST, LONGEST = 0.6, 1.6  # seconds that a bot takes at human pace


class MoveChooser(Protocol):
    """Chooses moves for bots; implemented by ``paddock.bots.BotPool``."""

    async def choose(self, level: str, seen: Seen, seat: int, legal: Sequence[int], seed: int) -> int:
        """Return the bot's move, one of ``legal``."""

    def close(self) -> None:
        """Stop the workers."""


class Runtime:
    """Real time and real randomness. Tests use their own subclass."""

    def __init__(self) -> None:
        self._start = datetime.now(UTC) - timedelta(seconds=self.elapsed())

    def now(self) -> datetime:
        """Return the date and time in UTC.

        While the server runs it is that of the start and the time since: setting the system's clock must
        neither charge nor refund anybody's time.
        """
        return self._start + timedelta(seconds=self.elapsed())

    def elapsed(self) -> float:
        """Return the seconds on a monotonic clock, which also counts the sleep of the machine if it can."""
        return time.clock_gettime(_BOOT) if _BOOT is not None else time.monotonic()

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
