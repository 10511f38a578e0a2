"""The Great Race: the pieces of its drawings: spaces, tiles, cities, half-tracks and gauges.

The look is a travel poster of the 1930s: flat land in warm bands, a teal sea, ink outlines. Nothing is told
by colour alone: a tile says its petrol as a number, damage as cracks, a danger as a triangle and a stop as an
octagon; half-tracks differ by a shape and a number. Colours that follow the theme are CSS custom properties
with a fallback.
"""

from __future__ import annotations

from html import escape
from math import cos, radians, sin, sqrt

from paddock.core.i18n import _
from paddock.games.great_race.tiles import KINDS, Tile
from paddock.parts.drawing import aria

NS = 'xmlns="http://www.w3.org/2000/svg"'
R = 24.0  # from the middle of a hex to a corner
HIGH = R * sqrt(3)  # of a hex
INK = "#2a211b"
CREAM = "#f7ecd2"
SEA = "var(--gr-sea,#3d8a93)"
LAND = "var(--gr-land,#ead9ae)"
RISK = "var(--gr-risk,#8d7f6d)"
EDGE = "var(--gr-edge,#b9a477)"
TEXT = "var(--gr-text,#2a211b)"
PURPLE = "#6a3d8f"
RED = "#b8321f"
GROUNDS = {1: "#f2cf7a", 2: "#dd9a4a", 3: "#b9673a"}  # of a tile, by its petrol
SERIF = "Limelight,Poiret One,Futura,Avenir Next,Century Gothic,URW Gothic,Trebuchet MS,sans-serif"

TRIANGLE = "M0-13L13 10H-13Z"
# A seat's sign: a shape around its number. All differ in black and white too.
SIGNS = (
    "M0-11A11 11 0 1 1 0 11A11 11 0 1 1 0-11Z",
    "M-10-10H10V10H-10Z",
    TRIANGLE,
    "M0-14L13 0L0 14L-13 0Z",
    "M-6-12H6L13 0L6 12H-6L-13 0Z",
)
PAINTS = ("#b8321f", "#1f5a99", "#2d7a3e", "#d9a21b", "#5b4a8a")
ON_PAINTS = ("#ffffff", "#ffffff", "#ffffff", INK, "#ffffff")


def hexagon(r: float = R) -> str:
    """The outline of a hex around 0, 0 as a path."""
    h = r * sqrt(3) / 2
    return f"M{r:g} 0L{r / 2:g} {h:.2f}L{-r / 2:g} {h:.2f}L{-r:g} 0L{-r / 2:g} {-h:.2f}L{r / 2:g} {-h:.2f}Z"


def text(
    x: float, y: float, size: float, words: str, colour: str, *, bold: bool = False, more: str = ""
) -> str:
    """Text around x on the line y; ``more`` are further attributes."""
    weight = ' font-weight="700"' if bold else ""
    return (
        f'<text x="{x:g}" y="{y:g}" font-size="{size:g}" text-anchor="middle"{weight} fill="{colour}"{more}>'
        f"{escape(words)}</text>"
    )


_ROSE = "M0-15L2.6-2.6L15 0L2.6 2.6L0 15L-2.6 2.6L-15 0L-2.6-2.6Z"


def _land(risk: bool) -> str:
    """Unknown land: a faint compass rose; in a risk zone on dark slants."""
    ground = RISK if risk else LAND
    slants = "M-18 9L9-18M-9 18L18-9M-13 14L14-13" if risk else ""
    lines = f'<path d="{slants}" stroke="{INK}" stroke-opacity=".3" stroke-width="2"/>' if slants else ""
    return (
        f'<path d="{hexagon()}" fill="{ground}" stroke="{EDGE}" stroke-width="1.4"/>{lines}'
        f'<path d="{_ROSE}" fill="{INK}" fill-opacity="{0.4 if risk else 0.16}"/>'
    )


def _tile(tile: Tile) -> str:
    """A tile: its petrol as a number, cracks for damage, a triangle for danger, an octagon for a stop."""
    parts = [f'<path d="{hexagon(R - 1)}" fill="{GROUNDS[tile.petrol]}" stroke="{INK}" stroke-width="1.6"/>']
    if tile.petrol >= 2:  # a hill, and a second one
        parts.append(f'<path d="M-20 9L-9-4L-2 4L6-7L20 9Z" fill="{INK}" fill-opacity=".14"/>')
    if tile.petrol >= 3:
        parts.append(f'<path d="M-9-4L-5 1L-12 1ZM6-7L10-1L2-1Z" fill="{CREAM}" fill-opacity=".9"/>')
    parts.append(
        f'<path d="M-9-18C-4-11-3-9-3-6A6 6 0 0 1-15-6C-15-9-14-11-9-18Z" fill="{CREAM}" stroke="{INK}" '
        'stroke-width="1.2"/>'
    )
    parts.append(text(-9, -2.5, 9.5, str(tile.petrol), INK, bold=True))
    for i in range(tile.damage):
        x = 2 + 9 * i
        parts.append(
            f'<path d="M{x} -17l5 4l-4 3l5 5" fill="none" stroke="{RED}" stroke-width="2.6" '
            'stroke-linejoin="round"/>'
        )
    if tile.danger:
        parts.append(
            f'<path d="M-6 5L3 19H-15Z" fill="{CREAM}" stroke="{RED}" stroke-width="2" '
            f'stroke-linejoin="round"/><path d="M-6 9V14M-6 16V17.4" stroke="{INK}" stroke-width="2"/>'
        )
    if tile.stop:
        parts.append(
            f'<path d="M7 4H13L17 8V14L13 18H7L3 14V8Z" fill="{RED}" stroke="{CREAM}" stroke-width="1.4"/>'
            f'<path d="M6 11H14" stroke="{CREAM}" stroke-width="2.6"/>'
        )
    return "".join(parts)


def _city(end: bool) -> str:
    """A city: a low skyline in a ring; the ends of the race in purple."""
    ring = PURPLE if end else INK
    return (
        f'<path d="{hexagon()}" fill="{CREAM}" stroke="{ring}" stroke-width="{3 if end else 1.8}"/>'
        f'<path d="M-13-3V-9H-8V-13H-4V-3ZM-3-3V-14L0-18L3-14V-3ZM4-3V-12H8V-8H13V-3Z" fill="{ring}"/>'
    )


def sprite() -> str:
    """The symbols that the drawings refer to. A page contains them once, outside what updates replace."""
    shapes = {
        "land": _land(False),
        "risk": _land(True),
        "city": _city(False),
        "end": _city(True),
        **{tile.word: _tile(tile) for tile in KINDS},
        **{f"crew-{seat}": half_track(seat) for seat in range(len(SIGNS))},
    }
    symbols = "".join(f'<g id="gr-{name}">{shape}</g>' for name, shape in shapes.items())
    return f'<svg {NS} class="gr-sprite" width="0" height="0" aria-hidden="true"><defs>{symbols}</defs></svg>'


def half_track(seat: int) -> str:
    """A half-track from the side, heading right: wheels ahead, a track behind, its sign on it."""
    return (
        f'<path d="M-19 3V-8H-3L0-15H9L12-7L19-5V3Z" fill="{PAINTS[seat]}" stroke="{CREAM}" '
        'stroke-width="3.4" stroke-linejoin="round" paint-order="stroke"/>'
        f'<path d="M-19 3V-8H-3L0-15H9L12-7L19-5V3Z" fill="{PAINTS[seat]}" stroke="{INK}" stroke-width="1.4" '
        'stroke-linejoin="round"/>'
        f'<path d="M2-8L3.4-12.5H7.6L9.4-8Z" fill="{CREAM}"/>'
        f'<path d="M-20 1H-3A5 5 0 0 1-3 11H-17A5 5 0 0 1-20 1Z" fill="{INK}"/>'
        f'<path d="M-15 6H-5" stroke="{CREAM}" stroke-width="3" stroke-dasharray="2.4 2"/>'
        f'<circle cx="12" cy="6" r="5.4" fill="{INK}"/><circle cx="12" cy="6" r="2" fill="{CREAM}"/>'
        f'<g transform="translate(-10 -8) scale(.78)">{sign(seat, CREAM, INK)}</g>'
    )


def sign(seat: int, fill: str, ink: str) -> str:
    """A seat's sign: its shape, and on it its number, which stands lower in a triangle."""
    line = 7 if SIGNS[seat] == TRIANGLE else 5.4
    shape = f'<path d="{SIGNS[seat]}" fill="{fill}" stroke="{INK}" stroke-width="2"/>'
    return shape + text(0, line, 15, str(seat + 1), ink, bold=True)


def gauge(name: str, value: int, most: int, x: float, y: float) -> str:
    """A needle gauge around x, y: a dial from 0 to ``most``, its value also as a number."""

    def point(level: float, r: float) -> str:
        turn = radians(210 - 240 * level / most)
        return f"{r * cos(turn):.1f} {-r * sin(turn):.1f}"

    ticks = "".join(f"M{point(i, 27)}L{point(i, 32)}" for i in range(most + 1))
    low = value * 3 <= most
    words = _("{gauge}: {n} of {most}").format(gauge=name, n=value, most=most)
    return (
        f'<g transform="translate({x:g} {y:g})" {aria(words)}>'
        f'<circle r="36" fill="{CREAM}" stroke="{INK}" stroke-width="3"/>'
        f'<path d="{ticks}" stroke="{INK}" stroke-width="2"/>'
        f'<path d="M0 0L{point(value, 24)}" stroke="{RED}" stroke-width="3.4" stroke-linecap="round"/>'
        f'<circle r="3.6" fill="{INK}"/>'
        + text(0, 26, 17, str(value), RED if low else INK, bold=True)
        + text(0, 52, 12, name, TEXT)
        + "</g>"
    )
