"""The table of an evening or a season: points, points over the field in the same seat, and strengths."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from paddock.core.intervals import half_width, mean
from paddock.core.ratings import Rating, rate
from paddock.features.clubs.results import Fit, Result

FIELD = 4  # tables: where fewer play a deal, bots complete the field

# Why the plain result of an entrant is marked: a bot has played on for them
Note: TypeAlias = Literal["", "left"]


@dataclass(frozen=True)
class Line:
    """A line of the table."""

    entrant: str
    points: float  # of all deals
    duplicate: float  # mean of the points over the field; NaN if there was none
    error: float  # half the width of its 95 % interval; NaN for fewer than two deals
    deals: int  # that the entrant began
    corrected: float  # strength: points a deal over the mean of all entrants; NaN if unknown
    corrected_error: float  # half the width of its 95 % interval
    note: Note = ""


def table(results: Collection[Result]) -> list[Line]:
    """Return the lines of an evening, the best first: by points over the field, then by points.

    A deal that a bot finished counts as the seat made it, and the line is marked.
    """
    from paddock.features.clubs.correcting import fit  # imported late: NumPy is not everywhere

    fitted, over = fit(results), over_field(results)
    own: dict[str, list[tuple[Result, float]]] = defaultdict(list)
    for result, more in zip(results, over, strict=True):
        if result.entrant is not None:
            own[result.entrant].append((result, more))
    lines = [_line(entrant, played, fitted) for entrant, played in own.items()]
    return sorted(lines, key=lambda line: (-_known(line.duplicate), -line.points, line.entrant))


def season(results: Collection[Result]) -> list[Line]:
    """Return the lines of a season, the best first: by strength, which does without missed deals."""
    return sorted(table(results), key=lambda line: (-_known(line.corrected), -line.points, line.entrant))


def over_field(results: Collection[Result]) -> list[float]:
    """Return the points of each result over the mean of the others in the same seat on the same deal.

    NaN where nobody else had this seat.
    """
    fields: dict[tuple[int, int], list[float]] = defaultdict(list)
    for result in results:
        fields[result.deal, result.seat].append(result.points)
    return [_over(result.points, fields[result.deal, result.seat]) for result in results]


def ratings(results: Collection[Result]) -> dict[str, Rating]:
    """Return the ratings of entrants from their places at tables, by a model for games of many.

    Who left is not compared at that table. Raises ``PaddockError`` if the package that rates is missing.
    """
    tables: dict[tuple[int, int], list[Result]] = defaultdict(list)
    for result in results:
        if result.entrant is None or result.own_part == 1:
            tables[result.deal, result.table].append(result)
    people = sorted({result.entrant for result in results if result.entrant is not None})
    levels = sorted({result.level for result in results})
    players = [*((False, name) for name in people), *((True, level) for level in levels)]  # people, and bots
    number = {player: n for n, player in enumerate(players)}
    games = [
        ([number[r.entrant is None, r.entrant or r.level] for r in table], _places(table))
        for _at, table in sorted(tables.items())
        if len(table) > 1 and any(r.entrant is not None for r in table)
    ]
    return dict(zip(people, rate(len(number), games), strict=False))


def _places(table: Sequence[Result]) -> list[int]:
    return [1 + sum(other.points > own.points for other in table) for own in table]


def missing_tables(tables: int) -> int:
    """Return how many tables of bots complete the field of a deal that so many tables play."""
    return max(0, FIELD - tables)


def _over(points: float, field: Sequence[float]) -> float:
    others = len(field) - 1
    return points - (sum(field) - points) / others if others else math.nan


def _known(number: float) -> float:
    return -math.inf if math.isnan(number) else number


def _line(entrant: str, played: Sequence[tuple[Result, float]], fitted: Fit | None) -> Line:
    over = [more for _result, more in played if not math.isnan(more)]
    strength = fitted.entrants[entrant] if fitted else None
    return Line(
        entrant,
        points=sum(float(result.points) for result, _more in played),
        duplicate=mean(over) if over else math.nan,
        error=half_width(over),
        deals=len(played),
        corrected=strength.value if strength else math.nan,
        corrected_error=strength.error if strength else math.nan,
        note="left" if any(result.own_part < 1 for result, _more in played) else "",
    )
