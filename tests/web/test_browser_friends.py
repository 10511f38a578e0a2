"""Friends in several browsers: from the lobby to the podium, chat, notifications, phones and axe."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

from playwright.sync_api import Browser, Page, expect

from sampling import WHOLE, count, some
from web.browser import (
    ASKED,
    OVER,
    PLAYABLE,
    SEND,
    answered,
    hurry,
    network,
    newest,
    panel,
    play_on,
    post,
    watch,
)
from web.conftest import Server
from web.test_browser_access import clean_in_both

NAMES = ("Ana", "Ben", "Cleo")
LOBBY = {"drivers": 4, "pace": "instant", "name-1": NAMES[0]}
LOBBY |= {"who-2": "open", "who-3": "open", "who-4": "rookie"}
BOT: Any = {"who-3": "rookie"}  # instead of the third friend
PAIRS: dict[str, Any] = LOBBY | {"races": 1, "pairs": "yes", "clock": "300+5"}


@contextmanager
def friends(browser: Browser, n: int, **options: Any) -> Iterator[list[Page]]:
    """A page for each friend, each with its own cookies."""
    with ExitStack() as stack:
        pages = []
        for _ in range(n):
            context = browser.new_context(**options)
            stack.callback(context.close)
            page = context.new_page()
            stack.callback(page.unroute_all, behavior="ignoreErrors")
            pages.append(page)
        yield pages


def gather(pages: list[Page], url: str, title: str, **asked: Any) -> str:
    """Open a lobby, seat everybody and let them be ready: by requests, for tests of something else; return
    the link."""
    link = claim(pages, url, title, **asked)
    be_ready(pages, link)
    return link


def claim(pages: list[Page], url: str, title: str, **asked: Any) -> str:
    """Open a lobby and seat everybody by requests; return the link."""
    link = post(pages[0], f"{url}tables", title=title, **asked)
    for player, page in enumerate(pages[1:], 1):
        post(page, f"{link}/seats", do="claim", player=player, name=NAMES[player])
    return link


def be_ready(pages: list[Page], link: str) -> None:
    """Let everybody be ready by requests, which start the game."""
    for player, page in enumerate(pages):
        post(page, f"{link}/seats", do="ready", player=player)


def begin(pages: list[Page], url: str, **more: Any) -> str:
    """Seat everybody by requests, which start the game, and open it; return the link."""
    link = gather(pages, url, "lacorsa", **LOBBY | more)
    for page in pages:
        page.goto(link)
    for page in pages:
        page.wait_for_selector("form.compose")
    return link


def turn(page: Page, card: int | None = None) -> bool:
    """Make a move if one is due; return False if the game is over.

    Without a ``card`` the number of the decision says which: then it does not matter who is faster.
    """
    if page.locator(OVER).count():
        return False
    if not page.locator(ASKED).count():
        page.wait_for_timeout(20)
    else:
        form = page.locator(".ask:not(:has(.change)) form.compose").first
        if not form.count():
            return True
        cards = form.locator(PLAYABLE)
        if card is None:
            card = int(form.locator("[name=decision]").input_value())
        cards.nth(card % cards.count()).click()
        form.locator(SEND).first.click()
        answered(page)
    return True


def race(pages: list[Page], rounds: int = 10_000) -> bool:
    """Play at most this many rounds; return whether the game is still running."""
    for _ in range(rounds):
        on = [turn(page) for page in pages]
        if not any(on):
            return False
    return True


def test_a_championship_of_three_browsers_and_a_bot(browser: Browser, server: Server) -> None:
    with friends(browser, 4) as (*pages, phone):
        faults = [watch(page) for page in pages[:1]]
        link = claim(pages, server.url, "lacorsa", **LOBBY | {"races": count(1, 2), "grace": 3})
        for page in pages:
            page.goto(link)  # into the lobby: who is late for the game is absent
        be_ready(pages, link)
        for page in pages:
            page.wait_for_selector("form.compose")
        ana, ben, cleo = pages
        rounds = count(1, 3)
        race(pages, rounds)

        ana.reload()  # shows the same hand, and first what happened since
        ana.wait_for_selector(".tower")
        race(pages, rounds)

        network(cleo.context, up=False)
        expect(cleo.locator("#connection")).to_be_visible()
        while not ana.locator("#p-3", has_text="a bot stands in").count():
            assert race([ana, ben], 1)
            ana.wait_for_timeout(100)
        network(cleo.context, up=True)
        expect(cleo.locator("#connection")).to_be_hidden()
        newest(cleo)  # else she answers a question that the bot has answered
        expect(ana.locator("#p-3")).not_to_contain_text("a bot stands in")
        race(pages, rounds)

        panel(ben, "more")
        ben.locator("#people").get_by_text("My seat").click()
        ben.get_by_role("button", name="Move to another device").click()
        ben.wait_for_selector(".qr")
        recovery = ben.locator("#invite").input_value()
        ben.goto(link)
        phone.goto(recovery)
        phone.get_by_role("button", name="Take my seat here").click()
        phone.wait_for_url(link)
        expect(ben.locator("#main")).to_contain_text("You are watching")
        expect(phone.locator("#p-2")).to_contain_text("you")

        seated = [ana, phone, cleo]
        if WHOLE:
            hurry(*seated)
        else:
            for page in (phone, cleo):
                page.goto("about:blank")
            play_on(link, *seated)
            for page in (phone, cleo):
                page.goto(link)
        for page in [*seated, ben]:
            expect(page.locator("h1")).to_have_text(re.compile("champion|wins the race|share the"))
        ana.get_by_role("button", name="Rematch").click()
        ana.wait_for_url(lambda url: url != link)
        expect(phone.get_by_role("link", name="Go to the rematch")).to_be_visible()
        assert not any(faults)


def shown(page: Page) -> str:
    """Return the page without the keys of its forms, which are new each time."""
    return re.sub(r'name="key" value="[^"]*"', "", page.locator("#main").inner_html())


def test_nobody_else_sees_a_changed_commitment(browser: Browser, server: Server) -> None:
    with friends(browser, 2, reduced_motion="reduce") as pages:
        ana, ben = pages
        begin(pages, server.url, races=1, **BOT)
        asked: list[str] = []
        ben.on("request", lambda request: asked.append(request.url))
        turn(ana, 0)
        for car in (1, 3, 4):  # and the bots have committed: nothing else is pending
            expect(ben.locator(f"[data-row=car-{car}]")).to_contain_text("committed")
        newest(ben)  # pending updates have arrived
        before, asked[:] = shown(ben), []
        for card in (3, 5, 1):
            if not ana.locator(".ask .change[open]").count():
                ana.locator(".ask .change summary").first.click()
            ana.locator("form.compose .cards label").nth(card).click()
            ana.locator("form.compose").first.locator(SEND).first.click()
            answered(ana)
        ben.wait_for_timeout(600)
        assert not asked
        assert shown(ben) == before


def test_chat_sound_and_notifications(browser: Browser, server: Server) -> None:
    script = """
    window.signs = [];
    window.Notification = class { constructor(title) { signs.push(title); } close() {} };
    Notification.permission = "granted";
    Notification.requestPermission = async () => "granted";
    window.AudioContext = class extends AudioContext { constructor() { super(); signs.push("audio"); } };
    """
    with friends(browser, 2) as pages:
        ana, ben = pages
        ben.add_init_script(script)
        begin(pages, server.url, races=1, **BOT)
        for page in (ana, ben):
            panel(page, "talk")
        ana.locator("#say").fill("half a thought")
        ben.locator("#say").fill("Hello <b>you</b>")
        ben.keyboard.press("Enter")
        expect(ana.locator("#live")).to_contain_text("Hello")
        expect(ana.locator(".said")).to_contain_text("Ben: Hello <b>you</b>")
        expect(ben.locator("#say")).to_have_value("")
        expect(ana.locator("#say")).to_have_value("half a thought")  # updates keep typed text

        ben.locator(".menu summary").click()
        for name in ("sound", "notify"):
            ben.locator(f"input[name={name}][value=on]").check(force=True)
        ben.locator(".menu summary").click()
        turn(ben, 0)
        assert not ben.title().startswith("● Your turn")
        ben.evaluate(
            """() => { Object.defineProperty(document, "hidden", { get: () => true });
            document.dispatchEvent(new Event("visibilitychange")); }"""
        )
        while not ben.title().startswith("● Your turn"):
            assert race([ana], 1)
            ana.wait_for_timeout(100)
        signs = ben.evaluate("signs")
        assert "audio" in signs
        assert any(sign.startswith("● Your turn") for sign in signs)


def test_friends_on_phones_never_scroll_sideways_and_axe_finds_nothing(
    browser: Browser, server: Server
) -> None:
    """In a sample axe looks at three places."""
    options: dict[str, Any] = {"viewport": {"width": 360, "height": 740}, "has_touch": True}
    options |= {"color_scheme": "light", "bypass_csp": True, "reduced_motion": "reduce"}
    places = ("set-up", "lobby of a guest", "lobby", "table", "spectator", "recovery", "recover")
    places += ("talk", "scores", "more", "story")
    looked = some(places, 3, "axe among friends")

    def look(page: Page, place: str) -> None:
        if place in looked:
            clean_in_both(page, place)

    with friends(browser, 4, **options) as (*pages, guest):
        guest.goto(f"{server.url}new/lacorsa?who-2=open")
        look(guest, "set-up")
        narrow(guest)
        pages[0].goto(post(pages[0], f"{server.url}tables", title="lacorsa", **PAIRS))
        link = pages[0].url
        guest.goto(link)
        look(guest, "lobby of a guest")
        narrow(guest)
        for i, page in enumerate(pages[1:], 1):
            post(page, f"{link}/seats", do="claim", player=i, name=NAMES[i])
        expect(pages[0].locator("#main")).to_contain_text(NAMES[-1])
        open_all(pages[0])
        look(pages[0], "lobby")
        narrow(pages[0])
        for i, page in enumerate(pages):
            post(page, f"{link}/seats", do="ready", player=i)
            page.goto(link)
        for page in pages:
            page.wait_for_selector("form.compose")
        panel(pages[0], "talk")
        pages[0].locator("#say").fill("W" * 300)
        pages[0].keyboard.press("Enter")
        expect(pages[1].locator(".said")).to_contain_text("WWW")
        pages[0].keyboard.press("Escape")
        race(pages, count(1, 2))
        open_all(pages[0])
        for name in ("talk", "scores", "more", "story"):
            if name in looked or WHOLE:
                panel(pages[0], name)
                look(pages[0], name)
        pages[1].reload()
        open_all(pages[1])
        look(pages[1], "table")
        look(guest, "spectator")
        others = some([*pages[1:], guest], count(1, 4), "narrow")
        for page in (pages[0], *others):  # the host has more buttons
            narrow(page)
            for name in ("others", "talk", "scores", "more", "story"):
                panel(page, name)
                narrow(page)
        panel(pages[1], "more")
        pages[1].get_by_role("button", name="Move to another device").click()
        pages[1].wait_for_selector(".qr")
        look(pages[1], "recovery")
        guest.goto(pages[1].locator("#invite").input_value())
        look(guest, "recover")


def open_all(page: Page) -> None:
    """Open all folded parts."""
    page.evaluate("document.querySelectorAll('main details').forEach(d => d.open = true)")


def narrow(page: Page) -> None:
    """Check that nothing is too wide, even at 320 px with text at 200 %, and no target too small."""
    open_all(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    small = page.evaluate(
        """[...document.querySelectorAll('#main button, #main select, #main summary, #main .choices label')]
        .filter(e => e.checkVisibility()).map(e => [e.textContent, e.getBoundingClientRect()])
        .filter(([_, r]) => r.width < 44 || r.height < 44).map(([t]) => t)"""
    )
    assert not small
    page.set_viewport_size({"width": 320, "height": 700})
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    wide = page.evaluate(
        """document.documentElement.scrollWidth <= 320 ? [] : [...document.querySelectorAll('#main *')]
        .filter(e => e.checkVisibility() && e.getBoundingClientRect().right > 321).map(e => e.outerHTML)"""
    )
    assert not wide
    page.evaluate("document.documentElement.style.fontSize = ''")
    page.set_viewport_size({"width": 360, "height": 740})


def test_the_lobby_works_without_scripts(browser: Browser, server: Server) -> None:
    with friends(browser, 2, java_script_enabled=False) as (ana, ben):
        ana.goto(f"{server.url}new/lacorsa?races=1&drivers=4&who-2=open&name-1=Ana&pace=instant")
        ana.get_by_role("button", name="Open the lobby").click()
        ben.goto(ana.url)
        ben.locator("input[name=name]").fill("Ben")
        ben.get_by_role("button", name="Take this seat").click()
        ben.get_by_role("button", name="I am ready").click()
        ana.get_by_role("link", name="Refresh").click()
        expect(ana.locator("#p-2")).to_contain_text("ready")
        ana.get_by_role("button", name="I am ready").click()
        ana.locator("select[name=move]").select_option(index=1)
        ana.locator("form.compose button").click()
        expect(ana.get_by_text("Committed", exact=True)).to_be_visible()
        ana.locator(".change summary").click()
        ana.locator("select[name=move]").select_option(index=2)
        ana.locator("form.compose button").click()
        ben.get_by_role("link", name="Refresh").click()
        ben.locator("#say").fill("Slow but sure")
        ben.get_by_role("button", name="Send").click()
        expect(ben.locator(".said")).to_contain_text("Slow but sure")
