"""The event stream of a table. It tells browsers when to fetch the page again, and sends no content."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable

from paddock.tables import Forbidden, Tables

HEARTBEAT = 20.0  # seconds between two heartbeats of a stream
HEADERS = {"X-Accel-Buffering": "no", "Cache-Control": "no-store"}


async def wakes(
    tables: Tables, stopping: asyncio.Event, id: str, holder: str | None, digest: Callable[[], Awaitable[str]]
) -> AsyncIterator[str]:
    """Yield the digest of what this browser sees, whenever it changes.

    Changes that the browser cannot see send nothing. The stream ends when the server stops, or when
    ``digest`` raises ``Forbidden`` because the player no longer belongs to the browser.
    """
    stop = asyncio.ensure_future(stopping.wait())
    last = ""
    beat = time.monotonic() + HEARTBEAT
    try:
        yield "retry: 1000\n\n"
        async with tables.timers.arrive(id, holder), tables.streams.watch(id, holder) as changed:
            while not stopping.is_set():
                try:
                    now = await digest()
                except Forbidden:
                    return
                if now != last:
                    yield f"data: {now}\n\n"
                    last = now
                # Heartbeats come at fixed times, so they reveal nothing about changes that cannot be seen.
                change = asyncio.ensure_future(changed(max(0.0, beat - time.monotonic())))
                try:
                    await asyncio.wait({change, stop}, return_when=asyncio.FIRST_COMPLETED)
                finally:
                    change.cancel()
                if time.monotonic() >= beat:
                    yield ": \n\n"
                    beat += HEARTBEAT
    finally:
        stop.cancel()
