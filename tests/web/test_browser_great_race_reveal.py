"""The Great Race in a real browser: what happened last is played step by step, and half-tracks drive."""

from __future__ import annotations

from playwright.sync_api import Browser, Page, expect

from paddock.games.great_race import learn
from web.browser import SEND, watch
from web.conftest import Server

SEEN = """
window.moved = [];
const animate = Element.prototype.animate;
Element.prototype.animate = function (...given) {
    window.moved.push(this.id || this.dataset.entry || this.parentElement?.id || "");
    return animate.apply(this, given);
};
"""


def play(page: Page, turns: int) -> None:
    """Send the first move of the list of every decision, by the form that works without a script."""
    for _n in range(turns):
        page.wait_for_selector("#state[data-turn=yes] ~ *, form.compose select", state="attached")
        before = page.locator("form.compose input[name=decision]").first.input_value()
        page.evaluate(
            """async () => {
            const form = document.querySelector("form.compose");
            const body = new URLSearchParams(new FormData(form));
            const all = [...form.querySelectorAll("select[name=move] option")].map((one) => one.value);
            const first = (start) => all.find((one) => one.startsWith(start));
            const wanted = ["drive", "take", "pass", "plan 0-5"].map(first).find(Boolean);
            body.set("move", wanted ?? all.at(-1));
            await fetch(form.action, {method: "POST", body});
        }"""
        )
        page.wait_for_function(
            """(before) => {
                const now = document.querySelector("form.compose input[name=decision]");
                return now && now.value !== before;
            }""",
            arg=before,
        )


def test_what_happened_last_is_played_and_half_tracks_drive(browser: Browser, server: Server) -> None:
    context = browser.new_context(viewport={"width": 1280, "height": 720})
    context.add_init_script(SEEN)
    page = context.new_page()
    faults = watch(page)
    people = "players=3&who-1=me&who-2=club&who-3=club&pace=instant&finish=OK"
    page.goto(f"{server.url}new/great_race?{people}")
    page.get_by_role("button", name="Start the race").click()
    page.wait_for_url("**/t/*")
    play(page, 6)
    expect(page.locator("[data-reveal] .gr-reveal li").first).to_be_visible()
    moved = set(page.evaluate("window.moved"))
    assert any(name.startswith("gr-car-") for name in moved)
    assert any(name.startswith("gr-far-") for name in moved)
    assert any(name.isdigit() for name in moved)
    assert faults == []
    context.close()


def test_following_what_the_lesson_suggests_wins_the_race(browser: Browser, server: Server) -> None:
    """Each press, card and button that is suggested glows; a plan is counted into its boxes."""
    context = browser.new_context(viewport={"width": 360, "height": 740}, reduced_motion="reduce")
    page = context.new_page()
    faults = watch(page)
    page.goto(f"{server.url}learn/great_race")
    expect(page.locator("h1")).to_have_text("Learn The Great Race in 10 minutes")
    page.get_by_role("button", name="Start the lesson").click()
    page.wait_for_url("**/t/*")
    for n, idea in enumerate(learn.IDEAS, 1):
        expect(page.locator(".lesson .eyebrow")).to_have_text(f"Learn: {n} of {len(learn.IDEAS)}")
        expect(page.locator(".lesson")).to_contain_text(idea.text)
        if idea.move.startswith("plan"):
            for box, count in enumerate(idea.move.removeprefix("plan ").split("-")):
                for _one in range(int(count)):
                    page.locator(".gr-place").nth(box).locator("[data-by='1']").click()
            page.locator(SEND).first.click()
        else:
            button = page.locator(".actionbar .is-suggested:visible[aria-disabled=false]")
            glows = page.locator(".a-hand .is-suggested:not(.actionbar *):visible")
            expect(button.or_(glows).first).to_be_visible()
            if glows.count():
                glows.first.click()
                page.locator(SEND).first.click()
            else:
                button.click()
    expect(page.locator("a[href$='/replay']").first).to_be_attached()
    assert faults == []
    context.close()
