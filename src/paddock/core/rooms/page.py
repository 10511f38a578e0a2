"""The room ``page.py``: what a title's pages show and ask."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Literal, Protocol

from paddock.core.i18n import _, mark, pgettext
from paddock.core.log import Event, EventBatch
from paddock.core.rooms import hands
from paddock.core.rooms.basics import Known, Usual
from paddock.core.series import standings
from paddock.core.wording import listed


class Hand(Protocol):
    """The decision of one seat, for the title's ``hand.html``. ``hands.py`` has one to make it with."""

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

    def matters(self, seen: Known, seat: int) -> str:
        """Return what matters in the decision of a seat, in a sentence or two, for a hint [nothing]."""

    def goes_on(self, seen: Known, seat: int) -> bool:
        """Return whether what a seat decides at the same time as others is the rest of the move that it has
        just begun: a hint tells both [no]."""

    def whole(self, links: Sequence[Link]) -> str:
        """Return what the button says that sends several links [how many, and the last one]."""

    def faces(self, seen: Known, move: int) -> Sequence[Any]:
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


class UsualPage(Usual):
    """A button for each move, the points, and no story."""

    SHORTCUTS: Sequence[tuple[str, str]] = ()
    START = mark("Start the game")
    OPENING = ""
    SOUNDS: Mapping[int, str] = MappingProxyType({})

    def ask(self, seen: Known, seat: int, view: Any) -> Hand:
        return hands.Hand(_("Your move"), _("Choose a move"), cards=(), signs=(), refused={})

    def matters(self, seen: Known, seat: int) -> str:
        return ""

    def goes_on(self, seen: Known, seat: int) -> bool:
        return False

    def whole(self, links: Sequence[Link]) -> str:
        return _("Send {n} moves; the last: {label}").format(n=len(links), label=links[-1].label)

    def faces(self, seen: Known, move: int) -> Sequence[Any]:
        return ()

    def subject(self, event: Event) -> int | None:
        return None

    def is_heading(self, event: Event) -> bool:
        return False

    def kicker(self, event: Event) -> str:
        return ""

    def moves(self, batches: Sequence[EventBatch], view: Any) -> Moves:
        return {}

    def reveal(self, batches: Sequence[EventBatch], names: Sequence[str], view: Any, since: int) -> Any:
        return None

    def standing(self, view: Any, player: int) -> Sequence[str]:
        return ()

    def pads(self, seen: Known, view: Any) -> Sequence[Any]:
        """Return the points of each round, a row for each player."""
        rounds, players = seen.options.rounds, standings(seen.options, seen.rounds).players
        rows: tuple[hands.Row[int], ...] = tuple(
            hands.row(seen.names[line.who], (), line.rounds, rounds, leads=line.rank == 1) for line in players
        )
        return [hands.Pad(_("Points"), _(seen.title.player_name).capitalize(), rounds, rows)]

    def finishers(self, seen: Known, view: Any) -> Sequence[Any]:
        return ()

    def headline(self, winners: Sequence[str], rounds: int) -> str:
        """Return who has won, as the heading of the last page."""
        if not winners:
            return _("Nobody wins")
        return (pgettext("verb", "{names} wins") if len(winners) == 1 else _("{names} share the win")).format(
            names=listed(winners)
        )

    def account(self, seen: Known, batches: Sequence[EventBatch]) -> Account:
        return Account()
