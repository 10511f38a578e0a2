"""The client of ``load.py``: it plays many tables with as little work as possible for each request."""

from __future__ import annotations

import asyncio
import json
import random
import time
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, cast

import httptools

RACES = 7
SEATS = 4


class Gunzip:
    """Unpacks what is packed with gzip as it comes, in one piece or in several."""

    def __init__(self) -> None:
        self.piece = zlib.decompressobj(31)

    def __call__(self, part: bytes) -> bytes:
        text = b""
        while part:
            text += self.piece.decompress(part)
            part = self.piece.unused_data
            if self.piece.eof:
                self.piece = zlib.decompressobj(31)
        return text


class Wire(asyncio.Protocol):
    """One connection. It sends one request at a time, or reads one event stream."""

    def __init__(self, heard: Callable[[bytes], None] | None = None) -> None:
        self.heard = heard
        self.parser = httptools.HttpResponseParser(self)
        self.body = bytearray()
        self.unpack: Callable[[bytes], bytes] = bytes
        self.tag = ""  # of the last answer that had one
        self.answer: asyncio.Future[tuple[int, bytes]] | None = None
        self.open = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.Transport, transport)
        self.open = True

    def connection_lost(self, error: Exception | None) -> None:
        self.open = False
        if self.answer and not self.answer.done():
            self.answer.set_exception(ConnectionResetError())

    def data_received(self, data: bytes) -> None:
        self.parser.feed_data(data)

    def on_header(self, name: bytes, value: bytes) -> None:
        if name.lower() == b"content-encoding" and value == b"gzip":
            self.unpack = Gunzip()
        elif name.lower() == b"etag":
            self.tag = value.decode()

    def on_body(self, part: bytes) -> None:
        if self.heard:
            self.heard(self.unpack(part))
        else:
            self.body += self.unpack(part)

    def on_message_complete(self) -> None:
        if self.answer and not self.answer.done():
            self.answer.set_result((self.parser.get_status_code(), bytes(self.body)))
        self.parser = httptools.HttpResponseParser(self)
        self.body, self.unpack = bytearray(), bytes

    def ask(self, request: bytes) -> asyncio.Future[tuple[int, bytes]]:
        self.answer = asyncio.get_running_loop().create_future()
        self.transport.write(request)
        return self.answer


class Client:
    """Sends requests on a connection of its own, and connects again when the server has closed it."""

    def __init__(self, port: int, token: str = "") -> None:
        self.port = port
        self.head = f"Host: 127.0.0.1:{port}\r\n" + (f"Authorization: Bearer {token}\r\n" if token else "")
        self.wire = Wire()

    def another(self) -> Client:
        """Return one with the same token and a connection of its own."""
        other = Client(self.port)
        other.head = self.head
        return other

    async def connect(self, heard: Callable[[bytes], None] | None = None) -> Wire:
        loop = asyncio.get_running_loop()
        _transport, wire = await loop.create_connection(lambda: Wire(heard), "127.0.0.1", self.port)
        return wire

    def request(self, method: str, path: str, body: bytes = b"") -> bytes:
        head = f"{method} /api/v1{path} HTTP/1.1\r\n{self.head}"
        if body:
            head += f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n"
        return f"{head}\r\n".encode() + body

    async def ask(self, method: str, path: str, body: Any = None) -> Any:
        """Return the JSON of the answer. The server may close an idle connection: then ask once more."""
        request = self.request(method, path, b"" if body is None else json.dumps(body).encode())
        try:
            status, answer = await self.send(request)
        except ConnectionError:
            status, answer = await self.send(request)
        if status >= 300:
            raise SystemExit(f"{method} {path}: {status} {answer.decode()}")
        return json.loads(answer)

    async def send(self, request: bytes) -> tuple[int, bytes]:
        """Return the status and the body of the answer."""
        if not self.wire.open:
            self.wire = await self.connect()
        return await self.wire.ask(request)


@dataclass
class Seats:
    """A table whose four seats one client plays with random moves."""

    client: Client
    choose: random.Random
    races: int = RACES
    watchers: list[Client] = field(default_factory=list)  # those that fetch their view after each move
    id: str = ""
    decision: int = 0
    moves: dict[int, list[str]] = field(default_factory=dict)  # the choices of each seat that must decide
    said: tuple[int, int] = (0, 0)  # the decision and the seat of the last move
    sent: float = 0.0
    played: int = 0
    looks: int = 0  # requests for choices that no answer has listed
    busy: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def sit(self) -> None:
        """Create a table."""
        table = {"title": "lacorsa", "seats": ["me"] * SEATS, "options": {"races": self.races}}
        self.id = (await self.client.ask("POST", "/tables", table))["id"]
        await self.look()

    async def look(self) -> None:
        """Learn the choices of every seat; go to a new table if the game is over."""
        self.looks += 1
        table = await self.client.ask("GET", f"/tables/{self.id}")
        if table["phase"] == "over":
            return await self.sit()
        self.learn(table)
        for player in table["awaited"]:
            if player not in self.moves:
                self.looks += 1
                self.learn(await self.client.ask("GET", f"/tables/{self.id}?player={player}"), more=True)
        return None

    def learn(self, answer: Any, more: bool = False) -> None:
        """Take the choices from an answer."""
        if not more:
            self.moves = {}
        self.decision = answer["decision"]
        for ask in answer["asks"]:
            if ask["committed"] is None:
                self.moves[ask["seat"]] = [move["move"] for move in ask["moves"]]

    async def move(self) -> float:
        """Make a move; return the seconds that its answer took."""
        if not self.moves:
            await self.look()
        seat = self.choose.choice(sorted(self.moves))
        move = self.choose.choice(self.moves.pop(seat))
        key = f"{self.choose.getrandbits(64):x}"
        body = {"seat": seat, "decision": self.decision, "move": move, "key": key}
        self.said = self.decision, seat
        self.sent, self.played = time.perf_counter(), self.played + 1
        answer = await self.client.ask("POST", f"/tables/{self.id}/moves", body)
        took = time.perf_counter() - self.sent
        if "asks" in answer:  # an answer that lists the next choices saves asking for them
            self.learn(answer)
        if self.watchers:
            path = f"/tables/{self.id}?player="
            views = [one.ask("GET", f"{path}{seat}") for seat, one in enumerate(self.watchers)]
            for n, view in enumerate(await asyncio.gather(*views)):
                self.learn(view, more=n > 0)
        return took


async def token(port: int) -> str:
    """Create a token."""
    made = await Client(port).ask("POST", "/tokens", {"label": "load"})
    return str(made["token"])


async def seated(port: int, tables: int, views: bool = False, races: int = RACES) -> list[Seats]:
    """Create tables."""
    me = await token(port)
    found = [Seats(Client(port, me), random.Random(n), races) for n in range(tables)]
    for one in found:
        one.watchers = [Client(port, me) for _ in range(SEATS if views else 0)]
    await sit_all(found)
    return found


class Sits(Protocol):
    async def sit(self) -> None: ...


async def sit_all(tables: Sequence[Sits]) -> None:
    """Create tables, some at a time."""
    for start in range(0, len(tables), 20):
        await asyncio.gather(*(one.sit() for one in tables[start : start + 20]))


@dataclass
class Ear:
    """A stream of a table. It notes how long after a move its wake-up came, once for each move."""

    table: Seats
    delays: list[float]
    heard: int = 0  # the last move that it heard of
    began: asyncio.Event = field(default_factory=asyncio.Event)

    def hear(self, part: bytes) -> None:
        if b"data:" in part:
            self.began.set()
            if self.heard != self.table.played:
                self.heard = self.table.played
                self.delays.append(time.perf_counter() - self.table.sent)
