"""A player of The Great Race in a real browser, who answers whatever the page asks.

It knows the map and reads everything else from the page, and it heads for the destination. How it presses
things is up to a ``Hand``: clicks, taps or keys.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from playwright.sync_api import Locator, Page

from paddock.games.great_race.rulebook import TITLE
from paddock.games.great_race.rules import state
from paddock.games.great_race.words.names import city_name, space_name
from sampling import WHOLE
from web.browser import ASKED, OVER, SEND, answered, newest, send_plainly

OPTIONS = {"map": "usa-west", "finish": "OK", "pace": "instant"}
FORM = ".ask:not(:has(.change)) form.compose"  # not one that is committed already
READ = """(form) => ({
    kind: form.querySelector("[data-plan]") ? "plan" : form.querySelector("[data-sends]") ? "window"
        : form.querySelector("[data-chain]") ? "chain" : "picks",
    decision: form.querySelector("[name=decision]").value,
    seat: Number(form.dataset.seat),
    question: form.closest(".ask").querySelector("h2").textContent,
    chosen: form.dataset.chosen,
    ended: Boolean(form.querySelector(".gr-ended")),
    alone: form.querySelectorAll("select[name=move] option:not([value=''])").length === 1,
    crew: Number(form.querySelector("[data-plan]")?.dataset.plan ?? 0),
    sends: (form.querySelector("[data-sends]")?.dataset.sends ?? "").split("|").filter(Boolean),
    links: [...form.querySelectorAll("[data-move]")].filter((one) => one.checkVisibility())
        .map((one) => one.dataset.move),
    spaces: [...document.querySelectorAll("#map [data-move]")].map((one) => one.dataset.move),
    gauges: [...document.querySelectorAll(".gr-rival.is-own text")].slice(2, 5)
        .map((one) => parseInt(one.textContent)),
    places: [...document.querySelectorAll(".gr-places li")].map((one) => one.textContent),
})"""


@dataclass(frozen=True)
class Asked:
    """What a page asks, as read from it."""

    kind: str  # "plan", "window", "picks" or "chain"
    decision: str
    seat: int
    question: str
    chosen: str  # links, in notation
    ended: bool  # nothing can be added to them
    alone: bool  # no other move is possible
    crew: int
    sends: list[str]  # of a window: what each button sends
    links: list[str]  # that buttons add
    spaces: list[str]  # that spaces of the map add
    gauges: list[int]  # petrol, engine, chassis
    places: list[str]  # the map in words

    @property
    def drives(self) -> bool:
        """Whether the next link is a step of a drive."""
        return "drive" in self.question and not self.ended


def ways_to(options: dict[str, Any]) -> dict[str, int]:
    """Return the spaces to drive from every space to the destination, by its name and notation."""
    g = TITLE.setup_of(TITLE.options.read({k: v for k, v in options.items() if k in ("map", "finish")}))
    goal = g.ends[0] if g.n_ends else g.goal
    far, front = {goal: 0}, deque([goal])
    while front:
        space = front.popleft()
        for way in range(state.WAYS):
            to = g.beside[space, way]
            if to != state.OFF and to not in far:
                far[to] = far[space] + 1
                front.append(to)
    names = {space_name(g, space): n for space, n in far.items()}
    return names | {city_name(g, space): n for space, n in far.items() if g.city[space] != state.OFF}


class Hand(Protocol):
    """How a player presses things."""

    def link(self, page: Page, move: str) -> None:
        """Add a link of a chain: by its button, else by its space of the map."""

    def press(self, page: Page, button: Locator) -> None:
        """Press a button or choose a card."""


class Mouse:
    """Clicks, or taps: spaces on the map itself."""

    def __init__(self, taps: bool = False) -> None:
        self.taps = taps

    def press(self, page: Page, button: Locator) -> None:
        if self.taps:
            button.tap()
        else:
            button.click()

    def link(self, page: Page, move: str) -> None:
        space = page.locator(f'#map [data-move="{move}"]')
        self.press(
            page, space if space.count() else page.locator(f'{FORM} [data-move="{move}"]:visible').first
        )


class Racer:
    """One player at one page."""

    def __init__(
        self,
        page: Page,
        hand: Hand,
        name: str,
        far: dict[str, int],
        before: Callable[[Page], None] = lambda page: None,
    ) -> None:
        self.page, self.hand, self.name, self.far = page, hand, name, far
        self.before = before  # called before each answer
        self.asked: Counter[str] = Counter()  # stages that were answered, by their question
        self.made = 0

    def turn(self) -> bool:
        """Answer if something is asked; return False if the race is over."""
        if self.page.locator(OVER).count():
            return False
        if self.page.locator(ASKED).count() and self.page.locator(FORM).count():
            self.before(self.page)
            self.answer()
        return True

    def read(self) -> Asked | None:
        """Return what is asked; None if nothing is, because the page has moved on."""
        found = self.page.evaluate(
            f"(form) => {{ const at = document.querySelector(form); return at && ({READ})(at); }}", FORM
        )
        return Asked(**found) if found else None

    def answer(self) -> None:
        """Answer the question, and send the answer."""
        asked = self.read()
        if not asked:
            return
        self.asked[asked.question] += 1
        self.made += 1
        if asked.alone:  # the server may play it by itself meanwhile, and takes the same move once more
            send_plainly(self.page, [])
            newest(self.page)
            return
        form = self.page.locator(FORM).first
        if asked.kind == "plan":
            for box, n in enumerate(self.plan(asked)):
                for _ in range(n):
                    self.hand.press(self.page, form.locator(".gr-place").nth(box).locator("[data-by='1']"))
        elif asked.kind == "window":
            way = asked.sends.index(self.react(asked))
            self.hand.press(self.page, form.locator("[data-way]:visible").nth(way))
            answered(self.page)
            return
        elif asked.kind == "picks":
            cards = form.locator(".hand label:not(.is-refused)")
            kate = cards.filter(has=self.page.locator("[value='leader kate']"))
            self.hand.press(self.page, kate if kate.count() else cards.nth(self.made % cards.count()))
        else:
            for _ in range(20):
                if asked.ended or not (move := self.next(asked)):
                    break
                self.hand.link(self.page, move)
                answered(self.page)
                if not (asked := self.read()):
                    return
                self.asked[asked.question] += 1
            form = self.page.locator(FORM).first
        self.hand.press(self.page, form.locator(SEND).first)
        answered(self.page)

    # What to choose

    def plan(self, asked: Asked) -> tuple[int, ...]:
        """Assistants to drive with, and a few of each other kind."""
        return (1, 3, 1, asked.crew - 5)

    def react(self, asked: Asked) -> str:
        """Help that is there, then the gauge with more levels."""
        for word in ("guard", "cook-guard", "play militia", "play guide", "play jerrycan"):
            if word in asked.sends:
                return word
        if asked.sends == ["engine", "chassis"]:
            return asked.sends[asked.gauges[1] <= asked.gauges[2]]
        return asked.sends[-1]

    def next(self, asked: Asked) -> str:
        """The next link; empty to send what is there."""
        links, spaces = asked.links, {move: self.ahead(move) for move in asked.spaces}
        here = min((self.far.get(line.split(" (")[0].split(":")[0], 99) for line in asked.places
                    if self.name in line), default=99)  # fmt: skip
        near = min(spaces, key=lambda move: spaces[move], default="")
        if "pass" in links:  # a sequence
            return self.sequence(asked, near if near and spaces[near] < here else "")
        if spaces:
            return near if "halt" not in links or spaces[near] < here else "halt"
        return next((move for move in links if move != "done"), "done" if "done" in links else "")

    def ahead(self, move: str) -> int:
        """How far the last space of a chain is from the destination."""
        return self.far.get(move.split("; ")[-1], 99)

    def sequence(self, asked: Asked, near: str) -> str:
        """Petrol where it is low, every card that can be played, scouts, then a drive."""
        links, (petrol, engine, _chassis) = asked.links, asked.gauges
        if petrol <= 2 and (buys := [move for move in links if move.startswith("buy")]):
            return buys[-1]
        cards = [
            move for move in links if move.startswith("play") and (move != "play jerrycan" or petrol < 4)
        ]
        for move in ("steal", *cards, *["repair"] * (engine < 2), "scout", near, "fund", "supply", "clear"):
            if move and move in (*links, near):
                return move
        return "repair" if "repair" in links else "pass"


# Moves the focus to what is three stops of Tab before the target.
NEAR = """(target) => {
    const stops = "a[href], button, input, select, summary, textarea, [tabindex]";
    const all = [...document.querySelectorAll(stops)].filter(
        (one) => one.tabIndex >= 0 && !one.disabled && one.checkVisibility(),
    );
    all[Math.max(0, all.indexOf(target) - 3)].focus();
}"""


class Keys:
    """The keyboard alone: shortcuts and Tab by turns, and the map by Tab from the board on.

    A sample goes the whole way from the hand and from the board once each, and then the last steps of it.
    """

    def __init__(self) -> None:
        self.far = set[str]()  # shortcuts from which Tab has gone the whole way
        self.n = 0  # times that something was pressed
        self.on_map = 0  # of these, spaces of the map

    def press(self, page: Page, button: Locator) -> None:
        assert not self.n or page.evaluate("document.activeElement !== document.body"), "the focus is lost"
        self.n += 1
        target = button.locator("input") if button.evaluate("(one) => one.matches('label')") else button
        keys = (target.get_attribute("data-key") or "").split()
        if keys and self.n % 2:
            page.keyboard.press(keys[0])
            return
        if page.evaluate("!document.activeElement.closest('form.compose')"):
            page.keyboard.press("h")
        self.reach(page, target, "h")
        page.keyboard.press("Space" if target.get_attribute("type") == "radio" else "Enter")

    def link(self, page: Page, move: str) -> None:
        button = page.locator(f'{FORM} [data-move="{move}"]:visible')
        space = page.locator(f'#map [data-move="{move}"]')
        if button.count() and (self.n % 2 or not space.count()):
            self.press(page, button.first)
            return
        self.n += 1
        self.on_map += 1
        page.keyboard.press("o")
        self.reach(page, space, "o")
        page.keyboard.press("Enter")

    def reach(self, page: Page, target: Locator, key: str) -> None:
        """Move the focus to a target, after this shortcut."""
        if key in self.far and not WHOLE:
            target.evaluate(NEAR)
        self.far.add(key)
        reach(page, target)


AT = """(target) => {
    const at = document.activeElement;
    if (at !== target) return at.name && at.name === target.name ? "near" : "";
    const seen = target.matches(":focus-visible") && target.getBoundingClientRect().top < innerHeight;
    return seen ? "here" : "unseen";
}"""


def reach(page: Page, target: Locator) -> None:
    """Move the focus with Tab, among radio buttons with an arrow key; it must be visible there."""
    key = "Tab"
    for _ in range(150):
        at = target.evaluate(AT)
        if at:
            assert at != "unseen", target
            if at == "here":
                return
            key = "ArrowRight"
        page.keyboard.press(key)
    raise AssertionError(f"Tab does not reach {target}")
