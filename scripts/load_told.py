"""Tables of ``load.py`` whose players and spectators are told of each move by their event streams.

An event says what its reader sees now: as JSON, or as a page. If it is only a digest, the reader fetches.
"""

from __future__ import annotations

import asyncio
import html
import json
import random
import re
import time
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

import httpx

from load_client import RACES, SEATS, Client, Seats, Wire, sit_all, token

PATIENCE = 60  # seconds for all to be told of a move
DIGEST = re.compile(r"[0-9a-f]{16}")


class Telling:
    """Waits until all who listen have been told of a move, and counts what they are sent."""

    def __init__(self, listeners: Collection[int]) -> None:
        self.listeners = listeners
        self.heard = 0  # bytes of events
        self.events = 0
        self.fetched = 0  # requests that events made necessary
        self._untold: set[int] = set()
        self._all = asyncio.Event()

    def begin(self, but: Collection[int] = ()) -> None:
        """From now on, wait for all listeners but these."""
        self._untold = set(self.listeners) - set(but)
        self._all.clear()

    def told(self, who: int) -> None:
        """A listener knows of the move."""
        self._untold.discard(who)
        if not self._untold:
            self._all.set()

    @property
    def over(self) -> bool:
        """Whether all know of it."""
        return self._all.is_set()

    async def end(self) -> None:
        """Return when all know of it."""
        try:
            await asyncio.wait_for(self._all.wait(), PATIENCE)
        except TimeoutError:
            raise SystemExit(f"not told of a move: {sorted(self._untold)}") from None


class Stream:
    """An open event stream. ``hear`` gets the data of its events: of those that wait only the newest."""

    def __init__(self, telling: Telling, hear: Callable[[str], Any]) -> None:
        self._telling, self._hear = telling, hear
        self._rest = b""
        self._events: asyncio.Queue[str] = asyncio.Queue()
        self.began = asyncio.Event()
        self._wire: Wire | None = None
        self._task: asyncio.Task[None] | None = None

    async def open(self, client: Client, request: bytes) -> None:
        """Open it; return when the first event has come."""
        self._wire = await client.connect(self.feed)
        self._wire.transport.write(request)
        self._task = asyncio.create_task(self.listen())
        await asyncio.wait_for(self.began.wait(), PATIENCE)

    def close(self) -> None:
        if self._wire and self._task:
            self._wire.transport.close()
            self._task.cancel()

    def feed(self, part: bytes) -> None:
        """Take the next bytes. A heartbeat is an event with a name, and no news."""
        *events, self._rest = (self._rest + part).split(b"\n\n")
        for event in events:
            data = [line[5:].removeprefix(b" ") for line in event.split(b"\n") if line.startswith(b"data:")]
            if data and b"event:" not in event:
                self._telling.heard += len(event) + 2
                self._telling.events += 1
                self._events.put_nowait(b"\n".join(data).decode())

    async def listen(self) -> None:
        """Hand the events over, until cancelled."""
        while True:
            data = await self._events.get()
            while not self._events.empty():
                data = self._events.get_nowait()
            await self._hear(data)
            self.began.set()


@dataclass
class Told(Seats):
    """A table whose four players hear of each move, and that some spectators watch."""

    crowd: int = 0  # how many spectators
    pages: bool = False  # whether they watch the page, not the API
    telling: Telling = field(init=False)
    streams: list[Stream] = field(default_factory=list)
    views: dict[int, Any] = field(default_factory=dict)  # what each player was last told

    def __post_init__(self) -> None:
        self.telling = Telling(range(SEATS + self.crowd))

    async def sit(self) -> None:
        """Create a table, and open the streams."""
        for stream in self.streams:
            stream.close()
        self.streams, self.views = [], {}
        await super().sit()
        for player in range(SEATS):
            reader = self.client.another()
            self.streams.append(Stream(self.telling, self.hearing(player, reader)))
            request = reader.request("GET", f"/tables/{self.id}/stream?player={player}")
            await self.streams[-1].open(reader, request)
        for who in range(SEATS, SEATS + self.crowd):
            self.streams.append(Stream(self.telling, self.watching(who)))
            spectator = Browser(self.client.port) if self.pages else Client(self.client.port)
            path = f"/t/{self.id}/stream" if self.pages else f"/tables/{self.id}/stream"
            await self.streams[-1].open(spectator, spectator.request("GET", path))

    def hearing(self, player: int, reader: Client) -> Callable[[str], Any]:
        async def hear(data: str) -> None:
            if DIGEST.fullmatch(data):
                self.telling.fetched += 1
                view = await reader.ask("GET", f"/tables/{self.id}?player={player}")
            else:
                view = json.loads(data)
            self.views[player] = view
            self.check(player)

        return hear

    def check(self, player: int) -> None:
        """Note whether the last view of a player shows the move."""
        view, (decision, seat) = self.views[player], self.said
        if view["decision"] > decision or seat in view["committed"] or view["phase"] == "over":
            self.telling.told(player)

    def watching(self, who: int) -> Callable[[str], Any]:
        """Spectators are told by an event: a digest, too, is taken for the news."""

        async def hear(_data: str) -> None:
            self.telling.told(who)

        return hear

    async def move(self) -> float:
        """Make a move; return the seconds until all were told."""
        if not self.moves:
            await self.look()
        self.telling.begin()
        await super().move()
        for player in self.views:  # the only possible move is played by itself: all may know of it already
            self.check(player)
        await self.telling.end()
        took = time.perf_counter() - self.sent
        newest = max(view["decision"] for view in self.views.values())
        self.moves = {}
        for view in self.views.values():
            if view["decision"] == newest:
                self.learn(view, more=True)
        return took


async def told(port: int, tables: int, crowd: int = 0, pages: bool = False) -> list[Told]:
    """Create tables whose players have their streams, some with spectators."""
    me = await token(port)
    found = [Told(Client(port, me), random.Random(n), crowd=crowd, pages=pages) for n in range(tables)]
    await sit_all(found)
    return found


# Friends with browsers

STATE = re.compile(r'<div id="state" hidden data-digest="(\w*)" data-stream="([^"]*)"')
DECISION = re.compile(r'<div id="table"[^>]* data-decision="(\d+)"')
ASK = re.compile(r'<section class="panel ask.*?</section>', re.DOTALL)
HIDDEN = re.compile(r'<input type="hidden" name="(\w+)" value="([^"]*)"')
CHOICE = re.compile(r'<option value="([^"]+)"')
STILL = re.compile(r'data-still="(\w+)"')


class Browser(Client):
    """The browser of a friend: its cookies, and what the page's script knows and sends (``live.js``)."""

    def __init__(self, port: int, cookies: Collection[tuple[str, str]] = ()) -> None:
        super().__init__(port)
        self.head += "Accept-Encoding: gzip\r\nSec-Fetch-Site: same-origin\r\n"
        if cookies:
            self.head += f"Cookie: {'; '.join(f'{name}={value}' for name, value in cookies)}\r\n"
        self.digest = self.stream = ""
        self.decision = 0
        self.still: list[str] = []
        self.form: dict[str, str] = {}  # of the seat that must decide; empty if none
        self.choices: list[str] = []
        self.answered: tuple[str, str] | None = None  # seat and decision of the last form that was sent
        self.busy = asyncio.Lock()  # while a form is sent or a page fetched, events wait

    def request(self, method: str, path: str, body: bytes = b"") -> bytes:
        head = f"{method} {path} HTTP/1.1\r\n{self.head}"
        if not path.partition("?")[0].endswith("/stream"):
            head += f"paddock-part: main\r\npaddock-still: {' '.join(self.still)}\r\n"
        if body:
            head += f"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {len(body)}\r\n"
        return f"{head}\r\n".encode() + body

    async def page(self, path: str, form: dict[str, str] | None = None) -> None:
        """Fetch the page or send a form, and see the answer."""
        request = self.request("POST" if form else "GET", path, urlencode(form or {}).encode())
        try:
            status, text = await self.send(request)
        except ConnectionError:  # the server has closed an idle connection
            status, text = await self.send(request)
        if status >= 300:
            raise SystemExit(f"{path} {form or ''}: {status} {text.decode()}")
        self.see(text.decode())

    def see(self, text: str) -> None:
        """Learn from a page what the script and its reader need."""
        if not (state := STATE.search(text)):
            raise SystemExit(f"this is no page of a table: {text[:500]}")
        self.digest, self.stream = state[1], html.unescape(state[2])
        self.still = STILL.findall(text)
        decision = DECISION.search(text)
        self.decision, self.form, self.choices = int(decision[1]) if decision else 0, {}, []
        for ask in ASK.findall(text):
            if 'class="committed"' not in ask:
                form = dict(HIDDEN.findall(ask))
                if (form["seat"], form["decision"]) == self.answered:
                    continue  # the stream had this page on its way when the answer came
                self.form = form
                self.choices = [html.unescape(choice) for choice in CHOICE.findall(ask)]


@dataclass
class Friends:
    """Four browsers at a table that they have reached by a link, and their pages."""

    port: int
    choose: random.Random
    telling: Telling = field(default_factory=lambda: Telling(range(SEATS)))
    path: str = ""
    browsers: list[Browser] = field(default_factory=list)
    streams: list[Stream] = field(default_factory=list)
    before: dict[int, str] = field(default_factory=dict)  # the digests of the pages before the move
    looks: int = 0  # requests for pages because none had a choice

    async def sit(self) -> None:
        """Open a lobby, let the friends take seats and be ready, and open their pages."""
        for stream in self.streams:
            stream.close()
        self.browsers, self.streams = [], []
        url = f"http://127.0.0.1:{self.port}"
        friends = [
            httpx.AsyncClient(base_url=url, timeout=PATIENCE, trust_env=False, follow_redirects=True)
            for _ in range(SEATS)
        ]
        form = {
            "title": "lacorsa",
            "drivers": str(SEATS),
            "races": str(RACES),
            "who-1": "me",
            "name-1": "Ana",
        }
        form |= {f"who-{seat}": "open" for seat in range(2, SEATS + 1)}
        self.path = (await friends[0].post("/tables", data=form)).url.path
        for player, friend in enumerate(friends):
            if player:
                form = {"do": "claim", "player": str(player), "name": f"Friend {player}"}
                (await friend.post(f"{self.path}/seats", data=form)).raise_for_status()
        for player, friend in enumerate(friends):
            form = {"do": "ready", "player": str(player)}
            (await friend.post(f"{self.path}/seats", data=form)).raise_for_status()
            self.browsers.append(Browser(self.port, [*friend.cookies.items()]))
            await friend.aclose()
        self.before = dict.fromkeys(range(SEATS), "")
        for who, browser in enumerate(self.browsers):
            await browser.page(self.path)
            self.streams.append(Stream(self.telling, self.hearing(who)))
            await self.streams[-1].open(browser, browser.request("GET", browser.stream))

    def hearing(self, who: int) -> Callable[[str], Any]:
        browser = self.browsers[who]

        async def hear(data: str) -> None:
            async with browser.busy:
                if not DIGEST.fullmatch(data):
                    browser.see(page_in(data))
                elif data != browser.digest:
                    self.telling.fetched += 1
                    await browser.page(self.path)
            if browser.digest != self.before[who]:
                self.telling.told(who)

        return hear

    async def move(self) -> float:
        """Make a move; return the seconds until all were told. The answer tells the one who moved."""
        if not any(browser.form for browser in self.browsers):
            for browser in self.browsers:
                async with browser.busy:
                    await browser.page(self.path)
            self.looks += SEATS
        able = [who for who, browser in enumerate(self.browsers) if browser.form]
        if not able:
            await self.sit()
            return await self.move()
        newest = max(self.browsers[who].decision for who in able)
        who = self.choose.choice([who for who in able if self.browsers[who].decision == newest])
        browser = self.browsers[who]
        self.before = {one: other.digest for one, other in enumerate(self.browsers)}
        self.telling.begin(but=[who])
        start = time.perf_counter()
        # The script gives each form of a page that came by the stream a key of its own.
        form = browser.form | {"move": self.choose.choice(browser.choices)}
        form["key"] = f"{self.choose.getrandbits(64):x}"
        async with browser.busy:
            browser.answered = form["seat"], form["decision"]
            await browser.page(f"{self.path}/move", form)
        for other, shown in enumerate(self.browsers):  # the only possible move was played by itself before
            if shown.decision > int(form["decision"]):
                self.telling.told(other)
        await self.telling.end()
        return time.perf_counter() - start


def page_in(data: str) -> str:
    """Return the page in the data of an event: the HTML itself, or somewhere in JSON."""
    if not data.startswith("{"):
        return data
    texts = [text for text in json.loads(data).values() if isinstance(text, str)]
    return next((text for text in texts if 'id="state"' in text), data)


async def friends(port: int, tables: int) -> list[Friends]:
    """Create tables of friends."""
    found = [Friends(port, random.Random(n)) for n in range(tables)]
    await sit_all(found)
    return found
