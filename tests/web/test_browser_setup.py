"""The set-up page in a real browser, with and without scripts: twelve drivers on a phone, long decks."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from paddock.games.great_race.maps import source
from sampling import some
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
    classic, large = (page.locator(f"#f-large_grid [value={value}]") for value in ("no", "yes"))
    said = page.get_by_text("so the Large Grid is now on")
    twelve(page)
    expect(said).to_be_in_viewport()
    expect(large).to_be_checked()
    expect(page.locator(".count :checked")).to_be_in_viewport()
    assert "large_grid" not in page.url  # it follows from the number
    clean(page, "the sentence")
    six = page.locator(".count label", has_text=re.compile("^6$"))
    six.click()
    expect(said).to_have_count(0)
    expect(classic).to_be_checked()
    large.click()
    twelve(page)
    six.click()
    page.wait_for_url("**large_grid=yes**")
    expect(large).to_be_checked()
    classic.click()
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


@pytest.mark.parametrize("kind", some(["club", "open"], 1, "twelve"))
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


def test_RA_1_2_a_deck_of_ones_own_is_pasted_and_becomes_a_picture(page: Page, server: Server) -> None:
    """Its faults are told beside it. Once it is valid, the address leads to it, and the game uses it."""
    faults = watch(page)
    page.goto(f"{server.url}new/rasant?games=1&pace=instant")
    option = page.locator("#f-deck")
    option.locator("[data-own]").click()
    text, colours = page.get_by_label("Or paste its text"), "rgbyk"
    cards = [f"{colour}{n}0" for colour in colours for n in range(1, 12, 2)]
    text.fill("\n".join([*cards, "x10", "r15"]))
    told = page.locator("#said-deck li")
    expect(told).to_have_text([re.compile("^“x10” is no card"), re.compile("^“r15”: speeds are 10")])
    expect(page.locator("#fit")).to_contain_text("Deck: 2 things to correct")
    assert "deck" not in page.url and "x10" in text.input_value()
    text.fill("\n".join(cards))
    own = option.locator("[value^='~']")
    expect(own).to_be_checked()
    expect(told).to_have_count(0)
    expect(page.locator("#fit")).to_be_empty()
    expect(page).to_have_url(re.compile(r"deck=%7E[a-z2-7]{16}|deck=~[a-z2-7]{16}"))
    name = own.get_attribute("value")
    page.goto(page.url)
    expect(own).to_be_checked()
    picture = option.locator("label", has=page.locator("[value^='~']")).locator("img")
    picture.scroll_into_view_if_needed()
    page.wait_for_function("image => image.naturalWidth > 0", arg=picture.element_handle())
    page.get_by_role("button", name=re.compile("deal", re.I)).click()
    page.wait_for_url("**/t/*")
    assert page.request.get(f"{server.url}api/v1/data/{name}").text() == "+".join(cards)
    assert not faults


DROP = """([field, name, text]) => {
    const data = new DataTransfer();
    data.items.add(new File([text], name));
    field.dispatchEvent(new DragEvent("drop", { bubbles: true, cancelable: true, dataTransfer: data }));
}"""


def test_GR_1_1_a_map_of_ones_own_is_dropped(page: Page, server: Server) -> None:
    """A file with faults, then the same without: its picture has its title and its facts."""
    page.goto(f"{server.url}new/great_race")
    option = page.locator("#f-map").element_handle()
    mine = source("usa-west").replace("USA-West", "My own West")
    page.evaluate(DROP, [option, "mine.map", mine.replace("SF San Francisco 1", "")])
    expect(page.locator("#said-map li")).to_have_text([re.compile("^Line \\d+: SF has no line under")])
    page.evaluate(DROP, [option, "mine.map", mine])
    own = page.locator("#f-map label", has=page.locator("[value^='~']:checked"))
    expect(own).to_contain_text(re.compile("My own West.*19 spaces long.*2 to 5 players.*minutes", re.S))
    page.locator("summary", has_text="The race").click()
    page.get_by_label("Omaha").click()
    page.wait_for_url("**finish=OM**")
    page.locator("#f-map label", has_text="Asia, the west").click()
    expect(page.locator("#o-finish")).to_contain_text("Kashgar")


FIELDS = [(title, theme) for title in ("lacorsa", "rasant", "great_race") for theme in ("light", "dark")]


@pytest.mark.parametrize(("title", "theme"), some(FIELDS, 2, "fields"))
def test_every_field_is_accessible_and_nothing_scrolls_sideways(
    browser: Browser, server: Server, title: str, theme: Any
) -> None:
    """Everything is unfolded, at 320 px and with text of 200 % as well; and a preset is one tap."""
    context = browser.new_context(
        viewport={"width": 320, "height": 640}, has_touch=True, bypass_csp=True, color_scheme=theme
    )
    page = context.new_page()
    faults = watch(page)
    page.goto(f"{server.url}new/{title}?others=rookie")
    page.evaluate("document.querySelectorAll('.setup details').forEach((part) => { part.open = true; })")
    for own in page.locator("[data-own]").all():
        own.check(force=True)
    clean(page, f"{title}, {theme}")
    for size in ("", "200%"):
        page.evaluate(f"document.documentElement.style.fontSize = '{size}'")
        assert page.evaluate("document.documentElement.scrollWidth") <= 320, size
    page.locator(".preset").nth(1).tap()
    expect(page.locator(".preset").nth(1)).to_have_attribute("aria-current", "true")
    assert "others=rookie" in page.url
    page.locator(".actionbar .primary").tap()
    page.wait_for_url("**/t/*")
    assert not faults
    context.close()


def test_a_grid_is_chosen_by_keyboard(page: Page, server: Server) -> None:
    page.goto(f"{server.url}new/lacorsa")
    page.locator("#f-large_grid :checked").focus()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("radio", name="The Large Grid")).to_be_checked()
    expect(page.get_by_role("radio", name="The Large Grid")).to_be_focused()
    page.wait_for_url("**large_grid=yes")
