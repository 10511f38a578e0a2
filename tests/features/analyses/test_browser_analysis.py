"""The analysis of a finished game in a real browser."""

from __future__ import annotations

import re

from playwright.sync_api import Browser, Page, expect

from sampling import some
from web.browser import upload, watch
from web.conftest import Server
from web.test_browser_access import clean


def test_one_press_progress_line_and_swings(browser: Browser, server: Server) -> None:
    """Somebody without scripts presses the button too, while it runs: that starts no other one."""
    context = browser.new_context(bypass_csp=True, reduced_motion="reduce")
    page = context.new_page()
    faults = watch(page)
    looked = some([f"{when} the analysis" for when in ("before", "during", "after")], 1, "analysis")

    def look(when: str) -> None:
        if when in looked:
            clean(page, when)

    replay = f"{upload(page, server.url)}?step=2"
    page.goto(replay)
    plain = browser.new_context(java_script_enabled=False).new_page()
    plain.goto(replay)
    look("before the analysis")
    panel = page.locator("#analysis")
    page.locator("[data-tab=analyses]").click()
    panel.get_by_role("button", name="Analyse the race").click()
    expect(panel.get_by_role("progressbar", name="Analysis")).to_be_visible()
    expect(page).to_have_url(re.compile(r"step=2&eyes=all#analysis$"))
    plain.get_by_role("button", name="Analyse the race").click()
    look("during the analysis")
    page.evaluate("window.same = true")
    expect(panel).to_have_attribute("data-analysis", "done")
    ledger = panel.get_by_role("table", name="In points over the mean of all players")
    expect(ledger.get_by_role("row", name="Result")).to_have_text(re.compile(r"Result\s*[+-]\d"))
    mistakes = re.compile(r"Mistakes, of all decisions(\s*\d+ of \d+){2}\s*")
    expect(ledger.get_by_role("row").last).to_have_text(mistakes)
    swing = panel.locator(".swings li").first
    text, sentence = swing.locator("a").inner_text(), swing.locator("span").inner_text()
    assert re.fullmatch(r"Best: .* · this cost \d\.\d\d ± \d\.\d\d points.*", sentence)
    swing.locator("a").click()
    expect(swing.locator("a")).to_have_attribute("aria-current", "true")
    line = page.locator(".verdicts .is-mistake", has_text=sentence)
    expect(line).to_contain_text(text)
    expect(line).to_be_in_viewport()  # although the list of swings is far below
    expect(page.locator(".timeline .is-swing")).to_have_count(panel.locator(".swings li").count())
    look("after the analysis")
    assert page.evaluate("window.same") and not faults  # no page was loaded
    wide = "document.documentElement.scrollWidth"
    for width in (1280, 320):
        page.set_viewport_size({"width": width, "height": 700})
        assert page.evaluate(wide) <= width
    context.close()
    without_scripts(plain, sentence)


def without_scripts(plain: Page, sentence: str) -> None:
    """A page that was opened while it ran is looked at again, and shows the same mistakes."""
    panel = plain.locator("#analysis")
    if panel.get_attribute("data-analysis") in ("waiting", "running"):
        panel.get_by_role("link", name="Look again").click()
    expect(panel).to_have_attribute("data-analysis", "done")
    swing = panel.locator(".swings li").first
    assert swing.locator("span").inner_text() == sentence
    swing.locator("a").click()
    expect(plain.locator(".verdicts .is-mistake", has_text=sentence)).to_have_count(1)
    plain.context.close()
