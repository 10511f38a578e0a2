"""LACORSA: the pieces of its drawings: cars in racing colours, cards, signs and the die.

Colours of the theme are CSS custom properties with a fallback; racing colours are fixed. Cars and card faces
are symbols: a page that shows them contains ``sprite()`` once.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from paddock.core.i18n import _, pgettext
from paddock.games.lacorsa.drawing.lettering import lettering
from paddock.parts.drawing import aria

if TYPE_CHECKING:
    from paddock.games.lacorsa.words.view import Card

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


def _bar(x: float, width: float) -> str:
    return f"M{x:g}-20h{width:g}v40h{-width:g}z"


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


def livery(number: int, wears: int = 0) -> Livery:
    """Return the racing colours of a car: its own, or those of its partner ``wears`` with stripes."""
    return LIVERIES[((wears or number) - 1) % len(LIVERIES)]


def livery_name(number: int, wears: int = 0) -> str:
    """Return the colours in words: «green» or «green, striped»."""
    name = _(livery(number, wears).name)
    return _("{colour}, striped").format(colour=name) if wears else name


def use(number: int, wears: int = 0, attributes: str = "", *, prefix: str = "lc") -> str:
    """Draw a car in a box from -54,-26 to 54,26: one of ``car_symbols`` if there is one for it."""
    if not _is_symbol(number, wears):
        return f"<g{attributes}>{_car(number, wears, prefix)}</g>"
    href = f"#{prefix}-car-{number}{'s' if wears else ''}"
    return f'<use href="{href}" x="-54" y="-26" width="108" height="52"{attributes}/>'


def _is_symbol(number: int, wears: int) -> bool:
    """Cars in their own colours are symbols, and the second cars of neighbours."""
    return not wears or (number % 2 == 0 and wears == number - 1)


def _car(number: int, wears: int, prefix: str) -> str:
    """Draw a car from above, heading right."""
    coat = livery(number, wears)
    marks = _PATTERNS[coat.pattern]
    clip = f'clip-path="url(#{prefix}-body)"'
    tyres = "".join(
        f'<rect x="{x}" y="{y}" width="{w}" height="9" rx="3"/>'
        for x, w in ((-44, 20), (24, 17))
        for y in (-25, 16)
    )
    return (
        f'<path d="M-34-20V20M32-20V20" stroke="{INK}" stroke-width="4"/>'
        f'<g fill="{INK}" stroke="currentColor" stroke-width="1.2">{tyres}</g>'
        f'<path d="{_BODY}" fill="{coat.body}"/>'
        + (f'<path {clip} d="{marks}" fill="{coat.second}"/>' if marks else "")
        + (f'<path {clip} d="{_STRIPES}" fill="{coat.second}"/>' if wears else "")
        + f'<path d="{_BODY}" fill="none" stroke="currentColor" stroke-width="2.2"/>'
        f'<path d="M-31 0C-31-7-25-9-18-9S-6-6-6 0S-11 9-18 9S-31 7-31 0Z" fill="{INK}"/>'
        f'<circle cx="-20" r="6" fill="{PAPER}"/>'
        f'<path d="M-19-6a6 6 0 0 1 0 12z" fill="{INK}" opacity=".55"/>'
        f'<circle cx="12" r="15" fill="{PAPER}" stroke="{INK}" stroke-width="1.6"/>'
        + lettering(str(number), 12, 0, 20, INK, fit=22)
    )


def sprite() -> str:
    """Return the symbols that a page's other drawings use, once per page: cars and card faces."""
    numbers = range(1, len(LIVERIES) + 1)
    symbols = car_symbols([(n, 0) for n in numbers] + [(n, n - 1) for n in numbers if n % 2 == 0])
    return (
        f'<svg {NS} class="sprite" width="0" height="0" aria-hidden="true" focusable="false">'
        f"<defs>{symbols}{card_symbols()}</defs></svg>"
    )


def car_symbols(cars: Iterable[tuple[int, int]], prefix: str = "lc") -> str:
    """Cars, each a number and whose colours it wears, for ``use``."""
    return f'<clipPath id="{prefix}-body"><path d="{_BODY}"/></clipPath>' + "".join(
        f'<symbol id="{prefix}-car-{number}{"s" if wears else ""}" viewBox="-54 -26 108 52">'
        f"{_car(number, wears, prefix)}</symbol>"
        for number, wears in cars
        if _is_symbol(number, wears)
    )


def car_label(number: int, wears: int = 0) -> str:
    """Return the name of a car's picture: «car 3, green»."""
    return _("car {number}, {livery}").format(number=number, livery=livery_name(number, wears))


def car(number: int, wears: int = 0, *, named: bool = True) -> str:
    """Draw a car as an icon; ``named`` = false if its number is beside it as text."""
    name = aria(car_label(number, wears) if named else "", named)
    return f'<svg {NS} class="lc-car" viewBox="-54 -26 108 52" {name}>{use(number, wears)}</svg>'


# ---- cards ------------------------------------------------------------------------------------


def kind_name(kind: int) -> str:
    """Return the rulebook's word for a kind of card (LC-1.1); 0 is the Redline."""
    if kind == 0:
        return _("Redline")
    if kind == 12:
        return pgettext("kind of card", "Champion")
    if kind == 3:
        return _("Drafting Extend")
    return pgettext("kind of card", "Extend") if kind < 3 else pgettext("kind of card", "Standard")


def card_name(card: Card) -> str:
    """Return the name of a card: «9, Standard»."""
    return kind_name(0) if card.kind == 0 else f"{card.kind}, {kind_name(card.kind)}"


USUAL = 2  # the bonus of a Redline on its face (LC-5.1)
_CHEVRON = "M30 124L50 106L70 124"
_TWO_CHEVRONS = "M32 128L50 113L68 128M32 114L50 99L68 114"
_SHIELD = "M50 96C57 101 64 103 71 103V114C71 124 62 130 50 135C38 130 29 124 29 114V103C36 103 43 101 50 96Z"
_DIAL = "M20 132A31 31 0 0 1 80 132"
_TICKS = "M50 101v9M28 110l6 6M72 110l-6 6"
_LAUREL = (
    "M46 133C28 131 18 120 17 101M17 104l-8-6M18 113l-9-3M22 121l-9 1M29 128l-7 5"
    "M17 104l6-7M19 113l8-5M25 122l8-4"
)


def stroke(path: str, ink: str, pen: float) -> str:
    """Draw a path with a pen of this width."""
    return f'<path d="{path}" fill="none" stroke="{ink}" stroke-width="{pen:g}"/>'


def _face(kind: int) -> str:
    """Draw a card in a box of 100 by 140, legible 44 px wide: its rank, and below it what it does.

    Each kind has its own ground and mark: chevrons that drive ahead, a shield, a laurel, a dial in the red.
    """
    if kind == 0:
        needle = f'<path d="M46 130L70 106L54 134Z" fill="{INK}"/>'
        dial = stroke(_DIAL, PAPER, 5) + stroke(_TICKS, PAPER, 4) + needle
        return _ground(FIELD) + lettering("R", 50, 40, 54, PAPER) + _bonus(USUAL) + dial
    if kind == 12:
        mirrored = f'<g transform="matrix(-1 0 0 1 100 0)">{stroke(_LAUREL, GOLD, 4)}</g>'
        return _ground(INK) + lettering("12", 50, 50, 68, GOLD, fit=76) + stroke(_LAUREL, GOLD, 4) + mirrored
    if kind <= 3:
        mark = stroke(_TWO_CHEVRONS if kind == 3 else _CHEVRON, PAPER, 8)
        return _ground(EXTEND) + lettering(str(kind), 50, 51, 70, PAPER) + mark
    return lettering(str(kind), 50, 51, 70, FACE_INK, fit=78) + stroke(_SHIELD, FIELD, 6)


def _bonus(bonus: int) -> str:
    """Draw what a Redline adds (LC-5.1)."""
    return lettering(f"+{bonus}", 50, 84, 24, PAPER)


def _ground(fill: str) -> str:
    return f'<rect x="5" y="5" width="90" height="130" rx="6" fill="{fill}"/>'


def card_symbols() -> str:
    """Return the symbols of the thirteen card faces, and of the back."""
    edge = f' stroke="{FACE_INK}" stroke-width="2"'
    paper = f'<rect x="1.5" y="1.5" width="97" height="137" rx="9" fill="{FACE}"{edge}/>'
    faces = {str(kind): _face(kind) for kind in range(13)}
    faces["back"] = _back()
    return "".join(
        f'<symbol id="lc-face-{name}" viewBox="0 0 100 140">{paper}{face}</symbol>'
        for name, face in faces.items()
    )


def _back() -> str:
    """Draw the back of a card: a car on a chequered flag."""
    squares = "".join(
        f"M{14 + 12 * i} {14 + 16 * j}h12v8h-12zM{26 + 12 * i} {22 + 16 * j}h12v8h-12z"
        for j in range(7)
        for i in (0, 2, 4)
    )
    return (
        f'<rect x="7" y="7" width="86" height="126" rx="5" fill="{INK}"/><path d="{squares}" fill="#3a342f"/>'
        f'<circle cx="50" cy="70" r="27" fill="{FIELD}" stroke="{PAPER}" stroke-width="4"/>'
        f'<g transform="translate(50 70) rotate(-90) scale(.42)"><path d="{_BODY}" fill="{PAPER}"/>'
        + stroke("M-34-22V22M32-22V22", PAPER, 9)
        + "</g>"
    )


def card(card: Card, *, named: bool = True) -> str:
    """Draw a card face up; ``named`` = false if its name is beside it as text."""
    name = aria(card_name(card), named)
    if card.kind or card.adds == USUAL:
        return _card_box(str(card.kind), name)
    cover = f'<rect x="18" y="69" width="64" height="29" fill="{FIELD}"/>'
    return _card_box("0", name, cover + _bonus(card.adds))


def card_back(*, named: bool = True) -> str:
    """Draw a card face down."""
    return _card_box("back", aria(_("a card face down"), named))


def _card_box(face: str, name: str, over: str = "") -> str:
    use = f'<use href="#lc-face-{face}" width="100" height="140"/>'
    return f'<svg {NS} class="lc-card" viewBox="0 0 100 140" {name}>{use}{over}</svg>'


# ---- signs of moves without a card, and the die --------------------------------------------------

_AHEAD = "M18 6h12v20H18z"  # the car ahead
_SIGNS: dict[str, tuple[str, str]] = {  # name → (path that is filled, path that is stroked)
    "pit": ("M42 6h14v52H42z", "M20 60V46C20 36 26 32 36 32M29 23l10 9l-10 9M20 4v7M20 18v7"),
    "stay": ("", "M32 60V10M21 21l11-12l11 12M12 4v10M12 24v10M12 44v10M52 4v10M52 24v10M52 44v10"),
    "attack": (_AHEAD, "M24 60V48C24 38 46 40 46 28V9M37 18l9-10l9 10"),
    "stop": (_AHEAD.replace("18", "26"), "M32 60V44M14 38H50"),
}


def sign(move: str) -> str:
    """Draw the sign of a move without a card, given in notation: the road from above."""
    filled, drawn = _SIGNS[move]
    return (
        f'<svg {NS} viewBox="0 0 64 64" aria-hidden="true"><rect width="64" height="64" fill="{ROAD}"/>'
        f'<path d="{filled}" fill="{LIGHT}"/>{stroke(drawn, LIGHT, 5)}</svg>'
    )


_PIPS = {1: "e", 2: "ai", 3: "aei", 4: "acgi", 5: "acegi", 6: "acdfgi"}  # a to i: three rows of three


def die(face: int) -> str:
    """Draw a die with this face up."""
    spots = ["abcdefghi".index(pip) for pip in _PIPS[face]]
    pips = "".join(f'<circle cx="{12 + 12 * (i % 3)}" cy="{12 + 12 * (i // 3)}" r="4"/>' for i in spots)
    name = aria(_("die: {face}").format(face=face))
    return (
        f'<svg {NS} class="lc-die" viewBox="0 0 48 48" {name}><rect x="1.5" y="1.5" width="45" height="45" '
        f'rx="9" fill="{FACE}" stroke="{FACE_INK}" stroke-width="3"/><g fill="{FACE_INK}">{pips}</g></svg>'
    )
