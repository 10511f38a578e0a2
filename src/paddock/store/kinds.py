"""What a table is for, and what follows from that. Nothing else compares kinds by name."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Dialect, String
from sqlalchemy.types import TypeDecorator

from paddock.core.i18n import mark


@dataclass(frozen=True)
class Seal:
    """Only its player sees a table, also after the end; how it refuses the others, to be translated."""

    watch: str = mark("only its player sees this table")
    move: str = mark(
        "this seat stays with its browser: to play on another device, link that device under “My games”"
    )
    analyse: str = mark("this cannot be analysed while only its player sees it")


@dataclass(frozen=True)
class Kind:
    """What a table is for."""

    name: str  # as it is stored, and in the API
    label: str = ""  # in a list of tables, to be translated; empty: a race, or what a feature says
    race: bool = False  # a game of its people: they are called, may leave their seats, and its result counts
    undo: bool = False  # moves may be taken back
    hinted: bool = False  # its player was given hints: it is listed, and its result does not count
    explored: bool = False  # it plays on from a position of another table
    lesson: bool = False
    record: bool = False  # a record from elsewhere: nobody plays there
    seal: Seal | None = field(default=None, repr=False)

    @property
    def sealed(self) -> bool:
        """Whether only its player sees it, also after the end."""
        return self.seal is not None


_KNOWN: dict[str, Kind] = {}


def known(kind: Kind) -> Kind:
    """Add a kind to those that are read from the database, and return it."""
    _KNOWN[kind.name] = kind
    return kind


RACE = known(Kind("race", race=True, undo=True))
LESSON = known(Kind("learn", mark("a lesson"), lesson=True))
EXPLORED = known(Kind("explore", mark("exploring"), undo=True, explored=True))
HINTED = known(Kind("hinted", mark("with hints"), race=True, undo=True, hinted=True))
RACES = (RACE, HINTED)
RECORD = known(Kind("upload", mark("a record"), record=True))


class KindColumn(TypeDecorator[Kind]):
    """The name of a kind."""

    impl, cache_ok = String(16), True

    def process_bind_param(self, value: Any, dialect: Dialect) -> Any:
        """Return the name to store."""
        return value.name

    def process_result_value(self, value: Any, dialect: Dialect) -> Any:
        """Return the kind. One that is not known, as of a missing feature, is sealed: it may have secrets."""
        return _KNOWN.get(value) or Kind(value, seal=Seal())
