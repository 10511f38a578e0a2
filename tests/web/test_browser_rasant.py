"""Rasant in a real browser: a match of two friends and two bots, hidden cards and the layout."""

from __future__ import annotations

import html
import re

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from paddock import records
from paddock.core.game import Game
from paddock.games.rasant.deck import card, kind_of
from paddock.games.rasant.rules import state
from paddock.games.rasant.words.text import card_words
from sampling import WHOLE, count, some
from web.browser import ASKED, OVER, PLAYABLE, RASANT, answered, hurry, post, send, watch
from web.conftest import Server
from web.test_browser_friends import NAMES, friends, gather

# A deck with every card once, so that it is known where each card is.
DECK = "r10-130 g10-130 b70-120 k30 k90" if WHOLE else "r10-90 g10-80 b70-110 k30 k90"
GAMES = count(1, 2)


def listen(page: Page) -> list[str]:
    """Collect every page and part of a page that the browser receives."""
    got: list[str] = []

    def pass_on(route: Route) -> None:
        answer = route.fetch()
        got.append(answer.text())
        route.fulfill(response=answer)

    page.route(re.compile(r"/t/[\w-]{12,}(/(move|seats))?(\?.*)?$"), pass_on)
    return got


def begin(pages: list[Page], url: str) -> str:
    """Start a match for two friends and two bots; return its link."""
    asked = {"games": GAMES, "pace": "instant", "name-1": NAMES[0], "deck": DECK}
    asked |= {"who-2": "open", "who-3": "rookie", "who-4": "rookie"}
    link = gather(pages, url, "rasant", **asked)
    for page in pages:
        page.goto(link)
    return link


def test_a_match_of_two_browsers_and_two_bots(browser: Browser, server: Server) -> None:
    """RA-5.5, RA-2.2: to the podium, and no page names a card that its reader cannot know."""
    with friends(browser, 2, reduced_motion="reduce") as pages:
        faults = [watch(page) for page in pages]
        sent = [listen(page) for page in pages]
        link = begin(pages, server.url)
        assert sum(hurry(*pages)) > count(3, 10)
        for page in pages:
            expect(page.locator("h1")).to_contain_text(re.compile("wins the|tie for the"))
            expect(page.locator(".pad thead th")).to_have_count(GAMES + 2)
        pages[0].get_by_role("link", name="Step through the game").click()
        pages[0].wait_for_url("**/replay")
        assert not any(faults)
        record = pages[1].request.get(f"{link}/record").text()
    whole = records.read(record).game()
    known = [knows(whole, seat) for seat in range(2)]
    for seat, got in enumerate(sent):
        assert sum(search(known[seat], text) for text in got) > count(2, 10)
        with pytest.raises(AssertionError):  # the check finds cards of the other hand
            sum(search(known[1 - seat], text) for text in got)


def knows(whole: Game, seat: int) -> list[tuple[set[int], set[int]]]:
    """Return, before each entry of the log, the hand of a seat, and the cards that it has seen."""
    game = Game(whole.title, whole.options, None, whole.names)
    told: set[int] = set()  # also in the previous game
    known, done = [], 0
    for entry in whole.log:
        hand = {held.kind for held in game.view(seat).players[seat].hand or ()}
        known.append((hand, hand | told))
        game.append(entry)
        events = [event for item in game.events[done:] for event in item.events]
        told |= {event[2] for event in events if event[0] in (state.LED, state.RAISED, state.PASSED)}
        done = len(game.events)
    return known


def search(known: list[tuple[set[int], set[int]]], text: str) -> int:
    """Return whether a page of a running table names cards; check that its reader may know them."""
    found = re.search(r'data-decision="(\d+)"', text)
    if not found or int(found[1]) >= len(known):
        return 0
    hand, seen = known[int(found[1])]
    named = cards_in(text)
    hidden = {card(kind) for kind in named - seen}
    assert not hidden, (found[1], hidden)
    return bool(named & hand)


def cards_in(text: str) -> set[int]:
    """Return the cards that a page names, in words or in notation."""
    text = html.unescape(text)
    words = {card_words(kind): kind for kind in range(65)}
    named = {words[found] for found in re.findall("(?:red|green|blue|yellow|black) [0-9]{2,3}", text)}
    return named | {kind_of(found) for found in re.findall(r"\b[rgbyk](?:1[0-3]|[1-9])0\b", text)}


@pytest.mark.parametrize("how", some(["clicks", "keys"], 1, "choice"))
def test_a_choice_shows_what_its_colour_would_move(page: Page, server: Server, how: str) -> None:
    """RA-4.2 the colour of the chosen card is highlighted; RA-3.2 a black card says why it cannot lead."""
    deck = "r10-130 k10-130 k10-130"
    asked = {"games": 9, "pace": "instant", "players": 2, "who-2": "rookie", "deck": deck}
    page.goto(post(page, f"{server.url}tables", title="rasant", **asked))
    page.wait_for_selector(ASKED, state="attached")
    lead = page.get_by_role("heading", name="You have the lead")
    coloured, black = page.locator(f"{PLAYABLE} [data-shows]"), page.locator(".is-refused > .choice")
    while not (lead.count() and coloured.count() and black.count()):
        page.locator(PLAYABLE).last.click()
        send(page)
        page.wait_for_selector(ASKED, state="attached")
    red = page.locator(".wins > .is-0")
    outline = "e => getComputedStyle(e).outlineStyle"
    inputs = page.locator("form.compose .cards input")

    def choose(n: int) -> None:
        if how == "clicks":
            page.locator(".cards label").nth(n).click()
        else:
            inputs.nth(n).focus()
            page.keyboard.press("Space")

    choose(inputs.count() - 1)  # black; a red card that is the only one to fit is chosen from the start
    assert red.evaluate(outline) == "none"
    choose(0)
    assert red.evaluate(outline) == "solid"
    expect(page.locator(".compose .actionbar .primary")).to_have_text(re.compile("a win moves|win at once"))
    choose(inputs.count() - 1)
    assert red.evaluate(outline) == "none"
    expect(page.locator("[data-why]")).to_contain_text("The lead must be a coloured card")
    expect(page.locator("[data-why] a")).to_have_attribute("href", "/rules/rasant#RA-3.2")
    expect(page.locator(".compose .actionbar .primary")).to_have_attribute("aria-disabled", "true")
    assert RASANT.card in page.content()


OWN = {"pace": "instant", "players": 2, "who-2": "rookie", "name-1": "Ana"}
LINE = OWN | {"line": "krrrgggbbbyyy"}
SHORTCUT = """() => {
    document.querySelector("form.compose .hand label:not(.is-refused) input").click();
    document.querySelector("form.compose [data-way][aria-disabled=false]").click();
}"""


def until(page: Page, url: str, ready: str) -> None:
    """Play a game of two until the page has this and a decision is open."""
    page.goto(post(page, f"{url}tables", title="rasant", **LINE))
    for _ in range(60):
        page.wait_for_selector(f"{ASKED}, {OVER}", state="attached")
        if page.locator(ready).count():
            return
        page.evaluate(SHORTCUT)
        answered(page)
    raise AssertionError(f"no {ready}")


def test_the_line_and_the_hand_stand_in_a_low_window_together(page: Page, server: Server) -> None:
    """With the last round above the hand, and without scrolling."""
    page.emulate_media(reduced_motion="no-preference")  # else there is nothing to see again
    until(page, server.url, "[data-reveal] .convoy")
    for width, height in ((1280, 800), (1920, 960)):
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate(
            "document.getElementById('since')?.removeAttribute('open'); scrollTo(0, 0)"
        )  # as after reading it
        bar = page.locator(".actionbar").first.bounding_box()
        assert bar
        for label in page.locator(".ask .cards").first.locator("label").all():
            box = label.bounding_box()
            assert box and box["y"] + box["height"] <= bar["y"], page.locator("#table").inner_text()
        panel, button = (page.locator(at).bounding_box() for at in ("[data-reveal]", "[data-do=again]"))
        assert panel and button
        assert button["y"] + button["height"] <= panel["y"] + panel["height"], "Again sticks out of its panel"
        road = page.locator(".rs-strip:visible").bounding_box()
        assert road and road["x"] <= 0 and road["width"] >= width - 20, "the land fills the window"


def test_the_overtaking_is_shown_car_by_car(page: Page, server: Server) -> None:
    """RA-4.1 in the order of the move."""
    page.set_viewport_size({"width": 1280, "height": 800})
    until(page, server.url, "[data-reveal] .convoy li:nth-child(2)")
    moves = page.locator(".story li[data-moves]")
    assert moves.count() == 1, "only the last round is known"
    ids = str(moves.get_attribute("data-moves")).split()
    assert len(ids) == page.locator(".convoy li").count()
    at = "(car) => car.transform.baseVal[0].matrix.e"
    places = [page.locator(f"#strip [data-piece='{id}']").evaluate(at) for id in ids]
    assert places == sorted(places), "who goes first is the last of those in front"


def test_the_wins_keep_their_place_and_mark_the_colour_of_the_round(page: Page, server: Server) -> None:
    until(page, server.url, ".wins .is-off")
    classes = page.locator(".wins li").evaluate_all("all => all.map(one => one.className)")
    assert [name.split()[0] for name in classes] == ["is-0", "is-1", "is-2", "is-3"]
    expect(page.locator(".wins .is-off")).to_have_count(3)


# Whether the page has set itself for large text, or for usual text.
LARGE = "(large) => Boolean(document.querySelector(':root[data-large] link[href*=large]')?.sheet) === large"


def test_a_hand_is_one_row(page: Page, server: Server) -> None:
    until(page, server.url, "form.compose")
    for width, text in ((360, 100), (320, 100), (360, 200), (320, 200)):
        page.set_viewport_size({"width": width, "height": 740})
        page.evaluate(f"document.documentElement.style.fontSize = '{text}%'")
        page.wait_for_function(LARGE, arg=text > 100)
        boxes = [label.bounding_box() for label in page.locator(".ask .cards").first.locator("label").all()]
        assert all(box and box["width"] >= 36 and box["height"] >= 44 for box in boxes), (width, text)
        assert len({round(box["y"]) for box in boxes if box}) == 1, (width, text)
        assert page.evaluate("document.documentElement.scrollWidth") <= width, text


def test_the_whole_podium_stands_in_a_window_of_800_pixels(page: Page, server: Server) -> None:
    page.set_viewport_size({"width": 1280, "height": 800})
    page.goto(post(page, f"{server.url}tables", title="rasant", **OWN | RASANT.short))
    hurry(page)
    page.evaluate("scrollTo(0, 0)")
    box = page.locator(".rs-podium").bounding_box()
    assert box and box["y"] + box["height"] <= 800
