"""Hands requests for a table over to the server that has it: see ``tables/owning.py``.

``Inside`` stands before the checks of ``Guard``: what another server hands over was checked there, and says
for whom it asks. ``Handover`` stands behind them. Whoever has the table answers; another server passes the
answer on as it is. A server that is handed a table that it does not have refuses: nothing goes in a circle.
"""

from __future__ import annotations

import asyncio
import logging
import time
from contextlib import suppress
from hmac import compare_digest
from urllib.parse import quote

from starlette.datastructures import State
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from paddock.core.i18n import _
from paddock.tables import Elsewhere, Peer, Tables, Unavailable
from paddock.web.guard import INSIDE, refuse
from paddock.web.heads import only_looks
from paddock.web.pages import RETRY
from paddock.web.prices import Prices
from paddock.web.relay import Answer, Asked, Broken, Header, Unreached, Unsendable

log = logging.getLogger("paddock.web")
KEY, FOR, SCHEME, MOVED = b"x-paddock-key", b"x-paddock-for", b"x-paddock-scheme", b"x-paddock-moved"
OURS = {KEY, FOR, SCHEME}
# What belongs to one connection, or is said anew.
ONE_HOP = {
    b"connection", b"keep-alive", b"proxy-connection", b"te", b"trailer", b"transfer-encoding", b"upgrade",
    b"expect", b"content-length", b"x-forwarded-for", b"x-forwarded-proto", b"forwarded",
}  # fmt: skip
NOT_PASSED_ON = ONE_HOP - {b"content-length"} | {b"date", b"server", MOVED}  # of an answer
PATIENCE = 15.0  # seconds until a request gives up: longer than the tables of a dead server need to be taken
AGAIN = 0.1  # seconds before it is tried again, or until a server has come or gone
UNREACHED = 1.0  # the same after a server was not reached: nobody takes its tables before it is gone
MOST_KNOWN = 10_000  # tables of which this server remembers who has them
SAFE = ("GET", "HEAD", "OPTIONS")


class Inside:
    """Takes what another server hands over for what it was there: the visitor's address and scheme."""

    def __init__(self, app: ASGIApp, state: State) -> None:
        self.app = app
        self.state = state

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request."""
        if scope["type"] == "http":
            said = {name: value for name, value in scope["headers"] if name in OURS}
            if KEY in said:
                me = self.state.tables.owning.me if self.state.tables else None
                if me is None or not compare_digest(said[KEY], me.key.encode()):
                    await _not_here(scope, receive, send)
                    return
                scope = dict(scope)
                scope["headers"] = [header for header in scope["headers"] if header[0] not in OURS]
                scope["client"] = (said.get(FOR, b"").decode("latin-1") or "unknown", 0)
                scope["scheme"] = said.get(SCHEME, b"http").decode("latin-1")
                scope[INSIDE] = True
        await self.app(scope, receive, send)


class Handover:
    """Answers requests for the tables that this server has, and hands all others over."""

    def __init__(self, app: ASGIApp, state: State) -> None:
        self.app = app
        self.state = state
        self._known: dict[str, Peer] = {}  # who had a table; the server itself knows whether it still has it
        self._prices: Prices = state.checks.prices
        self._stopping: asyncio.Task[None] | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request."""
        tables: Tables | None = self.state.tables
        id = self._prices.found(scope).table if scope["type"] == "http" else None
        if id is None or tables is None or not tables.owning.shared:
            await self.app(scope, receive, send)
        else:
            await self._about(tables, id, scope, receive, send)

    async def _about(self, tables: Tables, id: str, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request about a table."""
        asked: Asked | None = None
        until = time.monotonic() + PATIENCE
        while True:
            peer = await self._who(tables, id)
            # A server that stops ends its streams at once: let the other one wait until it has the table.
            if INSIDE in scope and (peer or self.state.stopping.given):
                await _not_here(scope, receive, send)
                return
            if peer is None:
                await self._here(tables, scope, receive if asked is None else _again(asked, receive), send)
                return
            if asked is None:
                if (body := await _body(scope, receive)) is None:
                    return
                asked = _passed_on(scope, body)
            if self._stopping is None:
                self._stopping = asyncio.create_task(self._end_streams())
            pause = AGAIN
            try:
                if await self._elsewhere(peer, asked, scope, receive, send):
                    return
            except Unreached:
                pause = UNREACHED
            except Unsendable:
                await refuse(scope, 400, _("This request is not valid HTTP."))(scope, receive, send)
                return
            except Broken:
                if scope["method"] not in SAFE:  # it may have been done: whoever asked has to look
                    break
            self._known.pop(id, None)
            if time.monotonic() > until:
                log.warning("server %s does not answer at %s", peer.id, peer.address or "no address")
                break
            await tables.owning.news(pause)
        words = _("The server that has this table does not answer. Nothing is lost: try again.")
        await refuse(scope, 503, words, {"Retry-After": str(RETRY)})(scope, receive, send)

    async def _who(self, tables: Tables, id: str) -> Peer | None:
        """Return the server that has a table, after an attempt to take it; None: this one."""
        if not tables.owning.valid:
            with suppress(Unavailable):
                await tables.owning.sure()
        if tables.registry.get(id):
            return None
        if (known := self._known.get(id)) and tables.owning.lives(known):
            return known
        try:
            await tables.registry.find(id)
        except Elsewhere as elsewhere:
            if elsewhere.peer:
                if len(self._known) >= MOST_KNOWN:
                    self._known.clear()
                self._known[id] = elsewhere.peer
            return elsewhere.peer
        except Exception:
            pass
        return None

    # Here

    async def _here(self, tables: Tables, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, unless the table was lost before the answer was made: then others may know more."""
        lost, begun, over = tables.owning.lost, False, False
        stream = self._prices.of(scope).stream

        async def end() -> None:
            """Say that the table was lost. A stream just ends, and the browser opens another one."""
            nonlocal over
            if over:
                return
            over = True
            if begun:
                await send({"type": "http.response.body", "body": b"", "more_body": False})
            else:
                await refuse(scope, 503, str(Elsewhere()), {"Retry-After": "1"})(scope, receive, send)

        async def checked(message: Message) -> None:
            nonlocal begun
            if not begun or stream:
                with suppress(Unavailable):
                    await tables.owning.sure()
                if lost.is_set() or not tables.owning.valid:
                    await end()
            if not over:
                begun = True
                await send(message)

        if not stream:
            await self.app(scope, receive, checked)
            return
        answering = asyncio.ensure_future(self.app(scope, receive, checked))
        losing = asyncio.ensure_future(lost.wait())
        try:
            await asyncio.wait({answering, losing}, return_when=asyncio.FIRST_COMPLETED)
            if answering.done():
                answering.result()
            else:
                await end()
        finally:
            losing.cancel()
            answering.cancel()
            await asyncio.wait({answering})

    # Elsewhere

    async def _elsewhere(self, peer: Peer, asked: Asked, scope: Scope, receive: Receive, send: Send) -> bool:
        """Pass a request on, and the answer back; return False if the other server has not got the table."""
        stream = self._prices.of(scope).stream
        async with self.state.relay.ask(peer, _signed(asked, peer, scope), stream=stream) as answer:
            if any(name == MOVED for name, _value in answer.headers):
                return False
            if stream and answer.status == 200:
                await self._pass_on(answer, receive, send)
            else:
                body = b"".join([piece async for piece in answer.pieces()])
                start = _start(answer)
                if self.state.sticky:  # the next connection goes to the right server
                    start["headers"].append((b"connection", b"close"))
                await send(start)
                await send({"type": "http.response.body", "body": body})
        return True

    async def _pass_on(self, answer: Answer, receive: Receive, send: Send) -> None:
        """Pass on a stream until either side ends it."""

        async def leave() -> None:
            while (await receive())["type"] != "http.disconnect":
                pass
            answer.end()

        leaving = asyncio.create_task(leave())
        await send(_start(answer))
        if self.state.stopping.given:  # it has come since the others were ended
            answer.end()
        try:
            async for piece in answer.pieces():
                await send({"type": "http.response.body", "body": piece, "more_body": True})
        except Broken:
            pass  # the browser opens another one
        finally:
            leaving.cancel()
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _end_streams(self) -> None:
        """End the streams that are passed on when this server stops."""
        await self.state.stopping.wait()
        self.state.relay.end_streams()


async def _not_here(scope: Scope, receive: Receive, send: Send) -> None:
    """Refuse what was handed over to the wrong server."""
    words = _("This server does not have this table.")
    await refuse(scope, 421, words, {MOVED.decode(): "1"})(scope, receive, send)


async def _body(scope: Scope, receive: Receive) -> bytes | None:
    """Return the body of a request, whose size ``Guard`` has checked; None if the client has left."""
    body = b""
    while scope["method"] not in SAFE:
        message = await receive()
        if message["type"] != "http.request":
            return None
        body += message.get("body", b"")
        if not message.get("more_body", False):
            break
    return body


def _again(asked: Asked, receive: Receive) -> Receive:
    """Return a ``receive`` that begins with a body that was read already."""
    waiting = [asked.body]

    async def again() -> Message:
        if waiting:
            return {"type": "http.request", "body": waiting.pop(), "more_body": False}
        return await receive()

    return again


def _passed_on(scope: Scope, body: bytes) -> Asked:
    """Return a request as it is handed over."""
    path = scope.get("raw_path") or quote(scope["path"]).encode()
    query = scope["query_string"]
    # As h11 takes them, which is stricter than what read them: no blanks around a value, and one host.
    said = [(name, value.strip(b" \t")) for name, value in scope["headers"]]
    host = next((value for name, value in said if name == b"host"), b"")
    headers = [(name, value) for name, value in said if name not in ONE_HOP and name != b"host"]
    method = "HEAD" if only_looks(scope) else scope["method"]
    return Asked(method.encode(), path + b"?" + query if query else path, [(b"host", host), *headers], body)


def _signed(asked: Asked, peer: Peer, scope: Scope) -> Asked:
    """Return a request that says to a server for whom it is."""
    host = scope["client"][0] if scope.get("client") else ""
    more: list[Header] = [
        (KEY, peer.key.encode()),
        (FOR, host.encode("latin-1", "replace")),
        (SCHEME, scope["scheme"].encode("latin-1", "replace")),
    ]
    return Asked(asked.method, asked.target, [*asked.headers, *more], asked.body)


def _start(answer: Answer) -> Message:
    headers = [header for header in answer.headers if header[0] not in NOT_PASSED_ON]
    return {"type": "http.response.start", "status": answer.status, "headers": headers}
