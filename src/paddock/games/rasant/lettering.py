"""Lettering of road signs: round figures and capitals drawn as strokes, the same on every machine."""

from __future__ import annotations

from math import radians, tan

# Each glyph is its width and a path in a box 100 high, drawn with a pen 16 wide.
PEN = 16
SPACE = 13
GLYPHS: dict[str, tuple[int, str]] = {
    "0": (60, "M30 8C16 8 8 18 8 33V67C8 82 16 92 30 92S52 82 52 67V33C52 18 44 8 30 8Z"),
    "1": (36, "M28 100V10L6 28"),
    "2": (58, "M8 33C8 18 17 8 30 8S50 17 50 31C50 42 44 49 36 59L9 92H54"),
    "3": (58, "M9 28C10 15 18 8 29 8C42 8 48 16 48 28S40 47 27 47C42 47 50 56 50 69S42 92 29 92S9 84 8 70"),
    "4": (60, "M34 4L9 72H57M44 44V100"),
    "5": (58, "M48 8H15L12 50C16 44 22 41 29 41C43 41 50 51 50 66S42 92 28 92S9 84 8 72"),
    "6": (60, "M43 3L14 51C10 57 8 61 8 67C8 82 17 92 30 92S52 82 52 67S43 43 30 43C22 43 16 46 12 54"),
    "7": (54, "M4 8H46L21 100"),
    "8": (
        60,
        (
            "M30 47C18 47 11 39 11 27.5S18 8 30 8S49 16 49 27.5S42 47 30 47"
            "C16 47 8 56 8 69.5S16 92 30 92S52 83 52 69.5S44 47 30 47Z"
        ),
    ),
    "9": (60, "M17 97L46 49C50 43 52 39 52 33C52 18 43 8 30 8S8 18 8 33S17 57 30 57C38 57 44 54 48 46"),
    "A": (60, "M5 100L30 4L55 100M14 70H46"),
    "B": (60, "M9 8H29C42 8 48 16 48 28S42 47 29 47H9H29C44 47 52 56 52 69.5S44 92 29 92H9Z"),
    "G": (60, "M52 30C50 15 42 8 30 8C16 8 8 17 8 32V68C8 83 16 92 30 92S52 83 52 68V54H31"),
    "N": (62, "M9 100V8L53 92V0"),
    "R": (60, "M9 100V8H30C44 8 51 17 51 30S44 52 30 52H9H32L53 100"),
    "S": (
        58,
        (
            "M49 28C48 15 41 8 29 8C17 8 9 16 9 27C9 41 20 45 29 48"
            "C40 51 50 57 50 71C50 84 42 92 29 92S9 85 8 71"
        ),
    ),
    "T": (56, "M2 8H54M28 8V100"),
    "Y": (58, "M4 0L29 52L54 0M29 50V100"),
    "×": (52, "M7 33L45 75M45 33L7 75"),
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
    left = x - wide * squeeze / 2 - (50 * scale * tan(radians(slant)) if slant else 0)
    across = scale * squeeze
    return (
        f'<g transform="translate({left:.1f} {y - height / 2:.1f}) scale({across:.3f} {scale:.3f}){skew}" '
        f'fill="none" stroke="{ink}" stroke-width="{pen:g}" stroke-linejoin="round">{"".join(parts)}</g>'
    )
