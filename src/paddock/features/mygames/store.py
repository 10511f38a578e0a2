"""The stored results of the finished games of browsers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Connection, Row, and_, delete, func, insert, select, update

from paddock.features.mygames.rows import ResultRow, archives, countings, results
from paddock.store.errors import available
from paddock.store.inserting import insert_new
from paddock.store.kinds import RACES, Kind
from paddock.store.part import StorePart
from paddock.store.prepared import Prepared
from paddock.store.schema import players, tables
from paddock.tables.played import Played

TRIES = 3  # as often a game is counted that cannot be: then it is left alone
LEASE = timedelta(minutes=10)  # after which the server that counts a game is taken for gone
PIECE = 25  # games whose players one statement reads: others have their turn in between
_RESULTS = Prepared(insert(results))
Judged = tuple[int, float, str | None]  # decisions that an analysis has judged, their cost, the account


@dataclass(frozen=True)
class FinisherRow:
    """A player of a finished game."""

    index: int
    name: str
    bot: str | None
    holder: str | None
    result: ResultRow


@dataclass(frozen=True)
class PastRow:
    """A finished game."""

    id: str
    title: str
    kind: Kind
    options: str  # as in ``Options.short``
    players: tuple[FinisherRow, ...]


@dataclass(frozen=True)
class GameRows:
    """The games of a browser as they were read."""

    titles: Mapping[str, tuple[str, Kind, str]]  # by table, the newest first
    players: Sequence[Row[Any]]


class Uncounted(NamedTuple):
    """Games of which it is not known who played."""

    waiting: Sequence[str] = ()
    unreadable: int = 0  # they were tried too often


_TRIES = func.coalesce(countings.c.tries, 0)


def _free(now: datetime) -> ColumnElement[bool]:
    """Return the condition that no server counts a game."""
    return countings.c.since.is_(None) | (countings.c.since < now - LEASE)


class GamesStore(StorePart):
    """The results, and the games from elsewhere."""

    async def stamp(self, holder: str) -> tuple[object, ...]:
        """Return what is another one when ``read`` or ``archive`` would find something else.

        Whoever has a seat, and how they are called, changes with the version of a table.
        """
        p, r, c = players.c, results.c, tables.c
        here = select(p.table_id).where(p.holder == holder)
        games = select(func.count(), func.sum(c.version)).where(c.id.in_(here) & c.over)
        judged = func.count(r.judged), func.sum(r.judged), func.sum(func.length(r.account))
        ended = select(func.count(), func.count(r.asked), *judged).where(r.table_id.in_(here))
        brought = select(archives.c.kept_at, func.length(archives.c.text)).where(archives.c.holder == holder)
        with available():
            async with self._reading.connect() as connection:
                rows = [(await connection.execute(query)).first() for query in (games, ended, brought)]
        return tuple(None if row is None else tuple(row) for row in rows)

    async def read(self, holder: str, limit: int) -> GameRows:
        """Read the games of a browser that ended last, the newest first: ``past`` makes sense of them.

        Games in which it played several seats are left out: it was its own opponent there.
        """
        p, r = players.c, results.c
        newest = (
            select(r.table_id, tables.c.title, tables.c.kind, tables.c.options, r.ended_at)
            .join(players, and_(p.table_id == r.table_id, p.index == r.player))
            .join(tables, tables.c.id == r.table_id)
            .where(p.holder == holder)
            .group_by(r.table_id, tables.c.title, tables.c.kind, tables.c.options, r.ended_at)
            .having(func.count() == 1)
            .order_by(r.ended_at.desc(), r.table_id)
            .limit(limit)
        )
        query: Any = (
            select(r.table_id, *(r[fact.name] for fact in fields(ResultRow)), p.name, p.bot, p.holder)
            .join(players, and_(p.table_id == r.table_id, p.index == r.player))
            .order_by(r.table_id, r.player)
        )
        with available():
            async with self._reading.connect() as connection:
                found = await connection.execute(newest)
                titles = {row.table_id: (row.title, row.kind, row.options) for row in found}
                ids, rows = list(titles), list[Row[Any]]()
                for start in range(0, len(ids), PIECE):
                    some = r.table_id.in_(ids[start : start + PIECE])
                    rows += (await connection.execute(query.where(some))).all()
        return GameRows(titles, rows)

    async def uncounted(self, holder: str, limit: int) -> Uncounted:
        """Return finished games of a browser of which it is not known yet who played, or even who won.

        Those that were tried least come first.
        """
        c, p, r = tables.c, players.c, results.c
        query = (
            select(c.id, _TRIES.label("tries"))
            .distinct()
            .join(players, p.table_id == c.id)
            .outerjoin(results, and_(r.table_id == p.table_id, r.player == p.index))
            .outerjoin(countings, countings.c.table_id == c.id)
            .where((p.holder == holder) & c.over & c.kind.in_(RACES) & r.asked.is_(None))
            .order_by("tries", c.id)
            .limit(limit)
        )
        rows = await self._read(query)
        waiting = [id for id, tries in rows if tries < TRIES]
        return Uncounted(waiting, len(rows) - len(waiting))

    async def countable(self, now: datetime, limit: int) -> list[str]:
        """Return games that can be counted now, of all browsers: those that were tried least come first."""
        r = results.c
        query = (
            select(r.table_id, _TRIES.label("tries"))
            .outerjoin(countings, countings.c.table_id == r.table_id)
            .where(r.asked.is_(None), _TRIES < TRIES, _free(now))
            .group_by(r.table_id, countings.c.tries)
            .order_by("tries", r.table_id)
            .limit(limit)
        )
        return [id for id, _tries in await self._read(query)]

    async def claim(self, id: str, now: datetime) -> bool:
        """Take a game to count it, which is one try.

        Return False if it is counted, or somebody counts it, or it was tried too often.
        """

        def work(connection: Connection) -> bool:
            c, r = countings.c, results.c
            if insert_new(connection, countings, {"table_id": id, "tries": 1, "since": now}):
                counted = select(r.player).where((r.table_id == id) & r.asked.is_not(None)).limit(1)
                if connection.execute(counted).first() is None:
                    return True
                connection.execute(delete(countings).where(c.table_id == id))
                return False
            free = (c.table_id == id) & (c.tries < TRIES) & _free(now)
            new = update(countings).where(free).values(tries=c.tries + 1, since=now)
            return connection.execute(new).rowcount > 0

        return await self._writer.run(work)

    async def give_back(self, id: str, taken: datetime, tries: int) -> None:
        """Let a game be counted later that could not be counted now. The claim of then was so many tries.

        Nothing happens if the claim has lapsed, and another server has the game.
        """
        c = countings.c
        ours = (c.table_id == id) & (c.since == taken)
        new = update(countings).where(ours).values(tries=c.tries - 1 + tries, since=None)  # the claim was one
        await self._writer.run(lambda connection: connection.execute(new))

    async def count(self, id: str, played: Mapping[int, Played]) -> None:
        """Note what the people of a game decided, unless that is noted already."""

        def work(connection: Connection) -> None:
            r = results.c
            for player, part in played.items():
                of_player = (r.table_id == id) & (r.player == player) & r.asked.is_(None)
                new = {"asked": part.asked, "made": part.made, "left_game": part.left}
                connection.execute(update(results).where(of_player).values(new))
            connection.execute(delete(countings).where(countings.c.table_id == id))

        await self._writer.run(work)

    async def add(self, id: str, rows: Sequence[ResultRow]) -> bool:
        """Store the results of a game; return False if it has some already, which stay."""

        def work(connection: Connection) -> bool:
            new = [insert_new(connection, results, {"table_id": id, **asdict(row)}) for row in rows]
            return any(new)

        return await self._writer.run(work)

    async def judge(self, id: str, judged: Mapping[int, Judged]) -> None:
        """Note what an analysis says of players of a game, unless that is noted already."""
        r = results.c
        query = select(r.player, r.judged, r.cost, r.account).where(r.table_id == id)
        noted = {player: tuple(says) for player, *says in await self._read(query)}
        news = {player: says for player, says in judged.items() if noted.get(player, says) != says}
        if not news:
            return

        def work(connection: Connection) -> None:
            for player, (decisions, cost, account) in news.items():
                of_player = (r.table_id == id) & (r.player == player)
                new = {"judged": decisions, "cost": cost, "account": account}
                connection.execute(update(results).where(of_player).values(new))

        await self._writer.run(work)

    async def archive(self, holder: str) -> str | None:
        """Return the games that a browser has brought from elsewhere; None if there are none."""
        query = select(archives.c.text).where(archives.c.holder == holder)
        return next((text for (text,) in await self._read(query)), None)

    async def keep_archive(self, holder: str, before: str | None, text: str, at: datetime) -> bool:
        """Store these games in place of those that a browser has brought before; ``None``: of none.

        Return whether those are still there.
        """
        new = {"text": text, "kept_at": at}

        def work(connection: Connection) -> bool:
            if before is None:
                return insert_new(connection, archives, {"holder": holder, **new})
            same = (archives.c.holder == holder) & (archives.c.text == before)
            return connection.execute(update(archives).where(same).values(new)).rowcount > 0

        return await self._writer.run(work)


def ended(id: str, rows: Sequence[ResultRow]) -> Callable[[Connection], None]:
    """Return what stores the results of a game in the transaction of its last move."""
    return lambda connection: _RESULTS.run(connection, ({"table_id": id, **vars(row)} for row in rows))


def past(rows: GameRows) -> list[PastRow]:
    """Return the games in what was read. Pure: it takes long for many games."""
    players_of: dict[str, list[FinisherRow]] = {id: [] for id in rows.titles}
    for row in rows.players:
        id, *columns, name, bot, holder = tuple(row)
        result = ResultRow(*columns)
        players_of[id].append(FinisherRow(result.player, name, bot, holder, result))
    return [PastRow(id, *rows.titles[id], tuple(who)) for id, who in players_of.items()]
