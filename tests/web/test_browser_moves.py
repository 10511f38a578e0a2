"""What happens on the board is shown there step by step, in a real browser."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect
from tests.web.browser import (
    LACORSA,
    Kind,
    answered,
    finished,
    move,
    new_table,
    play,
    titles,
    wait,
    watch,
)
from tests.web.conftest import Server

from sampling import count, some

PAUSED = """
const animate = Element.prototype.animate;
window.played = [];
Element.prototype.animate = function (frames, times) {
    const animation = animate.call(this, frames, times);
    animation.pause();
    played.push(animation);
    return animation;
};
window.cars = () => played.filter((one) => one.effect.target.dataset.piece && one.playState === "paused");
window.at = (time) => cars().forEach((one) => { one.currentTime = time; });
const pieces = () => [...document.querySelectorAll("#board svg [data-piece]")]
    .filter((one) => one.checkVisibility());
const round = (m) => [Math.round(m.e), Math.round(m.f)];
// Where the pieces are drawn, and where they are seen.
window.drawn = () => pieces().map((one) => [one.id, ...round(one.transform.baseVal[0].matrix)]);
window.seen = () => pieces().map((one) => [one.id, ...round(new DOMMatrix(getComputedStyle(one).transform))]);
window.captions = () => [...document.querySelectorAll("#board-says span")].map((one) => one.textContent);
window.ends = () => Math.max(...cars().map((one) => one.effect.getComputedTiming().endTime));
window.until = (met) => new Promise((done) => {
    const look = () => (met() ? done() : requestAnimationFrame(look));
    look();
});
addEventListener("DOMContentLoaded", () => {
    const morph = Idiomorph.morph;
    Idiomorph.morph = (...given) => {
        const before = drawn();
        morph(...given);
        if (String(drawn()) !== String(before)) window.stood = before; // the last movement
    };
});
window.shifts = 0;
new PerformanceObserver((list) => list.getEntries().forEach((one) => { shifts += one.value; }))
    .observe({ type: "layout-shift", buffered: true });
"""  # so that a test sets the time itself


def one(browser: Browser, server: Server, motion: str = "normal", **options: Any) -> Page:
    """Return a page whose animations wait."""
    context = browser.new_context(reduced_motion="no-preference", **options)
    context.add_cookies([{"name": "motion", "value": motion, "url": server.url}])
    page = context.new_page()
    page.add_init_script(PAUSED)
    return page


@pytest.fixture
def pages(browser: Browser) -> Iterator[Browser]:
    """The browser; its contexts are closed after the test."""
    yield browser
    for context in browser.contexts:
        context.close()


def until_moved(page: Page, server: Server, says: str = ".", **table: Any) -> None:
    """Play, game after game, until the page asks and steps of the board wait whose captions match this."""
    moved = False
    while not moved:
        new_table(page, server.url, 1, **table)
        while not moved and wait(page):
            move(page)
            answered(page)
            moved = wait(page) and page.evaluate(f"cars().length > 0 && /{says}/.test(captions().join('|'))")


@titles("cars")
@pytest.mark.parametrize("width", some([360, 1280], 1, "cars"))
def test_cars_move_from_where_they_stood_to_where_they_stand(
    pages: Browser, server: Server, kind: Kind, width: int
) -> None:
    page = one(pages, server, viewport={"width": width, "height": 800})
    faults = watch(page)
    until_moved(page, server, kind=kind, **kind.short)
    assert page.locator("form.compose").count() or page.locator(".waiting").count(), "the hand does not wait"
    says = page.evaluate("captions()")
    told = page.locator(".story li[data-moves]").all_text_contents()
    assert all(any(text in line for line in told) for text in says)
    page.evaluate("shifts = 0")
    page.evaluate("at(0)")
    stood, end = page.evaluate("stood"), page.evaluate("drawn()")
    assert page.evaluate("seen()") == stood != end
    page.keyboard.press("Shift")
    assert page.evaluate("seen()") == end
    assert page.evaluate("cars().length + captions().length") == 0
    page.keyboard.press("a")  # again
    page.evaluate("at(0)")
    assert page.evaluate("seen()") == stood
    page.evaluate("at(ends() - 0.01)")
    assert page.evaluate("seen()") == end
    assert page.evaluate("shifts") == 0
    assert faults == []


def test_any_input_skips_to_the_end(pages: Browser, server: Server) -> None:
    page = one(pages, server)
    until_moved(page, server)
    for skip in (
        lambda: page.locator("#status").click(),
        lambda: page.keyboard.press("x"),
        lambda: page.mouse.wheel(0, 10),
    ):
        page.keyboard.press("a")  # it is shown again
        page.evaluate("until(() => cars().length > 0)")
        skip()
        page.evaluate("until(() => cars().length === 0)")
        assert page.evaluate("played.filter((one) => one.playState === 'paused').length") == 0


def test_two_cars_that_pass_keep_clear_of_each_other(pages: Browser, server: Server) -> None:
    page = one(pages, server, viewport={"width": 1280, "height": 800})
    until_moved(page, server, "^[^|]+ passes [^|]+$")
    boxes = page.evaluate(
        """() => {
        const line = [...document.querySelectorAll(".story li[data-moves]")]
            .find((one) => one.textContent.includes(captions()[0]));
        const pair = line.dataset.moves.split("+").map((n) => document.getElementById(`s-car-${n}`));
        const start = cars()[0].effect.getTiming().delay;
        at((start + ends()) / 2);
        return pair.map((car) => car.getBoundingClientRect().toJSON());
    }"""
    )
    above, below = sorted(boxes, key=lambda box: box["y"])
    assert above["bottom"] - below["top"] < above["height"] / 4


def test_fast_is_faster(pages: Browser, server: Server) -> None:
    page = one(pages, server, "fast")
    until_moved(page, server)
    ends = []
    for _ in range(2):  # how many moves one update tells depends on the time: the same ones are played again
        page.keyboard.press("a")
        page.evaluate("until(() => cars().length > 0)")
        ends.append(page.evaluate("ends()"))
        page.evaluate("document.documentElement.dataset.motion = 'normal'")
    assert ends[0] == pytest.approx(0.4 * ends[1], abs=1)


@pytest.mark.parametrize("motion", some(["off", "reduced"], 1, "motion"))
def test_nothing_moves_without_motion(pages: Browser, server: Server, motion: str) -> None:
    page = one(pages, server, "off" if motion == "off" else "")
    if motion == "reduced":
        page.emulate_media(reduced_motion="reduce")
    new_table(page, server.url, 1, kind=LACORSA)
    play(page, count(3, 5))
    assert wait(page)
    assert page.locator(".story li[data-moves]").count()
    assert page.evaluate("played.length + document.getAnimations().length") == 0


def test_a_replay_moves_cars_in_both_directions(pages: Browser, server: Server) -> None:
    page = one(pages, server, viewport={"width": 1280, "height": 800})
    page.goto(f"{finished(page, server.url)}/replay?step=0")
    forward = page.locator("a[data-step=forward]")
    while not page.evaluate("cars().length"):
        href = forward.get_attribute("href")
        forward.click()
        expect(forward).not_to_have_attribute("href", href or "")
    assert page.evaluate("captions().length")
    page.evaluate("played.length = 0")
    page.locator("a[data-step=back]").click()
    page.evaluate("until(() => cars().length > 0)")
    assert page.evaluate("captions().length") == 0


def test_the_wish_for_less_motion_counts_unless_motion_is_chosen(page: Page, server: Server) -> None:
    page.emulate_media(reduced_motion="reduce")
    page.goto(server.url)
    for motion, pace in (("normal", 1), ("fast", 0.4), ("", 0)):
        page.evaluate("motion => { document.documentElement.dataset.motion = motion; }", motion)
        found = "getComputedStyle(document.documentElement).getPropertyValue('--pace')"
        assert float(page.evaluate(found)) == pace, motion
