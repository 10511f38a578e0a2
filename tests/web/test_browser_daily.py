"""The daily race in Chromium: from the home page to the first move, and the table of the day."""

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
