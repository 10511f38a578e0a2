"""Rasant: the pieces of its drawings: cars, cards and the plates of the players.

Colours of the theme are CSS custom properties with a fallback; those of cars and cards are fixed. Cars and
cards are symbols: a page that shows them contains ``draw.sprite()`` once.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from paddock.core.i18n import _, pgettext
from paddock.games.rasant.drawing.lettering import lettering
from paddock.parts.drawing import aria

if TYPE_CHECKING:
    from paddock.games.rasant.words.view import Card

NS = 'xmlns="http://www.w3.org/2000/svg"'
INK = "#14171c"
WHITE = "#ffffff"
SIGN_RED = "#d30f22"
SIGN_BLUE = "#0b4aa2"
SANS = "DIN Alternate,Bahnschrift,Roboto Condensed,Arial Narrow,Liberation Sans Narrow,Arial,sans-serif"

SIGN = "var(--rs-sign,#0b4aa2)"  # the blue of a motorway
SKY = "var(--rs-sky,#9bd3f5)"
HILL = "var(--rs-hill,#2f9a4b)"
WOOD = "var(--rs-wood,#1c7038)"
ROAD = "var(--rs-road,#c9ced4)"  # slabs of concrete
VERGE = "var(--rs-verge,#22272e)"  # the ground below the road
LIGHT = "var(--rs-light,#ffffff)"  # lettering on it
POST = "var(--rs-post,#14171c)"  # of the bridge


# ---- colours and cars ---------------------------------------------------------------------------

BLACK = 4
USUAL = 2  # the factor of the black car on its sign (RA-4.2)


def times(factor: int) -> str:
    """Return the sign of a factor: «×2»; the letter of the black car where it multiplies nothing."""
    return f"×{factor}" if factor > 1 else PAINTS[BLACK].letter


@dataclass(frozen=True)
class Paint:
    """A colour of cars and cards: its name and letter, and how it is drawn."""

    name: str
    letter: str
    ground: str
    ink: str
    shade: str  # of the pattern on the ground
    body: str  # the outline of its cars, heading right, in a box from -54,-34 to 54,28
    glass: str  # their windows
    pattern: str  # on a car's side


PAINTS: tuple[Paint, ...] = (
    Paint(
        "red", "R", "#d30f22", WHITE, "#b30b1b",
        "M-47 16C-48 4-43-2-31-4C-25-20-13-27 1-27C15-27 23-19 28-6C40-5 47 1 47 16Z",
        "M-22-7C-18-17-10-21-3-21V-7ZM3-21C12-21 17-16 21-7H3Z",
        "",
    ),
    Paint(
        "green", "G", "#00803a", WHITE, "#006b30",
        "M-47 16V-23Q-47-28-42-28H8L24-9L42-6Q47-5 47 0V16Z",
        "M-40-22H-24V-9H-40ZM-18-22H5L16-9H-18Z",
        "M-47 4H47V8H-47zM-47 11H47V14H-47z",
    ),
    Paint(
        "blue", "B", "#1559b7", WHITE, "#0f4794",
        "M-49 16V-3Q-49-7-45-8L-32-9L-20-25H10L25-8L44-5Q49-4 49 1V16Z",
        "M-25-9L-17-20H-6V-9ZM-1-9V-20H8L18-9Z",
        "M-43-5h6V16h-6zM-33-5h6V16h-6zM27-4h6V16h-6zM37-4h6V16h-6z",
    ),
    Paint(
        "yellow", "Y", "#ffcf00", INK, "#e8b400",
        "M-47 16V-26Q-47-32-41-32H28Q35-32 38-26L47-2V16Z",
        "M-41-26H-24V-12H-41ZM-18-26H4V-12H-18ZM10-26H29L35-12H10Z",
        (
            "M-47-3h7v6h-7zM-40 3h7v6h-7zM-33-3h7v6h-7zM-26 3h7v6h-7z"
            "M19 3h7v6h-7zM26-3h7v6h-7zM33 3h7v6h-7zM40-3h7v6h-7z"
        ),
    ),
    Paint(
        "black", "K", "#22262c", WHITE, "#4a515b",
        "M-53 16V-25H-38V-19H-45V-13L-31-14C-23-23-13-28 1-28C15-28 24-20 32-10L47-6Q53-4 53 2V16Z",
        "M20-10L15-19C19-18 23-14 26-10ZM-19-14C-17-17-15-19-14-20V-14Z",
        "M-47 16l11-22h6l-11 22zM-36 16l11-22h6l-11 22zM25 16l10-20h6l-10 20zM36 16l9-18h5l-8 18z",
    ),
)  # fmt: skip


def colour_name(colour: int) -> str:
    """Return the name of a colour: «red»."""
    return pgettext("colour of cards", PAINTS[colour].name)


def _car_symbol(colour: int, prefix: str) -> str:
    """Draw a toy car from the side, heading right: a sticker with a white edge and a bold outline.

    Each colour has its own silhouette, pattern and letter; the black car shows ×2.
    """
    paint = PAINTS[colour]
    accent = {0: paint.shade, 1: "#9fe0b4", 2: "#bcd7ff", 3: INK, 4: "#8b939d"}[colour]
    wheels = "".join(
        f'<circle cx="{x}" cy="17" r="9.5" fill="{INK}"/><circle cx="{x}" cy="17" r="3.6" fill="{WHITE}"/>'
        for x in (-29, 29)
    )
    glass = (
        f'<path d="{paint.glass}" fill="#d9f0ff" stroke="{INK}" stroke-width="1.6"/>' if paint.glass else ""
    )
    if colour == BLACK:
        badge = _badge(USUAL)
    else:
        badge = f'<circle cy="3" r="12.5" fill="{WHITE}" stroke="{INK}" stroke-width="2.2"/>' + lettering(
            paint.letter, 0, 3, 14, INK, pen=19
        )
    return (
        f'<symbol id="{prefix}-car-{colour}" viewBox="-57 -36 114 65">'
        f'<g stroke="{WHITE}" stroke-width="7" stroke-linejoin="round"><path d="{paint.body}"/>'
        '<circle cx="-29" cy="17" r="8.5"/><circle cx="29" cy="17" r="8.5"/></g>'
        f'<path d="{paint.body}" fill="{paint.ground}"/>'
        + (f'<path d="{paint.pattern}" fill="{accent}"/>' if paint.pattern else "")
        + f'<path d="{paint.body}" fill="none" stroke="{INK}" stroke-width="3.4" stroke-linejoin="round"/>'
        f"{glass}{wheels}{badge}</symbol>"
    )


def _badge(factor: int) -> str:
    """Draw the sign on the black car."""
    disc = f'<circle cy="-5" r="19.5" fill="{WHITE}" stroke="{INK}" stroke-width="4"/>'
    return disc + lettering(times(factor), 0, -5, 22, INK, pen=19, fit=29)


def car_symbols(prefix: str = "rs") -> str:
    """Return the symbols of the cars of the five colours, for ``use``."""
    return "".join(_car_symbol(colour, prefix) for colour in range(5))


def use(colour: int, attributes: str = "", *, prefix: str = "rs", factor: int = USUAL) -> str:
    """Draw a car of ``car_symbols``, in a box from -57,-36 to 57,29; the black one with its factor."""
    drawn = f'<use href="#{prefix}-car-{colour}" x="-57" y="-36" width="114" height="65"{attributes}/>'
    return drawn if colour != BLACK or factor == USUAL else drawn + _badge(factor)


def car_label(colour: int, factor: int = USUAL) -> str:
    """Return the name of a car's picture: «a red car», «the black car, doubles»."""
    if colour == BLACK:
        words = _("the black car, doubles") if factor == USUAL else _("the black car, {times}")
        return words.format(times=times(factor))
    return _("a {colour} car").format(colour=colour_name(colour))


def car(colour: int, *, named: bool = True, factor: int = USUAL) -> str:
    """Draw a car as an icon; ``named`` = false if its colour is beside it as text."""
    name = aria(car_label(colour, factor), named)
    return f'<svg {NS} class="rs-car" viewBox="-57 -36 114 65" {name}>{use(colour, factor=factor)}</svg>'


# ---- cards: speed signs -------------------------------------------------------------------------


def card_name(card: Card) -> str:
    """Return the name of a card: «red 70»."""
    return _("{colour} {speed}").format(colour=colour_name(card.colour), speed=card.speed)


def _ground(colour: int, x: float, y: float, width: float, height: float) -> str:
    """Draw a field of a colour with its pattern: plain, lines, bars, chequers or slants."""
    paint = PAINTS[colour]
    box = f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" fill="{paint.ground}"/>'
    if colour == 1:
        path = "".join(f"M{x:g} {y + i:g}h{width:g}v6h{-width:g}z" for i in range(8, int(height) - 5, 14))
    elif colour == 2:
        path = "".join(f"M{x + i:g} {y:g}v{height:g}h6v{-height:g}z" for i in range(6, int(width) - 5, 14))
    elif colour == 3:
        path = "".join(
            f"M{x + 13 * i:g} {y + 13 * j:g}h13v13h-13z"
            for j in range(int(height) // 13)
            for i in range(j % 2, int(width) // 13, 2)
        )
    elif colour == BLACK:
        path = "".join(
            f"M{x:g} {y + i:g}l{width:g}-48v9l{-width:g} 48z" for i in range(48, int(height) - 8, 22)
        )
    else:
        return box
    return box + f'<path d="{path}" fill="{paint.shade}"/>'


def card_symbols(prefix: str = "rs") -> str:
    """Return the symbols of the five card faces, without speed, and of the speeds."""
    faces = "".join(
        f'<symbol id="{prefix}-card-{colour}" viewBox="0 0 100 124">{_sign(colour, prefix)}</symbol>'
        for colour in range(5)
    )
    speeds = "".join(
        f'<symbol id="{prefix}-speed-{speed}" viewBox="0 0 100 124">'
        + lettering(str(speed), 50, 49, 44 if speed > 90 else 50, INK, pen=18, fit=65)
        + "</symbol>"
        for speed in range(10, 140, 10)
    )
    return faces + speeds


def _sign(colour: int, prefix: str) -> str:
    """Draw the sign on a card. Black cards, which go with any colour, have «end of all limits»."""
    paint = PAINTS[colour]
    edge = (
        f'<rect x="1.5" y="1.5" width="97" height="121" rx="10" fill="{WHITE}" '
        f'stroke="{INK}" stroke-width="3"/>'
        f"{_ground(colour, 7, 7, 86, 110)}"
    )
    disc = f'<circle cx="50" cy="49" r="44" fill="{WHITE}"/>'
    if colour == BLACK:
        squares = "".join(
            f'<rect x="{44 + 13 * i}" y="97" width="13" height="18" fill="{PAINTS[i].ground}" '
            f'stroke="{WHITE}" stroke-width="2"/>'
            for i in range(4)
        )
        return (
            f'{edge}{disc}<circle cx="50" cy="49" r="39.5" fill="#e4e7ea" stroke="#6b7480" stroke-width="5"/>'
            '<path d="M20 78L78 20M12 70L70 12M30 86L88 28" stroke="#b9c0c7" stroke-width="3.4"/>'
            + lettering(paint.letter, 22, 106, 19, paint.ink, pen=19)
            + squares
        )
    return (
        f'{edge}{disc}<circle cx="50" cy="49" r="38.5" fill="{WHITE}" stroke="{SIGN_RED}" stroke-width="9"/>'
        + lettering(paint.letter, 22, 106, 19, paint.ink, pen=19)
        + f'<use href="#{prefix}-car-{colour}" x="40" y="91" width="53" height="30"/>'
    )


def card(card: Card, *, named: bool = True) -> str:
    """Draw a card face up; ``named`` = false if its name is beside it as text."""
    return (
        f'<svg {NS} class="rs-card" viewBox="0 0 100 124" {aria(card_name(card), named)}>{face(card)}</svg>'
    )


def face(card: Card, prefix: str = "rs", place: str = "") -> str:
    """Draw a card of ``card_symbols``, in a box of 100 by 124 or at ``place``."""
    size = place or 'width="100" height="124"'
    return (
        f'<use href="#{prefix}-card-{card.colour}" {size}/><use href="#{prefix}-speed-{card.speed}" {size}/>'
    )


def chip_symbols() -> str:
    """Return symbols of cars as small squares with a letter; the black one has an edge for dark pages."""
    return "".join(
        f'<symbol id="rs-chip-{colour}" viewBox="0 0 24 24">{_chip(colour, USUAL)}</symbol>'
        for colour in range(len(PAINTS))
    )


def _chip(colour: int, factor: int) -> str:
    paint = PAINTS[colour]
    return (
        f'<rect x="1.5" y="1.5" width="21" height="21" '
        f'rx="3.5" fill="{paint.ground}" stroke="{"currentColor" if colour == BLACK else INK}" '
        'stroke-width="1.5"/>'
        + lettering(times(factor) if colour == BLACK else paint.letter, 12, 12, 12, paint.ink, pen=18, fit=16)
    )


def chip(colour: int, place: str, factor: int) -> str:
    """Draw a square of ``chip_symbols`` at a place; the black one with its factor."""
    if colour != BLACK or factor == USUAL:
        return f'<use href="#rs-chip-{colour}" {place}/>'
    return f'<svg viewBox="0 0 24 24" {place}>{_chip(colour, factor)}</svg>'


# ---- players ------------------------------------------------------------------------------------

# Players own no colour: each has a plate with a number and its own shape.
_PLATES: tuple[tuple[str, float], ...] = (
    ("M0-21A21 21 0 1 1 0 21A21 21 0 1 1 0-21Z", 0),
    ("M-19-19H19V19H-19Z", 0),
    ("M0-23L25 20H-25Z", 6),
    ("M0-25L25 0L0 25L-25 0Z", 0),
    ("M-9-22H9L22-9V9L9 22H-9L-22 9V-9Z", 0),
)


def plate(seat: int, x: float, y: float, scale: float = 1) -> str:
    """Draw a player's plate around x, y."""
    path, down = _PLATES[seat % len(_PLATES)]
    return (
        f'<g transform="translate({x:g} {y:g}) scale({scale:g})"><path d="{path}" fill="{INK}" '
        f'stroke="{WHITE}" stroke-width="4" stroke-linejoin="round"/>'
        f"{lettering(str(seat + 1), 0, down, 22, WHITE, pen=18)}</g>"
    )


def plate_symbols() -> str:
    """Return the symbols of all players' plates, for ``player_mark``."""
    return "".join(
        f'<symbol id="rs-plate-{seat}" viewBox="-29 -29 58 58">{plate(seat, 0, 0)}</symbol>'
        for seat in range(len(_PLATES))
    )


def player_mark(seat: int, *, named: bool = False) -> str:
    """Draw a player's plate: a shape and the number; unnamed by default, as the name is beside it."""
    name = aria(_("player {number}").format(number=seat + 1), named)
    return (
        f'<svg {NS} class="rs-player" viewBox="-29 -29 58 58" {name}>'
        f'<use href="#rs-plate-{seat % len(_PLATES)}" x="-29" y="-29" width="58" height="58"/></svg>'
    )
