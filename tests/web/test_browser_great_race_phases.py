"""The Great Race, every question that a page can ask: its accessibility tree, and axe, light and dark.

The positions are those of a race whose record is in aria/great_race.txt. «Explore from here» opens each.
After an intended change, ``PADDOCK_TEST_WHOLE=1 PADDOCK_ARIA=write`` updates the trees; git shows
the difference.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import Any

from playwright.sync_api import Browser, Page, expect

from paddock import records
from paddock.core.game import Game
from paddock.core.words import CHANCE
from paddock.games.great_race.rules import state
from paddock.games.great_race.words.names import CARDS
from paddock.games.great_race.words.position import STAGES
from sampling import WHOLE, some
from web.browser import answered, post
from web.conftest import Server
from web.racer import FORM
from web.test_browser_access import clean, clean_in_both
from web.test_browser_aria import FOLDER, tree
from web.test_browser_friends import friends

RECORD = (FOLDER / "great_race.txt").read_text("utf-8")
WIDE: Any = {"width": 1280, "height": 640}
CHANCES = {state.DRAW_FIRST, state.DRAW_END, state.DRAW_NUMBER, state.DEAL, state.THEFT, state.DRAW_CARD,
           state.DRAW_TILE, state.NOTHING}  # fmt: skip
PANELS = ("others", "story", "scores", "more")
# Those with a tree. Set-up, lobby and replay are much the same in all titles.
AROUND = ("waiting", "curtain", "podium", *PANELS)
# One question of each kind
KINDS = ("take", "plan", "act", "step", "place-space", "arrival", "cancel-saboteur")
# A window for each card that can be made to fail
WINDOWS = (state.SABOTEUR, state.RANSOM, state.SIPHONER, state.TRAIL_HUNTER, state.CON_ARTIST, state.CUSTOMS)


def questions() -> dict[str, tuple[int, int]]:
    """Return each question with the first log entry that answers it by one of several moves, and its seat."""
    whole = records.read(RECORD).game()
    game = Game(whole.title, whole.options, None, whole.names)
    found: dict[str, tuple[int, int]] = {}
    for n, entry in enumerate(whole.log):
        if entry.by != CHANCE:
            s = game.seen(0).state
            name = STAGES[s.stage] + (f"-{CARDS[s.card]}" if s.stage == state.CANCEL else "")
            if len(game.legal(entry.by).ids) > 1:
                found.setdefault(name, (n, entry.by))
        game.append(entry)
    return found


QUESTIONS = questions()
QUESTION_IN_DRIVE = (192, 3)  # a log entry and its seat: a drive over known land with damage and a stop sign


def uploaded(page: Page, url: str) -> str:
    """Upload the record; return the address of its table."""
    return page.request.post(f"{url}records", form={"record": RECORD}).url.partition("/replay")[0]


def explore(page: Page, table: str, entry: int, seat: int) -> None:
    """Open the position before a log entry; the others are bots, which wait for this seat's answer."""
    form = {"entry": str(entry), "player": str(seat)}
    page.goto(page.request.post(f"{table}/explore", form=form).url)
    page.wait_for_selector(FORM)


def explored(page: Page, url: str, names: Sequence[str]) -> Iterator[str]:
    """Open these questions for who is asked."""
    table = uploaded(page, url)
    for name in names:
        explore(page, table, *QUESTIONS[name])
        if name == STAGES[state.PLANS_STAGE]:
            expect(page.locator(".gr-marks", has_text="committed")).to_have_count(3)
        yield name


def test_the_race_asks_every_question() -> None:
    asked = {STAGES[stage] for stage in range(len(STAGES)) if stage not in CHANCES | {state.CANCEL}}
    asked |= {f"{STAGES[state.CANCEL]}-{CARDS[card]}" for card in WINDOWS}
    assert QUESTIONS.keys() == asked


def surroundings(browser: Browser, url: str, **context: Any) -> Iterator[tuple[str, Page]]:
    """Open what surrounds the questions: the set-up, who waits, the curtain, the podium, and on a phone the
    panels."""
    with friends(browser, 3, reduced_motion="reduce", **context) as (ana, ben, page):
        page.goto(f"{url}new/great_race?players=2&who-1=me&who-2=me&name-1=Ana&name-2=Ben&finish=OK")
        yield "set-up", page
        page.get_by_role("button", name="Start the race").click()
        page.wait_for_selector(".curtain")
        yield "curtain", page

        asked = {"players": 2, "leaders": "yes", "finish": "OK", "name-1": "Ana", "who-2": "open"}
        ana.goto(post(ana, f"{url}tables", title="great_race", **asked))
        post(ben, f"{ana.url}/seats", do="claim", player=1, name="Ben")
        expect(ana.locator("#p-2")).to_contain_text("Ben")
        yield "lobby", ana
        for player, friend in enumerate((ana, ben)):
            post(friend, f"{ana.url}/seats", do="ready", player=player)
        ana.wait_for_selector("#map")
        expect(ana.locator("[data-still]:empty")).to_have_count(
            0
        )  # the stream leaves these parts out; then they come
        if ana.locator(FORM).count():
            ben.goto(ana.url)
        yield "waiting", ben if ana.locator(FORM).count() else ana

        table = uploaded(page, url)
        page.goto(table)
        yield "podium", page
        page.goto(f"{table}/replay?entry=300")
        yield "replay", page
        page.set_viewport_size({"width": 360, "height": 740})
        explore(page, table, *QUESTIONS[STAGES[state.TARGET]])
        for name in PANELS:
            page.locator(f"[data-tab={name}]").click()
            yield name, page


def compare(trees: dict[str, str], names: set[str]) -> None:
    """Compare the trees with the files of these names."""
    assert trees.keys() == names
    if os.environ.get("PADDOCK_ARIA") == "write":
        for name, text in trees.items():
            (FOLDER / f"great_race-{name}.yml").write_text(text, "utf-8")
    for name, text in trees.items():
        assert text == (FOLDER / f"great_race-{name}.yml").read_text("utf-8"), name


NO_MAP = {"exclude": [["#map svg"]]}  # the map is the same at all questions, and large


def test_every_question_has_its_tree_and_axe_finds_nothing(browser: Browser, server: Server) -> None:
    """Axe looks at one of each kind with the map, also in the dark and on a phone, and at some others.

    A sample has some of both.
    """
    server.seed.write_text("great_race")
    context = browser.new_context(bypass_csp=True, reduced_motion="reduce", viewport=WIDE)
    page = context.new_page()
    rest = [name for name in QUESTIONS if name not in KINDS]
    kinds, others = some(KINDS, 1, "kinds"), some(rest, 2, "others")
    asked = QUESTIONS if WHOLE else [*kinds, *others]
    trees = {}
    for name in explored(page, server.url, [*asked]):
        trees[name] = tree(page)
        if name in kinds:
            clean_in_both(page, name)
            page.set_viewport_size({"width": 360, "height": 740})
            clean(page, f"{name}, phone")
            page.set_viewport_size(WIDE)
        elif name in others:
            clean(page, name, context=NO_MAP)
    context.close()
    compare(trees, {*asked})
    kept = {file.stem.removeprefix("great_race-") for file in FOLDER.glob("great_race-*.yml")}
    assert kept == {*QUESTIONS, *AROUND}


def test_what_surrounds_them_has_its_tree_and_axe_finds_nothing(browser: Browser, server: Server) -> None:
    """In a sample axe looks at some."""
    server.seed.write_text("great_race")
    trees = {}
    looked = some(("set-up", "lobby", "replay", *AROUND), 2, "around")
    for name, page in surroundings(browser, server.url, bypass_csp=True):
        if name in AROUND:
            trees[name] = tree(page, f"#panel-{name}" if name in PANELS else "#main")
        part = {"include": [[f"#panel-{name}"]]} if name in PANELS else {}
        if name in looked:
            clean_in_both(page, name, context=part)
    compare(trees, {*AROUND})


def test_a_question_within_a_drive_is_a_link_of_the_chain(page: Page, server: Server) -> None:
    """Damage and a stop sign on known land: one button sends all, and the focus stays with the hand."""
    whole = records.read(RECORD).game()
    links = ["drive", "7d", "engine", "decline"]
    entry, seat = QUESTION_IN_DRIVE
    game = Game(whole.title, whole.options, None, whole.names)
    for before in whole.log[:entry]:
        game.append(before)
    assert game.seen(1 << seat).preview(links, seat).ended
    explore(page, uploaded(page, server.url), entry, seat)
    for link in links:
        page.locator(f'{FORM} [data-move="{link}"]:visible').first.focus()
        page.keyboard.press("Enter")
        expect(page.locator(".gr-links li").first).to_be_visible()
        answered(page)
        expect(page.locator("[data-way]:visible")).to_have_count(1)
        assert page.evaluate("document.activeElement.closest('form.compose') !== null"), link
    expect(page.locator("[data-way]:visible")).to_be_focused()
    page.keyboard.press("g")
    answered(page)
    expect(page.locator(".gr-links")).to_have_count(0)
