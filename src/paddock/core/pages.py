"""The rooms of a title that only its pages need: drawings and questions. ``course`` has the lessons.

These protocols are not part of ``PROTOCOL``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from paddock.core.log import Event, EventBatch
from paddock.core.options import Options
from paddock.core.rooms import Known


class Drawings(Protocol):
    """The room ``draw.py``: the functions that notebooks and shared pages use. Each returns an SVG.

    All of them are optional; without one, the page has no such picture. The room may have more functions for
    the title's own templates, such as one for the board.
    """

    FIELD: str  # the colour behind pictures that are shared [Paddock's own]
    LIGHT: str  # the colour of words on it [Paddock's own]

    def svg(self, view: Any) -> str:
        """Return the view as a self-contained SVG drawing, for a notebook."""

    def picture(self, view: Any) -> str:
        """Return ``svg`` in a simple form for a small picture, without any hands [``svg``]."""

    def drawn_map(self, text: str) -> str:
        """Return a map of the room ``maps``, with nobody on it, for ``paddock map draw``."""

    def sprite(self) -> str:
        """Return the symbols that the drawings on a page refer to. A page contains them once."""

    def poster(self) -> str:
        """Return the title's poster."""

    def card(self, card: Any) -> str:
        """Return the drawing of a card of ``Page.faces``."""

    def podium(self, finishers: Sequence[Any], *, heading: str = "") -> str:
        """Return the podium with ``Page.finishers`` on it."""


class Hand(Protocol):
    """The decision of one seat, for the title's ``hand.html``."""

    @property
    def question(self) -> str:
        """The question in a few words."""

    @property
    def idle(self) -> str:
        """The text of the button before anything is chosen."""

    @property
    def refused(self) -> Mapping[str, tuple[str, str]]:
        """Choices that are not legal: notation → (sentence, clause)."""


class Link(Protocol):
    """A link of a chain that a player has chosen."""

    @property
    def move(self) -> str:
        """In notation."""

    @property
    def label(self) -> str:
        """As on its button."""

    @property
    def cost(self) -> Mapping[str, int]:
        """What it costs."""


@dataclass(frozen=True)
class Chart:
    """A drawing of how the game went, and the same numbers as a table."""

    caption: str
    svg: str
    head: Sequence[str]  # of the columns: the names, then the points in time
    rows: Sequence[Sequence[str]]  # each a name, then its values


@dataclass(frozen=True)
class Moment:
    """A moment of a game that is worth looking at again."""

    entry: int  # the log entry that it followed from
    text: str


@dataclass(frozen=True)
class Tally:
    """What every player did, as a small table."""

    caption: str
    head: Sequence[str]  # of the columns: the names, then what is counted
    rows: Sequence[Sequence[str]]


@dataclass(frozen=True)
class Feat:
    """What one player did in the whole series."""

    player: int
    text: str  # without the name: «place 1, 9 points, 4 overtakes»
    best: Moment | None  # their best moment


@dataclass(frozen=True)
class Account:
    """What the page of a finished game tells about it. Any part may be empty."""

    charts: Sequence[Chart] = ()  # in the order of the games; the page unfolds the last one
    tallies: Sequence[Tally] = ()
    moments: Sequence[Moment] = ()  # that decided it, in order
    feats: Sequence[Feat] = ()  # the best player first


@dataclass(frozen=True)
class To:
    """A piece, and where it goes: needed where its next event moves it on from there."""

    piece: int
    x: float  # in the drawing, as its ``transform`` has them
    y: float

    def __str__(self) -> str:
        return f"{self.piece}@{self.x:g},{self.y:g}"


@dataclass(frozen=True)
class Beat:
    """A piece to which something happens where it stands: it is hit, or it arrives."""

    piece: int
    how: Literal["hit", "arrives"]

    def __str__(self) -> str:
        return f"{self.piece}{'!' if self.how == 'hit' else '*'}"


Moves = Mapping[tuple[int, int], Sequence[Sequence[int | To | Beat]]]
"""What events move on the board: (log entry, place in the batch) → groups of pieces.

A page moves group after group, and the pieces of a group together. The numbers are those of ``data-piece`` in
the drawing: see docs/look.md. Number 0 is no piece: only the sentence of the event is shown.
"""


@dataclass(frozen=True)
class Part:
    """A small field of an option that consists of several, such as the points of a place."""

    label: str
    value: str
    choices: Sequence[tuple[str, str]] = ()  # (value, name); without them it is a whole number
    most: int = 1000  # of a whole number


class Parts(Protocol):
    """How a page asks for an option that is written as a list or a text: in several small fields."""

    def split(self, value: str, options: Options) -> Sequence[Part]:
        """Return the fields for a value as it is written, also for one that is wrong."""

    def join(self, texts: Sequence[str]) -> str:
        """Return the value as it is written, from what the fields have. The options check it."""


@dataclass(frozen=True)
class Sample:
    """Something to look at below an option, such as a leader: ``PICTURES`` draws ``value``."""

    value: str
    label: str
    says: str


class Forms(Protocol):
    """The room ``forms.py``: what the set-up page shows of the options, besides the words of the rulebook.

    All of it is optional; the defaults are in brackets. It also draws, each as an SVG that stands alone,
    without words, as an image has no other fonts and does not follow the language.
    """

    PICTURES: Mapping[str, Callable[[str], str]]
    """The option → a function that draws a value of it, about 160 by 100 [none]. ``presets`` draws a preset
    by its name; the option for the number of players draws the piece of each, from "1"."""

    PARTS: Mapping[str, Parts]
    """The options that are asked for in several fields [lists of whole numbers]."""

    FORMATS: Mapping[str, str]
    """An option with data → a sentence about what a file of one's own contains [none]."""

    def choices(self, option: str, options: Options) -> Sequence[tuple[str, str]]:
        """Return values, with their names, that follow from other options [none]."""

    def called(self, option: str, value: str) -> str:
        """Return the name of data of one's own, such as the title of a map [«Your own»]."""

    def facts(self, option: str, value: str) -> Sequence[str]:
        """Return facts about a value, each in a few words: how long it is, for how many players [none]."""

    def source(self, option: str, value: str) -> str:
        """Return the file of a built-in value, as a start for one's own [none]."""

    def samples(self, option: str) -> Sequence[Sample]:
        """Return what an option is about, as pictures with words [nothing]."""


class Page(Protocol):
    """The room ``page.py``: what a title's pages show beyond the view.

    Only ``ask`` is required. The defaults of the others are in brackets. The templates, style sheet, script
    and pictures of a title are in its folder ``web``: see docs/look.md.
    """

    START: str  # the text of the start button on the set-up page [Start the game]
    SHORTCUTS: Sequence[tuple[str, str]]  # the title's own keys, and what each does [none]
    OPENING: str  # the heading of the story before its first heading [none]
    SOUNDS: Mapping[int, str]  # of codes of events: card, reveal, engine, danger or finish [none]

    def ask(self, seen: Known, seat: int, view: Any) -> Hand:
        """Return the decision of a seat. During a chain, ``seen`` is the position after its links."""

    def whole(self, links: Sequence[Link]) -> str:
        """Return what the button says that sends several links [how many, and the last one]."""

    def faces(self, move: int, seat: int) -> Sequence[Any]:
        """Return the cards of a move, for ``Drawings.card`` [none]."""

    def subject(self, event: Event) -> int | None:
        """Return the seat that a line of the story is about [none]."""

    def is_heading(self, event: Event) -> bool:
        """Whether a line of the story is a heading [no]."""

    def kicker(self, event: Event) -> str:
        """Return the headline above a line of the story that is great news [none]."""

    def moves(self, batches: Sequence[EventBatch], view: Any) -> Moves:
        """Return which pieces of the board each event has moved [nothing: all move at once]."""

    def reveal(self, batches: Sequence[EventBatch], names: Sequence[str], view: Any, since: int) -> Any:
        """Return the last reveal since log entry ``since``, for ``reveal.html``; None if there was none.

        It has ``mark``, the log entry that revealed it, and ``title`` [None].
        """

    def standing(self, view: Any, player: int) -> Sequence[str]:
        """Return where the game and a player stand, each in a few words: lap, place, points [none]."""

    def pads(self, seen: Known, view: Any) -> Sequence[Any]:
        """Return the tables of points, for ``scorepad.html`` [none]."""

    def finishers(self, seen: Known, view: Any) -> Sequence[Any]:
        """Return who stands on the podium, for ``Drawings.podium`` [nobody]."""

    def headline(self, winners: Sequence[str], rounds: int) -> str:
        """Return who won the series; ``winners`` is empty if nobody has a place [their names]."""

    def account(self, seen: Known, batches: Sequence[EventBatch]) -> Account:
        """Return how a finished series went, from its events: charts, counts, moments [nothing]."""
