"""The file of a match that can be resumed: CSV, one line for each game, whole deals in their order.

Its first column is the digest of the plan, so that the results of two matches cannot be mixed.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO, Self

from paddock.core.errors import PaddockError
from paddock.core.i18n import _
from paddock.lab.plan import Plan
from paddock.lab.results import header
from paddock.lab.rows import Row


class Journal:
    """The open file. ``rows`` are the games of the deals that were finished before.

    A file that ends within a deal, after a kill, is cut to whole deals. Raises ``PaddockError`` if the file
    holds something else; then it does not change.
    """

    def __init__(self, plan: Plan, file: Path) -> None:
        self._plan = plan
        with suppress(FileExistsError):
            file.open("xb").close()
        self._stream: BinaryIO = file.open("r+b")
        try:
            self.rows, kept = finished(plan, self._stream.read(), file)
        except BaseException:
            self._stream.close()
            raise
        self._stream.seek(kept)
        self._stream.truncate()
        if not kept:
            self._stream.write(_line(["match", *header(len(plan.line_up))]))

    def add(self, rows: Iterable[Row]) -> None:
        """Append the games of a deal."""
        self._stream.write(b"".join(_line([self._plan.digest, *_cells(self._plan, row)]) for row in rows))
        self._stream.flush()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._stream.close()


def finished(plan: Plan, data: bytes, file: Path) -> tuple[list[Row], int]:
    """Return the games of the whole deals in a file, and the number of bytes up to their end.

    Raises ``PaddockError`` if the file is not of this match.
    """
    count, head = len(plan.line_up), _line(["match", *header(len(plan.line_up))])
    if head.startswith(data):  # empty, or killed while it was written
        return [], len(head) if data == head else 0
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


def _cells(plan: Plan, row: Row) -> list[object]:
    cells: list[object] = [row.deal, row.rotation]
    for k, points, place, lost in zip(row.bots, row.points, row.places, row.lost, strict=True):
        cells += [plan.entrants[k].label, points, place, lost]
    return cells


def _row(plan: Plan, line: bytes) -> Row | None:
    """Parse a line; return None if it is not of this match."""
    try:
        digest, deal, rotation, *cells = next(csv.reader([line.decode()]))
        seated = plan.seatings(int(deal))[int(rotation)]
        bots = tuple(plan.line_up[k] for k in seated)
        row = Row(
            int(deal),
            int(rotation),
            bots,
            tuple(map(int, cells[1::4])),
            tuple(map(int, cells[2::4])),
            tuple(cells[3::4]),
        )
    except (ValueError, StopIteration):
        return None
    return row if digest == plan.digest and _line([digest, *_cells(plan, row)]) == line else None
