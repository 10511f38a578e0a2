"""Actions of a player in a real browser."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any
from urllib.parse import urljoin

import pytest
from playwright.sync_api import BrowserContext, Page

import paddock
from paddock import records
from paddock.kernel.source import Seeded
from sampling import some


@dataclass(frozen=True)
class Kind:
    """The names and selectors of a title's pages."""

    name: str
    players: str  # the option for the number of players
    rounds: str
    card: str  # the CSS class of drawn cards
    said: str  # text of the story after the first reveal
    short: dict[str, str] = field(default_factory=dict, hash=False)  # options that make a game short


LACORSA = Kind("lacorsa", "drivers", "races", "lc-card", "reveals")
RASANT = Kind("rasant", "players", "games", "rs-card", "wins the round", {"deck": "r10-130 g10-130 k30 k90"})
KINDS = (LACORSA, RASANT)


def titles(test: str) -> pytest.MarkDecorator:
    """Run a test with both titles; in a sample with one of them, which depends on the test and the seed."""
    return pytest.mark.parametrize("kind", some(KINDS, 1, test), ids=lambda kind: kind.name)


OVER = "a[href$='/replay']"
ASKED = "#state[data-turn=yes]"
PLAYABLE = ".hand label:not(.is-refused, .plus)"
BUSY = "#main[aria-busy=true], #connection:not([hidden])"  # sent and not answered, or the line is lost
SEND = "[data-way]:visible[aria-disabled=false]"  # the buttons that would send a move
STRANGE = """[...document.querySelectorAll("form.compose")].flatMap((form) => {
    const legal = [...form.querySelectorAll("select[name=move] option")].map((option) => option.value);
    const words = [...legal, ...Object.keys(JSON.parse(form.querySelector("script").textContent))];
    const cards = [...form.querySelectorAll("input[type=radio]")];
    return cards.flatMap((card) => card.value.split("|")).filter((move) => !words.includes(move));
})"""  # choices without a label


def watch(page: Page) -> list[str]:
    """Collect the errors of a page: from scripts, the content security policy and the server."""
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("console", lambda message: faults.append(message.text) if message.type == "error" else None)
    page.on("response", lambda answer: faults.append(answer.url) if answer.status >= 400 else None)
    page.on("request", lambda request: None if "127.0.0.1" in request.url else faults.append(request.url))
    return faults


def post(page: Page, address: str, **fields: Any) -> str:
    """Send a form as this page's browser, without opening what it leads to; return that address."""
    form = {name: str(value) for name, value in fields.items()}
    answer = page.request.post(address, form=form, max_redirects=0)
    assert answer.status == 303, answer.text()
    return urljoin(address, answer.headers["location"])


def new_table(page: Page, url: str, *people: int, kind: Kind = LACORSA, **options: Any) -> None:
    """Start a game by the form of the set-up page; ``people`` are the numbers of players, from 1."""
    asked = {"title": kind.name, kind.rounds: 1, "pace": "instant"} | options
    asked |= {f"who-{i}": "me" if i in people else "rookie" for i in range(1, 7)}
    page.goto(post(page, f"{url}tables", **asked))


def wait(page: Page) -> bool:
    """Wait until a decision is open, lifting curtains; return False if the game is over."""
    page.wait_for_selector(f"{ASKED}, {OVER}", state="attached")
    if page.locator(OVER).count():
        return False
    lift = page.locator(".curtain button.primary")
    if lift.count():
        lift.click()
        answered(page)
        return wait(page)
    assert page.evaluate(STRANGE) == []
    return True


def keyed(page: Page) -> None:
    """Wait until the page does at once what a key is for: its shortcuts are loaded after it."""
    main = page.locator("script[src$='/main.js']").get_attribute("src") or ""
    page.evaluate("(keys) => import(keys)", main.replace("main.js", "keys.js"))


def move(page: Page, card: int = 0) -> None:
    """Choose and send the playable card with this index in the first open hand: two taps."""
    form = page.locator("form.compose").first
    cards = form.locator(PLAYABLE)
    cards.nth(min(card, cards.count() - 1)).click()
    send(page)


def send(page: Page, way: int = 0) -> None:
    """Send what is chosen in the first open hand, with the first button that can or another one."""
    page.locator("form.compose").first.locator(SEND).nth(way).click()
    answered(page)


HURRY = f"""(moves) => {{
    const find = (what) => document.querySelector(what);
    const open = () => find("{ASKED}") && find(".ask:not(:has(.change)) form.compose");
    window.hurried = (async () => {{
        let made = 0;
        while (made < moves) {{
            while (find("{BUSY}") || !(find("{OVER}") || open())) {{
                await new Promise((go) => setTimeout(go, 10));
            }}
            if (find("{OVER}")) return made;
            const form = open();
            const send = () => form.querySelector("[data-way]:not([hidden])[aria-disabled=false]");
            for (const card of form.querySelectorAll("{PLAYABLE} input")) if (!send()) card.click();
            if (send()) {{
                send().click();
                made += 1;
            }} else {{
                await new Promise((go) => setTimeout(go, 10)); // the scripts of the page are not loaded yet
            }}
        }}
        return moves;
    }})();
}}"""


def hurry(*pages: Page, moves: int = 1000) -> list[int]:
    """Play like ``play``, on several pages at once, with clicks by a script: for tests of something else."""
    for page in pages:
        page.wait_for_url("**/t/*")
        page.evaluate(HURRY, moves)
    made = [page.evaluate("hurried") for page in pages]
    for page in pages:
        answered(page)
    return made


@cache
def record(kind: Kind) -> str:
    """Return the record of a short game."""
    game = paddock.start(kind.name, seed=7, **{kind.rounds: 1, kind.players: 4} | kind.short)
    choose = random.Random(7)
    while not game.over:
        seat = game.deciders[0]
        game.play(seat, choose.choice(list(game.legal(seat))))
    return records.write(game, date="2026-01-01", players=[(name, None) for name in game.names])


def play_on(
    link: str,
    *pages: Page,
    choose: Callable[[list[str]], str] = lambda legal: legal[0],
    moves: int = 10_000,
    stop: Callable[[list[str]], bool] = lambda legal: False,
) -> None:
    """Play by requests of these pages' browsers, to the end, so many moves or certain legal ones: much
    cheaper than on pages, for tests of something else."""
    address = link.replace("/t/", "/api/v1/tables/")
    made = 0
    while made < moves:
        before = made
        for page in pages:
            found = page.request.get(address).json()
            if found["phase"] == "over":
                return
            while made < moves and found.get("asks"):
                ask = found["asks"][0]
                legal = [one["move"] for one in ask["moves"]]
                if stop(legal):
                    return
                asked = {"seat": ask["seat"], "decision": ask["decision"], "move": choose(legal)}
                answer = page.request.post(f"{address}/moves", data=asked)
                if answer.status == 409:
                    break  # others were faster: look again
                assert answer.ok, answer.text()
                found = answer.json()
                made += 1
        if made == before:
            pages[0].wait_for_timeout(50)


def skip(page: Page, **how: Any) -> None:
    """Play on without the page, and open it then."""
    link = page.url
    page.goto("about:blank")
    play_on(link, page, **how)
    page.goto(link)


def finished(page: Page, url: str, kind: Kind = LACORSA) -> str:
    """Upload a finished game; return the address of its table."""
    return page.request.post(f"{url}records", form={"record": record(kind)}).url.partition("/replay")[0]


def send_plainly(page: Page, wanted: Sequence[str]) -> None:
    """Send the first legal move that begins with one of these words, else any, by the form that works without
    a script."""
    page.evaluate(
        """async (wanted) => {
            const form = document.querySelector("form.compose");
            if (!form) return; // the server has just played an only choice by itself
            const body = new URLSearchParams(new FormData(form));
            const all = [...form.querySelectorAll("select[name=move] option")].map((one) => one.value);
            const begins = (start) => all.find((one) => one.startsWith(start));
            body.set("move", wanted.map(begins).find(Boolean) ?? all.at(-1));
            await fetch(form.action, { method: "POST", body });
        }""",
        list(wanted),
    )


NEWEST = """async () => {
    const asked = fetch(location.href, { headers: { "paddock-part": "main" } });
    const page = await asked.then((answer) => answer.text()).catch(() => "");
    return document.getElementById("state").dataset.digest === /data-digest="(\\w+)"/.exec(page)?.[1];
}"""


def newest(page: Page) -> None:
    """Wait until a page shows the newest state of its table. (``wait_for_function`` awaits no promise.)

    Who is away changes without an event: after ten seconds the page itself is asked to look.
    """
    for look in itertools.count(1):
        if page.evaluate(NEWEST):
            return
        if look % 100 == 0:
            page.evaluate("dispatchEvent(new Event('online'))")
        page.wait_for_timeout(100)  # each look costs the server a page


def updated(page: Page) -> None:
    """Let a page ask for an update of the question that it shows, and wait until it has come."""
    page.evaluate("document.querySelector('.ask').dataset.before = ''; dispatchEvent(new Event('online'))")
    page.wait_for_selector(".ask:not([data-before])")


def network(context: BrowserContext, up: bool) -> None:
    """Take its network from a browser, or give it back. On a machine without any, Chromium tells no page."""
    known = [page.evaluate("navigator.onLine") for page in context.pages]
    context.set_offline(not up)
    for page, before in zip(context.pages, known, strict=True):
        if page.evaluate("navigator.onLine") == before:
            page.evaluate("name => dispatchEvent(new Event(name))", "online" if up else "offline")


def frozen(page: Page) -> None:
    """Stop the clock of a page that is not open yet: then only ``page.clock.run_for`` makes time pass."""
    page.clock.install(time=0)
    page.clock.pause_at(1000)


def panel(page: Page, name: str) -> None:
    """Open a panel of the table: others, story, scores, talk or more."""
    if not page.locator(f"#panel-{name}").is_visible():
        page.locator(f"[data-tab={name}]").click()


def answered(page: Page) -> None:
    """Wait until the server has answered a form; the page sends it again if the first try was too slow."""
    page.wait_for_selector(f"body:not(:has({BUSY}))")


def play(page: Page, moves: int = 1000) -> int:
    """Play until the game is over or this many moves are made; return the number of moves."""
    for made in range(moves):
        if not wait(page):
            return made
        move(page, made % 3)
    return moves


@cache
def race() -> bytes:
    """Return the record of a short race."""
    game, rng = paddock.start("lacorsa", drivers=2, races=1, seed=1), Seeded(1)
    while not game.over:
        seat = game.deciders[0]
        legal = game.legal(seat).ids
        game.play(seat, legal[rng.below(len(legal))])
    return records.write(game, date="2026-03-01", players=[("Ana", None), ("Ben", None)]).encode()


def upload(page: Page, url: str) -> str:
    """Upload the record; return the address of its replay."""
    page.goto(url)
    page.locator("input[type=file]").set_input_files(
        {"name": "race.txt", "mimeType": "text/plain", "buffer": race()}
    )
    page.locator("form[action='/records'] button").click()
    page.wait_for_url("**/replay")
    return page.url
