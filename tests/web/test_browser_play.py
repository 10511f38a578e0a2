"""Whole games in a real browser: by clicks, by keyboard alone, on a phone, on one device for two."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Browser, Page, expect

from sampling import WHOLE, count, some
from web.browser import (
    ASKED,
    OVER,
    RASANT,
    SEND,
    Kind,
    answered,
    hurry,
    move,
    new_table,
    panel,
    play,
    send,
    skip,
    titles,
    wait,
    watch,
)
from web.conftest import Server


@titles("clicks")
def test_a_game_by_clicks_with_replay_and_record(
    page: Page, server: Server, tmp_path: Path, kind: Kind
) -> None:
    faults = watch(page)
    page.goto(f"{server.url}?title={kind.name}")
    page.locator(".door.first").click()
    page.wait_for_selector("form.compose .cards label")
    expect(page).to_have_title(re.compile("^● Your turn"))
    query = {kind.rounds: 1, "pace": "instant"} | kind.short
    page.goto(f"{server.url}new/{kind.name}?{urlencode(query)}")
    page.get_by_role("button", name="deal the cards").click()
    page.wait_for_url("**/t/*")
    assert play(page, count(3, 1000)) >= count(3, 5)
    if not WHOLE:
        skip(page)
    expect(page.locator("h1")).to_contain_text(re.compile(f"wins the {kind.rounds[:-1]}|share the"))

    page.get_by_role("link", name="Step through").click()
    page.wait_for_url("**/replay")
    at = page.locator("#at")
    expect(at).to_have_value("0")
    last = int(at.get_attribute("max") or "")
    page.wait_for_load_state()  # including its scripts
    for key, step in (("End", last), ("ArrowLeft", last - 1), ("Home", 0), ("ArrowRight", 1), ("End", last)):
        page.keyboard.press(key)
        expect(at).to_have_value(str(step))
    panel(page, "hands")
    page.get_by_label("Whose view").select_option("2")
    expect(page.get_by_role("heading", name="The hand of")).to_have_count(1)

    panel(page, "more")
    with page.expect_download() as download:
        page.get_by_role("link", name="Download the record").click()
    file = tmp_path / "race.txt"
    download.value.save_as(file)
    page.goto(server.url)
    page.locator("#record").set_input_files(file)
    page.get_by_role("button", name="Open its replay").click()
    expect(at).to_have_value("0")
    page.wait_for_load_state()
    page.keyboard.press("ArrowRight")
    expect(at).to_have_value("1")
    panel(page, "more")
    page.get_by_role("button", name="Explore from here").click()
    expect(page.get_by_text("That game does not change")).to_be_visible()
    assert not faults


@titles("keyboard")
def test_a_game_by_keyboard_alone(page: Page, server: Server, kind: Kind) -> None:
    faults = watch(page)
    new_table(page, server.url, 1, kind=kind, **kind.short)
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("Escape")
    for made in range(count(5, 100)):
        if not wait(page):
            break
        if not made:
            page.keyboard.press("h")  # then the focus moves from hand to hand by itself
        page.keyboard.press("Space")
        for _ in range(made % 3):
            page.keyboard.press("ArrowRight")
        for _ in page.locator("form.compose input[type=radio]").all():
            if page.locator(SEND).count():
                break
            page.keyboard.press("ArrowRight")  # skip cards that cannot be played
        if made == 3 and page.locator("[data-plus]").count():
            page.keyboard.press("r")
            page.keyboard.press("r")
        expect(page.locator("form.compose").first.locator("input[type=radio]:focus")).to_have_count(1)
        page.keyboard.press("Enter")
        if page.locator("[data-way]:focus").count():  # two moves are possible: Enter chooses the first
            page.keyboard.press("Enter")
        answered(page)
    if WHOLE:
        expect(page.locator("h1")).to_contain_text(re.compile("wins the|share the"))
    assert not faults


@titles("hand")
@pytest.mark.parametrize("pace", some(["instant", "human"], 1, "hand"))
def test_a_move_leaves_the_hand_where_it_was(browser: Browser, server: Server, kind: Kind, pace: str) -> None:
    """The hand disappears while others play, and comes back at the same place."""
    context = browser.new_context(viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    page = context.new_page()
    new_table(page, server.url, 1, kind=kind, pace=pace, **{kind.players: 4})
    places = set()
    for made in range(count(3, 4)):
        assert wait(page)
        box = page.locator(".ask .cards").first.bounding_box()
        assert box
        places.add((box["x"], box["y"]))
        move(page, made)
    assert len(places) == 1
    context.close()


def test_who_looks_at_the_hand_is_not_moved(page: Page, server: Server) -> None:
    """An update with the same question does not scroll the page."""
    page.set_viewport_size({"width": 360, "height": 500})
    new_table(page, server.url, 1, kind=RASANT)
    assert wait(page)
    page.evaluate("document.querySelector('.ask').scrollIntoView(); scrollBy(0, 60)")
    before = page.evaluate("scrollY")
    for _ in range(2):
        with page.expect_response(lambda answer: "paddock-part" in answer.request.headers):
            page.evaluate("dispatchEvent(new Event('online'))")
        page.wait_for_timeout(100)
        assert page.evaluate("scrollY") == before


def test_a_key_that_chooses_brings_the_focus(page: Page, server: Server) -> None:
    """So that Enter sends it, wherever the focus was."""
    new_table(page, server.url, 1, kind=RASANT)
    assert wait(page)
    while page.locator(".is-refused > [data-key=p]").count():
        move(page)
        assert wait(page)
    before = page.locator("#table").get_attribute("data-decision")
    page.locator("main a").last.focus()
    page.keyboard.press("p")
    expect(page.locator(SEND)).to_contain_text("Pass")
    page.keyboard.press("Enter")
    expect(page.locator("#table")).not_to_have_attribute("data-decision", before or "")


@titles("device")
def test_two_on_one_device_never_see_each_other(page: Page, server: Server, kind: Kind) -> None:
    faults = watch(page)
    options = kind.short | {"name-1": "Ana", "name-2": "Ben"}
    new_table(page, server.url, 1, 2, kind=kind, **{kind.players: 2}, **options)
    curtains = 0
    for made in range(count(16, 300)):
        page.wait_for_selector(f"{ASKED}, {OVER}", state="attached")
        if page.locator(OVER).count():
            break
        if page.locator(".curtain").count():
            curtains += 1
            main = page.locator("#main").inner_html()
            for trace in (kind.card, "compose", "radio", "<option", "json"):
                assert trace not in main
            page.locator(".curtain button.primary").click()
            page.wait_for_selector("form.compose")
            name = re.findall("Hand the device to (Ana|Ben)", main)[0]
            expect(page.locator(".you strong")).to_have_text(re.compile(rf"^{name}"))
            continue
        move(page, made)
    assert curtains > count(3, 5)
    if WHOLE:
        expect(page.locator("h1")).to_contain_text(re.compile("wins the|share the"))
    assert not faults


def test_a_whole_championship(page: Page, server: Server) -> None:
    faults = watch(page)
    races = count(2, 7)
    new_table(page, server.url, 1, races=races)
    if not WHOLE:
        skip(page, moves=8)
    assert hurry(page)[0] > count(3, 5 * races)
    expect(page.locator("h1")).to_contain_text(re.compile("is champion|share the title"))
    expect(page.locator(".pad thead th")).to_have_count(races + 2)
    assert not faults


@pytest.mark.slow("two servers")
def test_a_reload_and_a_killed_server_lose_nothing(page: Page, own_server: Server) -> None:
    """A move that is made while the server is down is sent after its restart."""
    new_table(page, own_server.url, 1, 2, drivers=4)
    play(page, count(1, 3))
    assert wait(page)
    hand = (
        page.locator("form.compose")
        .first.locator("input[type=radio]")
        .evaluate_all("l => l.map(i => i.value)")
    )
    page.reload()
    assert wait(page)
    again = (
        page.locator("form.compose")
        .first.locator("input[type=radio]")
        .evaluate_all("l => l.map(i => i.value)")
    )
    assert again == hand

    page.locator("form.compose .cards label").nth(1).click()
    button = page.locator("form.compose").first.locator(SEND).first
    chosen, words = button.text_content(), button.inner_text().partition("\n")[0]
    own_server.kill()
    expect(page.locator("#connection")).to_be_visible()
    button.click()  # not received: the choice stays
    expect(button).to_have_text(chosen or "")
    expect(page.locator("#unsent")).to_contain_text(words)
    own_server.start()
    expect(page.locator("#connection")).to_be_hidden()
    expect(page.locator("#unsent")).to_be_hidden()  # it was sent
    expect(page.locator(SENT)).to_have_count(1)
    assert play(page, count(1, 3)) == count(1, 3)


def test_without_scripts_the_forms_do_it(browser: Browser, server: Server) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{server.url}new/lacorsa?races=1&pace=instant&who-2=rookie&who-3=rookie&who-4=rookie")
    page.get_by_role("button", name="deal the cards").click()
    made = 0
    while made < 3 or not page.locator(".story li.is-new").count():
        page.get_by_role("link", name="Refresh").click()
        select = page.locator("select[name=move]").first
        if made < 3 and select.count() and select.is_visible():
            select.select_option(index=1)
            page.locator("form.compose button").first.click()
            made += 1
        else:
            page.wait_for_timeout(50)
    context.close()


SENT = "#main:not(:has(form.compose input[type=radio]:checked))"  # the next hand, or a curtain before it
SLOWLY = """
const animate = Element.prototype.animate;
Element.prototype.animate = function (frames, times) {
    return animate.call(this, frames, { ...times, duration: 1000 * times.duration });
};
"""  # so that animations are still running when the test looks
HEARD = """() => {
    const live = document.getElementById("live");
    window.heard = [];
    new MutationObserver(() => heard.push(live.textContent)).observe(live, { childList: true });
}"""


@titles("reveal")
@pytest.mark.parametrize("motion", ["normal", "off"])
def test_a_reveal_moves_and_can_be_skipped_or_not_move_at_all(
    browser: Browser, server: Server, motion: str, kind: Kind
) -> None:
    context = browser.new_context(reduced_motion="no-preference")
    context.add_cookies([{"name": "motion", "value": motion, "url": server.url}])
    page = context.new_page()
    page.add_init_script(SLOWLY)
    new_table(page, server.url, 1, kind=kind)
    page.evaluate(HEARD)
    running = "document.getAnimations().filter(a => !(a instanceof CSSTransition)).length"
    heard: list[str] = []
    while not any(kind.said in words for words in heard):
        assert wait(page)
        page.evaluate("heard.length = 0")
        move(page)
        assert wait(page)
        heard = page.evaluate("heard")
    assert (page.evaluate(running) > 0) == (motion == "normal")
    page.keyboard.press("s")
    assert page.evaluate(running) == 0
    page.keyboard.press("a")
    assert (page.evaluate(running) > 0) == (motion == "normal")
    context.close()


def test_a_choice_that_came_too_late_is_kept_where_still_legal(browser: Browser, server: Server) -> None:
    context = browser.new_context()
    page, other = context.new_page(), context.new_page()
    new_table(page, server.url, 1)
    assert wait(page)
    page.route("**/stream*", lambda route: route.abort())  # this tab gets no events
    page.reload()
    other.goto(page.url)
    cards = page.locator("form.compose input[type=radio]").evaluate_all("l => l.map(i => i.value)")
    assert wait(other)
    move(other, 0)
    assert wait(other)
    page.locator("form.compose .cards label").last.click()
    send(page)
    expect(page.get_by_role("alert")).to_contain_text("Too late: the game moved on.")
    kept = page.locator("form.compose input[type=radio]:checked")
    still = page.locator("form.compose input[type=radio]").evaluate_all("l => l.map(i => i.value)")
    assert kept.count() == int(cards[-1] in still)
    context.close()
