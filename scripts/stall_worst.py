"""What a database holds at worst for one visitor or table, for ``stall.py``: everything at its bound.

Where there is no bound (tables of a browser, attempts of a day, tables of a server), it is what a busy server
may have.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import Connection, Table, insert, select, update

from paddock import records
from paddock.bots import puzzles as made
from paddock.bots.analysis import Analysis, Judgement
from paddock.bots.ledger import KINDS, Amount, LedgerAccount, LedgerMoment, starts
from paddock.core.title import Title, titles
from paddock.core.words import CHANCE
from paddock.features.analyses.rows import analyses
from paddock.features.daily.rows import AttemptRow, daily_attempts, daily_days, daily_deals
from paddock.features.daily.store import MOST_DAYS
from paddock.features.mygames.archive import MOST as MOST_GAMES
from paddock.features.mygames.archive import GamesFile, PastGame, Rival, stored
from paddock.features.mygames.results import ACCOUNT
from paddock.features.mygames.rows import archives, results
from paddock.features.puzzles.rows import PuzzleRow, puzzles
from paddock.features.puzzles.store import MOST as MOST_PUZZLES
from paddock.features.reach.rows import reach
from paddock.records import Record
from paddock.records.notes import LONGEST_LINE, MOST, MOST_ARROWS, MOST_MARKS, MOST_TAGS, Note
from paddock.store.database import connect, database_url
from paddock.store.schema import (
    players,
    tables,
)

ATTEMPTS = 3_000  # of one race of a day
RUNNING = 200  # games of one browser whose clocks run
STORED = 20_000  # tables of the server
NOTED = 1_900  # characters of a note
MOST_RIVALS = 24  # in each game of a file that is as large as the API takes
DAY = "2026-03-01"  # that is over, with a secret and races
SECRET = "calendar" + "c" * 35
NOW = datetime(2026, 3, 1, tzinfo=UTC)
POINTS = dict.fromkeys(KINDS, Amount(1.2345678, 0.3456789))


def hashed(secret: str) -> str:
    """Return what the database holds instead of a secret."""
    return hashlib.sha256(secret.encode()).hexdigest()


def notes(entries: int) -> list[Note]:
    """Return as many notes as a record may have, over a log of so many entries, as long as they may be."""
    found = []
    for n in range(MOST):
        text = f"Nr. {n}: " + "why not the lane on the left? " * 100
        found.append(
            Note(
                n * entries // MOST,
                "Ana",
                text[:NOTED].strip(),
                tuple(f"tag-{k}" for k in range(MOST_TAGS)),
                tuple((f"piece {k}", f"space {k + 1}") for k in range(MOST_ARROWS)),
                tuple(f"space {k}" for k in range(MOST_MARKS)),
            )
        )
    assert all(len(note.line) <= LONGEST_LINE for note in found)
    return found


def noted(text: str) -> str:
    """Return a record with as many notes as it may have."""
    record = records.read(text)
    players, most = record.players, notes(len(record.game().log))
    return records.write(record.game(), date=record.date, players=players, notes=most)


def games(rivals: int, since: int = 0) -> list[PastGame]:
    """Return as many games as a file of «My games» may have."""
    others = [Rival(name=f"Rival {n}", bot="rookie" if n % 2 else None, place=n % 6) for n in range(rivals)]
    return [
        PastGame(
            game=f"from-elsewhere-{n + since}",
            title="lacorsa",
            ended=NOW - timedelta(hours=n),
            place=1 + n % 6,
            points=n,
            clock=True,
            judged=40,
            cost=1.25,
            others=others,
        )
        for n in range(MOST_GAMES)
    ]


def analysis(record: Record) -> str:
    """Return an analysis that takes all choices of a game for mistakes, without a look at any of them."""
    game = record.game()
    log, text, setup, seats = game.log, game.title.text, game.setup, game.options.players
    again, judged = game.at(0), []
    for at, entry in enumerate(log):
        if entry.by != CHANCE and len(legal := again.legal(entry.by).ids) > 1:
            best = next(move for move in legal if move != entry.what)
            words = str(text.move(setup, entry.what)), str(text.move(setup, best))
            facts = 0.1234, 0.0567, 256, 0.02, 0.01
            judged.append(Judgement(at, len(again.rounds), entry.by, *words, *facts))
        again.append(entry)
    values = tuple(round(0.123 * n, 3) for n in range(seats))
    moments = [LedgerMoment(at, 0, values, values) for at in starts(log, [0])]
    return Analysis(game.title.name, len(log), 256, "table", tuple(judged), moments=tuple(moments)).dump()


class Filling:
    """Fills a database. ``who`` has everything; ``brought`` has games from elsewhere only."""

    def __init__(self, connection: Connection, who: str, brought: str) -> None:
        self._connection = connection
        self.who = hashed(who)
        self.brought = hashed(brought)

    def _add(self, table: Table, rows: Sequence[Mapping[str, Any]]) -> None:
        if rows:
            self._connection.execute(insert(table), rows)

    def _rows(self, table: Table, id: str) -> list[dict[str, Any]]:
        key = table.c.id if table is tables else table.c.table_id
        return [dict(row) for row in self._connection.execute(select(table).where(key == id)).mappings()]

    def copies(self, id: str, count: int, of: str, **changed: Any) -> None:
        """Store a table so many times, with its players and results, without its log."""
        ids = [f"{of}-{n}" for n in range(count)]
        (row,) = self._rows(tables, id)
        old = {"created": NOW, "touched_at": NOW}
        self._add(tables, [row | old | changed | {"id": one} for one in ids])
        for table in (players, results):
            rows = self._rows(table, id)
            self._add(table, [row | {"table_id": one} for one in ids for row in rows])

    def finished(self, id: str) -> None:
        """Give ``who`` as many finished and analysed games as are read, and the server many more."""
        account = ACCOUNT.dump_json(LedgerAccount(0, POINTS, 7.4)).decode()
        judged = {"judged": 40, "cost": 1.25, "account": account}
        self._connection.execute(update(results).where(results.c.table_id == id).values(judged))
        self.copies(id, MOST_GAMES, "over", over=True)
        new = update(players).where(players.c.table_id.like("over-%") | (players.c.table_id == id))
        self._connection.execute(new.where(players.c.index == 0).values(holder=self.who))

    def others(self, id: str) -> None:
        """Let the server have many tables of others."""
        (row,) = self._rows(tables, id)
        ids = [f"other-{n}" for n in range(STORED)]
        old = {"created": NOW, "touched_at": NOW, "maker": "f" * 64, "host": None}
        self._add(tables, [row | old | {"id": one, "over": True} for one in ids])

    def running(self, id: str) -> None:
        """Let many clocks of ``who`` run, and give them a calendar."""
        self.copies(id, RUNNING, "running")
        here = players.c.table_id.like("running-%")
        self._connection.execute(update(players).where(here).values(holder=hashed("a friend"), bank_ms=10**8))
        self._connection.execute(update(players).where(here & (players.c.index == 0)).values(holder=self.who))
        facts = {"holder": self.who, "language": "en", "site": "http://localhost", "calendar": hashed(SECRET)}
        self._add(reach, [facts])

    def archived(self) -> None:
        """Give ``brought`` as many games from elsewhere as are kept."""
        text = stored(games(3))
        assert len(GamesFile.model_validate_json(text).games) == MOST_GAMES
        self._add(archives, [{"holder": self.brought, "text": text, "kept_at": NOW}])

    def raced(self, today: str) -> None:
        """Let many race today and on a day that is over, and ``who`` on all days before."""
        deals = [dict(row) for row in self._connection.execute(
            select(daily_deals).where(daily_deals.c.day == today)
        ).mappings()]  # fmt: skip
        days = [f"{NOW - timedelta(days=n):%Y-%m-%d}" for n in range(MOST_DAYS)]
        self._add(daily_days, [{"day": day, "secret": "ab" * 32} for day in days])
        told = {"par": 20, "par_level": "works"}
        self._add(daily_deals, [deal | told | {"day": day} for day in days for deal in deals])
        rows = [
            AttemptRow(
                day,
                deal["title"],
                self.who if not n else hashed(f"racer {n}"),
                f"Racer {n}",
                NOW,
                None,
                NOW,
                n % 60,
                1 + n % 4,
                True,
            )
            for day in (today, DAY)
            for deal in deals
            for n in range(ATTEMPTS)
        ]
        rows += [AttemptRow(day, "lacorsa", self.who, "Ana", NOW, None, NOW, 5, 1, True) for day in days[1:]]
        self._add(daily_attempts, [asdict(row) for row in rows])

    def puzzled(self, analysed: Mapping[str, str], known: Mapping[str, Sequence[int]]) -> None:
        """Give ``who`` as many puzzles as are read: of a set, and of analysed games."""
        ids = [(title, id) for title in titles().values() for id in made.puzzles_of(title).puzzles]
        rows = [PuzzleRow(self.who, f"{title.name}:{id}", _theme(title, id), NOW) for title, id in ids]
        rows += [
            PuzzleRow(self.who, f"{id}/{entry}", "", NOW, table_id=id)
            for id, entries in known.items()
            for entry in entries
        ]
        self._add(puzzles, [asdict(row) for row in rows[-MOST_PUZZLES:]])
        self._add(analyses, [{"table_id": id, "made_at": NOW, "text": text} for id, text in analysed.items()])


def _theme(title: Title, id: str) -> str:
    return made.puzzles_of(title).puzzles[id][0].theme


async def fill(database: str, who: str, brought: str, places: Mapping[str, str], long: str) -> None:
    """Fill a database that no server uses. ``places`` are tables; ``long`` is the record of the longest."""
    today = f"{datetime.now(UTC):%Y-%m-%d}"
    analysed = analysis(records.read(long))
    mistakes = [one["entry"] for one in json.loads(analysed)["judgements"]]

    def work(connection: Connection) -> None:
        filling = Filling(connection, who, brought)
        filling.finished(places["over"])
        filling.others(places["over"])
        filling.running(places["clock"])
        filling.archived()
        filling.raced(today)
        filling.puzzled({places["long"]: analysed}, {places["long"]: mistakes[: MOST_PUZZLES // 2]})

    engine = connect(database_url(database))
    try:
        async with engine.begin() as opened:
            await opened.run_sync(work)
    finally:
        await engine.dispose()


def file(rivals: int, since: int = 0) -> str:
    """Return a file of «My games» with as many games as one may have."""
    return GamesFile(games=games(rivals, since)).model_dump_json()
