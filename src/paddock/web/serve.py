"""The server: where it listens, what it prints, and how it stops."""

from __future__ import annotations

import errno
import logging
import socket
import sys
import threading
import webbrowser
from collections.abc import Callable

import segno
import uvicorn
from fastapi import FastAPI

from paddock.core.errors import PaddockError
from paddock.core.i18n import _
from paddock.web.app import create_app

TRIES = 50  # how many ports to try
GRACE = 3  # seconds that requests have to finish when the server stops


def serve(host: str = "127.0.0.1", port: int = 8000, open_browser: bool = False, lan: bool = False) -> None:
    """Run the server until it is interrupted. With ``lan``, other devices can reach it; prints a QR code.

    If the port is taken, uses the next free one. Raises ``PaddockError`` if the server cannot start.
    """
    listener = listen("0.0.0.0" if lan else host, port)
    port = listener.getsockname()[1]
    here = f"http://{'127.0.0.1' if lan or host == '0.0.0.0' else _written(host)}:{port}/"
    app = create_app()
    logging.getLogger("uvicorn.error").addFilter(_is_useful)
    config = uvicorn.Config(app, log_level="warning", timeout_graceful_shutdown=GRACE)
    server = Server(config, app)

    def greet() -> None:
        print(_("Paddock is at {address}   (Ctrl-C stops it)").format(address=here), flush=True)
        if lan:
            everywhere = f"http://{lan_address()}:{port}/"
            print(_("On this network: {address}").format(address=everywhere))
            segno.make(everywhere, error="l").terminal(out=sys.stdout, compact=True)
            sys.stdout.flush()
        if open_browser:
            threading.Thread(target=webbrowser.open, args=(here,), daemon=True).start()

    server.greet = greet
    try:
        with listener:
            server.run(sockets=[listener])
    except SystemExit:  # raised by some versions of uvicorn if the application does not start
        if app.state.fault is None:
            raise
    if app.state.fault is not None:
        raise app.state.fault


def _is_useful(record: logging.LogRecord) -> bool:
    """Whether to print a line of uvicorn's log. Startup errors are raised instead."""
    words = record.getMessage()
    return "Traceback" not in words and "startup failed" not in words


class Server(uvicorn.Server):
    """Uvicorn's server. Prints a greeting when it is ready, and ends the streams when it stops."""

    def __init__(self, config: uvicorn.Config, app: FastAPI) -> None:
        super().__init__(config)
        self.app = app
        self.greet: Callable[[], None] = lambda: None

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, then print the greeting."""
        await super().startup(sockets)
        if self.started:
            self.greet()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End the event streams, which would not end by themselves, then stop."""
        self.app.state.stopping.set()
        await super().shutdown(sockets)


def listen(host: str, port: int) -> socket.socket:
    """Return a socket on the port or the next free one (0: any). Raises ``PaddockError``."""
    for candidate in [port] if port == 0 else range(port, min(port + TRIES, 65536)):
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        listener = socket.socket(family, socket.SOCK_STREAM)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((host, candidate))
            return listener
        except OSError as error:
            listener.close()
            if error.errno in (errno.EADDRINUSE, errno.EACCES):
                continue
            reason = error.strerror or error
            raise PaddockError(
                _("cannot listen on {host}: {reason}").format(host=host, reason=reason)
            ) from None
    raise PaddockError(_("port {port} and the next ones are all taken: choose another").format(port=port))


def lan_address() -> str:
    """Return this machine's address on its network, without sending anything."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
            return str(probe.getsockname()[0])
        except OSError:
            return "127.0.0.1"


def _written(host: str) -> str:
    return f"[{host}]" if ":" in host else host
