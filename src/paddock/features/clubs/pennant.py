"""The picture of a club: a pennant, drawn from its name and its colours."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from html import escape

from paddock.core.i18n import mark

PAPER, INK = "#f6efdf", "#1b1a17"
LETTERS = 3  # of a name, at most
FACE = 'font-family="var(--poster,\'Arial Narrow\',sans-serif)" font-weight="700"'


@dataclass(frozen=True)
class Colours:
    """Two colours of a pennant, and what they are called (a message to translate)."""

    ground: str
    stripe: str
    label: str


COLOURS: Mapping[str, Colours] = {
    "red": Colours("#a8201a", PAPER, mark("red and white")),
    "green": Colours("#1d4d36", "#e0b13c", mark("green and gold")),
    "blue": Colours("#1f4e8c", PAPER, mark("blue and white")),
    "orange": Colours("#c8511b", "#173f5f", mark("orange and blue")),
    "yellow": Colours("#e0a800", INK, mark("yellow and black")),
    "black": Colours("#2b2a27", "#a8201a", mark("black and red")),
    "silver": Colours("#a9adb0", "#1d4d36", mark("silver and green")),
    "violet": Colours("#55307a", "#e0a800", mark("violet and yellow")),
}
# Across a field of 240 × 320: what is drawn in the second colour
PATTERNS = (
    "M0 60H240V140H0Z",  # a band
    "M0 20 240 200V290L0 110Z",  # a bend
    "M0 150 120 50 240 150V220L120 120 0 220Z",  # a chevron
    "M80 0H160V320H80Z",  # a pale
    "M0 0 240 320H0Z",  # two halves
)


def letters_of(name: str) -> str:
    """Return the first letters of the words of a name, at most ``LETTERS``; of one word its first letter."""
    words = ["".join(filter(str.isalnum, word)) for word in name.split()]
    return "".join(word[0].upper() for word in words if word)[:LETTERS] or "★"


def colours_of(name: str, chosen: str) -> Colours:
    """Return the colours that were chosen; else, always the same for a name."""
    return COLOURS.get(chosen) or [*COLOURS.values()][_digest(name)[0] % len(COLOURS)]


def pennant(name: str, chosen: str) -> str:
    """Return the pennant of a club as SVG: an ornament beside its name."""
    colours, letters = colours_of(name, chosen), letters_of(name)
    pattern = PATTERNS[_digest(name)[1] % len(PATTERNS)]
    checks = "".join(
        f'<rect x="{20 * n}" y="{20 * (n % 2)}" width="20" height="20" fill="{INK}"/>' for n in range(12)
    )
    size = 96 if len(letters) < 3 else 70
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 240 320" aria-hidden="true">'
        '<clipPath id="pennant-edge"><path d="M4 4H236V210L120 316 4 210Z"/></clipPath>'
        f'<g clip-path="url(#pennant-edge)"><rect width="240" height="320" fill="{colours.ground}"/>'
        f'<path d="{pattern}" fill="{colours.stripe}"/>'
        f'<rect width="240" height="40" fill="{PAPER}"/>{checks}</g>'
        f'<circle cx="120" cy="150" r="72" fill="{PAPER}" stroke="{INK}" stroke-width="6"/>'
        f'<text x="120" y="150" dy=".36em" text-anchor="middle" font-size="{size}" {FACE} fill="{INK}">'
        f"{escape(letters)}</text>"
        f'<path d="M4 4H236V210L120 316 4 210Z" fill="none" stroke="{INK}" stroke-width="6"/></svg>'
    )


def _digest(name: str) -> bytes:
    return sha256(" ".join(name.split()).casefold().encode()).digest()
