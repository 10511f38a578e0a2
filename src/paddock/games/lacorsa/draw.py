"""LACORSA: draws a view as SVG, for tables, replays, notebooks and the docs.

The pieces of the drawings are in ``pieces.py``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING

from paddock.core.i18n import _, plural
from paddock.games.lacorsa.lettering import lettering
from paddock.games.lacorsa.pieces import (
    FIELD,
    INK,
    LIGHT,
    LIVERIES,
    NS,
    PAPER,
    ROAD,
    SANS,
    SHADE,
    car,
    car_label,
    car_symbols,
    card,
    card_back,
    card_name,
    die,
    kind_name,
    livery,
    livery_name,
    sign,
    sprite,
    stroke,
    use,
)
from paddock.parts import drawing as parts
from paddock.parts.drawing import aria, podium_says, short, standalone

if TYPE_CHECKING:
    from paddock.games.lacorsa.view import Car, View

__all__ = [
    "LIVERIES",
    "Finisher",
    "car",
    "car_label",
    "card",
    "card_back",
    "card_name",
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


# ---- the road ---------------------------------------------------------------------------------

WIDE, HIGH = 1280, 320
TOP, BOTTOM = 116, 256  # the edges of the road
MIDDLE = (TOP + BOTTOM) / 2
ROOM = 13.0  # with more cells, long gaps are cut short
NARROW = 16.0  # with more cells, every gap is drawn narrower than its spaces


@dataclass(frozen=True)
class _Gap:
    """The empty spaces ahead of a car, and with how many ``cells`` they are drawn."""

    spaces: int
    cells: float
    x: float  # where it begins
    cut: bool


def _cells(gaps: Sequence[int], cars: int) -> list[int]:
    """Return the number of cells drawn for each gap: all its spaces if they fit; else long gaps are cut."""
    longest = max(gaps, default=0)
    while longest > 1 and cars + sum(min(g, longest) for g in gaps) > ROOM:
        longest -= 1
    return [min(g, longest) for g in gaps]


def _layout(view: View) -> tuple[float, dict[int, float], list[_Gap], bool]:
    """Return the width of a cell, the middle of each car by seat, the gaps from the back to the front, and
    whether the gaps are narrowed to leave room for the cars."""
    queue = view.order[::-1]
    gaps = [view.cars[seat].gap for seat in queue[:-1]] + [0]
    cells: list[float] = [*_cells(gaps, len(queue))]
    narrow = len(queue) + sum(cells) > NARROW
    if narrow:
        cells = [0.55 * n for n in cells]
    cell = min(168.0, (WIDE - 48) / (len(queue) + sum(cells) + 0.35))
    x = WIDE - 24 - cell * (len(queue) + sum(cells) + 0.35)
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
    cell = min(200.0, (WIDE - 48) / len(view.cars))
    left = (WIDE - cell * len(view.cars)) / 2
    return cell, {c.seat: left + cell * (c.seat + 0.5) for c in view.cars}


def _text(x: float, y: float, size: float, words: str, *, anchor: str = "middle", more: str = "") -> str:
    return (
        f'<text x="{x:.1f}" y="{y:g}" font-size="{size:g}" text-anchor="{anchor}" font-family="{SANS}" '
        f'font-weight="700" fill="{LIGHT}"{more}>{escape(words)}</text>'
    )


# The scenery extends beyond both ends of the drawing, for wide windows.
LAND = f'x="{-WIDE}" width="{3 * WIDE}"'
ALONG = f"M{-WIDE} {{y}}H{2 * WIDE}"


def _scenery(high: int) -> str:
    """Draw the background, hills, pines, a grandstand with flags, and the road with its kerbs."""
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
        f'<path d="M{-WIDE} 112V92C-1000 62 -700 92 -460 78S-180 94 0 88C120 70 200 96 320 84S560 60 700 86'
        f'S980 62 1280 92S1800 66 2060 84S2400 78 {2 * WIDE} 88V112Z" opacity=".55"/>'
    )
    kerbs = "".join(
        f'<path d="{ALONG.format(y=y)}" stroke="{LIGHT}" stroke-width="8"/>'
        f'<path d="{ALONG.format(y=y)}" stroke="{INK}" stroke-width="8" stroke-dasharray="26 26"/>'
        for y in (TOP - 4, BOTTOM + 4)
    )
    return (
        f'<rect {LAND} height="{high}" fill="{FIELD}"/><g fill="{SHADE}">{hills}{stand}{pines}</g>'
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
    wide = gap.cells * cell
    middle = gap.x + wide / 2
    half = min(30.0, cell * 0.4, wide / 2 - 2)
    parts = []
    if wide > 2 * half + 40:
        y, a, b = MIDDLE, gap.x + 8, gap.x + wide - 8
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


def _says(c: Car, view: View) -> str:
    """Describe a car on the road in words."""
    words = [
        _("car {number}, {name}").format(number=c.seat + 1, name=c.name),
        livery_name(c.seat + 1, c.wears),
    ]
    if c.place:
        words.append(_("place {place}").format(place=c.place))
        if c.place > 1:
            ahead = plural("{n} empty space ahead", "{n} empty spaces ahead", c.gap)
            words.append(ahead if c.gap else _("directly behind a car"))
    words.append(plural("{n} card", "{n} cards", c.cards))
    if c.pitted:
        words.append(_("has pitted"))
    if view.turn == c.seat:
        words.append(_("its turn"))
    if view.defender == c.seat:
        words.append(_("challenged"))
    if c.committed:
        words.append(_("committed"))
    elif c.deciding:
        words.append(_("choosing"))
    return ", ".join(words)


def _flag(x: float, foot: float) -> str:
    """Draw a pennant that shows whose turn it is."""
    words = _("TURN")
    return (
        stroke(f"M{x:.1f} {foot:g}V22", LIGHT, 5)
        + f'<path d="M{x:.1f} 20h74l-12 15l12 15h-74z" fill="{LIGHT}"/>'
        + f'<text x="{x + 9:.1f}" y="42" font-size="20" font-family="{SANS}" font-weight="700" fill="{INK}">'
        + f"{escape(words)}</text>"
    )


def _duel(a: float, b: float) -> str:
    """Draw an arrow from the challenger to the defender."""
    return stroke(f"M{a:.1f} 54H{b:.1f}V66M{b - 9:.1f} 58l9 9l9-9", LIGHT, 5)


def _choice(c: Car, x: float) -> str:
    """Draw a card above a car that decides: hollow while it chooses, with a tick when it has committed."""
    box = f'x="{x - 12:.1f}" y="75" width="24" height="31" rx="4" stroke="{LIGHT}" stroke-width="3"'
    if c.committed:
        tick = f"M{x - 6:.1f} 90l5 6l8-11"
        return f'<rect {box} fill="{LIGHT}"/>{stroke(tick, INK, 4)}'
    dots = "".join(f'<circle cx="{x + d:.1f}" cy="90" r="2.2" fill="{LIGHT}"/>' for d in (-6, 0, 6))
    return f'<rect {box} fill="{INK}" stroke-dasharray="5 3"/>{dots}'


def _caption(c: Car, x: float, cell: float, low: int) -> str:
    """Draw the driver's name and the number of cards under a car; ``low`` moves them further down."""
    room = cell * (2 if cell < 110 else 1)
    letters = max(4, int(room / 11.5))
    name = short(c.name, letters)
    y = 286 + low
    pole = stroke(f"M{x:.1f} 264V{y - 18:g}", LIGHT, 2) if low else ""
    at = x - (20 if c.pitted else 0)
    icon = f'<rect x="{at - 19:.1f}" y="{y + 9}" width="13" height="18" rx="2.5" fill="{LIGHT}"/>'
    count = _text(at - 1, y + 26, 22, str(c.cards), anchor="start")
    return pole + _text(x, y, 23, name) + icon + count + (_pitted(x + 6, y + 7) if c.pitted else "")


def _pitted(x: float, y: float) -> str:
    """Draw the sign of a car that has pitted."""
    word = _("PIT")
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


def strip(view: View, *, ids: str = "s") -> str:
    """Draw the road, with the leader on the right.

    Elements that move keep their id (``s-car-3`` is car number 3): so an update of the page animates them.
    """
    # During a tie in qualifying only some cars have a place. Retired cars are not on the road.
    gridded = len(view.order) + len(view.retired) == len(view.cars)
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
        road = stroke(lines + f"M{WIDE / 2 + cell * len(view.cars) / 2:.1f} {TOP}V{BOTTOM}", LIGHT, 3)
        heading = _("The pits: there is no grid yet")
    scale = min(1.4, (cell - 2) / 108)
    crowded = cell < 110  # captions alternate between two lines
    # A lower caption is below the number of cards, and below the sign for pitted cars if there are pit stops.
    line = (52 if view.pit_stops else 26) if crowded else 0
    high = HIGH + max(0, line - 2)
    above, cars = [], []
    for place, seat in enumerate(view.order if gridded else range(len(view.cars))):
        c, x = view.cars[seat], centres[seat]
        duel = view.phase in ("challenge", "incident")
        challenge = duel and view.turn is not None and view.defender is not None
        off = 18 if scale > TAGGED else 8
        aside = (off if seat == view.turn else -off if seat == view.defender else 0) if challenge else 0
        if c.deciding or c.committed:
            above.append(_choice(c, x))
        if view.turn == seat:
            above.insert(0, _flag(x - cell * 0.34, TOP - 8))
            if challenge and view.defender is not None:
                above.insert(0, _duel(x - cell * 0.34, centres[view.defender]))
        low = line * (place % 2)
        drawn = use(seat + 1, c.wears) + _tag(seat + 1, scale)
        cars.append(
            f'<g id="{ids}-car-{seat + 1}" class="lc-moves" color="{PAPER}" {aria(_says(c, view))} '
            f'transform="translate({x:.1f} {MIDDLE + aside:g}) scale({scale:.3f})">{drawn}</g>'
            f'<g id="{ids}-name-{seat + 1}" class="lc-moves" aria-hidden="true" '
            f'transform="translate({x:.1f} 0)">' + _caption(c, 0, cell, low) + "</g>"
        )
    cars.sort()  # by id: the elements keep their order, only their positions change
    signs = f'<g aria-hidden="true">{"".join(above)}</g>'
    return (
        f'<svg {NS} id="{ids}-strip" class="lc-strip" viewBox="0 12 {WIDE} {high - 12}" role="group" '
        f'aria-label="{escape(heading)}">{_scenery(high)}{road}{signs}{"".join(cars)}</svg>'
    )


# ---- the podium and the poster ------------------------------------------------------------------


@dataclass(frozen=True)
class Finisher(parts.Finisher):
    """A driver or a team on the podium, and its cars: number and whose colours it wears."""

    cars: tuple[tuple[int, int], ...]


_STEPS = {1: 150, 2: 108, 3: 78}  # the height of a place's step


def podium(finishers: Sequence[Finisher], *, heading: str = "") -> str:
    """Return a picture of the first three on their steps, to keep or to share."""
    top = [f for f in finishers if f.place <= 3][:3]
    spots = {1: 300, 2: 110, 3: 490}
    parts = [
        f"<defs>{car_symbols((c for f in top for c in f.cars), 'podium')}</defs>",
        f'<rect width="600" height="440" fill="{FIELD}"/>',
        f'<circle cx="300" cy="190" r="150" fill="{LIGHT}"/>',
        f'<path d="M0 400H600V440H0Z" fill="{INK}"/>',
    ]
    for i, f in enumerate(top):
        x = spots[i + 1]
        high = _STEPS[f.place]
        parts.append(f'<rect x="{x - 92}" y="{400 - high}" width="184" height="{high}" fill="{INK}"/>')
        parts.append(lettering(str(f.place), x, 400 - high / 2 + 16, min(64, high - 46), LIGHT))
        parts.append(_text(x, 400 - high + 24, 20, short(f.name, 17)))
        scale = 1.5 if len(f.cars) == 1 else 1.2
        for n, (number, wears) in enumerate(f.cars):
            y = 400 - high - 27 * scale - 4 - n * 54 * scale
            move = f' color="{INK}" transform="translate({x} {y:g}) scale({scale})"'
            parts.append(use(number, wears, move, prefix="podium"))
        points = plural("{n} point", "{n} points", f.points)
        parts.append(_text(x, 428, 20, points))
    name = aria(podium_says(top, heading))
    return f'<svg {NS} class="lc-podium" viewBox="0 0 600 440" {name}>{"".join(parts)}</svg>'


def wordmark(ink: str = "currentColor") -> str:
    """Return the title's name as poster lettering."""
    return (
        f'<svg {NS} class="lc-wordmark" viewBox="-6 0 452 104" {aria("LACORSA")}>'
        f"{lettering('LACORSA', 220, 52, 100, ink, slant=-10)}</svg>"
    )


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
    """Return the road as a self-contained drawing."""
    drawing = strip(view)
    opening = drawing.index(">") + 1
    symbols = car_symbols((c.seat + 1, c.wears) for c in view.cars)
    drawing = f"{drawing[:opening]}<defs>{symbols}</defs>{drawing[opening:]}"
    return standalone(drawing)
