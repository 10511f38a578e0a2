"""Axe finds nothing on any page, day and night; the page stands at 320 px with text at 200 %."""

from __future__ import annotations

import re
from typing import Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page

from web.browser import new_table, play, wait, watch
from web.conftest import Server


def clean(page: Page, where: str) -> None:
    """Axe finds no fault in the page as it stands."""
    page.wait_for_function("document.getAnimations().every(a => a.playState !== 'running')")
    found = Axe().run(page)
    assert found.violations_count == 0, f"{where}: {found.generate_report()}"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(browser: Browser, server: Server, scheme: Literal["light", "dark"]) -> None:
    context = browser.new_context(color_scheme=scheme, bypass_csp=True, reduced_motion="reduce")
    page = context.new_page()
    watch(page)
    for path in ("", "new/lacorsa", "rules/lacorsa", "learn/lacorsa", "t/unknown"):
        page.goto(server.url + path)
        clean(page, path or "home")
    page.keyboard.press("?")
    clean(page, "help")
    new_table(page, server.url, 1, 2, 3, 4)
    clean(page, "curtain")
    phases = set()
    for _ in range(100):
        if not wait(page):
            break
        phase = page.locator(".ask h2").first.text_content() or ""
        phase = phase.partition("(")[0].split()[1]
        if phase not in phases:
            phases.add(phase)
            page.locator("form.compose .cards label").first.click()
            clean(page, phase)
        play(page, 1)
    assert phases >= {"card", "challenge", "defend", "road"}
    clean(page, "podium")
    page.get_by_role("link", name="Step through").click()
    page.wait_for_url("**/replay")
    page.keyboard.press("ArrowLeft")
    page.wait_for_url(re.compile("step="))
    clean(page, "replay")
    context.close()


@pytest.mark.parametrize("path", ["", "new/lacorsa", "rules/lacorsa", "learn/lacorsa", "table"])
def test_text_of_twice_the_size_fits_320_pixels(page: Page, server: Server, path: str) -> None:
    page.set_viewport_size({"width": 320, "height": 700})
    if path == "table":
        new_table(page, server.url, 1)
        wait(page)
    else:
        page.goto(server.url + path)
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    assert page.evaluate("document.documentElement.scrollWidth") <= 320


def test_the_focus_survives_updates(page: Page, server: Server) -> None:
    new_table(page, server.url, 1, pace="human")
    page.wait_for_selector("form.compose")
    page.locator("form.compose input[type=radio]").nth(9).focus()
    page.keyboard.press("Space")
    page.locator(".tower-marks", has_text="committed").first.wait_for()
    here = page.evaluate("[document.activeElement.type, document.activeElement.checked]")
    assert here == ["radio", True]
