"""The race of the day in Chromium: from the home page to the first move, and the table of the day."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from web.browser import ASKED, watch
from web.conftest import Server


def test_the_race_of_the_day_is_begun_from_the_home_page(page: Page, server: Server) -> None:
    faults = watch(page)
    page.goto(server.url)
    page.get_by_role("link", name="Race of the day").click()
    expect(page.locator("h1 time")).to_have_attribute("datetime", re.compile(r"^\d{4}-\d\d-\d\d$"))
    card = page.locator("#rasant")
    card.get_by_label("Your name in the table").fill("Ana")
    card.get_by_role("button", name="Race").click()
    page.wait_for_selector(ASKED, state="attached")
    table = page.url
    page.goto(f"{server.url}daily")
    page.locator("#rasant").get_by_role("link", name="Go on").click()
    expect(page).to_have_url(table)
    assert faults == []


def test_the_page_of_the_day_counts_down_and_is_shown_anew_when_the_day_is_over(
    page: Page, server: Server
) -> None:
    """The kind: what an open page says must stay true while time passes."""
    faults = watch(page)
    page.clock.install(time=0)
    page.clock.pause_at(1000)  # from here on, time passes only when this test says so
    page.goto(f"{server.url}daily")
    left = page.locator("#left")
    expect(left).to_have_text(re.compile(r"^(\d+ h \d+ min|\d+ min|less than a minute)$"))
    left.evaluate("shown => { shown.dataset.lasts = '3700'; }")  # whatever time of the day it is
    for forward, said in ((5_000, "1 h 1 min"), (3_600_000, "1 min"), (60_000, "less than a minute")):
        page.clock.fast_forward(forward)
        expect(left).to_have_text(said)
    with page.expect_navigation():
        page.clock.fast_forward(60_000)
    expect(page.locator("h1 time")).to_be_visible()
    assert faults == []
