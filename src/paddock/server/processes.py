"""Several servers on one machine: ``paddock serve --processes N``.

The first process only listens. It looks at the first line of each connection without taking it, and gives the
connection to one of N server processes: that of the table in the address, else any. So most requests
reach the process that has their table; others are handed over like those between machines (``handover.py``).
Ids of new tables are chosen so that the process that makes them is theirs.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import multiprocessing
import re
import signal
import socket
import zlib
from collections.abc import Callable
from multiprocessing.process import BaseProcess
from random import randrange

import uvicorn
from fastapi import FastAPI

from paddock.core.errors import PaddockError
from paddock.core.i18n import _
from paddock.core.settings import Settings
from paddock.server.app import create_app, declared
from paddock.server.logs import set_up
from paddock.server.serve import GRACE, PATIENCE, Server, chosen, config, greeting, listen, run, written
from paddock.tables import Runtime, takes_several
from paddock.tables.tasks import end
from paddock.web.links import within

log = logging.getLogger("paddock.web")
AGAIN = 1.0  # seconds before a process that ended is started again
LINE = 2048  # bytes of a request that are looked at
READY, CONNECTION = b"+", b"c"
_TARGET = re.compile(rb"([A-Z]+) ([^ ?]+)")


def place(id: str, processes: int) -> int:
    """Return which of so many processes a table belongs to."""
    return zlib.crc32(id.encode()) % processes


class Sticky(Runtime):
    """The runtime of one of several processes, which prefers the tables that belong to it."""

    def __init__(self, index: int, processes: int) -> None:
        super().__init__()
        self._index = index
        self._processes = processes

    def table_id(self) -> str:
        """Return a random id of a table that belongs to this process."""
        while True:
            id = super().table_id()
            if self.prefers(id):
                return id

    def prefers(self, id: str) -> bool:
        """Whether a table belongs to this process."""
        return place(id, self._processes) == self._index


# A server process


class ServerProcess(Server):
    """A server that gets its connections from the first process."""

    channel: socket.socket

    def __init__(self, config: uvicorn.Config, app: FastAPI) -> None:
        super().__init__(config, app)
        self._connecting = set[asyncio.Task[None]]()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, and take connections."""
        await super().startup(sockets)
        if self.started:
            self.channel.setblocking(False)
            asyncio.get_running_loop().add_reader(self.channel.fileno(), self._take)
            with contextlib.suppress(OSError):  # the first process is gone: then ``_take`` reads the end
                self.channel.send(READY)

    def _take(self) -> None:
        """Take the connections that have come. If the first process is gone, stop."""
        try:
            message, files, _flags, _address = socket.recv_fds(self.channel, 64, 64)
        except BlockingIOError:
            return
        except OSError:
            message, files = b"", []
        loop = asyncio.get_running_loop()
        for file in files:
            connection = socket.socket(fileno=file)
            connection.setblocking(False)
            task = loop.create_task(self._connect(connection))
            self._connecting.add(task)
            task.add_done_callback(self._connecting.discard)
        if not message:
            loop.remove_reader(self.channel.fileno())
            self.should_exit = True

    async def _connect(self, connection: socket.socket) -> None:
        """Serve a connection that the front process has handed over."""

        def protocol() -> asyncio.Protocol:
            return self.config.http_protocol_class(  # type: ignore[call-arg]  # as uvicorn does
                config=self.config, server_state=self.server_state, app_state=self.lifespan.state
            )

        with contextlib.suppress(OSError):
            await asyncio.get_running_loop().connect_accepted_socket(protocol, connection)


def work(channel: socket.socket, index: int, processes: int) -> None:
    """Run a server process."""
    try:
        settings = Settings.read()
        set_up(settings.log, settings.admin_token)
        host = settings.address.strip("[]") or "127.0.0.1"
        with listen(host, 0) as listener:  # for the other servers
            address = f"{written(host)}:{listener.getsockname()[1]}"
            app = create_app(settings=settings, runtime=Sticky(index, processes), address=address)
            app.state.sticky = True
            server = ServerProcess(config(app, settings.trusted_proxies), app)
            server.channel = channel
            with contextlib.suppress(KeyboardInterrupt):
                run(server, listener)
    except PaddockError as error:
        with contextlib.suppress(OSError):
            channel.send(str(error).encode())


# The first process


class Front:
    """Gives connections to server processes, and starts a process again that has ended."""

    def __init__(self, listener: socket.socket, processes: int, greet: Callable[[], None], base: str) -> None:
        self._listener = listener
        self._number = processes
        self._greet = greet
        self._base = base
        self._prices = declared()
        self._processes: list[BaseProcess | None] = [None] * processes
        self._channels: list[socket.socket | None] = [None] * processes  # of those that are ready
        self._tasks: set[asyncio.Task[None]] = set()

    async def run(self) -> None:
        """Run until it is cancelled. Raises ``PaddockError`` if a process cannot start."""
        ready = [asyncio.get_running_loop().create_future() for _ in self._processes]
        keeping = [asyncio.create_task(self._keep(index, begun)) for index, begun in enumerate(ready)]
        try:
            self._listener.listen(2048)
            self._listener.setblocking(False)
            await asyncio.gather(*ready)
            self._greet()
            await self._accept()
        finally:
            self._listener.close()
            for process in self._processes:
                if process and process.is_alive():
                    process.terminate()
            await end(keeping)
            await asyncio.to_thread(self._join)

    def _join(self) -> None:
        """Wait until all server processes have ended; kill those that take too long."""
        for process in self._processes:
            if process:
                process.join(2 * GRACE)
                process.kill()
                process.join()

    async def _keep(self, index: int, begun: asyncio.Future[None]) -> None:
        """Keep a process running; set ``begun`` when it is ready for the first time."""
        loop, context = asyncio.get_running_loop(), multiprocessing.get_context("spawn")
        while True:
            own_end, child_end = socket.socketpair()
            with own_end:
                own_end.setblocking(False)
                process = context.Process(target=work, args=(child_end, index, self._number), name=f"{index}")
                self._processes[index] = process
                await asyncio.to_thread(process.start)
                child_end.close()
                try:
                    message = await loop.sock_recv(own_end, 4096)
                    if message == READY:
                        self._channels[index] = own_end
                        if not begun.done():
                            begun.set_result(None)
                        message = await loop.sock_recv(own_end, 4096)  # it says nothing more before it ends
                except OSError:
                    message = b""
                finally:
                    self._channels[index] = None
                if not begun.done():
                    words = message.decode() or _("a server process ended before it was ready")
                    begun.set_exception(PaddockError(words))
                    return
            log.error("a server process ended; another one starts. %s", message.decode())
            await asyncio.sleep(AGAIN)

    async def _accept(self) -> None:
        """Accept connections for ever, and hand each to a server process."""
        loop = asyncio.get_running_loop()
        while True:
            try:
                connection, _address = await loop.sock_accept(self._listener)
            except OSError as error:  # too many files, or the client has left already
                log.warning("a connection could not be accepted: %s", error)
                await asyncio.sleep(AGAIN)
                continue
            task = asyncio.create_task(self._hand(connection))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _hand(self, connection: socket.socket) -> None:
        """Wait for the first line of a connection, and give it to a process."""
        loop, heard = asyncio.get_running_loop(), asyncio.Event()
        with connection, contextlib.suppress(OSError, TimeoutError):
            loop.add_reader(connection.fileno(), heard.set)
            try:
                async with asyncio.timeout(PATIENCE):
                    await heard.wait()
            finally:
                loop.remove_reader(connection.fileno())
            line = connection.recv(LINE, socket.MSG_PEEK)
            while line:
                if self._give(connection, line):
                    return
                await asyncio.sleep(0.05)  # no process is ready

    def _table(self, method: str, path: str) -> str | None:
        """Return the id of the table that an address names."""
        return self._prices.at(method, within(self._base, path)).table

    def _give(self, connection: socket.socket, line: bytes) -> bool:
        """Give a connection to the process of its table, or to another one that is ready."""
        match = _TARGET.match(line)
        id = self._table(match[1].decode(), match[2].decode("latin-1")) if match else None
        first = randrange(self._number) if id is None else place(id, self._number)
        for index in range(first, first + self._number):
            channel = self._channels[index % self._number]
            if channel:
                try:
                    socket.send_fds(channel, [CONNECTION], [connection.fileno()])
                except OSError:
                    continue
                return True
        return False


def serve(
    host: str | None, port: int | None, processes: int, *, lan: bool = False, open_browser: bool = False
) -> None:
    """Serve with several processes until interrupted. Raises ``PaddockError`` if they cannot start."""
    settings = Settings.read()
    set_up(settings.log, settings.admin_token)
    if not takes_several(settings.database_url):
        raise PaddockError(
            _("--processes needs PostgreSQL: an SQLite file takes only one server, which has all its tables")
        )
    if not hasattr(socket, "send_fds"):
        raise PaddockError(_("--processes does not work on this system: it cannot pass connections on"))
    host, listener = chosen(host, port, lan=lan)
    base = settings.base_path
    greet = greeting(host, listener.getsockname()[1], base, open_browser=open_browser, lan=lan)

    async def main() -> None:
        """Run the front process until it ends, or until a signal stops it."""
        front, ended = asyncio.create_task(Front(listener, processes, greet, base).run()), False

        def stop() -> None:
            nonlocal ended
            ended = True
            front.cancel()

        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stop)
        try:
            await front
        except asyncio.CancelledError:
            if not ended:  # by Ctrl-C
                raise

    asyncio.run(main())
