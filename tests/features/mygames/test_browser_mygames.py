"""«My games» and «Others» in a real browser: two who wait find each other, one tap says or mutes; axe."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from sampling import some
from web.browser import watch
from web.conftest import Server
from web.test_browser_axe import PHONE, UNFOLD, WIDE, look, opened

RIVALS = [("Ben", None), ("Cleo", None), ("Elsa", "club"), ("Fausto", "rookie"), ("Gilda", "works")]


def past(n: int) -> dict[str, Any]:
    """A finished game."""
    ended = datetime(2026, 3, 1, 12, tzinfo=UTC) - timedelta(days=n)
    others = [{"name": name, "bot": bot, "place": 1 + (n + i) % 6} for i, (name, bot) in enumerate(RIVALS, 1)]
    facts = {"clock": n % 5 > 0, "judged": 20, "cost": 2.5} if n % 2 else {}
    title = ("lacorsa", "rasant", "great_race")[n % 3]
    game = {"game": f"g{n}", "title": title, "ended": ended.isoformat(), "place": 1 + n % 6, "points": 9}
    return game | {"others": others} | facts


FILE = {
    "paddock": "my games",
    "version": 1,
    "name": "Ana",
    "number": 5,
    "games": [past(n) for n in range(30)],
}


@pytest.mark.parametrize("size", some([PHONE, WIDE], 1, "my games"), ids="{0[0]}".format)
def test_my_games_fit_every_window_and_axe_finds_nothing(
    browser: Browser, server: Server, size: tuple[int, int]
) -> None:
    with opened(browser, size) as page:
        page.goto(f"{server.url}me")
        look(page, f"my games, empty {size}")
        file = {"name": "games.json", "mimeType": "application/json", "buffer": json.dumps(FILE).encode()}
        page.locator("#file").set_input_files(file)  # type: ignore[arg-type]
        page.get_by_role("button", name="Import").click()
        expect(page.get_by_role("heading", level=1)).to_have_text("Ana")
        expect(page.locator(".past li")).to_have_count(24)
        page.get_by_role("link", name="Show 6 more").click()
        expect(page.locator(".past li")).to_have_count(30)
        page.evaluate(UNFOLD)
        look(page, f"my games {size}")
        assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
        page.get_by_role("button", name="Move to another device").click()
        address = page.locator("#invite").input_value()
        look(page, f"a link to another device {size}")
        with opened(browser, size) as other:
            other.goto(address)
            look(other, f"what the link does {size}")
            other.get_by_role("button", name="Yes, I made this link").click()
            expect(other.locator(".past li")).to_have_count(24)
            expect(other.get_by_role("heading", level=1)).to_have_text("Ana")
        page.goto(f"{server.url}pair")
        look(page, f"who comes next? {size}")


def test_two_who_wait_find_each_other_react_and_mute(browser: Browser, server: Server) -> None:
    with opened(browser, WIDE) as ana, opened(browser, PHONE) as ben:
        faults = watch(ana)
        ana.goto(f"{server.url}pair?title=rasant&pace=live")
        ana.locator("#name").fill("Ana")
        ana.get_by_role("button", name="Find somebody").click()
        expect(ana.get_by_text("Waiting for somebody")).to_be_visible()
        look(ana, "waiting")
        ben.goto(server.url)
        ben.get_by_role("link", name="Play with whoever comes next").click()
        ben.get_by_role("button", name="Play Rasant, live").click()
        ana.wait_for_url("**/t/*")  # by itself
        if (tab := ana.locator("[data-tab=talk]")).is_visible():
            tab.click()
        ben.locator("[data-tab=talk]").click()
        ben.get_by_role("button", name="Good luck!").click()
        expect(ana.locator(".said", has_text="Good luck!")).to_be_visible()
        look(ana, "phrases")
        line = ana.locator(".said li", has_text="Good luck!")
        expect(line).to_be_visible()
        ana.get_by_role("button", name="Mute everybody").click()
        expect(line).to_be_hidden()
        expect(ana.get_by_role("button", name="Nice move!")).to_be_hidden()
        ana.reload()
        expect(ana.locator("html")).to_have_attribute("data-others", "off")
        with opened(browser, WIDE) as guest:
            guest.goto(ana.url)
            expect(guest.locator("#status")).to_be_visible()
            with opened(browser, PHONE) as home:
                watched = home.locator(".place", has_text="Ana").get_by_text("1 person is watching")
                home.goto(server.url)
                while not watched.count():  # the guest's page is not heard yet
                    home.reload()
                look(home, "home with a game to watch")
        assert not faults
