"""The table page is one screen: in every window, all that a decision needs is in sight, and nothing jumps."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Browser, Page, expect

from sampling import SEED, WHOLE, count, some
from web import stage
from web.browser import (
    ASKED,
    KINDS,
    LACORSA,
    OVER,
    PLAYABLE,
    RASANT,
    SEND,
    Kind,
    answered,
    finished,
    move,
    new_table,
    play_on,
    post,
    send_plainly,
    wait,
    watch,
)
from web.clipped import clipped, twice
from web.conftest import Server
from web.test_browser_large_grid import GRID

LOW = (360, 640)  # a phone
ALSO = (LOW, (390, 844), (1280, 800))  # between the heights for which table.css has rules of their own
SIZES = stage.SIZES
GAMES: dict[str, tuple[Kind, dict[str, Any]]] = {
    "four cars": (LACORSA, {"drivers": 4}),
    "twelve cars": (LACORSA, GRID),
    "four players": (RASANT, {"players": 4}),
}


def some_games(test: str) -> pytest.MarkDecorator:
    """Run a test with every game; in a sample with one of them."""
    return pytest.mark.parametrize("name", some([*GAMES], 1, test))


# What is not in sight, or is covered by something else, and what scrolls. Corners of cards are round.
LOST = """() => {
    const lost = [], wide = innerWidth, high = innerHeight;
    const shown = (what) => [...document.querySelectorAll(what)].filter((one) => one.checkVisibility());
    const must = (what, ...parts) => {
        const found = parts.flatMap(shown);
        if (!found.length) lost.push(`no ${what}`);
        for (const one of found) {
            const { left, top, right, bottom } = one.getBoundingClientRect();
            const box = [left, top, right, bottom].map(Math.round);
            if (left < -0.5 || top < -0.5 || right > wide + 0.5 || bottom > high + 0.5) {
                lost.push(`${what} outside ${box}`);
                continue;
            }
            const [x, y] = [(left + right) / 2, (top + bottom) / 2];
            const [dx, dy] = [(right - left) / 2.4, (bottom - top) / 2.4];
            for (const [a, b] of [[0, 0], [dx, 0], [-dx, 0], [0, dy], [0, -dy]]) {
                const at = document.elementFromPoint(x + a, y + b);
                if (!at || !(one.contains(at) || at.contains(one))) lost.push(`${what} covered ${box}`);
            }
        }
    };
    must("status", "#status");
    must("board", ".one-screen > .board");
    must("question", ".ask .hand-head");
    const cards = [".ask .cards > *", ".ask .signs > *"];
    const chain = [".ask .gr-hand", ".ask .gr-links", ".ask .gr-place", ".gr-window ~ .actionbar [data-way]"];
    must("choice", ...cards, ...chain);
    must("button", ".ask .actionbar [data-way]");
    const root = document.documentElement;
    const scrolls = root.scrollHeight > high || root.scrollWidth > wide || scrollX || scrollY;
    if (scrolls) lost.push("the page scrolls");
    const hand = document.querySelector(".a-hand");
    const sequence = document.querySelector(".gr-hand:has(.is-crew)"); // other lists may scroll
    const ask = document.querySelector(".ask:not(.is-aside)");
    for (const one of [hand, ask, sequence]) {
        const hidden = one ? one.scrollHeight - one.clientHeight : 0;
        if (hidden > 1) lost.push(`${one.className} scrolls ${hidden}`);
    }
    for (const list of shown(".gr-hand")) {
        list.scrollTop = 0;
        const [first, box] = [list.firstElementChild, list].map((one) => one.getBoundingClientRect());
        if (first.top < box.top - 1) lost.push(`the first choice is ${box.top - first.top} above its list`);
    }
    // One message at a time: about the connection, of a friend, or the offer.
    const message = [".line-state", "#toast", "#offer"].flatMap(shown)
        .find((one) => one.checkVisibility({ visibilityProperty: true }));
    if (message) {
        must("message", message.id ? `#${message.id}` : ".line-state");
        const a = message.getBoundingClientRect();
        for (const one of shown(".one-screen > .status, .dashboard, .ask, .tabs")) {
            const b = one.getBoundingClientRect();
            const beside = a.left > b.right - 1 || b.left > a.right - 1;
            if (!beside && a.top < b.bottom - 1 && b.top < a.bottom - 1)
                lost.push(`the message covers ${one.className}`);
        }
    }
    const most = wide >= 576 && high < 576 ? 40 : wide < 640 ? 64 : wide < 2240 ? 60 : 70;
    const { height } = shown(".one-screen > .status")[0].getBoundingClientRect();
    if (height > most) lost.push(`status ${height}`);
    return lost;
}"""
# The places of all that can be tapped; the chosen card is lifted a little.
PLACES = """() => Object.fromEntries(
    [...document.querySelectorAll(".hand label, .actionbar, .tab")]
        .map((one, n) => [one, n])
        .filter(([one]) => one.checkVisibility() && !one.querySelector(":checked"))
        .map(([one, n]) => [`${n} ${one.dataset.tab ?? one.className}`, one.getBoundingClientRect()])
        .map(([name, { x, y }]) => [name, [Math.round(x), Math.round(y)]])
)"""


def phone(browser: Browser) -> Page:
    """Return a page of a new phone."""
    context = browser.new_context(
        viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True, reduced_motion="reduce"
    )
    return context.new_page()


def sizes(question: str, seen: set[str], made: int) -> Sequence[tuple[int, int]]:
    """Return all windows; in a sample a phone, also held sideways, and another one for a question that has
    not been seen yet, for others one, each after the other."""
    if WHOLE:
        seen.add(question)
        return SIZES
    at = made + SEED
    if question in seen:
        return SIZES[at % len(SIZES) :][:1]
    seen.add(question)
    shapes = (stage.PHONES, stage.SIDEWAYS, stage.TABLETS + stage.WIDE)
    return [shape[at % len(shape)] for shape in shapes]


@some_games("in sight")
def test_everything_is_in_sight_at_every_decision_in_every_window(
    page: Page, server: Server, name: str
) -> None:
    kind, options = GAMES[name]
    faults = watch(page)
    page.emulate_media(reduced_motion="reduce")
    new_table(page, server.url, 1, kind=kind, **options)
    made, seen = 0, set[str]()
    while made < count(5, 10_000) and wait(page):
        question = page.locator(".ask h2").first.text_content() or ""
        for width, height in (*sizes(re.sub(r"\d+", "", question), seen, made), *ALSO):
            page.set_viewport_size({"width": width, "height": height})
            assert page.evaluate(LOST) == [], (made, question, width, height)
        page.set_viewport_size({"width": 360, "height": 740})
        before = page.evaluate(PLACES)
        page.locator("form.compose").first.locator(".hand label:not(.is-refused, .plus)").last.click()
        after = page.evaluate(PLACES)
        assert {one: at for one, at in after.items() if before.get(one, at) != at} == {}, (made, question)
        assert len(before.keys() & after.keys()) > 5
        assert page.evaluate(LOST) == [], (made, question, "chosen")
        page.locator("form.compose").first.locator(SEND).last.click()
        answered(page)
        made += 1
    assert made >= 5
    assert not faults


MAPS = {
    "half a map, four crews": {"map": "usa-west", "players": 4, "finish": "HO"},
    "a full map, five crews with leaders": {"map": "asia", "players": 5, "leaders": "yes"},
}
WANTED = (
    "take",
    "plan 1-2-1-1",
    "scout",
    "repair",
    "drive",
    "supply",
    "clear",
    "fund",
    "buy",
)  # each in turn


@pytest.mark.parametrize("name", some([*MAPS], 1, "maps"))
def test_map_question_choices_and_button_are_in_sight_in_every_window(
    page: Page, server: Server, name: str
) -> None:
    """The Great Race: at every decision of some turns, with nothing chosen and with a first choice."""
    faults = watch(page)
    page.emulate_media(reduced_motion="reduce")
    options = {"pace": "instant", "who-1": "me"} | {f"who-{n}": "club" for n in range(2, 6)} | MAPS[name]
    page.goto(f"{server.url}new/great_race?{urlencode(options)}")
    page.get_by_role("button", name="Start the race").click()
    page.wait_for_url("**/t/*")
    seen: set[str] = set()
    for made in range(count(4, 24)):
        page.wait_for_selector(f"{ASKED}, {OVER}", state="attached")
        if page.locator(OVER).count():
            break
        looks = [*sizes(page.locator(".ask h2").first.text_content() or "", seen, made), LOW][: count(2, 9)]
        looks += ALSO[1:]
        for chosen in (False, True):
            if chosen:
                if not page.locator(CHOICE).count():
                    continue
                page.locator(CHOICE).first.click()
                answered(page)
            for width, height in looks:
                page.set_viewport_size({"width": width, "height": height})
                assert page.evaluate(LOST) == [], (made, seen, chosen, width, height)
                if (width, height) in SIZES:
                    assert page.evaluate(stage.ROOM) == [], (made, seen, chosen, width, height)
        send_one(page, WANTED[made % len(WANTED) :] + WANTED)
    assert len(seen) > count(2, 5), seen
    assert not faults


def test_on_a_phone_the_first_look_at_a_full_map_is_at_the_own_half_track(
    browser: Browser, server: Server
) -> None:
    page = phone(browser)
    query = {"map": "asia", "start": "east", "players": 2, "who-1": "me", "who-2": "club", "pace": "instant"}
    page.goto(f"{server.url}new/great_race?{urlencode(query)}")
    page.get_by_role("button", name="Start the race").click()
    page.wait_for_url("**/t/*")
    page.wait_for_selector(ASKED, state="attached")
    frame, own = page.locator("[data-view]"), page.locator("#gr-car-1")
    expect(own).to_be_in_viewport(ratio=1)
    assert frame.evaluate("(one) => [one.style.getPropertyValue('--zoom'), one.scrollLeft > 200]") == [
        "2",
        True,
    ]
    page.locator("[data-zoom=fit]").click()
    assert frame.evaluate("(one) => one.scrollWidth === one.clientWidth")
    page.context.close()


CHOICE = ".ask :is(.gr-press[data-move], .cards > label:not(.is-refused), [data-by='1']):visible"


def send_one(page: Page, wanted: tuple[str, ...]) -> None:
    """Send the first legal move that begins with one of these words, else any; wait for the next decision."""
    before = page.locator("form.compose input[name=decision]").first.input_value()
    send_plainly(page, wanted)
    changed = "(before) => document.querySelector('#table')?.dataset.decision !== before"
    page.wait_for_function(changed, arg=before)
    if page.locator("#toast button").count():  # what was chosen by a click has not been sent
        page.locator("#toast button").first.click()


# The places of the board, and from the stage all shifts.
TOPS = """() => {
    window.tops = new Set();
    new MutationObserver(() => {
        const board = document.getElementById("board");
        if (board) tops.add(board.getBoundingClientRect().top);
    }).observe(document.getElementById("main"), { childList: true, characterData: true, subtree: true });
}"""
# Clicks by a script: a browser forgives the shifts that follow real ones.
TAP = """([what]) => {
    const form = document.querySelector("form.compose");
    [...form.querySelectorAll(what)].at(-1).click();
}"""


# What can be tapped and is too small for a finger.
SMALL = """() => [...document.querySelectorAll("#main button, #main .hand label, #main summary")]
    .filter((one) => one.checkVisibility()).map((one) => [one.textContent, one.getBoundingClientRect()])
    .filter(([_, box]) => box.width < 44 || box.height < 44).map(([text]) => text)"""
WIDTH = "document.documentElement.scrollWidth"


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_a_podium_fits_a_phone(browser: Browser, server: Server, kind: Kind) -> None:
    page = phone(browser)
    page.goto(finished(page, server.url, kind))
    page.wait_for_selector(OVER, state="attached")
    assert page.evaluate(WIDTH) <= 360
    page.context.close()


@pytest.mark.parametrize("kind", some(KINDS, 1, "again"), ids=lambda kind: kind.name)
def test_a_podium_offers_another_race_in_every_window(page: Page, server: Server, kind: Kind) -> None:
    page.goto(finished(page, server.url, kind))
    for width, height in ((375, 667), (667, 375), (600, 960), (1024, 768), (1536, 730), (2560, 1300)):
        page.set_viewport_size({"width": width, "height": height})
        for name in ("Race again", "Share the picture"):
            expect(page.get_by_role("button", name=name)).to_be_in_viewport(ratio=1)


@some_games("jumps")
def test_nothing_jumps_in_a_race_on_a_phone(browser: Browser, server: Server, name: str) -> None:
    """The place of the board; see below for the layout shifts.

    It never scrolls sideways, and there is room for a finger.
    """
    kind, options = GAMES[name]
    page = phone(browser)
    faults = watch(page)
    new_table(page, server.url, 1, kind=kind, **options)
    assert wait(page)
    page.evaluate(TOPS)
    made = 0
    while made < count(6, 10_000) and wait(page):
        assert page.evaluate(WIDTH) <= 360
        assert page.evaluate(SMALL) == []
        page.evaluate(TAP, [".hand label:not(.is-refused, .plus) input"])
        page.evaluate(TAP, ["[data-way]:not([hidden])[aria-disabled=false]"])
        answered(page)
        made += 1
    assert made >= 5
    assert len(page.evaluate("[...tops]")) == 1
    assert page.evaluate(WIDTH) <= 360 and page.evaluate("scrollY") == 0
    assert not faults
    page.context.close()


WINDOWS = [(size, stage.MOTION[(n + SEED) % 2]) for n, size in enumerate(SIZES)]


def opened(test: str) -> list[tuple[tuple[int, int], str]]:
    """Return the windows to open: in a sample one of two shapes, with both wishes for motion among them."""
    if WHOLE:
        return WINDOWS
    chosen = some(stage.SHAPES, 2, test)
    return [(some(shape, 1, test)[0], stage.MOTION[(n + SEED) % 2]) for n, shape in enumerate(chosen)]


@pytest.mark.parametrize("language", some(["en", "de"], 1, "language of the stage"))
@pytest.mark.parametrize("name", some([*stage.RACES], 1, "stage"))
def test_a_race_of_friends_fits_every_window_and_shifts_nothing(
    browser: Browser, server: Server, name: str, language: str
) -> None:
    """From the lobby to the podium, with the offer to call the reader open, and a friend who writes.

    In each window everything is in sight at every decision, also while the connection is lost, and each text
    is whole, also in German and at twice its size. The board has its room, and no empty area is higher than a
    quarter of the window. All layout shifts together stay below
    0.1, although none is excused by a tap before it.
    """
    windows, texts = opened(f"stage {name}"), list[str]()
    with stage.open_stage(browser, server.url, name, windows, language) as race:
        while race.turn() and race.made < count(4, 10_000):
            if race.made % 4 == 2:
                race.write(f"Line {race.made}")
            offline = race.made % 5 == 3
            for window, page in zip(windows, race.pages, strict=True):
                if not page.locator(ASKED).count():
                    continue
                if offline:
                    page.evaluate("dispatchEvent(new Event('offline'))")
                    expect(page.locator("#connection")).to_be_visible()
                assert page.evaluate(LOST) == [], (window, race.made)
                assert page.evaluate(stage.ROOM) == [], (window, race.made)
                texts += [f"{window} {race.made}: {fault}" for fault in clipped(page)]
                if window[0] == (375, 667):
                    before = page.evaluate("shifts.length")
                    with twice(page):
                        texts += [f"twice {race.made}: {fault}" for fault in clipped(page)]
                    page.wait_for_timeout(100)
                    page.evaluate("(before) => { shifts.length = before; }", before)  # of our own making
                empty = page.evaluate(stage.EMPTY)
                assert empty[0] <= 0.25, (window, race.made, empty)
                if offline:
                    page.evaluate("dispatchEvent(new Event('online'))")
                    expect(page.locator("#connection")).to_be_hidden()
        race.finish()
        for window, page in zip(windows, race.pages, strict=True):
            total, shifts = page.evaluate("[shifts.reduce((sum, one) => sum + one[0], 0), shifts]")
            assert total < 0.1, (window, sorted(shifts, key=lambda one: -one[0])[:5])
    assert not texts, "\n".join(sorted(set(texts)))


# How large the board is: its area, and that of the drawing of a map, which may have much sea around it.
BOARD = """() => {
    const { width, height } = document.querySelector(".one-screen > .board").getBoundingClientRect();
    const map = document.querySelector("#board [data-view] svg");
    return [width * height, map ? map.getScreenCTM().a ** 2 : 0];
}"""
# The height between the board of a replay and its player that neither of them fills.
BETWEEN = """() => {
    const board = document.querySelector(".one-screen > .board").getBoundingClientRect();
    return document.querySelector(".transport").getBoundingClientRect().top - board.bottom;
}"""
# What is not in sight of a replay, or is covered, and whether the page scrolls.
THEATRE = """() => {
    const lost = [], root = document.documentElement;
    for (const what of ["#status", ".steps > *", ".paces label", ".timeline", "#at", ".tab", ".tabpanel"]) {
        const all = [...document.querySelectorAll(what)].filter((one) => one.checkVisibility());
        if (!all.length) lost.push(`no ${what}`);
        for (const one of all) {
            const { left, top, right, bottom } = one.getBoundingClientRect();
            const at = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
            const inside = Math.min(left, top, innerWidth - right, innerHeight - bottom) > -0.5;
            if (!inside || !(one.contains(at) || at?.contains(one)))
                lost.push(`${what} ${[left, top, right, bottom].map(Math.round)}`);
        }
    }
    if (root.scrollHeight > innerHeight || root.scrollWidth > innerWidth) lost.push("the page scrolls");
    return lost;
}"""


@pytest.mark.parametrize("name", some(["lacorsa", "rasant", "great race"], 1, "watching"))
def test_who_watches_has_the_players_in_the_room_of_the_hand(
    browser: Browser, page: Page, server: Server, name: str
) -> None:
    """When the game is over, its replay has as large a board, and its player, tabs and panel in sight."""
    boards: dict[tuple[int, int], list[float]] = {}
    seats = {"who-1": "me", "pace": "instant"} | {f"who-{n}": "rookie" for n in range(2, 5)}
    link = post(page, f"{server.url}tables", **stage.RACES[name] | seats)
    play_on(link, page, moves=6)
    watcher = browser.new_context(reduced_motion="reduce").new_page()
    watcher.goto(link)
    watcher.wait_for_selector("#panel-story li:nth-child(4)", state="attached")
    for width, height in SIZES if WHOLE else some(SIZES, 4, "watching in"):
        watcher.set_viewport_size({"width": width, "height": height})
        expect(watcher.locator("#panel-others li").first).to_be_in_viewport(ratio=1)
        empty = watcher.evaluate(stage.EMPTY)
        assert empty[0] <= 0.25, (width, height, empty)
        assert watcher.evaluate("document.documentElement.scrollHeight <= innerHeight")
        boards[width, height] = watcher.evaluate(BOARD)
    play_on(link, page)
    watcher.goto(f"{link}/replay?entry=20")
    for (width, height), board in boards.items():
        watcher.set_viewport_size({"width": width, "height": height})
        assert watcher.evaluate(THEATRE) == [], (width, height)
        sizes = zip(watcher.evaluate(BOARD), board, strict=True)
        assert any(now >= 0.97 * before > 0 for now, before in sizes), (width, height)
        assert abs(watcher.evaluate(BETWEEN)) < 2, (width, height)
    watcher.context.close()


def test_the_sheet_opens_by_its_tab_only_and_closes_again(browser: Browser, server: Server) -> None:
    page = phone(browser)
    new_table(page, server.url, 1, kind=RASANT)
    assert wait(page)
    story, tab = page.locator("#panel-story"), page.locator("[data-tab=story]")
    move(page)
    assert wait(page)
    expect(story).to_be_hidden()
    expect(tab.locator(".unread")).to_be_visible()  # what others did meanwhile
    tab.click()
    expect(story).to_be_visible()
    expect(tab).to_have_attribute("aria-expanded", "true")
    expect(tab.locator(".unread")).to_be_hidden()
    assert page.evaluate("document.activeElement.id") == "panel-story"
    page.keyboard.press("Escape")
    expect(story).to_be_hidden()
    assert page.evaluate("document.activeElement.dataset.tab") == "story"
    page.locator("[data-tab=others]").click()
    expect(page.locator("#panel-others")).to_be_visible()
    page.locator("[data-tab=scores]").click()
    expect(page.locator("#panel-others")).to_be_hidden()
    expect(page.locator("#panel-scores")).to_be_visible()
    page.locator(".one-screen > .board").click(position={"x": 100, "y": 100})
    expect(page.locator("#panel-scores")).to_be_hidden()
    page.locator("[data-tab=more]").click()
    page.locator("[data-tab=more]").click()
    expect(page.locator("#sheet")).to_be_hidden()
    assert page.evaluate(LOST) == []
    page.context.close()


def test_a_window_that_is_too_narrow_or_too_low_is_a_column_that_scrolls(page: Page, server: Server) -> None:
    page.set_viewport_size({"width": 319, "height": 640})
    new_table(page, server.url, 1)
    assert wait(page)
    expect(page.locator(".tabs")).to_be_hidden()
    page.set_viewport_size({"width": 740, "height": 280})
    expect(page.locator(".tabs")).to_be_hidden()
    for panel in ("others", "story", "scores", "more"):
        expect(page.locator(f"#panel-{panel}")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollHeight") > 640
    move(page)


def test_the_page_says_who_you_are_and_marks_you(page: Page, server: Server) -> None:
    new_table(page, server.url, 1, **{"name-1": "Zoe"})
    assert wait(page)
    expect(page.locator("h1")).to_contain_text("Your turn")
    expect(page.locator(".you")).to_contain_text("Zoe (1)")
    expect(page.locator(".tower li", has=page.locator(".you-mark"))).to_contain_text("Zoe")
    expect(page.locator(".lc-strip:visible")).to_contain_text("YOU")
    page.locator("[data-tab=scores]").click()
    expect(page.locator(".pad tr", has=page.locator(".you-mark"))).to_contain_text("Zoe")
    page.set_viewport_size({"width": 360, "height": 740})
    expect(page.locator(".lc-strip:visible")).to_contain_text("YOU")


def test_a_reader_with_two_cars_sees_one_hand_at_a_time(page: Page, server: Server) -> None:
    page.set_viewport_size({"width": 360, "height": 740})
    new_table(page, server.url, 1, drivers=2)
    assert wait(page)
    one, two = page.locator("#ask-1"), page.locator("#ask-2")
    first, second = page.locator("[data-hand='1']"), page.locator("[data-hand='2']")
    expect(one).to_be_visible()
    expect(two).to_be_hidden()
    for width, height in (*sizes("two hands", set(), 0), (412, 732), *ALSO):
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate(LOST) == [], (width, height)
    page.set_viewport_size({"width": 360, "height": 740})
    second.focus()
    page.keyboard.press("Enter")
    expect(one).to_be_hidden()
    expect(two).to_be_visible()
    expect(second).to_have_attribute("aria-pressed", "true")
    expect(first).to_have_attribute("aria-pressed", "false")
    two.locator(PLAYABLE).first.click()
    two.locator(SEND).click()
    answered(page)
    expect(one).to_be_visible()  # the one that must still choose
    expect(two).to_be_hidden()
    expect(second).to_have_accessible_name("Car 2 committed")
    assert page.evaluate("document.activeElement.closest('.ask').id") == "ask-1"
    second.click()
    expect(two.locator(".committed")).to_be_visible()
    expect(one).to_be_hidden()


def test_two_hands_are_below_each_other_without_scripts(browser: Browser, server: Server) -> None:
    page = browser.new_context(java_script_enabled=False).new_page()
    new_table(page, server.url, 1, drivers=2)
    expect(page.locator("#ask-1")).to_be_visible()
    expect(page.locator("#ask-2")).to_be_visible()
    expect(page.locator(".hands")).to_be_hidden()
    page.context.close()


MAP = """() => {
    const { width, height } = document.getElementById("map").getBoundingClientRect();
    return (width * height) / (innerWidth * innerHeight);
}"""


def test_a_full_map_takes_half_of_a_wide_window_and_says_what_is_where(page: Page, server: Server) -> None:
    """It opens at the own half-track, with the whole map in a corner, and names its cities."""
    page.set_viewport_size({"width": 1366, "height": 657})
    query = {"map": "asia", "players": 2, "who-1": "me", "who-2": "club", "pace": "instant"}
    page.goto(f"{server.url}new/great_race?{urlencode(query)}")
    page.get_by_role("button", name="Start the race").click()
    page.wait_for_url("**/t/*")
    page.wait_for_selector(ASKED, state="attached")
    assert page.evaluate(MAP) > 0.45
    expect(page.locator("#gr-car-1")).to_be_in_viewport(ratio=1)
    expect(page.locator("#map").get_by_text("Tehran", exact=True)).to_be_visible()
    page.locator(".gr-over").click(position={"x": 170, "y": 20})
    expect(page.locator("#gr-car-1")).not_to_be_in_viewport()
    page.set_viewport_size({"width": 1920, "height": 1080})
    assert page.evaluate(MAP) > 0.45
    page.set_viewport_size({"width": 360, "height": 740})
    page.evaluate("""document.querySelector("#map title").parentElement.dispatchEvent(
        new MouseEvent("click", { bubbles: true }))""")
    expect(page.locator("#gr-tells")).not_to_be_empty()


# Whether a button of the map lies over the destination.
COVERED = """() => {
    const names = [...document.querySelectorAll("#map title")];
    const goal = names.find((one) => one.textContent.endsWith("the destination")).parentElement;
    const a = goal.getBoundingClientRect();
    return [...document.querySelectorAll(".zoom-keys button")].some((one) => {
        const b = one.getBoundingClientRect();
        return b.width && a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
    });
}"""


def test_spaces_that_are_asked_for_can_be_tapped(browser: Browser, server: Server) -> None:
    """On a phone the map zooms in by itself on the spaces that can be reached: each is 44 px high or more,
    also after the phone is turned. Nothing lies over the destination before."""
    page = phone(browser)
    query = {
        "map": "usa-west",
        "finish": "HO",
        "players": 2,
        "who-1": "me",
        "who-2": "club",
        "pace": "instant",
    }
    page.goto(f"{server.url}new/great_race?{urlencode(query)}")
    page.get_by_role("button", name="Start the race").click()
    page.wait_for_url("**/t/*")
    page.wait_for_selector(ASKED, state="attached")
    assert not page.evaluate(COVERED)
    for _ in range(6):
        page.wait_for_selector(ASKED, state="attached")
        if page.locator(".gr-go").count():
            break
        send_one(page, WANTED)
    high = "document.querySelector('.gr-go').getBoundingClientRect().height >= 44"
    for width, height in ((360, 740), (740, 360), (360, 740)):
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_function(high)
        expect(page.locator("#gr-car-1")).to_be_in_viewport(ratio=1)
    page.context.close()


def test_home_shows_the_posters_without_scrolling(page: Page, server: Server) -> None:
    page.set_viewport_size({"width": 1366, "height": 657})
    page.goto(server.url)
    posters = page.locator(".hero svg")
    expect(posters).to_have_count(3)
    for poster in posters.all():
        expect(poster).to_be_in_viewport(ratio=1)
    expect(page.get_by_role("button", name="Race now")).to_be_in_viewport(ratio=1)
