"""The file of a match that can be resumed: CSV, one line for each game, whole deals in their order.

Its first column is the digest of the plan, so that the results of two matches cannot be mixed.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Self

from filelock import FileLock, Timeout

from paddock.core.errors import PaddockError
from paddock.core.i18n import _
from paddock.lab.disk import naming
from paddock.lab.plan import Plan
from paddock.lab.results import header
from paddock.lab.rows import GameRow

LARGEST = 2**31  # more points than any game gives


class Journal:
    """The open file, locked against other matches. ``rows`` are the games of the deals that are in it.

    A file that ends within a deal, after a kill, is cut to whole deals. Raises ``PaddockError`` if the file
    cannot be opened, or holds something else; then it does not change.
    """

    def __init__(self, plan: Plan, file: Path) -> None:
        self._plan, self._file = plan, file
        with ExitStack() as stack, naming(file):
            with suppress(FileExistsError):
                file.open("xb").close()
            if not file.is_file():
                raise PaddockError(_("{file} is not a regular file").format(file=file))
            stack.enter_context(locked(file))
            self._stream = stack.enter_context(file.open("r+b", buffering=0))
            self.rows, kept_bytes = finished(plan, self._stream.read(), file)
            self._stream.truncate(kept_bytes)
            self._stream.seek(kept_bytes)
            if not kept_bytes:
                self._write(_line(["match", *header(len(plan.line_up), luck=bool(plan.luck))]))
            self._open = stack.pop_all()

    def add(self, rows: Iterable[GameRow]) -> None:
        """Append the games of a deal; raise ``PaddockError`` if they cannot be written."""
        with naming(self._file):
            self._write(b"".join(_line([self._plan.digest, *cells(self._plan, row)]) for row in rows))

    def _write(self, data: bytes) -> None:
        while data:  # a disk that is nearly full takes a part
            data = data[self._stream.write(data) :]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._open.close()


@contextmanager
def locked(file: Path) -> Iterator[None]:
    """Keep other matches off the file; the operating system also unlocks it when this process ends."""
    lock = FileLock(f"{file}.lock", timeout=0)
    try:
        lock.acquire()
    except Timeout:
        sentence = _("another match writes to {file}: stop it, or write to another file")
        raise PaddockError(sentence.format(file=file)) from None
    try:
        yield
    finally:
        with suppress(OSError):  # Windows refuses to remove it before it is unlocked
            Path(lock.lock_file).unlink()
        lock.release()


def finished(plan: Plan, data: bytes, file: Path) -> tuple[list[GameRow], int]:
    """Return the games of the whole deals in a file, and the number of bytes up to their end.

    Raises ``PaddockError`` if the file is not of this match.
    """
    count = len(plan.line_up)
    luck = bool(plan.luck)
    head, old = (_line(["match", *header(count, forfeit, luck=luck)]) for forfeit in ("forfeit", "lost"))
    if head.startswith(data):  # empty, or killed while it was written
        return [], len(head) if data == head else 0
    if data.startswith(old):
        sentence = _("{file} is from Paddock 0.7, where a forfeit cost other points: write to a new file")
        raise PaddockError(sentence.format(file=file))
    lines = data.splitlines(keepends=True)
    if not lines[-1].endswith(b"\n"):
        lines.pop()
    rows = [_row(plan, line) for line in lines[1:]] if lines and lines[0] == head else [None]
    if None in rows or any((row.deal, row.rotation) != divmod(i, count) for i, row in enumerate(rows) if row):
        sentence = _(
            "{file} has other contents: write to a new file, or repeat the title, bots, options, seed and "
            "seconds of the match in it"
        )
        raise PaddockError(sentence.format(file=file))
    whole = len(rows) // count * count
    return [row for row in rows[:whole] if row], sum(map(len, lines[: 1 + whole]))


def _line(cells: Iterable[object]) -> bytes:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerow(cells)
    return text.getvalue().encode()


def cells(plan: Plan, row: GameRow) -> list[object]:
    """Return what the line of a game has after the digest."""
    line: list[object] = [row.deal, row.rotation]
    for k, points, place, forfeit in zip(row.bots, row.points, row.places, row.forfeits, strict=True):
        line += [plan.entrants[k].label, points, place, forfeit]
    return [*line, *row.luck]


def _row(plan: Plan, line: bytes) -> GameRow | None:
    """Parse a line; return None if it is not of this match."""
    try:
        digest, deal, rotation, *fields = next(csv.reader([line.decode()]))
        seated = plan.seatings(int(deal))[int(rotation)]
        played = 4 * len(seated)  # bot, points, place and forfeit of each player; then the luck of each
        luck, fields = fields[played:], fields[:played]
        row = GameRow(
            int(deal),
            int(rotation),
            tuple(plan.line_up[k] for k in seated),
            tuple(map(int, fields[1::4])),
            tuple(map(int, fields[2::4])),
            tuple(fields[3::4]),
            tuple(map(float, luck)),
        )
        same = digest == plan.digest and _line([digest, *cells(plan, row)]) == line
    except (ValueError, IndexError, StopIteration, csv.Error):
        return None
    possible = all(abs(points) < LARGEST for points in row.points) and all(
        0 <= place <= len(seated) for place in row.places
    )
    return row if same and possible else None
