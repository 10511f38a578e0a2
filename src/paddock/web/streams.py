"""The event stream of a table: it sends what a browser or program sees, whenever that changes."""

from __future__ import annotations

import asyncio
import time
import zlib
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from dataclasses import dataclass
from functools import cache, cached_property

from starlette.requests import Request
from starlette.responses import StreamingResponse

from paddock.tables import Forbidden, NoTable, Tables, Unavailable

HEARTBEAT = 20.0  # seconds between two heartbeats of a stream
HEADERS = {"X-Accel-Buffering": "no", "Cache-Control": "no-store"}
# What a gzip file begins with. Pieces that are compressed one by one may follow in any order.
_GZIP = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"


def _pack(text: bytes) -> bytes:
    """Return a piece of a gzip stream that a reader can unpack at once, whatever came before it."""
    packer = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    return packer.compress(text) + packer.flush(zlib.Z_SYNC_FLUSH)


@dataclass(frozen=True)
class Piece:
    """Bytes for streams, compressed at most once however many streams they go to."""

    plain: bytes

    @cached_property
    def packed(self) -> bytes:
        """The same, for a stream with gzip."""
        return _pack(self.plain)


def beat(seconds: float) -> bytes:
    """Return the heartbeat of a stream for pages: an event, because scripts do not see comments.

    It says after how many seconds the next one comes, and is the same for everybody.
    """
    return b"event: beat\ndata: %g\n\n" % seconds


@cache
def signs(seconds: float, page: bool) -> tuple[Piece, Piece]:
    """Return what a stream begins with, and its heartbeat: for programs, which see it, a comment."""
    sign = beat(seconds) if page else b": \n\n"
    return Piece(b"retry: 1000\n\n" + sign), Piece(sign)


@dataclass(frozen=True)
class News:
    """What somebody sees at a table, made once for all who see the same."""

    digest: str  # the id of the event
    data: bytes  # JSON

    @cached_property
    def event(self) -> Piece:
        """The event that tells it."""
        return Piece(b"id: %s\ndata: %s\n\n" % (self.digest.encode(), self.data))


class Signal:
    """Something that happens once, such as the end of the server. It wakes the streams that it ends."""

    def __init__(self) -> None:
        self.given = False
        self._bells: set[asyncio.Event] = set()

    def give(self) -> None:
        """Wake all streams."""
        self.given = True
        for bell in self._bells:
            bell.set()

    async def wait(self) -> None:
        """Wait until it is given."""
        bell = asyncio.Event()
        with self.rings(bell):
            if not self.given:
                await bell.wait()

    @contextmanager
    def rings(self, bell: asyncio.Event) -> Iterator[None]:
        """Set the bell when the signal is given within this context."""
        self._bells.add(bell)
        try:
            yield
        finally:
            self._bells.remove(bell)


class Revocations:
    """Tells the open streams of a personal token when it is revoked. Tokens are known by their SHA-256."""

    def __init__(self) -> None:
        self._open: dict[str, set[Signal]] = {}

    @contextmanager
    def watched(self, token: str | None) -> Iterator[Signal]:
        """Yield a signal that is given when the token is revoked; never without a token."""
        signal = Signal()
        if token is None:
            yield signal
            return
        self._open.setdefault(token, set()).add(signal)
        try:
            yield signal
        finally:
            self._open[token].discard(signal)
            if not self._open[token]:
                del self._open[token]

    def revoke(self, token: str) -> None:
        """End the streams of a token."""
        for signal in self._open.get(token, ()):
            signal.give()


def streaming(
    request: Request,
    id: str,
    holder: str | None,
    news: Callable[[], Awaitable[News]],
    until: AbstractContextManager[Signal] | None = None,
    *,
    have: str,
    page: bool = False,
) -> StreamingResponse:
    """Return the event stream of a table, for a ``page`` or a program. ``news`` says what it sees now.

    It ends with the server, and when the signal ``until`` is given.

    Whoever has the last state already says so with ``have``, or, after a broken connection, with
    ``Last-Event-ID``: then the stream begins with the next one.
    """
    have = request.headers.get("last-event-id") or have
    state = request.app.state

    async def pieces() -> AsyncIterator[Piece]:
        with until or nullcontext(Signal()) as end:
            async for piece in told(state.tables, [state.stopping, end], id, holder, news, have, page):
                yield piece

    return sent(request, pieces())


def sent(request: Request, pieces: AsyncIterator[Piece]) -> StreamingResponse:
    """Return an event stream of these pieces, compressed if the reader can unpack it."""
    packed = "gzip" in request.headers.get("accept-encoding", "")

    async def body() -> AsyncIterator[bytes]:
        head = _GZIP if packed else b""
        async for piece in pieces:
            yield head + (piece.packed if packed else piece.plain)
            head = b""

    headers = HEADERS | ({"Content-Encoding": "gzip", "Vary": "Accept-Encoding"} if packed else {})
    return StreamingResponse(body(), media_type="text/event-stream", headers=headers)


async def told(
    tables: Tables,
    ends: Sequence[Signal],
    id: str,
    holder: str | None,
    news: Callable[[], Awaitable[News]],
    have: str = "",
    page: bool = False,
) -> AsyncIterator[Piece]:
    """Yield what this browser sees, whenever it changes, and heartbeats. ``have`` is the digest it has seen.

    Changes that the browser cannot see send nothing. A stream that falls behind gets the newest state only.
    It ends when one of the signals ``ends`` is given, when ``news`` raises ``Forbidden`` because the player
    no longer belongs to the browser, when the table was deleted, or when the database does not answer: the
    browser connects again.
    """
    bell, last, loop = asyncio.Event(), have, asyncio.get_running_loop()
    first, sign = signs(HEARTBEAT, page)
    # Heartbeats come at fixed times, so they reveal nothing about changes that cannot be seen.
    due, beats = time.monotonic() + HEARTBEAT, False

    def ring() -> None:
        nonlocal beats
        beats = True  # not by the time: an alarm may come a moment early, and no other one follows
        bell.set()

    alarm = loop.call_later(HEARTBEAT, ring)
    try:
        yield first
        with ExitStack() as signals:
            for end in ends:
                signals.enter_context(end.rings(bell))
            async with tables.timers.arrive(id, holder or None), tables.streams.watch(id, holder, bell):
                while not any(end.given for end in ends):
                    bell.clear()
                    now = await news()
                    if now.digest != last:
                        yield now.event
                        last = now.digest
                    await bell.wait()
                    if beats:
                        beats = False
                        yield sign
                        due += HEARTBEAT
                        alarm = loop.call_later(max(0.0, due - time.monotonic()), ring)
    except (Forbidden, NoTable, Unavailable):
        return
    finally:
        alarm.cancel()
