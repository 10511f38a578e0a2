"""Text never leaves its box: on phones and wider, in English and German, and at twice its size; and requests
to take a move back are in sight. What is asked at tables is looked at in test_browser_one_screen.py."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from paddock.bots.puzzles import puzzles_of
from paddock.core.title import title
from sampling import SEED, WHOLE, count, some
from web import stage
from web.browser import ASKED, newest, play_on, post
from web.clipped import clipped, twice
from web.conftest import Server
from web.racer import OPTIONS

PHONE, TABLET = (375, 667), (1024, 768)
WINDOWS = (PHONE, (412, 915), (600, 960), (667, 375), (932, 430), TABLET, (1536, 730), (2560, 1300))
LANGUAGES = ("en", "de")
TITLES = ("lacorsa", "rasant", "great_race")
TWO: dict[str, Any] = {"title": "great_race", "players": 2, **OPTIONS}  # a table of two, who take turns


def box(tag: str, style: str, words: str) -> str:
    """Return an element with a style."""
    return f'<{tag} style="{style}">{words}</{tag}>'


ONE_LINE = "overflow: hidden; white-space: nowrap; text-overflow: ellipsis"
CLAMP = "display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 1; overflow: hidden"
STRIP = "width: 90px; overflow: auto hidden; scrollbar-width: none; white-space: nowrap"
ABOVE = "position: relative; top: -30px; background: #fff; height: 30px"
EAR = "position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%)"
FAULTS: dict[str, str] = {  # a page with each of them
    "a button too low": box(
        "button", "height: 20px; overflow: hidden", "Agree that<br>the move<br>is undone"
    ),
    "a button too narrow": box("button", "width: 40px; overflow: visible", "Notwithstanding"),
    "a clamp": box("p", f"{CLAMP}; width: 90px", "Two lines or even three"),
    "an ellipsis": box("p", f"{ONE_LINE}; width: 60px", "Very long"),
    "a strip": box("ol", STRIP, "<li>Ana reveals a seven and more"),
    "a low box": box(
        "p", "height: 30px; overflow: auto; width: 90px", "This box scrolls, but who knows that?"
    ),
    "an offer over words": f"<p>Rules</p>{box('div', ABOVE, '')}",
    "words over words": "".join(box("p", "position: absolute", words) for words in ("Rules", "Notes")),
    "a wide table": box("table", "width: 500px", '<tr><td>1<td style="text-align: right">2 points'),
    "out of the window": box("p", "position: absolute; left: -20px", "Menu"),
}
SOUND = (
    box("ol", "height: 120px; overflow: auto", "<li>A line of the story" * 20),
    box(
        "label",
        "position: relative",
        'Yes<input type="radio" style="position: absolute; inset: 0; opacity: 0">',
    ),
    box("span", EAR, "New lines"),
    box("div", "height: 3000px", "") + "<p>The end of the page</p>",
    box("nav", "position: fixed; inset: auto 0 0; background: #fff", "Home") + box("div", "height: 60px", ""),
)


@contextmanager
def opened(browser: Browser, language: str, size: tuple[int, int]) -> Iterator[Page]:
    """A page of a browser that speaks this language."""
    width, height = size
    options: Any = {"viewport": {"width": width, "height": height}, "reduced_motion": "reduce"}
    with browser.new_context(locale=language, has_touch=height < 750, **options) as context:
        yield context.new_page()


def test_every_kind_of_fault_is_found_and_nothing_else(page: Page) -> None:
    page.set_viewport_size({"width": 375, "height": 667})
    for name, html in FAULTS.items():
        page.set_content(f"<!doctype html><body>{html}")
        assert clipped(page), name
    page.set_content(f"<!doctype html><body>{''.join(SOUND)}")
    assert clipped(page) == []


def look(
    page: Page, where: str, faults: list[str], sizes: tuple[tuple[int, int], ...] = (PHONE, TABLET)
) -> None:
    """Collect what is wrong in these windows, in a sample in one of them, with text of two sizes."""
    for width, height in some(sizes, 1, where):
        page.set_viewport_size({"width": width, "height": height})
        faults += [f"{where} {width}×{height}: {fault}" for fault in clipped(page)]
        with twice(page):
            faults += [f"{where} {width}×{height}, twice: {fault}" for fault in clipped(page)]


def puzzle(name: str) -> str:
    ours = puzzles_of(title(name))
    return f"puzzle/{name}/{ours.of(ours.themes[0])[0]}"


PAGES = ("", "t/unknown", "puzzles", "daily", "me", "watch", "reach", "pair", "puzzle/lacorsa")
PAGES += tuple(f"{path}/{name}" for name in TITLES for path in ("new", "rules", "learn"))


@pytest.mark.parametrize("language", some(LANGUAGES, 1, "pages without a clipped text"))
def test_no_text_of_a_page_is_clipped(browser: Browser, server: Server, language: str) -> None:
    """Nor is one with the settings open; in a sample of some pages."""
    faults: list[str] = []
    with opened(browser, language, PHONE) as page:
        for path in some(PAGES, 4, "pages"):
            page.goto(server.url + path)
            look(page, f"/{path}", faults)
        page.goto(server.url)
        for width, height in some((PHONE, TABLET), 1, "settings"):
            page.set_viewport_size({"width": width, "height": height})
            page.locator(".menu > summary").click()
            look(page, "settings", faults, ((width, height),))
            page.locator(".menu > summary").click()
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize("name", some(TITLES, 1, "after a game without a clipped text"))
def test_no_text_is_clipped_after_a_game(browser: Browser, server: Server, name: str) -> None:
    """The podium, the replay and the review, in another site, and a puzzle of the title."""
    faults: list[str] = []
    (language,) = some(LANGUAGES, 1, "language after a game") if not WHOLE else ("de",)
    with opened(browser, language, PHONE) as page:
        link = over(page, server.url, name)
        for path in some(("", "/replay?step=5", "/review", "/embed"), 1, "after a game"):
            page.goto(f"{link}{path}")
            look(page, path or "podium", faults)
        page.goto(server.url + puzzle(name))
        page.wait_for_selector(".one-screen")
        look(page, "puzzle", faults)
    assert not faults, "\n".join(faults)


def over(page: Page, url: str, name: str) -> str:
    """Play a game against bots by requests; return the address of its podium."""
    seats = {"pace": "instant", "name-1": "Ana", "who-1": "me"} | {f"who-{n}": "rookie" for n in range(2, 5)}
    fewer = {} if name == "lacorsa" else {"players": count(2, 4)}
    link = post(page, f"{url}tables", **stage.RACES[name.replace("_", " ")] | seats | fewer)
    play_on(link, page)
    return link


def undoable(link: str, pages: list[Page], rng: random.Random) -> Page | None:
    """Play by requests until somebody can take a move back, if others agree; return who, or None."""
    address = link.replace("/t/", "/api/v1/tables/")
    for page in pages * 60:
        seen = page.request.get(address).json()
        if seen["phase"] == "over":
            break
        for ask in seen["asks"][:1]:
            move = rng.choice(ask["moves"])["move"]
            body = {"seat": ask["seat"], "decision": ask["decision"], "move": move}
            page.request.post(f"{address}/moves", data=body)
            if page.request.get(address).json()["can_undo"]:
                return page
    return None


@contextmanager
def two(browser: Browser, url: str, language: str) -> Iterator[tuple[Page, Page]]:
    """Two friends at a table at which one of them can take the last move back: who can, and the other."""
    asked: dict[str, Any] = {"pace": "instant", "name-1": "Ana"}
    asked |= {"who-1": "me", "who-2": "open"} | TWO
    with opened(browser, language, PHONE) as ana, opened(browser, language, PHONE) as ben:
        rng = random.Random(SEED)
        asker = None
        while asker is None:
            link = post(ana, f"{url}tables", **asked)
            post(ben, f"{link}/seats", do="claim", player=1, name="Ben")
            for player, page in enumerate((ana, ben)):
                post(page, f"{link}/seats", do="ready", player=player)
            asker = undoable(link, [ana, ben], rng)
        for page in (ana, ben):
            page.add_init_script("localStorage.setItem('paddock.offered', 'yes')")
            page.goto(link)
            page.wait_for_selector("#table.one-screen")
        yield (ana, ben) if asker is ana else (ben, ana)


# Whether something is whole in sight: inside of the window, and nothing lies on it.
WHOLLY = """(what) => {
    const one = document.querySelector(what);
    const { left, top, right, bottom, width } = one.getBoundingClientRect();
    const points = [[left + 6, top + 6], [right - 6, bottom - 6], [(left + right) / 2, (top + bottom) / 2]];
    const seen = points.every(([x, y]) => one.contains(document.elementFromPoint(x, y)));
    return width > 0 && left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight && seen;
}"""
MEETS = """([what, others]) => {
    const a = document.querySelector(what).getBoundingClientRect();
    return [...document.querySelectorAll(others)].filter((one) => {
        const b = one.getBoundingClientRect();
        const [x, y] = [Math.min(a.right, b.right) - Math.max(a.left, b.left),
            Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top)];
        return b.width && x > 4 && y > 4;
    }).map((one) => one.className);
}"""


@pytest.mark.parametrize("language", some(LANGUAGES, 1, "undo in"))
def test_an_undo_is_asked_for_beside_the_last_move_and_answered_in_sight(
    browser: Browser, server: Server, language: str
) -> None:
    """The key, what the asker sees while the others think, and what they see, also with the chat open."""
    faults: list[str] = []
    with two(browser, server.url, language) as (asker, other):

        def check(page: Page, what: str, where: str) -> None:
            page.wait_for_selector(what)
            for width, height in some(WINDOWS, 1, where):
                page.set_viewport_size({"width": width, "height": height})
                place = f"{where} {width}×{height}"
                if not page.evaluate(WHOLLY, what):
                    faults.append(f"{place}: {what} is not in sight")
                others = ".status, .masthead summary, .brand, .board, .dashboard, .zoom-keys button, .tabs"
                faults.extend(f"{place}: it lies over {one}" for one in page.evaluate(MEETS, [what, others]))
                faults.extend(f"{place}: {fault}" for fault in clipped(page))
            page.set_viewport_size({"width": 375, "height": 667})
            with twice(page):
                faults.extend(f"{where} twice: {fault}" for fault in clipped(page))

        check(asker, ".a-last .undo button", "key")
        asker.locator(".a-last .undo button").click()
        check(asker, ".a-last .undo p", "pending")
        newest(other)
        check(other, "#asked", "asked")
        for width, height in some(WINDOWS[:4], 1, "chat"):
            other.set_viewport_size({"width": width, "height": height})
            other.locator("[data-tab=talk]").click()
            if not other.evaluate(WHOLLY, "#asked"):
                faults.append(f"{width}×{height}: the request is not in sight with the chat open")
            other.locator("[data-tab=talk]").click()
    assert not faults, "\n".join(faults)


BADGE = """(() => {
    const { left, top, right, bottom } = document.querySelector(".status .you svg").getBoundingClientRect();
    return [left, (top + bottom) / 2].map(Math.round);
})()"""


def test_the_badge_of_the_own_seat_stands_at_one_place_in_all_titles(page: Page, server: Server) -> None:
    places: dict[tuple[int, int], list[Any]] = {size: [] for size in some(WINDOWS, 3, "badge")}
    for name in some(TITLES, 2, "badge"):
        seats: dict[str, Any] = {"pace": "instant", "name-1": "Ana", "who-1": "me"} | {
            f"who-{n}": "rookie" for n in range(2, 5)
        }
        page.goto(post(page, f"{server.url}tables", **seats | stage.RACES[name.replace("_", " ")]))
        page.wait_for_selector(ASKED, state="attached")
        for width, height in places:
            page.set_viewport_size({"width": width, "height": height})
            places[width, height].append(page.evaluate(BADGE))
    assert {size: seen for size, seen in places.items() if any(one != seen[0] for one in seen)} == {}
