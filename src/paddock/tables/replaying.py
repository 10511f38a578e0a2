"""Work that replays a whole log: short logs in a thread, long ones in a worker process.

All functions are pure, and what they take and return is cheap to send to another process.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar, overload

from paddock import records
from paddock.core.errors import BadOption, BadRecord, brief
from paddock.core.game import Game
from paddock.core.i18n import Sentence, _, mark
from paddock.core.log import Log
from paddock.core.options import Options
from paddock.core.title import Title
from paddock.core.title import title as find_title
from paddock.records import Fair, Note
from paddock.store import EventRow, Stored, TableRow
from paddock.tables.fold import BrokenLog, begin, fold, hash_prefix
from paddock.tables.threads import off_loop
from paddock.tables.workers import Workers

T = TypeVar("T")
# What is longer goes to a worker. Replaying as much takes a fifth of a second; in a thread, that slows down
# other requests by a few milliseconds each, while a worker that is not running yet needs a second to start.
LONG_LOG = 2_000  # entries
LONG_LOOK = 600  # entries, where it is looked what each seat could do: it takes as long
LONG_TEXT = 10_000  # characters of a record


async def run(workers: Workers, long: bool, work: Callable[..., T], *args: Any) -> T:
    """Run work that a visitor asked for, in a worker if it is long.

    Raises ``Busy``, ``Stopped`` and its own errors.
    """
    return await (workers.run(work, *args) if long else off_loop(work, *args))


async def look(workers: Workers, rows: int, work: Callable[..., T], *args: Any) -> T:
    """Run work that looks at each decision of a log of so many rows, in a worker if it is long; nobody waits.

    Raises ``Busy``, ``Stopped`` and its own errors.
    """
    return await (workers.wait(work, *args) if rows > LONG_LOOK else off_loop(work, *args))


class LogRows(Sequence[EventRow]):
    """Rows of a log as arrays."""

    def __init__(self, rows: Sequence[EventRow]) -> None:
        self._numbers = array("q")
        self._digests = array("Q")
        for row in rows:
            self._numbers.extend((row.seq, row.by, row.what, row.decision, row.linked))
            self._digests.append(row.digest)

    def __len__(self) -> int:
        return len(self._digests)

    @overload
    def __getitem__(self, i: int) -> EventRow: ...
    @overload
    def __getitem__(self, i: slice) -> list[EventRow]: ...
    def __getitem__(self, i: int | slice) -> EventRow | list[EventRow]:
        if isinstance(i, slice):
            return [self[k] for k in range(*i.indices(len(self)))]
        i = range(len(self))[i]
        seq, by, outcome, decision, linked = self._numbers[5 * i : 5 * i + 5]
        return EventRow(seq, by, outcome, decision, self._digests[i], bool(linked))

    def __iter__(self) -> Iterator[EventRow]:
        return (self[i] for i in range(len(self)))


# Stored tables


@dataclass(frozen=True)
class Replayed:
    """The game of a stored log, up to the last valid row."""

    game: Game
    rows: int  # the number of valid rows
    fault: Sentence | None = None  # what is wrong with the next row
    changed: bool = False  # whether that is because the rules were changed


async def replayed(workers: Workers, stored: Stored, known: tuple[Game, int] | None = None) -> Replayed:
    """Run ``replay`` for a stored table, in a worker if its log is long.

    Raises ``Busy`` and ``Stopped``.
    """
    row, data, events = stored.table, dict(stored.data), stored.events
    names = [player.name for player in stored.players]
    if len(events) <= LONG_LOG:
        return await off_loop(replay, row, names, data, events, known)
    return await workers.wait(replay, row, names, data, await off_loop(LogRows, events), known)


def replay(
    row: TableRow,
    names: Sequence[str],
    data: Mapping[str, str],
    events: Sequence[EventRow],
    known: tuple[Game, int] | None = None,
) -> Replayed:
    """Replay the stored log of a table, or what follows on the game and the number of rows in ``known``.

    ``data`` is the data of its options, by digest. ``known`` is not modified.
    """
    newest, damaged = find_title(row.title), False
    plays = newest.oldest <= row.revision <= newest.revision
    title = newest.at(row.revision) if plays else newest
    other_rules = row.revision != title.revision  # it was begun by other rules than those that are played
    if known:
        game, first = known[0].fork(), known[1]
        game.names = tuple(names)
    else:
        try:
            options = title.options.read_text(row.options, revision=row.revision, find=data.get)
            game = Game(title, options, None, names)
        except BadOption:
            damaged, options = True, title.options.read({title.players_option: len(names)})
            game = Game(title, options, None, names)
        first = 0
    rows = first + len(events)
    try:
        if not plays:
            reason = Sentence(
                "This table was played by revision {old} of the rules, but this version of Paddock has "
                "revision {new}.",
                old=row.revision,
                new=newest.revision,
            )
            raise BrokenLog(reason, game)
        if damaged:
            words = mark("This table cannot go on: its stored options are damaged ({options}).")
            raise BrokenLog(Sentence(words, options=brief(row.options)), game)
        try:
            fold(game, events, hash_prefix(row.title, row.revision, row.options), first)
        except BrokenLog as broken:
            if not other_rules:
                raise
            return Replayed(broken.game, broken.rows, rules_changed(title, row.revision), changed=True)
        if rows != row.length:
            raise BrokenLog(
                Sentence(
                    "This table cannot go on: only {m} of its {n} entries are stored.", n=row.length, m=rows
                ),
                game,
                rows,
            )
    except BrokenLog as broken:
        return Replayed(broken.game, broken.rows, broken.sentence)
    return Replayed(game, rows)


def rules_changed(title: Title, revision: int) -> Sentence:
    """Return why a table of this revision does not go on with the rules of ``title``."""
    return Sentence(
        "The rules of {title} have changed since this game began (revision {old}, now "
        "{new}), and under the new ones it would have gone differently. So it ends here: you "
        "see the last position before the difference, and can download the record up to "
        "there.",
        title=title.label,
        old=revision,
        new=title.revision,
    )


# Records and explored games


@dataclass(frozen=True)
class Uploaded:
    """A record that follows the rules, and the rows to store for it."""

    date: str
    players: tuple[tuple[str, str | None], ...]  # name, and bot level or None for a person
    game: Game
    rows: LogRows
    notes: tuple[Note, ...]


def upload(text: str) -> Uploaded:
    """Replay the record of a finished game; raise ``BadRecord`` with the line and the reason."""
    record = records.read(text)
    game = record.game()
    if not game.over:
        raise BadRecord(1, _("this game is not finished: only finished games can be uploaded"))
    resumed, rows = resume(game.title, game.options, game.names, game.log)
    return Uploaded(record.date, record.players, resumed, rows, record.notes)


def resume(title: Title, options: Options, names: Sequence[str], log: Log) -> tuple[Game, LogRows]:
    """Return the game with this log, and the rows to store for it. No chance is drawn."""
    game, rows = begin(title, options, names, log, None)
    return game, LogRows(rows)


def record(
    game: Game,
    date: str,
    players: Sequence[tuple[str, str | None]],
    eyes: int | None,
    notes: Sequence[Note] = (),
    fair: Fair | None = None,
) -> str:
    """Return the record of a game as ``records.write`` does."""
    return records.write(game, date=date, players=players, eyes=eyes, notes=notes, fair=fair)
