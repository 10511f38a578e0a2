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

PHONES = ((360, 740), (375, 667), (412, 732), (412, 915), (600, 960))
SIDEWAYS = ((640, 360), (667, 375), (740, 360), (844, 390), (915, 412), (932, 430))  # a phone held sideways
TABLETS = ((768, 1024), (820, 1180))
WIDE = ((1024, 768), (1280, 640), (1366, 657), (1536, 730), (1920, 1080), (2560, 1300))
SHAPES = (PHONES, SIDEWAYS, TABLETS, WIDE)
SIZES = tuple(size for shape in SHAPES for size in shape)
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
    const things = "svg, button, input, .signs > label, .status, .toast, #toast, #panel-others li, .story li";
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

# What is wrong with the room of the board: the share of a map, how large cars are, whether a road is used
# from end to end, keys that lie on a map, rivals out of sight, and a sequence that does not read 1, 2, 3.
ROOM = """() => {
    const faults = [], [wide, high] = [innerWidth, innerHeight];
    const shown = (what) => [...document.querySelectorAll(what)].filter((one) => one.checkVisibility());
    const boxes = (what) => shown(what).map((one) => one.getBoundingClientRect());
    const [map] = boxes("#board [data-view]");
    if (map) {
        const share = (map.width * map.height) / (wide * high);
        const least = wide < 640 || high < 576 ? 0.35 : 0.45;
        const offer = shown("#offer, #toast").length; // for a while they have room of the map
        if (share < least && !offer) faults.push(`share of the map ${share}`);
        const on = ({ left, top, right, bottom }) =>
            left < map.right - 1 && right > map.left + 1 && top < map.bottom - 1 && bottom > map.top + 1;
        if (boxes(".zoom-keys button").some(on)) faults.push("keys on the map");
        const rivals = [...document.querySelectorAll(".gr-rival:not(.is-own)")];
        const out = rivals.filter((one) => {
            const { left, top, right, bottom } = one.getBoundingClientRect();
            const at = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
            const outside = Math.min(left, top, wide - right, high - bottom) < -0.5;
            return outside || !one.contains(at);
        });
        if (!rivals.length || out.length) faults.push(`rivals out of sight: ${out.length}`);
    }
    const cars = boxes(".rs-strip [data-piece]:not([data-flat])").map((box) => box.width);
    if (cars.some((one) => one < 32)) faults.push(`a car is ${Math.min(...cars)} px wide`);
    const road = boxes(".lc-strip.is-long [data-piece]:not([data-flat])");
    if (road.length > 6) {
        const from = Math.min(...road.map((box) => box.left)), to = Math.max(...road.map((box) => box.right));
        if (to - from < 0.7 * wide) faults.push(`cars on ${(to - from) / wide} of the road`);
    }
    const numbers = shown(".gr-group > h3 > b").map((one) => one.textContent).join("");
    if (numbers && numbers !== "123") faults.push(`the sequence reads ${numbers}`);
    return faults;
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
    language: str = "en",
    **more: Any,
) -> Iterator[Stage]:
    """Open the lobby of a friends' table in these windows, of a size and a wish for motion each."""
    with ExitStack() as stack:
        contexts = []
        for (width, height), motion in [((1280, 640), "reduce"), *windows]:
            size: Any = {"width": width, "height": height}
            wish: Any = motion
            context = browser.new_context(
                viewport=size, reduced_motion=wish, has_touch=height < 750, locale=language
            )
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
