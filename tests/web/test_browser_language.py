"""Words that scripts put into pages, in a pseudo-language (see strange.py)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from sampling import count
from web.browser import SEND, answered, network
from web.conftest import Server
from web.strange import LANGUAGE, Left, plain, strange

HEARD = """addEventListener("DOMContentLoaded", () => {
    const live = document.getElementById("live");
    window.heard = [];
    new MutationObserver(() => heard.push(live.textContent)).observe(live, { childList: true });
});"""


@pytest.fixture
def server(locale: Path, tmp_path: Path) -> Iterator[Server]:
    """A server that has the pseudo-language."""
    server = Server(tmp_path, PADDOCK_TEST_LOCALE=str(locale))
    server.deal("language")
    yield server
    server.stop()


def test_words_that_scripts_put_into_pages(browser: Browser, server: Server) -> None:
    """Errors of the set-up, «Copied», buttons, illegal moves, clocks, announcements, a lost connection."""
    left = Left()
    with browser.new_context(locale=LANGUAGE, reduced_motion="reduce") as context:
        context.add_init_script(HEARD)
        ana = context.new_page()
        address = server.url.rstrip("/")

        def look(where: str) -> None:
            left.look(where, ana.content(), address)
            for words in plain(ana.evaluate("heard"), address):
                left.words[words] = f"heard: {where}"

        def heard(message: str) -> None:
            ana.wait_for_function("words => heard.some((one) => one.includes(words))", arg=strange(message))

        ana.goto(f"{server.url}new/lacorsa")
        ana.locator(".count input[value='12']").check(force=True)
        expect(ana.locator("#fit [data-implied]")).to_be_visible()
        ana.locator("summary", has_text=strange("Championship and points")).click()
        ana.locator("#o-championship [value=teams]").check(force=True)
        expect(ana.locator("#fit button[name=fix]").first).to_be_visible()
        look("the set-up")

        asked = "drivers=4&races=1&pace=instant&clock=259200%2B28800&name-1=Ana"
        asked += "&who-2=open&who-3=rookie&who-4=rookie"
        ana.goto(f"{server.url}new/lacorsa?{asked}")
        ana.locator("form.setup .actionbar button").click()
        ana.wait_for_url("**/t/*")
        ana.locator("[data-copy]").click()
        heard("Copied")
        look("the lobby")

        with browser.new_context(locale="en") as other:
            ben = other.new_page()
            ben.goto(ana.url)
            ben.locator("#name-1").fill("Ben")
            ben.get_by_role("button", name="Take this seat").click()
            ben.get_by_role("button", name="I am ready").click()
            ana.locator("form.ready button.primary").click()
            ana.wait_for_selector("form.compose")
            days = strange("{d} d {h} h").format(d="2", h="23")
            expect(ana.locator("[role=timer]").first).to_have_text(days)
            look("the offer to call")
            ana.locator("[data-offer='']").click()
            ana.locator("form.compose [data-way]").first.press("Enter")
            ana.wait_for_function("() => heard.includes(document.querySelector('[data-idle]').dataset.idle)")
            look("nothing chosen")
            refused = n = 0
            while n < 40 and not (refused and n > count(4, 12)):
                for one in (ana, ben):
                    form = one.locator(".ask:not(:has(.change)) form.compose").first
                    if not form.count():
                        one.wait_for_timeout(30)
                        continue
                    n += 1
                    cards = form.locator(".cards label")
                    cards.nth(n % cards.count()).click()
                    if one is ana:
                        look("a card is chosen")
                        for plus in form.locator("[data-plus]:enabled").all():
                            plus.check(force=True)
                            look("with a Redline")
                            refused += form.locator("[data-why]:visible").count()
                            plus.uncheck(force=True)
                    if not form.locator(SEND).count():
                        cards.nth((n + 1) % cards.count()).click()
                    form.locator(SEND).first.click()
                    answered(one)
                    if one is ana:
                        look("a move is made")
            assert refused
            ben.locator("[data-tab=talk]").click()
            ben.locator("#say").fill("42")
            ben.keyboard.press("Enter")
            expect(ana.locator(".said")).to_contain_text("Ben: 42")
            look("talk")
        ana.evaluate("Notification.requestPermission = async () => 'denied'")
        ana.locator(".menu summary").click()
        ana.locator("input[name=notify][value=on]").click(force=True)
        heard("This browser does not allow notifications here.")
        ana.locator(".menu summary").click()
        network(context, up=False)
        expect(ana.locator("#connection")).to_be_visible()
        heard("Connection lost. Trying again …")
        ana.locator("[data-tab=talk]").click()
        ana.locator("#say").fill("43")
        ana.locator(".say button").click()
        expect(ana.locator("#unsent")).to_be_visible()
        look("offline")
    assert left.words == {}
