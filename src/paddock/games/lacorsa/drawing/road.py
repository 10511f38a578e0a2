"""LACORSA: draws the road, in a wide form for laptops and televisions and in a compact one for phones."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING

from paddock.core.i18n import _, pgettext, plural
from paddock.games.lacorsa.drawing.lettering import lettering
from paddock.games.lacorsa.drawing.pieces import (
    FIELD,
    INK,
    LIGHT,
    NS,
    PAPER,
    ROAD,
    SANS,
    SHADE,
    livery_name,
    stroke,
    use,
)
from paddock.parts.drawing import aria, short

if TYPE_CHECKING:
    from paddock.games.lacorsa.words.view import Car, View

WIDE, HIGH = 1280, 320
LONG = 2000  # the width of a road with many cars
FEW = 6  # cars
TOP, BOTTOM = 116, 256  # the edges of the road
MIDDLE = (TOP + BOTTOM) / 2
LARGEST = 200.0  # the width of a space at most
ROOM = 13 / WIDE  # with more cells for its width, long gaps of a road are cut short
NARROW = 16 / WIDE  # with more cells, every gap is drawn narrower than its spaces


def _wide(view: View) -> int:
    """Return the width of the road."""
    return WIDE if len(view.cars) <= FEW else LONG


@dataclass(frozen=True)
class _Gap:
    """The empty spaces ahead of a car, and with how many ``cells`` they are drawn."""

    spaces: int
    cells: float
    x: float  # where it begins
    cut: bool


def _cells(gaps: Sequence[int], cars: int, wide: int) -> list[int]:
    """Return the number of cells drawn for each gap: all its spaces if they fit; else long gaps are cut."""
    longest = max(gaps, default=0)
    while longest > 1 and cars + sum(min(g, longest) for g in gaps) > ROOM * wide:
        longest -= 1
    return [min(g, longest) for g in gaps]


def _layout(view: View) -> tuple[float, dict[int, float], list[_Gap], bool]:
    """Return the width of a cell, the middle of each car by seat, the gaps from the back to the front, and
    whether the gaps are narrowed to leave room for the cars."""
    queue = view.order[::-1]
    gaps = [view.cars[seat].gap for seat in queue[:-1]] + [0]
    wide = _wide(view)
    cells: list[float] = [*_cells(gaps, len(queue), wide)]
    narrow = len(queue) + sum(cells) > NARROW * wide
    if narrow:
        cells = [0.55 * n for n in cells]
    cell = min(LARGEST, (wide - 48) / (len(queue) + sum(cells) + 0.35))
    x = wide - 24 - cell * (len(queue) + sum(cells) + 0.35)
    centres, spans = {}, []
    for seat, gap, drawn in zip(queue, gaps, cells, strict=True):
        centres[seat] = x + cell / 2
        x += cell
        if gap:
            spans.append(_Gap(gap, drawn, x, round(drawn) < gap))
        x += drawn * cell
    return cell, centres, spans, narrow


def _bays(view: View) -> tuple[float, dict[int, float]]:
    """Return the width and middles of the pit boxes, where the cars wait by number until there is a grid."""
    wide = _wide(view)
    cell = min(LARGEST, (wide - 48) / len(view.cars))
    left = (wide - cell * len(view.cars)) / 2
    return cell, {car.seat: left + cell * (car.seat + 0.5) for car in view.cars}


def label(x: float, y: float, size: float, words: str, *, anchor: str = "middle", ink: str = LIGHT) -> str:
    """Draw words in condensed letters."""
    return (
        f'<text x="{x:.1f}" y="{y:g}" font-size="{size:g}" text-anchor="{anchor}" font-family="{SANS}" '
        f'font-weight="700" fill="{ink}">{escape(words)}</text>'
    )


# The compact form
SMALL, FLAT = 360, 176  # its width and height
UPPER, LOWER = 54, 110  # the edges of its road
NEAR = (LOWER - UPPER) / (BOTTOM - TOP)  # its scale
CENTRE = 88  # of its cars
AROUND = 6  # cars at most; of more, those around the reader's
BOARD = 22.0  # the width of a gap at least
PARKED = 7  # so many cars wait on two lanes of the pits
LANES = (96, 68)  # their middles
SIGN = 42  # the width of the sign of cars that are not drawn

# The scenery extends beyond both ends of the drawing, for wide windows.
FIRST, LAST = -LONG, 2 * LONG
LAND = f'x="{FIRST}" width="{LAST - FIRST}"'
ALONG = f"M{FIRST} {{y}}H{LAST}"


def land() -> str:
    """Return the symbols of the scenery of both forms, for ``strip`` and ``compact``."""
    return (
        f'<g id="lc-land">{_scenery()}</g><g id="lc-land-s">'
        f'<use href="#lc-land" transform="translate(0 {UPPER - TOP * NEAR:.1f}) scale({NEAR})"/>'
        f'<rect x="-360" y="{LOWER + 4:g}" width="1080" height="90" fill="{FIELD}"/></g>'
    )


def _scenery() -> str:
    """Draw the sky, its sun (on a high board), hills, pines, a grandstand, and the road with its kerbs."""
    pines = "".join(
        f'<path d="M{x} 112v-{h}m-{w} 0a{w} {h} 0 0 1 {2 * w} 0z" stroke="{SHADE}" stroke-width="4"/>'
        for x, h, w in (
            (-420, 24, 28), (-366, 19, 20), (60, 26, 30), (112, 20, 22), (905, 22, 24), (960, 28, 32),
            (1012, 19, 20), (1530, 26, 30), (1590, 20, 22),
        )
    )  # fmt: skip
    flags = "".join(f"M{x} 62V30l22 7l-22 7" for x in range(440, 700, 64))
    stand = f'<path d="M404 112V74l30-12h250l30 12v38z"/>{stroke(flags, SHADE, 3)}'
    hills = (
        f'<path d="M{FIRST} 112V92C-1000 62 -700 92 -460 78S-180 94 0 88C120 70 200 96 320 84S560 60 700 86'
        f'S980 62 1280 92S1800 66 2060 84S2400 78 {LAST} 88V112Z" opacity=".55"/>'
    )
    sun = f'<circle cx="170" cy="-112" r="104" fill="{LIGHT}" opacity="var(--lc-sun, 0)"/>'
    kerbs = "".join(
        f'<path d="{ALONG.format(y=y)}" stroke="{LIGHT}" stroke-width="8"/>'
        f'<path d="{ALONG.format(y=y)}" stroke="{INK}" stroke-width="8" stroke-dasharray="26 26"/>'
        for y in (TOP - 4, BOTTOM + 4)
    )
    return (
        f'<rect {LAND} y="-900" height="1900" fill="{FIELD}"/>{sun}'
        f'<g fill="{SHADE}">{hills}{stand}{pines}</g>'
        f'<rect {LAND} y="{TOP}" height="{BOTTOM - TOP}" fill="{ROAD}"/>{kerbs}'
    )


def _grid_marks(cell: float, first: float, last: float) -> str:
    """Draw a painted bracket at the front of every space."""
    fronts = []
    while last > first - cell / 2:
        fronts.append(last)
        last -= cell
    return _brackets(fronts)


def _brackets(fronts: Iterable[float]) -> str:
    marks = [f"M{x - 16:.1f} {TOP + 14}H{x:.1f}V{BOTTOM - 14}H{x - 16:.1f}" for x in fronts]
    return f'<path d="{"".join(marks)}" fill="none" stroke="{LIGHT}" stroke-width="3" opacity=".5"/>'


def _board(gap: _Gap, cell: float) -> str:
    """Draw a board in a gap with its number of spaces."""
    width = gap.cells * cell
    middle = gap.x + width / 2
    half = min(30.0, cell * 0.4, width / 2 - 2)
    parts = []
    if width > 2 * half + 40:
        y, a, b = MIDDLE, gap.x + 8, gap.x + width - 8
        arrow = f"M{a + 12:.1f} {y - 9:g}L{a:.1f} {y:g}l12 9M{b - 12:.1f} {y - 9:g}L{b:.1f} {y:g}l-12 9"
        parts.append(stroke(f"M{a:.1f} {y:g}H{b:.1f}{arrow}", LIGHT, 4))
    if gap.cut:  # cut the road, because not every space is drawn
        zigzag = "".join(f"l{-9 if i % 2 else 9} 14" for i in range(11))
        parts.append(
            f'<path d="M{middle - half - 6:.1f} {TOP - 7}{zigzag}h{2 * half + 3:.1f}'
            + "".join(f"l{9 if i % 2 else -9} -14" for i in range(11))
            + f'z" fill="{FIELD}" stroke="{LIGHT}" stroke-width="3"/>'
        )
    parts.append(
        f'<rect x="{middle - half:.1f}" y="{MIDDLE - 30:g}" width="{2 * half:.1f}" height="60" rx="4" '
        f'fill="{PAPER}" stroke="{INK}" stroke-width="3"/>'
        + lettering(str(gap.spaces), middle, MIDDLE, 38, INK, fit=2 * half - min(12.0, half / 2))
    )
    words = plural("{n} empty space", "{n} empty spaces", gap.spaces)
    return f"<g {aria(words)}>{''.join(parts)}</g>"


def _car_words(car: Car, view: View, you: Collection[int]) -> str:
    """Describe a car on the road in words."""
    words = [
        _("car {number}, {name}").format(number=car.seat + 1, name=car.name),
        *([_("you")] if car.seat in you else []),
        livery_name(car.seat + 1, car.wears),
    ]
    if car.place:
        words.append(_("place {place}").format(place=car.place))
        if car.place > 1:
            ahead = plural("{n} empty space ahead", "{n} empty spaces ahead", car.gap)
            words.append(ahead if car.gap else _("directly behind a car"))
    words.append(plural("{n} card", "{n} cards", car.cards))
    if car.pitted:
        words.append(_("has pitted"))
    if view.turn == car.seat:
        words.append(_("its turn"))
    if view.defender == car.seat:
        words.append(_("challenged"))
    if car.committed:
        words.append(_("committed"))
    elif car.deciding:
        words.append(_("choosing"))
    return ", ".join(words)


def _flag(x: float, foot: float) -> str:
    """Draw a pennant that shows whose turn it is."""
    words = pgettext("sign above the car whose turn it is", "TURN")
    return (
        stroke(f"M{x:.1f} {foot:g}V22", LIGHT, 5)
        + f'<path d="M{x:.1f} 20h74l-12 15l12 15h-74z" fill="{LIGHT}"/>'
        + f'<text x="{x + 9:.1f}" y="42" font-size="20" font-family="{SANS}" font-weight="700" fill="{INK}">'
        + f"{escape(words)}</text>"
    )


def _duel(a: float, b: float) -> str:
    """Draw an arrow from the challenger to the defender."""
    return stroke(f"M{a:.1f} 54H{b:.1f}V66M{b - 9:.1f} 58l9 9l9-9", LIGHT, 5)


def _choice(car: Car, x: float) -> str:
    """Draw a card above a car that decides: hollow while it chooses, with a tick when it has committed."""
    box = f'x="{x - 12:.1f}" y="75" width="24" height="31" rx="4" stroke="{LIGHT}" stroke-width="3"'
    if car.committed:
        tick = f"M{x - 6:.1f} 90l5 6l8-11"
        return f'<rect {box} fill="{LIGHT}"/>{stroke(tick, INK, 4)}'
    dots = "".join(f'<circle cx="{x + d:.1f}" cy="90" r="2.2" fill="{LIGHT}"/>' for d in (-6, 0, 6))
    return f'<rect {box} fill="{INK}" stroke-dasharray="5 3"/>{dots}'


def _pill(x: float, y: float, height: float) -> str:
    """Draw the sign that marks the reader's car: a pill with «YOU» that points at the car above it."""
    width = height * 2.1
    box = f'x="{x - width / 2:.1f}" y="{y:g}" width="{width:.1f}" height="{height:g}" rx="{height / 2:g}"'
    return f'<path d="M{x - 7:.1f} {y + 1:g}l7-8l7 8z" fill="{LIGHT}"/><rect {box} fill="{LIGHT}"/>' + label(
        x, y + 0.79 * height, 0.82 * height, _("YOU"), ink=INK
    )


def _caption(car: Car, x: float, cell: float, low: int, you: bool) -> str:
    """Draw the driver's name and the number of cards under a car; ``low`` moves them further down."""
    room = cell * (2 if cell < 110 else 1)
    letters = max(4, int(room / 11.5))
    name = short(car.name, letters)
    y = 286 + low
    pole = stroke(f"M{x:.1f} 264V{y - 18:g}", LIGHT, 2) if low else ""
    text_x = x - (20 if car.pitted else 0)
    icon = f'<rect x="{text_x - 19:.1f}" y="{y + 9}" width="13" height="18" rx="2.5" fill="{LIGHT}"/>'
    count = label(text_x - 1, y + 26, 22, str(car.cards), anchor="start")
    who = _pill(x, y - 19, 25) if you else label(x, y, 23, name)
    return pole + who + icon + count + (_pitted(x + 6, y + 7) if car.pitted else "")


def _pitted(x: float, y: float) -> str:
    """Draw the sign of a car that has pitted."""
    word = pgettext("sign above the pits", "PIT")
    return (
        f'<rect x="{x:.1f}" y="{y:g}" width="40" height="22" rx="2" fill="{PAPER}"/>'
        f'<text x="{x + 20:.1f}" y="{y + 18:g}" font-size="20" text-anchor="middle" font-family="{SANS}" '
        f'font-weight="700" fill="{INK}">{escape(word)}</text>'
    )


TAGGED = 0.72  # cars up to this scale have a tag


def _tag(number: int, scale: float) -> str:
    """Draw the number beside a car that is too small to show it; nothing for larger cars."""
    if scale > TAGGED:
        return ""
    return (
        f'<circle cy="{46 / scale:.0f}" r="{17 / scale:.0f}" fill="{PAPER}" stroke="{INK}" stroke-width="2"/>'
        + lettering(str(number), 0, 46 / scale, 22 / scale, INK, fit=25 / scale)
    )


def strip(view: View, *, you: Collection[int] = (), ids: str = "s") -> str:
    """Draw the road, with the leader on the right. ``you`` are the reader's seats, which are marked.

    Elements that move keep their id (``s-car-3`` is car number 3): so an update of the page animates them.
    """
    # During a tie in qualifying only some cars have a place. Retired cars are not on the road.
    gridded = len(view.order) + len(view.retired) == len(view.cars)
    wide = _wide(view)
    cell, centres = _bays(view)
    if gridded and not view.order:
        road, heading = "", _("The road: no car is left")
    elif gridded:
        cell, centres, gaps, narrow = _layout(view)
        front = centres[view.order[0]] + cell / 2
        spots = (x + cell / 2 for x in centres.values())
        marks = _brackets(spots) if narrow else _grid_marks(cell, centres[view.order[-1]] - cell / 2, front)
        road = marks + "".join(_board(g, cell) for g in gaps)
        if view.phase == "over":
            squares = "".join(f"M{front + 8 + 10 * (j % 2):.1f} {TOP + 10 * j}h10v10h-10z" for j in range(14))
            road += f'<path d="{squares}" fill="{LIGHT}"/>'
        heading = _("The road: the leader is on the right")
    else:
        lines = "".join(f"M{x - cell / 2:.1f} {TOP}V{BOTTOM}" for x in centres.values())
        road = stroke(lines + f"M{(wide + cell * len(view.cars)) / 2:.1f} {TOP}V{BOTTOM}", LIGHT, 3)
        heading = _("The pits: there is no grid yet")
    scale = min(1.65, (cell - 2) / 108)
    crowded = cell < 110  # captions alternate between two lines
    # A lower caption is below the number of cards, and below the sign for pitted cars if there are pit stops.
    line = (52 if view.pit_stops else 26) if crowded else 0
    height = HIGH + max(0, line - 2)
    above, cars = [], []
    for place, seat in enumerate(view.order if gridded else range(len(view.cars))):
        car, x = view.cars[seat], centres[seat]
        duel = view.phase in ("challenge", "incident")
        challenge = duel and view.turn is not None and view.defender is not None
        off = 18 if scale > TAGGED else 8
        shift = (off if seat == view.turn else -off if seat == view.defender else 0) if challenge else 0
        if car.deciding or car.committed:
            above.append(_choice(car, x))
        if view.turn == seat:
            above.insert(0, _flag(x - cell * 0.34, TOP - 8))
            if challenge and view.defender is not None:
                above.insert(0, _duel(x - cell * 0.34, centres[view.defender]))
        low = line * (place % 2)
        drawn = use(seat + 1, car.wears) + _tag(seat + 1, scale)
        cars.append(
            f'<g id="{ids}-car-{seat + 1}" data-piece="{seat + 1}" color="{PAPER}" '
            f"{aria(_car_words(car, view, you))} "
            f'transform="translate({x:.1f} {MIDDLE + shift:g}) scale({scale:.3f})">{drawn}</g>'
            f'<g id="{ids}-name-{seat + 1}" data-piece="{seat + 1}" data-flat="" aria-hidden="true" '
            f'transform="translate({x:.1f} 0)">' + _caption(car, 0, cell, low, seat in you) + "</g>"
        )
    cars.sort()  # by id: the elements keep their order, only their positions change
    signs = f'<g aria-hidden="true">{"".join(above)}</g>'
    return (
        f'<svg {NS} id="{ids}-strip" class="lc-strip{" is-long" * (wide > WIDE)}" '
        f'viewBox="0 12 {wide} {height - 12}" preserveAspectRatio="xMidYMax" role="group" '
        f'aria-label="{escape(heading)}"><use href="#lc-land"/>{road}{signs}{"".join(cars)}</svg>'
    )


# ---- the compact form -----------------------------------------------------------------------------


def compact(view: View, *, you: Collection[int] = (), ids: str = "p") -> str:
    """Draw the road for a phone: up to six cars, of more cars those around the reader's, and how many are
    ahead of and behind them. ``you`` are the reader's seats, which are marked."""
    gridded = len(view.order) + len(view.retired) == len(view.cars)
    if gridded and not view.order:
        return _small("", _("The road: no car is left"), ids)
    if not gridded:
        return _small_pits(view, you, ids)
    queue, behind, ahead = _window(view, you)
    gaps = [view.cars[seat].gap for seat in queue[:-1]]
    left = SIGN + 6.0 if behind else 8.0
    right = SMALL - (SIGN + 6.0 if ahead else 8.0)
    over = 14 if view.phase == "over" and not ahead else 0
    right -= over
    boards = [BOARD + 5 * min(gap - 1, 3) if gap else 0.0 for gap in gaps]
    cell = min(74.0, (right - left - sum(boards)) / len(queue))
    if cell < 44:
        boards = [BOARD if gap else 0.0 for gap in gaps]
        cell = min(74.0, (right - left - sum(boards)) / len(queue))
    x = left + (right - left - sum(boards) - cell * len(queue)) / 2
    centres: dict[int, float] = {}
    road = ""
    for seat, gap, width in zip(queue, [*gaps, 0], [*boards, 0.0], strict=True):
        centres[seat] = x + cell / 2
        x += cell
        if gap:
            road += _plate(x + width / 2, min(width - 4, 30), str(gap))
        x += width
    if over:
        squares = "".join(f"M{x + 3 + 5 * (j % 2):.1f} {UPPER + 5 * j}h5v5h-5z" for j in range(11))
        road += f'<path d="{squares}" fill="{LIGHT}"/>'
    road += _hidden_cars_sign(behind, 2, _("behind")) + _hidden_cars_sign(ahead, SMALL - SIGN - 2, _("ahead"))
    heading = _road_says(view, you)
    return _small(road + _small_cars(view, queue, centres, cell, you, ids), heading, ids)


def _window(view: View, you: Collection[int]) -> tuple[list[int], int, int]:
    """Return the seats to draw from the back to the front, and how many are behind and ahead of them."""
    queue = list(view.order[::-1])
    if len(queue) <= AROUND:
        return queue, 0, 0
    middle_car = next(
        (seat for seat in view.order if seat in you), view.turn if view.turn in queue else view.order[0]
    )
    index, cars_beside = queue.index(middle_car), AROUND - 1
    first = min(max(index - cars_beside // 2, 0), len(queue) - cars_beside)
    return queue[first : first + cars_beside], first, len(queue) - cars_beside - first


def _small(inside: str, heading: str, ids: str) -> str:
    return (
        f'<svg {NS} id="{ids}-strip" class="lc-strip is-compact" viewBox="0 0 {SMALL} {FLAT}" '
        f'preserveAspectRatio="xMidYMax" {aria(heading)}><use href="#lc-land-s"/>{inside}</svg>'
    )


def _plate(x: float, width: float, words: str) -> str:
    """Draw the board of a gap."""
    return (
        f'<rect x="{x - width / 2:.1f}" y="{CENTRE - 14}" width="{width:.1f}" height="26" rx="3" '
        f'fill="{PAPER}" stroke="{INK}" stroke-width="1.5"/>' + label(x, CENTRE + 5.5, 18, words, ink=INK)
    )


def _road_says(view: View, you: Collection[int]) -> str:
    """Return the order of the cars and the gaps in words."""
    words = []
    for seat in view.order:
        car = view.cars[seat]
        if car.place > 1 and car.gap:
            words.append(plural("{n} empty space", "{n} empty spaces", car.gap))
        name = _("{name} ({number})").format(name=car.name, number=seat + 1)
        words.append(_("{name}, you").format(name=name) if seat in you else name)
    return _("The road from the leader: {cars}").format(cars=_(", ").join(words))


def _hidden_cars_sign(cars: int, x: float, word: str) -> str:
    """Draw a sign at the edge: how many cars are not drawn."""
    if not cars:
        return ""
    return (
        f'<rect x="{x:g}" y="{UPPER + 3}" width="{SIGN}" height="50" rx="3" fill="{INK}" '
        f'stroke="{LIGHT}" stroke-width="1.5"/>'
        + label(x + SIGN / 2, UPPER + 28, 22, str(cars))
        + label(x + SIGN / 2, UPPER + 45, min(12, 84 / len(word)), word)
    )


def _small_pits(view: View, you: Collection[int], ids: str) -> str:
    """Draw the pit boxes: the cars wait there by number until there is a grid. Many are on two lanes
    by turns, so that they are twice as large."""
    seats = [car.seat for car in view.cars]
    parked = len(seats) >= PARKED
    cell = min(74.0, (SMALL - (36 if parked else 12)) / len(seats))
    left = (SMALL - cell * len(seats)) / 2
    centres = {seat: left + cell * (i + 0.5) for i, seat in enumerate(seats)}
    lines = "".join(f"M{left + cell * i:.1f} {UPPER}V{LOWER}" for i in range(len(seats) + 1))
    if parked:
        lanes = [(x, LANES[i % 2]) for i, x in enumerate(centres.values())]
        lines = "".join(f"M{x + side * cell:.1f} {y - 13}V{y + 13}" for x, y in lanes for side in (-1, 1))
    cars = _small_cars(view, seats, centres, cell, you, ids)
    return _small(stroke(lines, LIGHT, 2) + cars, _("The pits: there is no grid yet"), ids)


def _small_cars(
    view: View, seats: Sequence[int], centres: dict[int, float], cell: float, you: Collection[int], ids: str
) -> str:
    """Draw the cars of the road for a phone, with their signs above and their names below."""
    parked = cell < 34  # on two lanes
    scale = min(0.66, ((2 * cell if parked else cell) - 3) / 108)
    duel = view.phase in ("challenge", "incident") and view.turn in centres and view.defender in centres
    above, cars = [], []
    for index, seat in enumerate(seats):
        car, x = view.cars[seat], centres[seat]
        if car.deciding or car.committed:
            above.append(
                f'<g transform="translate({x:.1f} 41) scale(.6) translate(0 -90)">{_choice(car, 0)}</g>'
            )
        if view.turn == seat:
            pole = x - cell * 0.36
            above.insert(0, _small_flag(pole))
            if duel and view.defender is not None:
                to = centres[view.defender]
                above.insert(0, stroke(f"M{pole:.1f} 24H{to:.1f}V27M{to - 5:.1f} 24l5 6l5-6", LIGHT, 3))
        shift = 0 if not duel else 5 if seat == view.turn else -5 if seat == view.defender else 0
        disc = f'<circle cy="-22" r="9.5" fill="{PAPER}" stroke="{INK}" stroke-width="1.5"/>' + label(
            0, -17, 14, str(seat + 1), ink=INK
        )
        drawn = f'<g transform="scale({scale:.3f})">{use(seat + 1, car.wears)}</g>{"" if parked else disc}'
        y = LANES[index % 2] if parked else CENTRE + 5 + shift
        low = 26 * (index % 2) if cell < 64 else 0
        cars.append(
            f'<g id="{ids}-car-{seat + 1}" data-piece="{seat + 1}" color="{PAPER}" '
            f'transform="translate({x:.1f} {y})">{drawn}</g>'
            f'<g id="{ids}-name-{seat + 1}" data-piece="{seat + 1}" data-flat="" '
            f'transform="translate({x:.1f} 0)">{_small_caption(car, cell, low, seat in you)}</g>'
        )
    cars.sort()  # by id, see ``strip``
    return f"<g>{''.join(above)}</g>{''.join(cars)}"


def _small_flag(x: float) -> str:
    """Draw a pennant that shows whose turn it is."""
    return (
        stroke(f"M{x:.1f} {UPPER + 2}V3", LIGHT, 3)
        + f'<path d="M{x:.1f} 2h44l-7 8.5l7 8.5h-44z" fill="{LIGHT}"/>'
        + label(
            x + 5,
            15.5,
            13.5,
            pgettext("sign above the car whose turn it is", "TURN"),
            anchor="start",
            ink=INK,
        )
    )


def _small_caption(car: Car, cell: float, low: int, you: bool) -> str:
    """Draw the name and the number of cards under a car; only the reader's sign if the cars are many."""
    y = LOWER + 17 + low
    pole = stroke(f"M0 {LOWER + 5}V{y - 12}", LIGHT, 1.5) if low else ""
    if cell < 34:
        return _pill(0, LOWER + 12, 17) if you else ""
    who = _pill(0, y - 12, 15) if you else label(0, y, 13.5, short(car.name, max(4, int(cell * 1.7 / 6.6))))
    text_x = -9 if car.pitted else 0
    count = f'<rect x="{text_x - 12}" y="{y + 5}" width="8" height="11" rx="1.5" fill="{LIGHT}"/>'
    count += label(text_x - 1, y + 15, 13.5, str(car.cards), anchor="start")
    if car.pitted:
        count += f'<rect x="6" y="{y + 4}" width="22" height="13" rx="1.5" fill="{PAPER}"/>'
        count += label(17, y + 14.5, 12, pgettext("sign above the pits", "PIT"), ink=INK)
    return pole + who + count
