"""Riders in Chromium: the title of the tutorial «Cards face down» is played by its buttons, in German too."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from paddock.core.title import Title
from web.browser import ASKED, OVER, answered, watch
from web.conftest import Server, serving


@pytest.fixture(scope="module")
def stable(riders: Title, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that knows the title."""
    with serving(tmp_path_factory.mktemp("stable")) as server:
        yield server


def test_a_stage_is_ridden_by_its_buttons(page: Page, stable: Server) -> None:
    """RI-2.1 no page has the cards of others, and the end tells who wins."""
    stable.deal("riders")
    faults = watch(page)
    page.emulate_media(reduced_motion="reduce")
    page.goto(f"{stable.url}new/riders?riders=2&length=10&pace=instant&who-2=club&name-1=Ana")
    page.get_by_role("button", name="Start the game").click()
    page.wait_for_selector(ASKED, state="attached")
    expect(page.locator("#board svg.lanes text").first).to_have_text("Ana: 0")
    expect(page.locator("#board svg.lanes rect")).to_have_count(1)  # Club has chosen
    while not page.locator(OVER).count():
        page.locator(".ask .actionbar button").last.click()
        answered(page)
        page.wait_for_selector(f"{ASKED}, {OVER}", state="attached")
    expect(page.locator("h1")).to_have_text(re.compile("wins|share"))
    expect(page.locator(".story")).to_contain_text("stands at")
    assert faults == []
    page.goto(f"{stable.url}new/riders?lang=de")
    expect(page.locator("body")).to_contain_text("Wie viele Schritte die Etappe hat.")
