"""The rooms of a title: the protocol of each module that ``Title`` imports, and what some of them return.

docs/titles.md says which rooms are needed for what.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from paddock.core.i18n import Sentence
from paddock.core.log import Event
from paddock.core.series import RoundResult


def names(protocol: type[Any]) -> tuple[str, ...]:
    """Return the names of the functions and constants of a protocol."""
    every = (*getattr(protocol, "__annotations__", ()), *vars(protocol))
    return tuple(name for name in every if not name.startswith("_"))


class Move(Protocol):
    """A typed move. ``str(move)`` is its notation: words separated by single spaces, without «;».

    For example:

        >>> import paddock
        >>> move = paddock.start("lacorsa", drivers=4, seed=7).legal(1)[-1]
        >>> str(move), move.id
        ('12+R', 24)
    """

    @property
    def id(self) -> int: ...


class Known(Protocol):
    """What some seats know, as a room gets it: a ``paddock.Seen``, which has more."""

    @property
    def options(self) -> Any: ...
    @property
    def setup(self) -> Any: ...
    @property
    def state(self) -> Any: ...
    @property
    def eyes(self) -> int: ...
    @property
    def rounds(self) -> tuple[RoundResult, ...]: ...
    @property
    def names(self) -> tuple[str, ...]: ...


class Rules(Protocol):
    """The kernel contract: the functions and bounds of the last module in ``Title.kernel``.

    docs/kernel.md describes each of them. A title may add ``again``, ``foreseen`` and ``event_for``.
    """

    ACTIONS: int
    OUTCOMES: int
    MAX_SEATS: int
    MAX_DECISIONS: int
    MAX_EVENTS: int  # the most events of one entry, and of all chance that is due at once
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

    CODES: int  # 0 means legal, the refusals are 1 … CODES − 1

    def why(self, s: Any, g: Any, seat: int, move: int) -> int: ...


class Text(Protocol):
    """The room ``text.py``: all sentences and notation of the title. ``g`` is the game's ``Setup``."""

    def move(self, g: Any, id: int) -> Move:
        """Return the typed move with this id."""

    def parse_move(self, g: Any, text: str) -> Move:
        """Parse a move in notation; raise ``BadMove`` or ``IllegalMove``."""

    def refusal(self, s: Any, g: Any, seat: int, code: int, move: int) -> tuple[str, str]:
        """Return (clause, sentence) for a code that ``why`` returned for this state, seat and move."""

    def label(self, seen: Known, seat: int, move: int) -> str:
        """Return the text of a button: the move and its consequence."""

    def status(self, seen: Known) -> str:
        """Return one line that says who must decide what."""

    def board(self, seen: Known) -> list[str]:
        """Return the board and the visible hands as lines for a terminal.

        For a large board, a title may add ``small(seen, seat, width, height)``: what the seat needs of it for
        a decision, in so many lines of ``width`` letters if it can.
        """

    def line(self, g: Any, event: Event, names: Sequence[str]) -> str:
        """Return the sentence for an event, or an empty text. ``names`` are the names of the seats."""

    def chance_heading(self, s: Any, g: Any) -> str:
        """Return what chance decides now, as in records: ``deal 1``."""

    def outcome(self, g: Any, id: int) -> str:
        """Return the notation of a chance outcome, one word."""

    def parse_outcome(self, g: Any, heading: str, text: str) -> int:
        """Parse a chance outcome under a heading; return its id or raise ``BadMove``."""

    def position(self, s: Any, g: Any) -> str:
        """Return the state as ``name=value`` words."""

    def parse_position(self, words: dict[str, str], g: Any) -> Any:
        """Parse ``name=value`` words into a state; raise ``BadPosition`` with every fault."""

    def result_fault(self, places: Sequence[int], scores: Sequence[int], g: Any) -> str:
        """Return why no round can end with these results by seat; empty if one can. Place 0: none."""


class View(Protocol):
    """The room ``view.py``."""

    def view(self, seen: Known) -> Any:
        """Return what is seen as a frozen dataclass of plain data."""


class SetupRoom(Protocol):
    """The room ``setup.py``."""

    def setup(self, options: Any) -> Any:
        """Convert validated options to the kernel's ``Setup``."""


class Features(Protocol):
    """The room ``features.py``: what a player sees, as numbers for a network."""

    FEATURES: int  # how many, the same for all options
    FIELDS: Sequence[Any]  # what they mean: a ``paddock.kernel.Field`` for each block, in order

    def observe(self, s: Any, g: Any, seat: int, out: Any) -> None:
        """Write the observation of ``seat`` from a state hidden for its player; ``out`` has FEATURES
        zeros."""


class Invariants(Protocol):
    """The room ``invariants.py``. The kernel also has its function ``broken(s, g)``."""

    INVARIANTS: Sequence[str]  # sentences, by the number that ``broken`` returns; 0 is none
    SAMPLES: Mapping[str, Sequence[str]]  # values of options that are texts


@dataclass(frozen=True)
class Chain:
    """A suggested chain: its links, the text of its button, and its total cost (petrol, cards, …)."""

    moves: tuple[int, ...]
    label: str
    cost: Mapping[str, int]


class Chains(Protocol):
    """The room ``chains.py`` of a title whose moves can be combined into chains."""

    def cost(self, seen: Known, seat: int, move: int) -> Mapping[str, int]:
        """Return the cost of a legal link as far as the seat knows: name → amount."""

    def ready(self, seen: Known, seat: int) -> Sequence[Chain]:
        """Return suggested chains from here, such as the cheapest way to each destination."""


@dataclass(frozen=True)
class Order:
    """A standing order: its notation (one line without «;») and the text of its button."""

    text: str
    label: str


@dataclass(frozen=True)
class Dropped:
    """An order that no longer applies, with the reason for its owner; empty if it was carried out.

    The reason is stored, and shown in the language of the owner: write it as a ``Sentence``.
    """

    reason: Sentence | str


class Orders(Protocol):
    """The room ``orders.py``. It gets only what the owner of the order sees.

    A title may add ``always(seen, seat)``: the texts of the orders that its options give to everybody.
    """

    def describe(self, seen: Known, seat: int) -> list[Order]:
        """Return the orders that the seat can give now."""

    def parse(self, text: str) -> Order:
        """Parse an order; raise ``BadMove``."""

    def answer(self, seen: Known, seat: int, text: str) -> int | Dropped | None:
        """Return the move that the order makes now, None if it waits, ``Dropped`` if it is out of date."""


class Forced(Protocol):
    """The room ``forced.py``: why a move was the only one. Tables then play it by itself."""

    def why(self, seen: Known, seat: int, move: int) -> Sentence | None:
        """Return why ``move``, the only legal one of the seat, is the only one; None if that is a secret.

        ``seen`` is what a spectator sees. With it and the move everybody must be able to tell that the seat
        had no choice. The reason is a part of a sentence, such as «no petrol».
        """


class Maps(Protocol):
    """The room ``maps`` of a title whose maps people can write. A map is a name or the text of a file."""

    SHIPPED: Sequence[str]  # the names of the title's own maps

    def source(self, name: str) -> str:
        """Return the file of a shipped map."""

    def check(self, text: str) -> Sequence[str]:
        """Return the faults of a map as sentences; none if it can be played on. It may stop after many."""

    def summary(self, text: str) -> str:
        """Return in one line what a map without faults has."""
