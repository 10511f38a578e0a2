"""The lessons in a real browser: who follows what glows gets to the end, and always sees it all."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, expect

from games.lesson_ways import own_way
from paddock.core.title import title
from sampling import some
from web.browser import KINDS, LACORSA, SEND, Kind, answered, send_plainly, titles, updated, wait, watch
from web.conftest import Server
from web.test_browser_access import clean
from web.test_browser_one_screen import ALSO, LOST, sizes

# What of the lesson is not in sight: its words, and what it suggests.
HIDDEN = """() => {
    const say = document.querySelector(".lesson-words"), box = say.getBoundingClientRect();
    const places = ":is(.hand, .gr-hand, .gr-plan) .is-suggested";
    const glows = [...document.querySelectorAll(places)], lost = [];
    if (say.closest(".a-last").getBoundingClientRect().height + 1 < box.height) lost.push("text is cut off");
    for (const one of [say, ...glows]) {
        const { left, top, right, bottom } = one.getBoundingClientRect();
        const [x, y] = [(left + right) / 2, (top + bottom) / 2];
        const at = document.elementFromPoint(x, y);
        if (!at || !(one.contains(at) || at.contains(one))) lost.push(`${one.className} covered`);
        const out = left < 0 || top < 0 || right > innerWidth || bottom > innerHeight;
        if (out) lost.push(`${one.className} outside`);
    }
    return lost;
}"""

GREAT_RACE = Kind("great_race", "players", "races", "gr-card", "takes")
SUGGESTED = ":is(.hand, .gr-hand, .gr-plan) .is-suggested"
GLOWS = f"{SUGGESTED}:not(:has(:checked))"


def begin(page: Page, server: Server, kind: Kind) -> None:
    page.goto(f"{server.url}learn/{kind.name}")
    page.get_by_role("button", name="Start the lesson").click()
    page.wait_for_url("**/t/*")


def follow(page: Page) -> None:
    """Choose and send what glows. What is chosen does not glow any more."""
    glows = page.locator(GLOWS)
    while glows.count():
        glows.first.click()
        answered(page)
    button = page.locator(".actionbar .is-suggested:visible")
    (button if button.count() else page.locator(SEND)).first.click()
    answered(page)


def step(page: Page, number: int, kind: Kind) -> None:
    """Wait for a step of the lesson."""
    steps = len(title(kind.name).room("learn").IDEAS)
    expect(page.locator(".lesson .eyebrow")).to_have_text(f"Learn: {number} of {steps}")


def send(page: Page, move: str) -> None:
    """Send exactly this move by the form that works without a script."""
    before = page.locator(".lesson-words").inner_text()
    page.evaluate(
        """async (move) => {
            const form = document.querySelector("form.compose");
            const body = new URLSearchParams(new FormData(form));
            body.set("move", move);
            await fetch(form.action, { method: "POST", body });
        }""",
        move,
    )
    page.wait_for_function(
        """(before) => document.querySelector(".lesson-words")?.innerText !== before""", arg=before
    )


@pytest.mark.parametrize("kind", some((*KINDS, GREAT_RACE), 1, "glows"), ids=lambda kind: kind.name)
def test_the_lesson_is_in_sight_up_to_its_end(browser: Browser, server: Server, kind: Kind) -> None:
    """What it suggests glows; later the learner decides; in the end a real race is one tap away."""
    context = browser.new_context(viewport={"width": 360, "height": 740}, reduced_motion="reduce")
    page = context.new_page()
    faults = watch(page)
    begin(page, server, kind)
    for n, (now, move) in enumerate(own_way(title(kind.name))):
        assert wait(page)
        step(page, now.step, kind)
        for text in (now.said, now.text):
            expect(page.locator(".lesson-words")).to_contain_text(str(text))
        glows = page.locator(SUGGESTED)
        assert bool(glows.count()) == (now.move is not None)
        words = glows.evaluate_all(
            "(all) => all.map((one) => one.closest('label, button, .gr-place'))"
            ".map((one) => `${one.ariaLabel} ${one.closest('.gr-place')?.textContent} ${one.textContent}`)"
        )
        assert all("suggested" in one for one in words)
        for width, height in (*sizes(str(now.text), {str(now.text)}, n), *ALSO[1:]):
            page.set_viewport_size({"width": width, "height": height})
            assert page.evaluate(LOST) == [], (now.step, width, height)
            assert page.evaluate(HIDDEN) == [], (now.step, width, height)
        if now.move is not None:
            page.set_viewport_size({"width": 360, "height": 740})
            follow(page)
        else:
            send(page, move)
    assert not wait(page)
    expect(page.locator("button.primary:visible")).to_have_text(["Now a real race"])
    page.get_by_role("button", name="Now a real race").click()
    assert wait(page)
    expect(page.locator(".lesson")).to_have_count(0)
    assert not faults
    context.close()


@titles("decides")
def test_what_the_learner_decides_is_explained(browser: Browser, server: Server, kind: Kind) -> None:
    """A move that nobody judges, a mistake and a weaker move."""
    context = browser.new_context(
        viewport={"width": 360, "height": 740}, reduced_motion="reduce", bypass_csp=True
    )
    page = context.new_page()
    faults = watch(page)
    begin(page, server, kind)
    assert wait(page)
    page.locator(".cards > label:not(.is-suggested, .is-refused)").first.click()
    page.locator(SEND).first.click()
    expect(page.locator("h1")).to_have_text("Take your move back, or play the suggestion.")
    expect(page.locator(".lesson-said")).to_contain_text("starts last" if kind is LACORSA else "would score")
    clean(page, "another move")
    page.get_by_role("button", name="Play the suggestion").click()
    assert wait(page)
    step(page, 2, kind)
    page.get_by_role("button", name="Take it back").click()
    step(page, 1, kind)
    for now, move in own_way(title(kind.name)):
        assert wait(page)
        if now.move is None:
            break
        follow(page) if now.step < 3 else send(page, move)
    wrong, weaker = ("3", "9") if kind is LACORSA else ("b60", "g130")
    send(page, wrong)
    expect(page.locator("h1")).to_have_text("Take your move back.")
    back = page.get_by_role("button", name="Take it back")
    expect(back).to_have_count(1)
    expect(back).to_be_in_viewport(ratio=1)
    expect(page.locator(".lesson-said")).to_contain_text("loses" if kind is LACORSA else "cannot see beat")
    clean(page, "a mistake")
    back.click()
    assert wait(page)
    step(page, now.step, kind)
    send(page, weaker)
    expect(page.locator(".lesson-said")).to_contain_text("That works, but")
    assert wait(page)
    step(page, now.step + 1, kind)
    expect(page.locator(".is-weaker .lesson-said")).to_contain_text("That works, but")
    assert page.evaluate(HIDDEN) == []
    assert not faults
    context.close()


def test_a_dimmed_card_says_what_it_does_and_why_it_waits(browser: Browser, server: Server) -> None:
    """In the lesson of The Great Race on a phone: beside the plan, and among the cards of a sequence."""
    page = browser.new_page(viewport={"width": 360, "height": 740}, reduced_motion="reduce")
    begin(page, server, GREAT_RACE)
    assert wait(page)
    follow(page)
    says, seen = page.locator("[data-why]"), set[str]()
    for place, wanted in ((".gr-tray", "plan 1-2-1-1"), (".is-cards", "scout")):
        expect(page.locator(f"{place} .is-refused")).to_have_count(1)
        page.locator(f"{place} .is-refused").click()
        expect(says).to_contain_text("Militia: avoids a danger. ")
        expect(page.locator("#live")).to_have_text(says.inner_text())  # an update would clear it
        updated(page)  # of the same question: it leaves the words there
        expect(says.locator("a")).to_be_in_viewport(ratio=1)
        seen.add(says.inner_text())
        send_plainly(page, [wanted])
        expect(says).to_be_hidden()
    assert len(seen) == 2
    page.close()


def test_a_move_on_a_small_map_asks_for_the_page_once(page: Page, server: Server) -> None:
    """The map of the lesson has no lanes. An empty part of a drawing is not taken for one that was left out:
    the page asked for itself without end.
    """
    begin(page, server, GREAT_RACE)
    assert wait(page)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(f"{request.resource_type} {request.method}"))
    follow(page)
    expect(page.locator(".lesson .eyebrow")).to_contain_text("Learn: 2 of")
    expect(page.locator("[data-still]:empty")).to_have_count(0)
    page.evaluate("fetch(location.href).then(() => fetch(location.href))")  # time for another request
    assert asked.count("fetch GET") < 6, asked  # an event may come before the move is answered
