"""The rows of the store as plain data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

NEVER = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True)
class TableRow:
    """A table without its log."""

    id: str
    title: str
    revision: int  # of the title's rules
    options: str  # as in ``Options.short``
    kind: str  # "race", "learn", "explore" or "upload"
    pace: str  # of its bots: "human" or "instant"
    created: datetime
    date: str  # day of play, as in records: 2026-03-01
    maker: str | None  # hash of the secret of the browser that created it
    origin: str | None  # TABLE/ENTRY from which this was explored
    length: int = 0  # rows of its log, undone ones included
    over: bool = False
    phase: str = "play"  # or "lobby" before the game starts
    host: str | None = None  # hash of the secret of the host's browser
    listed: bool = False  # whether the home page lists it
    clock: str = ""  # untimed, or BANK+INCREMENT in seconds: 600+10
    grace: int = 0  # seconds of absence after which a bot stands in; 0: never
    opened_at: datetime | None = None  # when the open decision was opened
    touched_at: datetime = NEVER  # when a person or a bot last did something
    rematch_of: str | None = None  # the table that this is the rematch of
    rematch: str | None = None  # the table that is the rematch of this
    abandoned: bool = False
    embed: bool = False  # whether other sites may show it in a frame
    version: int = 0  # the number of changes since it was created
    awaits: str | None = None  # the players who must decide, as in " 0 2 "; None: not known
    requests: int = 0  # the number of requests for seats so far


@dataclass(frozen=True)
class PlayerRow:
    """A player: a person in the browser with this hash, a bot of a level, or an open seat."""

    index: int
    name: str
    bot: str | None
    holder: str | None
    ready: bool = False  # in the lobby
    stand_in: bool = False  # a bot plays for the absent person
    bank_ms: int | None = None  # milliseconds left on the clock
    recovery: str | None = None  # SHA-256 (hex) of the secret that moves the seat to another browser
    muted: bool = False
    read_up_to: int = 0  # number of log entries that the person has seen
    last_holder: str | None = None  # who had the seat last, if it was opened during the game
    removed_by: str | None = None  # the host who removed its person during the game


@dataclass(frozen=True)
class EventRow:
    """One row of a log."""

    seq: int  # from 0
    by: int  # seat, or CHANCE
    what: int  # move or outcome
    decision: int  # id of the decision that it belongs to
    digest: int  # 64-bit hash of the position after it; 0 if the decision has more rows
    linked: bool = False  # it was submitted together with the move before it


@dataclass(frozen=True)
class PendingRow:
    """A commitment in an open simultaneous decision."""

    decision: int
    seat: int
    move: int


@dataclass(frozen=True)
class AnswerRow:
    """The stored answer to a submission; a retry with the same key gets it again."""

    key: str
    seat: int
    decision: int
    status: str
    sentence: str
    moves: str = ""  # in notation, separated by blanks; empty in rows of older versions


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
    """An undo request, open until the next move."""

    rows: int  # length of the game's log after the undo
    player: int  # who requested it
    consents: tuple[int, ...]  # the players who have agreed


@dataclass(frozen=True)
class ClaimRow:
    """A request to play an open seat of a running game; a seat has at most one."""

    player: int
    number: int  # counts the requests of one table, from 1
    holder: str  # hash of the secret of the browser that asks
    name: str
    consents: tuple[int, ...] = ()  # the players who have agreed


@dataclass(frozen=True)
class TokenRow:
    """A personal access token of a browser."""

    hash: str  # SHA-256 (hex) of the token
    holder: str
    label: str  # unique for its holder
    made_at: datetime
    used_at: datetime | None = None


@dataclass(frozen=True)
class Stored:
    """Everything that is stored about one table."""

    table: TableRow
    players: tuple[PlayerRow, ...]
    events: tuple[EventRow, ...]  # by seq
    pending: tuple[PendingRow, ...]
    orders: tuple[OrderRow, ...] = ()  # by seat
    undo: UndoRow | None = None
    talk: tuple[TalkRow, ...] = ()  # the last lines, in order
    answers: tuple[AnswerRow, ...] = ()  # to submissions for the open decision
    banned: frozenset[str] = frozenset()  # hashes of browsers
    data: Mapping[str, str] = field(default_factory=dict)  # the data of its options, by digest
    claims: tuple[ClaimRow, ...] = ()  # by player
    said: Mapping[str, int] = field(default_factory=dict)  # the number of all lines of talk, by channel


@dataclass(frozen=True)
class Write:
    """What one change of a table stores, where the stored table still has the version ``before``.

    Everything is optional except for the row of the table as it is afterwards.
    """

    before: int
    table: TableRow
    at: datetime
    players: Sequence[PlayerRow] = ()  # those that changed
    events: Sequence[EventRow] = ()  # appended to the log
    log_known: bool = True  # False: the columns of the table that follow from its log stay as they are
    settled: bool = False  # deletes the commitments and the undo request
    commit: PendingRow | None = None  # replaces an earlier commitment of the same seat
    orders: Mapping[int, str] = field(default_factory=dict)  # by seat; empty texts are deleted
    undo: UndoRow | None = None  # replaces an earlier request
    no_undo: bool = False  # deletes the request
    claims: Sequence[ClaimRow] | None = None  # replace all of the table
    talk: Sequence[TalkRow] = ()
    banned: Sequence[str] = ()
    answer: AnswerRow | None = None
