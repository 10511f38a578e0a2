"""Parts of the page of a finished game: charts of lines, drawn as SVG, and their numbers as a table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
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
class Line:
    """One line of a chart. Colour is never its only mark: it also has a badge and a dash."""

    name: str
    badge: str  # an SVG fragment of about 20 × 20 around 0, 0
    colour: str
    dash: str  # as in ``stroke-dasharray``; empty for a solid line
    values: tuple[int | None, ...]  # one for each point in time; None once the line has ended


@dataclass(frozen=True)
class _Scale:
    """Where the points in time and the values are in the drawing."""

    ticks: int
    least: int
    most: int
    places: bool
    low: float  # the bottom of the lines

    def x(self, tick: int) -> float:
        return LEFT + (WIDE - LEFT - RIGHT) * tick / max(1, self.ticks - 1)

    def y(self, value: int) -> float:
        part = (value - self.least) / max(1, self.most - self.least)
        return TOP + (self.low - TOP) * (part if self.places else 1 - part)


def chart(caption: str, first: str, ticks: Sequence[str], lines: Sequence[Line], *, places: bool) -> Chart:
    """Return a chart of these lines over the points in time ``ticks``.

    ``places``: the values are places, with 1 at the top; else they are points, which grow from 0.
    ``first`` is the heading of the names in the table.
    """
    rows = [(line.name, *("–" if v is None else str(v) for v in line.values)) for line in lines]
    return Chart(caption, _svg(caption, ticks, lines, places), (first, *ticks), rows)


def _svg(caption: str, ticks: Sequence[str], lines: Sequence[Line], places: bool) -> str:
    """Draw the chart, 400 units wide, so that a phone shows it at its natural size."""
    values = [v for line in lines for v in line.values if v is not None]
    most = max(values, default=1)
    high = max(STEP * (most - 1) if places else HIGH, APART * (len(lines) - 1))
    scale = _Scale(len(ticks), 1 if places else 0, most, places, TOP + high)
    ends = []
    parts = [_frame(scale, ticks)]
    for line in lines:
        points = [(scale.x(i), scale.y(v)) for i, v in enumerate(line.values) if v is not None]
        if points:
            parts.append(_drawn(line, points))
            ended = line.values[-1] is None  # then its label is below the others
            ends.append((scale.low if ended else points[-1][1], ended, line))
    parts += _labels(sorted(ends, key=lambda end: end[:2]), scale)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="chart" viewBox="0 0 {WIDE} {TOP + high + BOTTOM:g}" '
        f"{aria(caption)}>{''.join(parts)}</svg>"
    )


def _frame(scale: _Scale, ticks: Sequence[str]) -> str:
    """Draw the grid, and the numbers of both axes."""
    every = -(-len(ticks) // MOST_TICKS)
    shown = [i for i in range(len(ticks)) if (len(ticks) - 1 - i) % every == 0]
    columns = "".join(f"M{scale.x(i):.1f} {TOP}V{scale.low:g}" for i in shown)
    below = "".join(text(scale.x(i), scale.low + 24, ticks[i], "middle") for i in shown)
    span = scale.most - scale.least
    step = 1 if scale.places else next(n for n in (1, 2, 5, 10, 20, 50, 10**9) if span <= n * MOST_TICKS / 2)
    levels = range(scale.least, scale.most + 1, step)
    rows = "".join(f"M{LEFT} {scale.y(v):.1f}H{WIDE - RIGHT}" for v in levels)
    beside = "".join(text(LEFT - 10, scale.y(v) + 5, str(v), "end") for v in levels)
    return f'<path d="{columns}{rows}" stroke="{HAIR}" stroke-width="1.5" fill="none"/>{below}{beside}'


def _drawn(line: Line, points: Sequence[tuple[float, float]]) -> str:
    """Draw one line; where it ends early, with a cross and its badge."""
    path = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
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


def _labels(ends: Sequence[tuple[float, bool, Line]], scale: _Scale) -> list[str]:
    """Draw badge and name of every line on the right; labels that would overlap are moved apart."""
    spots = [y for y, _ended, _line in ends]
    for i in range(1, len(spots)):
        spots[i] = max(spots[i], spots[i - 1] + APART)
    for i in reversed(range(len(spots))):
        spots[i] = min(spots[i], scale.low - APART * (len(spots) - 1 - i))
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


def text(x: float, y: float, words: str, anchor: str, ink: str = QUIET) -> str:
    """Return words of a chart; ``anchor`` is start, middle or end."""
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-size="15" text-anchor="{anchor}" font-family="{FACE}" '
        f'font-weight="700" fill="{ink}">{escape(words)}</text>'
    )
