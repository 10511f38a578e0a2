"""What the store holds, as plain data."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True)
class TableRow:
    """A table: what was agreed before its first event."""

    id: str
    title: str
    revision: int  # of the title's rules
    options: str  # as ``Options.text``
    kind: str  # "race", "learn", "explore" or "upload"
    pace: str  # of its bots: "human" or "instant"
    created: datetime
    date: str  # the day it was played, as records write it: 2026-03-01
    maker: str | None  # hash of the secret of the browser that made it
    origin: str | None  # explored from: TABLE/ENTRY
    length: int = 0  # events in its log
    over: bool = False


@dataclass(frozen=True)
class PlayerRow:
    """Who plays: a person in the browser with this hash, a bot of a level, or nobody any more."""

    index: int
    name: str
    bot: str | None
    holder: str | None


@dataclass(frozen=True)
class EventRow:
    """One entry of a log."""

    seq: int  # from 0
    by: int  # seat, or CHANCE
    what: int  # move or outcome
    decision: int  # the decision that it answers or follows from
    digest: int  # 64 bits of the position after it


@dataclass(frozen=True)
class PendingRow:
    """A commitment that is not revealed yet."""

    decision: int
    seat: int
    move: int


@dataclass(frozen=True)
class AnswerRow:
    """What a submission was answered: the same key gets the same answer."""

    key: str
    seat: int
    decision: int
    status: str
    sentence: str


@dataclass(frozen=True)
class Stored:
    """All that is stored of one table."""

    table: TableRow
    players: tuple[PlayerRow, ...]
    events: tuple[EventRow, ...]  # by seq
    pending: tuple[PendingRow, ...]
