"""LACORSA: what a view looks like. Plain data in, SVG text out; the same drawings serve a table, a
replay, a notebook and the docs.

Colours that follow the theme are CSS custom properties with a fallback, racing colours are fixed.
Cars and suits are symbols: a page that shows any of them carries ``sprite()`` once.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING

from paddock.core.i18n import _, plural
from paddock.games.lacorsa.lettering import lettering

if TYPE_CHECKING:
    from paddock.games.lacorsa.view import Car, Card, View

NS = 'xmlns="http://www.w3.org/2000/svg"'
INK = "#1e1a17"
PAPER = "#f6ecd8"
GOLD = "#d9a836"
SANS = "Avenir Next Condensed,Roboto Condensed,Arial Narrow,Liberation Sans Narrow,Arial,sans-serif"

FIELD = "var(--lc-field,#c4301c)"  # the bold colour field
SHADE = "var(--lc-shade,#a32313)"  # silhouettes on it
ROAD = "var(--lc-road,#35312e)"
LIGHT = "var(--lc-light,#f6ecd8)"  # lettering on field and road
EXTEND = "var(--lc-extend,#14565a)"
FACE = "var(--lc-face,#fbf5e6)"  # of a card
FACE_INK = "var(--lc-face-ink,#1e1a17)"


# ---- cars -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Livery:
    """Racing colours: a name, the body, the second colour, and where the second colour is."""

    name: str
    body: str
    second: str
    pattern: str


LIVERIES: tuple[Livery, ...] = (
    Livery("red", "#c62b1c", "#f6ecd8", "plain"),
    Livery("silver", "#b9bfc2", "#1e1a17", "tail"),
    Livery("green", "#1c6142", "#f4cf3a", "band"),
    Livery("papaya", "#f08a24", "#16324f", "tip"),
    Livery("blue", "#2b5fb4", "#f6ecd8", "bands"),
    Livery("white", "#f8f3e6", "#1d4b93", "ends"),
    Livery("yellow", "#f2c62e", "#1e1a17", "sides"),
    Livery("black", "#26221f", "#e0b04a", "tip-tail"),
    Livery("sky blue", "#84c3e4", "#7a2136", "tails"),
    Livery("burgundy", "#6f1f35", "#f0c9b0", "half"),
    Livery("plum", "#6c4a93", "#f4d9a0", "chequers"),
    Livery("sand", "#d3b487", "#4a2a17", "chevron"),
)

_BODY = "M-49-6C-44-13-20-16 2-16C26-16 43-10 50 0C43 10 26 16 2 16C-20 16-44 13-49 6Z"


def _bar(x: float, wide: float) -> str:
    return f"M{x:g}-20h{wide:g}v40h{-wide:g}z"


_PATTERNS: dict[str, str] = {
    "plain": "",
    "tail": _bar(-50, 16),
    "band": _bar(30, 7),
    "tip": _bar(33, 20),
    "bands": _bar(29.5, 4) + _bar(37, 4),
    "ends": _bar(-40, 7) + _bar(31, 7),
    "sides": "M-50-20H50V-9.5H-50zM-50 20H50V9.5H-50z",
    "tip-tail": _bar(-50, 14) + _bar(33, 20),
    "tails": _bar(-47, 5) + _bar(-37, 5),
    "half": _bar(-50, 46),
    "chequers": "M-50-16h7v8h-7zM-50 0h7v8h-7zM-43-8h7v8h-7zM-43 8h7v8h-7zM-36-16h7v8h-7zM-36 0h7v8h-7z",
    "chevron": "M26-20l13 20l-13 20h8l13-20l-13-20z",
}  # fmt: skip
_STRIPES = "M-50-9.5H50V-4H-50zM-50 9.5H50V4H-50z"


def livery(number: int, striped: bool) -> Livery:
    """The racing colours of a car: the second car of a pair wears its partner's, with stripes."""
    return LIVERIES[(number - 2 if striped else number - 1) % len(LIVERIES)]


def livery_name(number: int, striped: bool) -> str:
    """The colours in words: «green» or «green, striped»."""
    name = _(livery(number, striped).name)
    return _("{colour}, striped").format(colour=name) if striped else name


def _use(number: int, striped: bool, more: str = "", *, prefix: str = "lc") -> str:
    href = f"#{prefix}-car-{number}{'s' if striped else ''}"
    return f'<use href="{href}" x="-54" y="-26" width="108" height="52"{more}/>'


def _car_symbol(number: int, striped: bool, prefix: str) -> str:
    """A car from above, heading right, in a box from -54,-26 to 54,26."""
    coat = livery(number, striped)
    marks = _PATTERNS[coat.pattern]
    clip = f'clip-path="url(#{prefix}-body)"'
    tyres = "".join(
        f'<rect x="{x}" y="{y}" width="{w}" height="9" rx="3"/>'
        for x, w in ((-44, 20), (24, 17))
        for y in (-25, 16)
    )
    return (
        f'<symbol id="{prefix}-car-{number}{"s" if striped else ""}" viewBox="-54 -26 108 52">'
        f'<path d="M-34-20V20M32-20V20" stroke="{INK}" stroke-width="4"/>'
        f'<g fill="{INK}" stroke="currentColor" stroke-width="1.2">{tyres}</g>'
        f'<path d="{_BODY}" fill="{coat.body}"/>'
        + (f'<path {clip} d="{marks}" fill="{coat.second}"/>' if marks else "")
        + (f'<path {clip} d="{_STRIPES}" fill="{coat.second}"/>' if striped else "")
        + f'<path d="{_BODY}" fill="none" stroke="currentColor" stroke-width="2.2"/>'
        f'<path d="M-31 0C-31-7-25-9-18-9S-6-6-6 0S-11 9-18 9S-31 7-31 0Z" fill="{INK}"/>'
        f'<circle cx="-20" r="6" fill="{PAPER}"/>'
        f'<path d="M-19-6a6 6 0 0 1 0 12z" fill="{INK}" opacity=".55"/>'
        f'<circle cx="12" r="15" fill="{PAPER}" stroke="{INK}" stroke-width="1.6"/>'
        + lettering(str(number), 12, 0, 20, INK, fit=22)
        + "</symbol>"
    )


# ---- suits: plain line icons in a box of 24 ---------------------------------------------------

SUITS: tuple[str, ...] = (
    # gears
    (
        "M12 8a4 4 0 1 0 0 8a4 4 0 1 0 0-8ZM12 2.5v3M12 18.5v3M2.5 12h3M18.5 12h3M5.3 5.3l2.1 2.1"
        "M16.6 16.6l2.1 2.1M5.3 18.7l2.1-2.1M16.6 7.4l2.1-2.1M12 5.5a6.5 6.5 0 1 0 0 13a6.5 6.5 0 1 0 0-13Z"
    ),
    # pedals
    "M8 2.5h7l2 12h-9zM9.5 6h4.8M9.8 9.5h5M3 21.5h18M12.5 14.5l-3 7",
    # pistons
    "M6 3h12v9H6zM6 5.8h12M6 8.4h12M12 12v4.5M12 16.5a2.5 2.5 0 1 0 0 5a2.5 2.5 0 1 0 0-5Z",
    # wheels
    (
        "M12 2.5a9.5 9.5 0 1 0 0 19a9.5 9.5 0 1 0 0-19ZM12 9.5a2.5 2.5 0 1 0 0 5a2.5 2.5 0 1 0 0-5Z"
        "M9.6 11.3L3 9M14.4 11.3L21 9M12 14.5v7"
    ),
    # gates
    "M5 3v18M12 3v18M19 3v9M5 12h14M3.5 3h3M10.5 3h3M17.5 3h3M3.5 21h3M10.5 21h3",
    # cams
    (
        "M12 3a3.5 3.5 0 0 1 3.3 2.4l3 7.4a6.8 6.8 0 1 1-12.6 0l3-7.4A3.5 3.5 0 0 1 12 3Z"
        "M12 12.5a2.6 2.6 0 1 0 0 5.2a2.6 2.6 0 1 0 0-5.2Z"
    ),
)


def _suit(suit: int, x: float, y: float, size: float, ink: str, pen: float = 1.8) -> str:
    return (
        f'<use href="#lc-suit-{suit % len(SUITS)}" x="{x:g}" y="{y:g}" width="{size:g}" height="{size:g}" '
        f'color="{ink}" stroke-width="{pen:g}"/>'
    )


def sprite() -> str:
    """The symbols that a page's other drawings use, to stand once in it: every car, suit and card face."""
    numbers = range(1, len(LIVERIES) + 1)
    symbols = _car_symbols([(n, False) for n in numbers] + [(n, True) for n in numbers if n % 2 == 0])
    suits = "".join(
        f'<symbol id="lc-suit-{i}" viewBox="0 0 24 24"><path d="{path}" fill="none" stroke="currentColor" '
        'stroke-linecap="round" stroke-linejoin="round"/></symbol>'
        for i, path in enumerate(SUITS)
    )
    return (
        f'<svg {NS} class="sprite" width="0" height="0" aria-hidden="true" focusable="false">'
        f"<defs>{symbols}{suits}{_card_symbols()}</defs></svg>"
    )


def _car_symbols(cars: Iterable[tuple[int, bool]], prefix: str = "lc") -> str:
    return f'<clipPath id="{prefix}-body"><path d="{_BODY}"/></clipPath>' + "".join(
        _car_symbol(number, striped, prefix) for number, striped in cars
    )


def car_label(number: int, striped: bool) -> str:
    """What a car's picture is called: «car 3, green»."""
    return _("car {number}, {livery}").format(number=number, livery=livery_name(number, striped))


def car(number: int, striped: bool = False, *, named: bool = True) -> str:
    """A car as an icon; ``named`` = false where its number stands beside it as text."""
    name = _name(car_label(number, striped), named)
    return f'<svg {NS} class="lc-car" viewBox="-54 -26 108 52" {name}>{_use(number, striped)}</svg>'


def _name(name: str, named: bool = True) -> str:
    return f'role="img" aria-label="{escape(name)}"' if named else 'aria-hidden="true"'


# ---- cards ------------------------------------------------------------------------------------


def kind_name(kind: int) -> str:
    """The rulebook's word for a kind of card (LC-1.1); 0 is the Redline."""
    if kind == 0:
        return _("Redline")
    if kind == 12:
        return _("Champion")
    if kind == 3:
        return _("Drafting Extend")
    return _("Extend") if kind < 3 else _("Standard")


def card_name(card: Card) -> str:
    """A card in words: «9, Standard»."""
    return kind_name(0) if card.kind == 0 else f"{card.kind}, {kind_name(card.kind)}"


_DIAL = "M21 74A34 34 0 1 1 79 74"
_TICKS = "M50 21v8M27 31l5 6M73 31l-5 6M16 56l8 1M84 56l-8 1"
_ARROW = "M37 25l13-12l13 12"
_TWO_ARROWS = "M37 29l13-11l13 11M37 19l13-11l13 11"
_LAUREL = (
    "M34 99C14 92 8 70 14 46M14 52l-6-9M11 62l-6-5M12 73l-6-2M16 83l-6 1M24 92l-4 5"
    "M14 52l7-5M11 63l7-3M13 74l7-1M18 84l6-3"
)


def _panel(fill: str) -> str:
    return f'<rect x="6" y="6" width="88" height="100" rx="5" fill="{fill}"/>'


def _lines(path: str, ink: str, pen: float) -> str:
    return f'<path d="{path}" fill="none" stroke="{ink}" stroke-width="{pen:g}"/>'


def _face(kind: int) -> str:
    """The picture on a card: each kind has a ground, a mark and a rank of its own."""
    if kind == 0:
        return (
            _panel(FIELD)
            + _lines(_DIAL, PAPER, 3)
            + _lines("M66 26A34 34 0 0 1 79 74", INK, 7)
            + _lines(_TICKS, PAPER, 3)
            + lettering("R", 50, 61, 42, PAPER)
            + lettering("+2", 50, 94, 17, PAPER)
        )
    if kind == 12:
        mirrored = f'<g transform="matrix(-1 0 0 1 100 0)">{_lines(_LAUREL, GOLD, 3.2)}</g>'
        return _panel(INK) + lettering("12", 50, 52, 64, GOLD, fit=48) + _lines(_LAUREL, GOLD, 3.2) + mirrored
    if kind <= 3:
        mark = _lines(_TWO_ARROWS if kind == 3 else _ARROW, PAPER, 5)
        return _panel(EXTEND) + mark + lettering(str(kind), 50, 66, 60, PAPER)
    return lettering(str(kind), 50, 54, 72, FACE_INK, fit=72) + _lines("M10 104H90", FIELD, 4)


def _card_symbols() -> str:
    """The thirteen faces without their suit, and the back."""
    edge = f' stroke="{FACE_INK}" stroke-width="2"'
    paper = f'<rect x="1.5" y="1.5" width="97" height="137" rx="9" fill="{FACE}"{edge}/>'
    faces = {str(kind): _face(kind) + _kind_label(kind_name(kind)) for kind in range(13)}
    faces["back"] = _back()
    return "".join(
        f'<symbol id="lc-face-{name}" viewBox="0 0 100 140">{paper}{face}</symbol>'
        for name, face in faces.items()
    )


def _kind_label(words: str) -> str:
    squeezed = ' textLength="66" lengthAdjust="spacingAndGlyphs"' if len(words) > 11 else ""
    return (
        f'<text x="61" y="127" text-anchor="middle" font-family="{SANS}" font-size="14.5" font-weight="700" '
        f'fill="{FACE_INK}"{squeezed}>{escape(words)}</text>'
    )


def _back() -> str:
    squares = "".join(
        f"M{14 + 12 * i} {14 + 16 * j}h12v8h-12zM{26 + 12 * i} {22 + 16 * j}h12v8h-12z"
        for j in range(7)
        for i in (0, 2, 4)
    )
    return (
        f'<rect x="7" y="7" width="86" height="126" rx="5" fill="{INK}"/><path d="{squares}" fill="#3a342f"/>'
        f'<circle cx="50" cy="70" r="27" fill="{FIELD}" stroke="{PAPER}" stroke-width="4"/>'
        f'<g transform="translate(50 70) rotate(-90) scale(.42)"><path d="{_BODY}" fill="{PAPER}"/>'
        + _lines("M-34-22V22M32-22V22", PAPER, 9)
        + "</g>"
    )


def card(card: Card, *, named: bool = True) -> str:
    """A card face up; ``named`` = false where its name stands beside it as text."""
    return _card_box(str(card.kind), _suit(card.suit, 7, 111, 20, FACE_INK), _name(card_name(card), named))


def card_back(*, named: bool = True) -> str:
    """A card face down."""
    return _card_box("back", "", _name(_("a card face down"), named))


def _card_box(face: str, more: str, name: str) -> str:
    use = f'<use href="#lc-face-{face}" width="100" height="140"/>'
    return f'<svg {NS} class="lc-card" viewBox="0 0 100 140" {name}>{use}{more}</svg>'


# ---- signs of moves without a card, and the die --------------------------------------------------

_AHEAD = "M18 6h12v20H18z"  # the car ahead
_SIGNS: dict[str, tuple[str, str]] = {  # what is filled, and what is drawn with a pen
    "pit": ("M42 6h14v52H42z", "M20 60V46C20 36 26 32 36 32M29 23l10 9l-10 9M20 4v7M20 18v7"),
    "stay": ("", "M32 60V10M21 21l11-12l11 12M12 4v10M12 24v10M12 44v10M52 4v10M52 24v10M52 44v10"),
    "attack": (_AHEAD, "M24 60V48C24 38 46 40 46 28V9M37 18l9-10l9 10"),
    "stop": (_AHEAD.replace("18", "26"), "M32 60V44M14 38H50"),
}


def sign(move: str) -> str:
    """The picture of a move without a card, by its notation: seen from above, on the road."""
    filled, drawn = _SIGNS[move]
    return (
        f'<svg {NS} viewBox="0 0 64 64" aria-hidden="true"><rect width="64" height="64" fill="{ROAD}"/>'
        f'<path d="{filled}" fill="{LIGHT}"/>{_lines(drawn, LIGHT, 5)}</svg>'
    )


_PIPS = {1: "e", 2: "ai", 3: "aei", 4: "acgi", 5: "acegi", 6: "acdfgi"}  # a to i: three rows of three


def die(face: int) -> str:
    """A die that shows this face."""
    spots = ["abcdefghi".index(pip) for pip in _PIPS[face]]
    pips = "".join(f'<circle cx="{12 + 12 * (i % 3)}" cy="{12 + 12 * (i // 3)}" r="4"/>' for i in spots)
    name = _name(_("die: {face}").format(face=face))
    return (
        f'<svg {NS} class="lc-die" viewBox="0 0 48 48" {name}><rect x="1.5" y="1.5" width="45" height="45" '
        f'rx="9" fill="{FACE}" stroke="{FACE_INK}" stroke-width="3"/><g fill="{FACE_INK}">{pips}</g></svg>'
    )


# ---- the road ---------------------------------------------------------------------------------

WIDE, HIGH = 1280, 320
TOP, BOTTOM = 116, 256  # edges of the asphalt
MIDDLE = (TOP + BOTTOM) / 2
ROOM = 13.0  # cells that are drawn before long gaps are cut short
NARROW = 16.0  # cells that are drawn before every gap is drawn narrower than a space


@dataclass(frozen=True)
class _Gap:
    """Empty road ahead of a car: ``spaces`` of it, drawn as ``cells``."""

    spaces: int
    cells: float
    x: float  # where it begins
    cut: bool


def _cells(gaps: Sequence[int], cars: int) -> list[int]:
    """How many cells each gap is drawn with: all of its spaces where there is room, else long gaps
    are cut to one common length, and none shorter than that is touched."""
    longest = max(gaps, default=0)
    while longest > 1 and cars + sum(min(g, longest) for g in gaps) > ROOM:
        longest -= 1
    return [min(g, longest) for g in gaps]


def _layout(view: View) -> tuple[float, dict[int, float], list[_Gap], bool]:
    """The width of a cell, the middle of each car by seat, the gaps from the back to the front, and whether
    they are narrowed: where many cars have gaps, the room is for the cars."""
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
    """Before there is a grid: the cars side by side in their pit boxes, in the order of their numbers."""
    cell = min(200.0, (WIDE - 48) / len(view.cars))
    left = (WIDE - cell * len(view.cars)) / 2
    return cell, {c.seat: left + cell * (c.seat + 0.5) for c in view.cars}


def _text(x: float, y: float, size: float, words: str, *, anchor: str = "middle", more: str = "") -> str:
    return (
        f'<text x="{x:.1f}" y="{y:g}" font-size="{size:g}" text-anchor="{anchor}" font-family="{SANS}" '
        f'font-weight="700" fill="{LIGHT}"{more}>{escape(words)}</text>'
    )


# The straight goes on beyond both ends of the drawing, for windows that are wider than it is.
LAND = f'x="{-WIDE}" width="{3 * WIDE}"'
ALONG = f"M{-WIDE} {{y}}H{2 * WIDE}"


def _scenery(high: int) -> str:
    """The field of colour, hills, pines, a grandstand with flags, the road with its kerbs."""
    pines = "".join(
        f'<path d="M{x} 112v-{h}m-{w} 0a{w} {h} 0 0 1 {2 * w} 0z" stroke="{SHADE}" stroke-width="4"/>'
        for x, h, w in (
            (-420, 24, 28), (-366, 19, 20), (60, 26, 30), (112, 20, 22), (905, 22, 24), (960, 28, 32),
            (1012, 19, 20), (1530, 26, 30), (1590, 20, 22),
        )
    )  # fmt: skip
    flags = "".join(f"M{x} 62V30l22 7l-22 7" for x in range(440, 700, 64))
    stand = f'<path d="M404 112V74l30-12h250l30 12v38z"/>{_lines(flags, SHADE, 3)}'
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
    """A painted bracket at the front of every space that is drawn."""
    fronts = []
    while last > first - cell / 2:
        fronts.append(last)
        last -= cell
    return _brackets(fronts)


def _brackets(fronts: Iterable[float]) -> str:
    marks = [f"M{x - 16:.1f} {TOP + 14}H{x:.1f}V{BOTTOM - 14}H{x - 16:.1f}" for x in fronts]
    return f'<path d="{"".join(marks)}" fill="none" stroke="{LIGHT}" stroke-width="3" opacity=".5"/>'


def _board(gap: _Gap, cell: float) -> str:
    """A distance board that stands in a gap and says how many spaces it has."""
    wide = gap.cells * cell
    middle = gap.x + wide / 2
    half = min(30.0, cell * 0.4, wide / 2 - 2)
    parts = []
    if wide > 2 * half + 40:
        y, a, b = MIDDLE, gap.x + 8, gap.x + wide - 8
        arrow = f"M{a + 12:.1f} {y - 9:g}L{a:.1f} {y:g}l12 9M{b - 12:.1f} {y - 9:g}L{b:.1f} {y:g}l-12 9"
        parts.append(_lines(f"M{a:.1f} {y:g}H{b:.1f}{arrow}", LIGHT, 4))
    if gap.cut:  # the road is cut away: these spaces are not drawn one by one
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
    return f"<g {_name(words)}>{''.join(parts)}</g>"


def _says(c: Car, view: View) -> str:
    """One car in words, as it stands on the road."""
    words = [
        _("car {number}, {name}").format(number=c.seat + 1, name=c.name),
        livery_name(c.seat + 1, c.striped),
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
    """Whose turn it is: a pennant on a pole."""
    words = _("TURN")
    return (
        _lines(f"M{x:.1f} {foot:g}V22", LIGHT, 5)
        + f'<path d="M{x:.1f} 20h74l-12 15l12 15h-74z" fill="{LIGHT}"/>'
        + f'<text x="{x + 9:.1f}" y="42" font-size="20" font-family="{SANS}" font-weight="700" fill="{INK}">'
        + f"{escape(words)}</text>"
    )


def _duel(a: float, b: float) -> str:
    """The challenge: from the challenger an arrow over the road to the defender."""
    return _lines(f"M{a:.1f} 54H{b:.1f}V66M{b - 9:.1f} 58l9 9l9-9", LIGHT, 5)


def _choice(c: Car, x: float) -> str:
    """Above a car that decides: a hollow card while it chooses, a card with a tick when it has committed."""
    box = f'x="{x - 12:.1f}" y="75" width="24" height="31" rx="4" stroke="{LIGHT}" stroke-width="3"'
    if c.committed:
        tick = f"M{x - 6:.1f} 90l5 6l8-11"
        return f'<rect {box} fill="{LIGHT}"/>{_lines(tick, INK, 4)}'
    dots = "".join(f'<circle cx="{x + d:.1f}" cy="90" r="2.2" fill="{LIGHT}"/>' for d in (-6, 0, 6))
    return f'<rect {box} fill="{INK}" stroke-dasharray="5 3"/>{dots}'


def _caption(c: Car, x: float, cell: float, low: int) -> str:
    """Under a car, or so much lower: its driver's name, and how many cards it holds."""
    room = cell * (2 if cell < 110 else 1)
    letters = max(4, int(room / 11.5))
    name = c.name if len(c.name) <= letters else c.name[: letters - 1] + "…"
    y = 286 + low
    pole = _lines(f"M{x:.1f} 264V{y - 18:g}", LIGHT, 2) if low else ""
    at = x - (20 if c.pitted else 0)
    icon = f'<rect x="{at - 19:.1f}" y="{y + 9}" width="13" height="18" rx="2.5" fill="{LIGHT}"/>'
    count = _text(at - 1, y + 26, 22, str(c.cards), anchor="start")
    return pole + _text(x, y, 23, name) + icon + count + (_pitted(x + 6, y + 7) if c.pitted else "")


def _pitted(x: float, y: float) -> str:
    """The board that a car has shown once it has made its stop."""
    word = _("PIT")
    return (
        f'<rect x="{x:.1f}" y="{y:g}" width="40" height="22" rx="2" fill="{PAPER}"/>'
        f'<text x="{x + 20:.1f}" y="{y + 18:g}" font-size="20" text-anchor="middle" font-family="{SANS}" '
        f'font-weight="700" fill="{INK}">{escape(word)}</text>'
    )


TAGGED = 0.72  # the scale of the largest car that needs a tag


def _tag(number: int, scale: float) -> str:
    """Beside a car that is drawn small: its number on a roundel that can be read from afar."""
    if scale > TAGGED:
        return ""
    return (
        f'<circle cy="{46 / scale:.0f}" r="{17 / scale:.0f}" fill="{PAPER}" stroke="{INK}" stroke-width="2"/>'
        + lettering(str(number), 0, 46 / scale, 22 / scale, INK, fit=25 / scale)
    )


def strip(view: View, *, ids: str = "s") -> str:
    """The straight of road, the leader on the right. Elements that move keep their id (``s-car-3`` is
    car number 3), so that a page can be morphed and the move is animated."""
    # In a tie for the grid only some have their place; the retired have left the road.
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
        road = _lines(lines + f"M{WIDE / 2 + cell * len(view.cars) / 2:.1f} {TOP}V{BOTTOM}", LIGHT, 3)
        heading = _("The pits: no grid yet")
    scale = min(1.4, (cell - 2) / 108)
    crowded = cell < 110  # the captions take turns on two lines
    line = (
        (52 if view.pit_stops else 26) if crowded else 0
    )  # a lower caption begins below, or beside, the cards
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
        drawn = _use(seat + 1, c.striped) + _tag(seat + 1, scale)
        cars.append(
            f'<g id="{ids}-car-{seat + 1}" class="lc-moves" color="{PAPER}" {_name(_says(c, view))} '
            f'transform="translate({x:.1f} {MIDDLE + aside:g}) scale({scale:.3f})">{drawn}</g>'
            f'<g id="{ids}-name-{seat + 1}" class="lc-moves" aria-hidden="true" '
            f'transform="translate({x:.1f} 0)">' + _caption(c, 0, cell, low) + "</g>"
        )
    cars.sort()  # by id: the order of the elements never changes, only where they stand
    signs = f'<g aria-hidden="true">{"".join(above)}</g>'
    return (
        f'<svg {NS} id="{ids}-strip" class="lc-strip" viewBox="0 12 {WIDE} {high - 12}" role="group" '
        f'aria-label="{escape(heading)}">{_scenery(high)}{road}{signs}{"".join(cars)}</svg>'
    )


# ---- the podium and the poster ------------------------------------------------------------------


@dataclass(frozen=True)
class Finisher:
    """Who stands on the podium: a driver or a team with its cars as (number, striped)."""

    place: int  # shared places have the same number
    name: str
    points: int
    cars: tuple[tuple[int, bool], ...]


_STEPS = {1: 150, 2: 108, 3: 78}  # the height of a place's step


def podium(finishers: Sequence[Finisher], *, heading: str = "") -> str:
    """The first three on their steps, as a picture of its own to keep or to share."""
    top = [f for f in finishers if f.place <= 3][:3]
    spots = {1: 300, 2: 110, 3: 490}
    parts = [
        f"<defs>{_car_symbols((c for f in top for c in f.cars), 'podium')}</defs>",
        f'<rect width="600" height="440" fill="{FIELD}"/>',
        f'<circle cx="300" cy="190" r="150" fill="{LIGHT}"/>',
        f'<path d="M0 400H600V440H0Z" fill="{INK}"/>',
    ]
    for i, f in enumerate(top):
        x = spots[i + 1]
        high = _STEPS[f.place]
        parts.append(f'<rect x="{x - 92}" y="{400 - high}" width="184" height="{high}" fill="{INK}"/>')
        parts.append(lettering(str(f.place), x, 400 - high / 2 + 16, min(64, high - 46), LIGHT))
        parts.append(_text(x, 400 - high + 24, 20, f.name if len(f.name) < 18 else f.name[:17] + "…"))
        scale = 1.5 if len(f.cars) == 1 else 1.2
        for n, (number, striped) in enumerate(f.cars):
            y = 400 - high - 27 * scale - 4 - n * 54 * scale
            move = f' color="{INK}" transform="translate({x} {y:g}) scale({scale})"'
            parts.append(_use(number, striped, move, prefix="podium"))
        points = plural("{n} point", "{n} points", f.points)
        parts.append(_text(x, 428, 20, points))
    label = heading or _("Podium")
    steps = "; ".join(
        _("{place}. {name}, {points}").format(
            place=f.place, name=f.name, points=plural("{n} point", "{n} points", f.points)
        )
        for f in top
    )
    spoken = f"{label}: {steps}" if steps else label
    return f'<svg {NS} class="lc-podium" viewBox="0 0 600 440" {_name(spoken)}>{"".join(parts)}</svg>'


def wordmark(ink: str = "currentColor") -> str:
    """The title as poster lettering."""
    return (
        f'<svg {NS} class="lc-wordmark" viewBox="-6 0 452 104" {_name("LACORSA")}>'
        f"{lettering('LACORSA', 220, 52, 100, ink, slant=-10)}</svg>"
    )


def poster() -> str:
    """The title's poster for the home page."""
    speed = "M-20 262L70 166M-20 300L56 214M-20 226L84 122"
    cars = ((3, 285, 112, 0.6), (5, 226, 166, 1.0), (1, 126, 256, 1.95))
    name = _name(_("Poster: three cigar-shaped racing cars at full speed"))
    return (
        f'<svg {NS} class="lc-poster" viewBox="0 0 300 420" {name}>'
        f"<defs>{_car_symbols(((n, False) for n, *_at in cars), 'lc-poster')}</defs>"
        f'<rect width="300" height="420" fill="{FIELD}"/><circle cx="196" cy="150" r="118" fill="{PAPER}"/>'
        f'<path d="M-110 400L320 52V104L210 400Z" fill="{ROAD}"/>'
        f"{_lines(speed, PAPER, 3)}"
        + "".join(
            _use(
                n,
                False,
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
    """The road as a drawing that stands alone, outside any page of ours."""
    drawing = strip(view)
    opening = drawing.index(">") + 1
    symbols = _car_symbols((c.seat + 1, c.striped) for c in view.cars)
    drawing = f"{drawing[:opening]}<defs>{symbols}</defs>{drawing[opening:]}"
    return re.sub(r"var\(--[a-z-]+,([^()]+)\)", r"\1", drawing)
