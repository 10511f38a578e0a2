"""The Great Race in a real browser: what happened last is played step by step, and half-tracks drive."""

from __future__ import annotations

import re

from playwright.sync_api import Browser, Page, expect

from paddock.games.great_race.words import learn
from sampling import count
from web.browser import SEND, post, send_plainly, watch
from web.conftest import Server

THREE = {"title": "great_race", "players": 3, "pace": "instant", "finish": "OK"}
THREE |= {"who-1": "me", "who-2": "club", "who-3": "club"}
SEEN = """
window.moved = [];
const animate = Element.prototype.animate;
Element.prototype.animate = function (...given) {
    window.moved.push(this.id || this.dataset.entry || this.parentElement?.id || "");
    return animate.apply(this, given);
};
"""
MOVED = "(kind) => window.moved.some((name) => new RegExp('^' + kind).test(name))"  # drive.js is loaded late


def play(page: Page, turns: int) -> None:
    """Send the first move of the list of every decision, by the form that works without a script."""
    for _n in range(turns):
        page.wait_for_selector("#state[data-turn=yes] ~ *, form.compose select", state="attached")
        before = page.locator("form.compose input[name=decision]").first.input_value()
        send_plainly(page, ("drive", "take", "pass", "plan 0-5"))
        page.wait_for_function(
            """(before) => {
                const now = document.querySelector("form.compose input[name=decision]");
                return now && now.value !== before;
            }""",
            arg=before,
        )


def test_what_happened_last_is_played_and_half_tracks_drive(browser: Browser, server: Server) -> None:
    context = browser.new_context(viewport={"width": 1280, "height": 720}, reduced_motion="no-preference")
    context.add_init_script(SEEN)
    page = context.new_page()
    faults = watch(page)
    page.goto(post(page, f"{server.url}tables", **THREE))
    play(page, 6)
    expect(page.locator("[data-reveal] .gr-reveal li").first).to_be_visible()
    for kind in ("gr-car-", "gr-far-", "[0-9]+$"):
        page.wait_for_function(MOVED, arg=kind)
    assert faults == []
    context.close()


def test_what_the_lesson_suggests_glows(browser: Browser, server: Server) -> None:
    """Each press, card, space and button that is suggested glows; a plan is counted into its boxes.

    That is so until the learner decides; a sample ends sooner.
    """
    context = browser.new_context(viewport={"width": 360, "height": 740}, reduced_motion="reduce")
    page = context.new_page()
    faults = watch(page)
    page.goto(f"{server.url}learn/great_race")
    expect(page.locator("h1")).to_have_text("Learn The Great Race in 13 minutes")
    page.get_by_role("button", name="Start the lesson").click()
    page.wait_for_url("**/t/*")
    for n, idea in enumerate(learn.IDEAS[: count(5, 9)], 1):
        expect(page.locator(".lesson .eyebrow")).to_have_text(f"Learn: {n} of {len(learn.IDEAS)}")
        expect(page.locator(".lesson")).to_contain_text(str(idea.text))
        if idea.move.startswith("plan"):
            page.locator(".gr-place").nth(3).locator("[data-by='1']").click(click_count=3)  # too many
            for _one in range(12):
                if not (more := page.locator(".gr-place .is-suggested")).count():
                    break
                fewer = page.locator(".gr-place .is-suggested[data-by='-1']")
                (fewer if fewer.count() else more).first.click()
            assert page.locator("[data-unplaced]").text_content() == "0"  # no clock counts it
            expect(page.locator(SEND).first).to_be_visible()
            page.locator(SEND).first.click()
        elif page.locator(".gr-go.is-suggested").count():
            page.locator(".gr-go.is-suggested").click()
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
    expect(page.locator(".lesson .eyebrow")).to_have_text(re.compile(r"Learn: (6|10) of"))
    assert faults == []
    context.close()


WAY = """
async (main) => {
    const { pieces } = await import(main.replace("main.js", "board.js"));
    const { drive } = await import(main.replace("main.js", "drive.js"));
    document.body.innerHTML = `<svg viewBox="0 0 100 100" width="500" height="500">${
        ["car", "far"].map((kind) => `<g id="gr-${kind}-1" data-piece="1" data-flat
            ${kind === "car" ? "data-roams" : ""}
            transform="translate(10 10)"><rect width="5" height="5"/></g>`).join("")}</svg>
        <p id="board-says"></p><ol>${["1@20,20", "0", "1@40,10", "1@30,30"].map((moves, i) =>
        `<li data-moves="${moves}"><span></span><span>step ${i}</span></li>`).join("")}</ol>`;
    const frames = {};
    Element.prototype.animate = function (given) {
        if (this.id) frames[this.id] = given.map((one) => one.transform);
        return { finish() {} };
    };
    const before = pieces();
    for (const one of before.values()) one.element.setAttribute("transform", "translate(50 50)");
    drive(before, pieces(), [...document.querySelectorAll("li")], 0, 1);
    const says = [...document.querySelectorAll("#board-says span")].map((one) => one.textContent);
    return [frames["gr-car-1"], frames["gr-far-1"], says];
}
"""


def test_a_half_track_goes_from_space_to_space(browser: Browser, server: Server) -> None:
    page = browser.new_page()
    page.goto(f"{server.url}rules/great_race")
    main = page.locator("script[src$='main.js']").evaluate("(script) => script.src")
    car, token, says = page.evaluate(WAY, main)

    def places(frames: list[str]) -> list[str]:
        spots = [one.removeprefix("matrix(1,0,0,1,").removesuffix(")") for one in frames]
        return [one for n, one in enumerate(spots) if not n or one != spots[n - 1]]

    assert places(car) == ["10,10", "20,20", "40,10", "50,50"]  # it ends where the new page has it
    assert places(token) == ["10,10", "50,50"]
    assert says == ["step 0", "step 1", "step 2", "step 3"]
    page.close()


CHAIN = """
async (main) => {
    const { news } = await import(main.replace("main.js", "reveal.js"));
    const { pieces } = await import(main.replace("main.js", "board.js"));
    const table = document.createElement("div");
    table.innerHTML = `<svg viewBox="0 0 100 100" width="500" height="500"><g id="gr-car-1"
        data-piece="1" data-flat data-roams transform="translate(10 10)"><rect width="5" height="5"/></g>
        </svg><p id="board-says"></p><div class="story"><ol></ol></div><p data-back></p>`;
    document.body.append(table);
    const car = table.querySelector("g"), frames = [], hits = [];
    Element.prototype.animate = function (given, how) {
        if (this === car) (how.composite === "add" ? hits : frames).push(given.map((one) => one.transform));
        return { finish() {} };
    };
    const to = (place) => { const stood = pieces(); car.setAttribute("transform", place); return stood; };
    news();
    await import(main.replace("main.js", "drive.js"));
    news(to("translate(15 15)"));
    await new Promise((go) => setTimeout(go)); // the first movement waits for its module
    news(to("translate(20 20)")); // two steps are chosen, and shown before they are sent
    news(to("translate(30 30)"));
    frames.length = 0;
    table.querySelector("[data-back]").remove();
    table.querySelector("ol").innerHTML = ["1@20,20", "1@30,30", "1!"].map((moves, n) =>
        `<li data-n="${n}" data-moves="${moves}"><span></span><span>step ${n}</span></li>`).join("");
    news(to("translate(30 30)")); // sent at once
    return [frames.flat(), hits.length];
}
"""


def test_a_drive_that_was_sent_at_once_is_driven_from_its_start(browser: Browser, server: Server) -> None:
    """The page showed the half-track at the end of its way before it was sent."""
    page = browser.new_page(reduced_motion="no-preference")
    page.goto(f"{server.url}rules/great_race")
    main = page.locator("script[src$='main.js']").evaluate("(script) => script.src")
    frames, hits = page.evaluate(CHAIN, main)
    spots = [one.removeprefix("matrix(1,0,0,1,").removesuffix(")") for one in frames]
    assert [one for n, one in enumerate(spots) if not n or one != spots[n - 1]] == ["10,10", "20,20", "30,30"]
    assert hits == 1, "damage has its moment"
    page.close()


def test_the_aid_is_a_tap_away(browser: Browser, server: Server) -> None:
    page = browser.new_page(viewport={"width": 360, "height": 740}, reduced_motion="reduce")
    page.goto(post(page, f"{server.url}tables", **THREE))
    for _n in range(20):
        page.wait_for_selector("form.compose select", state="attached")
        if page.locator("[data-aid]").count():
            break
        play(page, 1)
    page.get_by_role("button", name="What cards and tiles do").click()
    expect(page.locator("#aid-h")).to_be_in_viewport()
    page.close()
