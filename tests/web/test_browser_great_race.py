"""The Great Race in a real browser: whole races by clicks, taps and keys, and what they send."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from operator import itemgetter
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from paddock.games.great_race.words.names import CARD_NAMES
from sampling import WHOLE, count
from web.browser import play_on, watch
from web.conftest import Server
from web.great_race_secrets import Truth
from web.racer import OPTIONS, Keys, Mouse, Racer, ways_to
from web.test_browser_friends import NAMES, friends, gather

FAR = ways_to(OPTIONS)
HEARD = """
window.heard = [];
window.EventSource = class extends EventSource {
    set onmessage(act) { super.onmessage = (event) => { window.heard.push(event.data); act(event); }; }
};
"""
PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
LAPTOP = {"viewport": {"width": 1280, "height": 640}}
PLAYERS = count(3, 4)  # two friends, the others bots
SPECTATOR = PLAYERS  # after the seats
TURNS = {"max_turns": count(1, 60)}  # to the destination only in the whole suite
WON = re.compile("wins the Great Race" if WHOLE else "wins the Great Race|Nobody reaches the destination")


def set_up(url: str, **more: Any) -> str:
    """Return the address of a set-up page."""
    asked = OPTIONS | {"players": 4, "leaders": "yes", "name-1": NAMES[0]} | more
    asked = {name.replace("who_", "who-"): value for name, value in asked.items()}
    return f"{url}new/great_race?" + "&".join(f"{name}={value}" for name, value in asked.items())


def begin(pages: list[Page], url: str, **more: Any) -> str:
    """Open a race of two friends and bots; return its link."""
    seats = {"name-1": NAMES[0], "who-2": "open", "who-3": "club", "who-4": "club"}
    link = gather(pages, url, "great_race", **OPTIONS | {"players": PLAYERS, "leaders": "yes"} | seats | more)
    for page in pages:
        page.goto(link)
    return link


def race(
    racers: list[Racer], each: Callable[[], Any] = lambda: None, enough: Callable[[], bool] = lambda: False
) -> None:
    """Race to the end or until it is enough; do something else after every few answers."""
    then = 0
    for _ in range(10_000):
        made = sum(racer.made for racer in racers)
        if made >= then:
            each()
            then = made + count(6, 4)
        if enough():
            return
        on = [racer.turn() for racer in racers]
        if not any(on):
            return
        if made == sum(racer.made for racer in racers):
            racers[0].page.wait_for_timeout(20)
    raise AssertionError("the race does not end")


def the_prestige_table(page: Page) -> None:
    """The podium says who won, and the table who has how many points."""
    expect(page.locator("h1")).to_have_text(WON)
    expect(page.locator(".pad tbody tr")).to_have_count(PLAYERS)
    points = [int(cell) for cell in page.locator(".pad tbody tr td:last-child").all_inner_texts()]
    assert points == sorted(points, reverse=True) and (points[0] > 5 or not WHOLE)


def no_sideways_scroll(page: Page) -> None:
    """The page is as wide as the window."""
    wide, window = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    assert wide <= window


def test_a_race_by_keyboard_alone(page: Page, server: Server) -> None:
    """Shortcuts and Tab by turns, the map included; the focus never gets lost. A sample ends early."""
    page.emulate_media(reduced_motion="reduce")
    faults = watch(page)
    page.goto(set_up(server.url, players=2, who_2="club", **TURNS))
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("Escape")
    start = page.get_by_role("button", name="Start the race")
    while not start.evaluate("(one) => one === document.activeElement"):
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_url("**/t/*")
    keys = Keys()
    racer = Racer(page, keys, NAMES[0], FAR)
    made, on_map = count(4, 15), count(0, 3)
    race([racer], enough=lambda: not WHOLE and racer.made > made and keys.on_map > on_map)
    assert racer.made > made and keys.on_map > on_map
    if WHOLE:
        expect(page.locator("h1")).to_have_text(WON)
    assert not faults


class Ear:
    """Everything that a browser is sent of a race: pages, parts, previews, events, API and records."""

    def __init__(self, page: Page, reader: int) -> None:
        self.page, self.reader = page, reader
        self.pages: list[str] = []
        self.answers: list[Any] = []
        self.records: list[str] = []
        page.add_init_script(HEARD)
        page.route(re.compile(r"/t/[\w-]{12,}(/(move|preview|seats|orders|read))?(\?.*)?$"), self._hear)

    def _hear(self, route: Route) -> None:
        answer = route.fetch()
        self.pages.append(answer.text())
        route.fulfill(response=answer)

    def ask(self, link: str, other: int) -> None:
        """Get what the API and the record say now, and what must be refused while the race runs."""
        get, post = self.page.request.get, self.page.request.post
        api = link.replace("/t/", "/api/v1/tables/")
        before, answer = get(f"{link}/record"), get(api)
        after = get(f"{api}/record")
        if answer.json()["phase"] == "over":
            return
        self.answers.append(answer.json())
        self.records += [before.text(), after.text()]
        for address in (f"{link}/replay", f"{api}/replay", f"{link}/replay?as=all"):
            assert get(address).status in (404, 409), address
        form = {"seat": str(other), "decision": str(answer.json()["decision"]), "move": "pass"}
        self.pages.append(post(f"{link}/preview", form=form).text())  # it is the page of this reader
        assert f'data-seat="{other}"' not in self.pages[-1]
        assert post(f"{api}/preview", data={"seat": other, "moves": []}).status in (401, 403, 422)
        for address in (f"{link}/explore", f"{api}/explore"):
            assert post(address, data={"entry": 0, "player": 0}).status >= 400


@pytest.mark.slow("a whole race in two browsers")
def test_a_race_of_a_phone_a_laptop_and_two_bots_tells_no_secret(browser: Browser, server: Server) -> None:
    """By taps and by clicks, on the map itself, to the prestige table; the phone never scrolls sideways.

    GR-1.10, GR-3.4, GR-4.1: all that the race sends to two players and a spectator is searched for what they
    cannot know. In a sample the pages show the first answers and the prestige table.
    """
    with (
        friends(browser, 1, reduced_motion="reduce", **PHONE) as (phone,),
        friends(browser, 2, reduced_motion="reduce", **LAPTOP) as (laptop, guest),
    ):
        pages = [phone, laptop, guest]
        faults = [watch(page) for page in pages]
        ears = [Ear(page, reader) for page, reader in zip(pages, (0, 1, SPECTATOR), strict=True)]
        link = begin([phone, laptop], server.url, **TURNS)
        guest.goto(link)
        racers = [
            Racer(phone, Mouse(taps=True), NAMES[0], FAR, before=no_sideways_scroll),
            Racer(laptop, Mouse(), NAMES[1], FAR),
        ]

        def ask() -> None:
            for ear in ears:
                ear.ask(link, 1 if ear.reader == 0 else 0)

        each = count(3, 15)  # answers of each of the two

        def enough() -> bool:
            made = [racer.made for racer in racers]
            return not WHOLE and sum(made) >= 12 and min(made) > each

        race(racers, ask, enough)
        for ear in ears:
            heard = ear.page.evaluate("window.heard")
            assert heard
            ear.pages += [json.loads(data)["page"] for data in heard]
        if not WHOLE:
            for page in pages:
                page.goto("about:blank")
            for _ in range(2):
                play_on(link, phone, laptop, moves=8)
                ask()
            play_on(link, phone, laptop, choose=itemgetter(-1))
            for page in pages:
                page.goto(link)
        for page in pages:
            the_prestige_table(page)
        assert all(racer.made > each for racer in racers)
        assert not any(faults)
        record = phone.request.get(f"{link}/record").text()
    truth = Truth(record)
    assert truth.hidden["drawn"] > count(2, 10) and (truth.hidden["stolen"] > 0 or not WHOLE)
    for ear in ears:
        assert sum(truth.search_page(page, ear.reader) for page in ear.pages) > count(50, 100)
        assert sum(truth.search_record(text, ear.reader) for text in ear.records) > count(2, 10)
        assert len(ear.answers) > count(2, 5)
        for answer in ear.answers:
            truth.search_answer(answer, ear.reader)
    # The search finds what the reader cannot know: planted cards, the whole record, the answer to another
    for ear in ears:
        assert finds(truth, [f"{ear.pages[0]} {' '.join(CARD_NAMES)}"], ear.reader)
        with pytest.raises(AssertionError):
            truth.search_record(record, ear.reader)
    if WHOLE:  # and cards that another reader has not seen
        others = {0, 1, SPECTATOR}
        assert any(finds(truth, ear.pages, other) for ear in ears for other in others - {ear.reader})
    for ear in ears[:2]:
        if WHOLE:
            with pytest.raises(AssertionError):
                truth.search_record(ear.records[-1], 1 - ear.reader)
        with pytest.raises(AssertionError):
            truth.search_answer(ear.answers[-1], 1 - ear.reader)


def finds(truth: Truth, pages: list[str], reader: int) -> bool:
    """Return whether the search finds a card on the pages that this reader cannot know."""
    try:
        for page in pages:
            truth.search_page(page, reader)
    except AssertionError:
        return True
    return False
