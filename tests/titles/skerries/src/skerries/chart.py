"""Skerries: charts as data (SK-1.1). This module is light: the rulebook reads charts to check them.

A chart is written row by row, a letter a hex: ``.`` open sea, ``+`` reef, ``x`` skerry, ``h`` harbour,
``q`` quay, ``l`` light. Every second row lies half a hex further right. Rows are separated by new lines or
``/``; spaces are ignored, and ``;`` starts a comment.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import files

from paddock.core.errors import BadValue, brief
from paddock.core.i18n import _

SHIPPED = ("sisters", "narrows")
ROWS, COLUMNS = 10, 12
LETTERS = ".+xhlq"
SEA, REEF, SKERRY, HARBOUR, LIGHT, QUAY = range(6)
WAYS = ("e", "ne", "nw", "w", "sw", "se")


@dataclass(frozen=True)
class Chart:
    """Rows of equal length. Hexes are numbered row by row."""

    rows: tuple[str, ...]

    @property
    def columns(self) -> int:
        """The number of hexes in a row."""
        return len(self.rows[0])

    @property
    def land(self) -> list[int]:
        """The kind of every hex: SEA, REEF, …"""
        return [LETTERS.index(letter) for row in self.rows for letter in row]

    def beside(self, hex: int) -> list[int | None]:
        """The neighbours of a hex in the order of ``WAYS``; None if there is none."""
        row, column = divmod(hex, self.columns)
        right = row % 2  # the row lies half a hex further right
        steps = [(0, 1), (-1, right), (-1, right - 1), (0, -1), (1, right - 1), (1, right)]
        places = [(row + down, column + along) for down, along in steps]
        return [
            r * self.columns + c if 0 <= r < len(self.rows) and 0 <= c < self.columns else None
            for r, c in places
        ]

    def reached(self) -> set[int]:
        """The hexes that a boat can sail to from the quay."""
        land = self.land
        found = [land.index(QUAY)]
        for hex in found:
            found += [n for n in self.beside(hex) if n is not None and land[n] != SKERRY and n not in found]
        return set(found)

    def name(self, hex: int) -> str:
        """The name of a hex, such as ``c4``: a letter for the column, a number for the row."""
        return hex_name(hex, self.columns)


def hex_name(hex: int, columns: int) -> str:
    """The name of a hex, such as ``c4``: a letter for the column, a number for the row."""
    return f"{'abcdefghijkl'[hex % columns]}{hex // columns + 1}"


def chart_text(name: str) -> str:
    """The file of a chart that comes with the title."""
    return files(__package__).joinpath("charts", f"{name}.chart").read_text("utf-8")


def read_chart(text: str) -> Chart:
    """Return the chart of a name or of rows. Raises ``BadValue`` with every fault."""
    if text in SHIPPED:
        text = chart_text(text)
    lines = [line.partition(";")[0] for line in text.replace("/", "\n").splitlines()]
    rows = ["".join(line.split()).lower() for line in lines]
    chart = Chart(tuple(row for row in rows if row))
    if faults := list(_form(chart)) or list(_ways(chart)):
        raise BadValue(*faults)
    return chart


def _form(chart: Chart) -> Iterator[str]:
    """Yield the faults in how the chart is written."""
    rows = chart.rows
    if not rows or len(rows) > ROWS or max(map(len, rows)) > COLUMNS:
        words = _("name one of {names}, or draw 1 to {rows} rows of 1 to {columns} hexes (SK-1.1)")
        yield words.format(names=", ".join(SHIPPED), rows=ROWS, columns=COLUMNS)
        return
    for number, row in enumerate(rows, 1):
        if len(row) != len(rows[0]):
            yield _("row {number} has {n} hexes, row 1 has {first}").format(
                number=number, n=len(row), first=len(rows[0])
            )
        for letter in sorted(set(row) - set(LETTERS)):
            yield _("row {number}: “{letter}” is no hex; they are {letters}").format(
                number=number, letter=brief(letter), letters=" ".join(LETTERS)
            )
    letters = "".join(rows)
    if letters.count("q") != 1:
        yield _("a chart has one quay (q), not {n} (SK-1.1)").format(n=letters.count("q"))
    if "l" not in letters:
        yield _("a chart has a light (l) to sail to (SK-1.1)")


def _ways(chart: Chart) -> Iterator[str]:
    """Yield a fault for every harbour or light that no boat can reach."""
    reached = chart.reached()
    for hex, land in enumerate(chart.land):
        if land in (HARBOUR, LIGHT) and hex not in reached:
            words = (
                _("no boat can sail from the quay to the harbour {hex} (SK-1.1)")
                if land == HARBOUR
                else _("no boat can sail from the quay to the light {hex} (SK-1.1)")
            )
            yield words.format(hex=chart.name(hex))


def chart_word(chart: Chart) -> str:
    """The chart as one word without spaces; ``read_chart`` reads it back."""
    return "/".join(chart.rows)
