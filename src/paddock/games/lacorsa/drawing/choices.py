"""LACORSA: small pictures of what can be chosen before a championship: grids, points, presets, drivers.

Each stands alone and has no words: a page shows it as an image beside its name.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from paddock.games.lacorsa.drawing.lettering import lettering
from paddock.games.lacorsa.drawing.pieces import (
    FIELD,
    GOLD,
    INK,
    LIGHT,
    NS,
    PAPER,
    ROAD,
    car_symbols,
    stroke,
    use,
)
from paddock.parts.drawing import standalone

Place = tuple[int, float, float, float]  # a car's number, the middle, its scale
LAUREL = (
    "M80 84C50 80 40 60 44 30M45 40l-9-7M48 54l-10-3M54 66l-10 2M64 76l-9 6M44 40l8-8M47 54l9-6M53 66l9-6"
)


def _picture(drawn: str, cars: Iterable[int] = (), width: int = 160, height: int = 100) -> str:
    symbols = f"<defs>{car_symbols([(number, 0) for number in cars])}</defs>"
    return standalone(
        f'<svg {NS} viewBox="0 0 {width} {height}" color="{PAPER}">{symbols if cars else ""}{drawn}</svg>'
    )


def _road(places: Sequence[Place], extra: str = "") -> str:
    """Cars on a road with the lines of its grid."""
    lines = "".join(f"M{x + 54 * k + 4:.0f} {y - 20 * k:.0f}v{40 * k:.0f}" for _car, x, y, k in places)
    ground = f'<path d="M0 0H160V100H0Z" fill="{FIELD}"/><path d="M0 12H160V88H0Z" fill="{ROAD}"/>'
    cars = "".join(
        use(car, 0, f' transform="translate({x:g} {y:g}) scale({k:g})"') for car, x, y, k in places
    )
    return _picture(ground + stroke(lines, LIGHT, 1.6) + cars + extra, [place[0] for place in places])


def _grid(rows: int, columns: int) -> str:
    """Cars in rows, the first one on the right."""
    step, row_step = 152 / columns, 72 / rows
    k = min(step / 120, row_step / 54)
    return _road(
        [
            (
                n + 1,
                156 - step * (n // rows + 0.5) - step / 6 * (n % rows),
                14 + row_step * (n % rows + 0.5),
                k,
            )
            for n in range(rows * columns)
        ]
    )


def grid_picture(large: str) -> str:
    """The classic grid of four cars, or the Large Grid of twelve."""
    return _grid(3, 4) if large == "yes" else _grid(2, 2)


def points_picture(points: str) -> str:
    """A column for each place that scores, the first on the left."""
    numbers = [int(part) for part in points.split(",")]
    highest = max(1, *numbers)
    step = 144 / max(6, len(numbers))
    columns = "".join(
        f"M{8 + step * n + 1:.1f} 92h{step - 2:.1f}V{92 - 80 * number / highest:.1f}h{2 - step:.1f}z"
        for n, number in enumerate(numbers)
    )
    first = f"M9 92h{step - 2:.1f}V12h{2 - step:.1f}z"
    return _picture(
        f'<path d="M0 0H160V100H0Z" fill="{PAPER}"/><path d="{columns}" fill="{INK}"/>'
        f'<path d="{first}" fill="{FIELD}"/><path d="M0 92H160V100H0Z" fill="{ROAD}"/>'
    )


def driver_picture(number: str) -> str:
    """The car of a driver, from 1."""
    car = use(int(number), 0, ' transform="translate(32 20) scale(.56)"')
    return _picture(car, [int(number)], 64, 40)


def _flag(x: float, y: float, size: float) -> str:
    """A chequered flag."""
    squares = "".join(
        f"M{x + size * i:g} {y + size * j:g}h{size:g}v{size:g}h{-size:g}z"
        for j in range(4)
        for i in range(j % 2, 5, 2)
    )
    width, height = 5 * size, 4 * size
    return (
        f'<path d="M{x:g} {y:g}h{width:g}v{height:g}h{-width:g}z" fill="{PAPER}"/>'
        f'<path d="{squares}" fill="{INK}"/>' + stroke(f"M{x:g} {y - 4:g}V{y + height + 30:g}", GOLD, 4)
    )


def preset_picture(name: str) -> str:
    """A preset: a flag, three cars, a laurel, a grid of eight."""
    if name == "grid":
        return _grid(2, 4)
    if name == "evening":
        return _road([(3, 44, 32, 0.62), (1, 112, 50, 0.62), (5, 52, 70, 0.62)])
    if name == "race":
        return _road([(1, 62, 62, 1.05)], _flag(112, 16, 8))
    mirrored = f'<g transform="matrix(-1 0 0 1 160 0)">{stroke(LAUREL, GOLD, 4)}</g>'
    return _picture(
        f'<path d="M0 0H160V100H0Z" fill="{FIELD}"/>{stroke(LAUREL, GOLD, 4)}{mirrored}'
        + lettering("7", 80, 50, 44, LIGHT)
    )
