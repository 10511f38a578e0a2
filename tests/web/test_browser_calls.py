"""What reaches the eye and the ear where one plays: talk, requests, and the offer to call the reader."""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import Browser, Page, expect

from web.browser import ASKED, PLAYABLE, SEND, answered, new_table, wait
from web.conftest import Server
from web.test_browser_access import clean
from web.test_browser_friends import BOT, begin, friends, turn

PHONE: Any = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "reduced_motion": "reduce"}
PLACES = """[...document.querySelectorAll(".board, .ask, .hand label, .actionbar, .tabs")].map(one => {
    const {left, top, width, height} = one.getBoundingClientRect(); return [left, top, width, height]; })"""
INSIDE = """at => { const {top, bottom, height} = document.querySelector(at).getBoundingClientRect();
    return height > 0 && top >= 0 && bottom <= innerHeight; }"""
BACK = "Ask to undo"


def quiet(page: Page) -> None:
    """Refuse the offer to call the reader."""
    page.get_by_role("button", name="No, thanks").click()
    expect(page.locator("#offer")).to_be_hidden()


def still(pages: list[Page]) -> bool:
    """Whether the game waits for one of these people, and all of them see so."""
    decisions = {page.locator("#table").get_attribute("data-decision") for page in pages}
    return len(decisions) == 1 and sum(page.locator(ASKED).count() for page in pages) == 1


def test_the_offer_to_call_is_made_once_and_shifts_nothing(browser: Browser, server: Server) -> None:
    with friends(browser, 2, bypass_csp=True, **PHONE) as pages:
        ana, ben = pages
        link = begin(pages, server.url, races=1, **BOT)
        for page in pages:
            expect(page.locator("#offer")).to_be_visible()
            assert page.evaluate(INSIDE, "#offer")
        clean(ana, "the offer")
        before = ana.evaluate(PLACES)
        ana.get_by_role("button", name="Sound", exact=True).click()
        expect(ana.locator("#offer")).to_be_hidden()
        expect(ana.locator("html")).to_have_attribute("data-sound", "on")
        assert {cookie["name"]: cookie["value"] for cookie in ana.context.cookies()}["sound"] == "on"
        quiet(ben)
        assert ana.evaluate(PLACES) == before
        for page in pages:
            page.goto(link)
            page.wait_for_selector("form.compose")
            expect(page.locator("#offer")).to_be_hidden()
        new_table(ben, server.url, 1)
        assert wait(ben)
        expect(ben.locator("#offer")).to_have_count(0)  # nobody else plays here


def test_talk_appears_over_the_last_move_and_shifts_nothing(browser: Browser, server: Server) -> None:
    with friends(browser, 2, bypass_csp=True, **PHONE) as pages:
        ana, ben = pages
        begin(pages, server.url, races=1, **BOT)
        quiet(ana)
        before = ana.evaluate(PLACES)
        toast = ana.locator("#toast")
        ben.locator("[data-tab=talk]").click()
        ben.locator("#say").fill("hello " * 80)
        ben.keyboard.press("Enter")
        expect(toast).to_contain_text("Ben: hello")
        toast.hover()  # it stays while the pointer is on it
        assert ana.evaluate(INSIDE, "#toast")
        assert ana.evaluate(PLACES) == before
        expect(ana.locator("#live")).to_contain_text("Ben: hello")
        clean(ana, "a toast")
        expect(ben.locator("#toast")).to_be_hidden()  # who wrote it
        toast.get_by_role("button", name="Close").click()
        expect(toast).to_be_hidden()
        ana.locator("[data-tab=talk]").click()
        ben.locator("#say").fill("in sight")
        ben.keyboard.press("Enter")
        expect(ana.locator(".said")).to_contain_text("in sight")
        expect(toast).to_be_hidden()


def test_a_request_to_take_back_is_answered_where_it_appears(browser: Browser, server: Server) -> None:
    """Beside the last move, and in the place of the hand; see test_browser_clipped.py for other windows."""
    with friends(browser, 2, bypass_csp=True, **PHONE) as pages:
        begin(pages, server.url, races=1, drivers=2)  # no bots: nothing moves by itself
        n, asker = 0, None
        while not (asker and still(pages)):
            if not all(turn(page, n) for page in pages):
                begin(pages, server.url, races=1, drivers=2)
            n += 1
            asker = next((page for page in pages if page.locator("#undo", has_text=BACK).count()), None)
        other = pages[1 - pages.index(asker)]
        asker.get_by_role("button", name=BACK).click()
        answered(asker)
        expect(asker.locator("#undo")).to_contain_text("You asked to take your last move back. Waiting for")
        request = other.locator("#asked")
        expect(request).to_contain_text("asks to take the last move back")
        expect(other.locator("#live")).to_contain_text("asks to take the last move back")
        expect(other.locator(".ask, .waiting").first).to_be_hidden()
        for button in request.get_by_role("button").all():
            box = button.bounding_box()
            assert box and box["height"] >= 44
        clean(other, "a request")
        request.get_by_role("button", name="Decline").click()
        expect(request).to_be_hidden()
        asker.get_by_role("button", name=BACK).click()
        request.get_by_role("button", name="Later").click()
        expect(request).to_be_hidden()
        expect(other.locator(".ask, .waiting").first).to_be_visible()
        other.get_by_role("button", name="Request").click()
        expect(request).to_be_visible()
        asker.get_by_role("button", name="Withdraw").click()
        expect(request).to_have_count(0)
        asker.get_by_role("button", name=BACK).click()
        request.get_by_role("button", name="Agree").click()
        expect(other.locator(".said")).to_contain_text("took back the last move")


def test_people_agree_that_somebody_new_plays_an_open_seat(browser: Browser, server: Server) -> None:
    with friends(browser, 4, bypass_csp=True, **PHONE) as (*pages, eva):
        ana, ben, cleo = pages
        link = begin(pages, server.url, races=1)
        for page in pages:
            quiet(page)
        ben.locator("[data-tab=more]").click()
        ben.locator("#people").get_by_text("My seat").click()
        ben.get_by_role("button", name="Leave this table").click()
        expect(ben.locator(".entry")).to_contain_text("You left Driver 2")
        eva.goto(link)
        eva.locator(".entry input[name=name]").fill("Eva")
        eva.locator(".entry").get_by_role("button", name="Ask for this seat").click()
        expect(eva.locator(".entry")).to_contain_text("You asked to play Driver 2")
        clean(eva, "a request of one's own")
        for page in (ana, cleo):
            request = page.locator("#asked")
            expect(request).to_contain_text("Eva asks for Driver 2 and its hand")
            assert page.evaluate(INSIDE, "#asked")
        clean(ana, "a request for a seat")
        ana.locator("#asked").get_by_role("button", name="Later").click()
        ana.locator("[data-tab=more]").click()
        ana.locator(".claim").get_by_role("button", name="Agree").click()
        expect(ana.locator(".claim .primary")).to_have_count(0)
        ana.locator("[data-tab=more]").click()
        expect(ana.locator("#asked")).to_have_count(0)
        cleo.locator("#asked").get_by_role("button", name="Agree").click()
        expect(eva.locator(".you")).to_contain_text("Eva")
        expect(eva.locator(".ask")).to_have_count(1)  # the bot has committed: that may be changed
        expect(cleo.locator("#asked")).to_have_count(0)


def test_sounds_of_everything(page: Page, server: Server) -> None:
    """A card, what is sent and what happens then are heard, once they are asked for; each in its volume."""
    page.add_init_script(
        """const tones = [];
        window.AudioContext = class extends AudioContext {
            createOscillator() {
                const tone = super.createOscillator(), start = tone.start.bind(tone);
                tone.start = (at) => {
                    tones.push(tone.type);
                    document.documentElement.dataset.tones = tones.join(" ");
                    start(at);
                };
                return tone;
            }
        };"""
    )
    new_table(page, server.url, 1)
    page.wait_for_selector("form.compose")
    heard = page.locator("html")
    page.locator(PLAYABLE).first.click()
    page.locator(".menu summary").click()
    page.locator("input[name=sound][value=all]").check(force=True)
    said = "sine sine"  # a sample, «my turn»; nothing was heard before
    expect(heard).to_have_attribute("data-tones", said)
    page.locator("input[name=volume][value=quiet]").check(force=True)
    said += " sine sine"
    expect(heard).to_have_attribute("data-tones", said)
    page.locator(".menu summary").click()
    page.locator(PLAYABLE).last.click()
    said += " triangle"  # a card
    expect(heard).to_have_attribute("data-tones", said)
    page.locator(SEND).first.click()
    said += " triangle triangle triangle"  # what is sent, and the reveal
    expect(heard).to_have_attribute("data-tones", re.compile(f"^{said}"))
    cookies = {cookie["name"]: cookie["value"] for cookie in page.context.cookies()}
    assert (cookies["sound"], cookies["volume"]) == ("all", "quiet")
