"""The rooms of bots and of research: levels, networks, studies, and what the benchmark times."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from paddock.core.recipe import Recipe, Search
from paddock.core.rooms.basics import Usual


class Bots(Protocol):
    """The room ``bots.py``."""

    BOTS: Mapping[str, type[Any]]  # the title's own levels, by name: each a class of ``paddock.bots.Bot``


class ShortFeatures(Protocol):
    """The room ``short_features.py``: what a network sees in few numbers, and what its outputs mean."""

    SHORT_FEATURES: int  # how many numbers
    OUTPUTS: int  # of a network

    @property
    def PRESENT_FEATURES(self) -> int:
        """How many of the numbers, the first ones, say nothing of what is past [all]."""

    def observe_short(self, s: Any, g: Any, seat: int, out: Any) -> None:
        """Write the observation of ``seat``, as ``observe`` of ``features.py`` does."""

    def output(self, s: Any, g: Any, seat: int, move: int) -> int:
        """Return the output of a network that stands for a move."""


class UsualShortFeatures(Usual):
    """Nothing is seen, and all moves are the same, as in the kernel's ``absent.py``."""

    SHORT_FEATURES = 1
    OUTPUTS = 1

    @property
    def PRESENT_FEATURES(self) -> int:
        return self.SHORT_FEATURES

    def observe_short(self, s: Any, g: Any, seat: int, out: Any) -> None:
        pass

    def output(self, s: Any, g: Any, seat: int, move: int) -> int:
        return 0


class ChampionRoom(Protocol):
    """The room ``champion.py``: the networks of the level *Champion*."""

    RECIPES: Mapping[str, Recipe]  # by the name of the network, how it was trained
    SEARCHES: Mapping[str, Search]  # by the name of the network, how it looks ahead [it does not]

    def network(self, g: Any) -> str:
        """Return the name of the network for games of this set-up; empty if there can be none."""


class UsualChampion(Usual):
    """Networks that do not look ahead, of which no recipe is known."""

    RECIPES: Mapping[str, Recipe] = {}
    SEARCHES: Mapping[str, Search] = {}

    def network(self, g: Any) -> str:
        return ""


class StudyRoom(Protocol):
    """The room ``study.py``: what a study counts. The kernel also has its functions ``standing``,
    ``holdings`` and ``give``; those of the room that has them are named by its function ``items``."""

    ROUND: int  # the code of the event that begins a round of a game, such as a lap
    ROUNDS: str  # what these are called
    A_ROUND: str  # and one of them
    EVENTS: Mapping[int, str]  # the other events that are counted: code → sentence


@dataclass(frozen=True)
class Case:
    """Options to time, with the target ratios to the reference in each mode (0: no target)."""

    name: str
    options: Mapping[str, Any]
    compiled: float
    plain: float
    policy: float | None = None  # the same where the policy makes all decisions, compiled (None: not timed)


class BenchRoom(Protocol):
    """The room ``bench.py``: what ``paddock bench`` times."""

    CASES: Sequence[Case]
