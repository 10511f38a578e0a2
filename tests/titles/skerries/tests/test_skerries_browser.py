"""Skerries in Chromium: chains by clicks and by keys, previews that survive updates, a chart that zooms."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from sampling import WHOLE, count, some
from web.browser import ASKED, OVER, answered, panel, post, skip, watch
from web.conftest import Server
from web.test_browser_access import clean_in_both
from web.test_browser_friends import friends, gather

CHART = "q...h/x+..l"
HEX = '#chart [data-move="{}"]'
LINKS = ".links li"
VIEW = "[chart.scrollLeft, chart.scrollTop, Number(chart.style.getPropertyValue('--zoom') || 1)]"
SEND = "form.compose .actionbar button.primary"


@pytest.fixture
def at_sea(page: Page, harbour: Server, request: pytest.FixtureRequest) -> Page:
    """A race against a bot, in which the first skipper must sail."""
    harbour.deal(request.node.nodeid)
    return sail(page, harbour)


def sail(page: Page, harbour: Server, **more: Any) -> Page:
    """Cast off; skipper 1 is here."""
    page.emulate_media(reduced_motion="reduce")
    asked = {"skippers": 2, "races": 1, "pace": "instant", "chart": CHART, "who-2": "rookie"} | more
    page.goto(post(page, f"{harbour.url}tables", title="skerries", **asked))
    page.wait_for_selector(f"{ASKED}, {OVER}", state="attached")
    return page


def together(ana: Page, ben: Page, harbour: Server, **more: Any) -> None:
    """Ana and Ben sit down at a table, and open it."""
    asked = {"skippers": 2, "races": 1, "pace": "instant", "chart": CHART}
    asked |= {"who-2": "open", "name-1": "Ana"} | more
    link = gather([ana, ben], harbour.url, "skerries", **asked)
    for one in (ana, ben):
        one.goto(link)
    for one in (ana, ben):
        one.wait_for_selector("#chart")


def choose(page: Page, move: str, links: int) -> None:
    """Click on a hex; the page then shows so many links."""
    page.locator(HEX.format(move)).first.click()
    expect(page.locator(LINKS)).to_have_count(links)
    answered(page)


def test_a_chain_is_clicked_taken_back_and_sent(at_sea: Page) -> None:
    page = at_sea
    faults = watch(page)
    send = page.locator(SEND)
    expect(send).to_have_text("Choose a step")
    choose(page, "e", 1)
    expect(send).to_have_text("Sail east to b1")
    expect(page.locator("#boat-1 .sk-hull")).to_have_attribute("transform", re.compile(r"translate\(77"))
    choose(page, "se", 2)
    expect(send).to_have_text("Send 2 moves; the last: Sail south-east to the reef b2")
    expect(page.locator("#live")).to_have_text(re.compile("Send 2 moves"))
    page.get_by_role("button", name="One step back").click()
    expect(page.locator(LINKS)).to_have_count(1)
    page.locator(".nexts button", has_text="Sail west").click()
    expect(page.locator(LINKS)).to_have_count(2)
    send.click()
    expect(page.locator(".story")).to_contain_text("sails to a1.")
    expect(page.locator(LINKS)).to_have_count(0)
    assert not faults


def test_a_ready_way_is_one_click(at_sea: Page) -> None:
    choose(at_sea, "e; e", 2)
    at_sea.locator(SEND).click()
    expect(at_sea.locator(".story")).to_contain_text("sails to c1.")


def test_a_chain_is_put_together_by_keys_alone(at_sea: Page) -> None:
    page = at_sea
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.dataset.move") == "e":
            break
    assert page.evaluate("document.activeElement.id") == "hex-b1"
    page.keyboard.press("Enter")
    expect(page.locator(LINKS)).to_have_count(1)
    page.wait_for_function(
        "() => document.activeElement.matches('.nexts button')"
    )  # the hex is no button any more
    page.keyboard.press("Space")
    expect(page.locator(LINKS)).to_have_count(2)
    page.keyboard.press("Backspace")
    expect(page.locator(LINKS)).to_have_count(1)
    page.keyboard.press("h")
    page.wait_for_function("() => document.activeElement.matches('.nexts button')")
    while page.evaluate("document.activeElement.className") != "primary":
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator(".story")).to_contain_text("sails to b1.")


def test_what_the_rules_refuse_is_said_with_the_clause(at_sea: Page) -> None:
    page = at_sea
    choose(page, "e", 1)
    page.evaluate("document.querySelector('.nexts button').dataset.move = 'ne'")
    page.locator(".nexts button").first.click()
    expect(page.locator("p.fault")).to_have_text(re.compile(r"The chart ends there\. SK-2\.3"))
    expect(page.locator(LINKS)).to_have_count(1)


def test_enter_sends_nothing_before_something_is_chosen(at_sea: Page) -> None:
    at_sea.locator(SEND).press("Enter")
    expect(at_sea.locator("#live")).to_have_text("Choose a step")
    assert "sails" not in at_sea.locator(".story").inner_text()


def step(page: Page) -> None:
    """Send the first move that is offered, but rather not «stop»."""
    first = page.locator(".nexts button:not([data-move=stop])").first
    (first if first.count() else page.locator(".nexts button").first).click()
    expect(page.locator(LINKS)).to_have_count(1)
    page.locator(SEND).click()
    answered(page)


def onward(legal: list[str]) -> str:
    """Choose as ``step`` does."""
    return next((move for move in legal if move != "stop"), legal[0])


def zoomed(page: Page) -> list[float]:
    """How far the chart is scrolled and how large it is."""
    view: list[float] = page.evaluate(VIEW)
    return view


# The chart has scrolled from ``left`` on, and has stood still for a while.
STILL = """(left) => {
    if (chart.scrollLeft !== window.last) window.since = performance.now();
    window.last = chart.scrollLeft;
    return window.last > left && performance.now() - window.since > 300;
}"""


def test_a_chain_the_zoom_and_the_scroll_survive_an_update(
    browser: Browser, harbour: Server, request: pytest.FixtureRequest
) -> None:
    """A friend writes in the chat while links are chosen; the update gets a new preview of them."""
    harbour.deal(request.node.nodeid)
    with friends(browser, 2, reduced_motion="reduce") as (ana, ben):
        together(ana, ben, harbour, chart="sisters")
        ana.wait_for_selector(ASKED, state="attached")
        faults = watch(ana)
        choose(ana, "e", 1)
        for _ in range(3):
            ana.locator("[data-zoom=in]").click()
        ana.locator("#chart").focus()
        left = zoomed(ana)[0]
        ana.keyboard.press("ArrowRight")
        ana.wait_for_function(STILL, arg=left)
        before = zoomed(ana)
        assert before[2] == pytest.approx(1.4**3) and before[0] > 0
        looked = []
        ana.on("request", lambda request: looked.append(request.url) if request.method == "POST" else None)
        panel(ben, "talk")
        ben.locator("#say").fill("Fair winds!")
        ben.keyboard.press("Enter")
        expect(ana.locator(".said")).to_contain_text("Fair winds!")
        assert [url.rpartition("/")[2] for url in looked] == ["preview"]
        expect(ana.locator(LINKS)).to_have_count(1)
        expect(ana.locator("#boat-1 .sk-hull")).to_have_attribute("transform", re.compile(r"translate\(77"))
        assert zoomed(ana) == before
        ana.locator(SEND).click()
        expect(ben.locator(".story")).to_contain_text("Ana sails to b1.")
        assert zoomed(ana) == before
        assert not faults


def test_the_chart_zooms_by_buttons_keys_and_wheel(at_sea: Page) -> None:
    page = at_sea
    assert zoomed(page)[2] == 1
    page.locator("[data-zoom=in]").click()
    assert zoomed(page)[2] == pytest.approx(1.4)
    page.locator("[data-zoom=fit]").click()
    assert zoomed(page) == [0, 0, 1]
    page.locator("#chart").focus()
    page.keyboard.press("+")
    page.keyboard.press("+")
    page.keyboard.press("-")
    assert zoomed(page)[2] == pytest.approx(1.4)
    page.keyboard.press("0")
    page.keyboard.press("-")
    assert zoomed(page) == [0, 0, 1], "never smaller than its frame"
    for _ in range(9):
        page.keyboard.press("+")
    assert zoomed(page)[2] == 6
    page.keyboard.press("0")
    box = page.locator("#chart").bounding_box()
    assert box
    page.mouse.move(box["x"] + box["width"] / 4, box["y"] + box["height"] / 2)
    page.mouse.wheel(0, -300)
    page.wait_for_function("() => chart.style.getPropertyValue('--zoom') > 2")
    left, _top, by = zoomed(page)
    assert left == pytest.approx((by - 1) * box["width"] / 4, abs=2), "what is under the pointer stays there"
    page.locator("#say, h1").first.evaluate("element => document.activeElement.blur()")
    page.mouse.wheel(0, 200)
    page.wait_for_function("by => scrollY > 0 || chart.scrollTop > 0", arg=by)
    assert zoomed(page)[2] == by, "without the focus a wheel scrolls"


def test_a_drag_moves_the_chart_and_chooses_nothing(at_sea: Page) -> None:
    page = at_sea
    for _ in range(3):
        page.locator("[data-zoom=in]").click()
    page.evaluate("chart.scrollTo((chart.scrollWidth - chart.clientWidth) / 2, chart.scrollHeight / 3)")
    page.locator(HEX.format("e")).scroll_into_view_if_needed()
    left, top, _by = zoomed(page)
    box = page.locator(HEX.format("e")).bounding_box()
    assert box
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x - 30, y - 8, steps=4)
    page.mouse.up()
    assert zoomed(page)[:2] == [left + 30, top + 8]
    page.wait_for_timeout(100)
    expect(page.locator(LINKS)).to_have_count(0)
    page.mouse.click(x - 30, y - 8)
    expect(page.locator(LINKS)).to_have_count(1)


def test_two_fingers_zoom_and_one_taps(browser: Browser, harbour: Server) -> None:
    """A phone: the chart stays in sight while the hand scrolls, and the page never scrolls sideways."""
    harbour.deal("phone")
    context = browser.new_context(
        viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True, reduced_motion="reduce"
    )
    page = context.new_page()
    sail(page, harbour)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    session = context.new_cdp_session(page)
    box = page.locator("#chart").bounding_box()
    assert box
    x, y = box["x"] + 100, box["y"] + 100

    def touch(kind: str, apart: float) -> None:
        points = [{"x": x - apart / 2, "y": y, "id": 0}, {"x": x + apart / 2, "y": y, "id": 1}]
        session.send(
            "Input.dispatchTouchEvent", {"type": kind, "touchPoints": points if kind != "touchEnd" else []}
        )

    touch("touchStart", 60)
    for apart in (80, 100, 120):
        touch("touchMove", apart)
    touch("touchEnd", 0)
    left, _top, by = zoomed(page)
    assert by == pytest.approx(2, abs=0.05) and left == pytest.approx(100, abs=5)
    page.locator("[data-zoom=fit]").tap()
    page.locator(HEX.format("e")).first.tap()
    expect(page.locator(LINKS)).to_have_count(1)
    page.locator(SEND).scroll_into_view_if_needed()
    page.evaluate("scrollBy(0, 300)")
    seen = page.locator("#chart").bounding_box()
    assert seen and seen["y"] >= 0 and seen["y"] + seen["height"] < 500, "pinned above the hand"
    page.locator(SEND).tap()
    expect(page.locator(".story")).to_contain_text("sails to b1.")
    context.close()


def test_axe_finds_nothing(browser: Browser, harbour: Server) -> None:
    harbour.deal("axe")
    context = browser.new_context(color_scheme="light", bypass_csp=True, reduced_motion="reduce")
    page = context.new_page()
    for path in some(("?title=skerries", "new/skerries", "rules/skerries"), 1, "axe at sea"):
        page.goto(harbour.url + path)
        clean_in_both(page, path)
    sail(page, harbour, skippers=3)
    clean_in_both(page, "at sea")
    choose(page, "e", 1)
    clean_in_both(page, "ahead")
    context.close()


def test_a_whole_race_is_played_on_the_page(page: Page, harbour: Server) -> None:
    harbour.deal("a whole race")
    sail(page, harbour, skippers=count(2, 3), days=count(1, 2))
    faults = watch(page)
    for _ in range(count(4, 60)):
        page.wait_for_selector(f"{ASKED}, {OVER}", state="attached")
        if page.locator(OVER).count():
            break
        step(page)
    if not WHOLE:
        skip(page, choose=onward)
    expect(page.locator(".sk-podium")).to_be_visible()
    page.get_by_role("link", name="Step through").click()
    page.wait_for_url("**/replay")
    expect(page.locator(".sk-chart")).to_be_visible()
    assert not faults
