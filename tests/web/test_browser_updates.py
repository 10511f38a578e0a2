"""Updates in a real browser: parts of drawings that rarely change are not sent again, and nothing is lost."""

from __future__ import annotations

import re

from playwright.sync_api import Browser, Page

from sampling import count
from web.browser import ASKED, post, watch
from web.conftest import Server
from web.test_browser_great_race_reveal import THREE, play

DRAWN = "[...document.querySelectorAll('.gr-map, #sheet svg, .dashboard svg')].map((one) => one.outerHTML)"


def test_after_updates_the_drawings_are_those_of_a_new_page(browser: Browser, server: Server) -> None:
    context = browser.new_context(viewport={"width": 1280, "height": 720}, reduced_motion="reduce")
    page = context.new_page()
    faults = watch(page)
    page.goto(post(page, f"{server.url}tables", **THREE))
    play(page, count(3, 6))
    page.wait_for_selector(ASKED, state="attached")  # the bots have moved
    other = context.new_page()
    other.goto(page.url)
    settle(page, other)
    assert page.evaluate(DRAWN) == other.evaluate(DRAWN)
    # A page that is fetched again says which parts it has.
    parts = page.locator("[data-still]").count()
    with page.expect_response(page.url) as fetched:
        page.evaluate("dispatchEvent(new Event('online'))")
    assert parts > 2 and len(fetched.value.request.headers["paddock-still"].split()) == parts
    assert len(re.findall(r'data-still="[^"]*"[^<>]*></g>', fetched.value.text())) == parts
    assert page.evaluate(DRAWN) == other.evaluate(DRAWN)
    # A part that is gone is asked for again.
    page.evaluate("document.querySelectorAll('[data-still]').forEach((one) => one.replaceChildren())")
    play(page, 1)
    page.wait_for_function("() => !document.querySelector('[data-still]:empty')")
    assert faults == []
    context.close()


def settle(page: Page, other: Page) -> None:
    """Wait until two pages of one reader show the same state."""
    shown = "document.getElementById('state').dataset.digest"
    while page.evaluate(shown) != other.evaluate(shown):
        page.wait_for_timeout(100)
