"""What the store holds, as plain data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime

NEVER = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True)
class TableRow:
    """A table: what was agreed before its first event."""

    id: str
    title: str
    revision: int  # of the title's rules
    options: str  # as ``Options.short``
    kind: str  # "race", "learn", "explore" or "upload"
    pace: str  # of its bots: "human" or "instant"
    created: datetime
    date: str  # the day it was played, as records write it: 2026-03-01
    maker: str | None  # hash of the secret of the browser that made it
    origin: str | None  # explored from: TABLE/ENTRY
    length: int = 0  # rows of its log, those taken back included
    over: bool = False
    phase: str = "play"  # or "lobby": nothing is dealt yet
    host: str | None = None  # hash of the secret of the browser that decides about the seats
    listed: bool = False  # whether it is found without its link
    clock: str = ""  # untimed, or BANK+INCREMENT in seconds: 600+10
    grace: int = 0  # seconds of absence after which a bot stands in; 0: never
    opened_at: datetime | None = None  # when the open decision was opened
    touched_at: datetime = NEVER  # when a person or a bot last did something
    rematch_of: str | None = None  # the table that this is the rematch of
    rematch: str | None = None  # the table that is the rematch of this
    abandoned: bool = False


@dataclass(frozen=True)
class PlayerRow:
    """Who plays: a person in the browser with this hash, a bot of a level, or nobody any more."""

    index: int
    name: str
    bot: str | None
    holder: str | None
    ready: bool = False  # in the lobby
    stand_in: bool = False  # a bot plays for the absent person
    bank_ms: int | None = None  # what is left on the clock
    recovery: str | None = None  # SHA-256 (hex) of the secret that moves the seat to another browser
    muted: bool = False
    read_up_to: int = 0  # entries of the game's log that the person has seen


@dataclass(frozen=True)
class EventRow:
    """One entry of a log."""

    seq: int  # from 0
    by: int  # seat, or CHANCE
    what: int  # move or outcome
    decision: int  # the decision that it answers or follows from
    digest: int  # 64 bits of the position after it; 0 where the decision goes on
    linked: bool = False  # it was submitted together with the move before it


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
class TalkRow:
    """A line of talk; ``player`` None is the table itself."""

    seq: int  # from 0
    at: datetime
    player: int | None
    channel: str  # "table" or "team:N"
    text: str


@dataclass(frozen=True)
class OrderRow:
    """A standing order."""

    seat: int
    text: str
    made_at: datetime


@dataclass(frozen=True)
class UndoRow:
    """A request to take back, open until the game goes on."""

    rows: int  # entries of the game's log that would survive
    player: int  # who asks
    consents: tuple[int, ...]  # the players who have agreed


@dataclass(frozen=True)
class TokenRow:
    """A personal token: whoever shows it is the browser with this hash."""

    hash: str  # SHA-256 (hex) of the token
    holder: str
    label: str  # unique for its holder
    made_at: datetime
    used_at: datetime | None = None


@dataclass(frozen=True)
class Stored:
    """All that is stored of one table."""

    table: TableRow
    players: tuple[PlayerRow, ...]
    events: tuple[EventRow, ...]  # by seq
    pending: tuple[PendingRow, ...]
    orders: tuple[OrderRow, ...] = ()  # by seat
    undo: UndoRow | None = None
    data: Mapping[str, str] = field(default_factory=dict)  # what its options name, by digest
