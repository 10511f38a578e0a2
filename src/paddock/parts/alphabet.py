"""Poster capitals, drawn as strokes: they look the same on every machine, with or without fonts."""

from __future__ import annotations

import re
import unicodedata
from html import escape, unescape

from paddock.core.lettering import Lettering
from paddock.parts.drawing import standalone

# Each glyph is its width and a path in a box 100 high, drawn with a pen 18 wide.
GLYPHS: dict[str, tuple[int, str]] = {
    "0": (56, "M28 9C15 9 9 18 9 32V68C9 82 15 91 28 91S47 82 47 68V32C47 18 41 9 28 9Z"),
    "1": (38, "M27 100V10L4 27"),
    "2": (56, "M9 35V31C9 17 16 9 28 9S47 17 47 30C47 44 38 51 27 62C15 73 10 80 9 91H51"),
    "3": (56, "M9 31C9 17 16 9 28 9S46 16 46 28S40 47 27 47H20H27C41 47 47 55 47 69S40 91 28 91S9 83 9 69"),
    "4": (58, "M39 100V8L9 71H56"),
    "5": (56, "M48 9H14V52M13 48C17 42 22 40 28 40C41 40 47 49 47 65S40 91 28 91S9 84 9 70"),
    "6": (56, "M46 30C46 16 40 9 28 9S9 19 9 34V66C9 82 15 91 28 91S47 82 47 68S41 46 28 46S9 53 9 64"),
    "7": (54, "M4 9H45C38 36 25 56 25 86V100"),
    "8": (
        56,
        (
            "M28 47C16 47 11 39 11 28S17 9 28 9S45 16 45 28S40 47 28 47"
            "C15 47 9 56 9 69S16 91 28 91S47 83 47 69S41 47 28 47Z"
        ),
    ),
    "9": (56, "M10 70C10 84 16 91 28 91S47 81 47 66V34C47 18 41 9 28 9S9 18 9 32S15 54 28 54S47 47 47 36"),
    "A": (58, "M9 100V36C9 18 15 9 29 9S49 18 49 36V100M9 68H49"),
    "B": (58, "M9 9H27C40 9 47 16 47 28S40 48 27 48H9H28C42 48 49 56 49 69S42 91 28 91H9Z"),
    "C": (56, "M47 35V31C47 17 41 9 28 9S9 18 9 32V68C9 82 15 91 28 91S47 83 47 69V65"),
    "D": (56, "M9 9H22C38 9 47 20 47 36V64C47 80 38 91 22 91H9Z"),
    "E": (50, "M47 9H9V91H47M9 49H40"),
    "F": (48, "M46 9H9V100M9 51H40"),
    "G": (56, "M47 35V31C47 17 41 9 28 9S9 18 9 32V68C9 82 15 91 28 91S47 83 47 69V53H28"),
    "H": (58, "M9 0V100M49 0V100M9 49H49"),
    "I": (18, "M9 0V100"),
    "J": (46, "M37 0V68C37 83 32 91 21 91S5 84 5 72"),
    "K": (56, "M9 0V100M47 0V20C47 40 34 50 14 50C34 50 47 60 47 80V100"),
    "L": (48, "M9 0V91H46"),
    "M": (72, "M9 100V9L36 64L63 9V100"),
    "N": (58, "M9 100V9L49 91V0"),
    "O": (56, "M28 9C15 9 9 18 9 32V68C9 82 15 91 28 91S47 82 47 68V32C47 18 41 9 28 9Z"),
    "P": (54, "M9 100V9H27C41 9 47 18 47 32S41 55 27 55H9"),
    "Q": (56, "M28 9C15 9 9 18 9 32V68C9 82 15 91 28 91S47 82 47 68V32C47 18 41 9 28 9ZM29 64L52 100"),
    "R": (58, "M9 100V9H27C41 9 48 17 48 29S41 51 27 51H9M27 51C42 51 48 60 48 76V100"),
    "S": (56, "M46 31C46 16 40 9 28 9S10 17 10 28S17 45 28 49S47 60 47 72S40 91 28 91S9 83 9 68"),
    "T": (52, "M2 9H50M26 9V100"),
    "U": (56, "M9 0V68C9 83 16 91 28 91S47 83 47 68V0"),
    "V": (58, "M6 0L29 92L52 0"),
    "W": (84, "M6 0L24 92L42 24L60 92L78 0"),
    "X": (58, "M7 0L51 100M51 0L7 100"),
    "Y": (58, "M6 0L29 52L52 0M29 50V100"),
    "Z": (54, "M5 9H45L9 91H50"),
    " ": (20, ""),
    "+": (52, "M4 52H48M26 30V74"),
    "-": (38, "M4 54H34"),
    ".": (18, "M9 82V100"),
    ",": (18, "M10 82V96L5 112"),
    ":": (18, "M9 34V52M9 82V100"),
    ";": (18, "M9 34V52M10 82V96L5 112"),
    "!": (18, "M9 0V64M9 82V100"),
    "?": (52, "M8 30C8 16 15 9 26 9S45 17 45 29C45 47 26 46 26 66M26 82V100"),
    "'": (18, "M9 0V24"),
    "(": (30, "M25 0C10 24 10 76 25 100"),
    ")": (30, "M5 0C20 24 20 76 5 100"),
    "/": (40, "M5 100L35 0"),
    "&": (60, "M52 91L17 38C8 22 16 9 27 9S44 23 36 35L15 55C4 67 9 91 28 91C43 91 49 76 50 60"),
    "×": (52, "M7 33L45 75M45 33L7 75"),
}  # fmt: skip
_LIKE = str.maketrans({
    "Ø": "O", "Ł": "L", "Đ": "D", "Ð": "D", "Æ": "AE", "Œ": "OE", "Þ": "TH",
    "·": "-", "–": "-", "—": "-", "…": "...", "’": "'", "‘": "'", "«": "'", "»": "'", "“": "'", "”": "'",
})  # fmt: skip

capitals = Lettering(GLYPHS, pen=18, space=10)


def plain(text: str) -> str:
    """Return the text in the letters of ``GLYPHS``, without accents; empty if most of it has none."""
    folded = unicodedata.normalize("NFKD", text.upper().translate(_LIKE))
    drawable = "".join(c for c in folded if c in GLYPHS)
    letters = [c for c in folded if not unicodedata.combining(c) and not c.isspace()]
    drawn = [c for c in letters if c in GLYPHS]
    return drawable.strip() if 2 * len(drawn) > len(letters) else ""


def write(
    text: str, x: float, y: float, size: float, ink: str, *, anchor: str = "middle", fit: float = 0
) -> str:
    """Draw a text of this font size on the base line ``y``, as strokes; ``anchor`` as in SVG."""
    words = plain(text)
    if not words:
        return ""
    height = 0.7 * size
    width = capitals.width(words, height)
    width = min(width, fit) if fit else width
    middle = x + {"start": width / 2, "end": -width / 2}.get(anchor, 0)
    return capitals(words, middle, y - height / 2, height, ink, fit=fit)


_TEXT = re.compile(r"<text([^>]*)>([^<]*)</text>")
_FACT = re.compile(r'([\w-]+)="([^"]*)"')


def outlined(drawing: str) -> str:
    """Return a drawing that needs no style sheet, and no fonts: its texts are drawn as strokes."""

    def strokes(match: re.Match[str]) -> str:
        """Return a text element as strokes, at its place and in its size."""
        facts = dict(_FACT.findall(match[1]))
        x, y, size = (
            float(facts.get(name, usual)) for name, usual in (("x", 0), ("y", 0), ("font-size", 16))
        )
        ink, anchor = facts.get("fill", "#000"), facts.get("text-anchor", "start")
        drawn = write(
            unescape(match[2]), x, y, size, ink, anchor=anchor, fit=float(facts.get("textLength", 0))
        )
        place = facts.get("transform")
        return f'<g transform="{escape(place)}">{drawn}</g>' if place else drawn

    return _TEXT.sub(strokes, standalone(drawing))
