"""Skerries: what the set-up page shows of its options. Pictures stand alone, and have no words."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

from paddock.core.i18n import _, mark, plural
from skerries.chart import SHIPPED, Chart, chart_text, read_chart
from skerries.draw import NS, SAILS

COLOURS = {".": "#bfe0e6", "+": "#8fc3cc", "x": "#5b5f57", "h": "#d8552f", "q": "#174a5a", "l": "#f2c230"}
PRESET_CHARTS = {"race": "sisters", "regatta": "narrows"}


def _chart(chart: Chart) -> str:
    """A chart, 160 by 100: a hex for each letter."""
    r = min(150 / (sqrt(3) * (chart.columns + 0.5)), 90 / (1.5 * len(chart.rows) + 0.5))
    half = r * sqrt(3) / 2
    left = 80 - half * (chart.columns + 0.5)
    top = 50 - r * (1.5 * len(chart.rows) + 0.5) / 2
    shape = f"l{half:.1f} {r / 2:.1f}v{r:.1f}l{-half:.1f} {r / 2:.1f}l{-half:.1f} {-r / 2:.1f}v{-r:.1f}z"
    paths = dict.fromkeys(COLOURS, "")
    for row, letters in enumerate(chart.rows):
        for column, letter in enumerate(letters):
            x = left + half * (2 * column + 1 + row % 2)
            paths[letter] += f"M{x:.1f} {top + 1.5 * r * row:.1f}{shape}"
    hexes = "".join(f'<path d="{d}" fill="{COLOURS[letter]}" stroke="#fff"/>' for letter, d in paths.items())
    return f'<svg {NS} viewBox="0 0 160 100"><path d="M0 0H160V100H0Z" fill="#123a4a"/>{hexes}</svg>'


def _boat(number: str) -> str:
    """The boat of a skipper, from 1."""
    sail = f'<path d="{SAILS[int(number) - 1]}" fill="#d8552f" stroke="#222" stroke-width="1.5"/>'
    hull = '<path d="M-14 11H16L10 18H-9Z" fill="#123a4a" stroke="#f2ead6"/>'
    return f'<svg {NS} viewBox="-32 -20 64 40">{sail}{hull}</svg>'


PICTURES = {
    "chart": lambda value: _chart(read_chart(value)),
    "presets": lambda name: _chart(read_chart(PRESET_CHARTS[name])),
    "skippers": _boat,
}
FORMATS = {
    "chart": mark(
        "A chart is rows of letters: . sea, + reef, x skerry, h harbour, q quay, l light. Take one of ours, "
        "change it, and drop it here."
    )
}


def facts(option: str, value: str) -> Sequence[str]:
    """How large a chart is, and how many harbours it has."""
    if option != "chart":
        return ()
    chart = read_chart(value)
    harbours = "".join(chart.rows).count("h")
    return (
        _("{rows} by {columns} hexes").format(rows=len(chart.rows), columns=chart.columns),
        plural("{n} harbour", "{n} harbours", harbours),
    )


def source(option: str, value: str) -> str:
    """The file of a chart that comes with the title."""
    return chart_text(value) if option == "chart" and value in SHIPPED else ""
