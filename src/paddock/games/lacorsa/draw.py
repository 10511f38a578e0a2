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

from paddock.core.i18n import _
from paddock.games.lacorsa.lettering import lettering
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
    "chequers": "".join(f"M{-50 + 7 * i}{-16 + 8 * j}h7v8h-7z" for i in range(3) for j in range(4) if (i + j) % 2)
    .replace("M-50-", "M-50 -"),
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


def _symbol_id(number: int, striped: bool) -> str:
    return f"lc-car-{number}{'s' if striped else ''}"


def _car_symbol(number: int, striped: bool) -> str:
    """A car from above, heading right, in a box from -54,-26 to 54,26."""
    coat = livery(number, striped)
    marks = _PATTERNS[coat.pattern]
    tyres = "".join(
        f'<rect x="{x}" y="{y}" width="{w}" height="9" rx="3"/>' for x, w in ((-44, 20), (24, 17)) for y in (-25, 16)
    )
    return (
        f'<symbol id="{_symbol_id(number, striped)}" viewBox="-54 -26 108 52">'
        f'<path d="M-34-20V20M32-20V20" stroke="{INK}" stroke-width="4"/>'
        f'<g fill="{INK}" stroke="currentColor" stroke-width="1.2">{tyres}</g>'
        f'<path d="{_BODY}" fill="{coat.body}"/>'
        + (f'<path clip-path="url(#lc-body)" d="{marks}" fill="{coat.second}"/>' if marks else "")
        + (f'<path clip-path="url(#lc-body)" d="{_STRIPES}" fill="{coat.second}"/>' if striped else "")
        + f'<path d="{_BODY}" fill="none" stroke="currentColor" stroke-width="2.2"/>'
        f'<path d="M-31 0C-31-7-25-9-18-9S-6-6-6 0S-11 9-18 9S-31 7-31 0Z" fill="{INK}"/>'
        f'<circle cx="-20" r="6" fill="{PAPER}"/><path d="M-19-6a6 6 0 0 1 0 12z" fill="{INK}" opacity=".55"/>'
        f'<circle cx="12" r="15" fill="{PAPER}" stroke="{INK}" stroke-width="1.6"/>'
        + lettering(str(number), 12, 0, 20, INK, fit=22)
        + "</symbol>"
    )


# ---- suits: plain line icons in a box of 24 ---------------------------------------------------

SUITS: tuple[tuple[str, str], ...] = (
    ("gears", "M12 8a4 4 0 1 0 0 8a4 4 0 1 0 0-8ZM12 2.5v3M12 18.5v3M2.5 12h3M18.5 12h3M5.3 5.3l2.1 2.1"
              "M16.6 16.6l2.1 2.1M5.3 18.7l2.1-2.1M16.6 7.4l2.1-2.1M12 5.5a6.5 6.5 0 1 0 0 13a6.5 6.5 0 1 0 0-13Z"),
    ("pedals", "M8 2.5h7l2 12h-9zM9.5 6h4.8M9.8 9.5h5M3 21.5h18M12.5 14.5l-3 7"),
    ("pistons", "M6 3h12v9H6zM6 5.8h12M6 8.4h12M12 12v4.5M12 16.5a2.5 2.5 0 1 0 0 5a2.5 2.5 0 1 0 0-5Z"),
    ("wheels", "M12 2.5a9.5 9.5 0 1 0 0 19a9.5 9.5 0 1 0 0-19ZM12 9.5a2.5 2.5 0 1 0 0 5a2.5 2.5 0 1 0 0-5Z"
               "M9.6 11.3L3 9M14.4 11.3L21 9M12 14.5v7"),
    ("gates", "M5 3v18M12 3v18M19 3v9M5 12h14M3.5 3h3M10.5 3h3M17.5 3h3M3.5 21h3M10.5 21h3"),
    ("cams", "M12 3a3.5 3.5 0 0 1 3.3 2.4l3 7.4a6.8 6.8 0 1 1-12.6 0l3-7.4A3.5 3.5 0 0 1 12 3ZM12 12.5a2.6 2.6 0 1 0 0"
             " 5.2a2.6 2.6 0 1 0 0-5.2Z"),
)  # fmt: skip


def _suit(suit: int, x: float, y: float, size: float, ink: str, pen: float = 1.8) -> str:
    return (
        f'<use href="#lc-suit-{suit % len(SUITS)}" x="{x:g}" y="{y:g}" width="{size:g}" height="{size:g}" '
        f'color="{ink}" stroke-width="{pen:g}"/>'
    )


def sprite(cars: Iterable[tuple[int, bool]] | None = None) -> str:
    """The symbols that the other drawings use, to stand once in a page: suits, and the cars as
    (number, striped); all twelve plain liveries where none are named."""
    cars = [(n, False) for n in range(1, 13)] if cars is None else cars
    return (
        f'<svg {NS} class="sprite" width="0" height="0" aria-hidden="true" focusable="false"><defs>'
        f'<clipPath id="lc-body"><path d="{_BODY}"/></clipPath>'
        + "".join(
            f'<symbol id="lc-suit-{i}" viewBox="0 0 24 24"><path d="{path}" fill="none" stroke="currentColor" '
            'stroke-linecap="round" stroke-linejoin="round"/></symbol>'
            for i, (_name, path) in enumerate(SUITS)
        )
        + "".join(_car_symbol(number, striped) for number, striped in cars)
        + "</defs></svg>"
    )


def car_label(number: int, striped: bool) -> str:
    """What a car's picture is called: «car 3, green»."""
    return _("car {number}, {livery}").format(number=number, livery=livery_name(number, striped))


def car(number: int, striped: bool = False, *, named: bool = True) -> str:
    """A car as an icon; ``named`` = false where its number stands beside it as text."""
    use = f'<use href="#{_symbol_id(number, striped)}" x="-54" y="-26" width="108" height="52"/>'
    return f'<svg {NS} class="lc-car" viewBox="-54 -26 108 52" {_name(car_label(number, striped), named)}>{use}</svg>'


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


def card(card: Card, *, state: str = "", named: bool = True) -> str:
    """A card face. ``state`` is "" or a word that CSS knows: chosen, committed, won, lost, shut."""
    kind = card.kind
    parts = [f'<rect class="lc-face" x="1.5" y="1.5" width="97" height="137" rx="9" fill="{FACE}" stroke="{FACE_INK}"'
             ' stroke-width="2"/>']  # fmt: skip
    if kind == 0:
        ink, ticks = PAPER, "M50 22v8M26.700 30l4.600 6.600M73.300 30l-4.600 6.600M16 55l8 1M84 55l-8 1".replace("00", "")
        parts += [
            f'<rect x="6" y="6" width="88" height="100" rx="5" fill="{FIELD}"/>',
            f'<path d="{_DIAL}" fill="none" stroke="{PAPER}" stroke-width="3"/>',
            f'<path d="M66 26A34 34 0 0 1 79 74" fill="none" stroke="{INK}" stroke-width="7"/>',
            f'<path d="{ticks}" stroke="{PAPER}" stroke-width="3"/>',
            f'<path d="M50 62L74 40" stroke="{PAPER}" stroke-width="3"/>',
            lettering("R", 50, 62, 40, PAPER),
            lettering("+2", 50, 94, 17, PAPER),
        ]
    else:
        extend, champion = kind <= 3, kind == 12
        ground = "var(--lc-extend,#14565a)" if extend else INK if champion else ""
        ink = PAPER if extend else GOLD if champion else FACE_INK
        if ground:
            parts.append(f'<rect x="6" y="6" width="88" height="100" rx="5" fill="{ground}"/>')
        parts.append(lettering(str(kind), 50, 60 if extend else 54 if champion else 56, 58 if extend else 68, ink,
                               fit=72))  # fmt: skip
        if extend:  # an arrow for the space it moves; two where it drafts
            heads = "M40 24l10-10l10 10" + ("M40 102l10-10l10 10" if False else "") + ("M40 15l10-10" * 0)
            heads = "M37 25l13-12l13 12" if kind < 3 else "M37 26l13-12l13 12M37 17l13-12l13 12"
            parts.append(f'<path d="{heads}" fill="none" stroke="{ink}" stroke-width="5"/>')
        if champion:  # laurels
            leaf = "M22 96C8 84 6 60 14 44M17 54c-8-2-9-8-8-12c6 1 9 5 8 12M13 68c-7-3-8-8-6-13M15 80c-7-1-10-6-9-11"
            leaf = "M34 99C14 92 8 70 14 46M14 52l-6-9M11 62l-6-5M12 73l-6-2M16 83l-6 1M24 92l-4 5M14 52l7-5M11 63l7-3" \
                   "M13 74l7-1M18 84l6-3"  # fmt: skip
            parts += [
                f'<path id="" d="{leaf}" fill="none" stroke="{ink}" stroke-width="3.200"/>'.replace(' id=""', "").replace("3.200", "3.2"),
                f'<path transform="matrix(-1 0 0 1 100 0)" d="{leaf}" fill="none" stroke="{ink}" stroke-width="3.2"/>',
            ]
        if not ground:
            parts.append(f'<path d="M10 105H90" stroke="{FIELD}" stroke-width="4"/>')
    words = kind_name(kind)
    fitted = ' textLength="66" lengthAdjust="spacingAndGlyphs"' if len(words) > 11 else ""
    parts.append(
        f'<text x="{61}" y="127" text-anchor="middle" font-family="{SANS}" font-size="14.5" font-weight="700" '
        f'fill="{FACE_INK}"{fitted}>{escape(words)}</text>'
    )
    parts.append(_suit(card.suit, 7, 111, 20, FACE_INK, 1.9))
    return _card_box(parts, state, card_name(card), named)


def card_back(*, state: str = "", named: bool = True) -> str:
    """A card face down."""
    chequer = "".join(
        f"M{14 + 12 * i} {14 + 16 * j}h12v8h-12z" + f"M{26 + 12 * i} {22 + 16 * j}h12v8h-12z"
        for j in range(7)
        for i in range(0, 5, 2)
    )
    return _card_box(
        [
            f'<rect class="lc-face" x="1.5" y="1.5" width="97" height="137" rx="9" fill="{FACE}" stroke="{FACE_INK}"'
            ' stroke-width="2"/>',
            f'<rect x="7" y="7" width="86" height="126" rx="5" fill="{INK}"/><path d="{chequer}" fill="#3a342f"/>',
            f'<circle cx="50" cy="70" r="27" fill="{FIELD}" stroke="{PAPER}" stroke-width="4"/>',
            f'<g transform="translate(50 70) rotate(-90) scale(.42)"><path d="{_BODY}" fill="{PAPER}"/>'
            f'<path d="M-34-22V22M32-22V22" stroke="{PAPER}" stroke-width="9"/></g>',
        ],
        state,
        _("a card face down"),
        named,
    )


def _card_box(parts: Sequence[str], state: str, name: str, named: bool) -> str:
    marked = f" is-{state}" if state else ""
    return f'<svg {NS} class="lc-card{marked}" viewBox="0 0 100 140" {_name(name, named)}>{"".join(parts)}</svg>'
