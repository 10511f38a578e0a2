"""Rasant: what a view looks like. Plain data in, SVG text out; the same drawings serve a table, a
replay, a notebook and the docs.

Colours that follow the theme are CSS custom properties with a fallback; those of cars and cards are
fixed. Cars and cards are symbols: a page that shows any of them carries ``sprite()`` once.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING

from paddock.core.i18n import _, plural
from paddock.games.rasant.lettering import lettering

if TYPE_CHECKING:
    from paddock.games.rasant.view import Car, Card, View, Win

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


@dataclass(frozen=True)
class Paint:
    """A colour of cars and cards: its name, letter, ground, what is written on it, and its pattern."""

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
    """The word for a colour: «red»."""
    return _(PAINTS[colour].name)


def _car_symbol(colour: int, prefix: str) -> str:
    """A toy car from the side, heading right: a sticker with a white edge and a bold outline.

    Each colour has a silhouette, a pattern and a letter of its own; the black one carries what it does.
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
        badge = f'<circle cy="-5" r="19.5" fill="{WHITE}" stroke="{INK}" stroke-width="4"/>' + lettering(
            "×2", 0, -5, 22, INK, pen=19, fit=29
        )
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


def _car_symbols(prefix: str = "rs") -> str:
    return "".join(_car_symbol(colour, prefix) for colour in range(5))


def _use(colour: int, more: str = "", *, prefix: str = "rs") -> str:
    return f'<use href="#{prefix}-car-{colour}" x="-57" y="-36" width="114" height="65"{more}/>'


def car_label(colour: int) -> str:
    """What a car's picture is called: «a red car», «the black car, doubles»."""
    if colour == BLACK:
        return _("the black car, doubles")
    return _("a {colour} car").format(colour=colour_name(colour))


def car(colour: int, *, named: bool = True) -> str:
    """A car as an icon; ``named`` = false where its colour stands beside it as text."""
    name = _name(car_label(colour), named)
    return f'<svg {NS} class="rs-car" viewBox="-57 -36 114 65" {name}>{_use(colour)}</svg>'


def _name(name: str, named: bool = True) -> str:
    return f'role="img" aria-label="{escape(name)}"' if named else 'aria-hidden="true"'


# ---- cards: speed signs -------------------------------------------------------------------------


def card_name(card: Card) -> str:
    """A card in words: «red 70»."""
    return _("{colour} {speed}").format(colour=colour_name(card.colour), speed=card.speed)


def _ground(colour: int, x: float, y: float, w: float, h: float) -> str:
    """A field of a colour with its pattern: plain, lines, bars, chequers or slants."""
    paint = PAINTS[colour]
    box = f'<rect x="{x:g}" y="{y:g}" width="{w:g}" height="{h:g}" fill="{paint.ground}"/>'
    if colour == 1:
        path = "".join(f"M{x:g} {y + i:g}h{w:g}v6h{-w:g}z" for i in range(8, int(h) - 5, 14))
    elif colour == 2:
        path = "".join(f"M{x + i:g} {y:g}v{h:g}h6v{-h:g}z" for i in range(6, int(w) - 5, 14))
    elif colour == 3:
        path = "".join(
            f"M{x + 13 * i:g} {y + 13 * j:g}h13v13h-13z"
            for j in range(int(h) // 13)
            for i in range(j % 2, int(w) // 13, 2)
        )
    elif colour == BLACK:
        path = "".join(f"M{x:g} {y + i:g}l{w:g}-48v9l{-w:g} 48z" for i in range(48, int(h) - 8, 22))
    else:
        return box
    return box + f'<path d="{path}" fill="{paint.shade}"/>'


def _card_symbols(prefix: str = "rs") -> str:
    """The five faces without their speed, and the speeds."""
    faces = "".join(
        f'<symbol id="{prefix}-card-{colour}" viewBox="0 0 100 124">{_face(colour, prefix)}</symbol>'
        for colour in range(5)
    )
    speeds = "".join(
        f'<symbol id="{prefix}-speed-{speed}" viewBox="0 0 100 124">'
        + lettering(str(speed), 50, 49, 33 if speed > 90 else 38, INK, pen=18, fit=49)
        + "</symbol>"
        for speed in range(10, 140, 10)
    )
    return faces + speeds


def _face(colour: int, prefix: str) -> str:
    """A sign on its field. Black cards, which go with any colour, have the grey one that ends all limits."""
    paint = PAINTS[colour]
    edge = (
        f'<rect x="1.5" y="1.5" width="97" height="121" rx="10" fill="{WHITE}" '
        f'stroke="{INK}" stroke-width="3"/>'
        f"{_ground(colour, 7, 7, 86, 110)}"
    )
    if colour == BLACK:
        chips = "".join(
            f'<g transform="translate({20 + 20 * i} 104)"><circle r="9" fill="{PAINTS[i].ground}" '
            f'stroke="{WHITE}" stroke-width="2"/>'
            f"{lettering(PAINTS[i].letter, 0, 0, 9.5, PAINTS[i].ink, pen=19)}</g>"
            for i in range(4)
        )
        return (
            f'{edge}<circle cx="50" cy="49" r="40" fill="{WHITE}"/>'
            f'<circle cx="50" cy="49" r="36.5" fill="#e4e7ea" stroke="#6b7480" stroke-width="5"/>'
            f'<path d="M22 76L78 22M14 70L72 14M28 84L86 28" stroke="#a9b0b8" stroke-width="3.4"/>'
            f"{chips}"
        )
    return (
        f'{edge}<circle cx="50" cy="49" r="40" fill="{WHITE}"/>'
        f'<circle cx="50" cy="49" r="34.5" fill="{WHITE}" stroke="{SIGN_RED}" stroke-width="8"/>'
        + lettering(paint.letter, 23, 104, 19, paint.ink, pen=19)
        + f'<use href="#{prefix}-car-{colour}" x="42" y="88" width="50" height="28.5"/>'
    )


def card(card: Card, *, named: bool = True) -> str:
    """A card face up; ``named`` = false where its name stands beside it as text."""
    return (
        f'<svg {NS} class="rs-card" viewBox="0 0 100 124" {_name(card_name(card), named)}>{_card(card)}</svg>'
    )


def _card(card: Card, prefix: str = "rs", place: str = "") -> str:
    size = place or 'width="100" height="124"'
    return (
        f'<use href="#{prefix}-card-{card.colour}" {size}/><use href="#{prefix}-speed-{card.speed}" {size}/>'
    )


def _chip_symbols() -> str:
    """A car as a small square with its letter; the black one keeps its edge on dark ground."""
    return "".join(
        f'<symbol id="rs-chip-{colour}" viewBox="0 0 24 24"><rect x="1.5" y="1.5" width="21" height="21" '
        f'rx="3.5" fill="{paint.ground}" stroke="{"currentColor" if colour == BLACK else INK}" '
        'stroke-width="1.5"/>'
        + lettering("×2" if colour == BLACK else paint.letter, 12, 12, 12, paint.ink, pen=18, fit=16)
        + "</symbol>"
        for colour, paint in enumerate(PAINTS)
    )


def sprite() -> str:
    """The symbols that a page's other drawings use, to stand once in it."""
    return (
        f'<svg {NS} class="sprite" width="0" height="0" aria-hidden="true" focusable="false">'
        f"<defs>{_car_symbols()}{_card_symbols()}{_chip_symbols()}{_plate_symbols()}{_land_symbol()}</defs></svg>"
    )


# ---- players ------------------------------------------------------------------------------------

# No player owns a colour: a player is a plate of a shape of its own, with the number.
_PLATES: tuple[tuple[str, float], ...] = (
    ("M0-21A21 21 0 1 1 0 21A21 21 0 1 1 0-21Z", 0),
    ("M-19-19H19V19H-19Z", 0),
    ("M0-23L25 20H-25Z", 6),
    ("M0-25L25 0L0 25L-25 0Z", 0),
    ("M-9-22H9L22-9V9L9 22H-9L-22 9V-9Z", 0),
)


def _plate(seat: int, x: float, y: float, scale: float = 1) -> str:
    path, down = _PLATES[seat % len(_PLATES)]
    return (
        f'<g transform="translate({x:g} {y:g}) scale({scale:g})"><path d="{path}" fill="{INK}" '
        f'stroke="{WHITE}" stroke-width="4" stroke-linejoin="round"/>'
        f"{lettering(str(seat + 1), 0, down, 22, WHITE, pen=18)}</g>"
    )


def _plate_symbols() -> str:
    return "".join(
        f'<symbol id="rs-plate-{seat}" viewBox="-29 -29 58 58">{_plate(seat, 0, 0)}</symbol>'
        for seat in range(len(_PLATES))
    )


def player_mark(seat: int, *, named: bool = False) -> str:
    """A player's plate: a shape and the number; unnamed by default, as the name stands beside it."""
    name = _name(_("player {number}").format(number=seat + 1), named)
    return (
        f'<svg {NS} class="rs-player" viewBox="-29 -29 58 58" {name}>'
        f'<use href="#rs-plate-{seat % len(_PLATES)}" x="-29" y="-29" width="58" height="58"/></svg>'
    )


# ---- the line -----------------------------------------------------------------------------------

WIDE, HIGH = 1280, 388
CELL = 95.0
RIGHT = WIDE - 22.0  # the front of the line
TOP, BOTTOM = 122, 246  # edges of the road
LANE = 212  # the middle of the lane in which the line stands
BARS = 276  # where the wins begin
BAR = 27
SCALE = 0.86
BOARD = 130  # where the sign of the round begins
PULL = 0.14  # how far a car pulls out for each unit that it moves
FULL = 13
RIGHT_CHIP = 24 * (FULL - 1)


def _x(place: int) -> float:
    """The middle of a place of the line; 0 is the front."""
    return RIGHT - CELL * (place + 0.5)


def _text(x: float, y: float, size: float, words: str, ink: str = LIGHT, *, anchor: str = "start") -> str:
    return (
        f'<text x="{x:g}" y="{y:g}" font-size="{size:g}" text-anchor="{anchor}" font-family="{SANS}" '
        f'font-weight="700" fill="{ink}">{escape(words)}</text>'
    )


def _short(name: str, letters: int) -> str:
    return name if len(name) <= letters else name[: letters - 1] + "…"


def rears(line: Sequence[Car]) -> dict[int, int]:
    """The place in the line, from 0, of the rearmost car of each colour that can win (RA-4.1)."""
    return {c.colour: place for place, c in enumerate(line) if c.colour != BLACK}


# The land goes on beyond both ends of the line, for windows that are wider than the drawing is.
LAND = (-WIDE, 3 * WIDE)
_LAND = f'x="{LAND[0]}" width="{LAND[1]}"'


def _scenery() -> str:
    """A flat country: sky, hills, woods, the motorway with its crash barrier."""
    first, last = LAND[0], LAND[0] + LAND[1]
    woods = "".join(
        f"M{x} 118a{r} {r * 1.3:g} 0 0 1 {2 * r} 0z"
        for x, r in (
            (-560, 40), (-480, 28), (-190, 26), (20, 34), (70, 26), (560, 30), (604, 40), (670, 24),
            (1010, 26), (1380, 38), (1450, 26), (1760, 30),
        )
    )  # fmt: skip
    slabs = range(int((RIGHT - last) // CELL), int((RIGHT - first) // CELL) + 1)
    seams = "".join(f"M{RIGHT - CELL * i:g} {TOP + 6}V{BOTTOM - 6}" for i in slabs)
    posts = "".join(f"M{x} 112v12" for x in range(24 - 18 * 72, last, 72))
    hills = f"M{first} 122V76Q-960 40 -640 80T0 84Q180 40 390 82T760 78T1280 66T1800 84T{last} 70V122Z"
    dashes = 46 + 49
    return (
        f'<rect {_LAND} height="{TOP}" fill="{SKY}"/>'
        f'<path d="{hills}" fill="{HILL}"/>'
        f'<path d="{woods}" fill="{WOOD}"/>'
        f'<path d="M{first} 110H{last}" stroke="{WHITE}" stroke-width="7"/>'
        f'<path d="M{first} 114.5H{last}{posts}" stroke="#77818c" stroke-width="3"/>'
        f'<rect {_LAND} y="{TOP}" height="{BOTTOM - TOP}" fill="{ROAD}"/>'
        f'<path d="{seams}" stroke="{INK}" stroke-width="1.5" opacity=".22"/>'
        f'<path d="M{first} {TOP + 4}H{last}M{first} {BOTTOM - 4}H{last}" stroke="{WHITE}" stroke-width="5"/>'
        f'<path d="M{-14 * dashes} 176H{last}" stroke="{WHITE}" stroke-width="5" stroke-dasharray="46 49"/>'
        f'<rect {_LAND} y="{BOTTOM}" height="{HIGH - BOTTOM}" fill="{VERGE}"/>'
    )


def _land_symbol() -> str:
    return f'<symbol id="rs-land" viewBox="{LAND[0]} 0 {LAND[1]} {HIGH}">{_scenery()}</symbol>'


def _panel(x: float, wide: float, inside: str, ground: str = SIGN) -> str:
    """A sign that hangs from the bridge over the road, 84 high."""
    return (
        f'<g transform="translate({x:g} 10)"><rect width="{wide:g}" height="84" rx="7" fill="{ground}"/>'
        f'<rect x="4" y="4" width="{wide - 8:g}" height="76" rx="5" fill="none" '
        f'stroke="{WHITE}" stroke-width="3"/>'
        f"{inside}</g>"
    )


def _bridge(view: View) -> str:
    """What the round is about, the reserve, and where the front is, on signs over the road."""
    posts = f'<path d="M28 {TOP + 6}V22H1252V{TOP + 6}" fill="none" stroke="{POST}" stroke-width="9"/>'
    ahead = f'<path d="M158 42h42M184 24l18 18l-18 18" fill="none" stroke="{WHITE}" stroke-width="9"/>'
    front = _panel(1024, 220, _text(22, 55, 38, _("FRONT"), WHITE) + ahead)
    reserve = _panel(
        806,
        200,
        _text(18, 37, 22, _("Reserve"), WHITE)
        + _text(18, 66, 24, plural("{n} card", "{n} cards", view.reserve), WHITE),
    )
    return posts + _round_sign(view) + reserve + front


def _round_sign(view: View) -> str:
    if view.top is not None and view.colour is not None and view.best is not None:
        paint = PAINTS[view.colour]
        name = view.players[view.best].name
        by = _("{speed} by {name}").format(speed=view.top.speed, name=_short(name, 14))
        words = _("Round of {colour}").format(colour=colour_name(view.colour))
        highest = _("{card} by {name} is the highest").format(card=card_name(view.top), name=name)
        flag = f'<rect x="406" y="8" width="146" height="68" rx="3" fill="{paint.ground}"/>'
        flag += lettering(paint.letter, 436, 42, 44, paint.ink)
        flag += f'<g color="{WHITE}" transform="translate(506 45) scale(.68)">{_use(view.colour)}</g>'
        lines = _text(104, 34, 23, words, WHITE) + _text(104, 66, 27, by, WHITE)
        face = _card(view.top, place=_at(BOARD + 12, 3, 80, 99))
        return _panel(BOARD, 560, lines + flag) + (f"<g {_name(f'{words}: {highest}')}>{face}</g>")
    if view.leader is not None:
        name = _short(view.players[view.leader].name, 18)
        say = (_("{name} leads").format(name=name), _("Any coloured card"))
    elif view.phase == "over":
        say = (_("The game is over"), _("Nobody can lead"))
    else:
        say = (_("Drawing up"), _("The next round is about to begin"))
    return _panel(BOARD, 560, _text(22, 38, 28, say[0], WHITE) + _text(22, 66, 22, say[1], WHITE))


def _at(x: float, y: float, wide: float, high: float) -> str:
    return f'x="{x:g}" y="{y:g}" width="{wide:g}" height="{high:g}"'


def win_says(w: Win) -> str:
    """A win in words: «red: 5 cars, 8 points, doubled»."""
    cars = plural("{n} car", "{n} cars", w.moved)
    points = plural("{n} point", "{n} points", w.points)
    words = _("{colour}: {cars}, {points}").format(colour=colour_name(w.colour), cars=cars, points=points)
    return _("{words}, doubled").format(words=words) if w.black else words


def _bar(w: Win, view: View, row: int) -> str:
    """How far a win of the colour would reach: an arrow from the back to its rearmost car, and the points."""
    paint = PAINTS[w.colour]
    y, high = BARS + row * BAR, BAR - 4
    left, right = _x(FULL - 1) - CELL / 2, _x(FULL - w.moved) + CELL / 2 - 6
    other = view.colour is not None and view.colour != w.colour  # cannot win this round
    arrow = f"M{left:g} {y}H{right - 10:g}l14 {high / 2:g}l-14 {high / 2:g}H{left:g}Z"
    fill = (
        f'fill="{VERGE}" stroke="{LIGHT}" stroke-width="2" stroke-dasharray="7 5"'
        if other
        else (f'fill="{paint.ground}" stroke="{LIGHT}" stroke-width="{4 if view.colour == w.colour else 2}"')
    )
    ink = LIGHT if other else paint.ink
    words = f"{paint.letter} {w.moved}"
    if w.moved > 2:
        words = _("{colour} · {n} cars").format(colour=colour_name(w.colour).upper(), n=w.moved)
    points = plural("{n} point", "{n} points", w.points)
    more = _text(right + 18, y + 20, 25, points)
    if w.black:
        chip = right - 54
        more += f'<rect x="{chip:g}" y="{y}" width="42" height="{high}" fill="{WHITE}"/>'
        more += lettering("×2", chip + 21, y + high / 2, 15, INK, pen=19)
    return (
        f'<g {_name(win_says(w))}><path d="{arrow}" {fill}/>'
        + _text(left + 12, y + 19, 20, words, ink)
        + more
        + "</g>"
    )


def _marks(view: View) -> str:
    """Under the road: the place of each car, and the letter of a colour under its rearmost car."""
    rear = {place: colour for colour, place in rears(view.line).items()} if view.wins else {}
    out = []
    for place in range(len(view.line)):
        x = _x(place)
        if place in rear:
            paint = PAINTS[rear[place]]
            out.append(
                f'<path d="M{x - 15:g} 272V254L{x:g} 245L{x + 15:g} 254V272Z" fill="{paint.ground}" '
                f'stroke="{LIGHT}" stroke-width="2"/>{lettering(paint.letter, x, 261, 14, paint.ink, pen=19)}'
            )
        else:
            out.append(_text(x, 268, 20, str(place + 1), anchor="middle"))
    return "".join(out)


def _car_says(place: int, c: Car, rear: bool) -> str:
    words = f"{place + 1}: {_('black, doubles') if c.colour == BLACK else colour_name(c.colour)}"
    return _("{car}, the rearmost").format(car=words) if rear else words


def _pieces(view: View, ids: str, moved: int) -> str:
    """The cars, in the order of their ids. Where one stands is the sum of two moves, of which the inner
    one runs ahead when a car goes to the front: so it pulls out and in again. Of the ``moved`` ones that
    stand in front the last went first (RA-4.1)."""
    rear = rears(view.line) if view.wins else {}
    cars = []
    for place, c in sorted(enumerate(view.line), key=lambda at: at[1].id):
        x = _x(place)
        lean = PULL * x
        label = _car_says(place, c, rear.get(c.colour) == place)
        goes = f" rs-goes rs-at-{moved - 1 - place}" if place < moved else ""
        cars.append(
            f'<g id="{ids}car-{c.id}" class="rs-moves{goes}" {_name(label)} '
            f'transform="translate({x:g} {lean:.1f})">'
            f'<g transform="translate(0 {LANE - lean:.1f}) scale({SCALE})">{_use(c.colour)}</g></g>'
        )
    return "".join(cars)


def strip(view: View, *, moved: int = 0, ids: str = "") -> str:
    """The line on the road, its front on the right, and what a win of each colour would move and score.

    Cars keep their ids (``car-0`` … ``car-12``) and their order, so that a page can be morphed and
    the overtaking is animated: the ``moved`` cars in front have come there last, one after the other.
    """
    bars = "".join(_bar(w, view, row) for row, w in enumerate(view.wins))
    heading = _("The line: the front is on the right")
    return (
        f'<svg {NS} id="{ids}strip" class="rs-strip rs-at-{moved}" viewBox="0 0 {WIDE} {HIGH}" role="group" '
        f'aria-label="{escape(heading)}"><use href="#rs-land" {_LAND} height="{HIGH}"/>{_bridge(view)}'
        f'<g aria-hidden="true">{_marks(view)}</g>{bars}{_pieces(view, ids, moved)}</svg>'
    )


def after(w: Win) -> str:
    """The line as it would stand after a win: a chip for each car, those that moved underlined."""
    chips = "".join(
        f'<use href="#rs-chip-{c.colour}" x="{RIGHT_CHIP - 24 * place}" width="24" height="24"/>'
        for place, c in enumerate(w.line)
    )
    label = _("afterwards, from the front: {cars}").format(
        cars=", ".join(colour_name(c.colour) for c in w.line)
    )
    left = RIGHT_CHIP - 24 * (w.moved - 1) + 1.5
    return (
        f'<svg {NS} class="rs-after" viewBox="0 0 {24 * FULL + 22} 29" {_name(label)}>{chips}'
        f'<path d="M{left:g} 26.5H{RIGHT_CHIP + 22.5}" stroke="currentColor" stroke-width="3"/>'
        f'<path d="M{RIGHT_CHIP + 27} 5l8 7l-8 7" fill="none" stroke="currentColor" stroke-width="3.5"/>'
        "</svg>"
    )


# ---- the podium and the poster --------------------------------------------------------------------


@dataclass(frozen=True)
class Finisher:
    """Who stands on the podium."""

    rank: int  # shared ranks have the same number
    name: str
    total: int
    seat: int


_STEPS = {1: 214, 2: 170, 3: 136}  # the height of a rank's step


def podium(finishers: Sequence[Finisher], *, heading: str = "") -> str:
    """The first three on their steps, as a picture of its own to keep or to share."""
    top = [f for f in finishers if f.rank <= 3][:3]
    spots = (300, 112, 488)
    rows = "".join(f'<path d="M{x} 440v-8h60v8z" fill="{WHITE}"/>' for x in range(-20, 600, 110))
    parts = [
        f"<defs>{_car_symbols('podium')}</defs>",
        f'<rect width="600" height="470" fill="{SKY}"/>',
        f'<path d="M0 400V250Q150 190 320 240T600 216V400Z" fill="{HILL}"/>',
        f'<path d="M0 400H600V470H0Z" fill="{ROAD}"/>',
    ]
    for i, f in enumerate(top):
        x, high = spots[i], _STEPS[f.rank]
        y = 400 - high
        parts.append(
            f'<rect x="{x - 90}" y="{y}" width="180" height="{high}" fill="{SIGN}"/>'
            f'<rect x="{x - 85}" y="{y + 5}" width="170" height="{high + 8}" fill="none" stroke="{WHITE}" '
            'stroke-width="3"/>'
            f'<path d="M{x} {y}v-34" stroke="#6b7480" stroke-width="9"/>'
        )
        parts.append(_plate(f.seat, x, y - 72, 1.9))
        name = _short(f.name, 15)
        parts.append(_text(x, y + 37, min(31, 330 // max(1, len(name))), name, WHITE, anchor="middle"))
        points = plural("{n} point", "{n} points", f.total)
        parts.append(_text(x, y + 68, 27, points, WHITE, anchor="middle"))
        parts.append(lettering(str(f.rank), x, y + 104, 44, WHITE))
    parts.append(f'<path d="M0 400H600" stroke="{WHITE}" stroke-width="5"/>{rows}')
    for colour, x in ((0, 60), (2, 178), (3, 296), (1, 414), (BLACK, 538)):
        parts.append(_use(colour, f' transform="translate({x} 424) scale(.92)"', prefix="podium"))
    label = heading or _("Podium")
    spoken = "; ".join(
        _("{place}. {name}, {points}").format(
            place=f.rank, name=f.name, points=plural("{n} point", "{n} points", f.total)
        )
        for f in top
    )
    label = _name(f"{label}: {spoken}")
    return f'<svg {NS} class="rs-podium" viewBox="0 0 600 470" {label}>{"".join(parts)}</svg>'


def wordmark(ink: str = "currentColor") -> str:
    """The title as lettering of the road."""
    return (
        f'<svg {NS} class="rs-wordmark" viewBox="-14 -4 452 108" {_name("RASANT")}>'
        f"{lettering('RASANT', 212, 50, 100, ink, pen=19, slant=-12)}</svg>"
    )


def poster() -> str:
    """The title's poster for the home page."""
    queue = "".join(
        _use(colour, f' transform="translate({x} 250) scale(.68)"', prefix="poster")
        for x, colour in ((32, 2), (106, 0), (180, 3), (254, 1))
    )
    name = _name(_("Poster: a black toy car shoots past a queue of coloured ones, under a sign for 130"))
    return (
        f'<svg {NS} class="rs-poster" viewBox="0 0 300 420" {name}><defs>{_car_symbols("poster")}</defs>'
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
        + _use(BLACK, ' transform="translate(172 353) scale(2)"', prefix="poster")
        + "</svg>"
    )


ROW = 70


def svg(view: View) -> str:
    """The line, the scores and the hands that are open, as a drawing that stands alone."""
    drawing = strip(view)
    opening = drawing.index(">") + 1
    high = HIGH + ROW * len(view.players)
    head = drawing[:opening].replace(f"0 0 {WIDE} {HIGH}", f"0 0 {WIDE} {high}")
    rows = "".join(_player_row(p.seat, view) for p in view.players)
    ground = f'<rect y="{HIGH}" width="{WIDE}" height="{high - HIGH}" fill="{WHITE}"/>'
    symbols = f"<defs>{_car_symbols()}{_card_symbols()}{_land_symbol()}</defs>"
    drawing = f"{head}{symbols}{drawing[opening:-6]}{ground}{rows}</svg>"
    return re.sub(r"var\(--[a-z-]+,([^()]+)\)", r"\1", drawing)


def _player_row(seat: int, view: View) -> str:
    p = view.players[seat]
    y = HIGH + ROW * seat
    points = plural("{n} point", "{n} points", p.score)
    marks = [
        word
        for word, is_so in (
            (_("leads"), p.leads), (_("highest"), p.best), (_("passed"), p.passed), (_("to move"), p.deciding)
        )
        if is_so
    ]  # fmt: skip
    cards = plural("{n} card", "{n} cards", p.cards)
    if p.hand:
        cards = ""
        for i, c in enumerate(p.hand):
            spot = _at(720 + 56 * i, y + 5, 49, 60)
            cards += f"<g {_name(card_name(c))}>{_card(c, place=spot)}</g>"
    else:
        cards = _text(720, y + 43, 22, cards, INK)
    return (
        f'<path d="M0 {y}H{WIDE}" stroke="#c9ced4" stroke-width="2"/>{_plate(seat, 46, y + 35)}'
        + _text(88, y + 43, 26, _short(p.name, 18), INK)
        + _text(340, y + 43, 30, points, INK)
        + _text(490, y + 43, 20, ", ".join(marks), INK)
        + cards
    )
