"""A replay in a real browser: it plays, pauses, changes speed, steps in place, and links to its moments."""

from __future__ import annotations

import re
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from playwright.sync_api import Browser, Page, expect

from web.browser import KINDS, Kind, finished, frozen, new_table, panel, skip, titles, watch
from web.conftest import Server

BEAT = 1800  # ms for one step at normal speed


def at(page: Page) -> int:
    return int(page.locator("#at").input_value())


@titles("speeds")
def test_it_plays_and_pauses_at_its_speeds(page: Page, server: Server, kind: Kind) -> None:
    faults = watch(page)
    table = finished(page, server.url, kind)
    frozen(page)
    page.goto(f"{table}/replay")
    button = page.locator("[data-do=play]")
    expect(button).to_have_accessible_name("Play")
    button.click()
    expect(button).to_have_accessible_name("Pause")
    expect(page.locator("#at")).to_have_value("1")  # at once
    page.clock.run_for(BEAT - 1)
    assert at(page) == 1
    page.clock.run_for(1)
    expect(page.locator("#at")).to_have_value("2")
    page.get_by_text("×4", exact=True).click()
    page.clock.run_for(BEAT // 4)
    expect(page.locator("#at")).to_have_value("3")
    expect(page).to_have_url(re.compile(r"/replay\?step=3&eyes=all$"))
    expect(page.locator("#moment")).to_have_value(page.url)
    for width, height in ((640, 360), (844, 390)):  # a phone held sideways: the board and all buttons
        page.set_viewport_size({"width": width, "height": height})
        parts = page.locator("#status, .board > *, .steps > *, .paces label, .timeline, #at")
        for part in parts.filter(visible=True).all():
            expect(part).to_be_in_viewport(ratio=0.99)
    button.click()
    expect(button).to_have_accessible_name("Play")
    page.clock.run_for(10 * BEAT)
    assert at(page) == 3
    assert not faults


@titles("end")
def test_it_stops_at_the_end_and_begins_again(page: Page, server: Server, kind: Kind) -> None:
    table = finished(page, server.url, kind)
    page.goto(f"{table}/replay")
    page.locator("a[data-step=last]").click()
    expect(page.locator("a[data-step=forward]")).to_have_count(0)
    end = at(page)
    frozen(page)
    page.goto(f"{table}/replay?step={end - 1}")
    button = page.locator("[data-do=play]")
    button.click()
    expect(page.locator("#at")).to_have_value(str(end))
    expect(button).to_have_accessible_name("Play")
    button.click()
    expect(page.locator("#at")).to_have_value("0")


def test_arrows_step_in_place_and_end_playing(page: Page, server: Server) -> None:
    table = finished(page, server.url, KINDS[0])
    page.goto(f"{table}/replay")
    page.evaluate("window.same = true")
    for key, step in (("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1), ("Home", 0)):
        page.keyboard.press(key)
        expect(page.locator("#at")).to_have_value(str(step))
    page.keyboard.press("k")
    expect(page.locator("[data-do=play]")).to_have_accessible_name("Pause")
    page.keyboard.press("End")
    expect(page.locator("[data-do=play]")).to_have_accessible_name("Play")
    expect(page.locator("a[data-step=forward]")).to_have_count(0)
    panel(page, "hands")
    page.get_by_label("Whose view").select_option("Spectator")
    expect(page).to_have_url(re.compile("eyes=none$"))
    page.locator("#at").fill("2")
    page.locator("#at").press("Enter")
    expect(page).to_have_url(re.compile("step=2&eyes=none$"))
    assert page.evaluate("window.same")  # no page was loaded


def test_a_link_to_the_moment_is_copied(page: Page, server: Server) -> None:
    table = finished(page, server.url, KINDS[0])
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto(f"{table}/replay?step=4&eyes=2")
    panel(page, "more")
    page.get_by_role("button", name="Copy link to this moment").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == f"{table}/replay?step=4&eyes=2"


def test_it_works_without_scripts(browser: Browser, page: Page, server: Server) -> None:
    table = finished(page, server.url, KINDS[0])
    plain = browser.new_context(java_script_enabled=False).new_page()
    plain.goto(f"{table}/replay")
    plain.get_by_role("link", name="Next step").click()
    expect(plain).to_have_url(re.compile("step=1"))
    plain.locator("#at").fill("3")
    plain.get_by_role("button", name="Go", exact=True).click()
    expect(plain).to_have_url(re.compile("step=3"))
    expect(plain.locator("[data-do=play]")).to_be_hidden()
    plain.context.close()


# A frame on another site


class Club(BaseHTTPRequestHandler):
    """A page of another site: whatever its server is told to show."""

    def do_GET(self) -> None:
        """Answer every request with the page."""
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(self.server.page.encode())

    def log_message(self, *words: object) -> None:
        """Log nothing."""


@pytest.fixture
def club() -> Iterator[ThreadingHTTPServer]:
    """Another site."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Club)
    Thread(target=server.serve_forever, daemon=True).start()
    yield server
    server.shutdown()


@pytest.fixture
def framing(tmp_path: Path, club: ThreadingHTTPServer, request: pytest.FixtureRequest) -> Iterator[Server]:
    """A server that lets the other site show its tables."""
    server = Server(tmp_path, PADDOCK_EMBED=f"http://127.0.0.1:{club.server_port}")
    server.deal(request.node.nodeid)
    yield server
    server.kill()


def test_only_the_allowed_site_shows_the_table_live(
    browser: Browser, page: Page, framing: Server, club: ThreadingHTTPServer
) -> None:
    new_table(page, framing.url, 1, kind=KINDS[0])
    panel(page, "more")
    page.get_by_role("button", name="Allow other sites to show this table").click()
    club.page = page.locator("#frame").input_value()
    visitor = browser.new_context()
    allowed, other = visitor.new_page(), visitor.new_page()
    allowed.goto(f"http://127.0.0.1:{club.server_port}/")
    with other.expect_event("console", lambda message: "frame-ancestors" in message.text):
        other.goto(f"http://localhost:{club.server_port}/")
    frame = allowed.frame_locator("iframe")
    expect(frame.locator("#status")).to_contain_text("Qualifying")
    expect(other.frame_locator("iframe").locator("#status")).to_have_count(0)
    skip(page)
    expect(frame.locator("[data-do=play]")).to_be_visible()  # the game is over: now it is a replay
    frame.locator("[data-step=first]").click()
    expect(frame.locator("[data-step=first]")).to_have_count(0)
    frame.locator("[data-step=forward]").click()
    expect(frame.locator("[data-step=first]")).to_be_visible()
    faults = watch(allowed)
    allowed.reload()  # a frame that begins as a replay
    frame.locator("[data-do=play]").click()  # at the end: it begins again
    expect(frame.locator("[data-step=last]")).to_be_visible()
    assert not faults
    assert [cookie["name"] for cookie in visitor.cookies()] == ["confirm"]
    visitor.close()


def test_it_jumps_by_chapters(page: Page, server: Server) -> None:
    """To the next lap, back to its beginning, and to any lap of the list; also by the keys [ and ], and
    by the timeline, which says where it would lead."""
    table = finished(page, server.url, KINDS[0])
    page.goto(f"{table}/replay")
    laps = page.locator("#chapter option")
    starts = [int(laps.nth(i).get_attribute("value") or "") for i in range(laps.count())]
    assert laps.all_inner_texts()[:3] == ["Qualifying", "Lap 1 begins", "Lap 2 begins"]
    assert starts == sorted(set(starts)) and len(starts) > 4
    for press, step in (
        (lambda: page.locator("a[data-step=later]").click(), starts[1]),
        (lambda: page.keyboard.press("]"), starts[2]),
        (lambda: page.keyboard.press("ArrowRight"), starts[2] + 1),
        (lambda: page.keyboard.press("["), starts[2]),
        (lambda: page.keyboard.press("["), starts[1]),
        (lambda: page.locator("#chapter").select_option("Lap 5 begins"), starts[5]),
    ):
        press()
        expect(page.locator("#at")).to_have_value(str(step))
        here = max(start for start in starts if start <= step)
        expect(page.locator("#chapter")).to_have_value(str(here))
    slider = page.get_by_role("slider", name="Step")
    place = slider.bounding_box()
    assert place
    x = place["x"] + 11 + (place["width"] - 22) * starts[2] / int(slider.get_attribute("max") or "")
    page.mouse.move(x + 4, place["y"] + 20)  # near enough to the beginning of the lap
    expect(page.locator(".told")).to_have_text(re.compile(f"^{starts[2]} of .* · Lap 2 begins$"))
    page.mouse.down()
    page.mouse.up()
    expect(page.locator("#at")).to_have_value(str(starts[2]))
    page.keyboard.press("ArrowRight")
    expect(page.locator("#at")).to_have_value(str(starts[2] + 1))
    expect(slider).to_have_attribute("aria-valuetext", re.compile(f"^{starts[2] + 1} of .* · Lap 2 begins$"))


def test_a_timeline_without_spoilers_is_as_long_as_what_was_seen(page: Page, server: Server) -> None:
    page.goto(f"{finished(page, server.url, KINDS[0])}/replay?step=2&spoilers=no")
    slider = page.get_by_role("slider", name="Step")
    expect(slider).to_have_attribute("max", "2")
    expect(page.locator(":is(.is-chapter, .is-round, .is-swing)")).to_have_count(0)
    page.keyboard.press("ArrowRight")
    expect(slider).to_have_attribute("max", "3")
    expect(page.locator("#live")).not_to_contain_text("Race 1")  # only what is new is announced
    page.keyboard.press("ArrowLeft")
    expect(slider).to_have_value("2")
    expect(slider).to_have_attribute("max", "3")
