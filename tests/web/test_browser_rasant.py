"""Rasant in a real browser: a match of two friends and two bots, and what reaches each of them."""

from __future__ import annotations

import html
import re

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from paddock import records
from paddock.core.game import Game
from paddock.games.rasant import rules
from paddock.games.rasant.deck import card, kind_of
from paddock.games.rasant.text import card_words
from web.browser import ASKED, OVER, PLAYABLE, RASANT, answered, watch
from web.conftest import Server
from web.test_browser_friends import NAMES, friends, sit

# Every card once, so that each belongs to one hand, the reserve or the pile.
DECK = "r10-130 g10-130 b70-120 k30 k90"


def listen(page: Page) -> list[str]:
    """Collect every page, and every part of one, that the browser is sent."""
    got: list[str] = []

    def pass_on(route: Route) -> None:
        answer = route.fetch()
        got.append(answer.text())
        route.fulfill(response=answer)

    page.route(re.compile(r"/t/[\w-]{12,}(/(move|seats))?(\?.*)?$"), pass_on)
    return got


def begin(pages: list[Page], url: str) -> str:
    """Two friends sit with two bots, a match of two games; returns the link."""
    ana, ben = pages
    query = f"games=2&pace=instant&name-1={NAMES[0]}&who-2=open&who-3=rookie&who-4=rookie&deck={DECK}"
    ana.goto(f"{url}new/rasant?{query}")
    ana.get_by_role("button", name="Open the lobby").click()
    ana.wait_for_url("**/t/*")
    link = ana.locator("#invite").input_value()
    sit(ben, link, 2)
    for page in pages:
        page.get_by_role("button", name="I am ready").click()
        answered(page)
    return link


def match(pages: list[Page]) -> int:
    """Both play to the end; returns how many moves they made."""
    made = 0
    for n in range(2000):
        over = [bool(page.locator(OVER).count()) for page in pages]
        if all(over):
            return made
        for page in pages:
            if page.locator(ASKED).count() and page.locator("form.compose").count():
                cards = page.locator("form.compose").first.locator(PLAYABLE)
                cards.nth(n % cards.count()).click()
                page.locator("form.compose .actionbar button").first.click()
                answered(page)
                made += 1
        pages[0].wait_for_timeout(20)
    raise AssertionError("the match does not end")


def test_a_match_of_two_browsers_and_two_bots(browser: Browser, server: Server) -> None:
    """RA-5.5, RA-2.2: to the podium, and no page that was sent to one names a card that it cannot know."""
    with friends(browser, 2, reduced_motion="reduce") as pages:
        faults = [watch(page) for page in pages]
        sent = [listen(page) for page in pages]
        link = begin(pages, server.url)
        assert match(pages) > 10
        for page in pages:
            expect(page.locator("h1")).to_contain_text(re.compile("wins the match|share the match"))
            expect(page.locator("table").first.locator("thead th")).to_have_count(4)
        pages[0].get_by_role("link", name="Step through the game").click()
        pages[0].wait_for_url("**/replay")
        assert not any(faults)
        record = pages[1].request.get(f"{link}/record").text()
    whole = records.read(record).game()
    for seat, got in enumerate(sent):
        assert sum(search(whole, seat, text) for text in got) > 10
        with pytest.raises(AssertionError):  # the search would find them
            sum(search(whole, 1 - seat, text) for text in got)


def search(whole: Game, seat: int, text: str) -> int:
    """Whether a page of a running table names cards, all of which its reader may know."""
    found = re.search(r'data-decision="(\d+)"', text)
    if not found or int(found[1]) >= len(whole.log):
        return 0
    game = Game(whole.title, whole.options, None, whole.names)
    for entry in whole.log[: int(found[1])]:
        game.append(entry)
    view = game.view(seat)
    hand = {held.kind for held in view.players[seat].hand or ()}
    told = {(event[0], event[2]) for item in game.told for event in item.events}  # of the game before too
    known = hand | {kind for code, kind in told if code in (rules.LED, rules.RAISED, rules.PASSED)}
    named = cards_in(text)
    hidden = {card(kind) for kind in named - known}
    assert not hidden, (seat, found[1], hidden)
    return bool(named & hand)


def cards_in(text: str) -> set[int]:
    """The cards that a page names, in words or in notation."""
    text = html.unescape(text)
    words = {card_words(kind): kind for kind in range(65)}
    named = {words[found] for found in re.findall("(?:red|green|blue|yellow|black) [0-9]{2,3}", text)}
    return named | {kind_of(found) for found in re.findall(r"\b[rgbyk](?:1[0-3]|[1-9])0\b", text)}


@pytest.mark.parametrize("how", ["clicks", "keys"])
def test_a_choice_shows_what_its_colour_would_move(page: Page, server: Server, how: str) -> None:
    """RA-4.2 the colour of the chosen card stands out; RA-3.2 a black one says why it cannot lead."""
    query = "pace=instant&players=2&who-2=rookie&deck=r10-130 k10-130 k10-130"
    page.goto(f"{server.url}new/rasant?{query}")
    page.get_by_role("button", name="deal the cards").click()
    for _ in range(60):
        page.wait_for_selector(f"{ASKED}, {OVER}", state="attached")
        refused = page.locator(".choice.is-refused")
        if page.get_by_role("heading", name="You have the lead").count() and refused.count():
            break
        page.locator(PLAYABLE).last.click()
        page.locator("form.compose .actionbar button").click()
        answered(page)
    red = page.locator(".wins > .is-0")
    outline = "e => getComputedStyle(e).outlineStyle"
    assert red.evaluate(outline) == "none"
    inputs = page.locator("form.compose input[type=radio]")

    def choose(n: int) -> None:
        if how == "clicks":
            page.locator(".cards label").nth(n).click()
        else:
            inputs.nth(n).focus()
            page.keyboard.press("Space")

    choose(0)
    assert red.evaluate(outline) == "solid"
    assert "a win moves" in (page.locator("form.compose .actionbar button").text_content() or "")
    choose(inputs.count() - 1)
    assert red.evaluate(outline) == "none"
    expect(page.locator("[data-why]")).to_contain_text("The lead must be a coloured card")
    expect(page.locator("[data-why] a")).to_have_attribute("href", "/rules/rasant#RA-3.2")
    expect(page.locator("form.compose .actionbar button")).to_have_attribute("aria-disabled", "true")
    assert RASANT.card in page.content()
