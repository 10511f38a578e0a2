"""A table in memory: a cache of its stored log, and what each browser may see of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from paddock.core.game import Game
from paddock.core.i18n import Sentence
from paddock.core.log import EventBatch
from paddock.core.options import Options
from paddock.core.title import Seen, Title
from paddock.store import AnswerRow, ClaimRow, PlayerRow, TableRow, TalkRow, UndoRow
from paddock.tables.fold import hash_prefix

PACES = ("human", "instant")
TABLE = "table"  # the channel of the chat that everybody reads


@dataclass(slots=True)
class Player:
    """A player: a bot of the level ``bot``, or a person in the browser whose secret has the SHA-256 (hex)
    ``holder``. With neither it is an open seat, for which a bot plays in a running game, or a player of an
    uploaded record."""

    index: int
    name: str
    bot: str | None
    holder: str | None
    ready: bool = False  # in the lobby
    stand_in: bool = False  # a bot plays for the person, who is away or out of time
    bank_ms: int | None = None  # milliseconds left at ``Table.opened_at``; None: untimed
    recovery: str | None = None  # SHA-256 (hex) of the secret that moves the seat to another browser
    muted: bool = False
    read_up_to: int = 0  # number of log entries that the person has seen
    last_holder: str | None = None  # who had the seat last, if it was opened during the game
    removed_by: str | None = None  # the host who removed its person during the game

    def row(self) -> PlayerRow:
        """Return the row to store."""
        return PlayerRow(*(getattr(self, name) for name in self.__slots__))

    @property
    def person(self) -> bool:
        """Whether a person has this seat, present or not."""
        return self.bot is None and self.holder is not None

    @property
    def open(self) -> bool:
        """Whether nobody has this seat."""
        return self.bot is None and self.holder is None

    @property
    def on_offer(self) -> bool:
        """Whether nobody has this seat, and somebody new may ask for it: see ``claims.py``."""
        return self.open and self.removed_by is None

    @property
    def automatic(self) -> bool:
        """Whether a bot decides for this player in a running game."""
        return not self.person or self.stand_in


@dataclass(slots=True)
class Table:
    """A game with people and bots. Only ``Engine`` modifies it."""

    id: str
    title: Title
    options: Options
    players: list[Player]
    game: Game
    kind: str  # "race", "learn", "explore" or "upload"
    pace: str  # of the bots, one of PACES
    created: datetime  # UTC
    date: str  # day of play, as in records
    origin: str | None = None  # TABLE/ENTRY from which this was explored
    phase: str = "play"  # or "lobby" before the game starts
    host: str | None = None  # hash of the secret of the host's browser
    listed: bool = False  # whether the home page lists it
    clock: str = ""  # untimed, or BANK+INCREMENT in seconds: 600+10
    grace: int = 0  # seconds of absence after which a bot stands in; 0: never
    opened_at: datetime | None = None  # UTC, from when clocks run: see ``clock.py``
    touched_at: datetime | None = None  # UTC, the last action that others can see
    rematch_of: str | None = None  # the table that this is the rematch of
    rematch: str | None = None  # the table that is the rematch of this
    abandoned: bool = False
    embed: bool = False  # whether other sites may show it in a frame, if the server allows any
    pending: dict[int, int] = field(default_factory=dict)  # seat -> move of the open decision
    orders: dict[int, str] = field(default_factory=dict)  # seat -> standing orders: see ``orders.py``
    undo: UndoRow | None = None  # the open undo request
    claims: tuple[ClaimRow, ...] = ()  # the open requests for seats, by player: see ``claims.py``
    requests: int = 0  # the number of all requests for seats so far
    maker: str | None = None  # hash of the secret of the browser that created it
    version: int = 0  # the number of stored changes, which nobody may learn: some are secret
    talk: tuple[TalkRow, ...] = ()  # the last lines of the chat
    said: Mapping[str, int] = field(default_factory=dict)  # the number of all its lines, by channel
    answers: dict[str, AnswerRow] = field(default_factory=dict)  # for the open decision, by key
    banned: frozenset[str] = frozenset()  # hashes of browsers
    rows: int = -1  # rows of the stored log, including undone ones; -1: the length of the game's log
    hash_prefix: str = ""  # see ``fold.hash_prefix``; empty: that of the current rules
    fault: Sentence | None = None  # why it cannot be continued, or None
    stalled: str | None = None  # why its bots stopped (a message to translate), or None

    def __post_init__(self) -> None:
        if self.rows < 0:
            self.rows = len(self.game.log)
        if not self.hash_prefix:
            self.hash_prefix = hash_prefix(self.title.name, self.title.revision, self.options.short)

    def row(self) -> TableRow:
        """Return the row to store."""
        return TableRow(
            id=self.id,
            title=self.title.name,
            revision=self.title.revision,
            options=self.options.short,
            kind=self.kind,
            pace=self.pace,
            created=self.created,
            date=self.date,
            maker=self.maker,
            origin=self.origin,
            length=self.rows,
            over=self.game.over,
            phase=self.phase,
            host=self.host,
            listed=self.listed,
            clock=self.clock,
            grace=self.grace,
            opened_at=self.opened_at,
            touched_at=self.touched_at or self.created,
            rematch_of=self.rematch_of,
            rematch=self.rematch,
            abandoned=self.abandoned,
            embed=self.embed,
            version=self.version,
            requests=self.requests,
            awaits=" ".join(["", *map(str, self.awaited()), ""]),
        )

    def copy_from(self, other: Table) -> None:
        """Take over everything that is stored from ``other``, which is this table at another time."""
        for name in self.__slots__:
            if name != "stalled":
                setattr(self, name, getattr(other, name))

    # State

    @property
    def decision(self) -> int:
        """The id of the open decision. It only grows, also when a move is undone."""
        return self.rows

    @property
    def frozen(self) -> str | None:
        """Why the table cannot be continued, in the current language; None if it can."""
        return str(self.fault) if self.fault else None

    @property
    def running(self) -> bool:
        """Whether the game is being played."""
        return self.phase == "play" and not (self.game.over or self.fault or self.kind == "upload")

    @property
    def fully_visible(self) -> bool:
        """Whether everybody may see everything: the series is over, or it is an uploaded record."""
        return self.game.over or self.kind == "upload"

    def awaited_seats(self) -> list[int]:
        """The seats that still must decide."""
        if not self.running:
            return []
        return [seat for seat in self.game.deciders if seat not in self.pending]

    def awaited(self) -> list[int]:
        """The players who still must decide."""
        return sorted({self.options.owners[seat] for seat in self.awaited_seats()})

    def reveals(self, seat: int) -> bool:
        """Whether the commitment of this seat is the last one of a simultaneous decision."""
        return len(self.game.deciders) > 1 and self.awaited_seats() == [seat]

    # Seats

    def players_of(self, holder: str | None) -> list[int]:
        """Return the players of this browser."""
        return [p.index for p in self.players if holder is not None and p.holder == holder]

    def decides_embed(self, holder: str | None) -> bool:
        """Whether this browser decides if other sites may show the table: the host's, else any player's."""
        return self.host == holder if self.host else bool(self.players_of(holder))

    def seats_of(self, player: int) -> list[int]:
        """Return the seats of a player."""
        return [seat for seat, owner in enumerate(self.options.owners) if owner == player]

    # What players see

    def eyes(self, player: int | None) -> int:
        """Return the bitmask of the seats that the player (None: a spectator) may see."""
        if self.fully_visible:
            return (1 << self.options.seats) - 1
        return 0 if player is None else self.options.eyes(player)

    def seen(self, player: int | None) -> Seen:
        """Return what the player knows, commitments included; everything once it is over."""
        return self.game.seen(self.eyes(player), self.pending)

    def choosing(self, player: int) -> Seen:
        """Return what the player knows, without their own commitments, which they may still change."""
        mine = self.seats_of(player)
        others = {seat: move for seat, move in self.pending.items() if seat not in mine}
        return self.game.seen(self.eyes(player), others)

    def view(self, player: int | None) -> Any:
        """The title's view for the player."""
        return self.title.view.view(self.seen(player))

    def moves(self, player: int) -> list[tuple[int, list[tuple[int, str, str]]]]:
        """Return the player's legal moves: for each seat that must decide, (id, notation, label)."""
        awaited = [seat for seat in self.awaited_seats() if self.options.owners[seat] == player]
        if not awaited:
            return []
        seen, text = self.seen(player), self.title.text
        return [
            (
                seat,
                [(id, str(text.move(seen.setup, id)), text.label(seen, seat, id)) for id in seen.legal(seat)],
            )
            for seat in awaited
        ]

    # History

    def events_for(self, player: int | None) -> Sequence[EventBatch]:
        """Return the events that the player (None: a spectator) learned of; all once it is over."""
        return self.game.events_for(self.eyes(player))

    def since(self, player: int, batches: Sequence[EventBatch] | None = None) -> int:
        """Return the index of the first batch that the player has not seen, or the number of batches.

        ``batches`` is ``events_for(player)`` where the caller has it already.
        """
        batches = self.events_for(player) if batches is None else batches
        read = self.players[player].read_up_to
        return next((i for i, item in enumerate(batches) if item.entry >= read), len(batches))

    def at(self, entry: int) -> Game:
        """Return the game after the first ``entry`` entries of its log."""
        return self.game.at(entry)
