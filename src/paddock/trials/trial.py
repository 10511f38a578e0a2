"""What a trial is: a part of ``paddock check``."""

from __future__ import annotations

import random
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from paddock.core.game import Game
from paddock.core.options import Options
from paddock.core.title import Title
from paddock.kernel.source import Seeded
from paddock.kernel.watch import random_options


class Fault(Exception):
    """A title does not do what it promises."""

    def __init__(self, room: str, says: str) -> None:
        super().__init__(says)
        self.room = room  # the file to look into


class NotTried(Exception):
    """A trial needs something that this machine lacks."""


@dataclass(frozen=True)
class Trial:
    """Something that a title promises.

    ``run(title, seed)`` returns what was tried, in words. It raises ``Fault``, or ``NotTried``.
    """

    name: str
    room: str  # the file to look into if an error comes from nowhere in the title
    run: Callable[[Title, int], str]


@dataclass(frozen=True)
class Outcome:
    """What a trial has found."""

    name: str
    says: str  # what was tried, what is wrong, or what is missing
    room: str = ""  # the file to look into; empty if nothing is wrong
    left_out: bool = False  # whether it was not tried


def outcome(trial: Trial, title: Title, seed: int) -> Outcome:
    """Run a trial. An error that the title raises is its fault, at the last line of its own files."""
    try:
        return Outcome(trial.name, trial.run(title, seed))
    except Fault as fault:
        return Outcome(trial.name, str(fault), fault.room)
    except NotTried as missing:
        return Outcome(trial.name, str(missing), left_out=True)
    except Exception as error:
        return Outcome(trial.name, f"{type(error).__name__}: {error}", _room(error, title) or trial.room)


def _room(error: BaseException, title: Title) -> str:
    """Return the last file and line of the title's package in a traceback; empty if there is none."""
    package = title.package.replace(".", "/")
    own = [
        f"{Path(frame.filename).name}, line {frame.lineno}"
        for frame in traceback.extract_tb(error.__traceback__)
        if f"/{package}/" in Path(frame.filename).as_posix()
    ]
    return own[-1] if own else ""


def some_options(title: Title, seed: int, index: int) -> Options:
    """Return the default options for index 0, else random ones."""
    return random_options(title, random.Random(f"{seed} {index}")) if index else title.options.read({})


def walk(title: Title, seed: int, index: int, most: int = 10_000) -> Iterator[Game]:
    """Yield a game at its start and after each of ``most`` random decisions; see ``some_options``."""
    choose = random.Random(f"{seed} {index} moves")
    game = Game(title, some_options(title, seed, index), Seeded(seed, index))
    yield game
    while not game.over and most:
        seat = choose.choice(game.deciders)
        game.play(seat, choose.choice(game.legal(seat).ids))
        most -= 1
        yield game


def some_eyes(options: Options, choose: random.Random) -> int:
    """Return the seats of a random set of players, as a bitmask."""
    players = [player for player in range(options.players) if choose.random() < 0.5]
    return sum(options.eyes(player) for player in players)
