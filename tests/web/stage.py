"""One player of a friends' table in windows of several sizes, all open at once, who plays by clicks.

The windows show the same seat and take turns in moving, so each of them acts once and is told
otherwise. A friend plays by requests, and writes to the player now and then.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

from playwright.sync_api import Browser, Page

from web.browser import ASKED, OVER, PLAYABLE, SEND, answered, newest, play_on, post
from web.racer import FORM, OPTIONS, Mouse, Racer, ways_to

PORTRAIT = ((360, 740), (412, 732), (768, 1024), (820, 1180))
SIDEWAYS = ((640, 360), (740, 360), (844, 390), (915, 412))  # a phone held sideways
WIDE = ((1280, 640), (1366, 657), (1920, 1080))
SIZES = (*PORTRAIT, *SIDEWAYS, *WIDE)
RACES: dict[str, dict[str, Any]] = {  # what a friends' table of each title is set up with
    "lacorsa": {"title": "lacorsa", "drivers": 4, "races": 1},
    "large grid": {"title": "lacorsa", "drivers": 12, "large_grid": "yes", "races": 1},
    "rasant": {"title": "rasant", "players": 4, "games": 1},
    "great race": {"title": "great_race", "players": 4, "leaders": "yes", **OPTIONS},
}
NAMES = ("Ana", "Ben")
MOTION = ("reduce", "no-preference")
# Collects every shift of a layout, with what moved first.
SHIFTS = """
window.shifts = [];
new PerformanceObserver((list) => {
    for (const { value, sources } of list.getEntries()) {
        const node = sources[0]?.node;
        const moved = (node?.nodeType === 1 ? node : node?.parentElement)?.outerHTML.slice(0, 99);
        const boxes = [sources[0]?.previousRect, sources[0]?.currentRect];
        const [from, to] = boxes.map((box) => JSON.stringify(box));
        shifts.push([value, moved, from, to]);
    }
}).observe({ type: "layout-shift", buffered: true });
"""
# The highest empty area that is as wide as a quarter of the window: its share of the height, and its box.
EMPTY = """() => {
    const SIZE = 8; // px of a cell
    const [wide, high] = [Math.floor(innerWidth / SIZE), Math.floor(innerHeight / SIZE)];
    const full = new Uint8Array(wide * high);
    const mark = ({ left, top, right, bottom }) => {
        const [from, to] = [Math.max(0, Math.floor(left / SIZE)), Math.min(wide, Math.ceil(right / SIZE))];
        const last = Math.min(high, Math.ceil(bottom / SIZE));
        if (right <= left) return;
        for (let y = Math.max(0, Math.floor(top / SIZE)); y < last; y++)
            full.fill(1, y * wide + from, y * wide + to);
    };
    const things = "svg, button, input, .signs > label, .status, .toast, #toast, #panel-others li";
    const range = document.createRange();
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
    for (let node; (node = walk.nextNode()); ) {
        const one = node.nodeType === 1 ? node : node.parentElement;
        if (one.closest("svg, .vh") !== (one.matches("svg") ? one : null)) continue;
        if (!one.checkVisibility({ visibilityProperty: true })) continue;
        if (node === one) {
            if (one.matches(things)) mark(one.getBoundingClientRect());
        } else if (node.data.trim()) {
            range.selectNodeContents(node);
            for (const box of range.getClientRects()) mark(box);
        }
    }
    const need = Math.ceil(Math.max(wide / 4, 160 / SIZE));
    const free = new Int32Array(wide); // cells that are empty above a place
    let best = [0];
    for (let y = 0; y < high; y++) {
        for (let x = 0; x < wide; x++) free[x] = full[y * wide + x] ? 0 : free[x] + 1;
        for (let x = 0; x + need <= wide; x++) {
            const least = free.subarray(x, x + need).reduce((a, b) => Math.min(a, b));
            const part = (least * SIZE) / innerHeight;
            if (part > best[0]) best = [part, ...[x, y + 1 - least, need, least].map((n) => n * SIZE)];
        }
    }
    return best;
}"""


class Stage:
    """The windows of one player, and the friend."""

    def __init__(self, link: str, pages: list[Page], friend: Page, name: str) -> None:
        self.link, self.pages, self.friend = link, pages, friend
        self.made = 0
        far = ways_to(OPTIONS) if name == "great race" else {}
        self.racers = [Racer(page, Mouse(), NAMES[0], far) for page in pages]

    def turn(self) -> bool:
        """Make one move of whoever is asked; return False if the game is over."""
        page = self.pages[self.made % len(self.pages)]
        if page.locator(OVER).count():
            return False
        address = self.link.replace("/t/", "/api/v1/tables/")
        found = self.friend.request.get(address).json()
        if found["phase"] == "over":
            for one in self.pages:
                one.wait_for_selector(OVER)
            return False
        asks = found["asks"]
        for ask in asks[:1]:
            move = ask["moves"][self.made % len(ask["moves"])]["move"]
            asked = {"seat": ask["seat"], "decision": ask["decision"], "move": move}
            self.friend.request.post(f"{address}/moves", data=asked)
        newest(page)
        if page.locator(ASKED).count() and page.locator(FORM).count():
            self.act(page)
        elif not asks:
            page.wait_for_timeout(20)
        return True

    def finish(self) -> None:
        """Play on by requests, until all windows show the podium."""
        play_on(self.link, self.pages[0], self.friend)
        for page in self.pages:
            page.wait_for_selector(OVER)

    def act(self, page: Page) -> None:
        """Choose and send something on one page; the others are told."""
        racer = self.racers[self.pages.index(page)]
        self.made += 1
        if racer.far:
            racer.answer()
        else:
            form = page.locator(FORM).first
            cards = form.locator(PLAYABLE)
            cards.nth(self.made % cards.count()).click()
            form.locator(SEND).first.click()
            answered(page)
        for one in self.pages:
            newest(one)

    def write(self, words: str) -> None:
        """Write a line to the chat as the friend."""
        post(self.friend, f"{self.link}/talk", player=1, text=words)


@contextmanager
def open_stage(
    browser: Browser,
    url: str,
    name: str,
    windows: list[tuple[tuple[int, int], str]],
    **more: Any,
) -> Iterator[Stage]:
    """Open the lobby of a friends' table in these windows, of a size and a wish for motion each."""
    with ExitStack() as stack:
        contexts = []
        for (width, height), motion in [((1280, 640), "reduce"), *windows]:
            size: Any = {"width": width, "height": height}
            wish: Any = motion
            context = browser.new_context(viewport=size, reduced_motion=wish, has_touch=height < 750)
            stack.callback(context.close)
            contexts.append(context)
        friend, host = contexts[0].new_page(), contexts[1].new_page()
        asked = {"pace": "instant", "name-1": NAMES[0], "who-1": "me", "who-2": "open"}
        asked |= {f"who-{n}": "rookie" for n in range(3, 13)} | RACES[name] | more
        link = post(host, f"{url}tables", **asked)
        cookies: Any = host.context.cookies()
        pages = []
        for context in contexts[1:]:
            context.add_cookies(cookies)
            context.add_init_script(SHIFTS)
            page = context.new_page()
            page.goto(link)
            pages.append(page)
        post(friend, f"{link}/seats", do="claim", player=1, name=NAMES[1])
        post(friend, f"{link}/seats", do="ready", player=1)
        for page in pages:
            newest(page)
        post(host, f"{link}/seats", do="ready", player=0)
        for page in pages:
            page.wait_for_selector("#table.one-screen")
        yield Stage(link, pages, friend, name)
