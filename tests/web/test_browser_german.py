"""Paddock in German in Chromium: no English word, and one screen as in English."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextvars import copy_context

import pytest
from playwright.sync_api import Browser, Page

from games.lesson_ways import own_way
from paddock.core.i18n import language
from paddock.core.title import title
from sampling import WHOLE, count, some
from web import foreign
from web.browser import KINDS, LACORSA, OVER, RASANT, Kind, hurry, new_table, post, skip, wait, watch
from web.clipped import clipped
from web.conftest import Server
from web.racer import OPTIONS, Mouse, Racer, ways_to
from web.strange import SHOWN
from web.test_browser_learn import GREAT_RACE, follow, lost, send
from web.test_browser_one_screen import ALSO, LOST
from web.test_language import cities

CITIES = "|".join(re.escape(name) for name in cities("usa-west") + cities("usa"))
PHONE, LAPTOP = (360, 740), (1366, 657)
# All that is shown or read out, also what is folded away; values of choices are notation.
SAID = """(shown) => {
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const out = [];
    for (let node = walk.nextNode(); node; node = walk.nextNode()) {
        if (!node.parentElement.closest("script, style, code, pre, kbd, textarea, option[lang]"))
            out.push(node.data);
    }
    for (const one of document.querySelectorAll("*")) {
        for (const name of shown) if (one.hasAttribute(name)) out.push(one.getAttribute(name));
    }
    return out.join("\\n");
}"""


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page of a browser in German."""
    with browser.new_context(locale="de-AT", reduced_motion="reduce") as context:
        yield context.new_page()


def english(page: Page) -> list[str]:
    """The English words of the page; cities have names."""
    return foreign.left(re.sub(CITIES, "", page.evaluate(SAID, SHOWN)))


def test_pages_before_a_game_speak_german_and_fit(page: Page, server: Server) -> None:
    faults = watch(page)
    for path in ("", "new/lacorsa", "new/rasant", "new/great_race", "learn/lacorsa", "puzzles", "me"):
        page.goto(f"{server.url}{path}")
        assert page.locator("html").get_attribute("lang") == "de"
        assert english(page) == [], path
        for width, height in (PHONE, LAPTOP):
            page.set_viewport_size({"width": width, "height": height})
            assert clipped(page) == [], (path, width)
    assert not faults


@pytest.mark.slow("a whole game in German, by clicks")
@pytest.mark.parametrize("kind", some([LACORSA, RASANT], 1, "german"), ids=lambda kind: kind.name)
def test_a_whole_game_in_german_is_one_screen(page: Page, server: Server, kind: Kind) -> None:
    """No page of the game has an English word; at some decisions all is in sight on phone and laptop.

    A sample reads the pages of the first decisions, and the podium."""
    faults = watch(page)
    page.set_viewport_size({"width": 360, "height": 740})
    new_table(page, server.url, 1, kind=kind, **{kind.players: 4, "name-1": "Ana"} | kind.short)
    made = 0
    while wait(page):
        assert english(page) == [], made
        if made < count(4, 1000):
            for width, height in (LAPTOP, PHONE):
                page.set_viewport_size({"width": width, "height": height})
                assert page.evaluate(LOST) == [], (made, width)
                assert clipped(page) == [], (made, width)
        made += 1
        if made < count(5, 1000):
            hurry(page, moves=1)
        else:
            skip(page)
    assert made >= 3
    assert english(page) == []
    page.goto(f"{page.url}/replay")
    assert english(page) == []
    assert not faults


def german_ways() -> dict[str, int]:
    """Return the spaces to drive from every space to the destination, by the names on German pages."""
    language.set("de")
    return ways_to(OPTIONS)


def test_the_great_race_in_german_is_one_screen(page: Page, server: Server) -> None:
    """A whole race by clicks, in a sample its first decisions: no English word, and at every decision all is
    in sight on a phone and a laptop."""
    faults = watch(page)
    seats = {"players": count(2, 3), "who-1": "me", "name-1": "Ana", "who-2": "rookie", "who-3": "rookie"}
    page.goto(post(page, f"{server.url}tables", title="great_race", leaders="yes", **seats | OPTIONS))

    def look(page: Page) -> None:
        assert english(page) == [], racer.made
        for width, height in (LAPTOP, PHONE):
            page.set_viewport_size({"width": width, "height": height})
            assert (page.evaluate(LOST), clipped(page)) == ([], []), (racer.made, width)

    racer = Racer(page, Mouse(), "Ana", ways_to(OPTIONS) | copy_context().run(german_ways), before=look)
    while racer.made < count(3, 1000) and wait(page):
        racer.turn()
    if WHOLE:
        assert page.locator(OVER).count() and english(page) == []
        page.goto(f"{page.url}/replay")
        assert english(page) == []
    assert not faults


@pytest.mark.parametrize("kind", some((*KINDS, GREAT_RACE), 1, "lesson"), ids=lambda kind: kind.name)
def test_a_lesson_in_german_is_in_sight(page: Page, server: Server, kind: Kind) -> None:
    """No English word, and nothing is cut off, at every step; in a sample at the first four."""
    faults = watch(page)
    page.goto(f"{server.url}learn/{kind.name}")
    page.get_by_role("button", name="Einführung starten").click()
    page.wait_for_url("**/t/*")
    for n, (now, move) in enumerate(own_way(title(kind.name))):
        if n == count(4, 1000):
            break
        assert wait(page)
        assert english(page) == [], now.step
        for width, height in (LAPTOP, PHONE, *ALSO):
            page.set_viewport_size({"width": width, "height": height})
            assert lost(page) == [], (now.step, width, height)
        follow(page) if now.move is not None else send(page, move)
    assert not faults


def test_friends_at_a_table_read_their_own_language(browser: Browser, server: Server) -> None:
    """Ana reads German, and Ben, who has chosen it by a link, English: the same status of the same table."""
    with browser.new_context(locale="de") as german_one, browser.new_context(locale="de") as english_one:
        ana, ben = german_one.new_page(), english_one.new_page()
        new_table(ana, server.url, 1, drivers=4)
        wait(ana)
        ben.goto(f"{ana.url}?lang=en")
        assert "Deine Karte fürs Qualifying" in (ana.locator("#status").text_content() or "")
        assert "Waiting for" in (ben.locator("#status").text_content() or "")
        ben.goto(server.url)
        assert ben.locator("html").get_attribute("lang") == "en", "the link is remembered"
        ben.locator(".menu summary").click()
        ben.locator("#lang").select_option("de")
        ben.wait_for_selector("html[lang=de]")
