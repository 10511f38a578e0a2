"""A pack in Chromium, below ``/p/`` and without a network after the first visit: what one can do there, and
what is kept whatever happens to its pages and its storage."""

from __future__ import annotations

import gzip
import random
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from playwright.sync_api import Browser, Page, expect

from device.conftest import BASE
from device.visit import RUNS, Visitor, inside
from device_bench import served
from paddock import records
from paddock.device import pack
from paddock.store.schema import HEAD
from sampling import SEED, WHOLE, count, some
from web.browser import HURRY, LACORSA, OVER, RASANT, Kind, answered, hurry, play, wait
from web.racer import OPTIONS, Mouse, Racer, ways_to
from web.test_browser_access import clean
from web.test_browser_learn import SUGGESTED, follow
from web.test_browser_one_screen import LOST

PHONE, LAPTOP = (375, 667), (1366, 657)
BEGIN = ".actionbar button.primary"
FORM = {"content-type": "application/x-www-form-urlencoded"}
A_TABLE: dict[str, Any] = {"method": "POST", "headers": FORM, "body": "title=rasant&who-1=me&who-2=rookie"}


@pytest.fixture(scope="module")
def visitor(_browser: Callable[[], Browser], packed: Path) -> Iterator[Visitor]:
    """A German visitor who has opened the pack once, at a deeper address; the host is gone now."""
    visitor = Visitor(_browser(), packed / BASE)
    assert visitor.page.url == f"{visitor.base}learn/rasant"
    yield visitor
    visitor.context.close()


def begin(visitor: Visitor, frame: Page, kind: Kind) -> str:
    """Start a game by the set-up page; return the address of its table."""
    asked = {kind.rounds: 1, "pace": "instant"} | kind.short
    query = "&".join(f"{name}={str(value).replace(' ', '+')}" for name, value in asked.items())
    frame.goto(f"{visitor.base}new/{kind.name}?{query}")
    frame.locator(BEGIN).click()
    frame.wait_for_url("**/t/*")
    return frame.url


def race(visitor: Visitor, frame: Page) -> None:
    """Race across half a continent by clicks, to the end."""
    query = "&".join(f"{name}={value}" for name, value in OPTIONS.items())
    frame.goto(f"{visitor.base}new/great_race?{query}&players=2&name-1=Ana")
    frame.locator(BEGIN).click()
    frame.wait_for_url("**/t/*")
    racer = Racer(frame, Mouse(), "Ana", ways_to(OPTIONS))
    while racer.turn():
        frame.wait_for_timeout(20)


@pytest.mark.slow("a whole game in the browser's Python")
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("size", some([PHONE, LAPTOP], 1, "device"), ids="{0[0]}".format)
def test_all_that_one_can_do_without_a_network(visitor: Visitor, size: tuple[int, int]) -> None:
    """Games, replay and record, a lesson and a puzzle, in German; and settings that a script sets."""
    frame = visitor.frame(size)
    frame.goto(visitor.base)
    assert frame.locator("html").get_attribute("lang") == "de"
    clean(frame, "home of a device")
    kinds = (LACORSA, RASANT)
    for kind in some(kinds, 1, "device"):
        table = begin(visitor, frame, kind)
        for _move in range(count(2, 1000)):
            if not wait(frame):
                break
            assert frame.evaluate(LOST) == []
            play(frame, 1)
        clean(frame, f"{kind.name} on a device")
        hurry(frame)
        frame.locator(OVER).first.click()
        frame.wait_for_url("**/replay")
        expect(frame.locator("#at")).to_have_value("0")
        with visitor.page.expect_download() as download:
            frame.evaluate("document.querySelector('a[href$=\"/record\"]').click()")
        assert records.check(records.read(Path(download.value.path()).read_text("utf-8"))) == []
        assert table in frame.url
    if WHOLE:
        race(visitor, frame)
    learn(visitor, frame)
    answer_a_puzzle(visitor, frame)
    frame.goto(f"{visitor.base}me")
    frame.locator(".menu > summary").click()
    frame.locator("label:has([name=theme][value=dark])").click()
    frame.goto(f"{visitor.base}puzzles")
    assert frame.locator("html").get_attribute("data-theme") == "dark"
    assert visitor.page.evaluate("document.cookie.includes('theme')") is False  # the jar has it
    assert not visitor.faults


def learn(visitor: Visitor, frame: Page) -> None:
    """Follow what glows in a lesson, until the learner decides; in a sample for some steps."""
    frame.goto(f"{visitor.base}learn/lacorsa")
    frame.locator("form[action*='/learn/'] button").first.click()
    frame.wait_for_url("**/t/*")
    made = 0
    while made < count(2, 1000) and wait(frame) and frame.locator(SUGGESTED).count():
        follow(frame)
        made += 1
    assert made >= 2
    expect(frame.locator(".lesson-words")).to_be_attached()


def answer_a_puzzle(visitor: Visitor, frame: Page) -> None:
    """Answer the first puzzle of the list."""
    frame.goto(f"{visitor.base}puzzles")
    frame.locator("a[href*='/puzzle/']").first.click()
    frame.wait_for_url("**/puzzle/**")
    hurry_one(frame)
    expect(frame.locator("#explained")).to_be_visible()


def hurry_one(frame: Page) -> None:
    """Choose and send the first move that can be sent."""
    form = frame.locator("form.compose").first
    cards = form.locator(".hand label:not(.is-refused, .plus)")
    cards.first.click()
    form.locator("[data-way]:visible[aria-disabled=false]").first.click()


ACKNOWLEDGED = """() => {
    const ask = window.fetch;
    window.fetch = async (...asked) => {
        const answer = await ask(...asked);
        const decision = asked[1]?.body?.get?.("decision");
        if (answer.ok && decision) console.log("acknowledged", decision);
        return answer;
    };
}"""


@pytest.mark.slow("starts the application after each kill")
@pytest.mark.timeout(7200)
def test_no_acknowledged_move_is_lost_when_the_worker_is_killed(visitor: Visitor) -> None:
    """At a random moment while moves are made; every third time another page of the game is open already, and
    takes over by itself."""
    chance, told = random.Random(f"kills {SEED}"), list[int]()
    frame = visitor.frame()
    link = begin(visitor, frame, LACORSA)
    for kill in range(count(2, 50)):
        told.clear()
        visitor.page.on("console", lambda message: _note(told, message.text))
        if not wait(frame):
            link = begin(visitor, frame, LACORSA)
            assert wait(frame)
        before = decision(frame)
        frame.evaluate(ACKNOWLEDGED)
        other = visitor.open(link) if kill % 3 == 1 else None
        frame.evaluate(HURRY, 1 + kill % 3)
        if kill % 2:
            visitor.page.wait_for_timeout(chance.randrange(300))
        else:  # right after an answer
            while not told:
                visitor.page.wait_for_timeout(5)
        visitor.kill()
        visitor.page = other or visitor.open(link)
        frame = inside(visitor.page)
        if wait(frame):
            assert decision(frame) > max(told, default=before - 1), (kill, told)


def _note(told: list[int], text: str) -> None:
    if text.startswith("acknowledged "):
        told.append(int(text.split()[1]))


def decision(frame: Page) -> int:
    """Return the number of the open decision."""
    return int(frame.locator("form.compose [name=decision]").first.input_value())


# The next decision is open, or the page says that a move was not sent.
SETTLED = """(before) => {
    const decision = document.querySelector("form.compose [name=decision]")?.value;
    return !document.getElementById("unsent").hidden || (decision && decision !== before);
}"""


@pytest.mark.slow("starts the application")
def test_a_full_storage_loses_nothing(visitor: Visitor) -> None:
    """A first sentence comes while moves are still kept. Then no move that was not kept is said to be, pages
    can be read, and with new room the game goes on."""
    frame = visitor.frame()
    begin(visitor, frame, replace(RASANT, short={"games": "6"}))  # it ends after there is no room
    assert wait(frame)
    before = decision(frame)
    trouble, unsent = visitor.page.locator("#trouble"), frame.locator("#unsent")
    for sentence in ("ist fast voll", "ist voll"):
        visitor.quota(0)
        while sentence not in trouble.inner_text():  # a journal may have room for some moves
            before = decision(frame)
            hurry_one(frame)
            frame.wait_for_function(SETTLED, arg=str(before))
        assert unsent.is_visible() == (sentence == "ist voll")
    assert status(frame, "me/file") == 200
    assert status(frame, "tables", **A_TABLE) == 503
    visitor.quota(None)
    answered(frame)
    assert not wait(frame) or decision(frame) > before
    expect(trouble).to_be_hidden()
    visitor.faults.clear()


@pytest.mark.slow("starts the application")
def test_what_was_cleared_can_still_be_taken_away(visitor: Visitor) -> None:
    """The sentence comes before anything is done; nothing that cannot be kept is said to be."""
    frame = visitor.frame()
    begin(visitor, frame, RASANT)
    hurry(frame)
    visitor.clear()
    expect(visitor.page.locator("#trouble")).to_contain_text("Speicher dieses Browsers wurde geleert")
    assert status(frame, "me/file") == 200
    assert status(frame, f"t/{frame.url.split('/t/')[1]}/record") == 200
    assert status(frame, "tables", **A_TABLE) == 503
    visitor.kill()
    if WHOLE:  # in a sample, the next test does so
        begin(visitor, visitor.frame(), RASANT)


NEIGHBOUR = """<!doctype html><meta name="referrer" content="no-referrer"><iframe name="inside"></iframe>
<form method="post" target="inside" action="{}tables"><input name="title" value="rasant"></form>"""


SENDER = """([script, url]) => {
    const sender = new Function(`${script}; return sender`)();
    return sender({ mode: "navigate", referrer: "", url });
}"""


def test_a_form_of_a_neighbour_is_refused(visitor: Visitor, packed: Path, tmp_path: Path) -> None:
    """A page of another origin of the same site, for which browsers ask the pack's service worker, too.

    Chromium tells that worker the origin of a form, and others do not.
    """
    visitor.frame()  # a page that would answer
    (tmp_path / "index.html").write_text(NEIGHBOUR.format(visitor.base))
    with served(tmp_path) as host:
        page = visitor.context.new_page()
        page.goto(host)
        with page.expect_response(f"{visitor.base}tables") as answer:
            page.evaluate("document.forms[0].submit()")
        assert answer.value.from_service_worker and answer.value.status == 403
        assert page.evaluate(SENDER, [(packed / BASE / "sw.js").read_text(), visitor.base]) == "null"
        page.close()


def status(frame: Page, path: str, **how: Any) -> int:
    """Return the status of an answer of the application."""
    ask = """([path, how]) => fetch(new URL(path, document.baseURI.replace(/[/]p[/].*/, "/p/")), how)
        .then((answer) => answer.status)"""
    return int(frame.evaluate(ask, [path, how | {"redirect": "manual"}]))


# The versions that are there as a whole
HAS = """async () => {
    const all = await Promise.all((await caches.keys()).map(async (key) => (await caches.open(key)).keys()));
    const lists = all.flat().filter(({ url }) => url.endsWith("/files.json"));
    return lists.map(({ url }) => url.split("/").at(-2));
}"""


def newer(folder: Path) -> str:
    """Write the same pack with another style sheet, as another version; return that version."""
    (inside,) = (folder / "pack").iterdir()
    files = {path.name.removesuffix(pack.PACKED): path for path in inside.iterdir()}
    del files["files.json"]
    data = {
        name: gzip.decompress(path.read_bytes()) if path.name.endswith(pack.PACKED) else path.read_bytes()
        for name, path in files.items()
    }
    above = {name: (folder / name).read_bytes() for name in pack.ABOVE}
    above["index.html"] = above["index.html"].replace(inside.name.encode(), b"@VERSION@")
    return pack.write(folder, data | above | {"shell.css": data["shell.css"] + b"/* newer */"}).version


@pytest.mark.slow("starts the application")
@pytest.mark.timeout(1200)
def test_a_newer_pack(visitor: Visitor, packed: Path, tmp_path: Path) -> None:
    """A race goes on with the one that runs, a download that breaks goes on with what is missing, and the
    newer one runs when the page is opened the next time.
    """
    folder = shutil.copytree(packed / BASE, tmp_path / BASE)
    frame, page = visitor.frame(), visitor.page
    begin(visitor, frame, RASANT)
    assert wait(frame)
    (old,) = page.evaluate(HAS)
    new = newer(folder)
    words = folder / "pack" / new / "words.json"
    words.rename(tmp_path / "words.json")  # the download breaks there
    with served(folder, int(visitor.origin.rpartition(":")[2])):
        with visitor.context.expect_event(
            "response", lambda answer: answer.url.endswith(f"{new}/words.json")
        ):
            second = visitor.open()  # the first page answers for it
        assert new not in second.evaluate(HAS)
        (tmp_path / "words.json").rename(words)
        asked = list[str]()
        second.on("request", lambda request: asked.append(request.url))
        second.goto(visitor.base)
        while new not in second.evaluate(HAS):
            second.wait_for_timeout(200)
        assert not [url for url in asked if url.endswith(pack.PACKED)], "what had come is not asked for again"
        second.close()
        assert old in page.evaluate(HAS), "it runs"
        frame.goto(frame.url)
        assert wait(frame)
        page.reload()
        page.wait_for_function(RUNS)
        assert new in str(page.locator("script").get_attribute("src"))
        assert wait(inside(page))
        while page.evaluate(HAS) != [new]:
            page.wait_for_timeout(200)
    visitor.faults.clear()


WRITE = """async ([place, bytes]) => {
    const folder = await (await navigator.storage.getDirectory()).getDirectoryHandle(place, { create: true });
    const file = await folder.getFileHandle("paddock.sqlite3", { create: true });
    const pause = () => new Promise((go) => setTimeout(go, 50));
    let into; // a page that was closed just now may have the file a moment longer
    while (!into) into = await file.createWritable().catch(pause);
    await into.write(new Uint8Array(bytes));
    await into.close();
}"""


@pytest.mark.slow("starts the application")
def test_games_of_a_newer_version_can_be_taken_away(visitor: Visitor) -> None:
    """A host that goes back to an older pack says so, and what is stored stays as it is."""
    visitor.kill()
    page = visitor.page = visitor.context.new_page()
    page.route(f"{visitor.origin}/nothing", lambda route: route.fulfill(content_type="text/html", body=""))
    page.goto(f"{visitor.origin}/nothing")  # the pack does not run there
    stored = pack.fresh().replace(HEAD.encode(), b"9" * len(HEAD))
    page.evaluate(WRITE, [f"paddock{quote(f'/{BASE}/', safe='')}", [*stored]])
    page.goto(visitor.base)
    expect(page.locator("#says")).to_contain_text("Partien einer neueren Version")
    with page.expect_download() as download:
        page.get_by_role("link", name="Meine Partien herunterladen").click()
    taken = Path(download.value.path())
    with closing(sqlite3.connect(taken)) as database:
        assert database.execute("SELECT version_num FROM alembic_version").fetchall() == [("9" * len(HEAD),)]
    visitor.clear()
    visitor.kill()


def test_a_private_window_that_keeps_no_files_says_so(browser: Browser, packed: Path) -> None:
    """Before anything is loaded."""
    context = browser.new_context(locale="en-GB")
    context.add_init_script(
        "navigator.storage.getDirectory = () => Promise.reject(new DOMException('', 'SecurityError'))"
    )
    page = context.new_page()
    with served(packed / BASE) as address:
        page.goto(address)
        expect(page.locator("#says")).to_contain_text("no private window")
        expect(page.locator("#bar")).to_be_hidden()
    context.close()
