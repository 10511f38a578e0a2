"""LACORSA: draws a view as SVG, for tables, replays, notebooks and the docs.

The pieces of the drawings are in ``pieces.py``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from paddock.core.i18n import _, plural
from paddock.games.lacorsa.drawing.lettering import lettering
from paddock.games.lacorsa.drawing.pieces import (
    FIELD,
    INK,
    LIGHT,
    LIVERIES,
    NS,
    PAPER,
    ROAD,
    SANS,
    car,
    car_label,
    car_symbols,
    card,
    card_back,
    card_name,
    card_symbols,
    die,
    kind_name,
    livery,
    livery_name,
    sign,
    stroke,
    use,
)
from paddock.games.lacorsa.drawing.pieces import sprite as pieces_sprite
from paddock.games.lacorsa.drawing.road import compact, label, land, strip
from paddock.parts import drawing as parts
from paddock.parts.drawing import aria, podium_says, short, standalone

if TYPE_CHECKING:
    from paddock.games.lacorsa.words.view import View

__all__ = [
    "LIVERIES",
    "Finisher",
    "car",
    "car_label",
    "card",
    "card_back",
    "card_name",
    "compact",
    "die",
    "kind_name",
    "livery",
    "livery_name",
    "podium",
    "poster",
    "sign",
    "sprite",
    "strip",
    "svg",
    "wordmark",
]


def sprite() -> str:
    """Return the symbols that a page's other drawings use, once per page."""
    mark = f'<symbol id="lc-wordmark" viewBox="{_MARKED}">{_lettered("currentColor")}</symbol>'
    return pieces_sprite().replace("</defs>", f"{land()}{mark}</defs>")


# ---- the podium and the poster ------------------------------------------------------------------


@dataclass(frozen=True)
class Finisher(parts.Finisher):
    """A driver or a team on the podium, and its cars: number and whose colours it wears."""

    cars: tuple[tuple[int, int], ...]


_STEPS = {1: 150, 2: 108, 3: 78}  # the height of a place's step


def podium(finishers: Sequence[Finisher], *, heading: str = "") -> str:
    """Return a picture of the first three on their steps, to keep or to share."""
    top = [finisher for finisher in finishers if finisher.place <= 3][:3]
    spots = {1: 300, 2: 110, 3: 490}
    parts = [
        f"<defs>{car_symbols((car for finisher in top for car in finisher.cars), 'podium')}</defs>",
        f'<rect width="600" height="440" fill="{FIELD}"/>',
        f'<circle cx="300" cy="190" r="150" fill="{LIGHT}"/>',
        f'<path d="M0 400H600V440H0Z" fill="{INK}"/>',
    ]
    for i, finisher in enumerate(top):
        x = spots[i + 1]
        height = _STEPS[finisher.place]
        parts.append(f'<rect x="{x - 92}" y="{400 - height}" width="184" height="{height}" fill="{INK}"/>')
        parts.append(lettering(str(finisher.place), x, 400 - height / 2 + 16, min(64, height - 46), LIGHT))
        parts.append(label(x, 400 - height + 24, 20, short(finisher.name, 17)))
        scale = 1.5 if len(finisher.cars) == 1 else 1.2
        for n, (number, wears) in enumerate(finisher.cars):
            y = 400 - height - 27 * scale - 4 - n * 54 * scale
            move = f' color="{INK}" transform="translate({x} {y:g}) scale({scale})"'
            parts.append(use(number, wears, move, prefix="podium"))
        points = plural("{n} point", "{n} points", finisher.points)
        parts.append(label(x, 428, 20, points))
    name = aria(podium_says(top, heading))
    return f'<svg {NS} class="lc-podium" viewBox="0 0 600 440" {name}>{"".join(parts)}</svg>'


_MARKED = "-6 0 452 104"  # the viewBox of the wordmark


def _lettered(ink: str) -> str:
    return lettering("LACORSA", 220, 52, 100, ink, slant=-10)


def wordmark(ink: str = "") -> str:
    """Return the title's name as poster lettering; without an ink it uses the symbol of ``sprite``."""
    inside = _lettered(ink) if ink else '<use href="#lc-wordmark" x="-6" width="452" height="104"/>'
    return f'<svg {NS} class="lc-wordmark" viewBox="{_MARKED}" {aria("LACORSA")}>{inside}</svg>'


def poster() -> str:
    """Return the title's poster for the home page."""
    speed = "M-20 262L70 166M-20 300L56 214M-20 226L84 122"
    cars = ((3, 285, 112, 0.6), (5, 226, 166, 1.0), (1, 126, 256, 1.95))
    name = aria(_("Poster: three cigar-shaped racing cars at full speed"))
    return (
        f'<svg {NS} class="lc-poster" viewBox="0 0 300 420" {name}>'
        f"<defs>{car_symbols(((n, 0) for n, *_at in cars), 'lc-poster')}</defs>"
        f'<rect width="300" height="420" fill="{FIELD}"/><circle cx="196" cy="150" r="118" fill="{PAPER}"/>'
        f'<path d="M-110 400L320 52V104L210 400Z" fill="{ROAD}"/>'
        f"{stroke(speed, PAPER, 3)}"
        + "".join(
            use(
                n,
                0,
                f' color="{PAPER}" transform="translate({x} {y}) rotate(-46) scale({k})"',
                prefix="lc-poster",
            )
            for n, x, y, k in cars
        )
        + f'<rect y="332" width="300" height="88" fill="{PAPER}"/>'
        + lettering("LACORSA", 150, 376, 58, FIELD, slant=-10)
        + "</svg>"
    )


def svg(view: View) -> str:
    """Return the road and the visible hands as a self-contained drawing."""
    hands = [
        parts.DrawnHand(f"{car.seat + 1} {car.name}", [card(kind) for kind in car.hand])
        for car in view.cars
        if car.hand
    ]
    drawing = parts.with_hands(strip(view), hands, ground=PAPER, ink=INK, font=SANS)
    opening = drawing.index(">") + 1
    symbols = car_symbols((car.seat + 1, car.wears) for car in view.cars) + land()
    if hands:
        symbols += card_symbols()
    drawing = f"{drawing[:opening]}<defs>{symbols}</defs>{drawing[opening:]}"
    return standalone(drawing)
