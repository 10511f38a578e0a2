"""The Great Race: the poster, the wordmark and the podium as SVG."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import cos, pi, sin

from paddock.core.i18n import _
from paddock.core.lettering import Lettering
from paddock.games.great_race.drawing.crews import AXLE, COG, EVEN, FLAG
from paddock.games.great_race.drawing.pieces import (
    CREAM,
    FONT,
    GOLD,
    INK,
    NS,
    edge,
    fitted,
    half_track,
    line,
    moved,
    path,
    text,
)
from paddock.parts import drawing as parts
from paddock.parts.drawing import aria, podium_says, short

# Geometric capitals with low waists, as on shop fronts of 1935: the width and a path in a box 100 high.
GLYPHS: dict[str, tuple[int, str]] = {
    "A": (66, "M6 100L33 6L60 100M16 70H50"),
    "C": (76, "M70 22A43 43 0 1 0 70 78"),
    "E": (46, "M44 7H7V93H44M7 62H38"),
    "G": (82, "M72 20A43 43 0 1 0 75 62V60H48"),
    "H": (62, "M7 0V100M55 0V100M7 62H55"),
    "R": (58, "M7 100V7H26A27 27 0 0 1 26 62H7M28 62L54 100"),
    "T": (56, "M28 100V7M0 7H56"),
}
lettering = Lettering(GLYPHS, pen=13, space=13)


@dataclass(frozen=True)
class Finisher(parts.Finisher):
    """A crew on the podium; its points are prestige, and its place is 0 if it has not finished.

    ``parts`` is where the prestige comes from (GR-9.3): arrival, engine, chassis, money; empty for a series.
    """

    seat: int
    parts: tuple[int, ...] = ()


def _sun(x: float, y: float, reach: float) -> str:
    """Sixteen rays around x, y."""
    rays = ""
    for i in range(0, 32, 2):
        a, b = pi * i / 16, pi * (i + 1) / 16
        rays += (
            f"M{x:g} {y:g}L{x + reach * cos(a):.0f} {y + reach * sin(a):.0f}L{x + reach * cos(b):.0f}"
            f" {y + reach * sin(b):.0f}Z"
        )
    return rays


def poster() -> str:
    """The title's poster for the home page."""
    name = aria(_("Poster: a half-track climbs towards the sun over a map of hexes"))
    sky = (
        path("M0 0H300V420H0Z", "#f0b95c")
        + path(_sun(206, 128, 420), "#f7d48d")
        + '<circle cx="206" cy="128" r="58" fill="#c8402a"/><circle cx="206" cy="128" r="67" fill="none" '
        f'stroke="{CREAM}" stroke-width="2.4"/>'
    )
    peaks = (
        path("M0 240L58 158L96 206L150 118L214 214L250 178L300 236V300H0Z", "#2f6f78")
        + path(
            "M150 118L171 150L156 143L146 156L133 146ZM58 158L71 176L60 172L52 182L44 178ZM250 178L262 192"
            "L250 189L241 195Z",
            CREAM,
        )
        + path(
            "M150 118L214 214L250 178L300 236V300H170L176 230L152 190L164 160Z", "#245560", ' opacity=".75"'
        )
    )
    land = (
        path("M0 262C60 232 140 256 300 214V330H0Z", "#d9853f")
        + path("M0 290C70 254 170 280 300 236V340H0Z", "#b35a35")
        + line("M22 330L58 268M88 330L104 264M160 330L152 262M232 330L202 254", "#8e4226", 1.6)
        + path("M-6 326C60 262 196 282 312 206L312 232C210 296 100 276 34 340H-20Z", "#f2dcae", edge(INK, 2))
        + line("M18 322C80 272 200 284 300 224", INK, 2, ' stroke-dasharray="10 7"')
    )
    title = (
        path("M0 322H300V420H0Z", INK)
        + line("M0 326.5H300", GOLD, 2)
        + lettering("THE", 150, 341, 15, GOLD, pen=12)
        + line("M24 341H116M184 341H276", GOLD, 1.6)
        + lettering("GREAT", 84, 375, 36, CREAM, fit=136)
        + lettering("RACE", 229, 375, 36, CREAM, fit=124)
        + text(
            150,
            410,
            fitted(_("BY HALF-TRACK ACROSS CONTINENTS"), 12.5, 262),
            _("BY HALF-TRACK ACROSS CONTINENTS"),
            GOLD,
            bold=True,
        )
    )
    dust = path("M52 300A9 9 0 0 1 40 288A8 8 0 0 1 28 292A10 10 0 0 0 20 308H60Z", CREAM, ' opacity=".8"')
    return (
        f'<svg {NS} class="gr-poster" viewBox="0 0 300 420" {name} font-family="{FONT}">'
        f"{sky}{peaks}{land}{dust}"
        f'<g transform="translate(122 258) rotate(-15) scale(2.7)">{half_track(0)}</g>'
        f'<g transform="translate(262 226) rotate(-30) scale(.62)">{half_track(1)}</g>{title}'
        + path("M5 5H295V415H5Z", "none", edge(CREAM, 2.4))
        + "</svg>"
    )


def wordmark(ink: str = "currentColor") -> str:
    """The title's name as poster lettering."""
    width = lettering.width("GREATRACE", 100) + 60
    return (
        f'<svg {NS} class="gr-wordmark" viewBox="-8 -4 {width + 16:.0f} 108" {aria(_("The Great Race"))}>'
        + lettering("GREAT", lettering.width("GREAT", 100) / 2 + 4, 50, 100, ink)
        + lettering("RACE", width - lettering.width("RACE", 100) / 2 - 4, 50, 100, ink)
        + "</svg>"
    )


NOTE = "M-11-7H11V7H-11ZM-8-4V4H8V-4ZM0-3A3 3 0 1 0 0 3A3 3 0 1 0 0-3Z"
SOURCES = (FLAG, COG, AXLE, NOTE)  # arrival, engine, chassis, money


def podium(finishers: Sequence[Finisher], *, heading: str = "") -> str:
    """The podium, for the table's last page: with the parts of the prestige where they are known."""
    top = sorted((finisher for finisher in finishers if finisher.place), key=lambda finisher: finisher.place)[
        :3
    ]
    spots = {1: (300, 176), 2: (112, 222), 3: (488, 252)}
    title = heading or _("Podium")
    drawn = [
        path("M0 0H600V400H0Z", "#f0b95c"),
        path(_sun(300, 210, 560), "#f7d48d"),
        '<circle cx="300" cy="196" r="120" fill="#c8402a"/>',
        path("M0 326L90 250L150 300L236 210L330 310L420 232L520 306L600 250V400H0Z", "#2f6f78"),
        path("M0 352C160 310 380 340 600 300V400H0Z", "#b35a35"),
        path("M0 0H600V56H0Z", INK),
        line("M0 56H600", GOLD, 3),
        text(300, 39, fitted(title, 30, 560), title, CREAM, bold=True),
    ]
    for i, finisher in enumerate(top):
        x, y = spots[i + 1]
        drawn += [
            path(f"M{x - 88} {y}H{x + 88}V400H{x - 88}Z", INK),
            path(f"M{x - 88} {y}H{x + 88}V{y + 7}H{x - 88}Z", GOLD),
            moved(x, y - 36, half_track(finisher.seat), 2.5),
            text(x, y + 50, 40, str(finisher.place), GOLD, bold=True),
            text(x, y + 76, 18, short(finisher.name, 15), CREAM, bold=True),
            text(x, y + 100, 17, _("{n} prestige").format(n=finisher.points), CREAM),
            *(
                moved(
                    x - 63 + 42 * j,
                    y + 122,
                    moved(-8, 0, path(SOURCES[j], GOLD, EVEN), 0.72)
                    + text(10, 6, 16, str(n), CREAM, bold=True),
                )
                for j, n in enumerate(finisher.parts)
            ),
        ]
    drawn.append(path("M5 5H595V395H5Z", "none", edge(GOLD, 2)))
    return (
        f'<svg {NS} class="gr-podium" viewBox="0 0 600 400" {aria(podium_says(top, heading))} '
        f'font-family="{FONT}">{"".join(drawn)}</svg>'
    )
