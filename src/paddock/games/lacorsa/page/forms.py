"""LACORSA: what the set-up page shows of its options."""

from __future__ import annotations

from collections.abc import Sequence

from paddock.core.i18n import _, mark, pgettext
from paddock.core.options import Options
from paddock.core.pages import Part
from paddock.games.lacorsa.drawing.choices import driver_picture, grid_picture, points_picture, preset_picture
from paddock.games.lacorsa.rulebook import MOST_DRIVERS, read_pairs
from paddock.parts.numbers import Numbers

PICTURES = {
    "drivers": driver_picture,
    "large_grid": grid_picture,
    "points": points_picture,
    "presets": preset_picture,
}


class _Pairs:
    """LC-2.2 a field for every driver: their partner."""

    def split(self, value: str, options: Options) -> list[Part]:
        """Return the partners of the drivers of this race."""
        try:
            pairs = read_pairs(value)
        except ValueError:
            pairs = []
        partner = {a: b for pair in pairs for a, b in (pair, pair[::-1])}
        drivers = range(1, options.players + 1)
        names = [(str(n), pgettext("person", "driver {n}").format(n=n)) for n in drivers]
        return [
            Part(
                _("Driver {n} with").format(n=n),
                str(partner.get(n, "")),
                [("", _("nobody")), *(choice for choice in names if choice[0] != str(n))],
            )
            for n in drivers
        ]

    def join(self, texts: Sequence[str]) -> str:
        """Return the pairs; one of two partners names the other."""
        pairs = {tuple(sorted((n, int(text)))) for n, text in enumerate(texts, 1) if text.isdigit()}
        return "/".join(f"{first}-{second}" for first, second in sorted(pairs)) or "no"


PARTS = {"points": Numbers(MOST_DRIVERS, mark("Place {n}")), "pairs": _Pairs()}
