"""Draws charts as SVG: axes, grids and words for every chart, and the charts of lines of a finished game."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from html import escape

from paddock.core.pages import Chart
from paddock.parts.drawing import aria, short

WIDE = 400
LEFT, RIGHT, TOP, BOTTOM = 34, 132, 16, 34  # the margins
STEP = 26  # between two places
HIGH = 230  # of a chart of points, without margins
APART = 21.0  # the least distance between two labels
MOST_TICKS = 10  # numbers on an axis
LETTERS = 11  # of a name beside a line
INK = "var(--ink,#1e1a17)"
QUIET = "var(--ink-2,#5b4e41)"
HAIR = "var(--hair,#d8c8ab)"
FACE = "Arial Narrow,Roboto Condensed,Liberation Sans Narrow,Arial,sans-serif"


@dataclass(frozen=True)
class ChartLine:
    """One line of a chart. Colour is never its only mark: it also has a badge and a dash."""

    name: str
    badge: str  # an SVG fragment of about 20 × 20 around 0, 0
    colour: str
    dash: str  # as in ``stroke-dasharray``; empty for a solid line
    values: tuple[int | None, ...]  # one for each point in time; None once the line has ended


@dataclass(frozen=True)
class Axis:
    """A range of values, with round numbers in it, and where they are in the drawing."""

    least: float
    most: float
    step: float
    start: float
    end: float

    def __call__(self, value: float) -> float:
        part = (min(max(value, self.least), self.most) - self.least) / (self.most - self.least)
        return self.start + part * (self.end - self.start)

    @property
    def ticks(self) -> list[float]:
        """The round numbers."""
        first, last = math.ceil(self.least / self.step - 1e-9), math.floor(self.most / self.step + 1e-9)
        return [n * self.step for n in range(first, last + 1)]

    def word(self, value: float, sign: bool = False) -> str:
        """Return a round number as text."""
        places = max(0, -math.floor(math.log10(self.step) + 1e-9))
        return f"{value:{'+' if sign and value > 0 else ''},.{places}f}".replace("-", "−")


def axis(values: Sequence[float], start: float, end: float, ticks: int = 5, *, whole: bool = True) -> Axis:
    """Return the axis for these values; ``whole``: its ends are round numbers."""
    numbers = [value for value in values if not math.isnan(value)] or [0.0, 1.0]
    least, most = min(numbers), max(numbers)
    if most - least < 1e-12:
        least, most = least - 0.5, most + 0.5
    rough = (most - least) / ticks
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(n * power for n in (1, 2, 5, 10) if n * power >= rough * 0.999)
    if whole:
        least, most = step * math.floor(least / step + 1e-9), step * math.ceil(most / step - 1e-9)
    return Axis(least, most, step, start, end)


def chart(
    caption: str, first: str, ticks: Sequence[str], lines: Sequence[ChartLine], *, places: bool
) -> Chart:
    """Return a chart of these lines over the points in time ``ticks``.

    ``places``: the values are places, with 1 at the top; else they are points, which grow from 0.
    ``first`` is the heading of the names in the table.
    """
    rows = [(line.name, *("–" if v is None else str(v) for v in line.values)) for line in lines]
    return Chart(caption, _drawing(caption, ticks, lines, places), (first, *ticks), rows)


def _drawing(caption: str, ticks: Sequence[str], lines: Sequence[ChartLine], places: bool) -> str:
    """Draw the lines over their frame, each with a label at its end."""
    numbers = [v for line in lines for v in line.values if v is not None]
    most = max(numbers, default=1)
    low = TOP + max(STEP * (most - 1) if places else HIGH, APART * (len(lines) - 1))
    step = max(1, -(-len(ticks) // MOST_TICKS))
    across = Axis(0, max(1, len(ticks) - 1), step, LEFT, WIDE - RIGHT)
    values = Axis(1, max(2, most), 1, TOP, low) if places else _points(numbers, low)
    ends = []
    parts = [_frame(across, values, ticks, low)]
    for line in lines:
        points = [(across(i), values(v)) for i, v in enumerate(line.values) if v is not None]
        if points:
            parts.append(_drawn(line, points))
            ended = line.values[-1] is None  # then its label is below the others
            ends.append((low if ended else points[-1][1], ended, line))
    parts += _labels(sorted(ends, key=lambda end: end[:2]), low)
    return svg(caption, low + BOTTOM, parts)


def _points(values: Sequence[int], low: float) -> Axis:
    """Return the axis of points, with whole numbers."""
    axis_of_places = axis([0, 1, *values], low, TOP, whole=False)
    return replace(axis_of_places, step=max(1, axis_of_places.step))


def _frame(across: Axis, values: Axis, ticks: Sequence[str], low: float) -> str:
    """Draw the grid, and the numbers of both axes."""
    step = int(across.step)
    shown = range((len(ticks) - 1) % step, len(ticks), step)  # the last one too
    lines = "".join(f"M{across(i):.1f} {TOP}V{low:g}" for i in shown)
    below = "".join(text(across(i), low + 24, ticks[i], "middle") for i in shown)
    labels = "".join(text(LEFT - 10, values(v) + 5, values.word(v), "end") for v in values.ticks)
    return grid(lines + levels(values, LEFT, WIDE - RIGHT)) + below + labels


def _drawn(line: ChartLine, points: Sequence[tuple[float, float]]) -> str:
    """Draw one line; where it ends early, with a cross and its badge."""
    path = route(points)
    dash = f' stroke-dasharray="{line.dash}"' if line.dash else ""
    out = (
        f'<g fill="none" stroke-linejoin="round"><path d="{path}" stroke="{INK}" stroke-width="6"/>'
        f'<path d="{path}" stroke="{line.colour}" stroke-width="3.4"{dash}/>'
    )
    if line.values[-1] is None:
        x, y = points[-1]
        out += f'<path d="M{x - 6:.1f} {y - 6:.1f}l12 12m0-12l-12 12" stroke="{INK}" stroke-width="3.5"/>'
        badge = f'<g transform="translate({x + 17:.1f} {y:.1f}) scale(.8)">{line.badge}</g>'
        return f"{out}</g>{badge}"
    return out + "</g>"


def _labels(ends: Sequence[tuple[float, bool, ChartLine]], low: float) -> list[str]:
    """Draw badge and name of every line on the right; labels that would overlap are moved apart."""
    spots = [y for y, _ended, _line in ends]
    for i in range(1, len(spots)):
        spots[i] = max(spots[i], spots[i - 1] + APART)
    for i in reversed(range(len(spots))):
        spots[i] = min(spots[i], low - APART * (len(spots) - 1 - i))
    right = WIDE - RIGHT
    out = []
    for spot, (y, ended, line) in zip(spots, ends, strict=True):
        if not ended:
            lead = f"M{right} {y:.1f}L{right + 12} {spot:.1f}"
            out.append(f'<path d="{lead}" stroke="{QUIET}" stroke-width="1.5" fill="none"/>')
        words = f"✕ {short(line.name, LETTERS - 2)}" if ended else short(line.name, LETTERS)
        out.append(
            f'<g transform="translate({right + 24} {spot:.1f})">{line.badge}</g>'
            + text(right + 40, spot + 5, words, "start", INK)
        )
    return out


def svg(caption: str, high: float, parts: Sequence[str], says: str = "") -> str:
    """Return a drawing, 400 units wide, so that a phone shows it at its natural size."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="chart" viewBox="0 0 {WIDE} {high:g}" '
        f"{aria(f'{caption}. {says}' if says else caption)}>{''.join(parts)}</svg>"
    )


def grid(lines: str) -> str:
    """Draw the lines of a grid."""
    return f'<path d="{lines}" stroke="{HAIR}" stroke-width="1.5" fill="none"/>'


def levels(values: Axis, left: float, right: float) -> str:
    """Return a line across for each number of an upright axis."""
    return "".join(f"M{left} {values(tick):.1f}H{right}" for tick in values.ticks)


def route(points: Sequence[tuple[float, float]]) -> str:
    """Return a line through points."""
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points)


def text(x: float, y: float, words: str, anchor: str, ink: str = QUIET) -> str:
    """Return words of a chart; ``anchor`` is start, middle or end."""
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-size="15" text-anchor="{anchor}" font-family="{FACE}" '
        f'font-weight="700" fill="{ink}">{escape(words)}</text>'
    )
