"""The set-up page in a real browser, with and without scripts: twelve drivers on a phone, long decks."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from web.browser import watch
from web.conftest import Server
from web.test_browser_access import clean

PHONE: Any = {"width": 360, "height": 740}
ROWS = ".seat-row:visible"


def twelve(page: Page) -> None:
    """Choose twelve drivers."""
    page.locator(".count label", has_text=re.compile("^12$")).click()


def test_choosing_twelve_drivers_switches_the_large_grid_on(browser: Browser, server: Server) -> None:
    """LX-1.1: a sentence says so at once; with six again it is off, unless it was chosen."""
    context = browser.new_context(viewport=PHONE, has_touch=True, bypass_csp=True)
    page = context.new_page()
    faults = watch(page)
    page.goto(f"{server.url}new/lacorsa?races=1&pace=instant&name-1=Ana")
    expect(page.locator(ROWS)).to_have_count(1)
    grid, said = page.locator("#o-large_grid"), page.get_by_text("so the Large Grid is now on")
    twelve(page)
    expect(said).to_be_in_viewport()
    expect(grid).to_have_value("yes")
    assert page.evaluate("scrollY") == 0
    assert "large_grid" not in page.url  # it follows from the number
    clean(page, "the sentence")
    six = page.locator(".count label", has_text=re.compile("^6$"))
    six.click()
    expect(said).to_have_count(0)
    expect(grid).to_have_value("no")
    grid.select_option("yes")
    twelve(page)
    six.click()
    page.wait_for_url("**large_grid=yes**")
    expect(grid).to_have_value("yes")
    grid.select_option("no")
    twelve(page)
    expect(said).to_be_visible()
    page.reload()
    expect(said).to_be_visible()
    page.locator("#others").select_option("rookie")
    page.wait_for_url("**others=rookie**")
    assert "who-" not in page.url
    expect(page.locator(".fault")).to_have_count(0)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    page.get_by_role("button", name="deal the cards").click()
    page.wait_for_url("**/t/*")
    expect(page.locator(".person", has_text="bot: Rookie")).to_have_count(11)
    assert not faults
    context.close()


def test_setting_each_seat_separately(page: Page, server: Server) -> None:
    page.goto(f"{server.url}new/lacorsa?large_grid=yes&drivers=12")
    others = page.locator("#others")
    others.select_option("rookie")
    others.select_option("")
    expect(page.locator(ROWS)).to_have_count(12)
    expect(page.locator("[name=who-12]")).to_have_value("rookie")
    page.locator("[name=who-2]").select_option("open")
    expect(page.get_by_role("button", name="Open the lobby")).to_be_visible()
    others.select_option("club")
    expect(page.get_by_role("button", name="deal the cards")).to_be_visible()
    others.select_option("open")
    expect(page.get_by_role("button", name="Open the lobby")).to_be_visible()
    expect(page).to_have_url(re.compile(r"\?.*others=open"))
    others.select_option("")
    page.get_by_role("link", name="Paddock").click()
    page.go_back()
    expect(page.locator(ROWS)).to_have_count(12)
    expect(page.locator("[name=who-12]")).to_be_enabled()


@pytest.mark.parametrize("kind", ["club", "open"])
def test_twelve_drivers_without_script(browser: Browser, server: Server, kind: str) -> None:
    context = browser.new_context(viewport=PHONE, java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{server.url}new/lacorsa?who-2=open&name-1=Ana")
    page.locator("#others").select_option(kind)
    expect(page.locator(ROWS)).to_have_count(1)
    twelve(page)
    start = page.get_by_role("button", name="Open the lobby" if kind == "open" else "deal the cards")
    start.click()
    expect(page.get_by_text("so the Large Grid is now on")).to_be_visible()
    expect(page.locator("[name=name-1]")).to_have_value("Ana")
    expect(page.locator("#others")).to_have_value(kind)
    start.click()
    page.wait_for_url("**/t/*")
    expect(page.locator(".person")).to_have_count(12)
    context.close()


def test_RA_1_2_a_long_deck_is_named_in_the_address(page: Page, server: Server) -> None:
    """Once it is valid. The address leads to the same set-up, and the game uses that deck."""
    faults = watch(page)
    page.goto(f"{server.url}new/rasant?games=1&pace=instant")
    page.locator("summary", has_text="More options").click()
    deck, colours = page.locator("[name=deck]"), "rgbyk"
    cards = [f"{colour}{n}0" for colour in colours for n in range(1, 12, 2)]
    deck.fill("\n".join([*cards, "x10"]))
    deck.blur()
    expect(page.locator(".fault")).to_contain_text("«x10» is not part of a deck")
    assert "deck" not in page.url and "x10" in deck.input_value()
    deck.fill("\n".join(cards))
    deck.blur()
    expect(page.locator(".fault")).to_have_count(0)
    expect(deck).to_have_value(re.compile("^~[a-z2-7]{16}$"))
    expect(page).to_have_url(re.compile(r"deck=%7E[a-z2-7]{16}|deck=~[a-z2-7]{16}"))
    name = deck.input_value()
    page.goto(page.url)
    expect(deck).to_have_value(name)
    page.get_by_role("button", name=re.compile("deal", re.I)).click()
    page.wait_for_url("**/t/*")
    assert page.request.get(f"{server.url}api/v1/data/{name}").text() == "+".join(cards)
    assert not faults
