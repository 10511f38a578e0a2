"""Rasant: draws a view as SVG, for tables, replays, notebooks and the docs.

The pieces of the drawings are in ``pieces.py``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING

from paddock.core.i18n import _, plural
from paddock.games.rasant.lettering import lettering
from paddock.games.rasant.pieces import (
    BLACK,
    HILL,
    INK,
    LIGHT,
    NS,
    PAINTS,
    POST,
    ROAD,
    SANS,
    SIGN,
    SIGN_BLUE,
    SIGN_RED,
    SKY,
    VERGE,
    WHITE,
    WOOD,
    Paint,
    car,
    car_label,
    car_symbols,
    card,
    card_name,
    card_symbols,
    chip_symbols,
    colour_name,
    face,
    plate,
    plate_symbols,
    player_mark,
    use,
)
from paddock.parts import drawing as parts
from paddock.parts.drawing import aria, podium_says, short, standalone

if TYPE_CHECKING:
    from paddock.games.rasant.view import Car, View, Win

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
    "player_mark",
    "podium",
    "poster",
    "rears",
    "sprite",
    "strip",
    "svg",
    "win_says",
    "wordmark",
]

# ---- the line -----------------------------------------------------------------------------------

FIELD = SIGN  # behind pictures that are shared
WIDE, HIGH = 1280, 388
CELL = 95.0
RIGHT = WIDE - 22.0  # the front of the line
TOP, BOTTOM = 122, 246  # edges of the road
LANE = 212  # the middle of the lane of the line
BARS = 276  # where the wins begin
BAR = 27
SCALE = 0.86
BOARD = 130  # where the sign of the round begins
PULL = 0.14  # how far a car moves sideways for each unit that it moves along the road
FULL = 13
RIGHT_CHIP = 24 * (FULL - 1)


def _x(place: int) -> float:
    """Return the middle of a place in the line; 0 is the front."""
    return RIGHT - CELL * (place + 0.5)


def _text(x: float, y: float, size: float, words: str, ink: str = LIGHT, *, anchor: str = "start") -> str:
    return (
        f'<text x="{x:g}" y="{y:g}" font-size="{size:g}" text-anchor="{anchor}" font-family="{SANS}" '
        f'font-weight="700" fill="{ink}">{escape(words)}</text>'
    )


def rears(line: Sequence[Car]) -> dict[int, int]:
    """Return the place (from 0) of the rearmost car of each colour that can win (RA-4.1)."""
    return {c.colour: place for place, c in enumerate(line) if c.colour != BLACK}


# The scenery extends beyond both ends of the drawing, for wide windows.
LAND = (-WIDE, 3 * WIDE)
_LAND = f'x="{LAND[0]}" width="{LAND[1]}"'


def _scenery() -> str:
    """Draw sky, hills, woods, and the motorway with its crash barrier."""
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
    """Draw a sign, 84 high, that hangs from the bridge over the road."""
    return (
        f'<g transform="translate({x:g} 10)"><rect width="{wide:g}" height="84" rx="7" fill="{ground}"/>'
        f'<rect x="4" y="4" width="{wide - 8:g}" height="76" rx="5" fill="none" '
        f'stroke="{WHITE}" stroke-width="3"/>'
        f"{inside}</g>"
    )


def _bridge(view: View) -> str:
    """Draw the signs over the road: the round, the reserve, and where the front is."""
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
        by = _("{speed} by {name}").format(speed=view.top.speed, name=short(name, 14))
        words = _("Round of {colour}").format(colour=colour_name(view.colour))
        highest = _("{card} by {name} is the highest").format(card=card_name(view.top), name=name)
        flag = f'<rect x="406" y="8" width="146" height="68" rx="3" fill="{paint.ground}"/>'
        flag += lettering(paint.letter, 436, 42, 44, paint.ink)
        flag += f'<g color="{WHITE}" transform="translate(506 45) scale(.68)">{use(view.colour)}</g>'
        lines = _text(104, 34, 23, words, WHITE) + _text(104, 66, 27, by, WHITE)
        highest_card = face(view.top, place=_at(BOARD + 12, 3, 80, 99))
        return _panel(BOARD, 560, lines + flag) + (f"<g {aria(f'{words}: {highest}')}>{highest_card}</g>")
    if view.leader is not None:
        name = short(view.players[view.leader].name, 18)
        say = (_("{name} leads").format(name=name), _("Any coloured card"))
    elif view.phase == "over":
        say = (_("The game is over"), _("Nobody can lead"))
    else:
        say = (_("Drawing cards"), _("The next round begins soon"))
    return _panel(BOARD, 560, _text(22, 38, 28, say[0], WHITE) + _text(22, 66, 22, say[1], WHITE))


def _at(x: float, y: float, wide: float, high: float) -> str:
    return f'x="{x:g}" y="{y:g}" width="{wide:g}" height="{high:g}"'


def win_says(w: Win) -> str:
    """Describe a win in words: «red: 5 cars, 8 points, doubled»."""
    cars = plural("{n} car", "{n} cars", w.moved)
    points = plural("{n} point", "{n} points", w.points)
    words = _("{colour}: {cars}, {points}").format(colour=colour_name(w.colour), cars=cars, points=points)
    return _("{words}, doubled").format(words=words) if w.black else words


def _bar(w: Win, view: View, row: int) -> str:
    """Draw what a win of a colour would move: an arrow from the back to its rearmost car, and the points."""
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
        f'<g {aria(win_says(w))}><path d="{arrow}" {fill}/>'
        + _text(left + 12, y + 19, 20, words, ink)
        + more
        + "</g>"
    )


def _marks(view: View) -> str:
    """Draw the places under the road, or the letter of a colour under its rearmost car."""
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
    name = _("black, doubles") if c.colour == BLACK else colour_name(c.colour)
    words = f"{place + 1}: {name}"
    return _("{car}, the rearmost").format(car=words) if rear else words


def _pieces(view: View, ids: str, moved: int) -> str:
    """Draw the cars, in the order of their ids.

    Two nested translations place a car. In the animation the inner one is faster, so that a car leaves the
    lane and returns to it. Of the ``moved`` cars in front the last one went first (RA-4.1).
    """
    rear = rears(view.line) if view.wins else {}
    cars = []
    for place, c in sorted(enumerate(view.line), key=lambda at: at[1].id):
        x = _x(place)
        lean = PULL * x
        label = _car_says(place, c, rear.get(c.colour) == place)
        goes = f" rs-goes rs-at-{moved - 1 - place}" if place < moved else ""
        cars.append(
            f'<g id="{ids}car-{c.id}" class="rs-moves{goes}" {aria(label)} '
            f'transform="translate({x:g} {lean:.1f})">'
            f'<g transform="translate(0 {LANE - lean:.1f}) scale({SCALE})">{use(c.colour)}</g></g>'
        )
    return "".join(cars)


def strip(view: View, *, moved: int = 0, ids: str = "") -> str:
    """Draw the line, with the front on the right, and what a win of each colour would move and score.

    Cars keep their ids (``car-0`` … ``car-12``) and their order: so an update of the page animates them. The
    ``moved`` cars in front are those that overtook last.
    """
    bars = "".join(_bar(w, view, row) for row, w in enumerate(view.wins))
    heading = _("The line: the front is on the right")
    return (
        f'<svg {NS} id="{ids}strip" class="rs-strip rs-at-{moved}" viewBox="0 0 {WIDE} {HIGH}" role="group" '
        f'aria-label="{escape(heading)}"><use href="#rs-land" {_LAND} height="{HIGH}"/>{_bridge(view)}'
        f'<g aria-hidden="true">{_marks(view)}</g>{bars}{_pieces(view, ids, moved)}</svg>'
    )


def after(w: Win) -> str:
    """Draw the line after a win: a chip for each car; those that moved are underlined."""
    chips = "".join(
        f'<use href="#rs-chip-{c.colour}" x="{RIGHT_CHIP - 24 * place}" width="24" height="24"/>'
        for place, c in enumerate(w.line)
    )
    label = _("afterwards, from the front: {cars}").format(
        cars=", ".join(colour_name(c.colour) for c in w.line)
    )
    left = RIGHT_CHIP - 24 * (w.moved - 1) + 1.5
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
        f"<defs>{car_symbols()}{card_symbols()}{chip_symbols()}{plate_symbols()}{_land_symbol()}</defs></svg>"
    )


# ---- the podium and the poster --------------------------------------------------------------------


@dataclass(frozen=True)
class Finisher(parts.Finisher):
    """A player on the podium."""

    seat: int


_STEPS = {1: 214, 2: 170, 3: 136}  # the height of the step of each place


def podium(finishers: Sequence[Finisher], *, heading: str = "") -> str:
    """Return a picture of the first three on their steps, to keep or to share."""
    top = [f for f in finishers if f.place <= 3][:3]
    spots = (300, 112, 488)
    rows = "".join(f'<path d="M{x} 440v-8h60v8z" fill="{WHITE}"/>' for x in range(-20, 600, 110))
    parts = [
        f"<defs>{car_symbols('podium')}</defs>",
        f'<rect width="600" height="470" fill="{SKY}"/>',
        f'<path d="M0 400V250Q150 190 320 240T600 216V400Z" fill="{HILL}"/>',
        f'<path d="M0 400H600V470H0Z" fill="{ROAD}"/>',
    ]
    for i, f in enumerate(top):
        x, high = spots[i], _STEPS[f.place]
        y = 400 - high
        parts.append(
            f'<rect x="{x - 90}" y="{y}" width="180" height="{high}" fill="{SIGN}"/>'
            f'<rect x="{x - 85}" y="{y + 5}" width="170" height="{high + 8}" fill="none" stroke="{WHITE}" '
            'stroke-width="3"/>'
            f'<path d="M{x} {y}v-34" stroke="#6b7480" stroke-width="9"/>'
        )
        parts.append(plate(f.seat, x, y - 72, 1.9))
        name = short(f.name, 15)
        parts.append(_text(x, y + 37, min(31, 330 // max(1, len(name))), name, WHITE, anchor="middle"))
        points = plural("{n} point", "{n} points", f.points)
        parts.append(_text(x, y + 68, 27, points, WHITE, anchor="middle"))
        parts.append(lettering(str(f.place), x, y + 104, 44, WHITE))
    parts.append(f'<path d="M0 400H600" stroke="{WHITE}" stroke-width="5"/>{rows}')
    for colour, x in ((0, 60), (2, 178), (3, 296), (1, 414), (BLACK, 538)):
        parts.append(use(colour, f' transform="translate({x} 424) scale(.92)"', prefix="podium"))
    name = aria(podium_says(top, heading))
    return f'<svg {NS} class="rs-podium" viewBox="0 0 600 470" {name}>{"".join(parts)}</svg>'


def wordmark(ink: str = "currentColor") -> str:
    """Return the title's name as lettering."""
    return (
        f'<svg {NS} class="rs-wordmark" viewBox="-14 -4 452 108" {aria("RASANT")}>'
        f"{lettering('RASANT', 212, 50, 100, ink, pen=19, slant=-12)}</svg>"
    )


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
    high = HIGH + ROW * len(view.players)
    head = drawing[:opening].replace(f"0 0 {WIDE} {HIGH}", f"0 0 {WIDE} {high}")
    rows = "".join(_player_row(p.seat, view) for p in view.players)
    ground = f'<rect y="{HIGH}" width="{WIDE}" height="{high - HIGH}" fill="{WHITE}"/>'
    symbols = f"<defs>{car_symbols()}{card_symbols()}{_land_symbol()}</defs>"
    drawing = f"{head}{symbols}{drawing[opening:-6]}{ground}{rows}</svg>"
    return standalone(drawing)


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
            cards += f"<g {aria(card_name(c))}>{face(c, place=spot)}</g>"
    else:
        cards = _text(720, y + 43, 22, cards, INK)
    return (
        f'<path d="M0 {y}H{WIDE}" stroke="#c9ced4" stroke-width="2"/>{plate(seat, 46, y + 35)}'
        + _text(88, y + 43, 26, short(p.name, 18), INK)
        + _text(340, y + 43, 30, points, INK)
        + _text(490, y + 43, 20, ", ".join(marks), INK)
        + cards
    )
