"""The follower that wakes those who watch a table."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

from paddock.tables.change import EVERYBODY
from paddock.tables.live import LiveTable
from paddock.tables.registry import Registry

SCREEN = ""  # in place of a browser: a screen for all who are in a room. It does not count as somebody


class Streams:
    """Everybody who watches a table."""

    def __init__(self, registry: Registry) -> None:
        self._registry = registry

    @asynccontextmanager
    async def watch(
        self, id: str, holder: str | None = None, bell: asyncio.Event | None = None
    ) -> AsyncIterator[Callable[[float | None], Awaitable[bool]]]:
        """Yield a function ``changed(seconds)`` that waits for a change and returns False after a timeout.

        Changes between two calls are not missed. A change that only the browser ``holder`` can see, such as
        a replaced commitment, wakes only its watchers. ``bell`` is set at a change, if it is given. Raises
        ``NoTable``.
        """
        live = await self._registry.find(id)
        event = bell or asyncio.Event()
        live.watchers[event] = holder

        async def changed(seconds: float | None = None) -> bool:
            """Wait for a change; return False after so many seconds without one."""
            try:
                async with asyncio.timeout(seconds):  # ``wait_for`` of Python 3.11 may lose a cancellation
                    await event.wait()
            except TimeoutError:
                return False
            event.clear()
            return True

        try:
            yield changed
        finally:
            del live.watchers[event]

    def changed(self, live: LiveTable, audience: str) -> None:
        """Wake all watchers, or only those of one browser."""
        for event, holder in live.watchers.items():
            if audience in (EVERYBODY, holder):
                event.set()
