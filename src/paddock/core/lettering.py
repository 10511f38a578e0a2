"""Text drawn as SVG strokes, so that it needs no font. Each title has its own glyphs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import radians, tan


@dataclass(frozen=True)
class Lettering:
    """An alphabet of strokes. Call it to draw a word."""

    glyphs: Mapping[str, tuple[int, str]]  # the width and a path in a box 100 high
    pen: float  # stroke width in that box
    space: int  # between two glyphs
    round: bool = False  # whether line joins are round

    def width(self, text: str, height: float) -> float:
        """Return the width of ``text`` at a height, in the same units, without the slant."""
        return (sum(self.glyphs[c][0] + self.space for c in text) - self.space) * height / 100

    def __call__(
        self,
        text: str,
        x: float,
        y: float,
        height: float,
        ink: str,
        *,
        pen: float | None = None,
        slant: int = 0,
        fit: float = 0,
    ) -> str:
        """Return ``text`` as SVG centred at x, y. Text wider than ``fit`` is compressed."""
        scale = height / 100
        text_width = self.width(text, height)
        squeeze = min(1.0, fit / text_width) if fit else 1.0
        at, parts = 0, []
        for c in text:
            advance, path = self.glyphs[c]
            moved = f' transform="translate({at})"' if at else ""
            parts.append(f'<path{moved} d="{path}"/>')
            at += advance + self.space
        skew = f" skewX({slant})" if slant else ""
        left = x - text_width * squeeze / 2 - (50 * scale * tan(radians(slant)) if slant else 0)
        join = ' stroke-linejoin="round"' if self.round else ""
        place = f"translate({left:.1f} {y - height / 2:.1f}) scale({scale * squeeze:.3f} {scale:.3f}){skew}"
        return (
            f'<g transform="{place}" fill="none" stroke="{ink}" '
            f'stroke-width="{self.pen if pen is None else pen:g}"{join}>'
            f"{''.join(parts)}</g>"
        )
