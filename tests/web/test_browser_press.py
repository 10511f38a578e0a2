"""One press in a real browser: a public choice is sent after a moment, and outlives its tab until then."""

from __future__ import annotations

import re
from operator import itemgetter

from playwright.sync_api import Page, expect

from web.browser import LACORSA, RASANT, answered, new_table, panel, skip, wait, watch
from web.conftest import Server

FITS = ".cards label:not(.is-refused)"
TAKE = "[data-take]"
HIDDEN = """() => {
    Object.defineProperty(document, "hidden", { value: true });
    document.dispatchEvent(new Event("visibilitychange"));
}"""  # as if the reader had left the tab


def decision(page: Page) -> str:
    return page.locator("#table").get_attribute("data-decision") or ""


def lead(page: Page, server: Server) -> None:
    """Open a table of Rasant, whose choices are public, where several cards fit; with the usual settings."""
    page.context.clear_cookies()
    new_table(page, server.url, 1, kind=RASANT)
    skip(page, stop=lambda legal: len([move for move in legal if move != "pass"]) > 1)
    assert wait(page)


def test_a_public_choice_is_one_press(page: Page, server: Server) -> None:
    """Nothing is sent before its moment is over, nor if it is taken back, nor by a key."""
    faults = watch(page)
    lead(page, server)
    before, sent = decision(page), list[str]()
    page.on("request", lambda request: sent.append(request.url) if request.method == "POST" else None)
    page.clock.install()
    page.clock.pause_at(page.evaluate("Date.now()") + 1000)
    cards = page.locator(FITS)
    cards.first.click()
    page.clock.run_for(1400)
    page.locator(TAKE).click()
    expect(page.locator(TAKE)).to_be_hidden()
    assert not page.locator(".cards input:checked").count()
    page.keyboard.press("ArrowRight")
    page.locator(".cards label:not(.is-refused) input").first.focus()
    page.keyboard.press("Space")
    expect(page.locator(".cards input:checked")).to_have_count(1)
    expect(page.locator(TAKE)).to_be_hidden()
    page.clock.run_for(2000)
    assert not sent and decision(page) == before
    cards.last.click()
    expect(page.locator(TAKE)).to_be_visible()
    page.clock.run_for(1600)
    page.clock.resume()
    expect(page.locator("#table")).not_to_have_attribute("data-decision", before)
    answered(page)
    assert len(sent) == 1 and not faults


def test_a_choice_outlives_its_tab(page: Page, server: Server) -> None:
    """A closed tab sends nothing. Another one shows the choice, and says so when it is overtaken."""
    lead(page, server)
    before, link = decision(page), page.url
    page.locator(FITS).last.click()
    chosen = page.locator(".cards input:checked").input_value()
    page.goto("about:blank")
    page.wait_for_timeout(1700)
    page.goto(link)
    other = page.context.new_page()
    other.goto(link)
    for tab in (page, other):
        assert decision(tab) == before
        assert tab.locator(".cards input:checked").input_value() == chosen
        expect(tab.locator(TAKE)).to_be_hidden()
    page.locator("[data-way]").click()
    answered(page)
    expect(other.locator("#toast")).to_contain_text("no longer counts")
    assert page.evaluate("Object.keys(localStorage).filter(key => key.includes('choice')).length") == 0
    expect(page.locator("#toast:visible")).to_have_count(0)


def test_a_secret_choice_has_its_button_unless_never_is_set(page: Page, server: Server) -> None:
    page.context.clear_cookies()
    new_table(page, server.url, 1, kind=LACORSA)
    skip(page, choose=itemgetter(-1), stop=lambda legal: len(legal) > 1 and all(map(str.isdigit, legal)))
    assert wait(page)
    before = decision(page)
    page.locator(FITS).first.click()
    page.wait_for_timeout(1700)
    assert decision(page) == before and page.locator(f"{TAKE}:visible").count() == 0
    page.evaluate("document.documentElement.dataset.confirm = 'never'")
    page.locator(FITS).last.click()
    expect(page.locator("#table")).not_to_have_attribute("data-decision", before)


def test_who_comes_by_keyboard_is_offered_a_button_for_each_choice(page: Page, server: Server) -> None:
    page.context.clear_cookies()
    new_table(page, server.url, 1, kind=RASANT)
    offer = page.get_by_role("button", name="Always ask me to confirm a choice")
    offer.focus()
    page.keyboard.press("Enter")
    expect(page.locator("html")).to_have_attribute("data-confirm", "always")
    expect(offer).to_be_hidden()
    assert re.search("always", str(page.context.cookies()))


def test_news_are_read_by_reading(page: Page, server: Server) -> None:
    """They stay while they are in sight; whoever comes back after that has read them."""
    page.context.clear_cookies()
    new_table(page, server.url, 1, kind=RASANT)
    skip(page, moves=1)
    assert wait(page)
    news = page.locator("#since")
    expect(news).to_have_attribute("open", "")
    panel(page, "story")
    expect(news).to_be_visible()
    with page.expect_request("**/read"):
        page.evaluate(HIDDEN)
    page.reload()
    assert wait(page)
    expect(news).to_have_count(0)
