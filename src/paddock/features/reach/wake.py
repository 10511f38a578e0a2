"""A bell that wakes one task."""

from __future__ import annotations

import asyncio


class Bell:
    """Rings for whoever waits, or for who waits next."""

    def __init__(self) -> None:
        self._event = asyncio.Event()

    def ring(self) -> None:
        """Wake whoever waits."""
        self._event.set()

    @property
    def rung(self) -> bool:
        """Whether it has rung, and nobody has heard it yet."""
        return self._event.is_set()

    async def heard(self) -> None:
        """Wait until it has rung since the last time."""
        await self._event.wait()
        self._event.clear()
