"""Who answers a request about a table: without servers, databases or time."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from types import SimpleNamespace
from typing import Any

import httpcore
import pytest
from starlette.datastructures import State
from starlette.responses import PlainTextResponse

from paddock.server.app import declared
from paddock.tables import Peer
from paddock.tables.errors import Elsewhere
from paddock.tables.owning import Alone
from paddock.web import handover
from paddock.web.handover import AGAIN, KEY, MOVED, UNREACHED, Handover, Inside
from paddock.web.heads import Heads
from paddock.web.relay import Answer, Asked, Unreached, Unsendable
from paddock.web.streams import Signal

pytestmark = pytest.mark.anyio
PRICES = declared()
ME, OTHER = Peer("me", "127.0.0.1:1", "mine"), Peer("other", "127.0.0.1:2", "theirs")


class Owning(Alone):
    """One of two servers. The other one is gone when this one has waited for that."""

    shared = True

    def __init__(self) -> None:
        super().__init__()
        self.me = ME
        self.waited: list[float] = []

    def lives(self, peer: Peer) -> bool:
        return not self.waited

    async def news(self, seconds: float) -> None:
        self.waited.append(seconds)


class Registry(dict[str, object]):
    """The tables of this server, and those of the other one, which it takes when that is gone."""

    def __init__(self, owning: Owning) -> None:
        super().__init__(mine=True)
        self.owning = owning

    async def find(self, id: str) -> object:
        if not self.owning.waited:
            raise Elsewhere(OTHER)
        return self.setdefault(id, True)


class Away:
    """A relay that does not get through, or finds a server that has no table any more."""

    def __init__(self, *said: Any) -> None:
        self.said = said  # the whole answer of the other server
        self.asked: list[Asked] = []
        self.ended = 0

    @asynccontextmanager
    async def ask(self, peer: Peer, asked: Asked, **how: object) -> AsyncIterator[Answer]:
        self.asked.append(asked)
        if not self.said:
            raise Unreached
        status, headers, body = self.said
        try:
            yield Answer(httpcore.Response(status, headers=headers, content=body))
        finally:
            self.ended += 1


@pytest.fixture
def state() -> State:
    owning = Owning()
    tables = SimpleNamespace(owning=owning, registry=Registry(owning))
    checks = SimpleNamespace(prices=PRICES)
    relay = Away()
    return State({"tables": tables, "stopping": Signal(), "relay": relay, "sticky": False, "checks": checks})


async def said(state: State, path: str, *, method: str = "GET", **headers: str) -> list[Any]:
    """Return the messages of the answer to a request."""
    messages: list[Any] = []

    async def receive() -> Any:
        await asyncio.Event().wait()  # the client stays

    async def send(message: Any) -> None:
        messages.append(message)

    given = [(name.encode(), value.encode()) for name, value in headers.items()]
    scope = {"type": "http", "method": method, "scheme": "http", "root_path": "", "path": path}
    scope |= {"query_string": b"", "headers": given}
    await Heads(Inside(Handover(PlainTextResponse("here"), state), state))(scope, receive, send)
    return messages


async def status(state: State, path: str, **headers: str) -> tuple[int, list[bytes]]:
    """Return the status and the names of the headers of the answer to a request."""
    start, *_body = await said(state, path, **headers)
    return start["status"], [name for name, _value in start["headers"]]


async def test_a_server_that_stops_takes_nothing_that_is_handed_over(state: State) -> None:
    """Its streams would end at once, and nobody would tell why; whoever hands over waits for the table."""
    key = {KEY.decode(): ME.key}
    assert (await status(state, "/t/mine/stream", **key))[0] == 200
    state.stopping.give()
    refused, names = await status(state, "/t/mine/stream", **key)
    assert refused == 421 and MOVED in names
    assert (await status(state, "/t/mine"))[0] == 200, "a visitor of its own"


async def test_the_tables_of_a_server_that_is_not_reached_are_waited_for(state: State) -> None:
    assert (await status(state, "/t/theirs"))[0] == 200
    assert state.tables.owning.waited == [UNREACHED]


async def test_a_table_that_moves_is_asked_for_again_soon(state: State) -> None:
    state.relay = Away(421, [(MOVED, b"1")], b"")
    assert (await status(state, "/t/theirs"))[0] == 200
    assert state.tables.owning.waited == [AGAIN]


@pytest.mark.parametrize(("code", "sticky"), [(200, False), (404, True)])
async def test_an_answer_of_the_other_server_is_passed_on_without_what_was_for_this_one(
    state: State, code: int, sticky: bool
) -> None:
    """A proxy that chooses servers by connection is told to choose anew."""
    kept = [(b"content-type", b"text/plain"), (b"content-length", b"5"), (b"vary", b"server")]
    ours = [(b"date", b"today"), (b"server", b"uvicorn"), (b"connection", b"keep-alive")]
    state.relay, state.sticky = Away(code, [*ours, *kept], b"there"), sticky
    start, body = await said(state, "/t/theirs")
    end = [(b"connection", b"close")] if sticky else []
    assert start == {"type": "http.response.start", "status": code, "headers": kept + end}
    assert body == {"type": "http.response.body", "body": b"there"}
    assert state.tables.owning.waited == [] and state.relay.ended == 1


async def test_a_stream_of_the_other_server_is_passed_on_piece_by_piece(state: State) -> None:
    state.relay = Away(200, [(b"content-type", b"text/event-stream"), (b"date", b"today")], b"news")
    start, *pieces = await said(state, "/t/theirs/stream")
    assert (start["status"], start["headers"]) == (200, [(b"content-type", b"text/event-stream")])
    assert [(one["body"], one["more_body"]) for one in pieces] == [(b"news", True), (b"", False)]


async def test_head_is_handed_over_as_head(state: State) -> None:
    """Else the owner would open a stream, and count the browser as present."""
    state.relay = Away(200, [(b"content-length", b"7")], b"")
    for path in ("/t/theirs", "/t/theirs/stream"):
        start, body = await said(state, path, method="HEAD")
        assert (start["status"], start["headers"], body["body"]) == (200, [(b"content-length", b"7")], b"")
    assert [asked.method for asked in state.relay.asked] == [b"HEAD", b"HEAD"]
    assert state.relay.ended == 2


async def test_what_uvicorn_takes_is_handed_over_so_that_httpcore_sends_it(state: State) -> None:
    """Blanks at the end of a value, and a second host."""
    given = [(b"host", b"a.test"), (b"host", b"b.test"), (b"authorization", b"Bearer x \t")]
    scope = {"method": "GET", "path": "/t/theirs", "query_string": b"", "headers": given}
    assert handover._passed_on(scope, b"").headers == [(b"host", b"a.test"), (b"authorization", b"Bearer x")]

    class Refusing(Away):
        @asynccontextmanager
        async def ask(self, peer: Peer, asked: Asked, **how: object) -> AsyncIterator[Answer]:
            raise Unsendable
            yield

    state.relay = Refusing()
    assert (await status(state, "/t/theirs"))[0] == 400
    assert state.tables.owning.waited == []
