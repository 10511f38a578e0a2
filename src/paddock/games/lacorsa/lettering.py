"""Poster lettering: capitals and figures drawn as strokes, so that they look the same on every machine."""

from __future__ import annotations

from math import radians, tan

# Each glyph is its width and a path in a box 100 high, drawn with a pen 18 wide.
PEN = 18
SPACE = 10
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
    "C": (56, "M47 35V31C47 17 41 9 28 9S9 18 9 32V68C9 82 15 91 28 91S47 83 47 69V65"),
    "L": (48, "M9 0V91H46"),
    "O": (56, "M28 9C15 9 9 18 9 32V68C9 82 15 91 28 91S47 82 47 68V32C47 18 41 9 28 9Z"),
    "R": (58, "M9 100V9H27C41 9 48 17 48 29S41 51 27 51H9M27 51C42 51 48 60 48 76V100"),
    "S": (56, "M46 31C46 16 40 9 28 9S10 17 10 28S17 45 28 49S47 60 47 72S40 91 28 91S9 83 9 68"),
    "+": (52, "M4 52H48M26 30V74"),
}  # fmt: skip


def width(text: str, height: float) -> float:
    """How wide ``text`` comes out at a height, in the same units; the slant is not counted."""
    return (sum(GLYPHS[c][0] + SPACE for c in text) - SPACE) * height / 100


def lettering(
    text: str,
    x: float,
    y: float,
    height: float,
    ink: str,
    *,
    pen: float = PEN,
    slant: int = 0,
    fit: float = 0,
) -> str:
    """``text`` as a path whose middle is at x, y. ``fit`` is the greatest width: wider text is squeezed."""
    scale = height / 100
    wide = width(text, height)
    squeeze = min(1.0, fit / wide) if fit else 1.0
    at, parts = 0, []
    for c in text:
        advance, path = GLYPHS[c]
        parts.append(f'<path d="{path}"/>' if not at else f'<path transform="translate({at})" d="{path}"/>')
        at += advance + SPACE
    skew = f" skewX({slant})" if slant else ""
    across = scale * squeeze
    left = x - wide * squeeze / 2 - (50 * scale * tan(radians(slant)) if slant else 0)
    return (
        f'<g transform="translate({left:.1f} {y - height / 2:.1f}) scale({across:.3f} {scale:.3f}){skew}" '
        f'fill="none" stroke="{ink}" stroke-width="{pen:g}">{"".join(parts)}</g>'
    )
