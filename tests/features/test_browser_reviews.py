"""A review in a real browser: a note with an arrow that is drawn by touch, and a friend who is followed."""

from __future__ import annotations

import re

from playwright.sync_api import Browser, Page, expect

from web.browser import frozen, upload, watch
from web.conftest import Server
from web.test_browser_access import clean

RUNNING = """() => {
    document.getElementById("analysis").dataset.analysis = "running"; // a real one could be over too soon
    window.again = new Promise((go) => document.addEventListener("replayed", go));
}"""


def test_an_arrow_is_drawn_kept_and_seen_by_a_friend_who_follows(browser: Browser, server: Server) -> None:
    context = browser.new_context(bypass_csp=True, reduced_motion="reduce")
    page = context.new_page()
    faults = watch(page)
    page.goto(f"{upload(page, server.url)}?step=2")
    page.locator("[data-tab=reviews]").click()
    page.get_by_text("Write a note").click()
    page.get_by_label("Your name").fill("Ana")
    page.get_by_label("What do you think of this moment?").fill("Here!")
    page.get_by_role("button", name="Draw on the board").click()
    cars = page.locator(".board [data-piece]:not([data-flat]):visible")
    for car in (cars.nth(0), cars.nth(1)):
        car.click()
    expect(page.locator(".drawing")).to_have_text(re.compile(r".+ → .+"))
    expect(page.locator("#drawn .is-head")).to_have_count(1)
    clean(page, "writing a note")
    page.get_by_role("button", name="Save the note").click()
    expect(page.locator(".notes li")).to_have_text(re.compile("Ana:.*Here!.*Arrow: ", re.DOTALL))
    expect(page.locator("#drawn .is-head")).to_have_count(1)

    for width in (360, 1280):  # the layer of the arrows is as high as the page, also when that becomes lower
        page.set_viewport_size({"width": width, "height": 720})
        page.wait_for_function("document.documentElement.scrollHeight === document.body.offsetHeight")

    page.get_by_role("button", name="Review together with friends").click()
    invited = page.locator("#join").input_value()
    friend = browser.new_context(bypass_csp=True, reduced_motion="reduce").new_page()
    faults_there = watch(friend)
    friend.goto(invited)
    expect(friend).to_have_url(re.compile(r"step=0&spoilers=no"))
    expect(friend.locator(".notes")).to_have_count(0)  # it is on a later moment
    page.get_by_role("button", name="Follow").click()
    expect(page).to_have_url(re.compile(r"step=0&"))
    friend.locator("a[data-step=forward]").click()
    expect(page).to_have_url(re.compile(r"step=1&"))
    friend.locator("a[data-step=forward]").click()
    expect(page).to_have_url(re.compile(r"step=2&"))
    expect(friend.locator("#drawn .is-head")).to_have_count(1)
    assert faults == faults_there == []


def test_a_note_is_stored_at_the_moment_that_is_shown(page: Page, server: Server) -> None:
    """After steps in place. What is written and drawn stays, and the lists offer what is there now."""
    page.goto(f"{upload(page, server.url)}?step=0")
    page.locator("[data-tab=reviews]").click()
    page.get_by_text("Write a note").click()
    text, mark = page.get_by_label("What do you think of this moment?"), page.get_by_label("Mark", exact=True)
    text.fill("Here!")
    mark.select_option("piece 1")
    page.get_by_role("button", name="Draw on the board").click()
    for car in page.locator(".board [data-piece]:not([data-flat]):visible").all()[:2]:
        car.click()
    drawn = page.locator("#drawn .is-head")
    expect(drawn).to_have_count(1)
    places = mark.locator("option").all_text_contents()
    page.locator("a[data-step=last]").click()
    expect(page).to_have_url(re.compile("step=[^0]"))
    expect(page.locator("#writing")).to_have_attribute("open", "")
    expect(text).to_have_value("Here!")
    expect(mark).to_have_value("piece 1")
    expect(drawn).to_have_count(1)
    end, offered = page.url, mark.locator("option").all_text_contents()
    page.get_by_label("Your name").fill("Ana")
    page.get_by_role("button", name="Save the note").click()
    expect(page).to_have_url(f"{end}#notes")
    expect(page.locator(".notes li")).to_have_text(re.compile("Ana:.*Here!.*Arrow: .*Marked: ", re.DOTALL))
    assert mark.locator("option").all_text_contents() == offered != places


def test_an_arrow_is_drawn_while_an_analysis_runs(page: Page, server: Server) -> None:
    """Although the page looks again at how far it is."""
    page.route("**/review/stream?*", lambda route: route.abort())
    replay = upload(page, server.url)
    frozen(page)
    page.goto(f"{replay}?step=2")
    page.locator("[data-tab=reviews]").click()
    page.get_by_text("Write a note").click()
    page.get_by_role("button", name="Draw on the board").click()
    cars = page.locator(".board [data-piece]:not([data-flat]):visible")
    cars.nth(0).click()
    told: list[str] = []
    page.on("request", lambda request: told.append(request.url) if request.url.endswith("/look") else None)
    page.evaluate(RUNNING)
    page.clock.run_for(1000)
    page.evaluate("async () => { await window.again; }")
    cars.nth(1).click()
    expect(page.locator("#drawn .is-head")).to_have_count(1)
    assert not told  # friends still see at what one points


def test_a_review_listens_again_after_a_refusal(page: Page, server: Server) -> None:
    replay = upload(page, server.url)
    stream, answers = "/review/stream?step=2&", list[int]()
    page.on("response", lambda got: answers.append(got.status) if stream in got.url else None)
    page.route(lambda url: stream in url, lambda route: route.fulfill(status=502), times=1)
    frozen(page)
    page.goto(f"{replay}?step=2")
    while len(answers) < 2:
        page.clock.run_for(1000)
        page.wait_for_timeout(10)
    assert answers == [502, 200]
