"""What a table takes from outside, chance apart: time, names of its own, and how long a bot waits."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Protocol

from paddock.core.title import Seen

SHORTEST, LONGEST = 0.6, 1.6  # seconds that a bot at a human pace takes


class MoveChooser(Protocol):
    """Where bots think: ``paddock.bots.BotPool``."""

    async def choose(self, level: str, seen: Seen, seat: int, legal: Sequence[int], seed: int) -> int:
        """The bot's move, one of ``legal``."""

    def close(self) -> None:
        """Stop thinking."""


class World:
    """The real one; tests give their own."""

    def now(self) -> datetime:
        """The date and time, UTC."""
        return datetime.now(UTC)

    def elapsed(self) -> float:
        """Seconds on a clock that only goes forwards."""
        return time.monotonic()

    async def sleep(self, seconds: float) -> None:
        """Let so much time pass."""
        await asyncio.sleep(seconds)

    def pause(self) -> float:
        """Seconds that a bot lets pass: drawn alike for every decision, whatever it holds."""
        return SHORTEST + (LONGEST - SHORTEST) * secrets.randbelow(1 << 32) / (1 << 32)

    def table_id(self) -> str:
        """The id of a new table: 96 bits that nobody guesses."""
        return secrets.token_urlsafe(12)

    def bot_seed(self) -> int:
        """The seed of one decision of a bot: 63 bits that nobody guesses."""
        return secrets.randbits(63)
