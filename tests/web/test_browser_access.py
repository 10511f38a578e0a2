"""Accessibility: axe finds no fault on any page, light or dark; 320 px fit text at 200 %; the focus stays."""

from __future__ import annotations

import re
from typing import Any
from zlib import crc32

import pytest
from axe_playwright_python.base import AXE_SCRIPT, AxeResults
from playwright.sync_api import Browser, Page

from sampling import SEED, WHOLE, count, some
from web.browser import Kind, finished, move, new_table, play, titles, updated, wait
from web.conftest import Server

FAULTS: dict[str, Any] = {
    "resultTypes": ["violations"],  # what passes is not listed, which takes time
    "rules": {"label-content-name-mismatch": {"enabled": True}},  # axe has it as an experiment
}
NO_CONTRAST = FAULTS | {"rules": FAULTS["rules"] | {"color-contrast": {"enabled": False}}}
CONTRAST = {"resultTypes": ["violations"], "runOnly": ["color-contrast"]}


def third(where: str) -> int:
    """Return to which third of all pages one belongs, by its name and the seed: 0, 1 or 2."""
    return (crc32(where.encode()) - SEED) % 3


def clean(page: Page, where: str, **how: Any) -> None:
    """Check the current page with axe, or a part of it, or a part of the rules.

    In a sample, contrasts are looked at on every third page: they take longer than all other rules together.
    """
    page.wait_for_function("() => document.getAnimations().every(a => a.playState !== 'running')")
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    asked = {"context": {}, "options": FAULTS if WHOLE or third(where) == 1 else NO_CONTRAST} | how
    run = "({ context, options }) => axe.run({ include: [['html']], ...context }, options)"
    found = AxeResults(page.evaluate(run, asked))
    assert found.violations_count == 0, f"{where}: {found.generate_report()}"


def clean_in_both(page: Page, where: str, **how: Any) -> None:
    """Check the current page with axe, light and dark: they differ in nothing but colours.

    In a sample, every third page is checked in the dark only, and another third without contrasts.
    """
    dark = third(where) == 0
    if WHOLE or not dark:
        clean(page, where, **how)
    if WHOLE or dark:
        page.emulate_media(color_scheme="dark")
        clean(page, f"{where}, dark", **how, options=CONTRAST if WHOLE else FAULTS)
        page.emulate_media(color_scheme="light")


@titles("axe")
def test_axe_finds_nothing_before_and_after_a_game(browser: Browser, server: Server, kind: Kind) -> None:
    """Pages of a table are looked at in test_browser_aria.py, set-ups and errors in test_browser_axe.py."""
    context = browser.new_context(color_scheme="light", bypass_csp=True, reduced_motion="reduce")
    page = context.new_page()
    paths = [f"{path}/{kind.name}" for path in ("new", "rules", "learn")]
    for path in ("", paths[2], *some((*paths[:2], "t/unknown"), count(1, 3), "axe at pages")):
        page.goto(server.url + path)
        clean_in_both(page, path or "home")
    page.keyboard.press("?")
    clean_in_both(page, "help")
    page.goto(f"{finished(page, server.url, kind)}/replay")
    page.keyboard.press("End")
    page.wait_for_url(re.compile("step="))
    clean_in_both(page, "replay")
    context.close()


@titles("twice")
@pytest.mark.parametrize("path", some(["", "new", "rules", "learn", "table"], 2, "twice"))
def test_text_of_twice_the_size_fits_320_pixels(page: Page, server: Server, path: str, kind: Kind) -> None:
    page.set_viewport_size({"width": 320, "height": 700})
    if path == "table":
        new_table(page, server.url, 1, kind=kind)
        play(page, count(1, 3))
        wait(page)
    else:
        page.goto(f"{server.url}{path}/{kind.name}" if path else server.url)
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    assert page.evaluate("document.documentElement.scrollWidth") <= 320


def test_the_focus_survives_updates(page: Page, server: Server) -> None:
    page.route("**/stream*", lambda route: route.abort())  # nothing comes that is not asked for
    new_table(page, server.url, 1, pace="human")
    page.wait_for_selector("form.compose")
    page.locator("form.compose input[type=radio]").nth(9).focus()
    page.keyboard.press("Space")
    updated(page)
    while not page.locator(".tower-marks", has_text="committed").count():
        updated(page)
    here = page.evaluate("[document.activeElement.type, document.activeElement.checked]")
    assert here == ["radio", True]


def test_a_card_with_the_focus_becomes_the_next_one(page: Page, server: Server) -> None:
    """An update keeps the focused element; it then shows the card that has moved there."""
    page.route("**/stream*", lambda route: route.abort())  # this tab gets no events
    new_table(page, server.url, 1)
    assert wait(page)
    other = page.context.new_page()
    other.goto(page.url)
    assert wait(other)
    page.locator("form.compose input[type=radio]").first.focus()
    shown = "[...document.querySelectorAll('form.compose input[type=radio]')].map(i => i.value)"
    hand = before = page.evaluate(shown)
    while hand[0] == before[0]:
        move(other)
        assert wait(other)
        hand = other.evaluate(shown)
    page.evaluate("dispatchEvent(new Event('online'))")
    page.wait_for_function(f"hand => String({shown}) === String(hand)", arg=hand)
    assert page.evaluate("document.activeElement.value") == hand[0]
