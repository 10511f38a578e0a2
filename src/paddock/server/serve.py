"""The server: where it listens, what it prints, and how it stops."""

from __future__ import annotations

import asyncio
import ctypes
import errno
import logging
import signal
import socket
import sys
import threading
import time
import webbrowser
from collections.abc import Callable, Collection
from contextlib import suppress
from typing import Any, cast

import segno
import uvicorn
from fastapi import FastAPI
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from paddock.core.errors import PaddockError
from paddock.core.i18n import _
from paddock.core.settings import Settings, variable
from paddock.server.app import create_app
from paddock.server.logs import set_up
from paddock.server.warm import ask, warm

log = logging.getLogger("paddock.web")
PORT, TRIES = 8000, 50  # the first port, and how many to try, if nobody has chosen one
GRACE = 3  # seconds that requests have to finish when the server stops
# Seconds after which a connection without a new request is closed. Proxies keep theirs for up to two minutes,
# and would send a request into one that closes.
IDLE = 130
ANY = ("0.0.0.0", "::")  # the addresses that mean all of this machine
MOST_HEAD = 64 << 10  # bytes of a request besides its body: its address, its headers, the marks of its parts
MOST_HEADERS = 200
M_ARENA_MAX = -8  # of malloc.h
PATIENCE = 30  # seconds that a client has to send a whole request, or to take more of an answer


class CannotListen(PaddockError):
    """The port is taken, or this machine does not have the address."""

    status = 1  # the command is right: it may work at another time


def serve(
    host: str | None = None, port: int | None = None, open_browser: bool = False, lan: bool = False
) -> None:
    """Run the server until it is interrupted. With ``lan``, other devices can reach it; prints a QR code.

    Raises ``PaddockError`` if the server cannot start.
    """
    settings = Settings.read()
    set_up(settings.log, settings.admin_token)
    host, listener = chosen(host, port, lan=lan)
    port = listener.getsockname()[1]
    inside = settings.address.strip("[]") or (lan_address() if host in ANY else host)
    app = create_app(settings=settings, address=f"{written(inside)}:{port}")
    server = Server(config(app, settings.trusted_proxies), app)
    server.greet = greeting(host, port, settings.base_path, open_browser=open_browser, lan=lan)
    with listener:
        run(server, listener)


def greeting(host: str, port: int, base: str = "", *, open_browser: bool, lan: bool) -> Callable[[], None]:
    """Return a function that says where the server is, and opens the browser."""
    address = f"http://{'127.0.0.1' if host in ANY else written(host)}:{port}{base}/"

    def greet() -> None:
        """Print the address, with a QR code on a local network, and open the browser if that is wanted."""
        print(_("Paddock is at {address}   (Ctrl-C stops it)").format(address=address), flush=True)
        if lan:
            everywhere = f"http://{lan_address()}:{port}{base}/"
            print(_("On this network: {address}").format(address=everywhere))
            if draws(sys.stdout.encoding):
                segno.make(everywhere, error="l").terminal(out=sys.stdout, compact=True)
            sys.stdout.flush()
        if open_browser:
            threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()

    return greet


def draws(encoding: str | None) -> bool:
    """Whether a stream can show the blocks of a QR code."""
    try:
        return bool("▀▄█".encode(encoding or "ascii"))
    except (UnicodeError, LookupError):
        return False


def run(server: Server, listener: socket.socket) -> None:
    """Run a server until it is interrupted. Raises ``PaddockError`` if it cannot start."""
    logging.getLogger("uvicorn.error").addFilter(_is_useful)
    _few_areas()
    state = server.app.state
    try:
        server.run(sockets=[listener])
    except SystemExit:  # raised by some versions of uvicorn if the application does not start
        if state.fault is None:
            raise
    if state.fault is not None:
        raise state.fault


def _few_areas() -> None:
    """Let the threads of this process share two areas of memory, where glibc would make eight for each core.

    Each keeps what was freed there, and fills with gaps: ``make memory`` shows how a server under load grows.
    """
    with suppress(OSError, AttributeError):  # where there is no glibc
        ctypes.CDLL(None).mallopt(M_ARENA_MAX, 2)


def _end(number: int, frame: object) -> None:
    """Exit in order. Uvicorn stops, then sends its signal again, which would end the process at once."""
    sys.exit(0)


def _is_useful(record: logging.LogRecord) -> bool:
    """Whether to print a line of uvicorn's log. Startup errors are raised instead."""
    words = record.getMessage()
    return "Traceback" not in words and "startup failed" not in words


def config(app: FastAPI, proxies: Collection[str] = ()) -> uvicorn.Config:
    """Return the configuration of uvicorn. It uses uvloop if it is installed.

    Only ``proxies``, addresses or networks, may say by ``X-Forwarded-…`` for whom they ask.
    """
    return uvicorn.Config(
        app if proxies else Unproxied(app),
        proxy_headers=bool(proxies),
        forwarded_allow_ips=sorted(proxies),
        http=Connection,
        ws="none",
        log_level="warning",
        log_config=None,  # its events go where all others go: see ``logs.py``
        timeout_keep_alive=IDLE,
        timeout_graceful_shutdown=GRACE,
    )


class Unproxied:
    """Says once that a proxy on this machine is not trusted: its visitors share the limits of one address."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self.said = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request."""
        if not self.said and scope["type"] == "http" and "x-forwarded-for" in Headers(scope=scope):
            host = scope["client"][0] if scope["client"] else ""
            if host in ("127.0.0.1", "::1"):
                self.said = True
                name = variable("trusted_proxies")
                words = "%s sends X-Forwarded-For, which is ignored: if it is your proxy, set %s=%s"
                log.warning(words, host, name, host)
        await self.app(scope, receive, send)


class Outlet:
    """A transport that drops what is written after its connection is gone, where uvloop raises an error."""

    def __init__(self, transport: asyncio.Transport) -> None:
        self._transport = transport

    def write(self, data: bytes) -> None:
        """Write the data, unless the connection is gone."""
        if not self._transport.is_closing():
            self._transport.write(data)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)


class Connection(HttpToolsProtocol):
    """A connection that knows for how long the client has owed the rest of a request, or taken nothing.

    Uvicorn closes a connection that is idle after a response. It waits for ever for a first request, for the
    rest of one that was half sent, and for a client that does not read its answer; and it keeps what comes
    before a body, however long it is. When a connection is lost, it tells only the last request on it, which
    may be one that waits for others.
    """

    asked: tuple[RequestResponseCycle, ...] = ()  # the requests without a whole response
    since: float | None = None  # when the server began to wait for the client
    left = 0  # bytes that the client had not taken when it was last looked at
    taken = 0.0  # when it had last taken some
    head = 0  # bytes that have come of the present request, without those of its body

    def connection_made(  # type: ignore[override]  # as in uvicorn: it takes this kind of transport only
        self, transport: asyncio.Transport
    ) -> None:
        """Wait for the first request."""
        super().connection_made(transport)
        self.transport = cast(asyncio.Transport, Outlet(transport))
        self.since = self.taken = time.monotonic()

    def connection_lost(self, exc: Exception | None) -> None:
        """Tell every request on this connection."""
        super().connection_lost(exc)
        for cycle in self.asked:
            if not cycle.response_complete:
                cycle.disconnected = True
                cycle.message_event.set()

    def on_headers_complete(self) -> None:
        """A request begins."""
        super().on_headers_complete()
        self.asked = (*[cycle for cycle in self.asked if not cycle.response_complete], self.cycle)

    def data_received(self, data: bytes) -> None:
        """Parse what has arrived."""
        self.head += len(data)
        super().data_received(data)
        if self.head > MOST_HEAD and not self.transport.is_closing():
            self.refuse_head()
        if self.since is None and self.cycle.response_complete:
            self.since = time.monotonic()  # empty lines between requests stop uvicorn's own timer

    def refuse_head(self) -> None:
        """Close the connection of a request whose head is too long, with an answer if none has begun."""
        if all(cycle.response_complete for cycle in self.asked):
            self.send_400_response(f"A request has at most {MOST_HEAD:,} bytes besides its body.")
        else:
            self.transport.close()

    def on_header(self, name: bytes, value: bytes) -> None:
        """A header has arrived. What is raised here is answered with 400."""
        super().on_header(name, value)
        if len(self.headers) > MOST_HEADERS:
            raise ValueError("too many headers")

    def on_body(self, body: bytes) -> None:
        """A part of the body has arrived: the application limits these."""
        self.head -= len(body)
        super().on_body(body)

    def on_message_begin(self) -> None:
        """Wait for the rest of a request."""
        self.head = 0
        super().on_message_begin()
        if self.since is None:
            self.since = time.monotonic()

    def on_message_complete(self) -> None:
        """The whole request has arrived."""
        super().on_message_complete()
        self.since = None
        self.head = 0

    def stop(self) -> None:
        """Close the connection if the client owes the rest of a request, because the server stops."""
        if self.since is not None and not self.pipeline:
            self.transport.close()

    def abort_if_unread(self) -> None:
        """Close the connection if the client has not taken its whole answer."""
        if self.transport.get_write_buffer_size():
            self.transport.abort()

    def close_if_late(self, now: float) -> None:
        """Close the connection if the client has had its time."""
        left = self.transport.get_write_buffer_size()
        if not left or left < self.left:
            self.taken = now
        self.left = left
        if now - self.taken > PATIENCE:
            self.transport.abort()  # ``close`` would wait until the client has read everything
            return
        if self.since is None:
            return
        if self.pipeline:  # the client has sent more before it got its answer: now it waits for the server
            self.since = now
        elif now - self.since > PATIENCE:
            self.transport.close()


class Server(uvicorn.Server):
    """Uvicorn's server. Prints a greeting when it is ready, and ends the streams when it stops."""

    def __init__(self, config: uvicorn.Config, app: FastAPI) -> None:
        super().__init__(config)
        self.app = app
        self.greet: Callable[[], None] = lambda: None
        self.warming: asyncio.Task[None] | None = None

    async def serve(self, sockets: list[socket.socket] | None = None) -> None:
        """Serve until a signal comes.

        SIGTERM that comes earlier ends the process at once: nothing is open yet, and to exit in order would
        leave this coroutine behind, with a warning.
        """
        main = threading.current_thread() is threading.main_thread()  # others cannot set it
        before = signal.signal(signal.SIGTERM, _end) if main else None
        try:
            await super().serve(sockets)
        finally:
            if main:
                signal.signal(signal.SIGTERM, before)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Prepare for the first visitors, start, print the greeting, and prepare more."""
        await ask(self.app)  # takes a tenth of a second, in which nobody can be answered
        await super().startup(sockets)
        if self.started:
            self.greet()
            self.warming = asyncio.create_task(asyncio.to_thread(warm, self.app))

    async def on_tick(self, counter: int) -> bool:
        """Close the connections of clients that are too slow; uvicorn calls this ten times a second."""
        if counter % 10 == 0:
            now = time.monotonic()
            for connection in self._connections():
                connection.close_if_late(now)
        return await super().on_tick(counter)

    def _connections(self) -> list[Connection]:
        return [
            connection for connection in self.server_state.connections if isinstance(connection, Connection)
        ]

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End the event streams, and what waits for slow clients: they would not end by themselves."""
        self.app.state.stopping.give()
        for connection in self._connections():
            connection.stop()
        unread = asyncio.get_running_loop().call_later(GRACE / 2, self._abort_unread)
        try:
            if self.warming:
                await asyncio.wait([self.warming])
            await super().shutdown(sockets)
        finally:
            unread.cancel()

    def _abort_unread(self) -> None:
        for connection in self._connections():
            connection.abort_if_unread()


def chosen(host: str | None, port: int | None, *, lan: bool) -> tuple[str, socket.socket]:
    """Return the address and a socket that listens there. What was chosen is never replaced.

    Without a port, it is the first free one from ``PORT``. Raises ``PaddockError``.
    """
    if lan and host not in (None, *ANY):
        words = _("--lan listens on every address of this machine, not only on {host}: leave one of them out")
        raise PaddockError(words.format(host=host))
    host = host or (ANY[0] if lan else "127.0.0.1")
    return host, listen(host, PORT, TRIES) if port is None else listen(host, port)


def listen(host: str, port: int, tries: int = 1) -> socket.socket:
    """Return a socket on the first free one of so many ports from ``port`` (0: any).

    Raises ``CannotListen``.
    """
    for candidate in range(port, port + tries):
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        # asyncio sends small answers without delay (TCP_NODELAY) only if the socket knows its protocol.
        listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((host, candidate))
            return listener
        except OSError as error:
            listener.close()
            if error.errno == errno.EADDRINUSE or (error.errno == errno.EACCES and tries > 1):
                continue
            address, reason = f"{written(host)}:{port}", error.strerror or error
            raise CannotListen(
                _("cannot listen on {host}: {reason}").format(host=address, reason=reason)
            ) from None
    if tries == 1:
        words = _("port {port} is taken: stop what uses it, or choose another port")
    else:
        words = _("port {port} and the next ones are all taken: choose another")
    raise CannotListen(words.format(port=port))


def lan_address() -> str:
    """Return this machine's address on its network, without sending anything."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
            return str(probe.getsockname()[0])
        except OSError:
            return "127.0.0.1"


def written(host: str) -> str:
    """Return a host as it is written before a port."""
    return f"[{host}]" if ":" in host else host
