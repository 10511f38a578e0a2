"""Asks another server of the same database over HTTP/1.1, on connections that stay open."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from typing import cast

import httptools

from paddock.core.errors import PaddockError
from paddock.tables import Peer

CONNECT = 2.0  # seconds to connect
IDLE = 3.0  # seconds after which a connection is not used again; servers close idle ones much later
MOST_IDLE = 32  # open connections to one server that wait for the next request
HELD = 64 * 1024  # bytes of a stream that wait for a slow client before the server has to wait too
Header = tuple[bytes, bytes]


class Unreached(PaddockError):
    """The server got nothing of the request."""


class Broken(PaddockError):
    """The server did not finish its answer: nobody knows what it did."""


@dataclass(frozen=True)
class Asked:
    """A request as it is sent."""

    method: bytes
    target: bytes  # path and query
    headers: Sequence[Header]
    body: bytes = b""

    def head(self) -> bytes:
        """Return the request without its body."""
        lines = [self.method + b" " + self.target + b" HTTP/1.1"]
        lines += [name + b": " + value for name, value in self.headers]
        if self.body or self.method not in (b"GET", b"HEAD"):
            lines.append(b"content-length: %d" % len(self.body))
        return b"\r\n".join([*lines, b"", b""])


class Line(asyncio.Protocol):
    """A connection to a server. ``status`` and ``headers`` are those of the answer to the last request."""

    def __init__(self) -> None:
        self.status: int
        self.headers: list[Header] = []
        self.since = 0.0  # when it became idle
        self.stream = False  # whether the answer ends only when somebody ends it
        self._transport: asyncio.Transport
        self._parser: httptools.HttpResponseParser
        self._pieces: deque[bytes] = deque()
        self._held = 0
        self._paused = False
        self._bare = False  # whether the answer has no body, because the request was HEAD
        self._begun = self._done = self.lost = self._again = False
        self._news = asyncio.Event()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep the transport."""
        self._transport = cast(asyncio.Transport, transport)  # uvloop's is of no class of asyncio

    def connection_lost(self, error: Exception | None) -> None:
        """Wake whoever waits for the answer."""
        self.lost = True
        self._news.set()

    def data_received(self, data: bytes) -> None:
        """Parse what has arrived."""
        try:
            self._parser.feed_data(data)
        except (httptools.HttpParserError, AttributeError):  # or nothing was asked
            self.abort()
        self._news.set()

    def on_header(self, name: bytes, value: bytes) -> None:
        """Note a header of the answer."""
        self.headers.append((name.lower(), value))

    def on_headers_complete(self) -> None:
        """Note the status of the answer."""
        self.status = self._parser.get_status_code()
        self._begun = True
        self._done = self._bare

    def on_body(self, piece: bytes) -> None:
        """Note a piece of the answer."""
        self._pieces.append(piece)
        self._held += len(piece)
        if self.stream and self._held > HELD and not self._paused:
            self._paused = True
            self._transport.pause_reading()

    def on_message_complete(self) -> None:
        """Note the end of the answer."""
        self._done = True
        self._again = self._parser.should_keep_alive() and not self._bare

    async def ask(self, asked: Asked) -> None:
        """Send a request, and wait for the status and the headers of the answer. Raises ``Broken``."""
        self._parser = httptools.HttpResponseParser(self)
        self.headers, self._pieces, self._held = [], deque(), 0
        self._begun = self._done = self._again = False
        self._bare = asked.method == b"HEAD"
        self._transport.write(asked.head() + asked.body)
        while not self._begun:
            await self._wait()

    async def _wait(self) -> None:
        if self.lost:
            raise Broken
        self._news.clear()
        await self._news.wait()

    async def pieces(self) -> AsyncIterator[bytes]:
        """Yield the pieces of the answer as they come. Raises ``Broken``."""
        while True:
            while self._pieces:
                piece = self._pieces.popleft()
                self._held -= len(piece)
                if self._paused and not self._held and not self._transport.is_closing():
                    self._paused = False
                    self._transport.resume_reading()
                yield piece
            if self._done:
                return
            await self._wait()

    @property
    def reusable(self) -> bool:
        """Whether another request may be sent."""
        return self._done and self._again and not self.lost and not self._transport.is_closing()

    def abort(self) -> None:
        """Close the connection at once."""
        self.lost = True
        self._transport.abort()
        self._news.set()


class Relay:
    """The connections to other servers. Use it in one event loop only."""

    def __init__(self) -> None:
        self._idle: dict[str, list[Line]] = {}  # by the id of the server
        self._busy: dict[str, set[Line]] = {}

    async def ask(self, peer: Peer, asked: Asked, *, stream: bool = False) -> Line:
        """Ask a server; return the connection when the answer begins. Call ``done`` with it afterwards.

        Raises ``Unreached`` and ``Broken``.
        """
        line = self._waiting(peer.id) or await self._connect(peer)
        line.stream = stream
        self._busy.setdefault(peer.id, set()).add(line)
        try:
            await line.ask(asked)
        except BaseException:
            self.done(peer, line)
            raise
        return line

    def _waiting(self, id: str) -> Line | None:
        """Return the connection that was used last, if there is one."""
        idle, now = self._idle.get(id, []), time.monotonic()
        while idle:
            line = idle.pop()
            if line.reusable and now - line.since < IDLE:
                return line
            line.abort()
        return None

    async def _connect(self, peer: Peer) -> Line:
        host, _colon, port = peer.address.rpartition(":")
        loop = asyncio.get_running_loop()
        try:
            async with asyncio.timeout(CONNECT):
                _transport, line = await loop.create_connection(Line, host.strip("[]"), int(port))
        except (OSError, ValueError):
            raise Unreached from None
        return line

    def done(self, peer: Peer, line: Line) -> None:
        """Keep a connection for the next request if its answer is complete; else close it."""
        busy = self._busy.get(peer.id, set())
        busy.discard(line)
        if not busy:
            self._busy.pop(peer.id, None)
        idle = self._idle.setdefault(peer.id, [])
        if line.reusable and not line.stream and len(idle) < MOST_IDLE:
            line.since = time.monotonic()
            idle.append(line)
        else:
            line.abort()

    def drop(self, id: str) -> None:
        """Close all connections to a server that is gone: it may never end its answers."""
        for line in [*self._idle.pop(id, []), *self._busy.pop(id, ())]:
            line.abort()

    def end_streams(self) -> None:
        """Close the connections of answers that do not end by themselves."""
        for lines in list(self._busy.values()):
            for line in list(lines):
                if line.stream:
                    line.abort()

    def close(self) -> None:
        """Close all connections."""
        for id in {*self._idle, *self._busy}:
            self.drop(id)
