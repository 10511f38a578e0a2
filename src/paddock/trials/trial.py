"""What a trial is: a part of ``paddock check``."""

from __future__ import annotations

import random
import re
import traceback
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from paddock.core.clauses import BadClause
from paddock.core.errors import OutOfBounds
from paddock.core.game import Game
from paddock.core.options import Options
from paddock.core.title import Title
from paddock.kernel.source import Seeded
from paddock.kernel.watch import random_options

ENDLESS = "a game does not end within MAX_DECISIONS ="
BOUNDS = ("ACTIONS", "OUTCOMES", "MAX_SEATS", "MAX_DECISIONS", "MAX_EVENTS")
NUMBA = "numba.core.errors"  # the module of errors of the compiler
_COLOUR, _FRAME = re.compile(r"\x1b\[[0-9;]*m"), re.compile(r'^\s*File "([^"]+)", line (\d+):', re.MULTILINE)
_FAILED = re.compile(r"Failed in \w+ mode pipeline \(step: [^)]*\)")


class Fault(Exception):
    """A title does not do what it promises."""

    def __init__(self, room: str, says: str, cause: str = "") -> None:
        super().__init__(says)
        self.room = room  # the file to look into
        self.cause = cause  # see ``Outcome``


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
    cause: str = ""  # the same for what stops several trials: a bound, or the line of an error; else empty


def outcome(trial: Trial, title: Title, seed: int) -> Outcome:
    """Run a trial. An error that the title raises is its fault, at the last line of its own files."""
    try:
        return Outcome(trial.name, trial.run(title, seed))
    except Fault as fault:
        return Outcome(trial.name, str(fault), fault.room, cause=fault.cause)
    except NotTried as missing:
        return Outcome(trial.name, str(missing), left_out=True)
    except OutOfBounds as error:
        return Outcome(trial.name, advised(error), rules_file(title), cause=error.bound)
    except BadClause as error:
        return Outcome(trial.name, str(error), "RULES.md", cause=str(error))
    except Exception as error:
        frames = traceback.extract_tb(error.__traceback__)
        places = [(frame.filename, frame.lineno or 0) for frame in frames]
        if isinstance(error, SyntaxError):  # where it stands, not where it is imported
            places.append((error.filename or "", error.lineno or 0))
        says = f"{type(error).__name__}: {error}"
        if type(error).__module__ == NUMBA:
            says, inner = uncompiled(str(error))
            places += inner
        place = own_place(title, places)
        named = isinstance(error, ImportError) and title.package in str(error)
        if not place and (named or frames[-1].filename.endswith("kernel/generated.py")):
            place = rules_file(title)  # it lacks a function, or declares what cannot be
        return Outcome(trial.name, says, place or trial.room, cause=place or says)


def advised(error: OutOfBounds) -> str:
    """Return what a bound that is too small says, and what to declare."""
    named = error.bound in BOUNDS and error.needed > 0
    return f"{error}: declare {error.bound} = {error.needed}, or more" if named else str(error)


def uncompiled(text: str) -> tuple[str, list[tuple[str, int]]]:
    """Return what an error of Numba says of the innermost function, and the (file, line) that it names, that
    function's last.

    Its text repeats all that it says for each function that calls it, the innermost one first.
    """
    plain = _COLOUR.sub("", text)
    frames = list(_FRAME.finditer(plain))
    reason = _FAILED.split(plain[: frames[0].start()] if frames else plain)[-1]
    lines = [line.strip() for line in reason.splitlines() if line.strip()]
    says = " ".join(lines[: 2 if lines and lines[0].endswith(":") else 1])
    places = [(str(Path(frame[1]).resolve()), int(frame[2])) for frame in reversed(frames)]
    return f"Numba cannot compile this: {says}", places


def bound_of(text: str) -> str:
    """Return the bound that the text of an ``OutOfBounds`` names first; empty for another text."""
    named = text.partition(":")[0]
    return named if named in BOUNDS else ""


def rules_file(title: Title) -> str:
    """Return the file that declares the bounds: the last module of the rules."""
    return f"{title.kernel[-1]}.py"


def own_place(title: Title, places: Sequence[tuple[str, int]]) -> str:
    """Return the last of these (file, line) that is in the title's package, in words; empty if none is."""
    package = title.package.replace(".", "/")
    own = [
        f"{Path(file).name}, line {line}" for file, line in places if f"/{package}/" in Path(file).as_posix()
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
    left = title.rules.MAX_DECISIONS  # of a round
    while not game.over and most:
        seat, rounds = choose.choice(game.deciders), len(game.rounds)
        if not (legal := game.legal(seat).ids):
            raise Fault(
                rules_file(title), f"seat {seat} has no legal move in what it sees: does hide() take its own?"
            )
        game.play(seat, choose.choice(legal))
        left = left - 1 if len(game.rounds) == rounds else title.rules.MAX_DECISIONS
        if left < 0:
            raise Fault(rules_file(title), f"{ENDLESS} {title.rules.MAX_DECISIONS} decisions", cause=ENDLESS)
        most -= 1
        yield game


def some_eyes(options: Options, choose: random.Random) -> int:
    """Return the seats of a random set of players, as a bitmask."""
    players = [player for player in range(options.players) if choose.random() < 0.5]
    return sum(options.eyes(player) for player in players)
