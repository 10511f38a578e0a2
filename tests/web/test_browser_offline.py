"""A lost line: what could not be sent says so, stays chosen, and is sent once when the line is back."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, Request, Route, expect

from sampling import count, some
from web.browser import PLAYABLE, SEND, answered, move, network, new_table, panel, wait
from web.conftest import Server
from web.test_browser_friends import BOT, begin, friends, turn

PHONE: Any = {"viewport": {"width": 360, "height": 740}, "has_touch": True}
FORM = ".ask:not(:has(.change)) form.compose"


def unsent(page: Page) -> Locator:
    """Where the page says what could not be sent."""
    return page.locator("#unsent")


def ready(page: Page, card: int = 0) -> Locator:
    """Choose a card in the open hand; return the button that would send it."""
    form = page.locator(FORM).first
    form.locator(PLAYABLE).nth(card).click()
    expect(form.locator("input[type=radio]:checked")).to_have_count(1)
    return form.locator(SEND).first


def choose(page: Page, card: int = 0) -> str:
    """Choose a card and press the button; return the first words on it."""
    button = ready(page, card)
    words = button.inner_text().partition("\n")[0]
    button.click()
    return words


def moves(page: Page) -> list[Request]:
    """The requests with a move from now on."""
    sent: list[Request] = []
    page.on("request", lambda request: sent.append(request) if request.url.endswith("/move") else None)
    return sent


def places(page: Page) -> Any:
    """Where the hand and the button are."""
    return page.evaluate(
        """[...document.querySelectorAll(".hand label, .actionbar button")].map(one => {
            const {left, top} = one.getBoundingClientRect(); return [left, top]; })"""
    )


@pytest.mark.parametrize("phone", some([False, True], 1, "offline"))
def test_a_move_made_offline_is_sent_when_the_line_is_back(
    browser: Browser, server: Server, phone: bool
) -> None:
    """It stays chosen, and nothing moves."""
    context = browser.new_context(reduced_motion="reduce", **(PHONE if phone else {}))
    page = context.new_page()
    new_table(page, server.url, 1)
    assert wait(page)
    button = ready(page)
    button.hover()  # a test scrolls to what it presses
    before = places(page)
    sent = moves(page)
    network(context, up=False)
    words = button.inner_text().partition("\n")[0]
    button.click()
    expect(unsent(page)).to_be_visible()
    expect(unsent(page)).to_contain_text(f"Not sent yet: “{words}")
    expect(page.locator("#live")).to_contain_text("Not sent yet")
    expect(page.locator("form.compose input[type=radio]:checked")).to_have_count(1)
    assert places(page) == before
    tries = len(sent)
    network(context, up=True)
    expect(unsent(page)).to_be_hidden()
    answered(page)
    expect(page.locator("#connection")).to_be_hidden()
    assert len(sent) == tries + 1
    assert sent[-1].post_data == sent[0].post_data
    assert wait(page)
    expect(page.locator("form.compose input[type=radio]:checked")).to_have_count(0)
    move(page)
    context.close()


HEARS = """() => {
  window.heard = [];
  const line = document.getElementById("unsent");
  new MutationObserver(() => heard.push(line.textContent)).observe(line, { childList: true, subtree: true });
}"""


def test_a_move_whose_answer_is_lost_counts_once(browser: Browser, server: Server) -> None:
    """The server has it: the same key gets the same answer, and the move is not played again."""
    with friends(browser, 2) as pages:
        ana, ben = pages
        begin(pages, server.url, races=1, **BOT)

        def lose(route: Route) -> None:
            route.fetch()
            route.abort()

        ana.route("**/move", lose, times=1)
        sent = moves(ana)
        ana.evaluate(HEARS)  # the sentence may be gone at once
        words = choose(ana)
        ana.wait_for_function("words => heard.some((text) => text.includes(words))", arg=words)
        expect(unsent(ana)).to_be_hidden()
        answered(ana)
        assert [request.post_data for request in sent] == [sent[0].post_data] * 2
        expect(ana.locator(".committed")).to_be_visible()
        expect(ana.locator(".fault")).to_have_count(0)
        turn(ben, 0)
        expect(ana.locator(".committed")).to_have_count(0)


def test_another_choice_replaces_the_unsent_one(browser: Browser, server: Server) -> None:
    """Although the server has got the first one already."""
    with friends(browser, 2) as pages:
        ana = pages[0]
        begin(pages, server.url, races=1, **BOT)
        sent = moves(ana)

        def lose(route: Route) -> None:
            if len(sent) == 1:
                route.fetch()
            route.abort()

        ana.route("**/*", lambda route: route.abort() if "/move" not in route.request.url else lose(route))
        ana.evaluate("dispatchEvent(new Event('offline'))")  # the open stream ends too
        choose(ana, 0)
        expect(unsent(ana)).to_be_visible()
        expect(ana.locator("#main")).to_have_attribute("aria-busy", "false")
        words = choose(ana, 5)
        expect(unsent(ana)).to_contain_text(words)
        ana.unroute("**/*")
        expect(unsent(ana)).to_be_hidden()
        answered(ana)
        label = ana.locator(".committed p").text_content() or ""
        assert words.removeprefix("Commit ") in label


def test_a_move_is_dropped_with_a_sentence_if_its_decision_has_passed(
    browser: Browser, server: Server
) -> None:
    """The player plays from another tab meanwhile."""
    with friends(browser, 2) as pages:
        ana, ben = pages
        begin(pages, server.url, races=1, **BOT)
        other = ana.context.new_page()
        other.goto(ana.url)
        ana.route("**/t/**", lambda route: route.abort())
        choose(ana)
        expect(unsent(ana)).to_be_visible()
        other.wait_for_selector(FORM)
        for page in (other, ben):
            turn(page, 1)
        expect(other.locator(".story")).to_contain_text("reveals")
        ana.unroute("**/t/**")
        expect(unsent(ana)).to_contain_text("Too late: the game moved on.")
        ana.wait_for_selector(FORM)
        move(ana)
        expect(unsent(ana)).to_contain_text("Too late: the game moved on.")
        unsent(ana).get_by_role("button", name="Close").click()
        expect(unsent(ana)).to_be_hidden()


def test_a_line_of_the_chat_is_written_once(browser: Browser, server: Server) -> None:
    """Whether it was lost on the way to the server or the answer was."""
    with friends(browser, 2, **PHONE) as pages:
        ana, ben = pages
        begin(pages, server.url, races=1, **BOT)
        ana.locator("[data-tab=talk]").click()

        lost: set[str] = set()

        def lose(route: Route) -> None:
            text = route.request.post_data or ""
            if text in lost:
                route.continue_()
                return
            lost.add(text)
            if "answer" in text:
                route.fetch()
            route.abort()

        ana.route("**/talk", lose)
        for text in ("the question", "the answer"):
            ana.locator("#say").fill(text)
            with ana.expect_event("requestfailed", lambda request: request.url.endswith("/talk")):
                ana.locator(".say button").click()
            expect(ana.locator(".said")).to_contain_text(f"Ana: {text}")
            expect(unsent(ana)).to_be_hidden()
            answered(ana)
            expect(ana.locator("#say")).to_have_value("")  # so nobody sends it again
        ana.unroute("**/talk")
        ana.locator("#say").fill("the end")
        ana.locator(".say button").click()
        expect(ben.locator(".said")).to_contain_text("the end")
        said = [line for line in ben.locator(".said li").all_inner_texts() if line.startswith("Ana:")]
        assert said == ["Ana: the question", "Ana: the answer", "Ana: the end"]


def test_every_line_of_the_chat_is_kept_for_later(browser: Browser, server: Server) -> None:
    """Also one that ends like another."""
    with friends(browser, 2) as pages:
        ana = pages[0]
        begin(pages, server.url, races=1, **BOT)
        panel(ana, "talk")
        network(ana.context, up=False)
        for text in ("oh hello", "hello"):
            ana.locator("#say").fill(text)
            with ana.expect_event("requestfailed", lambda request: request.url.endswith("/talk")):
                ana.keyboard.press("Enter")
            expect(ana.locator("#main")).to_have_attribute("aria-busy", "false")
        expect(unsent(ana)).to_be_visible()
        network(ana.context, up=True)
        expect(unsent(ana)).to_be_hidden()
        answered(ana)
        expect(ana.locator(".said .is-you")).to_have_text(["Ana: oh hello", "Ana: hello"])
        expect(ana.locator("#say")).to_have_value("")


def test_what_cannot_be_sent_again_by_itself_says_so(page: Page, server: Server) -> None:
    page.goto(f"{server.url}new/lacorsa?who-2=open&pace=instant")
    page.get_by_role("button", name="Open the lobby").click()
    page.wait_for_url("**/t/*")
    network(page.context, up=False)
    page.get_by_role("button", name="I am ready").click()
    expect(unsent(page)).to_contain_text("Not sent: “I am ready”. Press it again")
    network(page.context, up=True)
    expect(page.locator("#connection")).to_be_hidden()
    page.get_by_role("button", name="Close").click()
    expect(unsent(page)).to_be_hidden()
    page.get_by_role("button", name="I am ready").click()
    expect(page.get_by_role("button", name="Not ready after all")).to_be_visible()


def test_a_dropped_move_is_not_sent(page: Page, server: Server) -> None:
    new_table(page, server.url, 1)
    assert wait(page)
    page.route("**/t/**", lambda route: route.abort())
    choose(page)
    page.get_by_role("button", name="Discard it").click()
    sent = moves(page)
    page.unroute("**/t/**")
    expect(page.locator("#connection")).to_be_hidden()
    assert not sent
    expect(page.locator("form.compose input[type=radio]:checked")).to_have_count(1)


def test_an_announcement_does_not_stay_after_the_page_has_changed(page: Page, server: Server) -> None:
    """A reader who looks for the status later must not find an old one."""
    new_table(page, server.url, 1, 2, 3, 4)
    live = page.locator("#live")
    for _ in range(count(2, 3)):
        assert wait(page)
        expect(live).to_have_text("")
        page.locator("form.compose [data-way]:visible").first.press("Enter")  # nothing is chosen
        expect(live).not_to_have_text("")
        said = live.text_content() or ""
        move(page)
        expect(live).not_to_have_text(said)
    network(page.context, up=False)
    expect(live).to_contain_text("Connection lost")
    network(page.context, up=True)
    expect(live).to_have_text("")
