"""What the operator of a server does with stored tables: list, close and delete them, and forget a browser.

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
    Table,
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
        """One word for how far it is: see ``operating.STATUSES``."""
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
    """The stored tables as their operator sees them."""

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

    async def count(self) -> int:
        """Return how many tables there are."""
        return await self._count(tables)

    async def bans(self) -> int:
        """Return how many bans of browsers from tables there are."""
        return await self._count(banned)

    async def _count(self, rows: Table) -> int:
        return int((await self._read(select(func.count()).select_from(rows)))[0][0])

    async def close(self, id: str, *, closed: bool = True) -> bool:
        """Close a table, or open it again; return False if there is no such table."""
        columns = {"closed": closed, "version": tables.c.version + 1}
        statement = update(tables).where(tables.c.id == id).values(**columns)
        return await self._writer.run(lambda connection: connection.execute(statement).rowcount > 0)

    async def delete(self, id: str) -> bool:
        """Delete a table with everything that belongs to it; return False if there is no such table."""
        return await self._writer.run(lambda connection: _delete(connection, [id]) > 0)

    async def purge(self, before: Before, owner: str | None = None) -> tuple[int, int]:
        """Delete what is older than these times; return the number of tables and of chats.

        Tables of other servers than ``owner`` are theirs to delete.
        """
        purged = await self._writer.run(lambda connection: _purge(connection, before, owner))
        if before.games:
            # Browser by browser: each locks the tables at which it plays.
            for find, drop in _done_at(PURGE_EACH):
                for holder in await self._writer.run(partial(find, before=before.games)):
                    await self._writer.run(partial(drop, holder=holder, before=before.games))
        return purged

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

    async def holder_at(self, id: str, player: int) -> str | None:
        """Return the hash of the browser that has a seat, or had it last; None if nobody has."""
        c = players.c
        query = select(c.holder, c.last_holder).where((c.table_id == id) & (c.index == player))
        row = next(iter(await self._read(query)), None)
        return (row.holder or row.last_holder) if row else None


def _done_at(key: str) -> list[Any]:
    """Return what rows declare to be done at this occasion."""
    return [rows.info[key] for rows in metadata.sorted_tables if key in rows.info]


def _delete(connection: Connection, ids: Sequence[str]) -> int:
    """Delete tables, and the data of their options that no other table needs; return how many there were."""
    count = 0
    for start in range(0, len(ids), PIECE):
        these_tables = tables.c.id.in_(ids[start : start + PIECE])
        words = {
            data_digest
            for text in connection.execute(select(tables.c.options).where(these_tables)).scalars()
            for data_digest in digests(text)
        }
        count += connection.execute(delete(tables).where(these_tables)).rowcount
        for digest in sorted(words):
            if not connection.execute(
                select(tables.c.id).where(tables.c.options.contains(digest)).limit(1)
            ).first():
                connection.execute(delete(data).where(data.c.digest == digest))
    return count


def _purge(connection: Connection, before: Before, owner: str | None) -> tuple[int, int]:
    """Delete what is too old of free tables and those of ``owner``; return as ``Keeping.purge``."""
    c = tables.c
    own_tables = free() | (c.owner == owner)
    done = or_(c.over, c.abandoned, c.closed, c.kind == RECORD) & (c.phase != "lobby")
    old: list[ColumnElement[bool]] = []
    if before.lobbies:
        old.append(and_(c.phase == "lobby", c.touched_at < before.lobbies, c.created < before.lobbies))
    if before.games:
        old.append(and_(done, c.touched_at < before.games, c.created < before.games))
    ids: list[str] = []
    if old:
        ids = list(connection.execute(select(c.id).where(or_(*old) & own_tables).order_by(c.id)).scalars())
    deleted = _delete(connection, ids)
    if before.games:
        for work in _done_at(PURGE):
            work(connection, before.games)
    quiet: list[str] = []
    if before.talk:
        last = select(talk.c.table_id).group_by(talk.c.table_id).having(func.max(talk.c.at) < before.talk)
        quiet = list(
            connection.execute(select(c.id).where(c.id.in_(last) & own_tables).order_by(c.id)).scalars()
        )
        for start in range(0, len(quiet), PIECE):
            these_tables = quiet[start : start + PIECE]
            connection.execute(delete(talk).where(talk.c.table_id.in_(these_tables)))
            _grow(connection, these_tables)
    return deleted, len(quiet)


def _redate(
    connection: Connection, begun: datetime, ended: datetime, by: timedelta, owner: str | None
) -> None:
    """Move all dates between these two by so much; with an ``owner``, those of its tables only."""
    c, sqlite = tables.c, connection.dialect.name == "sqlite"

    def changed(column: ColumnElement[datetime]) -> ColumnElement[Any]:
        if sqlite:  # its clock has milliseconds, the columns have microseconds
            return func.strftime("%Y-%m-%d %H:%M:%f000", column, f"{by.total_seconds():+.3f} seconds")
        return column + literal(by, Interval())

    own_tables = (c.owner == owner) if owner else true()
    wrong = c.touched_at.between(begun, ended) & own_tables
    connection.execute(
        update(tables).where(wrong).values(touched_at=changed(c.touched_at), version=c.version + 1)
    )
    lines_then = talk.c.at.between(begun, ended) & talk.c.table_id.in_(select(c.id).where(own_tables))
    ids = list(connection.execute(select(talk.c.table_id).where(lines_then).distinct()).scalars())
    connection.execute(update(talk).where(lines_then).values(at=changed(talk.c.at)))
    _grow(connection, ids)
    if owner:
        return
    of_features = [column for rows in metadata.sorted_tables for column in rows.info.get(DATED, ())]
    for dates in (*of_features, device_links.c.made_at):
        first, *other_dates = dates if isinstance(dates, tuple) else (dates,)
        dated = update(first.table).where(first.between(begun, ended))
        connection.execute(dated.values({column: changed(column) for column in (first, *other_dates)}))


def _grow(connection: Connection, ids: Collection[str]) -> None:
    """Let the versions of tables grow, so that a server that has them in memory reads them again."""
    connection.execute(update(tables).where(tables.c.id.in_(ids)).values(version=tables.c.version + 1))


def _lock(connection: Connection, ids: Collection[str]) -> None:
    """Lock tables in the order of ``write_all``, before any of their rows, so that no two servers block."""
    sorted_ids = sorted(ids)
    for start in range(0, len(sorted_ids), PIECE):
        these_tables = tables.c.id.in_(sorted_ids[start : start + PIECE])
        connection.execute(select(tables.c.id).where(these_tables).order_by(tables.c.id).with_for_update())


def _forget(connection: Connection, holder: str) -> Forgotten:
    """Delete the tables that a browser had alone, and its traces at all others; return how much that was."""
    c, p = tables.c, players.c
    for work in _done_at(FORGET):
        work(connection, holder)
    seats_of_holder = or_(p.holder == holder, p.last_holder == holder)
    played_ids = set(connection.execute(select(p.table_id).where(seats_of_holder)).scalars())
    made_ids = set(connection.execute(select(c.id).where(or_(c.maker == holder, c.host == holder))).scalars())
    shared = _shared_tables(connection, sorted(played_ids | made_ids), holder)
    alone = sorted((played_ids | made_ids) - shared)
    about = talk.c.about.contains(holder)
    read = set(connection.execute(select(talk.c.table_id).where(about)).scalars())
    removed = set(connection.execute(select(p.table_id).where(p.removed_by == holder)).scalars())
    _lock(connection, played_ids | made_ids | read | removed)
    _delete(connection, alone)
    lines = connection.execute(delete(talk).where(about & talk.c.player.is_not(None))).rowcount
    connection.execute(delete(talk).where(about))
    seats = 0
    for id in sorted(played_ids & shared):
        seats_there = connection.execute(
            select(p.index, p.name).where(seats_of_holder & (p.table_id == id))
        ).all()
        lines += _forget_old_lines(connection, id, dict(map(tuple, seats_there)))
        lobby = select(c.id).where((c.id == id) & (c.phase == "lobby"))
        in_lobby = connection.execute(lobby).first() is not None
        for index, _name in seats_there:
            number = "" if in_lobby else f"{index + 1}"
            nameless = {"name": number, "holder": None, "last_holder": None, "recovery": None, "ready": False}
            seat = (p.table_id == id) & (p.index == index)
            seats += connection.execute(update(players).where(seat).values(**nameless)).rowcount
    _grow(connection, sorted((played_ids & shared) | (read - set(alone))))
    for column in (c.maker, c.host):
        statement = update(tables).where(column == holder)
        connection.execute(statement.values({column: None, c.version: c.version + 1}))
    connection.execute(update(players).where(p.removed_by == holder).values({p.removed_by: None}))
    gone = {rows: connection.execute(delete(rows).where(rows.c.holder == holder)).rowcount for rows in own()}
    other_counts = {rows.info[COUNTED]: count for rows, count in gone.items() if COUNTED in rows.info}
    return Forgotten(tuple(alone), seats, lines, gone[tokens], other_counts)


def _shared_tables(connection: Connection, ids: Sequence[str], holder: str) -> set[str]:
    """Return those of these tables at which another person has a seat."""
    p, shared_ids = players.c, set[str]()
    for start in range(0, len(ids), PIECE):
        these_tables = p.table_id.in_(ids[start : start + PIECE])
        with_others = (
            select(p.table_id).where(these_tables & p.holder.is_not(None) & (p.holder != holder)).distinct()
        )
        shared_ids.update(connection.execute(with_others).scalars())
    return shared_ids


def _rekey(connection: Connection, old: str, new: str) -> None:
    """Give everything of one secret to another, unless that one is in use already."""
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
    lines_about = update(talk).where(talk.c.about.contains(old))
    connection.execute(lines_about.values(about=func.replace(talk.c.about, old, new)))
    sorted_ids = sorted(ids)
    for start in range(0, len(sorted_ids), PIECE):
        _grow(connection, sorted_ids[start : start + PIECE])


def _forget_old_lines(connection: Connection, id: str, seats: Mapping[int, str]) -> int:
    """Delete lines of a table for which nobody has noted whose they are; return those of the ``seats``."""
    old = (talk.c.table_id == id) & (talk.c.about == "")
    count = connection.execute(delete(talk).where(old & talk.c.player.in_(seats))).rowcount
    names = {name for name in seats.values() if name}
    other_names = select(players.c.name).where((players.c.table_id == id) & players.c.index.not_in(seats))
    names_left = set(connection.execute(other_names).scalars())
    query = select(talk.c.seq, talk.c.text).where(old & talk.c.player.is_(None))
    named = [seq for seq, text in connection.execute(query) if _names_one(text, names, names_left)]
    for start in range(0, len(named), PIECE):
        these_lines = talk.c.seq.in_(named[start : start + PIECE])
        connection.execute(delete(talk).where(old & these_lines))
    return count


def _names_one(text: str, names: Collection[str], names_left: Collection[str]) -> bool:
    """Whether a line of the table names one of these people, and not only somebody of the rest."""
    line = Sentence.load(text)
    if isinstance(line, Sentence):
        return any(str(word) in names for word in line.words.values())
    for name in names:
        longer = [
            name_left for name_left in names_left if name in name_left and name != name_left
        ]  # «Ben (2)» is not «Ben»
        words = "|".join(map(re.escape, [*sorted(longer, key=len, reverse=True), name]))
        if name in re.findall(rf"(?<!\w)(?:{words})(?!\w)", line):
            return True
    return False
