"""A review in a real browser: a note with an arrow that is drawn by touch, and a friend who is followed."""

from __future__ import annotations

import re

from playwright.sync_api import Browser, expect

from web.browser import watch
from web.conftest import Server
from web.test_browser_access import clean
from web.test_browser_analysis import upload


def test_an_arrow_is_drawn_kept_and_seen_by_a_friend_who_follows(browser: Browser, server: Server) -> None:
    context = browser.new_context(bypass_csp=True, reduced_motion="reduce")
    page = context.new_page()
    faults = watch(page)
    page.goto(f"{upload(page, server.url)}?step=2")
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
