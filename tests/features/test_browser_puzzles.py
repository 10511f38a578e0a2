"""Puzzles in a real browser: answered by keyboard alone, announced, and without a fault of accessibility."""

from __future__ import annotations

import re

from playwright.sync_api import Browser, expect

from paddock.bots.puzzles import puzzles_of
from paddock.core.title import title
from web.browser import network, watch
from web.conftest import Server
from web.test_browser_access import clean


def test_a_puzzle_is_answered_by_keyboard(browser: Browser, server: Server) -> None:
    ours = puzzles_of(title("lacorsa"))
    path = f"puzzle/lacorsa/{ours.of('defending')[0]}"
    context = browser.new_context(
        bypass_csp=True, reduced_motion="reduce", viewport={"width": 360, "height": 740}
    )
    page = context.new_page()
    faults = watch(page)
    page.goto(server.url + path)
    expect(page.locator("#status")).to_contain_text("What would you do?")
    clean(page, "before the answer")
    page.keyboard.press("h")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    explained = page.locator("#explained")
    expect(explained.get_by_role("heading")).to_contain_text(re.compile("Right|Good|Better"))
    said = explained.get_by_role("heading").inner_text()
    expect(page.locator("#status[aria-live=polite]")).to_contain_text(said)  # as a screen reader hears it
    clean(page, "after the answer")
    network(page.context, up=False)
    expect(page.locator("#connection")).to_be_visible()
    network(page.context, up=True)
    expect(page.locator("#connection")).to_be_hidden()
    expect(explained).to_be_visible()  # although its address is that of the question
    page.wait_for_function("fetch('/healthz').then(() => true, () => false)")  # up a moment later
    faults[:] = [fault for fault in faults if "ERR_INTERNET_DISCONNECTED" not in fault]  # until then
    again = page.get_by_role("link", name="Try it again")
    again.focus()
    expect(again).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("form.compose")).to_be_visible()
    assert not faults
    context.close()
