"""Rasant: draws the line of cars, in a wide form for large screens and in a compact one for phones."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from html import escape
from typing import TYPE_CHECKING

from paddock.core.i18n import _, pgettext, plural
from paddock.games.rasant.drawing.lettering import lettering
from paddock.games.rasant.drawing.pieces import (
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
    SKY,
    USUAL,
    VERGE,
    WHITE,
    WOOD,
    card_name,
    chip,
    colour_name,
    face,
    times,
    use,
)
from paddock.parts.drawing import aria, short

if TYPE_CHECKING:
    from paddock.games.rasant.words.view import Car, View, Win

WIDE, HIGH = 1800, 440
CELL = 135.0
RIGHT = WIDE - 22.0  # the front of the line
TOP, BOTTOM = 122, 266  # edges of the road
LANE = 222  # the middle of the lane of the line
BARS = 302  # where the wins begin
BAR = 34
SCALE = 1.18
SIGNS = 1.34  # the scale of the signs over the road
BOARD = 150  # where the sign of the round begins
FULL = 13


def _x(place: int) -> float:
    """Return the middle of a place in the line; 0 is the front."""
    return RIGHT - CELL * (place + 0.5)


def label(x: float, y: float, size: float, words: str, ink: str = LIGHT, *, anchor: str = "start") -> str:
    """Draw words in condensed letters."""
    return (
        f'<text x="{x:g}" y="{y:g}" font-size="{size:g}" text-anchor="{anchor}" font-family="{SANS}" '
        f'font-weight="700" fill="{ink}">{escape(words)}</text>'
    )


def rears(line: Sequence[Car]) -> dict[int, int]:
    """Return the place (from 0) of the rearmost car of each colour that can win (RA-4.1)."""
    return {c.colour: place for place, c in enumerate(line) if c.colour != BLACK}


# The scenery extends beyond both ends of the drawing, for wide windows.
LAND = (-WIDE, 3 * WIDE)
SPREAD = f'x="{LAND[0]}" width="{LAND[1]}"'
ABOVE = 400  # the sky above the drawing, for high boards


def _scenery() -> str:
    """Draw sky, hills, woods, and the motorway with its crash barrier."""
    first, last = LAND[0], LAND[0] + LAND[1]
    woods = "".join(
        f"M{x} 118a{r} {r * 1.3:g} 0 0 1 {2 * r} 0z"
        for x, r in (
            (-560, 40), (-480, 28), (-190, 26), (20, 34), (70, 26), (560, 30), (604, 40), (670, 24),
            (1010, 26), (1380, 38), (1450, 26), (1790, 30), (2180, 40), (2250, 28), (2600, 34), (-1100, 36),
        )
    )  # fmt: skip
    slabs = range(int((RIGHT - last) // CELL), int((RIGHT - first) // CELL) + 1)
    seams = "".join(f"M{RIGHT - CELL * i:g} {TOP + 6}V{BOTTOM - 6}" for i in slabs)
    posts = "".join(f"M{x} 112v12" for x in range(24 - 25 * 72, last, 72))
    hills = (
        f"M{first} 122V76Q-1500 40 -1000 80T0 84Q180 40 390 82T760 78T1280 66T1800 84T2500 60T{last} 70V122Z"
    )
    dashes = 46 + 49
    return (
        f'<rect {SPREAD} y="{-ABOVE}" height="{TOP + ABOVE}" fill="{SKY}"/>'
        f'<path d="{hills}" fill="{HILL}"/>'
        f'<path d="{woods}" fill="{WOOD}"/>'
        f'<path d="M{first} 110H{last}" stroke="{WHITE}" stroke-width="7"/>'
        f'<path d="M{first} 114.5H{last}{posts}" stroke="#77818c" stroke-width="3"/>'
        f'<rect {SPREAD} y="{TOP}" height="{BOTTOM - TOP}" fill="{ROAD}"/>'
        f'<path d="{seams}" stroke="{INK}" stroke-width="1.5" opacity=".22"/>'
        f'<path d="M{first} {TOP + 4}H{last}M{first} {BOTTOM - 4}H{last}" stroke="{WHITE}" stroke-width="5"/>'
        f'<path d="M{-20 * dashes} 166H{last}" stroke="{WHITE}" stroke-width="5" stroke-dasharray="46 49"/>'
        f'<rect {SPREAD} y="{BOTTOM}" height="{HIGH - BOTTOM}" fill="{VERGE}"/>'
    )


def land_symbols() -> str:
    """Return the symbols of the sceneries of ``strip`` and ``compact``."""
    return (
        f'<symbol id="rs-land" viewBox="{LAND[0]} {-ABOVE} {LAND[1]} {HIGH + ABOVE}">{_scenery()}</symbol>'
        f'<symbol id="rs-near" viewBox="-720 -400 1800 1000">{_small_land()}</symbol>'
    )


def _panel(x: float, wide: float, inside: str, ground: str = SIGN) -> str:
    """Draw a sign, 84 high before it is scaled, that hangs from the bridge over the road."""
    return (
        f'<g transform="translate({x:g} 5) scale({SIGNS})">'
        f'<rect width="{wide:g}" height="84" rx="7" fill="{ground}"/>'
        f'<rect x="4" y="4" width="{wide - 8:g}" height="76" rx="5" fill="none" '
        f'stroke="{WHITE}" stroke-width="3"/>'
        f"{inside}</g>"
    )


def _bridge(view: View, you: Collection[int]) -> str:
    """Draw the signs over the road: the round, the reserve, and where the front is."""
    posts = f'<path d="M40 {TOP + 6}V22H1760V{TOP + 6}" fill="none" stroke="{POST}" stroke-width="9"/>'
    ahead = f'<path d="M158 42h42M184 24l18 18l-18 18" fill="none" stroke="{WHITE}" stroke-width="9"/>'
    front = _panel(1440, 220, label(22, 55, 38, _("FRONT"), WHITE) + ahead)
    reserve = _panel(
        1130,
        200,
        label(18, 37, 22, _("Reserve"), WHITE)
        + label(18, 66, 24, plural("{n} card", "{n} cards", view.reserve), WHITE),
    )
    return posts + _round_sign(view, you) + reserve + front


def _by(speed: int, name: str, letters: int, *, own: bool) -> str:
    """Return the speed and who played it; ``own``: the reader did."""
    if own:
        return _("{speed} by you").format(speed=speed)
    return _("{speed} by {name}").format(speed=speed, name=short(name, letters))


def _leads(name: str, *, own: bool) -> str:
    """Return who leads the round; ``own``: the reader does."""
    if own:
        return pgettext("play the first card of a round", "You lead")
    return pgettext("play the first card of a round", "{name} leads").format(name=short(name, 18))


def highest_words(view: View, you: Collection[int] = ()) -> str:
    """Return whose card is the highest of the round, in words; ``you`` are the reader's seats."""
    if view.top is None or view.best is None:
        return ""
    if view.best in you:
        return _("your {card} is the highest").format(card=card_name(view.top))
    name = view.players[view.best].name
    return _("{card} by {name} is the highest").format(card=card_name(view.top), name=name)


def _round_sign(view: View, you: Collection[int]) -> str:
    if view.top is not None and view.colour is not None and view.best is not None:
        paint = PAINTS[view.colour]
        by = _by(view.top.speed, view.players[view.best].name, 14, own=view.best in you)
        words = _("Round of {colour}").format(colour=colour_name(view.colour))
        highest = highest_words(view, you)
        flag = f'<rect x="406" y="8" width="146" height="68" rx="3" fill="{paint.ground}"/>'
        flag += lettering(paint.letter, 436, 42, 44, paint.ink)
        flag += f'<g color="{WHITE}" transform="translate(506 45) scale(.68)">{use(view.colour)}</g>'
        lines = label(104, 34, 23, words, WHITE) + label(104, 66, 27, by, WHITE)
        highest_card = face(view.top, place=box(BOARD + 12, 0, 100, 124))
        return _panel(BOARD, 560, lines + flag) + (f"<g {aria(f'{words}: {highest}')}>{highest_card}</g>")
    if view.leader is not None:
        say = (_leads(view.players[view.leader].name, own=view.leader in you), _("Any coloured card"))
    elif view.phase == "over":
        say = (_("The game is over"), _("Nobody can lead"))
    else:
        say = (_("Drawing cards"), _("The next round begins soon"))
    return _panel(BOARD, 560, label(22, 38, 28, say[0], WHITE) + label(22, 66, 22, say[1], WHITE))


def box(x: float, y: float, wide: float, high: float) -> str:
    """Return the attributes of a place."""
    return f'x="{x:g}" y="{y:g}" width="{wide:g}" height="{high:g}"'


def win_says(w: Win) -> str:
    """Describe a win in words: «red: 5 cars, 8 points, doubled»."""
    cars = plural("{n} car", "{n} cars", w.moved)
    points = plural("{n} point", "{n} points", w.points)
    words = _("{colour}: {cars}, {points}").format(colour=colour_name(w.colour), cars=cars, points=points)
    if w.factor == 1:
        return words
    doubled = _("{words}, doubled") if w.factor == USUAL else _("{words}, {times}")
    return doubled.format(words=words, times=times(w.factor))


def _bar(w: Win, view: View, row: int) -> str:
    """Draw what a win of a colour would move: an arrow from the back to its rearmost car, and the points."""
    paint = PAINTS[w.colour]
    y, high = BARS + row * BAR, BAR - 4
    left, right = _x(FULL - 1) - CELL / 2, _x(FULL - w.moved) + CELL / 2 - 6
    other = view.colour is not None and view.colour != w.colour  # cannot win this round
    arrow = f"M{left:g} {y}H{right - 10:g}l15 {high / 2:g}l-15 {high / 2:g}H{left:g}Z"
    fill = (
        f'fill="{VERGE}" stroke="{LIGHT}" stroke-width="2" stroke-dasharray="7 5"'
        if other
        else (f'fill="{paint.ground}" stroke="{LIGHT}" stroke-width="{4 if view.colour == w.colour else 2}"')
    )
    ink = LIGHT if other else paint.ink
    words = f"{paint.letter} {w.moved}"
    if w.moved > 2:
        words = plural(
            "{colour} · {n} car", "{colour} · {n} cars", w.moved, colour=colour_name(w.colour).upper()
        )
    points = plural("{n} point", "{n} points", w.points)
    more = label(right + 20, y + 26, 32, points)
    if w.factor > 1:
        chip = right - 54
        more += f'<rect x="{chip - 6:g}" y="{y}" width="48" height="{high}" fill="{WHITE}"/>'
        more += lettering(times(w.factor), chip + 18, y + high / 2, 19, INK, pen=19)
    return (
        f'<g {aria(win_says(w))}><path d="{arrow}" {fill}/>'
        + label(left + 12, y + 24, 27, words, ink)
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
                f'<path d="M{x - 19:g} 298V274L{x:g} 263L{x + 19:g} 274V298Z" fill="{paint.ground}" '
                f'stroke="{LIGHT}" stroke-width="2"/>{lettering(paint.letter, x, 284, 18, paint.ink, pen=19)}'
            )
        else:
            out.append(label(x, 295, 27, str(place + 1), anchor="middle"))
    return "".join(out)


def _car_says(place: int, c: Car, rear: bool, factor: int) -> str:
    name = colour_name(c.colour)
    if c.colour == BLACK:
        name = (_("black, doubles") if factor == USUAL else _("black, {times}")).format(times=times(factor))
    words = f"{place + 1}: {name}"
    return _("{car}, the rearmost").format(car=words) if rear else words


def _pieces(view: View, ids: str) -> str:
    """Draw the cars, in the order of their ids."""
    rear, factor = rears(view.line) if view.wins else {}, view.black_factor
    cars = []
    for place, c in sorted(enumerate(view.line), key=lambda at: at[1].id):
        x = _x(place)
        label = _car_says(place, c, rear.get(c.colour) == place, factor)
        cars.append(
            f'<g id="{ids}car-{c.id}" data-piece="{c.id}" {aria(label)} '
            f'transform="translate({x:g} {LANE}) scale({SCALE})">{use(c.colour, factor=factor)}</g>'
        )
    return "".join(cars)


def strip(view: View, *, you: Collection[int] = (), ids: str = "") -> str:
    """Draw the line, with the front on the right, and what a win of each colour would move and score.

    Cars keep their ids (``car-0`` … ``car-12``) and their order: so an update of the page animates them.
    ``you`` are the reader's seats.
    """
    bars = "".join(_bar(w, view, row) for row, w in enumerate(view.wins))
    heading = _("The line: the front is on the right")
    return (
        f'<svg {NS} id="{ids}strip" class="rs-strip" viewBox="0 0 {WIDE} {HIGH}" role="group" '
        f'aria-label="{escape(heading)}"><use href="#rs-land" {SPREAD} y="{-ABOVE}" height="{HIGH + ABOVE}"/>'
        f"{_bridge(view, you)}"
        f'<g aria-hidden="true">{_marks(view)}</g>{bars}{_pieces(view, ids)}</svg>'
    )


# ---- the compact form -----------------------------------------------------------------------------

SMALL, FLAT = 360, 142  # its width and height; on a high board the wins are below
UPPER, LOWER = 40, 112  # the edges of its road
LANES = (60, 94)  # the middles of its two lanes: cars are on either by turns, so that they are twice as large
EDGE = 14.0  # on both sides of the line
PLACE = (SMALL - 2 * EDGE) / FULL  # the width of a place
ROW = 20  # of a win
LARGE = 0.44  # the scale of its cars


def _near(place: int) -> float:
    return SMALL - EDGE - PLACE * (place + 0.5)


def compact(view: View, *, you: Collection[int] = (), ids: str = "p-") -> str:
    """Draw the line for a phone, on two lanes, with a sign of its colour under every car, and what a win of
    each colour would move and score, where the board is high. ``you`` as for ``strip``."""
    wins = "".join(_small_win(w, view, row) for row, w in enumerate(view.wins))
    return (
        f'<svg {NS} id="{ids}strip" class="rs-strip is-compact" viewBox="0 0 {SMALL} {FLAT}" '
        f'preserveAspectRatio="xMidYMin" {aria(_line_says(view))}>'
        f'<use href="#rs-near" {box(-720, -400, 1800, 1000)}/>'
        f'{_small_signs(view, you)}<g class="rs-below">{wins}</g>{_small_cars(view, ids)}</svg>'
    )


def _line_says(view: View) -> str:
    """Return the line and the wins in words."""
    cars = _(", ").join(colour_name(c.colour) for c in view.line)
    words = [_("The line from the front: {cars}").format(cars=cars)]
    if view.wins:
        words.append(_("A win moves and scores: {wins}").format(wins=_("; ").join(map(win_says, view.wins))))
    return _(". ").join(words)


def _small_land() -> str:
    """Draw the sky, the road and its verge, beyond both ends."""
    wide, lanes = 'x="-720" width="1800"', (UPPER + LOWER) / 2
    hills = (
        f"M-720 {UPPER}V26Q-620 6 -560 24T-440 28T-300 24T-170 26T-60 24T60 28T200 24T330 26T450 18T580 26"
        f"T720 20T900 26T1080 22V{UPPER}Z"
    )
    return (
        f'<rect {wide} y="-400" height="{UPPER + 400}" fill="{SKY}"/><path d="{hills}" fill="{HILL}"/>'
        f'<rect {wide} y="{UPPER}" height="{LOWER - UPPER}" fill="{ROAD}"/>'
        f'<rect {wide} y="{LOWER}" height="500" fill="{VERGE}"/>'
        f'<path d="M-720 {UPPER + 1}H1080M-720 {LOWER - 1}H1080" stroke="{WHITE}" stroke-width="2.5"/>'
        f'<path d="M-720 {lanes:g}H1080" stroke="{WHITE}" stroke-width="2" stroke-dasharray="16 17"/>'
    )


def _small_panel(x: float, wide: float, inside: str) -> str:
    return (
        f'<g transform="translate({x:g} 3)"><rect width="{wide:g}" height="34" rx="4" fill="{SIGN}"/>'
        f'<rect x="1.5" y="1.5" width="{wide - 3:g}" height="31" rx="3" fill="none" stroke="{WHITE}" '
        f'stroke-width="1.5"/>{inside}</g>'
    )


def _small_signs(view: View, you: Collection[int]) -> str:
    """Draw the signs of the round, the reserve and the front."""
    reserve = label(6, 14, 11, _("Reserve"), WHITE) + label(6, 29, 15, str(view.reserve), WHITE)
    arrow = f'<path d="M38 24h16M47 17l8 7l-8 7" fill="none" stroke="{WHITE}" stroke-width="3"/>'
    front = label(6, 14, 11, _("FRONT"), WHITE) + arrow
    return _small_round(view, you) + _small_panel(236, 54, reserve) + _small_panel(294, 62, front)


def _small_round(view: View, you: Collection[int]) -> str:
    if view.top is not None and view.colour is not None and view.best is not None:
        paint = PAINTS[view.colour]
        words = _("Round of {colour}").format(colour=colour_name(view.colour))
        by = _by(view.top.speed, view.players[view.best].name, 12, own=view.best in you)
        flag = f'<rect x="198" y="5" width="24" height="24" rx="3" fill="{paint.ground}" stroke="{WHITE}"/>'
        flag += lettering(paint.letter, 210, 17, 14, paint.ink, pen=19)
        lines = label(40, 14, 11.5, words, WHITE) + label(40, 29, 15.5, by, WHITE)
        drawn = face(view.top, place=box(8, 1, 31, 38))
        return _small_panel(4, 228, flag + lines) + drawn
    if view.leader is not None:
        say = (_leads(view.players[view.leader].name, own=view.leader in you), _("Any coloured card"))
    elif view.phase == "over":
        say = (_("The game is over"), _("Nobody can lead"))
    else:
        say = (_("Drawing cards"), _("The next round begins soon"))
    return _small_panel(4, 228, label(8, 15, 14, say[0], WHITE) + label(8, 29, 12, say[1], WHITE))


def _small_win(w: Win, view: View, row: int) -> str:
    """Draw an arrow from the back to the rearmost car of a colour, and the points."""
    paint = PAINTS[w.colour]
    y, high = FLAT + row * ROW, ROW - 3
    left, right = _near(FULL - 1) - PLACE / 2, _near(FULL - w.moved) + PLACE / 2 - 2
    other = view.colour is not None and view.colour != w.colour  # cannot win this round
    arrow = f"M{left:g} {y}H{right - 6:.1f}l7 {high / 2:g}l-7 {high / 2:g}H{left:g}Z"
    edge = 2.4 if view.colour == w.colour else 1.2
    fill = (
        f'fill="{VERGE}" stroke="{LIGHT}" stroke-width="1.2" stroke-dasharray="4 3"'
        if other
        else f'fill="{paint.ground}" stroke="{LIGHT}" stroke-width="{edge}"'
    )
    ink = LIGHT if other else paint.ink
    cars = plural("{n} car", "{n} cars", w.moved)
    words = f"{paint.letter} {w.moved}" if w.moved < 4 else f"{paint.letter} · {cars}"
    points = plural("{n} point", "{n} points", w.points)
    if w.factor > 1:
        points = f"{points} {times(w.factor)}"
    inside = w.moved > 9
    at, anchor, shade = (right - 8, "end", ink) if inside else (right + 7, "start", LIGHT)
    return (
        f'<path d="{arrow}" {fill}/>'
        + label(left + 4, y + 13, 13, words, ink)
        + label(at, y + 13.5, 14, points, shade, anchor=anchor)
    )


def _small_cars(view: View, ids: str) -> str:
    """Draw the cars, in the order of their ids, each with the sign of its colour: see ``_pieces``."""
    cars = []
    for place, c in sorted(enumerate(view.line), key=lambda at: at[1].id):
        x = _near(place)
        sign = chip(c.colour, f'x="-10.5" width="21" height="21" color="{LIGHT}"', view.black_factor)
        cars.append(
            f'<g id="{ids}car-{c.id}" data-piece="{c.id}" '
            f'transform="translate({x:.1f} {LANES[1 - place % 2]}) scale({LARGE})">'
            f"{use(c.colour, factor=view.black_factor)}</g>"
            f'<g id="{ids}chip-{c.id}" data-piece="{c.id}" data-flat="" '
            f'transform="translate({x:.1f} {LOWER + 3})">{sign}</g>'
        )
    return "".join(cars)
