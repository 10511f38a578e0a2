"""Asks another server of the same database over HTTP/1.1, on connections that stay open."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass

import httpcore

from paddock.core.errors import PaddockError
from paddock.tables import Peer

CONNECT = 2.0  # seconds to connect
IDLE = 3.0  # seconds after which a connection is not used again; servers close idle ones much later
MOST_IDLE = 32  # open connections to one server that wait for the next request
Header = tuple[bytes, bytes]
_FAULTS = (httpcore.NetworkError, httpcore.ProtocolError, httpcore.TimeoutException)
_ODD = re.compile(rb"[^\x21-\x7e]")  # what some clients send as it is in an address


class Unreached(PaddockError):
    """The server got nothing of the request."""


class Unsendable(PaddockError):
    """The request cannot be sent by the rules of HTTP."""


class Broken(PaddockError):
    """The server did not finish its answer: nobody knows what it did."""


@dataclass(frozen=True)
class Asked:
    """A request as it is sent."""

    method: bytes
    target: bytes  # path and query
    headers: Sequence[Header]
    body: bytes = b""

    def to(self, peer: Peer) -> httpcore.Request:
        """Return the request to a server. Raises ``ValueError`` if its address is none."""
        host, _colon, port = peer.address.rpartition(":")
        target = _ODD.sub(lambda found: b"%%%02X" % found[0][0], self.target)
        name = host.strip("[]").encode("ascii")
        url = httpcore.URL(scheme=b"http", host=name, port=int(port), target=target)
        headers = list(self.headers)
        if self.body or self.method not in (b"GET", b"HEAD"):
            headers.append((b"content-length", b"%d" % len(self.body)))
        limits = {"timeout": {"connect": CONNECT}}
        return httpcore.Request(self.method, url, headers=headers, content=self.body, extensions=limits)


class Answer:
    """An answer that has begun."""

    def __init__(self, response: httpcore.Response, end: Callable[[], None] = lambda: None) -> None:
        self.status = response.status
        self.headers: list[Header] = [(name.lower(), value) for name, value in response.headers]
        self.end = end  # ends a stream at once: whoever reads it gets ``Broken``
        self._response = response

    async def pieces(self) -> AsyncIterator[bytes]:
        """Yield the pieces of the answer as they come. Raises ``Broken``."""
        try:
            async for piece in self._response.aiter_stream():
                yield piece
        except _FAULTS:
            raise Broken from None


class Relay:
    """The connections to other servers. Use it in one event loop only."""

    def __init__(self) -> None:
        self._pools: dict[str, httpcore.AsyncConnectionPool] = {}  # by the id of the server
        # Streams have connections of their own, which are not used again: a pool looks through all of its
        # connections for each request.
        self._streams: dict[str, set[httpcore.AsyncHTTPConnection]] = {}
        self._closing: set[asyncio.Task[None]] = set()

    @asynccontextmanager
    async def ask(self, peer: Peer, asked: Asked, *, stream: bool = False) -> AsyncIterator[Answer]:
        """Ask a server once, and give its answer when it begins; ``stream`` if it does not end by itself.

        Afterwards the connection is kept for the next request if the answer is complete, else closed.
        Raises ``Unreached``, ``Unsendable`` and ``Broken``.
        """
        try:
            request = asked.to(peer)
        except ValueError:
            raise Unreached from None
        if not stream:
            async with _begun(self._pool(peer.id), request) as response:
                yield Answer(response)
            return
        streams = self._streams.setdefault(peer.id, set())
        connection = httpcore.AsyncHTTPConnection(request.url.origin)
        streams.add(connection)
        try:
            async with _begun(connection, request) as response:
                yield Answer(response, lambda: self._close(connection))
        finally:
            streams.discard(connection)
            await connection.aclose()

    def _pool(self, id: str) -> httpcore.AsyncConnectionPool:
        if id not in self._pools:
            self._pools[id] = httpcore.AsyncConnectionPool(
                max_connections=None, max_keepalive_connections=MOST_IDLE, keepalive_expiry=IDLE
            )
        return self._pools[id]

    def _close(self, connection: httpcore.AsyncConnectionPool | httpcore.AsyncHTTPConnection) -> None:
        """Close a connection, or all of a pool, at once. Whoever waits for an answer gets ``Broken``."""
        task = asyncio.create_task(connection.aclose())
        self._closing.add(task)
        task.add_done_callback(self._closing.discard)

    def drop(self, id: str) -> None:
        """Close all connections to a server that is gone: it may never end its answers."""
        if pool := self._pools.pop(id, None):
            self._close(pool)
        for connection in self._streams.pop(id, ()):
            self._close(connection)

    def end_streams(self) -> None:
        """Close the connections of answers that do not end by themselves."""
        for streams in self._streams.values():
            for connection in streams:
                self._close(connection)

    async def close(self) -> None:
        """Close all connections."""
        for id in {*self._pools, *self._streams}:
            self.drop(id)
        await asyncio.gather(*self._closing)


@asynccontextmanager
async def _begun(
    connection: httpcore.AsyncConnectionPool | httpcore.AsyncHTTPConnection, request: httpcore.Request
) -> AsyncIterator[httpcore.Response]:
    """Send a request, and give its answer; close that afterwards."""
    try:
        response = await connection.handle_async_request(request)
    except httpcore.LocalProtocolError:
        raise Unsendable from None
    except (httpcore.ConnectError, httpcore.ConnectTimeout):
        raise Unreached from None
    except _FAULTS:
        raise Broken from None
    try:
        yield response
    finally:
        await response.aclose()
