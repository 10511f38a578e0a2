"""Skerries: validated options as the kernel's ``Setup``."""

from __future__ import annotations

from skerries.chart import LIGHT, QUAY, SKERRY, WAYS, Chart, read_chart
from skerries.rulebook import Options
from skerries.sailing import OFF, ROCK, Setup, takes


def setup(options: Options) -> Setup:
    """SK-1.1 the chart as tables; SK-1.3 the deck; SK-5.2 the days."""
    chart = read_chart(options.chart)
    g = Setup()
    g.skippers = options.skippers
    g.days = options.days
    g.copies = options.copies
    g.columns = chart.columns
    g.hexes = len(chart.land)
    g.quay = chart.land.index(QUAY)
    for hex, land in enumerate(chart.land):
        g.land[hex] = land
        for way, beside in enumerate(chart.beside(hex)):
            g.beside[hex, way] = OFF if beside is None else ROCK if chart.land[beside] == SKERRY else beside
    for hex, wind in enumerate(_far(chart, g)):
        g.far[hex] = wind
    return g


def _far(chart: Chart, g: Setup) -> list[int]:
    """SK-2.3 the wind of the cheapest way from each hex to a light; 0 if there is none."""
    never = 3 * g.hexes
    far = [0 if land == LIGHT else never for land in chart.land]
    for _ in range(g.hexes):
        for hex in range(g.hexes):
            ways = [g.beside[hex, way] for way in range(len(WAYS))]
            far[hex] = min([far[hex], *(takes(g, to, 0) + far[to] for to in ways if to >= 0)])
    return [wind if wind < never else 0 for wind in far]
