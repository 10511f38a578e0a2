"""What a title is: a light card of facts, whose rooms load when they are first asked for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import import_module
from importlib.metadata import entry_points
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Protocol, cast

from paddock.core.errors import PaddockError, brief
from paddock.core.options import Options

if TYPE_CHECKING:
    from paddock.core.clauses import Rulebook
    from paddock.core.game import Seen


class Move(Protocol):
    """A typed move; ``str(move)`` is its notation."""

    @property
    def id(self) -> int: ...


class Rules(Protocol):
    """The kernel contract: the functions and bounds of a ``rules.py`` (see docs/kernel.md)."""

    ACTIONS: int
    OUTCOMES: int
    MAX_SEATS: int
    MAX_DECISIONS: int
    MAX_EVENTS: int
    MIN_SCORE: int
    MAX_SCORE: int
    State: type[Any]
    Setup: type[Any]

    def start(self, s: Any, g: Any) -> None: ...
    def who(self, s: Any, g: Any) -> int: ...
    def legal(self, s: Any, g: Any, seat: int, out: Any) -> int: ...
    def apply(self, s: Any, g: Any, seat: int, move: int) -> None: ...
    def outcomes(self, s: Any, g: Any, out: Any, weights: Any) -> int: ...
    def run_chance(self, s: Any, g: Any, rng: Any) -> None: ...
    def hide(self, s: Any, g: Any, eyes: int) -> None: ...
    def redeal(self, s: Any, g: Any, eyes: int, rng: Any, out: Any) -> None: ...
    def seen(self, s: Any, g: Any, eyes: int, by: int, move: int) -> int: ...
    def places(self, s: Any, g: Any, out: Any) -> None: ...
    def scores(self, s: Any, g: Any, out: Any) -> None: ...


class Refusals(Protocol):
    """The room ``refusals.py``."""

    CODES: int  # 0 is «legal», the others are 1 … CODES − 1

    def why(self, s: Any, g: Any, seat: int, move: int) -> int: ...


class Text(Protocol):
    """The room ``text.py``: every sentence and notation of the title."""

    def move(self, id: int) -> Move:
        """The typed move of an id."""

    def parse_move(self, text: str) -> Move:
        """The move of a notation; raises ``BadMove`` or ``IllegalMove``."""

    def refusal(self, code: int, move: int) -> tuple[str, str]:
        """(clause, sentence) of a code of ``why``."""

    def label(self, seen: Seen, seat: int, move: int) -> str:
        """What a button says: the move with its consequence."""

    def status(self, seen: Seen) -> str:
        """One line: whose decision it is and what is asked."""

    def board(self, seen: Seen) -> list[str]:
        """The board and the hands of the eyes as plain lines, for a terminal."""

    def line(self, event: tuple[int, int, int, int], names: Sequence[str]) -> str:
        """The sentence of an event; ``names`` are those of the seats. Empty for what needs none."""

    def chance_heading(self, s: Any, g: Any) -> str:
        """What chance decides now, as records write it: ``deal 1``."""

    def outcome(self, id: int) -> str:
        """An outcome in notation."""

    def parse_outcome(self, heading: str, text: str) -> int:
        """The id of an outcome written under a heading; raises ``BadMove``."""

    def position(self, s: Any, g: Any) -> str:
        """The state as ``name=value`` words."""

    def parse_position(self, words: dict[str, str], g: Any) -> Any:
        """The state of such words; raises ``BadPosition`` with every fault."""

    def result_fault(self, places: Sequence[int], scores: Sequence[int], g: Any) -> str:
        """Why no round ends with these places (0: none) and scores, a seat each; empty where one may."""


class View(Protocol):
    """The room ``view.py``."""

    def view(self, seen: Seen) -> Any:
        """What these eyes see, as a frozen dataclass of plain data."""


class Draw(Protocol):
    """The room ``draw.py``."""

    def svg(self, view: Any) -> str:
        """The view as a self-contained drawing."""


class SetupRoom(Protocol):
    """The room ``setup.py``."""

    def setup(self, options: Any) -> Any:
        """The kernel's ``Setup`` of validated options."""


@dataclass(frozen=True)
class Title:
    """A game that Paddock knows. Making one loads none of its rules."""

    name: str  # as in commands and addresses
    label: str  # as on a poster
    tagline: str
    package: str
    revision: int  # of the rules; records name it
    round_name: str  # what one game of the series is called
    player_name: str  # what one player is called
    seat_name: str  # what one seat is called
    options: type[Options]

    @property
    def players_option(self) -> str:
        """The option that says how many players there are."""
        return f"{self.player_name}s"

    @property
    def rounds_option(self) -> str:
        """The option that says how many games the series has."""
        return f"{self.round_name}s"

    def _room(self, name: str) -> Any:
        return import_module(f"{self.package}.{name}")

    @cached_property
    def rules(self) -> Rules:
        return cast(Rules, self._room("rules"))

    @cached_property
    def again(self) -> Callable[[Any, Any], None]:
        """What begins the next game of a series, from the state in which the last one ended.

        It is the rules' ``again(s, g)``, where something (the deal) goes on from game to game,
        else their ``start``.
        """
        return cast(Callable[[Any, Any], None], getattr(self.rules, "again", self.rules.start))

    @cached_property
    def refusals(self) -> Refusals:
        return cast(Refusals, self._room("refusals"))

    @cached_property
    def setup(self) -> SetupRoom:
        return cast(SetupRoom, self._room("setup"))

    @cached_property
    def text(self) -> Text:
        return cast(Text, self._room("text"))

    @cached_property
    def view(self) -> View:
        return cast(View, self._room("view"))

    @cached_property
    def draw(self) -> Draw:
        return cast(Draw, self._room("draw"))

    @cached_property
    def rulebook(self) -> Rulebook:
        """The clauses in our own words, from the title's RULES.md."""
        from paddock.core.clauses import load  # its Markdown reader is not needed to play

        return load(files(self.package).joinpath("RULES.md").read_text("utf-8"))


GROUP = "paddock.titles"


@cache
def titles() -> dict[str, Title]:
    """Every title that is installed, by name; titles of other packages come by entry point."""
    return {e.name: cast(Title, e.load()) for e in sorted(entry_points(group=GROUP), key=lambda e: e.name)}


def title(name: str) -> Title:
    """The title called ``name``; raises ``PaddockError`` naming those there are."""
    found = titles().get(name)
    if found is None:
        raise PaddockError(f"there is no title «{brief(str(name))}»; the titles are {', '.join(titles())}")
    return found
