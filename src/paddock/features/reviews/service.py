"""Reviews of finished games: notes on their moments, who may write them, and where friends look.

There is nothing to review while a game is being played: no note is written or read then, so none can tell
what its writer knows. Who plays at a table, or has brought its record, may write, and so may the friends whom
they give the link of the review.
"""

from __future__ import annotations

import asyncio
import json
import secrets
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field

from paddock.core.errors import BadOption
from paddock.core.i18n import _
from paddock.features.reviews.rows import NoteRow
from paddock.features.reviews.store import NoteStore, brought
from paddock.records.notes import MOST, Note, check_note, known
from paddock.tables.errors import Forbidden
from paddock.tables.make import clean
from paddock.tables.names import same
from paddock.tables.notes import Notes
from paddock.tables.registry import Also
from paddock.tables.service import Tables
from paddock.tables.table import Table
from paddock.tables.threads import off_loop

MOST_LOOKING = 32  # browsers of which a room tells where they look
NOTE = 5_000  # bytes in memory of a note with all its arrows and marks, besides its text
NAMELESS = 60  # notes of one browser at one table, if it has no seat there


@dataclass(frozen=True)
class KeptNote:
    """A note of a table."""

    seq: int
    note: Note


@dataclass(frozen=True)
class ReviewPlace:
    """Where somebody looks in a review."""

    name: str
    step: int  # of the replay
    eyes: str  # whose view: see ``web/steps.py``
    place: str = ""  # at what they point: a place as in ``Note.marks``


@dataclass
class ReviewRoom:
    """Those who look at the same review now. Only in memory."""

    bells: set[asyncio.Event] = field(default_factory=set)
    looking: dict[str, ReviewPlace] = field(default_factory=dict)  # by browser
    streams: Counter[str] = field(default_factory=Counter)  # their number, by browser
    changes: int = 0  # of the notes

    def ring(self) -> None:
        """Wake all streams."""
        for bell in self.bells:
            bell.set()


class Reviews(Notes):
    """The reviews of all tables. Use it in one event loop only."""

    def __init__(self, tables: Tables) -> None:
        self._store = tables.store.part(NoteStore)
        self._built = tables.built
        self._runtime = tables.runtime
        self._names = tables.names
        self._rooms: dict[str, ReviewRoom] = {}
        tables.making.notes = self

    async def notes(self, table: Table) -> Sequence[KeptNote]:
        """Return the notes of a table, in the order of their moments; none while it is being played."""
        if not table.fully_visible:
            return []
        id, stamp = table.id, await self._store.stamp(table.id)
        if not stamp[0]:
            return []
        return await self._built.of(("notes", id), stamp, lambda: self._store.of(id), _kept, _size)

    async def mine(self, table: Table, holder: str | None) -> frozenset[int]:
        """Return the numbers of the notes of a browser."""
        return await self._store.mine(table.id, holder) if holder else frozenset()

    async def of(self, table: Table) -> Sequence[Note]:
        """Return what its record has: see ``Notes``."""
        return [kept.note for kept in await self.notes(table)]

    async def stamp(self, table: Table) -> tuple[object, ...]:
        """Return what is another one when ``notes`` are."""
        return (table.fully_visible, *await self._store.stamp(table.id))

    # Who may write

    def plays(self, table: Table, holder: str | None) -> bool:
        """Whether a browser plays at the table, or has brought its record."""
        return holder is not None and (bool(table.players_of(holder)) or holder in (table.maker, table.host))

    async def may_write(self, table: Table, holder: str | None, key: str) -> bool:
        """Whether a browser may write notes: it plays at the table, or has the key of the review."""
        if not table.fully_visible:
            return False
        return self.plays(table, holder) or await self.is_key(table, key)

    async def is_key(self, table: Table, key: str) -> bool:
        """Whether this is the key of the table's review."""
        if not key or not table.fully_visible:
            return False
        known = await self._store.key(table.id)
        return known is not None and secrets.compare_digest(known.encode(), key.encode())

    async def key(self, table: Table, holder: str | None) -> str:
        """Return the key of the table's review for a player; empty if there is none, or for others."""
        return (await self._store.key(table.id) or "") if self.plays(table, holder) else ""

    async def open(self, table: Table, holder: str | None) -> str:
        """Return the key of the table's review, which is made if there is none. Raises ``Forbidden``."""
        _check_over(table)
        if not self.plays(table, holder):
            raise Forbidden(_("only players of this table can invite others to its review"))
        return await self._store.open(table.id, secrets.token_urlsafe(16))

    def name(self, table: Table, holder: str | None, given: str) -> str:
        """Return the name of who writes: that of their seat, else the given one. Raises ``BadOption``."""
        if mine := table.players_of(holder):
            return table.players[mine[0]].name
        name = clean(given)
        if not name:
            raise BadOption([_("write your name first")])
        taken = any(same(player.name, name) for player in table.players)
        if self._names.refuses(name) or (taken and not self.plays(table, holder)):
            raise BadOption(
                [_("the name “{name}” is not allowed here: choose another one").format(name=name)]
            )
        return name

    # Writing

    async def check_writer(self, table: Table, holder: str | None, key: str) -> None:
        """Raise ``Forbidden`` if a browser may not write notes."""
        _check_over(table)
        if not await self.may_write(table, holder, key):
            raise Forbidden(_("only players of this table, and friends with the link, can write notes here"))

    async def write(self, table: Table, holder: str, note: Note) -> KeptNote:
        """Store a note of a browser that may write some.

        Raises ``Forbidden`` if there are too many, and ``PaddockError`` with what is wrong with it.
        """
        check_note(note)
        if not 0 <= note.at <= len(table.game.log):
            raise BadOption([_("there is no moment {at} in this game").format(at=note.at)])
        mine = await self._store.mine(table.id, holder)
        if len(mine) >= NAMELESS and not self.plays(table, holder):
            raise Forbidden(_("you have written {n} notes here: delete some first").format(n=len(mine)))
        kept = await self._store.add([self._row(table.id, note, holder)], MOST)
        if not kept:
            raise Forbidden(_("a game has at most {n} notes: delete some first").format(n=MOST))
        self._changed(table.id)
        return KeptNote(kept[0].seq, note)

    async def also(self, id: str, notes: Sequence[Note]) -> Also | None:
        """Return what stores the notes of an uploaded record with its table; None if it has none."""
        rows = await off_loop(lambda: [self._row(id, note, None, n) for n, note in enumerate(notes)])
        return brought(rows) if rows else None

    async def delete(self, table: Table, holder: str | None, seq: int) -> None:
        """Delete a note: one's own, or any if one plays at the table. Raises ``Forbidden``."""
        _check_over(table)
        found = await self._store.one(table.id, seq)
        if found is None or not (self.plays(table, holder) or (holder and holder == found.holder)):
            raise Forbidden(_("you can delete your own notes only"))
        await self._store.delete(table.id, seq)
        self._changed(table.id)

    def _row(self, id: str, note: Note, holder: str | None, seq: int = 0) -> NoteRow:
        facts = {name: value for name, value in asdict(note).items() if value and name != "at"}
        now = self._runtime.now()
        return NoteRow(id, seq, note.at, json.dumps(facts, ensure_ascii=False), now, holder)

    # Where friends look

    @contextmanager
    def watching(self, id: str, who: str | None) -> Iterator[asyncio.Event]:
        """Yield an event that is set when somebody looks elsewhere, or the notes change.

        ``who`` is the browser of somebody in the review: they are gone when their last stream ends.
        """
        room, bell = self._rooms.setdefault(id, ReviewRoom()), asyncio.Event()
        room.bells.add(bell)
        if who is not None:
            room.streams[who] += 1
        try:
            yield bell
        finally:
            room.bells.discard(bell)
            if who is not None:
                room.streams[who] -= 1
                if not room.streams[who]:
                    del room.streams[who]
                    room.looking.pop(who, None)
                    room.ring()
            if not room.bells:
                self._rooms.pop(id, None)

    def look(self, id: str, who: str, where: ReviewPlace) -> None:
        """Tell where somebody looks who has a stream open; nothing if there are too many in the room."""
        room = self._rooms.get(id)
        if room is None or not room.streams[who] or room.looking.get(who) == where:
            return
        if who in room.looking or len(room.looking) < MOST_LOOKING:
            room.looking[who] = where
            room.ring()

    def looking(self, id: str, but: str | None = None) -> list[ReviewPlace]:
        """Return where all others look."""
        room = self._rooms.get(id)
        return [where for who, where in room.looking.items() if who != but] if room else []

    def changes(self, id: str) -> int:
        """Return how often notes have changed since somebody has watched."""
        room = self._rooms.get(id)
        return room.changes if room else 0

    def _changed(self, id: str) -> None:
        if room := self._rooms.get(id):
            room.changes += 1
            room.ring()


def _kept(rows: Sequence[NoteRow]) -> list[KeptNote]:
    return [KeptNote(row.seq, known(row.at, row.facts)) for row in rows]


def _size(kept: Sequence[KeptNote]) -> int:
    """Return about how many bytes notes take in memory."""
    return sum(NOTE + 2 * len(one.note.text) for one in kept)


def _check_over(table: Table) -> None:
    if not table.fully_visible:
        raise Forbidden(_("this game is still being played: review it when it is over"))
