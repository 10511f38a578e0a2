"""What the tests of Skerries share: positions in words, random games, and the modules of the package.

The package is on the path only while its tests run, so its modules are imported when they are first used.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from importlib import import_module
from typing import Any

import paddock
from paddock.core.game import ChanceSource, Game
from paddock.core.log import Entry
from paddock.core.position import position
from paddock.core.words import CHANCE
from paddock.parts.position import of_record


class Lazy:
    """A module of the package."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, name: str) -> Any:
        return getattr(import_module(f"skerries.{self._name}"), name)


sailing, cards, rules, chart = Lazy("sailing"), Lazy("cards"), Lazy("rules"), Lazy("chart")

#    a1  b1  c1  d1  e1      quay, sea, reef, skerry, light
#      a2  b2  c2  d2  e2    harbour, sea, sea, harbour, sea
BAY = "q.+xl/h..h."
OPTIONS: dict[str, Any] = {"skippers": 3, "chart": BAY, "copies": 2, "days": 3}
PHASES = ("roll", "sail", "asked", "draw", "theft", "over")
FIELDS = {
    "results": "-",
    "phase": "sail",
    "day": "1",
    "turn": "1",
    "wind": "5",
    "spent": "-",
    "victim": "-",
    "boats": "a1,a1,a1",
    "places": "0,0,0",
    "hands": "-|-|-",
    "known": "-",
    "open": "-",
}


def text_of(options: dict[str, Any] | None = None, **fields: str) -> str:
    """A position of a race in the bay: the fields that differ from the first roll of skipper 1.

    Other names than those of ``FIELDS`` are fields of the state, as positions write them.
    """
    read = paddock.title("skerries").options.read(OPTIONS | (options or {}))
    words = FIELDS | {name: text for name, text in fields.items() if name in FIELDS}
    s = sailing.State()
    s.phase, s.day, s.wind = PHASES.index(words["phase"]), int(words["day"]), int(words["wind"])
    s.turn = int(words["turn"]) - 1
    s.drew, s.piloted, s.robbed = (int(word in words["spent"]) for word in ("harbour", "pilot", "robbery"))
    s.victim = 0 if words["victim"] == "-" else int(words["victim"]) - 1
    quay = chart.read_chart(read.chart).land.index(chart.QUAY)
    columns = chart.read_chart(read.chart).columns
    boats = words["boats"].split(",")
    hexes = [columns * (int(hex[1:]) - 1) + "abcdefghijkl".index(hex[0]) for hex in boats]
    s.at = [*hexes, *[quay] * (4 - len(boats))]
    s.place = [*map(int, words["places"].split(",")), *[0] * (4 - len(boats))]
    s.arrived = sum(place > 0 for place in s.place)
    s.open = [words["open"].count(letter) for letter in "gpa"]
    for seat, hand in enumerate(words["hands"].split("|")):
        s.cards[seat] = len(hand.strip("-"))
        for kind, letter in enumerate("gpa"):
            s.held[seat, kind] = hand.count(letter)
    for knower, holder, cards in re.findall(r"(\d)>(\d):([gpa]+)", words["known"]):
        for letter in cards:
            s.known[4 * (int(knower) - 1) + int(holder) - 1, "gpa".index(letter)] += 1
    s.deck = [read.copies - s.open[kind] - sum(s.held[seat, kind] for seat in range(4)) for kind in range(3)]
    s.left = sum(s.deck)
    state = dict(word.split("=") for word in of_record(s).split())
    state |= {name: text for name, text in fields.items() if name not in FIELDS}
    return " ".join([f"skerries/1 {read.text} results={words['results']}", *map("=".join, state.items())])


def at(options: dict[str, Any] | None = None, chance: ChanceSource | None = None, **fields: str) -> Game:
    """The game at this position. Without ``chance``, the test gives the outcomes itself (``falls``)."""
    return position(text_of(options, **fields), chance)


def moves(game: Game, seat: int = 0) -> list[str]:
    """The legal moves in notation."""
    return [str(move) for move in game.legal(seat)]


def field(game: Game, name: str) -> str:
    """The open cards, the hands or what is remembered, in words."""
    s, seats = game._state, range(game.options.seats)

    def letters(counts: list[int]) -> str:
        return "".join(letter * count for letter, count in zip("gpa", counts, strict=True))

    if name == "open":
        return letters(s.open) or "-"
    if name == "hands":
        return "|".join(letters([s.held[seat, kind] for kind in range(3)]) or "-" for seat in seats)
    known = {
        f"{knower + 1}>{holder + 1}": letters([s.known[4 * knower + holder, kind] for kind in range(3)])
        for knower in seats
        for holder in seats
    }
    return ",".join(f"{pair}:{cards}" for pair, cards in known.items() if cards) or "-"


def falls(game: Game, outcome: str) -> None:
    """Let chance give this outcome."""
    game.append(Entry(CHANCE, game.title.text.parse_outcome(game.setup, game.heading, outcome)))


def lively(choose: random.Random) -> dict[str, Any]:
    """Options with which boats meet, draw, rob and arrive often, even with random moves."""
    return {
        "skippers": choose.randint(2, 4),
        "races": choose.choice([1, 2]),
        "days": choose.choice([2, 4, 8]),
        "copies": choose.randint(1, 3),
        "chart": choose.choice([BAY, "qh/.l", "hqhl", "lh/q.", "sisters"]),
    }


def random_game(seed: int, options: dict[str, Any] | None = None) -> Iterator[tuple[Game, random.Random]]:
    """Yield a random game before every decision and at its end. Boats seldom stop early."""
    choose = random.Random(seed)
    game = paddock.start("skerries", seed=seed, **(options or lively(choose)))
    while not game.over:
        yield game, choose
        (seat,) = game.deciders
        ids = game.legal(seat).ids
        others = [id for id in ids if id != sailing.STOP]
        game.play(seat, choose.choice(others) if others and choose.random() < 0.8 else choose.choice(ids))
    yield game, choose


def asked(seed: int, options: dict[str, Any] | None = None) -> Iterator[tuple[Game, int, random.Random]]:
    """The same, before every decision, with the seat that must decide."""
    for game, choose in random_game(seed, options):
        for seat in game.deciders:
            yield game, seat, choose


def finished(seed: int, options: dict[str, Any] | None = None) -> Game:
    """The same, played to its end."""
    *_, (game, _choose) = random_game(seed, options)
    return game
