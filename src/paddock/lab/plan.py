"""The plan of a match: who plays, and what is fixed before the first game."""

from __future__ import annotations

import hashlib
import os
import pickle
import shlex
import shutil
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from numbers import Real
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from paddock.bots import Bot, bot
from paddock.bots.registry import AHEAD, ALONE, EXACT, NETWORK
from paddock.core.errors import BadOption, PaddockError, brief, quoted
from paddock.core.i18n import _
from paddock.core.options import Options
from paddock.core.title import Title
from paddock.kernel.source import Seed, Seeded, seed_number

if TYPE_CHECKING:
    import numpy.typing as npt

Index = TypeVar("Index", int, "npt.NDArray[Any]")
DAY = 86_400  # seconds
PROGRAM = "cmd:"  # before the command line of a bot
WORDS = "text:"  # before that of a program which reads words: only an arena has such


@dataclass(frozen=True)
class Entrant:
    """A bot of a match: a level, a command line, or an object."""

    label: str
    level: str = ""
    command: tuple[str, ...] = ()
    pickled: bytes = b""  # of the file of a network, its hash: a match is not resumed with other weights

    @property
    def words(self) -> bool:
        """Whether it is a program that reads words, and not the lines of docs/match.md."""
        return bool(self.command) and self.label.startswith(WORDS)


@dataclass(frozen=True)
class Plan:
    """A match without its number of games. Game = deal × rotation, both counted from 0."""

    title: Title
    options: Options
    entrants: tuple[Entrant, ...]
    line_up: tuple[int, ...]  # for every player, an index of ``entrants``
    seed: int
    seconds: float  # for each decision of an object or a program
    luck: int = 0  # games that are played on from each draw, to measure its luck: see ``luck.py``
    record_date: str = ""  # in the records of its games; empty: it keeps none

    @cached_property
    def digest(self) -> str:
        """The name of the match in its file: it depends on all arguments but the number of games."""
        facts = (
            self.title.name,
            self.title.revision,
            self.options.text,
            [self.entrants[k] for k in self.line_up],
            self.seed,
            self.seconds,
            *([self.luck] if self.luck else ()),
        )
        return hashlib.blake2b(repr(facts).encode(), digest_size=8).hexdigest()

    def seatings(self, deal: int) -> list[list[int]]:
        """Return for every game of a deal, and every player of it, the index in ``line_up``.

        The order around the table is drawn for each deal; each game of the deal moves everybody by one.
        """
        order, source = list(range(len(self.line_up))), Seeded(self._seats_seed, deal)
        for i in range(len(order) - 1, 0, -1):
            j = source.below(i + 1)
            order[i], order[j] = order[j], order[i]
        return [order[rotation:] + order[:rotation] for rotation in range(len(order))]

    @cached_property
    def _seats_seed(self) -> int:
        return seed_number(f"{self.seed} seats")

    @cached_property
    def bots_seed(self) -> int:
        """The seed of the random numbers of all bots."""
        return seed_number(f"{self.seed} bots")

    def chance_index(self, deal: int, round: Index) -> Index:
        """Return the stream of ``seed`` with the chance of one round of a deal: the same in all its games."""
        return (deal << 16) + round

    def bot_index(self, deal: int, rotation: Index, player: Index) -> Index:
        """Return the stream of ``bots_seed`` for a player's bot in one game."""
        count = len(self.line_up)
        index: Index = (deal * count + rotation) * count + player
        return index

    def chance(self, deal: int, round: int) -> Seeded:
        """Return the chance of one round of a deal."""
        return Seeded(self.seed, self.chance_index(deal, round))

    def source(self, deal: int, rotation: int, player: int) -> Seeded:
        """Return the random numbers of a player's bot in one game."""
        return Seeded(self.bots_seed, self.bot_index(deal, rotation, player))


def make_plan(
    title: Title,
    bots: Sequence[Bot | str],
    seed: Seed,
    options: Mapping[str, Any],
    seconds: float,
    luck: int = 0,
    words: bool = False,
) -> Plan:
    """Check the arguments of a match, and return its plan; raise ``PaddockError``.

    Only with ``words``, programs that read words can play."""
    if isinstance(bots, str):
        raise BadOption([_("bots: give a list with a bot for every player")])
    check_seconds(seconds)
    entrants, line_up = entered(title, bots, words)
    values, count = dict(options), title.players_option
    if str(values.setdefault(count, len(bots))) != str(len(bots)):
        raise BadOption(
            [
                _("{option}={value}: the match has {n} bots, and needs one for every player").format(
                    option=count, value=values[count], n=len(bots)
                )
            ]
        )
    read = title.options.read({**title.one_round, **values})
    return Plan(title, read, tuple(entrants), tuple(line_up), seed_number(seed), float(seconds), luck)


def check_seconds(seconds: float) -> None:
    """Raise ``BadOption`` unless this is a limit for a decision."""
    if not (isinstance(seconds, Real) and 0 < seconds <= DAY):
        sentence = _("seconds={seconds}: give more than 0, and at most {most}")
        raise BadOption([sentence.format(seconds=quoted(seconds), most=DAY)])


def entered(title: Title, bots: Sequence[Bot | str], words: bool = False) -> tuple[list[Entrant], list[int]]:
    """Return the different bots, and for each of ``bots`` its index among them; raise ``PaddockError``.

    Only with ``words``, programs that read words can play."""
    entrants, line_up, known = list[Entrant](), list[int](), list[Bot | str]()
    for candidate in bots:
        index = next(
            (
                k
                for k, known_bot in enumerate(known)
                if known_bot is candidate or _same_words(known_bot, candidate)
            ),
            len(known),
        )
        if index == len(known):
            known.append(candidate)
            taken = [entrant.label for entrant in entrants]
            entrants.append(_entrant(title, candidate, taken, words))
        line_up.append(index)
    return entrants, line_up


def _same_words(candidate: object, other_bot: object) -> bool:
    return isinstance(candidate, str) and candidate == other_bot


def _entrant(title: Title, candidate: Bot | str, taken: Sequence[str], words: bool) -> Entrant:
    """Return the entrant for a bot; raise ``PaddockError`` if it cannot play."""
    if isinstance(candidate, str) and candidate.startswith((PROGRAM, WORDS) if words else PROGRAM):
        return Entrant(unused(brief(candidate, 200), taken), command=_command(candidate))
    if isinstance(candidate, str):
        bot(title, candidate)  # refuses an unknown level, and a file that is no network
        if candidate.startswith((NETWORK, AHEAD, EXACT)) and candidate != ALONE:
            weights = Path(candidate.partition(":")[2]).read_bytes()
            return Entrant(
                candidate, level=candidate, pickled=hashlib.blake2b(weights, digest_size=8).digest()
            )
        return Entrant(candidate, level=candidate)
    kind = type(candidate)
    if not callable(getattr(candidate, "choose", None)) or isinstance(candidate, type):
        sentence = _("{bot} is not a bot: give a level, “cmd:” and a command, or an object with “choose”")
        raise BadOption([sentence.format(bot=quoted(candidate))])
    if kind.__module__ == "__main__" and not hasattr(sys.modules["__main__"], "__file__"):
        sentence = _("{bot}: define its class in a file, so that worker processes can import it")
        raise BadOption([sentence.format(bot=kind.__name__)])
    try:
        pickled = pickle.dumps(candidate, 5)
    except Exception as error:  # pickle passes on whatever the object raises
        sentence = _("{bot}: worker processes cannot get a copy of it: {reason}")
        raise BadOption([sentence.format(bot=kind.__name__, reason=brief(str(error)))]) from None
    return Entrant(unused(kind.__name__, taken), pickled=pickled)


def unused(name: str, taken: Sequence[str]) -> str:
    """Return the name, with a number if it is taken."""
    label, n = name, 1
    while label in taken:
        n += 1
        label = f"{name} {n}"
    return label


def _command(text: str) -> tuple[str, ...]:
    """Return the words of a command line; raise ``PaddockError`` if there is no such program."""
    kind = WORDS if text.startswith(WORDS) else PROGRAM
    try:
        words = shlex.split(text.removeprefix(kind), posix=os.name == "posix")
    except ValueError:
        words = []
    if not words:
        sentence = _("“{text}”: write a command after “{kind}”")
        raise PaddockError(sentence.format(text=brief(text), kind=kind))
    if shutil.which(words[0]) is None:
        raise PaddockError(
            _("“{text}”: there is no program “{program}”").format(text=brief(text), program=brief(words[0]))
        )
    return tuple(words)
