"""Skerries as drawings: the chart, boats, cards and the podium."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from math import sqrt

from paddock.core.i18n import _
from paddock.parts.drawing import Finisher, aria, podium_says
from skerries.view import Boat, View

NS = 'xmlns="http://www.w3.org/2000/svg"'
R = 30.0  # px from the centre of a hex to a corner
WIDE = R * sqrt(3)
SHAPES = {  # drawn on a hex, around its centre
    "+": '<path class="sk-line" d="M-13 4q4-6 8 0t8 0t8 0M-13-4q4-6 8 0t8 0t8 0" fill="none"/>',
    "x": '<path class="sk-rock" d="M-19 13L-12-7L-3 3L5-15L18 13Z"/>',
    "h": '<path class="sk-line" d="M0-13V13M-6-7H6M-11 4C-10 12-4 13 0 13S10 12 11 4" fill="none"/>',
    "q": '<path class="sk-line" d="M-15 8H15M-10 8V14M0 8V14M10 8V14M-15 2H15" fill="none"/>',
    "l": '<path class="sk-lamp" d="M-6 14L-3-8H3L6 14ZM-5-14H5V-8H-5ZM-18-14L-9-12V-10ZM18-14L9-12V-10Z"/>',
    ".": "",
}
KINDS = {"+": "reef", "x": "skerry", "h": "harbour", "q": "quay", "l": "light", ".": "sea"}
SAILS = (
    "M0-17V9L13 9Z",
    "M0-17V9L13 9ZM4-3H7M2 3H10",
    "M0-17V9L13 9ZM6-5L6 9",
    "M0-17V9L13 9ZM0 0L8 9M0-8L13 8",
)
CARD_SIGNS = {
    "gust": "M10 34H42c10 0 10-14 0-14s-8 10 0 10M10 46H56c9 0 9 12 0 12M10 58H34",
    "pilot": "M35 22a10 10 0 1 0 .1 0ZM17 66C18 48 26 46 35 46S52 48 53 66ZM24 22L46 22L42 14H28Z",
    "anchor": "M35 20V66M22 32H48M12 50C14 64 26 66 35 66S56 64 58 50M35 20a5 5 0 1 0-.1-10a5 5 0 1 0 .1 10",
}


@dataclass(frozen=True)
class Target:
    """A hex that can be clicked: the links that it adds to the chain, and their label."""

    hex: str
    move: str
    label: str
    near: bool  # one step away


@dataclass(frozen=True)
class Skipper(Finisher):
    """A skipper on the podium."""

    seat: int


def place(hex: str) -> tuple[float, float]:
    """The centre of a hex in the drawing, in px."""
    row, column = int(hex[1:]) - 1, "abcdefghijkl".index(hex[0])
    return WIDE * (column + 0.5 + (row % 2) / 2), R * (1 + 1.5 * row)


def _six(x: float, y: float, r: float = R - 1) -> str:
    half = r * sqrt(3) / 2
    points = ((0, -r), (half, -r / 2), (half, r / 2), (0, r), (-half, r / 2), (-half, -r / 2))
    return " ".join(f"{x + dx:.1f},{y + dy:.1f}" for dx, dy in points)


def hull(seat: int, x: float = 0, y: float = 0, more: str = "") -> str:
    """A boat. Each has its own pattern on the sail, and its number beside the mast."""
    return (
        f'<g class="sk-hull is-{seat}" transform="translate({x:.1f} {y:.1f})"{more}>'
        f'<path d="M-14 11H16L10 18H-9Z"/><path class="sk-sail" d="{SAILS[seat]}"/>'
        f'<text x="-8" y="7" font-size="15" text-anchor="start">{seat + 1}</text></g>'
    )


def boat(seat: int) -> str:
    """A small drawing of a boat, beside the name of its skipper."""
    return f'<svg {NS} class="sk-boat" viewBox="-18 -20 38 40" aria-hidden="true">{hull(seat)}</svg>'


def chart(view: View, targets: Sequence[Target] = ()) -> str:
    """The chart with its boats. Hexes that can be clicked are buttons with a label."""
    wide = WIDE * (len(view.chart[0]) + 0.5)
    high = R * (0.5 + 1.5 * len(view.chart))
    chosen = {target.hex: target for target in targets}
    parts = []
    for row, letters in enumerate(view.chart):
        for column, letter in enumerate(letters):
            hex = f"{'abcdefghijkl'[column]}{row + 1}"
            parts.append(_hex(hex, letter, chosen.get(hex)))
    lying: dict[str, list[Boat]] = {}
    for one in view.boats:
        if one.place is None:
            lying.setdefault(one.hex, []).append(one)
    for hex, boats in lying.items():
        x, y = place(hex)
        for n, one in enumerate(boats):
            turn = " is-turn" if view.turn == one.seat else ""
            shift = (n - (len(boats) - 1) / 2) * 15
            parts.append(
                f'<g id="boat-{one.seat + 1}" class="sk-moves{turn}">{hull(one.seat, x + shift, y)}</g>'
            )
    role = "group" if targets else "img"
    return (
        f'<svg {NS} class="sk-chart" viewBox="0 0 {wide:.0f} {high:.0f}" role="{role}"'
        f' aria-label="{escape(_says(view))}">{"".join(parts)}</svg>'
    )


def _hex(hex: str, letter: str, target: Target | None) -> str:
    x, y = place(hex)
    inside = (
        f'<polygon points="{_six(x, y)}"/><g transform="translate({x:.1f} {y:.1f})">{SHAPES[letter]}</g>'
        f'<text x="{x:.1f}" y="{y + R - 7:.1f}" font-size="8" text-anchor="middle">{hex}</text>'
    )
    kind = f"sk-hex is-{KINDS[letter]}"
    if target is None:
        return f'<g class="{kind}">{inside}</g>'
    near, r = ("is-near", 6) if target.near else ("is-far", 3)
    return (
        f'<g id="hex-{hex}" class="{kind} {near}" role="button" tabindex="0" data-move="{target.move}"'
        f' aria-label="{escape(target.label)}">{inside}<circle cx="{x:.1f}" cy="{y:.1f}" r="{r}"/></g>'
    )


def _says(view: View) -> str:
    """The chart in words: where the boats are."""
    where = (
        _("{name} at {hex}").format(name=one.name, hex=one.hex)
        if one.place is None
        else _("{name} arrived").format(name=one.name)
        for one in view.boats
    )
    return _("The chart. {boats}.").format(boats=_("; ").join(where))


def card(card: str) -> str:
    """A card."""
    return (
        f'<svg {NS} class="sk-card" viewBox="0 0 70 98" role="img" aria-label="{_(card)}">'
        f'<rect x="1.5" y="1.5" width="67" height="95" rx="7"/><path d="{CARD_SIGNS[card]}" fill="none"/>'
        f'<text x="35" y="86" font-size="13" text-anchor="middle">{_(card)}</text></svg>'
    )


def podium(finishers: Sequence[Skipper], *, heading: str = "") -> str:
    """The best three skippers with their points."""
    top = finishers[:3]
    parts = []
    for n, one in enumerate(top):
        x, high = (150, 50, 250)[n], (90, 60, 40)[n]
        parts.append(
            f'<rect x="{x - 48}" y="{210 - high}" width="96" height="{high}" fill="#1d6a7a"/>'
            f"{hull(one.seat, x, 188 - high)}"
            f'<text x="{x}" y="{232 - high}" font-size="15">{one.place}</text>'
            f'<text x="{x}" y="226" font-size="13">{escape(one.name)}</text>'
        )
    return (
        f'<svg {NS} class="sk-podium" viewBox="0 0 300 236" {aria(podium_says(top, heading))}'
        ' font-family="sans-serif" font-weight="700" fill="#f2ead6" text-anchor="middle">'
        f'<rect width="300" height="236" fill="#123a4a"/>{"".join(parts)}</svg>'
    )


def svg(view: View) -> str:
    """The chart as a drawing with its own styles."""
    style = (
        "<style>.sk-hex polygon{fill:#bfe0e6;stroke:#fff}.sk-line{stroke:#174a5a;stroke-width:2}"
        ".sk-sail{fill:#d8552f;stroke:#222}text{font-family:sans-serif}</style>"
    )
    drawing = chart(view)
    opening = drawing.index(">") + 1
    return drawing[:opening] + style + drawing[opening:]
