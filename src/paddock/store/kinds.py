"""What a table is for, and what follows from that. Nothing else compares kinds by name."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import Dialect, String
from sqlalchemy.types import TypeDecorator

from paddock.core.i18n import mark


@dataclass(frozen=True)
class Kind:
    """What a table is for."""

    name: str  # as it is stored, and in the API
    label: str = ""  # in a list of tables, to be translated; empty: a race, or one of a day
    race: bool = False  # a game of its people: they are called, may leave their seats, and its result counts
    undo: bool = False  # moves may be taken back
    explored: bool = False  # it plays on from a position of another table
    lesson: bool = False
    record: bool = False  # a record from elsewhere: nobody plays there
    sealed: bool = False  # only its player sees it, also after the end


RACE = Kind("race", race=True, undo=True)
LESSON = Kind("learn", mark("a lesson"), lesson=True)
EXPLORED = Kind("explore", mark("exploring"), undo=True, explored=True)
RECORD = Kind("upload", mark("a record"), record=True)
# The race of a day: an attempt; when the day is told, one that counts, and all others
DAILY, RACED, PRACTICE = Kind("daily", sealed=True), Kind("raced"), Kind("practice")
KINDS = {kind.name: kind for kind in (RACE, LESSON, EXPLORED, RECORD, DAILY, RACED, PRACTICE)}


class KindColumn(TypeDecorator[Kind]):
    """The name of a kind."""

    impl, cache_ok = String(16), True

    def process_bind_param(self, value: Any, dialect: Dialect) -> Any:
        """Return the name to store."""
        return value.name

    def process_result_value(self, value: Any, dialect: Dialect) -> Any:
        """Return the kind. One that is not known, as of a missing feature, is sealed: it may have secrets."""
        return KINDS.get(value) or Kind(value, sealed=True)
