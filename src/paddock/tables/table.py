"""A table in memory: a cache of its stored log, and what each browser may see of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any

from paddock.core.game import Game
from paddock.core.i18n import Sentence
from paddock.core.log import EventBatch
from paddock.core.options import Options
from paddock.core.title import Seen, Title
from paddock.store import AnswerRow, ClaimRow, PlayerRow, TableColumns, TableRow, TalkRow, UndoRow
from paddock.tables.fold import hash_prefix

TABLE = "table"  # the channel of the chat that everybody reads


@dataclass(frozen=True)
class Player(PlayerRow):
    """A player of a table in memory."""

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


@dataclass(frozen=True)
class ForcedMove:
    """A move that was the only one: see ``forced.py``."""

    entry: int  # index in the log, which a commitment gets when it is revealed
    seat: int
    move: int
    sentence: Sentence


@dataclass(kw_only=True, slots=True)
class Table(TableColumns):
    """A game with people and bots: the columns of its row, and more. Only ``Engine`` modifies it."""

    title: Title
    options: Options
    players: list[Player]
    game: Game
    pending: dict[int, int] = field(default_factory=dict)  # seat -> move of the open decision
    orders: dict[int, str] = field(default_factory=dict)  # seat -> standing orders: see ``orders.py``
    undo: UndoRow | None = None  # the open undo request
    claims: tuple[ClaimRow, ...] = ()  # the open requests for seats, by player: see ``claims.py``
    talk: tuple[TalkRow, ...] = ()  # the last lines of the chat
    said: Mapping[str, int] = field(default_factory=dict)  # the number of all its lines, by channel
    answers: dict[str, AnswerRow] = field(default_factory=dict)  # for the open decision, by key
    banned: frozenset[str] = frozenset()  # hashes of browsers
    rows: int = -1  # rows of the stored log, including undone ones; -1: the length of the game's log
    hash_prefix: str = ""  # see ``fold.hash_prefix``; empty: that of the current rules
    fault: Sentence | None = None  # why it cannot be continued, or None
    forced: tuple[
        ForcedMove, ...
    ] = ()  # the last moves that played by themselves and were not undone; only in memory
    # The browsers here that want to be called when it is their turn, as of this version; None: not known yet
    callers: frozenset[str] | None = None
    stalled: str | None = None  # why its bots stopped (a message to translate), or None
    counts: bool | None = None  # whether it does in its ``deal``, as the dealer says; None: it may
    stamp: int = 0  # another one after each change in memory; no two tables in memory have the same

    def __post_init__(self) -> None:
        if self.rows < 0:
            self.rows = len(self.game.log)
        if not self.hash_prefix:
            self.hash_prefix = hash_prefix(self.title.name, self.title.revision, self.options.short)

    def row(self) -> TableRow:
        """Return the row to store."""
        return TableRow(
            **self.shared(),
            title=self.title.name,
            revision=self.title.revision,
            options=self.options.short,
            **self.progress(),
        )

    def progress(self) -> dict[str, Any]:
        """Return the columns of the row that follow from the log and the commitments."""
        awaits = " ".join(["", *map(str, self.awaited()), ""])
        return {"length": self.rows, "over": self.game.over, "awaits": awaits}

    def copy(self) -> Table:
        """Return a copy, with the same game, players and other parts."""
        copied = Table.__new__(Table)
        for name in _NAMES:
            setattr(copied, name, getattr(self, name))
        return copied

    def copy_from(self, other: Table) -> None:
        """Take over everything that is stored from ``other``, which is this table at another time."""
        for name in _STORED:
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
        return self.phase == "play" and not (self.game.over or self.fault or self.kind.record)

    @property
    def fully_visible(self) -> bool:
        """Whether everybody may see everything: the series is over, or it is an uploaded record."""
        return (self.game.over and not self.sealed) or self.kind.record

    @property
    def sealed(self) -> bool:
        """Whether only its player may see it, as others may still play the same cards."""
        return self.kind.sealed

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
        own_seats = self.seats_of(player)
        others_pending = {seat: move for seat, move in self.pending.items() if seat not in own_seats}
        return self.game.seen(self.eyes(player), others_pending)

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
        return next((i for i, batch in enumerate(batches) if batch.entry >= read), len(batches))

    def at(self, entry: int) -> Game:
        """Return the game after the first ``entry`` entries of its log."""
        return self.game.at(entry)


_NAMES = [fact.name for fact in fields(Table)]
_STORED = [name for name in _NAMES if name not in ("stalled", "counts", "stamp")]
