"""Reads and writes tables."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import asdict, fields
from datetime import datetime
from types import MappingProxyType
from typing import Self, TypeVar

from sqlalchemy import (
    ColumnElement,
    Connection,
    String,
    Table,
    and_,
    cast,
    delete,
    func,
    insert,
    literal,
    or_,
    select,
    true,
    update,
)
from sqlalchemy.exc import DBAPIError

from paddock.core.options import digests
from paddock.store.data import find, keep
from paddock.store.database import (
    THREADS,
    bring_up,
    cannot_open,
    check_current,
    check_there,
    database_url,
)
from paddock.store.driver import Connected, Database, Driver, Transactions
from paddock.store.errors import InUse, StoreError, Unavailable, available, passes
from paddock.store.kinds import RACES, RECORD
from paddock.store.leases import Leases, free
from paddock.store.measured import Measured
from paddock.store.part import StorePart
from paddock.store.rows import (
    AnswerRow,
    ClaimRow,
    EventRow,
    LogRow,
    OpenTurn,
    OrderRow,
    PendingRow,
    PlayerRow,
    Stored,
    TableRow,
    TalkRow,
    TokenRow,
    UndoRow,
    Write,
)
from paddock.store.schema import (
    answers,
    banned,
    claims,
    events,
    orders,
    pending,
    players,
    tables,
    talk,
    tokens,
    undo,
)
from paddock.store.sole import lock_postgres
from paddock.store.writer import Writer
from paddock.store.writing import write_log

TAKEOVER = 5.0  # seconds that a start waits for the server before it to end
PIECE = 1000  # rows of a log that are read at a time
KEPT_TALK = 500  # lines of chat in memory, so that one team's chat does not push out other lines


P = TypeVar("P", bound=StorePart)
R = TypeVar("R", AnswerRow, ClaimRow, OrderRow, PendingRow, PlayerRow, UndoRow)


def _nothing() -> None:
    """Make nothing after a change was stored."""


async def _prepare(engine: Database, writing: Transactions) -> None:
    """Migrate the database, and connect as a server. One that was killed has its lock for a moment longer."""
    until = asyncio.get_running_loop().time() + TAKEOVER
    while True:
        try:
            await bring_up(engine)
            await writing.run(lambda _connection: None)
        except InUse:
            if asyncio.get_running_loop().time() > until:
                raise
            await asyncio.sleep(0.1)
        else:
            return


class Store:
    """The database. Open it with ``Store.open``."""

    def __init__(self, engine: Database, writer: Writer) -> None:
        self._engine = engine
        self.shared = engine.dialect.name == "postgresql"  # whether several servers may use it
        self._reading = engine.execution_options(paddock_reading=True)
        self._writer = writer
        self.turns = writer.turns
        self.measured = Measured()
        self.measured.watch(engine.sync_engine)
        writer.watch(self.measured)

    @classmethod
    async def open(
        cls,
        url: str | None = None,
        *,
        server: bool = False,
        migrate: bool = True,
        driver: Driver = THREADS,
    ) -> Self:
        """Open the database at ``url``, or a file in the user's data folder, created or migrated as needed.

        ``server``: as a server, beside which nobody changes the schema; see ``sole.py``. ``migrate``: without
        that, nothing is created or migrated, and there must be the current schema already.

        Raises ``Unavailable`` if it may answer later, and another ``PaddockError`` with what is wrong
        otherwise.
        """
        address = database_url(url)
        if not migrate:
            check_there(address)
        engine = driver.connect(address)
        writing = driver.transactions(address, lock_postgres if server else None)
        try:
            if not migrate:
                await check_current(engine)
            else:
                await (_prepare(engine, writing) if server else bring_up(engine))
        except (DBAPIError, OSError) as error:
            await engine.dispose()
            await writing.close()
            kind = Unavailable if passes(error) else StoreError
            reason = getattr(error, "orig", None) or error
            raise kind(cannot_open(reason)) from error
        except BaseException:
            await engine.dispose()
            await writing.close()
            raise
        return cls(engine, Writer(writing))

    async def close(self) -> None:
        """Store what waits, and close every connection."""
        await self._writer.close()
        await self._engine.dispose()

    @asynccontextmanager
    async def _read(self) -> AsyncIterator[Connected]:
        with available():
            async with self._reading.connect() as connection:
                yield connection

    async def create(
        self,
        table: TableRow,
        who: Sequence[PlayerRow],
        log: Sequence[EventRow],
        data: Mapping[str, str] = MappingProxyType({}),
        owner: str | None = None,
        also: Callable[[Connection], None] | None = None,
        turns: Sequence[OpenTurn] = (),
    ) -> frozenset[str]:
        """Store a new table with its players, the start of its log, and the data of its options.

        ``also`` writes more in the same transaction; if it raises an error, nothing is stored. ``turns`` are
        open from the start.

        Return the browsers that want to be called there.
        """

        def work(connection: Connection) -> frozenset[str]:
            """Write the table and what comes with it; return the browsers that want to be called."""
            keep(connection, data)
            connection.execute(insert(tables).values(owner=owner, **table.columns()))
            connection.execute(insert(players), [{"table_id": table.id, **asdict(p)} for p in who])
            write_log(connection, table.id, log, table.created)
            if also:
                also(connection)
            self.turns.opened(connection, table.id, turns, table.created)
            return self.turns.callers(connection, table.id)

        return await self._writer.run(work)

    @property
    def failures(self) -> int:
        """How often the database did not answer a writer."""
        return self._writer.failures

    async def commit(
        self,
        write: Write,
        made: Callable[[], None] = _nothing,
        failures: int | None = None,
        owner: str | None = None,
    ) -> bool:
        """Store a change of a table durably, together with others that wait, and then call ``made``.

        Return False, and store nothing, if the stored table has another version than ``write.before``: then
        load the table, and decide again. The same if the server ``owner`` has lost it; None: it does not
        matter who has it. Raises ``KeyTaken`` and ``Unavailable``, at once if ``failures`` has
        grown since the caller read it.
        """
        begun = time.perf_counter()
        stored = await self._writer.commit(write, made, failures, owner)
        if stored:
            self.measured.commit(write.events, time.perf_counter() - begun)
        return stored

    async def load(self, id: str, start: int = 0) -> Stored | None:
        """Return a consistent snapshot of a table, with its log from row ``start`` on; None if there is no
        such table."""
        async with self._read() as connection:
            if self._engine.dialect.name == "postgresql":
                await connection.execution_options(isolation_level="REPEATABLE READ")
            row = (await connection.execute(select(tables).where(tables.c.id == id))).mappings().first()
            if row is None:
                return None
            return Stored(
                TableRow.read(row),
                await _rows(connection, players, PlayerRow, id),
                tuple(await _events(connection, id, start)),
                await _rows(connection, pending, PendingRow, id),
                await _rows(connection, orders, OrderRow, id),
                next(iter(await _rows(connection, undo, UndoRow, id)), None),
                tuple(await _talk(connection, id, KEPT_TALK)),
                await _rows(connection, answers, AnswerRow, id, answers.c.decision == row["length"]),
                await _banned(connection, id),
                await connection.run_sync(find, digests(row["options"])),
                await _rows(connection, claims, ClaimRow, id),
                await _line_counts(connection, id),
                await connection.run_sync(self.turns.callers, id),
            )

    async def decided(self, id: str) -> tuple[list[LogRow], set[tuple[int, int]]]:
        """Return who decided in a game: the rows of its log, and what people answered: seat and decision."""
        e, a = events.c, answers.c
        log = select(e.by, e.what, e.decision).where(e.table_id == id).order_by(e.seq)
        sent = select(a.seat, a.decision).distinct().where(a.table_id == id)
        async with self._read() as connection:
            rows = [LogRow(*row) for row in await connection.execute(log)]
            return rows, {(row.seat, row.decision) for row in await connection.execute(sent)}

    async def version(self, id: str) -> int | None:
        """Return the stored version of a table; None if there is no such table."""
        async with self._read() as connection:
            query = select(tables.c.version).where(tables.c.id == id)
            return (await connection.execute(query)).scalar()

    async def versions(self, ids: Sequence[str]) -> dict[str, int]:
        """Return the stored versions of these tables; unknown tables are left out."""
        async with self._read() as connection:
            query = select(tables.c.id, tables.c.version).where(tables.c.id.in_(ids))
            return {row.id: row.version for row in await connection.execute(query)}

    async def keep(self, data: Mapping[str, str]) -> None:
        """Store data by digest."""
        await self._writer.run(lambda connection: keep(connection, data))

    async def data(self, digests: Sequence[str]) -> dict[str, str]:
        """Return the data of these digests; unknown digests are left out."""
        async with self._read() as connection:
            return await connection.run_sync(find, digests)

    async def held(self, holder: str, limit: int) -> list[TableRow]:
        """Return the newest tables that a browser created or plays at."""
        seats = select(players.c.table_id).where(players.c.holder == holder)
        made_ids = select(tables.c.id).where(tables.c.maker == holder)
        query = (
            select(tables)
            .where(tables.c.id.in_(made_ids.union(seats)))  # for an ``or_``, PostgreSQL reads all tables
            .order_by(tables.c.created.desc(), tables.c.id)
            .limit(limit)
        )
        async with self._read() as connection:
            return [TableRow.read(row) for row in (await connection.execute(query)).mappings()]

    async def playing(self, holder: str, limit: int) -> list[tuple[str, datetime]]:
        """Return the running games that await a browser, and when the open decision of each began.

        The one that has waited longest comes first. Lessons, explored games, and tables that
        are abandoned or closed, are left out.
        """
        c, e, p = tables.c, events.c, players.c
        player_word = literal("% ") + cast(p.index, String) + literal(" %")
        query = (
            select(c.id, e.at)
            .distinct()
            .join(events, and_(e.table_id == c.id, e.seq == c.length - 1))
            .join(players, p.table_id == c.id)
            .where((p.holder == holder) & (c.awaits.is_(None) | c.awaits.like(player_word)))
            .where(c.kind.in_(RACES) & (c.phase == "play") & ~c.over & ~c.abandoned & ~c.closed)
            .order_by(e.at, c.id)
            .limit(limit)
        )
        async with self._read() as connection:
            return [(id, at) for id, at in await connection.execute(query)]

    async def unfinished(self, holder: str, limit: int) -> list[str]:
        """Return the tables of a browser that are not over, abandoned or closed, the newest moves first."""
        c = tables.c
        own_tables = c.id.in_(select(players.c.table_id).where(players.c.holder == holder))
        query = (
            select(c.id)
            .where(own_tables & (c.kind != RECORD) & ~c.over & ~c.abandoned & ~c.closed)
            .order_by(c.touched_at.desc(), c.id)
            .limit(limit)
        )
        async with self._read() as connection:
            return list((await connection.execute(query)).scalars())

    async def to_resume(self) -> list[str]:
        """Return the ids of running tables with a clock, grace period, bot, open seat or standing order.

        The most recently active come first; tables that are abandoned or closed, and those of servers that
        run, are left out.
        """
        c, p = tables.c, players.c
        bots = select(p.table_id).where(p.holder.is_(None) | p.stand_in)
        due = or_(c.clock != "", c.grace > 0, c.id.in_(bots), c.id.in_(select(orders.c.table_id)))
        query = (
            select(c.id)
            .where((c.phase == "play") & ~c.over & ~c.abandoned & ~c.closed & due & free())
            .order_by(c.touched_at.desc(), c.id)
        )
        async with self._read() as connection:
            return list((await connection.execute(query)).scalars())

    async def listed(self, limit: int, phase: str | None = None) -> list[TableRow]:
        """Return the newest listed tables, all or of a ``phase``, that are not over, abandoned or closed."""
        c = tables.c
        wanted = true() if phase is None else c.phase == phase
        query = (
            select(tables)
            .where(c.listed & ~c.over & ~c.abandoned & ~c.closed & wanted)
            .order_by(c.created.desc(), c.id)
            .limit(limit)
        )
        async with self._read() as connection:
            return [TableRow.read(row) for row in (await connection.execute(query)).mappings()]

    async def abandon(
        self, lobbies: datetime | None, games: datetime | None, owner: str | None = None
    ) -> list[str]:
        """Mark lobbies and running games without activity since these times as abandoned; return their ids.

        None marks no lobbies or no games. Tables of other servers than ``owner`` are theirs to mark.
        """
        c = tables.c
        own_tables = free() | (c.owner == owner)
        old = [
            and_(c.phase == phase, c.touched_at < since)
            for phase, since in (("lobby", lobbies), ("play", games))
            if since is not None
        ]
        if not old:
            return []

        def work(connection: Connection) -> list[str]:
            """Mark the idle tables as abandoned, and return their ids."""
            # Rows are locked in the same order as by ``write_all``.
            query = select(c.id).where(~c.over & ~c.abandoned & ~c.closed & or_(*old) & own_tables)
            query = query.order_by(c.id).with_for_update()
            ids = list(connection.execute(query).scalars())
            if ids:
                marked = {"abandoned": True, "version": c.version + 1}
                connection.execute(update(tables).where(c.id.in_(ids)).values(**marked))
            return ids

        return await self._writer.run(work)

    def part(self, kind: type[P]) -> P:
        """Return a part of the store, such as the rows of a feature."""
        return kind(self._engine, self._writer)

    def leases(self) -> Leases:
        """Return the servers of this database, which must be ``shared``."""
        return Leases(self._engine)

    async def answer(self, id: str, key: str) -> AnswerRow | None:
        """Return the stored answer to the submission with this key; None if the key is new."""
        async with self._read() as connection:
            rows = await _rows(connection, answers, AnswerRow, id, answers.c.key == key)
            return rows[0] if rows else None

    # Personal tokens

    async def add_token(self, row: TokenRow) -> bool:
        """Store a token; return False if its holder has one with this label already."""
        c = tokens.c
        same = select(c.hash).where((c.holder == row.holder) & (c.label == row.label))

        def work(connection: Connection) -> bool:
            if connection.execute(same).first():
                return False
            connection.execute(insert(tokens).values(**asdict(row)))
            return True

        return await self._writer.run(work)

    async def token(self, hash: str) -> TokenRow | None:
        """Return the token with this hash, or None."""
        rows = await self._tokens(tokens.c.hash == hash)
        return rows[0] if rows else None

    async def tokens_of(self, holder: str) -> list[TokenRow]:
        """Return the tokens of a browser, sorted by label."""
        return await self._tokens(tokens.c.holder == holder)

    async def _tokens(self, condition: ColumnElement[bool]) -> list[TokenRow]:
        """Return the tokens for which the condition holds, by label."""
        async with self._read() as connection:
            rows = (
                await connection.execute(select(tokens).where(condition).order_by(tokens.c.label))
            ).mappings()
            return [TokenRow(**row) for row in rows]

    async def use_token(self, hash: str, at: datetime) -> None:
        """Note when a token was last used."""
        statement = update(tokens).where(tokens.c.hash == hash).values(used_at=at)
        await self._writer.run(lambda connection: connection.execute(statement))

    async def drop_token(self, holder: str, label: str) -> bool:
        """Delete a token; return whether there was one."""
        own_token = (tokens.c.holder == holder) & (tokens.c.label == label)
        statement = delete(tokens).where(own_token)
        return await self._writer.run(lambda connection: connection.execute(statement).rowcount > 0)


async def _rows(
    connection: Connected, table: Table, row: type[R], id: str, *conditions: ColumnElement[bool]
) -> tuple[R, ...]:
    """Return the rows of one kind of a table, in the order of their keys."""
    query = select(*(table.c[fact.name] for fact in fields(row)))
    query = query.where(table.c.table_id == id, *conditions).order_by(*table.primary_key)
    return tuple(row(*values) for values in await connection.execute(query))


async def _events(connection: Connected, id: str, start: int) -> list[EventRow]:
    """Return the rows of a log from row ``start`` on, read in pieces: other requests come in between."""
    c, out = events.c, list[EventRow]()
    query = select(c.seq, c.by, c.what, c.decision, c.digest, c.linked).where(c.table_id == id)
    while True:
        after = out[-1].seq + 1 if out else start
        rows = await connection.execute(query.where(c.seq >= after).order_by(c.seq).limit(PIECE))
        piece = [EventRow(*row) for row in rows]
        out += piece
        if len(piece) < PIECE:
            return out


async def _talk(connection: Connected, id: str, limit: int) -> list[TalkRow]:
    """Return the last lines of a table's chat, the oldest first."""
    c = talk.c
    query = (
        select(c.seq, c.at, c.player, c.channel, c.text, c.about, c.phrase)
        .where(c.table_id == id)
        .order_by(c.seq.desc())
        .limit(limit)
    )
    lines = [TalkRow(*row) for row in await connection.execute(query)]
    return lines[::-1]


async def _line_counts(connection: Connected, id: str) -> dict[str, int]:
    c = talk.c
    query = select(c.channel, func.count().label("lines")).where(c.table_id == id).group_by(c.channel)
    return {row.channel: row.lines for row in await connection.execute(query)}


async def _banned(connection: Connected, id: str) -> frozenset[str]:
    query = select(banned.c.holder).where(banned.c.table_id == id)
    return frozenset((await connection.execute(query)).scalars())
