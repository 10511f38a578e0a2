"""Puts the application together in the browser's Python: one visitor, one thread, no network.

The dedicated worker of the page calls ``start`` once, and ``RunningApp.answer`` for each request.
"""

from __future__ import annotations

import asyncio
import logging
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AsyncExitStack, closing
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit

from starlette.requests import cookie_parser

from paddock.device.jar import Jar

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Scope

    from paddock.tables import Tables
    from paddock.web.feature import Feature

log = logging.getLogger("paddock.device")
DATABASE, COOKIES = "paddock.sqlite3", "cookies.sqlite3"  # the worker keeps files of these names
FRESH = Path(__file__).parent / "fresh.sqlite3"  # in a pack: tables without games, as migrations make them
LATER = 60.0  # seconds after the start
Send = Callable[[str, Any, Any], None]  # "head", status and headers; "piece", bytes; "end"


def features() -> list[Feature]:
    """Return the features that one person on one device can use."""
    from paddock.features import FEATURES

    return [feature for feature in FEATURES if feature.alone]


def scope_of(method: str, address: str, headers: Iterable[Sequence[str]], cookies: str) -> Scope:
    """Return a request as ASGI describes it. ``address`` is a whole URL of this page's own origin."""
    parts = urlsplit(address)
    given = [(name.lower(), value) for name, value in headers]
    given.append(("host", parts.netloc))
    if cookies:
        given.append(("cookie", cookies))
    secure = parts.scheme == "https"
    return {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": method,
        "scheme": parts.scheme,
        "path": unquote(parts.path),
        "raw_path": parts.path.encode(),
        "query_string": parts.query.encode(),
        "root_path": "",
        "headers": [(name.encode("latin-1"), value.encode("latin-1")) for name, value in given],
        "client": ("127.0.0.1", 1),
        "server": (parts.hostname, parts.port or (443 if secure else 80)),
        "state": {},
    }


def framed(policy: str) -> str:
    """Return the policy of a page that the shell page shows in a frame."""
    return policy.replace("frame-ancestors 'none'", "frame-ancestors 'self'")


def split(raw: Iterable[tuple[bytes, bytes]]) -> tuple[list[list[str]], list[str]]:
    """Return the headers that the page gets, and the cookies that the jar keeps."""
    pairs = [(name.decode("latin-1").lower(), value.decode("latin-1")) for name, value in raw]
    cookies = [value for name, value in pairs if name == "set-cookie"]
    shown = [[name, framed(value)] for name, value in pairs if name not in ("set-cookie", "content-length")]
    return shown, cookies


def of_scripts(cookies: str, known: str, base_path: str) -> Iterator[str]:
    """Yield the new settings among the cookies of a page's scripts, as ``Set-Cookie`` would say them."""
    from paddock.web.cookies import LONG, SETTINGS  # imported late: a test of the jar alone needs no pages

    had = cookie_parser(known)
    for name, value in cookie_parser(cookies).items():
        if name in SETTINGS and had.get(name) != value:
            yield f"{name}={value}; Path={base_path}/; Max-Age={LONG.total_seconds():.0f}"


class RunningApp:
    """The running application, its cookies, and the requests that are being answered."""

    def __init__(self, app: ASGIApp, jar: Jar, base_path: str = "") -> None:
        self.app = app
        self.jar = jar
        self.base_path = base_path
        self.running = AsyncExitStack()  # kept: without it, what the application does by itself would end
        self._left: dict[int, asyncio.Event] = {}

    async def answer(
        self,
        key: int,
        method: str,
        address: str,
        headers: Iterable[Sequence[str]],
        body: bytes,
        send: Send,
        set_by_scripts: str = "",
    ) -> None:
        """Answer a request; ``send`` gets the head, the pieces and the end.

        ``set_by_scripts`` are the cookies that the page itself has set, as its ``document.cookie`` says them.
        """
        left = self._left[key] = asyncio.Event()
        waiting = [body]

        async def receive() -> Message:
            if waiting:
                return {"type": "http.request", "body": waiting.pop(), "more_body": False}
            await left.wait()
            return {"type": "http.disconnect"}

        async def give(message: Message) -> None:
            if message["type"] == "http.response.start":
                shown, cookies = split(message["headers"])
                self.take(cookies, method)
                send("head", message["status"], shown)
                return
            if piece := message.get("body", b""):
                send("piece", bytes(piece), None)
            if not message.get("more_body", False):
                send("end", None, None)

        path = urlsplit(address).path
        self.take(of_scripts(set_by_scripts, self.jar.header(path), self.base_path), method)
        cookies = self.jar.header(path)
        try:
            await self.app(scope_of(method, address, headers, cookies), receive, give)
        finally:
            del self._left[key]

    def take(self, cookies: Iterable[str], method: str) -> None:
        """Keep cookies. Where there is no room for them, pages can still be read, and nothing else."""
        try:
            self.jar.take(cookies)
        except sqlite3.OperationalError:
            if method not in ("GET", "HEAD"):
                raise

    def leave(self, key: int) -> None:
        """Note that nobody waits for an answer any longer."""
        if left := self._left.get(key):
            left.set()


def begin(database: Path, fresh: Path) -> None:
    """Copy a fresh database into a new one, as a whole or not at all. Others stay as they are."""
    if not fresh.exists() or (database.exists() and database.stat().st_size):
        return
    with closing(sqlite3.connect(fresh)) as made, closing(sqlite3.connect(database)) as new:
        made.backup(new)


async def do_chores(tables: Tables, features: Iterable[Feature], later: float = LATER) -> None:
    """Do what a server does every night, when the visitor's first requests are answered.

    What fails is logged, to the console of the shell page.
    """
    await asyncio.sleep(later)
    for feature in features:
        try:
            if feature.chores:
                await feature.chores(tables)
        except Exception:
            log.exception("could not do the chores of %s", feature.package)


async def start(base_path: str, folder: str) -> RunningApp:
    """Start the application below a path of its host, with its files in a folder."""
    begin(Path(folder, DATABASE), FRESH)
    from paddock.core.settings import Settings
    from paddock.server.app import create_app
    from paddock.tables.means import ONE_THREAD
    from paddock.tables.tasks import end

    # Not read as a setting: a server has its pack below one of its own addresses
    settings = Settings(hosts=frozenset({"*"})).model_copy(update={"base_path": base_path})
    app = create_app(
        f"sqlite:///{folder}/{DATABASE}", settings=settings, features=features(), means=ONE_THREAD
    )
    device = RunningApp(app, Jar(Path(folder, COOKIES)), base_path)
    await device.running.enter_async_context(app.router.lifespan_context(app))
    chores = asyncio.create_task(do_chores(app.state.tables, features()), name="chores")
    device.running.push_async_callback(end, [chores])
    return device
