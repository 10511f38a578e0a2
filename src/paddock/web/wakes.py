"""The event stream of a table. It tells browsers when to fetch the page again, and sends no content."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager

from paddock.tables import Forbidden, Tables, Unavailable

HEARTBEAT = 20.0  # seconds between two heartbeats of a stream
HEADERS = {"X-Accel-Buffering": "no", "Cache-Control": "no-store"}


class Revocations:
    """Tells the open streams of a personal token when it is revoked. Tokens are known by their SHA-256."""

    def __init__(self) -> None:
        self._open: dict[str, set[asyncio.Event]] = {}

    @contextmanager
    def watched(self, token: str | None) -> Iterator[asyncio.Event]:
        """Yield an event that is set when the token is revoked; never without a token."""
        event = asyncio.Event()
        if token is None:
            yield event
            return
        self._open.setdefault(token, set()).add(event)
        try:
            yield event
        finally:
            self._open[token].discard(event)
            if not self._open[token]:
                del self._open[token]

    def revoke(self, token: str) -> None:
        """End the streams of a token."""
        for event in self._open.get(token, ()):
            event.set()


async def wakes(
    tables: Tables,
    ends: Sequence[asyncio.Event],
    id: str,
    holder: str | None,
    digest: Callable[[], Awaitable[str]],
) -> AsyncIterator[str]:
    """Yield the digest of what this browser sees, whenever it changes.

    Changes that the browser cannot see send nothing. The stream ends when one of the events ``ends`` is set,
    when ``digest`` raises ``Forbidden`` because the player no longer belongs to the browser, or when the
    database does not answer: the browser connects again.
    """
    ending = [asyncio.ensure_future(end.wait()) for end in ends]
    last = ""
    beat = time.monotonic() + HEARTBEAT
    try:
        yield "retry: 1000\n\n"
        async with tables.timers.arrive(id, holder), tables.streams.watch(id, holder) as changed:
            while not any(end.is_set() for end in ends):
                now = await digest()
                if now != last:
                    yield f"data: {now}\n\n"
                    last = now
                # Heartbeats come at fixed times, so they reveal nothing about changes that cannot be seen.
                change = asyncio.ensure_future(changed(max(0.0, beat - time.monotonic())))
                try:
                    await asyncio.wait({change, *ending}, return_when=asyncio.FIRST_COMPLETED)
                finally:
                    change.cancel()
                if time.monotonic() >= beat:
                    yield ": \n\n"
                    beat += HEARTBEAT
    except (Forbidden, Unavailable):
        return
    finally:
        for end in ending:
            end.cancel()
