"""Accessibility of the pages beside a game: axe finds no fault in any of their states."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from zlib import crc32

import pytest
from playwright.sync_api import Browser, Page

from sampling import SEED, WHOLE, some
from web.browser import KINDS, LACORSA, new_table, play_on, post, wait
from web.conftest import Server
from web.test_browser_access import clean_in_both

TOKEN = "correct-horse-battery"
UNFOLD = "for (const one of document.querySelectorAll('main details')) one.open = true"
PHONE, WIDE = (360, 740), (1366, 657)


def look(page: Page, where: str) -> None:
    """Check a page; in a sample one of four states."""
    if WHOLE or crc32(where.encode()) % 4 == SEED % 4:
        clean_in_both(page, where)


@contextmanager
def opened(browser: Browser, size: tuple[int, int]) -> Iterator[Page]:
    width, height = size
    context = browser.new_context(
        viewport={"width": width, "height": height}, bypass_csp=True, reduced_motion="reduce"
    )
    yield context.new_page()
    context.close()


@pytest.fixture
def operated(tmp_path: Path) -> Iterator[Server]:
    """A server with an operator, whose tables may be shown elsewhere."""
    server = Server(tmp_path, PADDOCK_ADMIN_TOKEN=TOKEN, PADDOCK_EMBED="https://club.example")
    yield server
    server.stop()


def test_the_page_of_the_operator_and_a_table_in_a_frame(browser: Browser, operated: Server) -> None:
    with opened(browser, PHONE) as page:
        page.goto(f"{operated.url}admin")
        look(page, "who is the operator?")
        page.locator("#token").fill("wrong")
        page.get_by_role("button", name="Enter").click()
        page.locator(".fault").wait_for()
        look(page, "a wrong token")
        new_table(page, operated.url, 1, kind=LACORSA)
        table = page.url
        post(page, f"{table}/embed", allow="yes")
        page.goto(f"{table}/embed")
        look(page, "a table in a frame")
        play_on(table, page)
        page.goto(f"{table}/embed")
        look(page, "a replay in a frame")
        page.goto(f"{operated.url}admin")
        page.locator("#token").fill(TOKEN)
        page.get_by_role("button", name="Enter").click()
        page.locator("table").first.wait_for()
        page.locator("table details").first.locator("summary").click()
        look(page, "what the operator sees")


def test_the_lobby_a_recovery_link_and_faults(browser: Browser, server: Server) -> None:
    with opened(browser, WIDE) as ana, opened(browser, PHONE) as ben:
        asked = {"title": "lacorsa", "drivers": 4, "who-1": "me", "name-1": "Ana", "who-2": "open"}
        asked |= {"who-3": "open", "who-4": "rookie", "pace": "instant", "clock": "900+10"}
        link = post(ana, f"{server.url}tables", **asked)
        for page, who in ((ana, "the host"), (ben, "a guest")):
            page.goto(link)
            page.evaluate(UNFOLD)
            look(page, f"the lobby for {who}")
        post(ben, f"{link}/seats", do="claim", player=1, name="Ben")
        post(ben, f"{link}/seats", do="ready", player=1)
        ana.goto(link)
        look(ana, "the lobby when one is ready")
        ben.goto(link)
        ben.evaluate(
            """(link) => {
                const form = document.createElement("form");
                form.method = "post";
                form.action = `${link}/recovery`;
                form.innerHTML = '<input name="player" value="1">';
                document.body.append(form);
                form.submit();
            }""",
            link,
        )
        ben.wait_for_url("**/recovery")
        look(ben, "a recovery link")
        address = ben.locator(".url, input[readonly]").first
        moved = address.evaluate("(one) => one.value ?? one.textContent").strip()
        ana.goto(moved)
        look(ana, "a seat moves to a browser that has another one")
        with opened(browser, PHONE) as other:
            other.goto(moved)
            look(other, "a seat moves here")
        ana.goto(f"{link}/seat/{'x' * 43}")
        look(ana, "a link that was used")
        for path in ("t/unknown", "new/nothing"):
            ana.goto(server.url + path)
            look(ana, f"{path}: an error")


@pytest.mark.parametrize("size", some([PHONE, WIDE], 1, "set-up"), ids="{0[0]}".format)
def test_set_up_with_all_unfolded_and_the_menu(
    browser: Browser, server: Server, size: tuple[int, int]
) -> None:
    with opened(browser, size) as page:
        for kind in KINDS:
            page.goto(f"{server.url}new/{kind.name}?{kind.players}=1")
            page.evaluate(UNFOLD)
            look(page, f"{kind.name}: a number that cannot be, and all that can be set")
        page.goto(f"{server.url}new/great_race?map=asia&leaders=yes&players=5")
        page.evaluate(UNFOLD)
        look(page, "great_race: all that can be set")
        page.goto(server.url)
        page.locator(".menu > summary").click()
        look(page, "the settings")
        page.goto(f"{server.url}daily")
        look(page, "the race of the day")
        new_table(page, server.url, 1, kind=LACORSA)
        assert wait(page)
        page.locator(".menu > summary").click()
        look(page, "the settings at a table")
        page.keyboard.press("Escape")
        page.keyboard.press("?")
        look(page, "the keys at a table")
