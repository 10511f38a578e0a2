"""``Change``: what a command does to a table. It is decided in memory, stored, and only then made.

A command is a plain function ``command(table, context, …) -> Change``. It reads the table as it is, changes
nothing, and raises an error that says what to do if it refuses. ``Engine`` does the rest.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Generic, TypeVar

from paddock.core.game import Game
from paddock.core.i18n import Sentence, Word
from paddock.store import KEPT_TALK, AnswerRow, ClaimRow, EventRow, PendingRow, TalkRow, UndoRow, Write
from paddock.tables.errors import Frozen
from paddock.tables.table import TABLE, ForcedMove, Table

T = TypeVar("T")
MOST_ANSWERS = 64  # answers to submissions for the open decision in memory
MOST_FORCED = 32  # forced moves that a table remembers
EVERYBODY, NOBODY = "everybody", "nobody"


@dataclass
class Change(Generic[T]):
    """What a command does to the table ``before``, and its answer. Without a call below, nothing."""

    before: Table
    now: datetime
    answer: T
    columns: dict[str, Any] = field(default_factory=dict)  # of the table
    players: dict[int, dict[str, Any]] = field(default_factory=dict)  # columns by player
    game: Game | None = None  # the game afterwards
    events: Sequence[EventRow] = ()
    pending: dict[int, int] | None = None  # the commitments afterwards
    commit: PendingRow | None = None
    orders: dict[int, str] = field(default_factory=dict)  # texts by seat; empty: none
    undo: UndoRow | None = None  # a new request, or one with more consents
    no_undo: bool = False  # the open request ends
    claims: tuple[ClaimRow, ...] | None = None  # the requests for seats afterwards
    lines: list[TalkRow] = field(default_factory=list)
    banned: list[str] = field(default_factory=list)
    forced: ForcedMove | None = None  # the move that this plays was the only one
    submission: AnswerRow | None = None  # the answer to repeat if the submission is sent again
    audience: str = NOBODY  # who must look again: everybody, nobody, or one browser
    at_frozen: bool = False  # whether this change is possible at a table that cannot be continued

    def __post_init__(self) -> None:
        """Raise ``Frozen`` if the table cannot be continued."""
        if self.before.frozen and not self.at_frozen:
            raise Frozen(self.before.frozen)

    def table(self, **columns: Any) -> None:
        """Set columns of the table."""
        self.columns |= columns

    def player(self, player: int, **columns: Any) -> None:
        """Set columns of a player."""
        self.players.setdefault(player, {}).update(columns)

    def touch(self) -> None:
        """Note activity that everybody can see; the table is not abandoned any more.

        A sealed table was touched last when its game ended: that may say whether it counts.
        """
        table = self.before
        ended = table.sealed and table.game.over
        self.table(touched_at=table.touched_at if ended else self.now, abandoned=False)
        self.audience = EVERYBODY

    def announce(self, sentence: str, /, *about: str | None, **words: Word) -> None:
        """Add a line of the table itself to the chat. Each reader gets it in their language.

        It is noted whom it is about: the browsers whose players it names, and those in ``about``.
        """
        named = {holder for name, holder in self._known() if name in words.values()}
        self.say(None, TABLE, Sentence(sentence, **words).dump(), {*named, *about})

    def _known(self) -> Iterator[tuple[str, str | None]]:
        """Yield the names at the table, before and after this change, with the browser of each."""
        for player in self.before.players:
            yield player.name, player.holder or player.last_holder
            new = self.players.get(player.index, {})
            yield new.get("name", player.name), new.get("holder", player.holder)
        for claim in (*self.before.claims, *(self.claims or ())):
            yield claim.name, claim.holder

    def say(
        self,
        player: int | None,
        channel: str,
        text: str,
        about: Collection[str | None],
        phrase: str = "",
    ) -> TalkRow:
        """Add a line to the chat that is about these browsers, and return it.

        ``phrase`` is its word in ``phrases.py`` if it is one of the fixed list. None among the browsers is
        left out.
        """
        lines, holders = [*self.before.talk[-1:], *self.lines], " ".join(sorted(filter(None, about)))
        seq = lines[-1].seq + 1 if lines else 0
        row = TalkRow(seq, self.now, player, channel, text, holders, phrase)
        self.lines.append(row)
        self.audience = EVERYBODY
        return row

    def play(self, game: Game, events: Sequence[EventRow]) -> None:
        """Replace the game, by one with these more rows in its log. The next decision opens now."""
        self.game, self.events, self.pending, self.no_undo = game, events, {}, True
        self.table(opened_at=self.now)
        self.touch()

    @property
    def stores(self) -> bool:
        """Whether there is anything to store."""
        tracked = (self.columns, self.players, self.events, self.commit, self.orders, self.undo, self.lines)
        flags = self.banned, self.submission, self.no_undo, self.claims is not None
        return any(tracked) or any(flags)

    def after(self) -> Table:
        """Return the table as it is after the change."""
        table = self.before
        after = table.copy()
        after.version += 1
        for name, value in self.columns.items():
            setattr(after, name, value)
        if self.game:
            after.game = self.game
        if self.players:
            after.players = [
                replace(p, **self.players[p.index]) if p.index in self.players else p for p in table.players
            ]
            names = tuple(player.name for player in after.players)
            if names != after.game.names:
                after.game = after.game.fork()
                after.game.names = names
            if any(columns.get("holder") for columns in self.players.values()):
                after.callers = None
        if self.events:
            after.rows += len(self.events)
            after.answers = {}
        if self.pending is not None:
            after.pending = self.pending
        if self.orders:
            after.orders = {seat: text for seat, text in (table.orders | self.orders).items() if text}
        if self.submission:
            after.answers = after.answers | {self.submission.key: self.submission}
            if len(after.answers) > MOST_ANSWERS:  # the store knows the others
                del after.answers[next(iter(after.answers))]
        after.undo = self.undo or (None if self.no_undo else table.undo)
        if self.lines:
            after.talk = (*table.talk, *self.lines)[-KEPT_TALK:]
            after.said = Counter(table.said) + Counter(line.channel for line in self.lines)
        if self.banned:
            after.banned = table.banned | set(self.banned)
        if len(after.game.log) < len(table.game.log):  # an undo
            after.forced = tuple(f for f in table.forced if f.entry < len(after.game.log))
        if self.forced:
            after.forced = (*table.forced, self.forced)[-MOST_FORCED:]
        after.claims = self._still_open(after)
        return after

    def _still_open(self, after: Table) -> tuple[ClaimRow, ...]:
        """Return the requests for seats that are open afterwards.

        A request ends with the game, and when its seat or its browser has got what it waits for, or can no
        longer get it. A consent ends when its player gets another holder.
        """
        claims, before = self.before.claims if self.claims is None else self.claims, self.before.players
        if not claims or not after.running:
            return ()
        return tuple(
            replace(
                claim,
                consents=tuple(p for p in claim.consents if after.players[p].holder == before[p].holder),
            )
            for claim in claims
            if after.players[claim.player].on_offer and not after.players_of(claim.holder)
        )

    def write(self, after: Table) -> Write:
        """Return what to store; ``after`` is the table after the change."""
        before = self.before
        return Write(
            id=before.id,
            before=before.version,
            at=self.now,
            # What follows from a log that cannot be read stays as it is.
            columns=self.columns if before.fault else self.columns | after.progress(),
            players=self.players,
            events=self.events,
            settled=bool(self.events and before.pending),
            commit=self.commit,
            replaces=self.commit is not None and self.commit.seat in before.pending,
            orders=self.orders,
            undo=self.undo,
            no_undo=self.no_undo and before.undo is not None,
            claims=None if after.claims == before.claims else after.claims,
            talk=self.lines,
            banned=self.banned,
            answer=self.submission,
        )
