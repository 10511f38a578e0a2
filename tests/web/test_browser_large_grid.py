"""A Grand Prix of twelve cars on a phone to the podium, and its incidents in a replay."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, expect

from paddock import records
from paddock.kernel.source import Seeded
from sampling import WHOLE, count
from web.browser import SEND, answered, move, new_table, skip, wait, watch
from web.conftest import Server
from web.test_browser_access import clean
from web.test_large_grid_page import NAMES, lap_2, play

GRID: dict[str, Any] = {"drivers": 12, "large_grid": "yes"} | {f"who-{i}": "rookie" for i in range(7, 13)}
BOXES = "found => found.map(element => element.getBoundingClientRect().toJSON())"
SIZES = {"phone": (360, 740), "laptop": (1280, 800)}


def narrow(page: Page) -> None:
    """Check that nothing scrolls sideways and the tower has a row for every car, also retired ones."""
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    expect(page.locator(".tower > li")).to_have_count(12)


def test_a_championship_of_twelve_cars_on_a_phone(browser: Browser, server: Server) -> None:
    """LX-1.1: one person and eleven bots; the person pits whenever possible.

    A sample plays on by requests when it has seen some moments.
    """
    context = browser.new_context(
        viewport={"width": 360, "height": 740},
        has_touch=True,
        is_mobile=True,
        bypass_csp=True,
        reduced_motion="reduce",
    )
    page = context.new_page()
    faults = watch(page)
    new_table(page, server.url, 1, races=count(1, 2), **GRID)
    looked: set[str] = set()
    made = 0
    while made < count(4, 10_000) and wait(page):
        made += 1
        narrow(page)
        question = page.locator(".ask h2").first.text_content() or ""
        moment = question.partition("(")[0].split()[0].strip(",")
        if moment not in looked and len(looked) < count(2, 4):
            looked.add(moment)
            clean(page, question)
        pit = page.locator("form.compose label:not(.is-refused):has([value=pit])")
        if not pit.count():
            move(page)
            continue
        pit.click()
        button = page.locator("form.compose").first.locator(SEND)
        expect(button).to_contain_text("Pit: draw a card, roll a die to lose 0 to 2 spaces")
        button.click()
        answered(page)
    if not WHOLE:
        skip(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    assert len(looked) > 1
    expect(page.locator("h1")).to_contain_text(re.compile("champion|wins the race|share the"))
    expect(page.locator(".pad tbody tr")).to_have_count(12)
    clean(page, "podium")
    assert not faults
    context.close()


def test_twelve_cars_leave_room_for_the_hand(page: Page, server: Server) -> None:
    """LX-1.2: the hand has two rows, and all cards that qualifying revealed are in a strip above it."""
    page.set_viewport_size({"width": 360, "height": 740})
    everybody = GRID | {f"who-{i}": "me" for i in range(7, 13)}
    new_table(page, server.url, *range(1, 7), **everybody)
    assert wait(page)
    cards, bar = page.locator(".compose .cards"), page.locator(".compose .actionbar")
    expect(bar).to_be_in_viewport(ratio=1)
    expect(cards.locator("label")).to_have_count(13)
    assert len({box["y"] for box in cards.locator("label").evaluate_all(BOXES)}) == 2
    assert min(box["width"] for box in cards.locator("label").evaluate_all(BOXES)) >= 44
    for _car in range(12):
        move(page)
        assert wait(page)
    expect(page.locator(".a-last .reveal > li")).to_have_count(12)
    reveal = page.locator(".a-last").bounding_box()
    assert reveal and reveal["height"] < 80


def test_the_moments_of_a_large_grid(page: Page, server: Server, tmp_path: Path) -> None:
    """LX-2.3, LX-3.1: an accident, a retired car and a stop, with their dice."""
    made = play(lap_2(races=1), "1:pit card:9 die:6 4:pit card:10 die:3")
    made.chance = Seeded(1)
    while not made.over:
        seat = made.deciders[0]
        made.play(seat, next(iter(made.legal(seat))))
    file = tmp_path / "race.txt"
    file.write_text(records.write(made, date="2026-01-01", players=[(name, None) for name in NAMES]))
    faults = watch(page)
    page.goto(server.url)
    page.locator("#record").set_input_files(file)
    page.get_by_role("button", name="Open its replay").click()
    moments = []
    while "Dario (4) drops back 1 space." not in moments:
        if page.locator("[data-reveal] .lc-die").count():
            moments.append(page.locator("[data-outcome]").text_content())
            for wide, high in SIZES.values():
                page.set_viewport_size({"width": wide, "height": high})
                assert page.evaluate("document.documentElement.scrollWidth") <= wide
        step = int(page.locator("#at").input_value())
        page.locator("a[data-step=forward]").click()
        expect(page.locator("#at")).to_have_value(str(step + 1))
    assert moments[0] == "Ana (1) and Ben (2) touch: accident. Ben (2) retires from the race."
    assert "Ana (1) loses no space in the pits." in moments
    expect(page.locator(".lc-out + ol .tower-name")).to_have_text("Ben")
    expect(page.locator(".lc-pitted")).to_have_count(2)
    expect(page.locator(".lc-known").first).to_have_text(re.compile("known\\s+9"))
    expect(page.locator(".tower.is-out")).to_have_attribute("start", "4")
    while page.locator("a[data-step=forward]").count():
        step = int(page.locator("#at").input_value())
        page.locator("a[data-step=forward]").click()
        expect(page.locator("#at")).to_have_value(str(step + 1))
    expect(page.locator(".tower.is-out")).to_have_attribute("start", "2")  # two more have retired
    assert not faults
