"""The rows of the store as plain data. ``schema.py`` makes the columns of the database from them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from datetime import UTC, datetime
from typing import Annotated, Any, NamedTuple, Self

from sqlalchemy import BigInteger, Connection, String

from paddock.store.columns import BROWSER, Bits, NumbersColumn
from paddock.store.kinds import Kind, KindColumn
from paddock.store.terms import Terms

NEVER = datetime(1970, 1, 1, tzinfo=UTC)
Id = Annotated[str, String(32)]
Hash = Annotated[str, String(64)]  # SHA-256 in hex
Browser = Annotated[str, String(64), BROWSER]  # SHA-256 in hex of the secret of a browser
Word = Annotated[str, String(16)]
Name = Annotated[str, String(100)]
Players = Annotated[tuple[int, ...], NumbersColumn()]


@dataclass(kw_only=True, slots=True)
class TableColumns:
    """The columns of a table that are the same in its row and in memory, where they change."""

    id: Id
    kind: Annotated[Kind, KindColumn()]
    terms: Terms  # each is a column of its own
    created: datetime  # UTC
    date: Annotated[str, String(10)]  # day of play, as in records: 2026-03-01
    maker: Browser | None = None  # the browser that created it
    origin: Annotated[str, String(64)] | None = None  # TABLE/ENTRY from which this was explored
    phase: Annotated[str, String(8)] = "play"  # or "lobby" before the game starts
    host: Browser | None = None
    opened_at: datetime | None = None  # when the open decision was opened; clocks run from then
    touched_at: datetime = NEVER  # the last action that others can see
    rematch_of: Id | None = None  # the table that this is the rematch of
    rematch: Id | None = None  # the table that is the rematch of this
    abandoned: bool = False
    closed: bool = False  # by the operator of the server
    embed: bool = False  # whether other sites may show it in a frame, if the server allows any
    version: int = 0  # the number of stored changes, which nobody may learn: some are secret
    requests: int = 0  # the number of requests for seats so far
    # All chance follows from it where cards are fair: see ``cards.py``; nobody may know it before the end
    secret: Hash | None = field(default=None, repr=False)
    deal: Annotated[str, String(10)] | None = None  # whose chance it has, by the name that its dealer knows

    def shared(self) -> dict[str, Any]:
        """Return these columns by name."""
        return {name: getattr(self, name) for name in _SHARED}


@dataclass(kw_only=True, slots=True)
class TableRow(TableColumns):
    """A table without its log."""

    title: Annotated[str, String(64)]
    revision: int  # of the title's rules
    options: str  # as in ``Options.short``
    length: int  # rows of its log, undone ones included
    over: bool
    awaits: str | None = None  # the players who must decide, as in " 0 2 "; None: not known

    @classmethod
    def read(cls, columns: Mapping[Any, Any]) -> Self:
        """Return the row with these columns of the database."""
        terms = Terms(**{name: columns[name] for name in _TERMS})
        return cls(terms=terms, **{name: columns[name] for name in _OTHERS})

    def columns(self) -> dict[str, Any]:
        """Return the columns of the database by name."""
        return vars(self.terms) | {name: getattr(self, name) for name in _OTHERS}


_SHARED = [fact.name for fact in fields(TableColumns)]
_TERMS = [fact.name for fact in fields(Terms)]
_OTHERS = [fact.name for fact in fields(TableRow) if fact.name != "terms"]


@dataclass(frozen=True)
class PlayerRow:
    """A player: a bot of the level ``bot``, or a person in the browser ``holder``.

    With neither it is an open seat, for which a bot plays in a running game, or a player of an uploaded
    record.
    """

    index: int
    name: Name
    bot: Annotated[str, String(32)] | None
    holder: Browser | None
    ready: bool = False  # in the lobby
    stand_in: bool = False  # a bot plays for the person, who is away or out of time
    bank_ms: Annotated[int, BigInteger()] | None = None  # left when the decision was opened; None: untimed
    recovery: Hash | None = None  # of the secret that moves the seat to another browser
    muted: bool = False
    read_up_to: int = 0  # number of log entries that the person has seen
    last_holder: Browser | None = None  # who had the seat last, if it was opened during the game
    removed_by: Browser | None = None  # the host who removed its person during the game
    late: bool = False  # whether its person has run out of time in this game
    lot: Hash = ""  # the number of its browser at the start, in hex, that is mixed with the table's secret


@dataclass(frozen=True)
class EventRow:
    """One row of a log."""

    seq: int  # from 0
    by: int  # seat, or CHANCE
    what: int  # move or outcome
    decision: int  # id of the decision that it belongs to
    digest: Annotated[int, Bits()]  # hash of the position after it; 0 if the decision has more rows
    linked: bool = False  # it was submitted together with the move before it


class LogRow(NamedTuple):
    """What a row of a log says of who decided: see ``EventRow``."""

    by: int
    what: int
    decision: int


@dataclass(frozen=True)
class PendingRow:
    """A commitment in an open simultaneous decision."""

    decision: int
    seat: int
    move: int


@dataclass(frozen=True)
class AnswerRow:
    """The stored answer to a submission; a retry with the same key gets it again."""

    key: Annotated[str, String(64)]
    seat: int
    decision: int
    status: Word
    sentence: str
    moves: str = ""  # in notation, separated by blanks; empty in rows of older versions


@dataclass(frozen=True)
class TalkRow:
    """A line of talk; ``player`` None is the table itself."""

    seq: int  # from 0
    at: datetime
    player: int | None
    channel: Word  # "table" or "team:N"
    text: str
    about: str = ""  # hashes of the browsers that say it or that it names; empty in rows of older versions
    phrase: Word = ""  # of a fixed list, which each reader gets in their language: see ``phrases.py``


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
    consents: Players  # the players who have agreed


@dataclass(frozen=True)
class ClaimRow:
    """A request to play an open seat of a running game; a seat has at most one."""

    player: int
    number: int  # counts the requests of one table, from 1
    holder: Browser  # the browser that asks
    name: Name
    consents: Players = ()  # the players who have agreed


@dataclass(frozen=True)
class TokenRow:
    """A personal access token of a browser."""

    hash: Hash  # of the token
    holder: Browser
    label: Annotated[str, String(64)]  # unique for its holder
    made_at: datetime
    used_at: datetime | None = None


@dataclass(frozen=True)
class OpenTurn:
    """A decision that has opened for a browser that may want to hear of it."""

    holder: str
    decision: int
    due: datetime  # when to call: later if the browser is at the table
    timed: bool  # whether its clock runs


@dataclass(frozen=True)
class LinkRow:
    """The newest link to another device of a browser: see ``devices.py``."""

    holder: Browser
    hash: Hash | None  # of its secret; None once it was used
    sealed: Name  # the secret of the browser, which only the link opens
    made_at: datetime
    used_at: datetime | None = None
    name: Name = ""  # what the browser is called at the next table
    number: int = 0  # and its number; 0: none


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
    callers: frozenset[str] = frozenset()  # the browsers here that want to be called: see ``turns.py``


@dataclass(frozen=True)
class Write:
    """What one change of a table stores, where the stored table still has the version ``before``.

    What is not given stays as it is, except for the version, which grows by one.
    """

    id: str  # of the table
    before: int
    at: datetime
    columns: Mapping[str, Any] = field(default_factory=dict)  # of the table
    players: Mapping[int, Mapping[str, Any]] = field(default_factory=dict)  # columns by player
    events: Sequence[EventRow] = ()  # appended to the log
    settled: bool = False  # deletes the commitments
    commit: PendingRow | None = None
    replaces: bool = False  # the commitment replaces an earlier one of its seat
    orders: Mapping[int, str] = field(default_factory=dict)  # by seat; empty texts are deleted
    undo: UndoRow | None = None  # replaces an earlier request
    no_undo: bool = False  # deletes the request
    claims: Sequence[ClaimRow] | None = None  # replace all of the table
    talk: Sequence[TalkRow] = ()
    banned: Sequence[str] = ()
    answer: AnswerRow | None = None
    turns: Sequence[OpenTurn] = ()  # that open for people who may want to be called
    also: Sequence[Callable[[Connection], None]] = ()  # what features write in the same transaction
