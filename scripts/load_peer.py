"""boardgame.io for ``load.py``: how it gets here, and a client that plays its game by socket.io."""

from __future__ import annotations

import asyncio
import hashlib
import json
import random
import shutil
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, cast

import httpx
from filelock import FileLock
from platformdirs import user_cache_path

from load_client import RACES, SEATS, sit_all
from load_told import PATIENCE, Telling

FILES = Path(__file__).parent / "load_boardgame"
NAME = "race"  # of the game


class Missing(Exception):
    """boardgame.io cannot be measured here; says why."""


def installed() -> list[str]:
    """Return the command that runs its server; npm installs what the lock file lists, once.

    Raises ``Missing``.
    """
    node, npm = shutil.which("node"), shutil.which("npm")
    if not (node and npm):
        raise Missing("there is no Node here")
    lock = hashlib.sha256((FILES / "package-lock.json").read_bytes()).hexdigest()[:12]
    folder = user_cache_path("paddock") / f"boardgame.io-{lock}"
    folder.mkdir(parents=True, exist_ok=True)
    with FileLock(folder / "lock"):
        shutil.copytree(FILES, folder, dirs_exist_ok=True)  # Node looks for packages beside the program
        if not (folder / "node_modules/.package-lock.json").exists():  # npm writes it at the end
            command = [npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund"]
            done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
            if done.returncode:
                why = next((line for line in done.stderr.splitlines() if "error" in line), "no reason given")
                raise Missing(f"npm could not install boardgame.io ({why})")
    return [node, str(folder / "server.cjs")]


class Socket(asyncio.Protocol):
    """A WebSocket with the few packets of engine.io and socket.io that a game needs.

    ``hello`` is what the client enters with. ``heard`` gets each event, and how long its text is.
    """

    def __init__(self, port: int, hello: Any, heard: Callable[[int, list[Any]], None]) -> None:
        self.port, self.hello, self.heard = port, hello, heard
        self.rest = bytearray()
        self.upgraded = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.Transport, transport)
        self.transport.write(
            b"GET /socket.io/?EIO=4&transport=websocket HTTP/1.1\r\n"
            b"Host: 127.0.0.1:%d\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: cGFkZG9jaywgb24gbG9hZA==\r\n\r\n" % self.port
        )

    def data_received(self, data: bytes) -> None:
        self.rest += data
        if not self.upgraded:
            head, end, rest = self.rest.partition(b"\r\n\r\n")
            if not end:
                return
            if b" 101 " not in head:
                raise SystemExit(f"boardgame.io: {head.decode()}")
            self.upgraded, self.rest = True, rest
        while (frame := self.frame()) is not None:
            self.packet(frame.decode())

    def frame(self) -> bytes | None:
        """Take the next frame out of what has come, if it is whole. A server's frames are not masked."""
        size, at = (self.rest[1], 2) if len(self.rest) > 1 else (0, 2)
        if size > 125:
            at = 4 if size == 126 else 10
            size = int.from_bytes(self.rest[2:at], "big")
        if len(self.rest) < at + size:
            return None
        kind, frame = self.rest[0], bytes(self.rest[at : at + size])
        del self.rest[: at + size]
        return frame if kind == 0x81 else b""  # a whole text; anything else says nothing here

    def packet(self, text: str) -> None:
        if text.startswith("0"):  # the connection is open
            self.send(f"40/{NAME},")
        elif text == "2":  # a ping
            self.send("3")
        elif text.startswith(f"40/{NAME},"):  # the game is open
            self.emit("sync", *self.hello)
        elif text.startswith(f"42/{NAME},"):  # an event
            self.heard(len(text), json.loads(text.partition(",")[2]))

    def emit(self, *event: Any) -> None:
        self.send(f"42/{NAME},{json.dumps(event, separators=(',', ':'))}")

    def send(self, text: str) -> None:
        """Send a text. A client's frames are masked; with zeros that is soon done."""
        data = text.encode()
        size = len(data)
        head = bytes([0x80 | size]) if size < 126 else b"\xfe" + size.to_bytes(2, "big")
        self.transport.write(b"\x81" + head + bytes(4) + data)


@dataclass
class Match:
    """A game of four on boardgame.io with random moves: all four are told, or one who sees all hands."""

    port: int
    choose: random.Random
    open: bool = False
    telling: Telling = field(init=False)
    id: str = ""
    credentials: list[str] = field(default_factory=list)
    sockets: list[Socket] = field(default_factory=list)
    states: dict[int, Any] = field(default_factory=dict)  # what each client was last told
    last: int = -1  # the number of the state before the move
    looks: int = 0  # none: each event lists the next choices

    def __post_init__(self) -> None:
        self.telling = Telling(range(1 if self.open else SEATS))

    async def sit(self) -> None:
        """Create a match, and let its clients enter."""
        for socket in self.sockets:
            socket.transport.close()
        url = f"http://127.0.0.1:{self.port}/games/{NAME}"
        async with httpx.AsyncClient(base_url=url, timeout=PATIENCE, trust_env=False) as lobby:
            asked: dict[str, Any] = {"numPlayers": SEATS, "setupData": {"races": RACES, "open": self.open}}
            self.id = (await lobby.post("/create", json=asked)).json()["matchID"]
            self.credentials = []
            for seat in range(SEATS):
                body = {"playerID": str(seat), "playerName": f"Driver {seat + 1}"}
                joined = await lobby.post(f"/{self.id}/join", json=body)
                self.credentials.append(joined.json()["playerCredentials"])
        self.sockets, self.states, self.last = [], {}, -1
        self.telling.begin()
        loop = asyncio.get_running_loop()
        for seat in self.telling.listeners:
            hello = [self.id, str(seat), self.credentials[seat], SEATS]
            self.sockets.append(Socket(self.port, hello, partial(self.hear, self.id, seat)))
            await loop.create_connection(partial(self.sockets.__getitem__, seat), "127.0.0.1", self.port)
        await self.telling.end()

    def hear(self, id: str, seat: int, size: int, event: list[Any]) -> None:
        """Take an event for the client of a seat."""
        if id != self.id or event[0] not in ("sync", "update"):
            return
        if event[0] == "update":
            self.telling.heard += size
            self.telling.events += 1
        self.states[seat] = state = event[2]["state"] if event[0] == "sync" else event[2]
        if state["_stateID"] > self.last:
            self.telling.told(seat)

    async def move(self) -> float:
        """Make a move; return the seconds until all clients were told."""
        if "gameover" in self.states[0]["ctx"]:
            await self.sit()
        seat = self.choose.choice(self.states[0]["G"]["awaited"])
        client = 0 if self.open else seat
        hand = self.states[client]["G"]["players"][str(seat)]["hand"]
        payload = {"type": "play", "args": [self.choose.choice(hand)]}
        payload |= {"playerID": str(seat), "credentials": self.credentials[seat]}
        self.last = self.states[0]["_stateID"]
        self.telling.begin()
        start = time.perf_counter()
        action = {"type": "MAKE_MOVE", "payload": payload}
        self.sockets[client].emit("update", action, self.last, self.id, str(seat))
        await self.telling.end()
        return time.perf_counter() - start


async def matches(port: int, tables: int, open: bool = False) -> list[Match]:
    """Create matches."""
    found = [Match(port, random.Random(n), open) for n in range(tables)]
    await sit_all(found)
    return found


def environment(files: str | None) -> dict[str, str]:
    """Return the variables of a server that keeps its matches in this folder, or in memory."""
    return {"NODE_ENV": "production"} | ({"FLATFILE_DIR": files} if files else {})
