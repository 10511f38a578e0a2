"""The Great Race: the spaces of the map as symbols: unknown land, tiles and cities."""

from __future__ import annotations

from paddock.games.great_race.drawing.pieces import (
    BOLT,
    COARSE,
    CREAM,
    DROP,
    DUNE,
    EDGE,
    FIELD,
    FINE,
    GOLD,
    INK,
    LAND,
    OCTAGON,
    ON_PAINTS,
    PAINTS,
    PEAK,
    PURPLE,
    RED,
    RISK,
    ROSE,
    SIGNS,
    SLOPE,
    SNOW,
    WARNING,
    WAVE,
    R,
    costs,
    edge,
    half_track,
    hexagon,
    line,
    moved,
    path,
    sign,
    text,
    warning,
)
from paddock.games.great_race.maps.tiles import KINDS, Tile

GROUNDS = {
    1: "var(--gr-one,#f3cf78)",
    2: "var(--gr-two,#df9448)",
    3: "var(--gr-three,#b35a35)",
}  # of a tile, by its petrol
SKIES = {1: "#fbe7ae", 2: "#f4bd72", 3: "#d98b57"}
SHADES = {1: "#c9963e", 2: "#a8622c", 3: "#74351f"}
CHOICE = "#7ff3ea"  # of the ring around a space that can be chosen: no land has this colour
ICE, WATER = "#f3f4ee", "#3c7f95"

# The scene of each tile: paths behind one another above the line y = 4, each with the colour of its ground's
# shade (s), of its dark (d), or its own.
_ROAD = (("c", "M-2-6H2L12 4H-12Z"), ("s", "M-.6-6H.6L1.4-3H-1.4ZM-2-1.6H2L3 2H-3Z"))
_PEAKS = (
    ("d", "M-24 4L-11-13L-4-4L5-18L22 4Z"),
    ("w", "M-11-13L-7.4-8.3L-10-9.2L-12-7L-14.6-8.3ZM5-18L10.4-10.8L6.8-12.2L4-9.4L1-11.4Z"),
)
SCENES: dict[str, tuple[tuple[str, str], ...]] = {
    "track": (("s", "M-24-2Q-10-10 4-4T24-6V4H-24Z"), *_ROAD),
    "herd-crossing": (
        ("s", "M-24-3Q-6-8 24-3V4H-24Z"),
        ("d", "M-17 2V-5H-8L-6-8H-4V-5L-6-3V2H-8V-1H-14V2ZM-2-1V-7H6L8-10H10V-7L8-5V-1H6V-4H0V-1Z"),
        ("d", "M6 4V-2H14L16-5H18V-2L16 0V4H14V1H8V4Z"),
    ),
    "outlaws": (
        ("s", "M-24-2Q0-7 24-2V4H-24Z"),
        ("d", "M-13-9H-6L-4-15H5L7-9H14V-6.5H-13Z"),
        ("c", "M-5-6.5H6V-3H-5Z"),
        ("r", "M-6-3.4H7L.5 6Z"),
    ),
    "gravel": (
        ("s", "M-24-4H24V4H-24Z"),
        ("c", "M-15-2.6h6v3h-6ZM-4-.4h7v3.4h-7ZM8-3h6v3h-6Z"),
        ("d", "M-9 1.2h4v2.6h-4ZM2-3.4h4v2.4h-4ZM13 .6h5v3h-5ZM-19 .8h3.4v2.4h-3.4Z"),
    ),
    "ambush-gully": (
        ("d", "M-24 4V-8L-13-14L-6-9L-3 4Z"),
        ("d", "M24 4V-10L14-16L7-10L3 4Z"),
        ("s", "M-13-14L-6-9L-3 4H-8L-11-6ZM14-16L7-10L3 4H7L11-7Z"),
        ("r", "M-15.4-18h4l1 3h-6ZM11.6-20h4l1 3h-6Z"),
    ),
    "mud": (
        ("s", "M-24-5Q0-9 24-5V4H-24Z"),
        (
            "d",
            (
                "M-15-1.6A6 2 0 1 1-3-1.6A6 2 0 1 1-15-1.6ZM1 .8A8 2.4 0 1 1 17 .8A8 2.4 0 1 1 1 .8ZM4-4.6h9"
                "v1.8h-9Z"
            ),
        ),
    ),
    "ford": (
        ("s", "M-24-8Q0-12 24-8V-4H-24Z"),
        ("b", "M-24-5H24V4H-24Z"),
        ("w", "M-18-2q3-2 6 0t6 0v1.4q-3 2-6 0t-6 0ZM2 1q3-2 6 0t6 0v1.4q-3 2-6 0t-6 0Z"),
        ("d", "M-6-12h2v10h-2ZM5-12h2v12h-2Z"),
    ),
    "raiders-hills": (
        ("s", "M-24 4V-4Q-12-14 0-4Q12-16 24-5V4Z"),
        ("d", "M-24 4Q-16-8-4 0Q8-10 24 2V4ZM9-20h1.6V-8H9Z"),
        ("r", "M10.6-20L20-17L10.6-14Z"),
    ),
    "hills": (
        ("s", "M-24 4V-5Q-13-15-2-5Q9-17 24-5V4Z"),
        ("d", "M-24 4Q-14-7-3 1Q10-8 24 2V4Z"),
    ),
    "canyon": (
        ("s", "M-24-7H-8V4H-24ZM7-10H24V4H7Z"),
        ("d", "M-24-7H-8V-4.6H-24ZM7-10H24V-7.6H7ZM-24-1H-9V1.4H-24ZM8-2.6H24V-.2H8Z"),
        ("c", "M-8 4L-3-2H3L7 4Z"),
    ),
    "rebel-valley": (
        ("d", "M-24 4V-13L-2 4Z"),
        ("s", "M24 4V-15L0 4Z"),
        ("c", "M4-18H12L10.4-9.4L6-9.4Z"),
        ("r", "M3-17h10v3.6h-10Z"),
        ("d", "M7-13.4h2V0h-2Z"),
    ),
    "warlords-gorge": (
        ("s", "M-24 4V-9L-12-12L-5 4Z"),
        ("d", "M24 4V-14H18V-18H15V-15H12V-18H9V-15H6V-18H3L5 4Z"),
        ("c", "M10-10h3v5h-3Z"),
        ("r", "M13-20.4h1.4v6h-1.4ZM14.4-20.4L21-18.4L14.4-16.4Z"),
    ),
    "scree": (
        ("s", "M-24 4L14-18L24-10V4Z"),
        (
            "d",
            (
                "M-9-6l4-3l4 2l-1 4h-5ZM3-9l4-2l3 3l-3 3h-4ZM-2 1l4-3l4 2l1 3.4h-8ZM-15 1l3-2l3 2l-1 2.4h-5Z"
                "M11-2l4-2l4 3l-2 4h-5Z"
            ),
        ),
    ),
    "deep-sand": (
        ("s", "M-24 4V-5Q-14-5-6-13Q0-5 10-6Q18-6 24-10V4Z"),
        ("d", "M-6-13Q0-5 10-6Q-2 0-12-2Q-6-6-6-13Z"),
        ("c", "M-24 4Q-8-5 6 1Q16-4 24-1V4Z"),
    ),
    "blizzard": (
        ("w", "M-24 4V-2Q-10-10 2-3Q14-9 24-4V4Z"),
        ("w", "M-13-17h3v3h-3ZM-3-14h3v3h-3ZM8-18h3v3h-3ZM15-12h3v3h-3ZM-19-10h3v3h-3ZM3-9h2.4v2.4h-2.4Z"),
        ("d", "M-16-5H-4L-6-3H-18ZM3-6H15L13-4H1Z"),
    ),
    "high-pass": (*_PEAKS, ("c", "M-7 4L-1-1L-5-4H-2.6L3-1L-1 4Z")),
    "landslide": (
        ("d", "M-24 4V-12L-14-17L24 4Z"),
        ("s", "M-14-17L-8-13L-12-8L-4-4L-10 4H-24V-12Z"),
        ("c", "M4-11l4-2l3 3l-3 4l-5-1ZM13-4l4-2l3 3l-2 3h-4ZM-3-15l3-1l2 2l-2 3l-4-1Z"),
    ),
    "avalanche": (
        ("d", "M-24 4L-6-20L10-4L24 4Z"),
        ("w", "M-6-20L2-12L-2-9L6-5A5 5 0 0 1 14 1A4 4 0 0 1 12 4H-14A4 4 0 0 1-12-3A5 5 0 0 1-11-11Z"),
        ("s", "M-9-8h3v2h-3ZM-3-3h4v2h-4ZM-9 0h3v2h-3Z"),
    ),
    "glacier": (
        ("d", "M-24 4V-10L-12-19L0-9L11-17L24-6V4Z"),
        ("w", "M-15 4L-8-9L-2-5L5-10L14 4Z"),
        ("b", "M-6 4L-4-3L-2.6 4ZM3 4L5.4-5L7 4Z"),
    ),
}

_BAND = "M-21.2 5H21.2L12.3 20.2H-12.3Z"  # at the foot of a tile, for its costs


def _rose(r: float, faint: float) -> str:
    """A compass rose with eight points, one half of each dark."""
    a, b = r * 0.2, r * 0.62
    c = b * 0.707
    half = (
        f"M0 0L0 {-r:g}L{a:g} {-a:g}ZM0 0L{r:g} 0L{a:g} {a:g}ZM0 0L0 {r:g}L{-a:g} {a:g}ZM0 0L{-r:g} 0"
        f"L{-a:g} {-a:g}Z"
    )
    whole = f"M0 {-r:g}L{a:g} {-a:g}L{r:g} 0L{a:g} {a:g}L0 {r:g}L{-a:g} {a:g}L{-r:g} 0L{-a:g} {-a:g}Z"
    between = f"M0 0L{c:.1f} {-c:.1f}M0 0L{c:.1f} {c:.1f}M0 0L{-c:.1f} {c:.1f}M0 0L{-c:.1f} {-c:.1f}"
    return (
        f'<g opacity="{faint:g}">'
        + line(between, ROSE, r * 0.09)
        + line(whole, ROSE, r * 0.07)
        + path(half, ROSE)
        + "</g>"
    )


# Unknown land: three grounds, each with what grows there: nothing, grass, dunes.
WASHES = (
    (LAND, ""),
    (
        FIELD,
        "M-16.5 9v-4m-2.4 4l-1.6-3m6.4 3l1.6-3M13.5-9v-4m-2.4 4l-1.6-3m6.4 3l1.6-3M9 16v-3.4m-2 3.4l-1.4-2.6",
    ),
    (DUNE, "M-20-5q4-4.4 8 0t7-1M5 14.5q4-4.4 8 0M-12 14.5q3.4-3.4 6.6 0M8-12.6q3.4-3.4 6.6 0"),
)


def _land(wash: int) -> str:
    """Unknown land: a small compass rose on one of three grounds."""
    ground, plants = WASHES[wash]
    drawn = path(hexagon(), ground, edge(EDGE, 1))
    if plants:
        drawn += f"<g{FINE}>" + line(plants, ROSE, 1.3, ' opacity=".75" stroke-linecap="round"') + "</g>"
    return drawn + f"<g{FINE}>{_rose(8.5, 0.62)}</g>" + ("" if wash else f"<g{COARSE}>{_rose(9, 0.5)}</g>")


def _mountains() -> str:
    """Unknown land in a risk zone: snowy peaks, and what a tile costs more there."""
    lit = path("M-21 13.6L-5-16L6 4L11-5.4L22.4 13.6Z", SLOPE)
    dark = path("M-5-16L6 4L1.6 13.6H-7.4L-3.6 2L-7-5ZM11-5.4L22.4 13.6H11.4L12.6 4Z", PEAK)
    snow = path("M-5-16L1-5.4L-2-7L-4.4-3.6L-7.2-6.4L-10.4-5.8ZM11-5.4L14.4.4L11.6-.6L8.2-.4Z", SNOW)
    foot = path("M-21.4 13.6H22.4L13 24H-13Z", RISK)
    peaks = f'<g clip-path="url(#gr-inside)">{lit}{dark}{snow}{foot}</g>'
    plus_sign = path("M-9-6.5H9V6.5H-9Z", CREAM, edge(INK, 1)) + text(0, 4.6, 12, "+1", INK, bold=True)
    plus = line("M-5 0H5M0-5V5", INK, 7.4) + line("M-5 0H5M0-5V5", CREAM, 3.8)
    return (
        path(hexagon(), RISK, edge(EDGE, 1))
        + peaks
        + f"<g{FINE}>{moved(0, 14, plus_sign, 0.8)}</g><g{COARSE}>{moved(0, 11, plus)}</g>"
    )


def _tile(tile: Tile, risk: bool) -> str:
    """A tile: a scene above its costs; small, its petrol on a disc, in a triangle for a danger, on an octagon
    for a stop, with bolts beside it for damage. In a risk zone it has a broken rim and costs one more."""
    ground = path(hexagon(R - 0.8), GROUNDS[tile.petrol], edge(INK, 1.6))
    inks = {
        "s": SHADES[tile.petrol], "d": INK, "c": CREAM, "r": RED, "w": ICE, "b": WATER,
    }  # fmt: skip
    sky = path("M-21.4 4L-12.3-19.7H12.3L21.4 4Z", SKIES[tile.petrol])
    scene = "".join(path(d, inks[ink]) for ink, d in SCENES[tile.word])
    petrol = str(tile.petrol + risk)
    foot = path(_BAND, CREAM) + line("M-21.4 4.4H21.4", INK, 1.4)
    fine = (
        f'<g clip-path="url(#gr-inside)">{sky}{scene}{foot}</g>'
        + moved(
            0, 10.6 if risk else 11.6, costs(petrol, tile.damage, tile.danger, tile.stop), _fit(tile, risk)
        )
        + path(hexagon(R - 0.8), "none", edge(INK, 1.6))
    )
    return ground + f"<g{FINE}>{fine}</g><g{COARSE}>{_emblem(tile, petrol)}</g>" + (_rim() if risk else "")


def _fit(tile: Tile, risk: bool) -> float:
    """How large the signs of its costs may be so that they fit the band."""
    width = 14 + 7.8 * tile.damage + 14.6 * tile.danger + 14.2 * tile.stop
    return round(min(0.72, 27 / width) if risk else min(0.82, 31 / width), 2)


def _rim() -> str:
    return line(hexagon(R - 2.4), INK, 4.4) + line(hexagon(R - 2.4), CREAM, 2, ' stroke-dasharray="4 4"')


def _emblem(tile: Tile, petrol: str) -> str:
    """A tile's costs for a small drawing."""
    size, low, emblem = 23.0, 8.2, ""
    if tile.stop:
        emblem += path(OCTAGON, RED, f' transform="scale(2.2)"{edge(CREAM, 1)}')
    elif not tile.danger:
        emblem += path("M0-13A13 13 0 1 1 0 13A13 13 0 1 1 0-13Z", CREAM)
    ink = CREAM if tile.stop else INK
    if tile.danger:
        scale, size, low, ink = (1.75, 16, 9, INK) if tile.stop else (2.35, 20, 12, INK)
        emblem += path(WARNING, CREAM, f' transform="scale({scale})"{edge(INK, 1.6)}')
    emblem += text(0, low, size, petrol, ink, bold=True)
    bolts = path(BOLT, INK, f' transform="scale(1.5)"{edge(CREAM, 1.6)} paint-order="stroke"')
    first = (0, -13, -17)[tile.damage]
    drawn = "".join(moved(first + 9 * i, 0, bolts) for i in range(tile.damage))
    return moved((0, 6, 8)[tile.damage], 0, emblem, (1, 0.92, 0.88)[tile.damage]) + drawn


def _counter(seat: int) -> str:
    """A half-track in a small drawing: its sign with a rim that stands out from the emblems of tiles."""
    return path(SIGNS[seat], INK, edge(INK, 7)) + sign(seat, PAINTS[seat], ON_PAINTS[seat], CREAM)


def _token(seat: int) -> str:
    """A token of the progress track."""
    return path("M-14-6.4H14V6.4H-14Z", PAINTS[seat], edge(CREAM, 1.4)) + text(
        0, 5, 14, str(seat + 1), ON_PAINTS[seat], bold=True
    )


WAVES = "M20 30q6-5 12 0t12 0t12 0t12 0M44 41q5-4 10 0t10 0M108 86q6-5 12 0t12 0t12 0M96 97q5-4 10 0t10 0"

# Skylines of cities: towers, a dome between minarets, a church and gables.
SKYLINES = (
    "M-17 1V-6H-13V-11H-9V-5H-6V-14H-4V-18H-2V-14H1V-8H4V-12H9V-4H12V-8H17V1Z",
    "M-17 1V-5H-14V-14L-13-17L-12-14V-5H-8C-8-11-3-12 0-17C3-12 8-11 8-5H12V-14L13-17L14-14V-5H17V1Z",
    "M-17 1V-5L-12-9L-7-5V-11L-4-19L-1-11V-6H4V-9L9-13L14-9V-5H17V1Z",
)


def _city(skyline: int, end: bool) -> str:
    """A city: a skyline before the sun; the ends of the race in purple."""
    ring = PURPLE if end else INK
    ground = path(hexagon(R - 0.6), CREAM, edge(ring, 2.4))
    fine = (
        path("M-10 1A10 10 0 0 1 10 1Z", GOLD)
        + path(SKYLINES[skyline], ring)
        + line("M-20 2.2H20", ring, 1.4)
    )
    coarse = path(hexagon(R - 3.4), ring) if end else line(hexagon(R - 2), INK, 3)
    return ground + f"<g{FINE}>{fine}</g><g{COARSE}>{coarse}</g>"


def symbols() -> dict[str, str]:
    """The symbols that maps refer to, by name."""
    return {
        **{f"land{i}": _land(i) for i in range(len(WASHES))},
        "risk": _mountains(),
        **{f"city{i}": _city(i, False) for i in range(len(SKYLINES))},
        **{f"end{i}": _city(i, True) for i in range(len(SKYLINES))},
        **{tile.word: _tile(tile, False) for tile in KINDS},
        **{f"{tile.word}-risk": _tile(tile, True) for tile in KINDS},
        **{f"crew-{seat}": half_track(seat) for seat in range(len(PAINTS))},
        **{f"sign-{seat}": _counter(seat) for seat in range(len(PAINTS))},
        **{f"token-{seat}": _token(seat) for seat in range(len(PAINTS))},
        "near": line(hexagon(R - 3), INK, 7) + line(hexagon(R - 3), CHOICE, 3.6),
        "far": line(hexagon(R - 3), INK, 5) + line(hexagon(R - 3), CHOICE, 3, ' stroke-dasharray="6 5"'),
        "turn": path("M0-29L-6-38H6Z", RED, edge(CREAM, 2)),
        "drop": path(DROP, INK),
        "bolt": path(BOLT, INK),
        "warning": warning(CREAM),
    }


def waves() -> str:
    """The pattern of the sea."""
    return (
        '<pattern id="gr-waves" width="170" height="112" patternUnits="userSpaceOnUse">'
        f"{line(WAVES, WAVE, 1.6)}</pattern>"
    )
