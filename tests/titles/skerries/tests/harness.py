"""What the tests of Skerries share: positions in words, random games, and the modules of the package.

The package is on the path only while its tests run, so its modules are imported when they are first used.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from importlib import import_module
from typing import Any

import paddock
from paddock.core.game import ChanceSource, Game
from paddock.core.log import Entry
from paddock.core.position import position
from paddock.core.words import CHANCE


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
    """A position of a race in the bay: the fields that differ from the first roll of skipper 1."""
    words = paddock.title("skerries").options.read(OPTIONS | (options or {})).text
    return f"skerries/1 {words} " + " ".join(f"{k}={v}" for k, v in (FIELDS | fields).items())


def at(options: dict[str, Any] | None = None, chance: ChanceSource | None = None, **fields: str) -> Game:
    """The game at this position. Without ``chance``, the test gives the outcomes itself (``falls``)."""
    return position(text_of(options, **fields), chance)


def moves(game: Game, seat: int = 0) -> list[str]:
    """The legal moves in notation."""
    return [str(move) for move in game.legal(seat)]


def field(game: Game, name: str) -> str:
    """A field of the game's position."""
    return dict(word.split("=") for word in game.position.split()[1:])[name]


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
