"""A page on a slow network and in a tab that is not seen: answers that come late, or in another order."""

from __future__ import annotations

import pytest
from playwright.sync_api import APIResponse, Browser, Page, Route, expect

from web.browser import move, new_table, wait
from web.conftest import Server
from web.test_browser_friends import begin, friends

WOKEN = """
window.EventSource = class extends EventSource {
    set onmessage(act) { super.onmessage = (event) => { act(event); window.woken = event.data; }; }
};
"""
TOLD = """async () => {
    const page = await (await fetch(location.href, { headers: { "paddock-part": "main" } })).text();
    return page.includes("the second") && window.woken === /data-digest="(\\w+)"/.exec(page)[1];
}"""  # the stream has told of the page as it is now
PART = "paddock-part"  # the header of a request of the page's script


def hide(page: Page, hidden: bool) -> None:
    """Another tab comes to the front, or this one."""
    page.evaluate(
        """hidden => { Object.defineProperty(document, "hidden", { get: () => hidden, configurable: true });
        document.dispatchEvent(new Event("visibilitychange")); }""",
        hidden,
    )


def looks(page: Page, n: int) -> None:
    """Let time pass until the page has asked for itself so often."""
    asked: list[str] = []
    page.on("response", lambda answer: asked.append(answer.url) if PART in answer.request.headers else None)
    for _ in range(1500):
        if len(asked) >= n:
            return
        page.clock.run_for(5_000)
        page.wait_for_timeout(10)
    raise AssertionError("the tab does not look any more")


def test_an_answer_that_was_overtaken_is_not_the_last_word(browser: Browser, server: Server) -> None:
    """The answer to a form comes after the wake-up of what happened next; what is typed meanwhile stays."""
    with friends(browser, 3) as pages:
        ana, ben, _cleo = pages
        ana.add_init_script(WOKEN)
        begin(pages, server.url, races=1)
        held: list[tuple[Route, APIResponse]] = []
        ana.route("**/talk", lambda route: held.append((route, route.fetch())))
        ana.locator("#say").fill("the first")
        ana.keyboard.press("Enter")
        expect(ben.locator(".said")).to_contain_text("the first")
        ana.locator("#say").fill("half a thought")
        ben.locator("#say").fill("the second")
        ben.keyboard.press("Enter")
        ana.wait_for_function(TOLD)
        [(route, answer)] = held
        route.fulfill(response=answer)
        expect(ana.locator("#main")).to_have_attribute("aria-busy", "false")
        expect(ana.locator(".said")).to_contain_text("the second")
        expect(ana.locator("#say")).to_have_value("half a thought")


def test_a_form_that_fails_is_sent_again_as_it_was(page: Page, server: Server) -> None:
    """As a whole page, which shows what is wrong: with the button that was pressed."""
    page.goto(f"{server.url}new/lacorsa?who-2=open&pace=instant")
    page.get_by_role("button", name="Open the lobby").click()
    page.wait_for_url("**/t/*")
    page.route("**/seats", lambda route: route.fulfill(status=503, body="busy"), times=1)
    page.get_by_role("button", name="I am ready").click()
    expect(page.get_by_role("button", name="Not ready after all")).to_be_visible()


def test_a_form_that_cannot_be_sent_does_not_leave_the_connection_lost(page: Page, server: Server) -> None:
    new_table(page, server.url, 1)
    assert wait(page)
    page.route("**/t/**", lambda route: route.abort())
    page.locator("form.compose .cards label").first.click()
    page.locator("form.compose .actionbar button").click()
    expect(page.locator("#connection")).to_be_visible()
    page.unroute("**/t/**")
    expect(page.locator("#connection")).to_be_hidden()
    expect(page.locator("form.compose input[type=radio]").first).to_be_checked()


@pytest.mark.parametrize("what", ["**/move", "**/t/*"])
def test_a_request_that_hangs_is_given_up(page: Page, server: Server, what: str) -> None:
    """A form, and the page's own look: the sign comes, the choice stays, and can be sent again."""
    page.clock.install()
    new_table(page, server.url, 1)
    assert wait(page)
    page.locator("form.compose .cards label").first.click()
    hanging: list[Route] = []
    page.route(what, lambda route: hanging.append(route), times=1)
    if what == "**/move":
        page.locator("form.compose .actionbar button").click()
        expect(page.locator("#main")).to_have_attribute("aria-busy", "true")
    else:
        page.evaluate("dispatchEvent(new Event('online'))")
    while not hanging:
        page.wait_for_timeout(10)
    page.clock.run_for(11_000)
    expect(page.locator("#connection")).to_be_visible()
    page.clock.run_for(3_000)
    expect(page.locator("#connection")).to_be_hidden()
    expect(page.locator("form.compose input[type=radio]").first).to_be_checked()
    move(page)
    assert wait(page)


def test_a_tab_that_is_not_seen_goes_on_looking(page: Page, server: Server) -> None:
    page.clock.install()
    new_table(page, server.url, 1)
    page.wait_for_selector("form.compose")
    hide(page, True)
    page.route("**/t/*", lambda route: route.abort(), times=1)
    page.clock.run_for(20_000)
    expect(page.locator("#connection")).to_be_visible()
    page.clock.run_for(2_000)
    expect(page.locator("#connection")).to_be_hidden()
    looks(page, 2)


def test_who_comes_back_sees_first_what_happened_since(page: Page, server: Server) -> None:
    """Although the tab has looked meanwhile."""
    page.clock.install()
    new_table(page, server.url, 1)
    assert wait(page)
    move(page)
    since = page.locator("#since")
    expect(since).to_have_count(1)
    hide(page, True)
    looks(page, 2)
    page.clock.run_for(120_000)
    assert since.get_attribute("open") is None
    hide(page, False)
    expect(since).to_have_attribute("open", "")


def test_what_was_sent_is_not_chosen_again(page: Page, server: Server) -> None:
    """A second press of Enter cannot send the same once more."""
    new_table(page, server.url, 1)
    for _ in range(6):
        assert wait(page)
        expect(page.locator("form.compose input:checked")).to_have_count(0)
        move(page, 1)
