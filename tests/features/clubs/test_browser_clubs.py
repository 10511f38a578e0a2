"""A whole small evening in three browsers: from the organiser's link to the final table."""

from __future__ import annotations

import re
from contextlib import ExitStack

from playwright.sync_api import Browser, Page, expect

from web.browser import hurry, watch
from web.clipped import clipped
from web.conftest import Server

PHONE, DESK = {"width": 375, "height": 667}, {"width": 1366, "height": 657}
SEATS = (("Ana", PHONE, "en"), ("Ben", DESK, "de"), ("Cai", PHONE, "de"))


def test_three_browsers_play_an_evening(browser: Browser, server: Server) -> None:
    with ExitStack() as stack:
        pages = list[Page]()
        for _name, size, language in SEATS:
            context = stack.enter_context(browser.new_context(viewport=size, locale=language))
            pages.append(context.new_page())
        ana = pages[0]
        faults = [watch(page) for page in pages]
        ana.goto(server.url)
        ana.get_by_role("link", name="Evenings and clubs").click()
        ana.get_by_label("Its name").fill("Thursday")
        ana.get_by_label("Deals", exact=True).fill("2")
        ana.get_by_text("More", exact=True).click()
        ana.get_by_label("Seconds between deals").fill("0")
        assert clipped(ana) == []
        ana.get_by_role("button", name="Make the evening").click()
        expect(ana.get_by_role("heading", name="Thursday")).to_be_visible()
        address = ana.locator("#share").input_value()
        for page, (name, _size, language) in zip(pages, SEATS, strict=True):
            page.goto(address)
            page.get_by_label("Your name" if language == "en" else "Dein Name").fill(name)
            page.locator(".joins").get_by_role("button").click()
            expect(page.locator(".people-here .is-you")).to_contain_text(name)
            assert clipped(page) == []
        expect(ana.get_by_role("heading", name="3 play")).to_be_visible()
        ana.get_by_role("button", name="Begin", exact=True).click()
        tables = set[str]()
        for _deal in range(2):
            for page in pages:
                page.wait_for_url("**/t/*")  # the page of the evening leads there
            tables |= {page.url for page in pages}
            hurry(*pages)
            for page, (_name, _size, language) in zip(pages, SEATS, strict=True):
                page.get_by_role("link", name="To the evening" if language == "en" else "Zum Abend").click()
        assert len(tables) == 2, "one table a deal, and another one for the next"
        for page, (name, _size, language) in zip(pages, SEATS, strict=True):
            result = page.get_by_role("table", name="Results" if language == "en" else "Ergebnisse")
            expect(page.locator("#evening")).to_have_attribute("data-phase", "over")
            expect(result.locator("tbody tr")).to_have_count(3)
            expect(result.locator(".is-you")).to_contain_text(name)
            assert clipped(page) == []
            page.locator(".deal-list a").first.click()
            expect(page.locator(".parted .is-you")).to_contain_text(name)
            expect(page.locator(".parted tbody tr").nth(1)).to_be_visible()  # bots have had these cards, too
            assert clipped(page) == []
            page.go_back()
        expect(ana.locator(".fair code").first).to_have_text(re.compile("^[0-9a-f]{64}$"))
        ana.goto(f"{server.url}fair?table={min(tables).rpartition('/')[2]}")
        expect(ana.locator("#verdict")).to_contain_text("are fair")
        expect(ana.locator("[data-check=noted], [data-check=mine]")).to_have_count(2)
        assert faults == [[], [], []]
