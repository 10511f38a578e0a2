"""Choosing in a real browser: a card and a button, or a key; the only move; places that do not move."""

from __future__ import annotations

import re
from collections import Counter
from operator import itemgetter

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from sampling import count, some
from web.browser import (
    ASKED,
    KINDS,
    LACORSA,
    OVER,
    RASANT,
    SEND,
    Kind,
    answered,
    keyed,
    new_table,
    skip,
    wait,
    watch,
)
from web.conftest import Server

TEXTS = "cards => cards.map(card => card.textContent.trim())"
PLACES = """() => Object.fromEntries([
    ...document.querySelectorAll(".cards > *, .signs, .says, .actionbar")
].map((at, i) => {
    const box = at.getBoundingClientRect();
    const lift = new DOMMatrix(getComputedStyle(at).transform).m42; // of the chosen card
    const place = [box.left + scrollX, box.top - lift + scrollY, box.height, box.width];
    return [at.id || `${i} ${at.className}`, place.map(Math.round).join(" ")];
}))"""


def hand(page: Page) -> Locator:
    return page.locator("form.compose").first


def chosen(page: Page) -> list[str]:
    """Return the values of the checked cards and signs."""
    return hand(page).locator("input[type=radio]:checked").evaluate_all("all => all.map(one => one.value)")


def until(page: Page, found: str) -> None:
    """Play until the hand has this; send the last card that fits, with the last button that can."""
    for _ in range(100):
        assert wait(page), f"no {found}"
        if page.locator(found).count():
            return
        if not hand(page).locator(SEND).count():
            hand(page).locator(":is(.cards, .signs) > label:not(.is-refused, .plus)").last.click()
        hand(page).locator(SEND).last.click()
        answered(page)
    raise AssertionError(f"no {found}")


def test_a_card_first_then_extend_or_discard(page: Page, server: Server) -> None:
    """LC-6.1: every card is there once. With both ways open, nothing is chosen for the player."""
    faults = watch(page)
    new_table(page, server.url, 1, races=7)
    skip(page, choose=itemgetter(-1), stop=lambda legal: "x7" in legal and ("^1" in legal or "^2" in legal))
    until(page, ".cards:has(:is([value='^1|x1'], [value='^2|x2'])):has([value='^7|x7'])")
    extend, discard = hand(page).locator("[data-way]").all()
    expect(extend).to_have_text("Extend")
    expect(discard).to_have_text("Discard")
    ranks = hand(page).locator(".cards input").evaluate_all("all => all.map(one => one.value)")
    moves = [move for value in set(ranks) for move in value.split("|")]
    assert len(moves) == len(set(moves))
    high = ranks.index("^7|x7")
    hand(page).locator(".cards label").nth(high).click()
    expect(extend).to_have_attribute("aria-disabled", "true")
    expect(discard).to_contain_text(re.compile("Discard .*: stay here"))
    extend.click(force=True)  # Playwright would wait until it is enabled
    expect(page.locator("[data-why]")).to_contain_text("Only a 1, 2 or 3 extends")
    expect(page.locator("[data-why] a")).to_have_attribute("href", "/rules/lacorsa#LC-6.1")

    low = next(i for i, value in enumerate(ranks) if value in ("^1|x1", "^2|x2"))
    hand(page).locator(".cards label").nth(low).click()
    expect(page.locator("[data-why]")).to_be_hidden()
    expect(discard).to_have_attribute("aria-disabled", "false")
    decision = page.locator("#table").get_attribute("data-decision")
    hand(page).locator(".cards input:checked").press("Enter")  # two moves are possible: which one?
    expect(extend).to_be_focused()
    assert page.locator("#table").get_attribute("data-decision") == decision
    extend.click()
    answered(page)
    expect(page.locator(".story")).to_contain_text("extends with a")
    assert not faults


def test_the_keys_of_cards(page: Page, server: Server) -> None:
    """A digit chooses a rank; the same one again a rank of two digits; R adds a Redline; D discards."""
    new_table(page, server.url, 1, races=3)
    keyed(page)
    assert wait(page)
    values = hand(page).locator(".cards input").evaluate_all("all => all.map(one => one.value)")
    kinds = dict.fromkeys(values)
    for digit in "1234567890":
        ring = [value for value in kinds if value[-1] == digit]
        for value in (*ring, *ring[:1]):
            page.keyboard.press(digit)
            assert chosen(page) == [value]
    if "R" in kinds:
        page.keyboard.press("r")
        expect(hand(page).locator("[data-plus]")).to_be_checked()
        page.keyboard.press("r")
        expect(hand(page).locator("[data-plus]")).not_to_be_checked()
    until(page, "[data-way] ~ [data-way]")
    rank = hand(page).locator(".cards input").last.input_value().removeprefix("^").partition("|")[0]
    page.keyboard.press(rank[-1] if rank.isdigit() else "r")
    before = page.locator("#table").get_attribute("data-decision") or ""
    page.keyboard.press("d")
    expect(page.locator("#table")).not_to_have_attribute("data-decision", before)
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_contain_text("choose the card of this rank")


def test_the_keys_of_colours(page: Page, server: Server) -> None:
    """A letter goes through the cards of its colour that can be played."""
    new_table(page, server.url, 1, kind=RASANT)
    keyed(page)
    until(page, ".cards label:not(.is-refused)")
    for letter in "rgbyk":
        fit = hand(page).locator(f".cards label:not(.is-refused) input[value^={letter}]")
        ring = fit.evaluate_all("all => all.map(one => one.value)")
        for value in (*ring, *ring[:1]):
            page.keyboard.press(letter)
            assert chosen(page) == [value]


def test_a_pass_that_is_the_only_move_is_one_tap(page: Page, server: Server) -> None:
    new_table(page, server.url, 1, kind=RASANT)
    skip(page, stop=lambda legal: legal == ["pass"])
    until(page, ".signs input:checked")
    assert chosen(page) == ["pass"]
    assert not hand(page).locator(".cards label:not(.is-refused)").count()
    button = hand(page).locator(SEND)
    expect(button).to_contain_text("Pass")
    before = page.locator("#table").get_attribute("data-decision") or ""
    button.click()
    answered(page)
    expect(page.locator(".story")).to_contain_text("passes")
    assert page.locator(OVER).count() or page.locator("#table").get_attribute("data-decision") != before


ALONE = """() => {
    if (!document.querySelector("#state[data-turn=yes]")) return "";
    const moves = document.querySelectorAll("form.compose select[name=move] option:not([value=''])");
    return moves.length === 1 ? document.getElementById("table").dataset.decision : "choose";
}"""  # the decision, if it has only one legal move


def test_play_by_itself_when_nothing_else_fits(page: Page, server: Server) -> None:
    """The switch stays on, answers every forced pass, and asks all other questions."""
    new_table(page, server.url, 1, kind=RASANT, **RASANT.short)
    assert wait(page)
    page.locator(".orders").evaluate("fold => { fold.open = true; }")
    switch = page.locator(".orders .switch")
    switch.dispatch_event("click")
    expect(switch).to_have_attribute("aria-pressed", "true")
    for _ in range(100):
        page.wait_for_selector(f"{ASKED}, {OVER}", state="attached")
        if page.locator(OVER).count():
            break
        if (asked := page.evaluate(ALONE)) != "choose":  # the order answers it, or has just done so
            page.wait_for_function(
                "before => document.getElementById('table')?.dataset.decision !== before", arg=asked
            )
            continue
        expect(switch).to_have_attribute("aria-pressed", "true")
        hand(page).locator(".hand label:not(.is-refused)").first.click()
        hand(page).locator(SEND).first.click()
        answered(page)
    assert page.locator(OVER).count()


CASES = some([(wide, kind) for wide in (360, 1280) for kind in KINDS], 1, "nothing moves")


@pytest.mark.parametrize(("wide", "kind"), CASES, ids=lambda one: one.name if isinstance(one, Kind) else None)
def test_choosing_moves_nothing(browser: Browser, server: Server, kind: Kind, wide: int) -> None:
    """Neither hints and refusals, nor a chosen card or sign, move a card or a button."""
    with browser.new_context(viewport={"width": wide, "height": 740}, reduced_motion="reduce") as context:
        page = context.new_page()
        new_table(page, server.url, 1, kind=kind)
        looked: set[str] = set()
        for _ in range(count(4, 12)):
            if not wait(page):
                break
            looked.add(page.locator(".ask h2").first.text_content() or "")
            before = page.evaluate(PLACES)
            assert len(before) >= 4
            for label in hand(page).locator(".hand label:not(.plus:has(:disabled))").all():
                label.click()
                assert page.evaluate(PLACES) == before
            for button in hand(page).locator("[data-way][aria-disabled=true]:visible").all():
                button.click(force=True)
                assert page.evaluate(PLACES) == before
            for plus in hand(page).locator("[data-plus]:checked").all():
                plus.uncheck(force=True)
            hand(page).locator(".hand label:not(.is-refused, .plus)").last.click()
            hand(page).locator(SEND).last.click()
            answered(page)
        assert len(looked) > 1


def test_cards_keep_their_place_when_one_is_played(page: Page, server: Server) -> None:
    """One card is gone, and those before it keep their place."""
    new_table(page, server.url, 1, kind=LACORSA)
    assert wait(page)
    before = page.locator(".cards").first.locator("> *").evaluate_all(TEXTS)
    hand(page).locator(".cards label").nth(5).click()
    hand(page).locator(SEND).first.click()
    answered(page)
    assert wait(page)
    after = page.locator(".cards").first.locator("> *").evaluate_all(TEXTS)
    assert after[:5] == before[:5]
    assert Counter(before) - Counter(after) == Counter([before[5]]) and len(after) == len(before) - 1
