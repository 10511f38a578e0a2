"""The rooms of a title: its modules, each with its protocol and with the default for what it leaves out.

A ``Title`` has them as attributes of these types: ``title.text.move(g, id)``, ``title.page.ask(…)``. Besides
them it has its rules (``rules.py``), and ``policy.py``, which only the kernel reads. The functions that run
compiled have their defaults in the kernel, in ``absent.py`` and ``derived.py``.

Defaults are imported when a room is first needed, so that Paddock starts sooner.
"""
# mypy: disable-error-code="type-abstract"

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, Generic, Self, TypeAlias, TypeVar, overload

from paddock.core.rooms.basics import names

if TYPE_CHECKING:
    from paddock.core.rooms.chains import Chains, Forced, Orders
    from paddock.core.rooms.draw import Drawings
    from paddock.core.rooms.forms import Forms
    from paddock.core.rooms.learn import Course
    from paddock.core.rooms.maps import Maps
    from paddock.core.rooms.mistakes import Mistakes
    from paddock.core.rooms.observed import Features, Invariants
    from paddock.core.rooms.page import Page
    from paddock.core.rooms.puzzles import Puzzling
    from paddock.core.rooms.records import Records
    from paddock.core.rooms.refusals import Refusals
    from paddock.core.rooms.research import BenchRoom, Bots, ChampionRoom, ShortFeatures, StudyRoom
    from paddock.core.rooms.setup import SetupRoom
    from paddock.core.rooms.situations import Situations
    from paddock.core.rooms.text import Text
    from paddock.core.rooms.view import View

P = TypeVar("P")  # the protocol of a room
Default: TypeAlias = Callable[[Any, Mapping[str, Any]], P]  # from a title and what it has of its own


class Spare(Generic[P]):
    """A room that a title may do without: None if it has no such module."""

    name: str  # of the module, and of the attribute

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    @overload
    def __get__(self, title: None, owner: type) -> Self: ...
    @overload
    def __get__(self, title: Any, owner: type) -> P | None: ...
    def __get__(self, title: Any, owner: type) -> Self | P | None:
        if title is None:
            return self
        found: P | None = title.room(self.name)
        vars(title)[self.name] = found  # from now on it is found there
        return found


def completed(title: Any, name: str, protocol: type[P], default: Default[P]) -> P:
    """Return the room ``name`` of a title: the module if it leaves nothing out, else joined with defaults."""
    room: Any = title.room(name)
    if room and all(hasattr(room, part) for part in names(protocol)):
        whole: P = room
        return whole
    own_parts = (
        {part: value for part, value in vars(room).items() if not part.startswith("__")} if room else {}
    )
    return default(title, own_parts)


class Rooms:
    """The table of the rooms of a title."""

    # Every title has these, with the defaults for what its own module leaves out.

    @cached_property
    def setup(self) -> SetupRoom:
        from paddock.core.rooms.setup import SetupRoom, UsualSetup

        return completed(self, "setup", SetupRoom, UsualSetup)

    @cached_property
    def refusals(self) -> Refusals:
        from paddock.core.rooms.refusals import Refusals, UsualRefusals

        return completed(self, "refusals", Refusals, UsualRefusals)

    @cached_property
    def text(self) -> Text:
        from paddock.core.rooms.text import Text, UsualText

        return completed(self, "text", Text, UsualText)

    @cached_property
    def view(self) -> View:
        from paddock.core.rooms.view import UsualView, View

        return completed(self, "view", View, UsualView)

    @cached_property
    def invariants(self) -> Invariants:
        from paddock.core.rooms.observed import Invariants, UsualInvariants

        return completed(self, "invariants", Invariants, UsualInvariants)

    @cached_property
    def features(self) -> Features:
        from paddock.core.rooms.observed import Features, UsualFeatures

        return completed(self, "features", Features, UsualFeatures)

    @cached_property
    def short_features(self) -> ShortFeatures:
        from paddock.core.rooms.research import ShortFeatures, UsualShortFeatures

        return completed(self, "short_features", ShortFeatures, UsualShortFeatures)

    @cached_property
    def champion(self) -> ChampionRoom:
        from paddock.core.rooms.research import ChampionRoom, UsualChampion

        return completed(self, "champion", ChampionRoom, UsualChampion)

    @cached_property
    def draw(self) -> Drawings:
        from paddock.core.rooms.draw import Drawings, UsualDrawings

        return completed(self, "draw", Drawings, UsualDrawings)

    @cached_property
    def forms(self) -> Forms:
        from paddock.core.rooms.forms import Forms, UsualForms

        return completed(self, "forms", Forms, UsualForms)

    @cached_property
    def page(self) -> Page:
        from paddock.core.rooms.page import Page, UsualPage

        return completed(self, "page", Page, UsualPage)

    # A title may have these. Only the first has defaults.

    @property
    def records(self) -> Records | None:
        """The room ``records.py``. It is looked up each time: authors try one after the other."""
        from paddock.core.rooms.records import with_usual

        room = self.room("records")  # type: ignore[attr-defined]
        return room and with_usual(self, room)  # type: ignore[arg-type]

    chains: Spare[Chains] = Spare()
    orders: Spare[Orders] = Spare()
    forced: Spare[Forced] = Spare()
    maps: Spare[Maps] = Spare()
    learn: Spare[Course] = Spare()
    puzzles: Spare[Puzzling] = Spare()
    mistakes: Spare[Mistakes] = Spare()
    situations: Spare[Situations] = Spare()
    bots: Spare[Bots] = Spare()
    study: Spare[StudyRoom] = Spare()
    bench: Spare[BenchRoom] = Spare()
