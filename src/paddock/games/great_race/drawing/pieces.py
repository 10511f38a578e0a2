"""The Great Race: what all its drawings share: colours, text, signs of costs, half-tracks.

The look is a travel poster of the 1930s: flat colours, navy outlines, cream paper, a teal sea. Nothing is
told by colour alone: petrol is a number, damage a bolt, a danger a triangle, a stop an octagon; half-tracks
differ by a shape and a number. Colours that follow the theme are CSS custom properties with a fallback.

What is small on the screen is drawn simpler: parts with ``FINE`` are for large drawings, parts with
``COARSE`` for small ones. The style sheet decides by the size of the drawing; without one, it is the fine.
"""

from __future__ import annotations

from html import escape
from math import sqrt

NS = 'xmlns="http://www.w3.org/2000/svg"'
R = 24.0  # from the middle of a hex to a corner
HIGH = R * sqrt(3)  # of a hex
INK = "#1d2530"
CREAM = "#fbf1d9"
SEA = "var(--gr-sea,#3f8c92)"
WAVE = "var(--gr-wave,#5ea3a6)"
SHALLOW = "var(--gr-shallow,#5ba2a4)"
SHORE = "var(--gr-shore,#8cc3bd)"
LAND = "var(--gr-land,#f0e0b6)"
FIELD = "var(--gr-field,#e9d3a0)"
DUNE = "var(--gr-dune,#f4e8c8)"
RISK = "var(--gr-risk,#cdb489)"
PEAK = "var(--gr-peak,#7d6a52)"
SLOPE = "var(--gr-slope,#b59b75)"
SNOW = "var(--gr-snow,#fbf4e2)"
EDGE = "var(--gr-edge,#c8ae78)"
ROSE = "var(--gr-rose,#a98d57)"
TEXT = "var(--gr-text,#1d2530)"
PURPLE = "#5d3a86"
RED = "#b92d1c"
GOLD = "#e9b44c"
FONT = "Futura,Avenir Next,Century Gothic,URW Gothic,Jost,Montserrat,Segoe UI,Trebuchet MS,sans-serif"

FINE = ' display="var(--gr-fine,inline)"'
COARSE = ' display="var(--gr-coarse,none)"'


def coarse(drawing: str) -> str:
    """A drawing that stands alone, in its simpler form."""
    return drawing.replace(FINE, ' display="none"').replace(COARSE, "")


# A seat's sign: a shape around its number. All differ in black and white too.
SIGNS = (
    "M0-11.5A11.5 11.5 0 1 1 0 11.5A11.5 11.5 0 1 1 0-11.5Z",
    "M-10.5-10.5H10.5V10.5H-10.5Z",
    "M0-14L14.5 10.5H-14.5Z",
    "M0-14.5L14 0L0 14.5L-14 0Z",
    "M-6.5-12H6.5L13.5 0L6.5 12H-6.5L-13.5 0Z",
)
# They also differ in lightness.
PAINTS = ("#c0331f", "#16386b", "#1f6040", "#ecba3c", "#b99bd8")
ON_PAINTS = ("#ffffff", "#ffffff", "#ffffff", INK, INK)

# Signs of costs, each about 12 wide and 14 high around 0, 0
DROP = "M0-8C3.6-3.2 5.6-.6 5.6 2.4A5.6 5.6 0 0 1-5.6 2.4C-5.6-.6-3.6-3.2 0-8Z"
BOLT = "M1.6-8L-4 1.4H-.4L-1.8 8L4-1.8H.4Z"
WARNING = "M0-7.4L7.4 6.4H-7.4Z"
OCTAGON = "M-2.9-7H2.9L7-2.9V2.9L2.9 7H-2.9L-7 2.9V-2.9Z"


def n(value: float) -> str:
    """A number in a drawing: with one decimal at most."""
    return f"{value:.1f}".removesuffix(".0")


def hexagon(r: float = R) -> str:
    """The outline of a hex around 0, 0 as a path."""
    h = r * sqrt(3) / 2
    return f"M{n(r)} 0L{n(r / 2)} {n(h)}H{n(-r / 2)}L{n(-r)} 0L{n(-r / 2)} {n(-h)}H{n(r / 2)}Z"


def path(d: str, fill: str, attributes: str = "") -> str:
    """A filled shape; ``attributes`` are further attributes."""
    return f'<path d="{d}" fill="{fill}"{attributes}/>'


def line(d: str, colour: str, width: float, attributes: str = "") -> str:
    """A stroke; ``attributes`` are further attributes."""
    return f'<path d="{d}" fill="none" stroke="{colour}" stroke-width="{width:g}"{attributes}/>'


def edge(colour: str, width: float) -> str:
    """The attributes of an outline."""
    return f' stroke="{colour}" stroke-width="{width:g}" stroke-linejoin="round"'


def text(
    x: float, y: float, size: float, words: str, colour: str, *, bold: bool = False, attributes: str = ""
) -> str:
    """Text around x on the line y; ``attributes`` are further attributes."""
    weight = ' font-weight="700"' if bold else ""
    return (
        f'<text x="{n(x)}" y="{n(y)}" font-size="{size:g}" text-anchor="middle"{weight} fill="{colour}"'
        f"{attributes}>{escape(words)}</text>"
    )


def fitted(words: str, size: float, width: float) -> float:
    """The font size, ``size`` at most, at which bold words are not wider than ``width``."""
    return round(min(size, width / (0.62 * max(1, len(words)))), 1)


def moved(x: float, y: float, drawing: str, scale: float = 1, attributes: str = "") -> str:
    """A drawing moved to x, y; ``attributes`` are further attributes."""
    large = "" if scale == 1 else f" scale({scale:g})"
    return f'<g{attributes} transform="translate({n(x)} {n(y)}){large}">{drawing}</g>'


def use(name: str, x: float = 0, y: float = 0, attributes: str = "") -> str:
    """A symbol of the sprite at x, y; ``attributes`` are further attributes."""
    return f'<use href="#gr-{name}" x="{n(x)}" y="{n(y)}"{attributes}/>'


def petrol_drop(petrol: str) -> str:
    """A drop of petrol with a number in it, 14 wide and 19 high."""
    return path(DROP, INK, ' transform="scale(1.16)"') + text(0, 6.4, 10.5, petrol, CREAM, bold=True)


def bolt(fill: str = RED) -> str:
    """A point of damage, 8 wide and 16 high."""
    return path(BOLT, fill)


def warning(fill: str = GOLD, ink: str = INK) -> str:
    """A danger, 15 wide and 14 high."""
    return path(WARNING, fill, edge(ink, 1.6)) + line("M0-3.2V2M0 3.6V5.2", ink, 2)


def stop(fill: str = RED, light: str = CREAM) -> str:
    """A stop sign, 14 wide and 14 high."""
    return path(OCTAGON, fill, edge(light, 1.3)) + line("M-4 0H4", light, 3)


def costs(petrol: str, damage: int, danger: bool, stops: bool) -> str:
    """The signs of a cost in a line around 0, 0."""
    parts = [(14.0, petrol_drop(petrol))] if petrol else []
    parts += [(7.8, bolt())] * damage
    parts += [(14.6, warning())] * danger
    parts += [(14.2, stop())] * stops
    x = -sum(width for width, _part in parts) / 2
    drawn = ""
    for width, part in parts:
        drawn += moved(x + width / 2, 0, part)
        x += width
    return drawn


def sign(seat: int, fill: str, ink: str, rim: str = INK) -> str:
    """A seat's sign: its shape, and on it its number, which stands lower in a triangle."""
    low = 8 if seat == 2 else 5.6
    return path(SIGNS[seat], fill, edge(rim, 2)) + text(0, low, 15.5, str(seat + 1), ink, bold=True)


# The canvas over the cargo of each half-track: its ground, its pattern, and how wide the pattern's lines are.
HOOD = "M-22.6-12.4Q-22-20-17-20H-5Q0-20 .6-12.4Z"
HOODS = (
    (CREAM, "", 0),
    (CREAM, "M-17.4-19.6V-13M-11-20V-13M-4.6-19.6V-13", 2.2),
    (INK, "", 0),
    (CREAM, "M-22-16.2H0", 3),
    (CREAM, "M-20-13L-14-20M-13-13L-7-20M-6-13L-1-19", 2.2),
)


def half_track(seat: int) -> str:
    """A half-track from the side, heading right: wheels ahead, a track behind, its sign on the cargo box.
    It is 46 wide and 32 high around 0, 0."""
    paint, (ground, pattern, width) = PAINTS[seat], HOODS[seat]
    body = "M-22 4V-13H0V-15H8L12-7H20L22-4V4Z"
    return (
        path(body, CREAM, edge(CREAM, 5))
        + path(body, paint, edge(INK, 1.6))
        + path(HOOD, ground, edge(INK, 1.4))
        + line(pattern, INK, width)
        + path("M2.6-12.6H7L9.6-7H2.6Z", CREAM, edge(INK, 1))
        + line("M12.5-4.4H20M12.5-1.4H20", INK, 1.2)
        + path("M21.5-3.5h2.6v3h-2.6Z", GOLD, edge(INK, 0.9))
        + path("M-22 1.5H-2.5A6.2 6.2 0 0 1-2.5 13.9H-18.5A6.2 6.2 0 0 1-22 1.5Z", INK, edge(CREAM, 1.2))
        + line("M-18 7.8H-3", CREAM, 4.4, ' stroke-dasharray="3.2 1.8"')
        + path("M14.5 2A6 6 0 1 1 14.5 14A6 6 0 1 1 14.5 2Z", INK, edge(CREAM, 1.2))
        + path("M14.5 5.8A2.2 2.2 0 1 1 14.5 10.2A2.2 2.2 0 1 1 14.5 5.8Z", CREAM)
        + moved(-10.5, -6.4, sign(seat, CREAM, INK), 0.72)
    )
