"""What is done with all stored tables: list and delete them, delete what is old, and forget a browser.

Another process may do this while a server runs. Each change of a table makes its version grow, so that a
server that has the table in memory finds out.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    Interval,
    and_,
    delete,
    func,
    literal,
    or_,
    select,
    true,
    update,
)

from paddock.core.i18n import Sentence
from paddock.core.options import digests
from paddock.store.errors import available
from paddock.store.kinds import RECORD
from paddock.store.leases import free
from paddock.store.part import StorePart
from paddock.store.rows import TableRow
from paddock.store.schema import (
    COUNTED,
    DATED,
    FORGET,
    PURGE,
    PURGE_EACH,
    REKEY,
    banned,
    claims,
    data,
    device_links,
    holders,
    metadata,
    own,
    players,
    tables,
    talk,
    tokens,
)

PIECE = 500  # ids in one statement


@dataclass(frozen=True)
class KeptTable:
    """A stored table in a list."""

    row: TableRow
    people: tuple[str, ...]  # the names of its people

    @property
    def status(self) -> str:
        """One word for how far it is: see ``STATUSES`` in ``paddock.tables.kept``."""
        row = self.row
        if row.closed:
            return "closed"
        if row.over or row.kind.record:
            return "finished"
        if row.abandoned:
            return "abandoned"
        return "lobby" if row.phase == "lobby" else "running"


@dataclass(frozen=True)
class Before:
    """What is older than these times is deleted; None: nothing."""

    lobbies: datetime | None = None  # tables that were never started
    games: datetime | None = None  # finished, abandoned and closed tables, and who has no others
    talk: datetime | None = None  # the chat of tables where nobody has said anything since


@dataclass(frozen=True)
class Forgotten:
    """What was deleted of a browser."""

    tables: tuple[str, ...]  # deleted, because nobody else plays there
    seats: int  # of other tables: without a name now
    lines: int  # of chat
    tokens: int
    others: Mapping[str, int] = field(default_factory=dict)  # rows of features, by what is said of them


class Keeping(StorePart):
    """All stored tables."""

    async def all(self, limit: int | None = None) -> list[KeptTable]:
        """Return the tables that were touched last (None: all), the newest first."""
        person = (players.c.bot.is_(None)) & (players.c.name != "")
        with available():
            async with self._reading.connect() as connection:
                query = select(tables).order_by(tables.c.touched_at.desc(), tables.c.id).limit(limit)
                rows = [TableRow.read(row) for row in (await connection.execute(query)).mappings()]
                seats = select(players.c.table_id, players.c.name).where(person)
                if limit is not None:
                    seats = seats.where(players.c.table_id.in_([row.id for row in rows]))
                names: dict[str, list[str]] = {}
                for id, name in await connection.execute(seats.order_by(players.c.index)):
                    names.setdefault(id, []).append(name)
        return [KeptTable(row, tuple(names.get(row.id, ()))) for row in rows]

    async def clock(self) -> datetime | None:
        """Return the date that the database has; None on SQLite, which asks the machine where it is."""
        if self._reading.dialect.name == "sqlite":
            return None
        date: datetime = (await self._read(select(func.clock_timestamp())))[0][0]
        return date

    async def delete(self, id: str) -> bool:
        """Delete a table with everything that belongs to it; return False if there is no such table."""
        return await self._writer.run(lambda connection: _delete(connection, [id]) > 0)

    async def purge(self, before: Before, owner: str | None = None) -> tuple[int, int]:
        """Delete what is older than these times; return the number of tables and of chats.

        Tables of other servers than ``owner`` are theirs to delete.
        """
        found = await self._writer.run(lambda connection: _purge(connection, before, owner))
        if before.games:
            # Browser by browser: each locks the tables at which it plays.
            for find, drop in _done_at(PURGE_EACH):
                for holder in await self._writer.run(partial(find, before=before.games)):
                    await self._writer.run(partial(drop, holder=holder, before=before.games))
        return found

    async def redate(self, begun: datetime, ended: datetime, by: timedelta, owner: str | None = None) -> None:
        """Change dates from ``begun`` to ``ended`` by so much, where something ends by its date.

        ``owner``: only at the tables of this server, where there are others, whose dates were right.
        """
        await self._writer.run(lambda connection: _redate(connection, begun, ended, by, owner))

    async def forget(self, holder: str) -> Forgotten:
        """Delete everything about a browser, known by the SHA-256 of its secret.

        A feature may keep for a while what does not say who it is.
        Tables at which no other person has a seat are deleted. At others its seats lose their names, and its
        chat is deleted, and so are the lines of the table that name it; the moves stay, as others played them
        too. Older versions did not note whose a line is: of those, what was said from its seats is deleted,
        and what the table says of somebody with exactly its name.
        """
        return await self._writer.run(lambda connection: _forget(connection, holder))

    async def rekey(self, old: str, new: str) -> None:
        """Give everything of a browser to another secret of it.

        If something is stored about that one already, this was done before: nothing is moved again.
        Its tokens, its link to another device and its recovery links are deleted: whoever has them has the
        browser no longer. So is what else tells others of its games: see ``REKEY``.
        """
        await self._writer.run(lambda connection: _rekey(connection, old, new))


def _done_at(key: str) -> list[Any]:
    """Return what rows declare to be done at this occasion."""
    return [rows.info[key] for rows in metadata.sorted_tables if key in rows.info]


def _delete(connection: Connection, ids: Sequence[str]) -> int:
    """Delete tables, and the data of their options that no other table needs; return how many there were."""
    count = 0
    for start in range(0, len(ids), PIECE):
        some = tables.c.id.in_(ids[start : start + PIECE])
        words = {
            one
            for text in connection.execute(select(tables.c.options).where(some)).scalars()
            for one in digests(text)
        }
        count += connection.execute(delete(tables).where(some)).rowcount
        for digest in sorted(words):
            if not connection.execute(
                select(tables.c.id).where(tables.c.options.contains(digest)).limit(1)
            ).first():
                connection.execute(delete(data).where(data.c.digest == digest))
    return count


def _purge(connection: Connection, before: Before, owner: str | None) -> tuple[int, int]:
    c = tables.c
    mine = free() | (c.owner == owner)
    done = or_(c.over, c.abandoned, c.closed, c.kind == RECORD) & (c.phase != "lobby")
    old: list[ColumnElement[bool]] = []
    if before.lobbies:
        old.append(and_(c.phase == "lobby", c.touched_at < before.lobbies, c.created < before.lobbies))
    if before.games:
        old.append(and_(done, c.touched_at < before.games, c.created < before.games))
    ids: list[str] = []
    if old:
        ids = list(connection.execute(select(c.id).where(or_(*old) & mine).order_by(c.id)).scalars())
    deleted = _delete(connection, ids)
    if before.games:
        for work in _done_at(PURGE):
            work(connection, before.games)
    quiet: list[str] = []
    if before.talk:
        last = select(talk.c.table_id).group_by(talk.c.table_id).having(func.max(talk.c.at) < before.talk)
        quiet = list(connection.execute(select(c.id).where(c.id.in_(last) & mine).order_by(c.id)).scalars())
        for start in range(0, len(quiet), PIECE):
            some = quiet[start : start + PIECE]
            connection.execute(delete(talk).where(talk.c.table_id.in_(some)))
            _grow(connection, some)
    return deleted, len(quiet)


def _redate(
    connection: Connection, begun: datetime, ended: datetime, by: timedelta, owner: str | None
) -> None:
    c, sqlite = tables.c, connection.dialect.name == "sqlite"

    def changed(column: ColumnElement[datetime]) -> ColumnElement[Any]:
        if sqlite:
            return func.strftime("%Y-%m-%d %H:%M:%f000", column, f"{by.total_seconds():+.3f} seconds")
        return column + literal(by, Interval())

    mine = (c.owner == owner) if owner else true()
    wrong = c.touched_at.between(begun, ended) & mine
    connection.execute(
        update(tables).where(wrong).values(touched_at=changed(c.touched_at), version=c.version + 1)
    )
    said = talk.c.at.between(begun, ended) & talk.c.table_id.in_(select(c.id).where(mine))
    ids = list(connection.execute(select(talk.c.table_id).where(said).distinct()).scalars())
    connection.execute(update(talk).where(said).values(at=changed(talk.c.at)))
    _grow(connection, ids)
    if owner:
        return
    of_features = [column for rows in metadata.sorted_tables for column in rows.info.get(DATED, ())]
    for dates in (*of_features, device_links.c.made_at):
        first, *others = dates if isinstance(dates, tuple) else (dates,)
        dated = update(first.table).where(first.between(begun, ended))
        connection.execute(dated.values({column: changed(column) for column in (first, *others)}))


def _grow(connection: Connection, ids: Collection[str]) -> None:
    """Let the versions of tables grow, so that a server that has them in memory reads them again."""
    connection.execute(update(tables).where(tables.c.id.in_(ids)).values(version=tables.c.version + 1))


def _lock(connection: Connection, ids: Collection[str]) -> None:
    """Lock tables in the order of ``write_all``, before any of their rows, so that no two servers block."""
    every = sorted(ids)
    for start in range(0, len(every), PIECE):
        some = tables.c.id.in_(every[start : start + PIECE])
        connection.execute(select(tables.c.id).where(some).order_by(tables.c.id).with_for_update())


def _forget(connection: Connection, holder: str) -> Forgotten:
    c, p = tables.c, players.c
    for work in _done_at(FORGET):
        work(connection, holder)
    here = or_(p.holder == holder, p.last_holder == holder)
    theirs = set(connection.execute(select(p.table_id).where(here)).scalars())
    made = set(connection.execute(select(c.id).where(or_(c.maker == holder, c.host == holder))).scalars())
    shared = _shared(connection, sorted(theirs | made), holder)
    alone = sorted((theirs | made) - shared)
    about = talk.c.about.contains(holder)
    read = set(connection.execute(select(talk.c.table_id).where(about)).scalars())
    removed = set(connection.execute(select(p.table_id).where(p.removed_by == holder)).scalars())
    _lock(connection, theirs | made | read | removed)
    _delete(connection, alone)
    lines = connection.execute(delete(talk).where(about & talk.c.player.is_not(None))).rowcount
    connection.execute(delete(talk).where(about))
    seats = 0
    for id in sorted(theirs & shared):
        found = connection.execute(select(p.index, p.name).where(here & (p.table_id == id))).all()
        lines += _forget_old_lines(connection, id, dict(map(tuple, found)))
        lobby = select(c.id).where((c.id == id) & (c.phase == "lobby"))
        in_lobby = connection.execute(lobby).first() is not None
        for index, _name in found:
            number = "" if in_lobby else f"{index + 1}"
            nameless = {"name": number, "holder": None, "last_holder": None, "recovery": None, "ready": False}
            seat = (p.table_id == id) & (p.index == index)
            seats += connection.execute(update(players).where(seat).values(**nameless)).rowcount
    _grow(connection, sorted((theirs & shared) | (read - set(alone))))
    for column in (c.maker, c.host):
        mine = update(tables).where(column == holder)
        connection.execute(mine.values({column: None, c.version: c.version + 1}))
    connection.execute(update(players).where(p.removed_by == holder).values({p.removed_by: None}))
    gone = {rows: connection.execute(delete(rows).where(rows.c.holder == holder)).rowcount for rows in own()}
    others = {rows.info[COUNTED]: count for rows, count in gone.items() if COUNTED in rows.info}
    return Forgotten(tuple(alone), seats, lines, gone[tokens], others)


def _shared(connection: Connection, ids: Sequence[str], holder: str) -> set[str]:
    """Return those of these tables at which another person has a seat."""
    p, found = players.c, set[str]()
    for start in range(0, len(ids), PIECE):
        some = p.table_id.in_(ids[start : start + PIECE])
        others = select(p.table_id).where(some & p.holder.is_not(None) & (p.holder != holder)).distinct()
        found.update(connection.execute(others).scalars())
    return found


def _rekey(connection: Connection, old: str, new: str) -> None:
    if any(connection.execute(select(c).where(c == new).limit(1)).first() for c in holders()):
        return
    c, p = tables.c, players.c
    seats = or_(p.holder == old, p.last_holder == old, p.removed_by == old)
    ids = set(connection.execute(select(p.table_id).where(seats)).scalars())
    ids |= set(connection.execute(select(c.id).where(or_(c.maker == old, c.host == old))).scalars())
    for rows in (claims, banned):
        ids |= set(connection.execute(select(rows.c.table_id).where(rows.c.holder == old)).scalars())
    _lock(connection, ids)
    for rows in (tokens, device_links):
        connection.execute(delete(rows).where(rows.c.holder == old))
    connection.execute(update(players).where(p.holder == old).values(recovery=None))
    for column in holders():
        connection.execute(update(column.table).where(column == old).values({column: new}))
    for work in _done_at(REKEY):
        work(connection, old, new)
    said = update(talk).where(talk.c.about.contains(old))
    connection.execute(said.values(about=func.replace(talk.c.about, old, new)))
    every = sorted(ids)
    for start in range(0, len(every), PIECE):
        _grow(connection, every[start : start + PIECE])


def _forget_old_lines(connection: Connection, id: str, seats: Mapping[int, str]) -> int:
    """Delete lines of a table for which nobody has noted whose they are; return those of the ``seats``."""
    old = (talk.c.table_id == id) & (talk.c.about == "")
    count = connection.execute(delete(talk).where(old & talk.c.player.in_(seats))).rowcount
    names = {name for name in seats.values() if name}
    others = select(players.c.name).where((players.c.table_id == id) & players.c.index.not_in(seats))
    rest = set(connection.execute(others).scalars())
    query = select(talk.c.seq, talk.c.text).where(old & talk.c.player.is_(None))
    named = [seq for seq, text in connection.execute(query) if _names_one(text, names, rest)]
    for start in range(0, len(named), PIECE):
        some = talk.c.seq.in_(named[start : start + PIECE])
        connection.execute(delete(talk).where(old & some))
    return count


def _names_one(text: str, names: Collection[str], rest: Collection[str]) -> bool:
    """Whether a line of the table names one of these people, and not only somebody of the rest."""
    line = Sentence.load(text)
    if isinstance(line, Sentence):
        return any(str(word) in names for word in line.words.values())
    for name in names:
        longer = [other for other in rest if name in other and name != other]  # «Ben (2)» is not «Ben»
        words = "|".join(map(re.escape, [*sorted(longer, key=len, reverse=True), name]))
        if name in re.findall(rf"(?<!\w)(?:{words})(?!\w)", line):
            return True
    return False
