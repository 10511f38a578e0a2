"""The page «Watch» in a browser: boards move by one stream, and nothing else on the page does."""

from __future__ import annotations

import json
import re

from playwright.sync_api import Browser, Locator, Page, Route, expect

from web.browser import post, watch
from web.conftest import Server
from web.helpers import forms
from web.stage import SHIFTS


def begin(host: Page, friend: Page, url: str) -> str:
    """Begin a listed race of two people and two bots; return its address."""
    asked = {"title": "lacorsa", "races": 1, "drivers": 4, "pace": "instant", "listed": "yes", "who-1": "me"}
    asked |= {"who-2": "open", "name-1": "Ana"} | {f"who-{n}": "rookie" for n in range(3, 7)}
    link = post(host, f"{url}tables", **asked)
    post(friend, f"{link}/seats", do="claim", player=1, name="Ben")
    post(friend, f"{link}/seats", do="ready", player=1)
    post(host, f"{link}/seats", do="ready", player=0)
    return link


def play(page: Page, link: str) -> None:
    """Make the first move of this person."""
    (form, *_others) = forms(page.request.get(link).text())
    post(page, f"{link}/move", **form.data())


def place(page: Page, link: str) -> Locator:
    """Return the board of a table."""
    return page.locator(f"#live-{link.rpartition('/')[2]}")


def test_boards_move_and_nothing_else_does(browser: Browser, server: Server) -> None:
    """Without scripts the page has the boards as they are now."""
    contexts = [browser.new_context(viewport={"width": 1024, "height": 768}) for _who in range(3)]
    contexts.append(browser.new_context(java_script_enabled=False))
    try:
        host, friend, reader, plain = (context.new_page() for context in contexts)
        reader.add_init_script(SHIFTS)
        faults = watch(reader)
        opened: list[str] = []
        reader.on("request", lambda asked: opened.append(asked.url) if "stream" in asked.url else None)
        links = [begin(host, friend, server.url) for _table in range(2)]
        reader.goto(f"{server.url}watch")
        for link in links:
            board = place(reader, link)
            before = board.get_attribute("data-digest")
            play(host, link)
            play(friend, link)
            expect(board).not_to_have_attribute("data-digest", before or "")
            expect(board.locator(".board > svg.is-compact")).to_be_visible()
        third = begin(host, friend, server.url)
        expect(place(reader, third)).to_be_visible()
        assert len(opened) == 1 and faults == []
        assert sum(shift[0] for shift in reader.evaluate("shifts")) < 0.1
        assert reader.evaluate("document.documentElement.scrollWidth <= innerWidth")
        plain.goto(f"{server.url}watch")
        expect(place(plain, third).locator(".board > svg.is-compact")).to_be_visible()
        place(reader, third).locator("h2 a").click()
        expect(reader).to_have_url(re.compile(re.escape(third)))
        expect(reader.locator(".is-watching")).to_be_visible()
    finally:
        for context in contexts:
            context.close()


def test_a_stream_that_breaks_begins_with_what_the_page_shows_now(browser: Browser, server: Server) -> None:
    """Also: the first board of a title brings its drawings, a game that is only gone is not over."""
    reader = browser.new_page()
    board = {
        "id": "x",
        "title": "lacorsa",
        "digest": "0123",
        "html": "<article class='live-board'></article>",
    }
    told = [{"all": ["x", "y"], "over": [], "changed": [board, board | {"id": "y"}]}]
    told += [{"all": [], "over": ["x"], "changed": []}]
    opened: list[str] = []

    def answer(route: Route) -> None:
        opened.append(route.request.url)
        events = "".join(f"data: {json.dumps(news)}\n\n" for news in told[len(opened) - 1 :][:1])
        route.fulfill(content_type="text/event-stream", body=f"retry: 100\n\n{events}")

    try:
        reader.route("**/watch/stream?*", answer)
        reader.goto(f"{server.url}watch")
        expect(reader.locator("#live-x")).to_have_class("is-over")
        expect(reader.locator("#live-y")).to_have_count(0)
        assert "x.0123,y.0123" in opened[1]
        assert reader.locator("[data-sprite=lacorsa] symbol").count()
    finally:
        reader.context.close()


def test_a_tv_whose_table_is_gone_shows_another_one(browser: Browser, server: Server) -> None:
    contexts = [browser.new_context() for _who in range(3)]
    try:
        host, friend, tv = (context.new_page() for context in contexts)
        link = begin(host, friend, server.url)
        tv.goto(f"{link}/tv")
        tv.route(f"{link}/tv*", lambda route: route.fulfill(status=404))
        tv.route("**/watch/tv*", lambda route: route.fulfill(body="another one"))
        tv.evaluate("dispatchEvent(new Event('offline'))")  # as when the stream is refused
        expect(tv.get_by_text("another one")).to_be_visible()
    finally:
        for context in contexts:
            context.close()
