"""Friends at Skerries in browsers of their own: whole races, a robbery on a phone, a take-back, a replay."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect
from tests.titles.skerries.tests.test_skerries_browser import LINKS, SEND, choose, onward, step, together

from sampling import count
from web.browser import ASKED, OVER, answered, panel, play_on, watch
from web.conftest import Server
from web.test_browser_friends import friends

PHONE: Any = {"width": 360, "height": 740}
STORY = """[...document.querySelectorAll(".story li > :last-child")]
    .map((line) => line.textContent.replace("New:", "").replace(/\\s+/g, " ").trim())"""


@pytest.fixture
def two(browser: Browser, harbour: Server, request: pytest.FixtureRequest) -> Iterator[list[Page]]:
    """Two browsers; the cards are those of the test."""
    harbour.deal(request.node.nodeid)
    with friends(browser, 2, reduced_motion="reduce") as pages:
        yield pages


def race(pages: list[Page]) -> None:
    """Whoever is asked sends a step, until both see the podium; in a sample they soon send it by requests."""
    link = pages[0].url
    for made in range(400):
        if made == count(4, 400):
            for page in pages:
                page.goto("about:blank")
            play_on(link, *pages, choose=onward)
            for page in pages:
                page.goto(link)
                page.wait_for_selector(OVER)
        if all(page.locator(OVER).count() for page in pages):
            return
        for page in pages:
            if page.locator(ASKED).count():
                step(page)
            else:
                page.wait_for_timeout(20)
    raise AssertionError("the race does not end")


def test_two_friends_race_replay_and_explore(two: list[Page], harbour: Server) -> None:
    """A regatta; then its replay by keys, and another way from the middle of it."""
    ana, ben = two
    faults = [watch(page) for page in two]
    together(ana, ben, harbour, races=count(1, 2), days=count(1, 2), chart="qh/.l")
    race(two)
    table = ana.url
    for page in two:
        expect(page.locator(".sk-podium")).to_be_visible()
        expect(page.locator(".pad tbody tr")).to_have_count(2)
    assert ana.locator("h1").inner_text() == ben.locator("h1").inner_text()
    assert ana.evaluate(STORY) == ben.evaluate(STORY), "all is open at the end"

    ben.get_by_role("link", name="Step through").click()
    ben.wait_for_url("**/replay")
    at = ben.locator("#at")
    expect(at).to_have_value("0")
    last = int(at.get_attribute("max") or "")
    ben.wait_for_load_state()  # scripts included
    for key, number in (("ArrowRight", 1), ("Home", 0), ("End", last), ("ArrowLeft", last - 1)):
        ben.keyboard.press(key)
        expect(at).to_have_value(str(number))
    panel(ben, "hands")
    ben.get_by_label("Whose view").select_option("Ana")
    expect(ben.get_by_role("heading", name="The hand of Ana")).to_have_count(1)
    expect(ben.get_by_role("heading", name="The hand of Ben")).to_have_count(0)
    expect(ben.locator("#chart [data-move]")).to_have_count(0)
    ben.locator("[data-zoom=in]").click()
    assert ben.evaluate("chart.style.getPropertyValue('--zoom')") == "1.4"

    ben.goto(f"{table}/replay?step=0")
    panel(ben, "more")
    ben.locator("#explorer").select_option("0")
    ben.get_by_role("button", name="Explore from here").click()
    ben.wait_for_selector(ASKED, state="attached")
    expect(ben.locator("#main")).to_contain_text("That game does not change.")
    choose(ben, "e", 1)
    ben.locator(SEND).click()
    expect(ben.locator(".story")).to_contain_text("sails to the harbour b1")
    ben.get_by_role("link", name="Back to the game").click()
    ben.wait_for_url(table)
    expect(ben.locator(".sk-podium")).to_be_visible()
    assert faults == [[], []]


def test_a_robbery_is_answered_on_a_phone(browser: Browser, harbour: Server) -> None:
    """SK-4.2 Ben robs Ana, and she answers on her phone with one thumb; what goes is hidden from a guest."""
    harbour.deal("robbery")
    touch: Any = {"viewport": PHONE, "has_touch": True, "is_mobile": True, "reduced_motion": "reduce"}
    with friends(browser, 1, **touch) as (ana,), friends(browser, 2, reduced_motion="reduce") as (ben, guest):
        faults = [watch(page) for page in (ana, ben, guest)]
        together(ana, ben, harbour, chart="qh/.l", copies=2)
        guest.goto(ana.url)
        ana.locator("#chart [data-move=e]").tap()
        expect(ana.locator(LINKS)).to_have_count(1)
        ana.locator(SEND).tap()
        expect(ana.locator(".story")).to_contain_text("Ana draws a card:")
        for links, move in enumerate(("w", "stop"), 1):
            ana.locator(f".nexts [data-move={move}]").tap()
            expect(ana.locator(LINKS)).to_have_count(links)
        ana.locator(SEND).tap()
        ben.locator(".nexts button", has_text="Rob Ana").click()
        expect(ben.locator(LINKS)).to_have_count(1)
        ben.locator(SEND).click()

        expect(ana.locator(".ask h2")).to_have_text("Ben robs you: drop anchor, or yield?")
        assert ana.title().startswith("● Your turn")
        for other in (ben, guest):
            expect(other.locator(".sk-boats")).to_contain_text("is robbed")
            expect(other.locator(".ask")).to_have_count(0)
        assert ana.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
        answers = ana.locator(".nexts button:visible, .sk-hand button:visible")
        boxes = [box for one in answers.all() if (box := one.bounding_box())]
        assert boxes and all(box["width"] >= 44 and box["height"] >= 44 for box in boxes)
        hand = ana.locator(".sk-open .sk-card").get_attribute("aria-label")
        ana.locator(".nexts button", has_text="Yield").tap()
        expect(ana.locator(LINKS)).to_have_count(1)
        send = ana.locator(SEND)
        send.tap()
        expect(ana.locator(".story")).to_contain_text(f"Ben takes a card of Ana: {hand}.")
        expect(ben.locator(".story")).to_contain_text(f"Ben takes a card of Ana: {hand}.")
        expect(guest.locator(".story")).to_contain_text("Ben takes a card of Ana.")
        assert hand and hand not in (guest.locator(".story").text_content() or "")
        expect(ana.locator("#main")).to_contain_text("Ana knows that Ben holds")
        expect(ben.locator(ASKED)).to_have_count(1)
        assert faults == [[], [], []]


def test_a_chain_is_taken_back_by_consent(two: list[Page], harbour: Server) -> None:
    ana, ben = two
    together(ana, ben, harbour)
    ana.wait_for_selector(ASKED, state="attached")
    question = ana.locator(".ask h2").text_content() or ""
    choose(ana, "e; e", 2)
    ana.locator(SEND).click()
    expect(ben.locator(".story")).to_contain_text("Ana sails to c1.")
    ana.get_by_role("button", name="Ask to undo").click()
    expect(ben.locator("#asked")).to_contain_text("Ana asks to take the last move back")
    ben.get_by_role("button", name="Decline").click()
    expect(ben.get_by_role("button", name="Decline")).to_have_count(0)
    answered(ana)
    expect(ana.locator(".sk-boats li").first).to_contain_text("c1")
    ana.get_by_role("button", name="Ask to undo").click()
    ben.get_by_role("button", name="Agree to undo it").click()
    expect(ana.locator(".ask h2")).to_have_text(question)
    for page in two:
        expect(page.locator(".sk-boats li").first).to_contain_text("a1")
        expect(page.locator(".story")).not_to_contain_text("Ana sails")
