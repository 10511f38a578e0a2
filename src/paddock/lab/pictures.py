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


def scaled(one: Estimate) -> tuple[float, float, float]:
    """Return value, low and high as they are shown: shares in percent."""
    scale = 100 if one.percent else 1
    return scale * one.value, scale * one.low, scale * one.high


def _table(caption: str, drawing: str, first: str, figures: Sequence[Estimate], sign: bool = False) -> Chart:
    rows = [(one.label, shown(one, sign)) for one in figures if not math.isnan(one.value)]
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


def bars(caption: str, says: str, what: str, figures: Sequence[Estimate]) -> Chart:
    """Draw how often each value occurs, in percent, with whiskers for the intervals."""
    values = axis([0, *(scaled(one)[2] for one in figures)], TOP + HIGH, TOP)
    width = (WIDE - LEFT - RIGHT) / len(figures)
    every = -(-len(figures) // MOST_LABELS)
    parts = [_upright(values, " %")]
    whiskers = ""
    for i, one in enumerate(figures):
        share, low, high = scaled(one)
        x, top = LEFT + (i + 0.08) * width, values(share)
        parts.append(
            f'<rect x="{x:.1f}" y="{top:.1f}" width="{0.84 * width:.1f}" height="{TOP + HIGH - top:.1f}" '
            f'fill="{ACCENT}"/>'
        )
        if not math.isnan(low):
            whiskers += f"M{x + 0.42 * width:.1f} {values(low):.1f}V{values(high):.1f}"
        if (i - every // 2) % every == 0:
            parts.append(text(x + 0.42 * width, TOP + HIGH + 20, _edge(one.label), "middle"))
    parts.append(f'<path d="{whiskers}" stroke="{INK}" stroke-width="2" fill="none"/>')
    parts.append(f'<path d="M{LEFT} {TOP + HIGH}H{WIDE - RIGHT}" stroke="{INK}" stroke-width="2.5"/>')
    parts.append(_below(what))
    return _table(caption, svg(caption, TOP + HIGH + BOTTOM, parts, says), what, figures)


def _edge(label: str) -> str:
    """Return the first number of a range."""
    return label.partition("–")[0] if label[0].isdigit() else label


def curve(
    caption: str,
    says: str,
    what: str,
    figures: Sequence[Estimate],
    *,
    fair: float | None = None,
    first: float = 0,
) -> Chart:
    """Draw a line over the parts of the game, in its band of intervals; ``fair`` is a level to compare with.

    ``first`` is the part of the game of the first figure; the last one is at its end.
    """
    there = [
        (first + (1 - first) * i / max(1, len(figures) - 1), *scaled(one))
        for i, one in enumerate(figures)
        if not math.isnan(one.value)
    ]
    bounds = [value for point in there for value in point[1:]]
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
    sure = [point for point in there if not math.isnan(point[2])]
    upper = [(across(x), values(high)) for x, _value, _low, high in sure]
    lower = [(across(x), values(low)) for x, _value, low, _high in reversed(sure)]
    if sure:
        parts.append(f'<path d="{route(upper + lower)}Z" fill="{ACCENT}" fill-opacity=".28"/>')
    line = route([(across(x), values(value)) for x, value, _low, _high in there])
    parts.append(
        f'<path d="{line}" stroke="{ACCENT}" stroke-width="3.4" fill="none" stroke-linejoin="round"/>'
    )
    parts.append(f'<path d="M{LEFT} {TOP + HIGH}H{WIDE - RIGHT}" stroke="{INK}" stroke-width="2.5"/>')
    parts.append(_below(_("part of the game")))
    return _table(caption, svg(caption, TOP + HIGH + BOTTOM, parts, says), what, figures)


def dots(
    caption: str, says: str, what: str, figures: Sequence[Estimate], *, line: float, sign: bool = False
) -> Chart:
    """Draw a point with its interval for each figure; ``line`` is a level to compare them with."""
    there = [(one, *scaled(one)) for one in figures if not math.isnan(one.value)]
    scale = 100 if figures and figures[0].percent else 1
    bounds = [bound for _one, *numbers in there for bound in numbers]
    names = min(MOST_NAMES, max((LETTER * len(one.label) for one, *_numbers in there), default=0) + RIGHT)
    values = axis([scale * line, *bounds], names + 18, WIDE - RIGHT - 14, 3)
    bottom = TOP + ROW * len(there)
    parts = [grid("".join(f"M{values(tick):.1f} {TOP}V{bottom}" for tick in values.ticks))]
    x = values(scale * line)
    parts.append(f'<path d="M{x:.1f} {TOP - 6}V{bottom + 4}" stroke="{INK}" stroke-width="2.5"/>')
    for i, (one, value, low, high) in enumerate(there):
        y = TOP + ROW * (i + 0.5)
        parts.append(text(names, y + 5, short(one.label, int(MOST_NAMES / LETTER)), "end", INK))
        parts.append(f'<circle cx="{values(value):.1f}" cy="{y:.1f}" r="{DOT}" fill="{ACCENT}"/>')
        if values(high) - values(low) > 2 * DOT:  # else the point hides it
            whisker = f"M{values(low):.1f} {y:.1f}H{values(high):.1f}"
            ends = "".join(f"M{values(end):.1f} {y - 4:.1f}v8" for end in (low, high))
            parts.append(f'<path d="{whisker}{ends}" stroke="{INK}" stroke-width="2"/>')
    unit = " %" if scale == 100 else ""
    parts += [
        text(values(tick), bottom + 20, f"{values.word(tick, sign)}{unit}", "middle") for tick in values.ticks
    ]
    return _table(caption, svg(caption, bottom + 30, parts, says), what, figures, sign)


def stack(caption: str, says: str, rows: Sequence[tuple[str, Sequence[Estimate]]]) -> Chart:
    """Draw each row as one bar of 100 %, cut into its figures: the same parts in every row."""
    high, apart = 54, 30
    wide = WIDE - 2 * RIGHT
    parts = []
    for i, (name, figures) in enumerate(rows):
        y = TOP + 10 + i * (high + apart)
        parts.append(text(RIGHT, y - 7, name, "start", INK))
        x = float(RIGHT)
        whole = sum(max(0.0, one.value) for one in figures) or 1.0
        for one, paint, on in zip(figures, PAINTS, ON_PAINTS, strict=True):
            width = wide * max(0.0, one.value) / whole
            parts.append(f'<rect x="{x:.1f}" y="{y}" width="{width:.1f}" height="{high}" fill="{paint}"/>')
            if width >= NARROW:
                parts.append(text(x + width / 2, y + high / 2 + 5, f"{100 * one.value:.0f} %", "middle", on))
            x += width
        parts.append(
            f'<rect x="{RIGHT}" y="{y}" width="{wide}" height="{high}" fill="none" stroke="{INK}" '
            'stroke-width="2.5"/>'
        )
    y = TOP + 14 + len(rows) * (high + apart)
    for k, one in enumerate(rows[0][1]):
        x, below = RIGHT + (k % 2) * wide / 2, y + 26 * (k // 2)
        parts.append(
            f'<rect x="{x:.1f}" y="{below - 12}" width="16" height="16" fill="{PAINTS[k]}" stroke="{INK}" '
            'stroke-width="1.5"/>' + text(x + 24, below + 2, one.label, "start", INK)
        )
    numbers = [
        (one.label, *(shown(figures[k]) for _name, figures in rows)) for k, one in enumerate(rows[0][1])
    ]
    heads = (_("explained by"), *(name for name, _figures in rows))
    return Chart(caption, svg(caption, y + 40, parts, says), heads, numbers)


def cross(
    caption: str,
    says: str,
    heads: tuple[str, str],
    names: Sequence[str],
    cells: Sequence[Sequence[Estimate | None]],
) -> Chart:
    """Draw a cross-table: a cell for what each row gets among each column, none on the diagonal.

    The stronger the colour, the further from 0; a cell whose interval contains 0 has none. ``heads`` say what
    rows and columns are.
    """
    left = min(MOST_NAMES / 2, max(LETTER * len(name) for name in names) + 2 * RIGHT)
    wide, top = (WIDE - RIGHT - left) / len(names), TOP + 40
    bottom, room = top + CELL * len(names), int(wide / LETTER)
    most = max((abs(one.value) for row in cells for one in row if one and one.value), default=1.0)
    parts = [text(left, TOP + 6, f"{heads[1]} →", "start"), text(RIGHT, top - 10, f"{heads[0]} ↓", "start")]
    for i, name in enumerate(names):
        parts.append(text(left + (i + 0.5) * wide, top - 10, short(name, room), "middle", INK))
        y = top + (i + 0.5) * CELL
        parts.append(text(left - RIGHT, y + 5, short(name, int(left / LETTER) - 2), "end", INK))
        for k, one in enumerate(cells[i]):
            x = left + k * wide
            if one is None:
                parts.append(text(x + wide / 2, y + 5, "–", "middle"))
                continue
            if one.low > 0 or one.high < 0:
                depth = PALE + (STRONG - PALE) * abs(one.value) / most
                paint = ACCENT if one.value > 0 else INK
                parts.append(
                    f'<rect x="{x:.1f}" y="{y - CELL / 2:.1f}" width="{wide:.1f}" height="{CELL}" '
                    f'fill="{paint}" fill-opacity="{depth:.2f}"/>'
                )
            value, interval = apart(one, sign=True)
            parts.append(text(x + wide / 2, y - 2, value, "middle", INK))
            parts.append(text(x + wide / 2, y + 15, short(interval, room), "middle", INK))
    lines = [f"M{left:.1f} {top + CELL * i}H{WIDE - RIGHT}" for i in range(len(names) + 1)]
    lines += [f"M{left + wide * k:.1f} {top}V{bottom}" for k in range(len(names) + 1)]
    parts.append(f'<path d="{"".join(lines)}" stroke="{HAIR}" stroke-width="1.5" fill="none"/>')
    numbers = [
        (name, *(shown(one, True) if one else "–" for one in row))
        for name, row in zip(names, cells, strict=True)
    ]
    return Chart(caption, svg(caption, bottom + TOP, parts, says), ("", *names), numbers)
