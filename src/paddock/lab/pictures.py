"""The pictures of reports, as SVG: bars, curves, points with their intervals, parts of a whole, cross-tables.

Like the house's other charts they are 400 units wide, so that a phone shows them at their natural size.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from paddock.core.i18n import _
from paddock.core.pages import Chart
from paddock.lab.figures import Estimate, apart, shown
from paddock.parts.chart import HAIR, INK, QUIET, WIDE, Axis, axis, grid, levels, route, svg, text
from paddock.parts.drawing import short

ACCENT = "var(--accent,#a8240f)"
LEFT, RIGHT, TOP, BOTTOM = 44, 10, 14, 44
HIGH = 190  # of bars and curves, without margins
ROW = 26  # of a point with its interval
MOST_NAMES = 200  # the width of names beside points
LETTER = 7.1  # the width of a letter of them
DOT = 6  # the radius of a point
MOST_LABELS = 8  # below bars
PAINTS = (ACCENT, INK, QUIET, HAIR)  # of the parts of a whole
ON_PAINTS = ("var(--paper,#f3e7d0)", "var(--paper,#f3e7d0)", "var(--paper,#f3e7d0)", INK)
NARROW = 34  # a part of this width has room for its number
CELL = 46  # the height of a cell of a cross-table
PALE, STRONG = 0.1, 0.4  # how strong the colour of a cell is, from next to nothing to the most


def scaled(estimate: Estimate) -> tuple[float, float, float]:
    """Return value, low and high as they are shown: shares in percent."""
    scale = 100 if estimate.percent else 1
    return scale * estimate.value, scale * estimate.low, scale * estimate.high


def _table(caption: str, drawing: str, first: str, figures: Sequence[Estimate], sign: bool = False) -> Chart:
    rows = [(estimate.label, shown(estimate, sign)) for estimate in figures if not math.isnan(estimate.value)]
    return Chart(caption, drawing, (first, _("with its 95 % interval")), rows)


def _upright(values: Axis, unit: str) -> str:
    """Draw the grid and the numbers of an upright axis."""
    words = "".join(
        text(LEFT - 6, values(tick) + 5, f"{values.word(tick)}{unit}", "end") for tick in values.ticks
    )
    return grid(levels(values, LEFT, WIDE - RIGHT)) + words


def _below(words: str) -> str:
    """Write what the lower axis shows."""
    return text((LEFT + WIDE - RIGHT) / 2, TOP + HIGH + 39, words, "middle")


def bars(caption: str, description: str, axis_label: str, figures: Sequence[Estimate]) -> Chart:
    """Draw how often each value occurs, in percent, with whiskers for the intervals."""
    values = axis([0, *(scaled(estimate)[2] for estimate in figures)], TOP + HIGH, TOP)
    width = (WIDE - LEFT - RIGHT) / len(figures)
    step = -(-len(figures) // MOST_LABELS)
    parts = [_upright(values, " %")]
    whiskers = ""
    for i, estimate in enumerate(figures):
        share, low, high = scaled(estimate)
        x, top = LEFT + (i + 0.08) * width, values(share)
        parts.append(
            f'<rect x="{x:.1f}" y="{top:.1f}" width="{0.84 * width:.1f}" height="{TOP + HIGH - top:.1f}" '
            f'fill="{ACCENT}"/>'
        )
        if not math.isnan(low):
            whiskers += f"M{x + 0.42 * width:.1f} {values(low):.1f}V{values(high):.1f}"
        if (i - step // 2) % step == 0:
            parts.append(text(x + 0.42 * width, TOP + HIGH + 20, _edge(estimate.label), "middle"))
    parts.append(f'<path d="{whiskers}" stroke="{INK}" stroke-width="2" fill="none"/>')
    parts.append(f'<path d="M{LEFT} {TOP + HIGH}H{WIDE - RIGHT}" stroke="{INK}" stroke-width="2.5"/>')
    parts.append(_below(axis_label))
    return _table(caption, svg(caption, TOP + HIGH + BOTTOM, parts, description), axis_label, figures)


def _edge(label: str) -> str:
    """Return the first number of a range."""
    return label.partition("–")[0] if label[0].isdigit() else label


def curve(
    caption: str,
    description: str,
    first_head: str,
    figures: Sequence[Estimate],
    *,
    fair: float | None = None,
    first: float = 0,
) -> Chart:
    """Draw a line over the parts of the game, in its band of intervals; ``fair`` is a level to compare with.

    ``first`` is the part of the game of the first figure; the last one is at its end.
    """
    points = [
        (first + (1 - first) * i / max(1, len(figures) - 1), *scaled(estimate))
        for i, estimate in enumerate(figures)
        if not math.isnan(estimate.value)
    ]
    bounds = [value for point in points for value in point[1:]]
    values = axis([0 if fair is not None else min(bounds), *bounds], TOP + HIGH, TOP)
    across = Axis(0, 1, 0.25, LEFT, WIDE - RIGHT - 12)
    unit = " %" if figures and figures[0].percent else ""
    parts = [_upright(values, unit)]
    parts += [text(across(tick), TOP + HIGH + 20, f"{100 * tick:.0f} %", "middle") for tick in across.ticks]
    if fair is not None:
        y = values(100 * fair)
        parts.append(
            f'<path d="M{LEFT} {y:.1f}H{WIDE - RIGHT}" stroke="{INK}" stroke-width="2" '
            'stroke-dasharray="5 5"/>' + text(WIDE - RIGHT - 2, y + 17, _("fair share"), "end")
        )
    with_interval = [point for point in points if not math.isnan(point[2])]
    upper = [(across(x), values(high)) for x, _value, _low, high in with_interval]
    lower = [(across(x), values(low)) for x, _value, low, _high in reversed(with_interval)]
    if with_interval:
        parts.append(f'<path d="{route(upper + lower)}Z" fill="{ACCENT}" fill-opacity=".28"/>')
    line = route([(across(x), values(value)) for x, value, _low, _high in points])
    parts.append(
        f'<path d="{line}" stroke="{ACCENT}" stroke-width="3.4" fill="none" stroke-linejoin="round"/>'
    )
    parts.append(f'<path d="M{LEFT} {TOP + HIGH}H{WIDE - RIGHT}" stroke="{INK}" stroke-width="2.5"/>')
    parts.append(_below(_("part of the game")))
    return _table(caption, svg(caption, TOP + HIGH + BOTTOM, parts, description), first_head, figures)


def dots(
    caption: str,
    description: str,
    first_head: str,
    figures: Sequence[Estimate],
    *,
    line: float,
    sign: bool = False,
) -> Chart:
    """Draw a point with its interval for each figure; ``line`` is a level to compare them with."""
    points = [(estimate, *scaled(estimate)) for estimate in figures if not math.isnan(estimate.value)]
    scale = 100 if figures and figures[0].percent else 1
    bounds = [bound for _one, *numbers in points for bound in numbers]
    names_width = min(
        MOST_NAMES, max((LETTER * len(estimate.label) for estimate, *_numbers in points), default=0) + RIGHT
    )
    values = axis([scale * line, *bounds], names_width + 18, WIDE - RIGHT - 14, 3)
    bottom = TOP + ROW * len(points)
    parts = [grid("".join(f"M{values(tick):.1f} {TOP}V{bottom}" for tick in values.ticks))]
    x = values(scale * line)
    parts.append(f'<path d="M{x:.1f} {TOP - 6}V{bottom + 4}" stroke="{INK}" stroke-width="2.5"/>')
    for i, (estimate, value, low, high) in enumerate(points):
        y = TOP + ROW * (i + 0.5)
        parts.append(text(names_width, y + 5, short(estimate.label, int(MOST_NAMES / LETTER)), "end", INK))
        parts.append(f'<circle cx="{values(value):.1f}" cy="{y:.1f}" r="{DOT}" fill="{ACCENT}"/>')
        if values(high) - values(low) > 2 * DOT:  # else the point hides it
            whisker = f"M{values(low):.1f} {y:.1f}H{values(high):.1f}"
            ends = "".join(f"M{values(end):.1f} {y - 4:.1f}v8" for end in (low, high))
            parts.append(f'<path d="{whisker}{ends}" stroke="{INK}" stroke-width="2"/>')
    unit = " %" if scale == 100 else ""
    parts += [
        text(values(tick), bottom + 20, f"{values.word(tick, sign)}{unit}", "middle") for tick in values.ticks
    ]
    return _table(caption, svg(caption, bottom + 30, parts, description), first_head, figures, sign)


def stack(caption: str, description: str, rows: Sequence[tuple[str, Sequence[Estimate]]]) -> Chart:
    """Draw each row as one bar of 100 %, cut into its figures: the same parts in every row."""
    bar_height, gap = 54, 30
    bar_width = WIDE - 2 * RIGHT
    parts = []
    for i, (name, figures) in enumerate(rows):
        y = TOP + 10 + i * (bar_height + gap)
        parts.append(text(RIGHT, y - 7, name, "start", INK))
        x = float(RIGHT)
        whole = sum(max(0.0, estimate.value) for estimate in figures) or 1.0
        for estimate, paint, ink_on_paint in zip(figures, PAINTS, ON_PAINTS, strict=True):
            width = bar_width * max(0.0, estimate.value) / whole
            parts.append(
                f'<rect x="{x:.1f}" y="{y}" width="{width:.1f}" height="{bar_height}" fill="{paint}"/>'
            )
            if width >= NARROW:
                parts.append(
                    text(
                        x + width / 2,
                        y + bar_height / 2 + 5,
                        f"{100 * estimate.value:.0f} %",
                        "middle",
                        ink_on_paint,
                    )
                )
            x += width
        parts.append(
            f'<rect x="{RIGHT}" y="{y}" width="{bar_width}" height="{bar_height}" fill="none" stroke="{INK}" '
            'stroke-width="2.5"/>'
        )
    y = TOP + 14 + len(rows) * (bar_height + gap)
    for k, estimate in enumerate(rows[0][1]):
        x, below = RIGHT + (k % 2) * bar_width / 2, y + 26 * (k // 2)
        parts.append(
            f'<rect x="{x:.1f}" y="{below - 12}" width="16" height="16" fill="{PAINTS[k]}" stroke="{INK}" '
            'stroke-width="1.5"/>' + text(x + 24, below + 2, estimate.label, "start", INK)
        )
    numbers = [
        (estimate.label, *(shown(figures[k]) for _name, figures in rows))
        for k, estimate in enumerate(rows[0][1])
    ]
    heads = (_("explained by"), *(name for name, _figures in rows))
    return Chart(caption, svg(caption, y + 40, parts, description), heads, numbers)


def cross(
    caption: str,
    description: str,
    heads: tuple[str, str],
    names: Sequence[str],
    cells: Sequence[Sequence[Estimate | None]],
) -> Chart:
    """Draw a cross-table: a cell for what each row gets among each column, none on the diagonal.

    The stronger the colour, the further from 0; a cell whose interval contains 0 has none. ``heads`` say what
    rows and columns are.
    """
    left = min(MOST_NAMES / 2, max(LETTER * len(name) for name in names) + 2 * RIGHT)
    cell_width, top = (WIDE - RIGHT - left) / len(names), TOP + 40
    bottom, letters = top + CELL * len(names), int(cell_width / LETTER)
    furthest = max(
        (abs(estimate.value) for row in cells for estimate in row if estimate and estimate.value), default=1.0
    )
    parts = [text(left, TOP + 6, f"{heads[1]} →", "start"), text(RIGHT, top - 10, f"{heads[0]} ↓", "start")]
    for i, name in enumerate(names):
        parts.append(text(left + (i + 0.5) * cell_width, top - 10, short(name, letters), "middle", INK))
        y = top + (i + 0.5) * CELL
        parts.append(text(left - RIGHT, y + 5, short(name, int(left / LETTER) - 2), "end", INK))
        for k, estimate in enumerate(cells[i]):
            x = left + k * cell_width
            if estimate is None:
                parts.append(text(x + cell_width / 2, y + 5, "–", "middle"))
                continue
            if estimate.low > 0 or estimate.high < 0:
                depth = PALE + (STRONG - PALE) * abs(estimate.value) / furthest
                paint = ACCENT if estimate.value > 0 else INK
                parts.append(
                    f'<rect x="{x:.1f}" y="{y - CELL / 2:.1f}" width="{cell_width:.1f}" height="{CELL}" '
                    f'fill="{paint}" fill-opacity="{depth:.2f}"/>'
                )
            value, interval = apart(estimate, sign=True)
            parts.append(text(x + cell_width / 2, y - 2, value, "middle", INK))
            parts.append(text(x + cell_width / 2, y + 15, short(interval, letters), "middle", INK))
    lines = [f"M{left:.1f} {top + CELL * i}H{WIDE - RIGHT}" for i in range(len(names) + 1)]
    lines += [f"M{left + cell_width * k:.1f} {top}V{bottom}" for k in range(len(names) + 1)]
    parts.append(f'<path d="{"".join(lines)}" stroke="{HAIR}" stroke-width="1.5" fill="none"/>')
    numbers = [
        (name, *(shown(estimate, True) if estimate else "–" for estimate in row))
        for name, row in zip(names, cells, strict=True)
    ]
    return Chart(caption, svg(caption, bottom + TOP, parts, description), ("", *names), numbers)
