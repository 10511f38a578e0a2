"""Pig race in Chromium: a title without a page of its own is played by its buttons, beside its drawing."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from sampling import WHOLE, count
from web.browser import ASKED, OVER, answered, skip, watch
from web.conftest import Server
from web.test_browser_access import clean_in_both


def test_a_race_is_played_by_its_buttons(page: Page, sty: Server) -> None:
    sty.deal("pig")
    faults = watch(page)
    page.emulate_media(reduced_motion="reduce")
    page.goto(f"{sty.url}new/pigrace?players=2&track=20&pace=instant&who-2=rookie&name-1=Ana")
    page.get_by_role("button", name="Start the game").click()
    page.wait_for_selector(ASKED, state="attached")
    buttons = page.locator(".ask .actionbar button")
    expect(buttons).to_have_text(["Roll", "Hold"])  # the first roll, which is forced, was made by itself
    expect(page.locator("#board svg.lanes text").first).to_have_text("Ana: 0")
    clean_in_both(page, "pigrace")
    for _ in range(count(4, 100)):
        if page.locator(OVER).count():
            break
        buttons.last.click()
        answered(page)
        page.wait_for_selector(f"{ASKED}, {OVER}", state="attached")
    if not WHOLE:
        skip(page)
    expect(page.locator("h1")).to_have_text(re.compile("wins"))
    expect(page.locator("#pad-h")).to_be_visible()
    expect(page.locator(".story")).to_contain_text("rolls")
    page.get_by_role("link", name="Step through the race").click()
    expect(page.locator(".board svg.lanes")).to_be_visible()
    assert faults == []


def test_its_name_stands_where_others_have_a_poster(page: Page, sty: Server) -> None:
    page.set_viewport_size({"width": 1280, "height": 800})
    page.goto(sty.url)
    expect(page.get_by_role("img", name="Pig race")).to_be_visible()
    heights = page.locator(".titles svg").evaluate_all("all => all.map(one => one.clientHeight)")
    assert len(heights) == 3 and len(set(heights)) == 1
