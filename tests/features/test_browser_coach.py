"""A hint beside the board, in a real browser."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from web.browser import move, new_table, wait, watch
from web.conftest import Server
from web.test_browser_access import clean

COLD = 120_000  # ms until a worker that has just started is ready


def test_a_hint_comes_in_steps_beside_the_hand_and_goes_with_the_decision(page: Page, server: Server) -> None:
    faults = watch(page)
    page.set_viewport_size({"width": 375, "height": 667})
    new_table(page, server.url, 1, drivers=4)
    wait(page)
    hand = page.locator(".cards").bounding_box()
    page.locator("[data-tab=coach]").click()
    hint = page.locator("#panel-coach")
    expect(hint).to_contain_text("its result does not count")
    hint.get_by_role("button", name="Show a hint").click()
    expect(hint).to_contain_text("The highest value starts in front.")
    hint.get_by_role("button", name="Which moves are good?").click()
    expect(hint.locator("[data-good]").first).to_be_visible(timeout=COLD)
    star = page.locator(".cards > [data-good]").first
    expect(star).to_contain_text("good, says the hint")
    assert star.evaluate("card => getComputedStyle(card, '::before').content.startsWith('\"★')"), (
        "not by colour alone"
    )
    hint.get_by_role("button", name="What is each worth?").click()
    expect(hint.locator("tr").nth(1)).to_have_text(re.compile("best"))
    clean(page, "a hint")
    over = hint.bounding_box()
    assert hand and over and page.locator(".cards").bounding_box() == hand, "nothing is pushed"
    assert over["y"] + over["height"] <= hand["y"], "and nothing of the hand is covered"

    move(page)
    wait(page)
    expect(page.locator(".cards > [data-good]")).to_have_count(0)  # that was another decision
    page.locator("[data-tab=coach]").click()
    hint.get_by_role("button", name="What did my last move cost?").click()
    expect(hint).to_contain_text("Your last move", timeout=COLD)
    assert faults == []
