"""Pages on a slow network and in hidden tabs: responses that come late or out of order."""

from __future__ import annotations

import re

from playwright.sync_api import APIResponse, Browser, Page, Route, expect

from sampling import count
from web.browser import answered, frozen, move, new_table, newest, panel, wait
from web.conftest import Server
from web.test_browser_friends import BOT, begin, friends

WOKEN = """
window.EventSource = class extends EventSource {
    set onmessage(act) { super.onmessage = (event) => { act(event); window.woken = event.lastEventId; }; }
};
"""
TOLD = """async () => {
    const page = await (await fetch(location.href, { headers: { "paddock-part": "main" } })).text();
    return page.includes("the second") && window.woken === /data-digest="(\\w+)"/.exec(page)[1];
}"""  # the stream has sent the digest of the current page
PART = "paddock-part"  # the header of a request of the page's script


def hide(page: Page, hidden: bool) -> None:
    """Hide the tab, or show it again."""
    page.evaluate(
        """hidden => { Object.defineProperty(document, "hidden", { get: () => hidden, configurable: true });
        document.dispatchEvent(new Event("visibilitychange")); }""",
        hidden,
    )


def sleep(page: Page, seconds: int) -> None:
    """Let the device of a frozen page sleep: no timer runs, and ``performance.now()`` does not count it."""
    page.clock.set_system_time(page.evaluate("Date.now()") / 1000 + seconds)


def looks(page: Page, n: int) -> None:
    """Let time pass until the page has been fetched this many times."""
    asked: list[str] = []
    page.on("response", lambda answer: asked.append(answer.url) if PART in answer.request.headers else None)
    while len(asked) < n:
        page.clock.run_for(1_000)  # less than a request has
        page.wait_for_timeout(10)


def test_a_late_response_does_not_replace_a_newer_page(browser: Browser, server: Server) -> None:
    """The response to a form comes after the update for the next event; text typed meanwhile stays."""
    with friends(browser, 2) as pages:
        ana, ben = pages
        ana.add_init_script(WOKEN)
        frozen(ana)  # else the form is sent again after ten seconds
        begin(pages, server.url, races=1, **BOT)
        held: list[tuple[Route, APIResponse]] = []
        ana.route("**/talk", lambda route: held.append((route, route.fetch())))
        for page in (ana, ben):
            panel(page, "talk")
        ana.locator("#say").fill("the first")
        ana.keyboard.press("Enter")
        expect(ben.locator(".said")).to_contain_text("the first")
        ana.locator("#say").fill("half a thought")
        ben.locator("#say").fill("the second")
        ben.keyboard.press("Enter")
        while not ana.evaluate(TOLD):
            ana.wait_for_timeout(20)
        while not held:
            ana.wait_for_timeout(10)
        [(route, answer)] = held
        route.fulfill(response=answer)
        expect(ana.locator("#main")).to_have_attribute("aria-busy", "false")
        expect(ana.locator(".said")).to_contain_text("the second")
        expect(ana.locator("#say")).to_have_value("half a thought")


def test_a_form_whose_script_fails_is_sent_by_the_browser(page: Page, server: Server) -> None:
    """It is sent again with the pressed button, and the browser loads the whole page."""
    frozen(page)  # a slow answer is not taken for a lost one, which is sent in another way
    page.goto(f"{server.url}new/lacorsa?who-2=open&pace=instant")
    page.get_by_role("button", name="Open the lobby").click()
    page.wait_for_url("**/t/*")
    page.route("**/seats", lambda route: route.fulfill(status=500, body="broken"), times=1)
    page.get_by_role("button", name="I am ready").click()
    expect(page.get_by_role("button", name="Not ready after all")).to_be_visible()


def test_the_connection_recovers_after_a_form_that_could_not_be_sent(page: Page, server: Server) -> None:
    new_table(page, server.url, 1)
    assert wait(page)
    page.route("**/t/**", lambda route: route.abort())
    page.locator("form.compose .cards label").first.click()
    page.locator("form.compose .actionbar button").click()
    expect(page.locator("#unsent")).to_contain_text("when the connection is back")
    expect(page.locator("form.compose input[type=radio]").first).to_be_checked()
    page.unroute("**/t/**")
    expect(page.locator("#connection")).to_be_hidden()
    expect(page.locator("#unsent")).to_be_hidden()  # sent


def test_requests_have_a_timeout(page: Page, server: Server) -> None:
    """For an update and a form: the page says so, keeps the choice, and sends it again."""
    frozen(page)
    new_table(page, server.url, 1)
    assert wait(page)
    for car in (2, 3, 4):  # the bots: no other update comes
        expect(page.locator(f"[data-row=car-{car}]")).to_contain_text("committed")
    newest(page)
    page.locator("form.compose .cards label").first.click()
    hanging: list[Route] = []
    for what, says in (("**/t/*", "#connection"), ("**/move", "#unsent")):
        hanging.clear()
        page.route(what, lambda route: hanging.append(route), times=1)
        if what == "**/move":
            page.locator("form.compose .actionbar button").click()
            expect(page.locator("#main")).to_have_attribute("aria-busy", "true")
        else:
            page.evaluate("dispatchEvent(new Event('online'))")
        while not hanging:
            page.wait_for_timeout(10)
        page.clock.run_for(11_000)
        expect(page.locator(says)).to_be_visible()
        expect(page.locator("form.compose input[type=radio]").first).to_be_checked()
        page.clock.run_for(3_000)
        expect(page.locator("#connection")).to_be_hidden()
        expect(page.locator("#unsent")).to_be_hidden()
        answered(page)
    assert wait(page)
    move(page)
    assert wait(page)


def test_a_hidden_tab_keeps_updating(page: Page, server: Server) -> None:
    frozen(page)
    new_table(page, server.url, 1)
    page.wait_for_selector("form.compose")
    for car in (2, 3, 4):  # no other update is on its way
        expect(page.locator(f"[data-row=car-{car}]")).to_contain_text("committed")
    newest(page)
    hide(page, True)
    page.route("**/t/*", lambda route: route.abort(), times=1)
    page.clock.run_for(20_000)
    expect(page.locator("#connection")).to_be_visible()
    page.clock.run_for(2_000)
    expect(page.locator("#connection")).to_be_hidden()
    looks(page, 2)


def test_returning_to_a_tab_shows_first_what_happened_since(page: Page, server: Server) -> None:
    """Although the hidden tab has updated meanwhile, and the device has slept."""
    frozen(page)
    new_table(page, server.url, 1)
    assert wait(page)
    move(page)
    since = page.locator("#since")
    expect(since).to_have_count(1)
    hide(page, True)
    looks(page, 2)
    sleep(page, 125)
    assert since.get_attribute("open") is None
    hide(page, False)
    expect(since).to_have_attribute("open", "")


def test_a_clock_is_right_after_the_device_has_slept(page: Page, server: Server) -> None:
    frozen(page)
    new_table(page, server.url, 1, clock="3600+5")
    assert wait(page)
    # All bots have moved, so no update sets the clock anew.
    expect(page.locator(".says").first).to_contain_text("You are the last to choose")
    clock = page.locator("[data-left]").first
    expect(clock).to_have_text(re.compile(r"^(1:00|59):"))
    sleep(page, 1800)
    page.clock.run_for(1000)
    expect(clock).to_have_text(re.compile(r"^(30|29):"))


def test_a_sent_choice_is_no_longer_selected(page: Page, server: Server) -> None:
    """So pressing Enter again does not send it twice."""
    new_table(page, server.url, 1)
    for _ in range(count(3, 6)):
        assert wait(page)
        expect(page.locator("form.compose input:checked")).to_have_count(0)
        move(page, 1)
