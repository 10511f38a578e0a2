"""The stream of a page: one that is silent is replaced, and many tabs leave room for pages."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, expect

from web.browser import frozen, move, new_table, wait
from web.conftest import Server
from web.test_browser_friends import BOT, LOBBY, begin, friends, gather, race
from web.test_browser_live import hide, sleep

BEAT = 0.5  # seconds between two heartbeats
COUNT = """
window.beats = 0;
window.sources = [];
window.EventSource = class extends EventSource {
    constructor(address) {
        super(address);
        sources.push(this);
        this.addEventListener("beat", () => { window.beats += 1; });
    }
};
"""


class Proxy:
    """A TCP proxy that can stop forwarding without closing anything, as one does that has lost its way."""

    def __init__(self, url: str) -> None:
        self.to = (urlsplit(url).hostname, urlsplit(url).port)
        self.stalled = False
        self.lost: set[socket.socket] = set()  # connections that forward nothing any more
        self._sockets: set[socket.socket] = set()
        self._streams: set[socket.socket] = set()  # those of them that carry an event stream
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}/"
        threading.Thread(target=self._accept, daemon=True).start()

    def stall(self) -> None:
        """Forward nothing, on open connections and on new ones."""
        self.lost |= self._sockets
        self.stalled = True

    def go_on(self) -> None:
        """Forward what comes on new connections. The streams on old ones stay open, and silent."""
        self.stalled = False
        self._end(self.lost - self._streams)

    def close(self) -> None:
        self._end({self._listener, *self._sockets})

    def _end(self, sockets: set[socket.socket]) -> None:
        for one in sockets:
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                browser, _address = self._listener.accept()
                server = socket.create_connection(self.to)
                self._sockets |= {browser, server}
                if self.stalled:
                    self.lost |= {browser, server}
                for one, other in ((browser, server), (server, browser)):
                    threading.Thread(target=self._forward, args=(one, other), daemon=True).start()

    def _forward(self, one: socket.socket, other: socket.socket) -> None:
        with suppress(OSError):
            while data := one.recv(65536):
                if data.startswith(b"GET ") and b"/stream?" in data.partition(b"\r\n")[0]:
                    self._streams |= {one, other}
                if one not in self.lost:
                    other.sendall(data)
            if one not in self.lost:
                other.shutdown(socket.SHUT_WR)


@pytest.fixture
def beating(tmp_path: Path) -> Iterator[Server]:
    """A server with fast heartbeats."""
    server = Server(tmp_path, PADDOCK_TEST_HEARTBEAT=str(BEAT))
    server.deal("heartbeats")
    yield server
    server.kill()


@pytest.fixture
def proxy(beating: Server) -> Iterator[Proxy]:
    proxy = Proxy(beating.url)
    yield proxy
    proxy.close()


def streams(page: Page) -> list[str]:
    """The streams that a page opens from now on."""
    opened: list[str] = []
    page.on("request", lambda request: opened.append(request.url) if "/stream?" in request.url else None)
    return opened


def until(page: Page, true: Callable[[], bool]) -> None:
    while not true():
        page.wait_for_timeout(10)


def beaten(page: Page) -> None:
    """Wait until another heartbeat has come."""
    before = page.evaluate("beats")
    until(page, lambda: page.evaluate("beats") > before)


def quiet(page: Page, url: str) -> None:
    """Open a table whose bots have moved: nothing comes but heartbeats. Its clock stands still."""
    frozen(page)
    page.add_init_script(COUNT)
    new_table(page, url, 1)
    assert wait(page)
    for car in (2, 3, 4):
        expect(page.locator(f"[data-row=car-{car}]")).to_contain_text("committed")


@pytest.mark.slow("a server of its own, and seconds of heartbeats")
def test_a_stream_that_dies_silently_is_replaced(page: Page, beating: Server, proxy: Proxy) -> None:
    """The kind: a connection of which nobody says that it is lost. Nothing comes, and nothing fails.

    While heartbeats come, the page keeps its stream, although nothing else happens.
    """
    opened = streams(page)
    quiet(page, proxy.url)
    (first,) = opened
    for _ in range(5):  # together longer than a page waits
        beaten(page)
        page.clock.run_for(1_200)
    assert opened == [first]
    expect(page.locator("#connection")).to_be_hidden()

    proxy.stall()
    page.clock.run_for(10_000)
    expect(page.locator("#connection")).to_be_visible()
    page.clock.run_for(60_000)  # new ones are as silent
    expect(page.locator("#connection")).to_be_visible()
    assert len(opened) > 2

    proxy.go_on()
    for _ in range(20):
        page.clock.run_for(1_000)
        page.wait_for_timeout(10)
    expect(page.locator("#connection")).to_be_hidden()
    move(page)
    assert wait(page)


@pytest.mark.slow("a server of its own")
def test_whoever_comes_back_to_a_silent_stream_gets_a_new_one(
    page: Page, beating: Server, proxy: Proxy
) -> None:
    """The kind: the timers of a page that stand still while its device sleeps, or its tab is frozen."""
    opened = streams(page)
    quiet(page, proxy.url)
    for event in ("focus", "pageshow", "online", "visibilitychange", "resume"):
        on = "window" if event in ("focus", "pageshow", "online") else "document"
        come = f"{on}.dispatchEvent(new Event('{event}'))"
        beaten(page)
        before = len(opened)
        page.evaluate(come)
        assert len(opened) == before, "it is not silent"
        proxy.stall()
        page.clock.run_for(100)
        sleep(page, 3600)
        proxy.go_on()
        page.evaluate(come)
        until(page, lambda before=before: len(opened) > before)


SIGNS = """
window.signs = [];
window.Notification = class { constructor(title) { signs.push(title); } close() {} };
Notification.permission = "granted";
const wait = window.setTimeout;
window.setTimeout = (act, ms, ...more) => wait(act, ms === 5000 || ms === 20000 ? ms / 20 : ms, ...more);
"""  # whoever has no stream asks more often, for the test
OPEN = "sources.filter((one) => one.readyState !== EventSource.CLOSED).length"


def listening(tabs: list[Page]) -> list[int]:
    """How many streams each tab has."""
    return [tab.evaluate(OPEN) for tab in tabs]


@pytest.mark.slow("nine tabs")
@pytest.mark.parametrize("hidden", [True, False])
def test_eight_tabs_leave_room_for_pages(browser: Browser, server: Server, hidden: bool) -> None:
    """The kind: what each tab takes for good of something that a browser has few of.

    Here connections: it has six to a server, over HTTP/1.1. Hidden tabs want streams for sound and
    notifications, and several windows are visible at once on large screens. Who has none still calls.
    """
    with friends(browser, 2) as (ana, ben):
        begin([ana, ben], server.url, races=1, **BOT)
        links = ana.url, gather([ana, ben], server.url, "lacorsa", **LOBBY | {"races": 1} | BOT)
        ana.goto("about:blank")
        context = ana.context
        context.add_cookies(
            [{"name": name, "value": "on", "url": server.url} for name in ("sound", "notify")]
        )
        context.add_init_script(COUNT + SIGNS)
        tabs: list[Page] = []
        for n in range(8):
            tabs.append(tab := context.new_page())
            tab.goto(links[n % 2])
            tab.wait_for_selector("form.compose")
            if hidden and n < 7:
                hide(tab, True)
        first, last = tabs[0], tabs[7]
        until(last, lambda: listening(tabs) == [0] * 4 + [1] * 4)

        last.goto(links[0])
        assert wait(last)
        move(last)
        until(first, lambda: not first.title().startswith("● Your turn"))
        assert first.evaluate("signs") == []
        while not last.title().startswith("● Your turn"):
            assert race([ben], 1)
            ben.wait_for_timeout(50)
        until(first, lambda: first.title().startswith("● Your turn"))
        assert len(first.evaluate("signs")) == (1 if hidden else 0)

        hide(first, False)
        first.evaluate("dispatchEvent(new Event('focus'))")  # somebody looks at it
        until(first, lambda: listening(tabs)[0] == 1 and sum(listening(tabs)) == 4)
        last.close()
        until(first, lambda: sum(listening(tabs[:7])) == 4)
