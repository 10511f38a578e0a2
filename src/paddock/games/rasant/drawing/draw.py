"""Rasant: draws a view as SVG, for tables, replays, notebooks and the docs.

The pieces of the drawings are in ``pieces.py``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from paddock.core.i18n import _, pgettext, plural
from paddock.games.rasant.drawing.lettering import lettering
from paddock.games.rasant.drawing.line import (
    FULL,
    HIGH,
    WIDE,
    box,
    compact,
    label,
    land_symbols,
    rears,
    strip,
    win_says,
)
from paddock.games.rasant.drawing.pieces import (
    BLACK,
    HILL,
    INK,
    NS,
    PAINTS,
    ROAD,
    SIGN,
    SIGN_BLUE,
    SIGN_RED,
    SKY,
    USUAL,
    WHITE,
    Paint,
    car,
    car_label,
    car_symbols,
    card,
    card_name,
    card_symbols,
    chip,
    chip_symbols,
    colour_name,
    face,
    plate,
    plate_symbols,
    player_mark,
    times,
    use,
)
from paddock.parts import drawing as parts
from paddock.parts.drawing import aria, podium_says, short, standalone

if TYPE_CHECKING:
    from paddock.games.rasant.words.view import View, Win

__all__ = [
    "PAINTS",
    "Finisher",
    "Paint",
    "after",
    "car",
    "car_label",
    "card",
    "card_name",
    "colour_name",
    "compact",
    "player_mark",
    "podium",
    "poster",
    "rears",
    "sprite",
    "strip",
    "svg",
    "times",
    "win_says",
    "wordmark",
]

FIELD = SIGN  # behind pictures that are shared
RIGHT_CHIP = 24 * (FULL - 1)


def after(win: Win, factor: int = USUAL) -> str:
    """Draw the line after a win: a chip for each car; those that moved are underlined."""
    chips = "".join(
        chip(car.colour, f'x="{RIGHT_CHIP - 24 * place}" width="24" height="24"', factor)
        for place, car in enumerate(win.line)
    )
    label = _("afterwards, from the front: {cars}").format(
        cars=", ".join(colour_name(car.colour) for car in win.line)
    )
    left = RIGHT_CHIP - 24 * (win.moved - 1) + 1.5
    return (
        f'<svg {NS} class="rs-after" viewBox="0 0 {24 * FULL + 22} 29" {aria(label)}>{chips}'
        f'<path d="M{left:g} 26.5H{RIGHT_CHIP + 22.5}" stroke="currentColor" stroke-width="3"/>'
        f'<path d="M{RIGHT_CHIP + 27} 5l8 7l-8 7" fill="none" stroke="currentColor" stroke-width="3.5"/>'
        "</svg>"
    )


def sprite() -> str:
    """Return the symbols that a page's other drawings use, once per page."""
    return (
        f'<svg {NS} class="sprite" width="0" height="0" aria-hidden="true" focusable="false">'
        f"<defs>{car_symbols()}{card_symbols()}{chip_symbols()}{plate_symbols()}{land_symbols()}"
        f'<symbol id="rs-wordmark" viewBox="{_MARKED}">{_lettered("currentColor")}</symbol></defs></svg>'
    )


# ---- the podium and the poster --------------------------------------------------------------------


@dataclass(frozen=True)
class Finisher(parts.Finisher):
    """A player on the podium."""

    seat: int


_STEPS = {1: 214, 2: 170, 3: 136}  # the height of the step of each place


def podium(finishers: Sequence[Finisher], *, heading: str = "") -> str:
    """Return a picture of the first three on their steps, to keep or to share."""
    top = [finisher for finisher in finishers if finisher.place <= 3][:3]
    spots = (300, 112, 488)
    rows = "".join(f'<path d="M{x} 440v-8h60v8z" fill="{WHITE}"/>' for x in range(-20, 600, 110))
    parts = [
        f"<defs>{car_symbols('podium')}</defs>",
        f'<rect width="600" height="470" fill="{SKY}"/>',
        f'<path d="M0 400V250Q150 190 320 240T600 216V400Z" fill="{HILL}"/>',
        f'<path d="M0 400H600V470H0Z" fill="{ROAD}"/>',
    ]
    for i, finisher in enumerate(top):
        x, height = spots[i], _STEPS[finisher.place]
        y = 400 - height
        parts.append(
            f'<rect x="{x - 90}" y="{y}" width="180" height="{height}" fill="{SIGN}"/>'
            f'<rect x="{x - 85}" y="{y + 5}" width="170" height="{height + 8}" fill="none" stroke="{WHITE}" '
            'stroke-width="3"/>'
            f'<path d="M{x} {y}v-34" stroke="#6b7480" stroke-width="9"/>'
        )
        parts.append(plate(finisher.seat, x, y - 72, 1.9))
        name = short(finisher.name, 15)
        parts.append(label(x, y + 37, min(31, 330 // max(1, len(name))), name, WHITE, anchor="middle"))
        points = plural("{n} point", "{n} points", finisher.points)
        parts.append(label(x, y + 68, 27, points, WHITE, anchor="middle"))
        parts.append(lettering(str(finisher.place), x, y + 104, 44, WHITE))
    parts.append(f'<path d="M0 400H600" stroke="{WHITE}" stroke-width="5"/>{rows}')
    for colour, x in ((0, 60), (2, 178), (3, 296), (1, 414), (BLACK, 538)):
        parts.append(use(colour, f' transform="translate({x} 424) scale(.92)"', prefix="podium"))
    name = aria(podium_says(top, heading))
    return f'<svg {NS} class="rs-podium" viewBox="0 0 600 470" {name}>{"".join(parts)}</svg>'


_MARKED = "-14 -4 452 108"  # the viewBox of the wordmark


def _lettered(ink: str) -> str:
    return lettering("RASANT", 212, 50, 100, ink, pen=19, slant=-12)


def wordmark(ink: str = "") -> str:
    """Return the title's name as lettering; without an ink it uses the symbol of ``sprite``."""
    inside = _lettered(ink) if ink else f'<use href="#rs-wordmark" {box(-14, -4, 452, 108)}/>'
    return f'<svg {NS} class="rs-wordmark" viewBox="{_MARKED}" {aria("RASANT")}>{inside}</svg>'


def poster() -> str:
    """Return the title's poster for the home page."""
    queue = "".join(
        use(colour, f' transform="translate({x} 250) scale(.68)"', prefix="poster")
        for x, colour in ((32, 2), (106, 0), (180, 3), (254, 1))
    )
    name = aria(_("Poster: a black toy car shoots past a queue of coloured ones, under a sign for 130"))
    return (
        f'<svg {NS} class="rs-poster" viewBox="0 0 300 420" {name}><defs>{car_symbols("poster")}</defs>'
        f'<rect width="300" height="420" fill="{SIGN_BLUE}"/>'
        f'<rect x="9" y="9" width="282" height="402" rx="14" fill="none" stroke="{WHITE}" stroke-width="5"/>'
        f"{lettering('RASANT', 150, 62, 60, WHITE, pen=19, slant=-12, fit=236)}"
        f'<path d="M0 236Q70 188 150 214T300 190V280H0Z" fill="#2f9a4b"/>'
        f'<path d="M196 170V282" stroke="#77818c" stroke-width="12"/>'
        f'<circle cx="196" cy="174" r="73" fill="{WHITE}"/>'
        f'<circle cx="196" cy="174" r="61" fill="{WHITE}" stroke="{SIGN_RED}" stroke-width="17"/>'
        f"{lettering('130', 196, 174, 56, INK, pen=18, fit=92)}"
        '<path d="M34 196l-20 38h12l-18 32h52l-18-32h12zM84 204l-15 30h9l-14 30h40l-14-30h9z" '
        'fill="#1c7038"/>'
        f'<path d="M0 268H300V420H0Z" fill="#c9ced4"/>'
        f'<path d="M0 268H300" stroke="{WHITE}" stroke-width="6"/>'
        f'<path d="M-12 290H300" stroke="{WHITE}" stroke-width="6" stroke-dasharray="44 34"/>{queue}'
        f'<path d="M-4 318H52M-4 346H34M-4 374H46" stroke="{INK}" stroke-width="7"/>'
        f'<path d="M0 404H300" stroke="{WHITE}" stroke-width="6"/>'
        '<path d="M0 407H300V420H0Z" fill="#1c7038"/>'
        + use(BLACK, ' transform="translate(172 353) scale(2)"', prefix="poster")
        + "</svg>"
    )


ROW = 70


def svg(view: View) -> str:
    """Return the line, the scores and the visible hands as a self-contained drawing."""
    drawing = strip(view)
    opening = drawing.index(">") + 1
    height = HIGH + ROW * len(view.players)
    head = drawing[:opening].replace(f"0 0 {WIDE} {HIGH}", f"0 0 {WIDE} {height}")
    rows = "".join(_player_row(player.seat, view) for player in view.players)
    ground = f'<rect y="{HIGH}" width="{WIDE}" height="{height - HIGH}" fill="{WHITE}"/>'
    symbols = f"<defs>{car_symbols()}{card_symbols()}{land_symbols()}</defs>"
    drawing = f"{head}{symbols}{drawing[opening:].removesuffix('</svg>')}{ground}{rows}</svg>"
    return standalone(drawing)


def _player_row(seat: int, view: View) -> str:
    """Draw the row of a player: name, points, what they do now, and their cards."""
    player = view.players[seat]
    y = HIGH + ROW * seat
    points = plural("{n} point", "{n} points", player.score)
    marks = [
        word
        for word, is_so in (
            (pgettext("play the first card of a round", "leads"), player.leads), (_("highest"), player.best),
            (pgettext("make no more moves", "passed"), player.passed), (_("to move"), player.deciding),
        )
        if is_so
    ]  # fmt: skip
    cards = plural("{n} card", "{n} cards", player.cards)
    if player.hand:
        cards = ""
        for i, hand_card in enumerate(player.hand):
            spot = box(720 + 56 * i, y + 5, 49, 60)
            cards += f"<g {aria(card_name(hand_card))}>{face(hand_card, place=spot)}</g>"
    else:
        cards = label(720, y + 43, 22, cards, INK)
    return (
        f'<path d="M0 {y}H{WIDE}" stroke="#c9ced4" stroke-width="2"/>{plate(seat, 46, y + 35)}'
        + label(88, y + 43, 26, short(player.name, 18), INK)
        + label(340, y + 43, 30, points, INK)
        + label(490, y + 43, 20, ", ".join(marks), INK)
        + cards
    )
