"""The Great Race: resource cards, leaders and single tiles as SVG."""

from __future__ import annotations

from collections.abc import Callable

from paddock.core.i18n import _
from paddock.games.great_race.drawing.crews import AXLE, COG, EVEN, SHIELD, WRENCH
from paddock.games.great_race.drawing.map import PLANE, SHIP
from paddock.games.great_race.drawing.pieces import (
    CREAM,
    DROP,
    FONT,
    GOLD,
    INK,
    NS,
    OCTAGON,
    PURPLE,
    RED,
    WARNING,
    edge,
    hexagon,
    line,
    moved,
    path,
    text,
    use,
)
from paddock.games.great_race.maps.tiles import KINDS
from paddock.games.great_race.words.names import (
    CARDS,
    LEADERS,
    TILES,
    CardNumbers,
    card_name,
    card_number,
    leader_name,
    tile_facts,
)
from paddock.parts.drawing import aria

NARROW = "Avenir Next Condensed,Roboto Condensed,Arial Narrow,Liberation Sans Narrow,sans-serif"
TEAL, SAND, GREEN, ROSE = "#2f7a80", "#e9b44c", "#5f7a3c", "#c9583c"
_HEX = hexagon(13)
_WHEEL = (
    "M0-24A24 24 0 1 1 0 24A24 24 0 1 1 0-24ZM0-19A19 19 0 1 0 0 19A19 19 0 1 0 0-19ZM-20-3H20V3H3V20"
    "H-3V3H-20Z"
)


def _hex(x: float, y: float, fill: str) -> str:
    return moved(x, y, path(_HEX, fill, edge(INK, 2.4)))


def _plus(words: str, x: float = 20, y: float = 22) -> str:
    """What a card brings, on a disc."""
    return moved(
        x,
        y,
        path("M0-12A12 12 0 1 1 0 12A12 12 0 1 1 0-12Z", CREAM, edge(INK, 2))
        + text(0, 5.6, 16, words, INK, bold=True),
    )


def _cards(number: int) -> str:
    """So many cards, fanned."""
    return "".join(
        f'<g transform="translate({14 * i - 7 * (number - 1)} {2 * abs(2 * i - number + 1)}) '
        f'rotate({12 * i - 6 * (number - 1)})">'
        + path("M-9-15H9V13H-9Z", CREAM, edge(INK, 2.4))
        + line("M-5-8H5M-5-4H5", RED, 2)
        + "</g>"
        for i in range(number)
    )


def _arrow(x: float, y: float, turn: int) -> str:
    place = f' transform="translate({x} {y}) rotate({turn})"'
    return path("M-10-3H2V-9L13 0L2 9V3H-10Z", RED, edge(CREAM, 1.6) + place)


_NOTE = (
    path("M-27-15H27V15H-27Z", GREEN, edge(INK, 2.4))
    + path("M-23-11H23V11H-23Z", "none", edge(CREAM, 1.4))
    + path("M0-10A10 10 0 1 1 0 10A10 10 0 1 1 0-10Z", CREAM)
)


def _note(words: str) -> str:
    """A banknote of so many francs."""
    return _NOTE + text(0, 5.6, 15, words, INK, bold=True)


_CAN = (
    path("M-16-18H8L16-10V24H-16Z", ROSE, edge(INK, 2.6))
    + line("M-9-4L9 16M9-4L-9 16", CREAM, 3)
    + path("M-12-26H2V-18H-2V-22H-8V-18H-12ZM8-24L18-14L14-10L4-20Z", INK)
)


# Each card's picture, about 60 by 56 around 0, 0.
PICTURES = {
    "trail-hunter": _hex(-14, -8, SAND)
    + _hex(12, 8, SAND)
    + line("M-22-16L-6 0M-6-16L-22 0M4 0L20 16M20 0L4 16", RED, 5),
    "saboteur": path("M-4-12A17 17 0 1 1-4 22A17 17 0 1 1-4-12Z", INK)
    + path("M4-20L14-14L10-8L0-14Z", INK)
    + line("M10-16Q14-26 22-22", INK, 2.6)
    + path("M22-30L24-24L30-24L26-20L28-14L22-18L17-14L18-20L14-24L20-24Z", RED)
    + line("M-13 0Q-11-6-5-7", CREAM, 3),
    "repairman": path(WRENCH, INK, ' transform="scale(2.7)"'),
    "militia": path(SHIELD, INK, f' transform="scale(2.6)"{EVEN}'),
    "driver": path(_WHEEL, INK, EVEN) + path("M0-7A7 7 0 1 1 0 7A7 7 0 1 1 0-7Z", GOLD, edge(INK, 2)),
    "con-artist": _hex(-17, 0, SAND) + _hex(17, 0, ROSE) + _arrow(0, -18, 0) + _arrow(0, 18, 180),
    "cartographer": path("M-28-18L-10-24L10-18L28-24V18L10 24L-10 18L-28 24Z", CREAM, edge(INK, 2.4))
    + line("M-10-24V18M10-18V24", INK, 1.6)
    + line("M-22 12Q-12-8 0 4T20-10", RED, 3, ' stroke-dasharray="5 4"')
    + _plus("3"),
    "financial": _note("30"),
    "transport": moved(-6, -13, path(PLANE, INK), 2.7) + moved(4, 14, path(SHIP, PURPLE), 2.4),
    "jerrycan": _CAN + _plus("+1"),
    "refueling-station": path("M-18-26H8V24H-18ZM-22 20H12V26H-22Z", ROSE, edge(INK, 2.4))
    + path("M-13-21H3V-8H-13Z", CREAM)
    + line("M8-6H14V12A4 4 0 0 0 22 12V-10L14-18", INK, 3)
    + _plus("+5", 20, 22),
    "guide": path("M-3-26H3V28H-3Z", INK)
    + path("M-24-22H14L26-13L14-4H-24Z", GOLD, edge(INK, 2.4))
    + moved(6, 12, path(OCTAGON, RED, edge(CREAM, 1)) + line("M-8-8L8 8", INK, 3), 1.8),
    "engine-parts": path(COG, INK, f' transform="scale(2.5)"{EVEN}') + _plus("+1"),
    "chassis-parts": path(AXLE, INK, ' transform="scale(2.6)"') + _plus("+1"),
    "toolbox": path("M-27-8H27V22H-27Z", RED, edge(INK, 2.4))
    + line("M-12-8V-18H12V-8", INK, 5)
    + line("M-27 4H27", INK, 2.4)
    + path("M-5 0H5V9H-5Z", GOLD, edge(INK, 1.8))
    + _plus("+3"),
    "tracker": _cards(3) + _plus("2", 22, 20),
    "ransom": path("M-7-16C-24-4-24 24 0 24S24-4 7-16Z", SAND, edge(INK, 2.6))
    + path("M-9-25L-3-22L0-26L3-22L9-25L6-15H-6Z", SAND, edge(INK, 2.2))
    + text(0, 11, 19, "F", INK, bold=True)
    + _arrow(20, -8, -40),
    "siphoner": path(DROP, INK, ' transform="translate(-10 -2) scale(2.7)"')
    + line("M-8 12C0 34 22 24 18 2V-12", RED, 5)
    + path("M8-12H28L18-26Z", RED, edge(CREAM, 1.6)),
    "customs": path("M-26-22H-20V26H-26Z", INK)
    + path("M-24-10L28-18V-9L-24-1Z", RED, edge(INK, 2))
    + line("M-12-12L-8-3M2-14L6-5M15-16L19-7", CREAM, 4)
    + moved(7, 13, _cards(2), 0.72),
    "topographer": line("M0-4L-18 26M0-4L18 26M0-4V26", INK, 4)
    + path("M-16-22H10V-8H-16Z", INK)
    + path("M10-20L20-23V-7L10-10Z", GOLD, edge(INK, 2))
    + _plus("4", 20, 20),
}
# When a card can be played (GR-10): in a sequence, with a drive, with a repair, at any time.
WHEN = {
    "militia": "any",
    "jerrycan": "any",
    "transport": "drive",
    "guide": "drive",
    "engine-parts": "repair",
    "chassis-parts": "repair",
    "toolbox": "repair",
}
GROUNDS = {"": "#f0cf86", "drive": "#8fc0bd", "repair": "#e0a06a", "any": "#b9c489"}
BADGES = {
    "drive": path(_WHEEL, CREAM, f' transform="scale(.36)"{EVEN}'),
    "repair": path(WRENCH, CREAM, ' transform="scale(.82)"'),
    "any": line("M0-8A8 8 0 1 1 0 8A8 8 0 1 1 0-8ZM0-5V0L4 2.4", CREAM, 2),
}
DANGERS = ("trail-hunter", "saboteur", "con-artist", "ransom", "siphoner")  # GR-10.20


def faces() -> dict[str, str]:
    """The symbols of the sprite for all cards and leaders, by name."""
    return {f"card-{word}": _card(word) for word in CARDS} | {
        f"leader-{word}": _leader(word) for word in LEADERS
    }


# The numbers on the pictures of the sprite: those of the rulebook
NUMBERS = {"financial": "30", "jerrycan": "+1", "refueling-station": "+5", "toolbox": "+3"}


def card(word: str, number: str = "") -> str:
    """A resource card face up; ``word`` is its notation, ``number`` what is on its picture, by default the
    rulebook's. It refers to ``sprite``."""
    other = ""
    if number and number != NUMBERS[word]:
        other = moved(50, 47, _note(number) if word == "financial" else _plus(number), 1.12)
    return (
        f'<svg {NS} class="gr-card" viewBox="0 0 100 124" {aria(card_name(CARDS.index(word)))} '
        f'font-family="{NARROW}">{use(f"card-{word}")}{other}</svg>'
    )


def card_in(view: CardNumbers) -> Callable[[str], str]:
    """What draws the cards of a race, by their notation."""
    return lambda word: card(word, card_number(view, CARDS.index(word)))


def _card(word: str) -> str:
    """A card, 100 by 124. In its corners are signs: a wheel with a drive, a wrench with a repair, a clock at
    any time; a triangle for a danger."""
    when = WHEN.get(word, "")
    return (
        path("M2 2H98V122H2Z", CREAM, edge(INK, 3.4))
        + path("M7 7H93V86H7Z", GROUNDS[when])
        + _rays(50, 86, 7, 7, 93, 86)
        + moved(50, 47, PICTURES[word], 1.12)
        + path("M7 7H93V86H7Z", "none", edge(INK, 2))
        + (moved(17, 17, path("M-10-10H10V10H-10Z", INK) + BADGES[when]) if when else "")
        + (
            moved(82, 18, path(WARNING, RED, edge(CREAM, 1.6)) + line("M0-3.2V2M0 3.6V5.2", CREAM, 2), 1.15)
            if word in DANGERS
            else ""
        )
        + _card_name(card_name(CARDS.index(word)))
    )


def _rays(x: float, y: float, left: float, top: float, right: float, foot: float) -> str:
    """Rays of the sun from x, y to the edges of a field, light on its ground."""
    width, height = right - left, foot - top
    ends = [
        (left, foot - height * 0.3),
        (left, top + height * 0.3),
        (left + width * 0.1, top),
        (left + width * 0.35, top),
        (right - width * 0.35, top),
        (right - width * 0.1, top),
        (right, top + height * 0.3),
        (right, foot - height * 0.3),
    ]
    rays = "".join(
        f"M{x:g} {y:g}L{a[0]:.0f} {a[1]:.0f}L{b[0]:.0f} {b[1]:.0f}Z"
        for a, b in zip(ends[::2], ends[1::2], strict=True)
    )
    return path(rays, CREAM, ' opacity=".42"')


def _card_name(name: str) -> str:
    """The name at the foot of a card, on one line or two."""
    lines = name.split(" ")
    half = (len(lines) + 1) // 2
    lines = [" ".join(lines[:half]), " ".join(lines[half:])] if len(lines) > 1 else lines
    size = min(17.5, 88 / (0.5 * max(map(len, lines))))
    first = 110 if len(lines) == 1 else 102
    return "".join(
        text(50, first + 16 * i, round(size, 1), words, INK, bold=True) for i, words in enumerate(lines)
    )


# A leader's bust, about 80 by 80 around 0, 0: ground, then paths with their colours.
SKIN, SKIN2, HAIR, FUR = "#f0c39a", "#e5b482", "#4a2f1f", "#6b4a32"
_FACE = path("M-15-14H15V4C15 14 8 20 0 20S-15 14-15 4Z", SKIN, edge(INK, 2))
_EYES = path("M-8-2.5h4v3.4h-4ZM4-2.5h4v3.4h-4Z", INK)
_NOSE = line("M0 0L2.4 6.4H-1", INK, 1.8)


def _coat(colour: str) -> str:
    return path("M-36 46C-36 28-22 22-10 20H10C22 22 36 28 36 46Z", colour, edge(INK, 2.4)) + path(
        "M-8 20L0 32L8 20Z", CREAM, edge(INK, 1.6)
    )


BUSTS = {
    "cook": (
        TEAL,
        _coat("#c9a866")
        + _FACE
        + _EYES
        + _NOSE
        + line("M-6 12Q0 15 6 12", INK, 2)
        + path("M-30-12C-18-18 18-18 30-12C18-8-18-8-30-12Z", CREAM, edge(INK, 2))
        + path("M-17-14C-17-34-6-38 0-38S17-34 17-14Z", CREAM, edge(INK, 2))
        + line("M-17-17Q0-21 17-17", RED, 3.4)
        + path("M-9 6Q0 2 9 6L6 9H-6Z", "#8a8076"),
    ),
    "boris": (
        "#7f9fb5",
        _coat("#5b4636")
        + _FACE
        + _EYES
        + _NOSE
        + path("M-15 4C-17 22-8 30 0 30S17 22 15 4C10 12 6 9 0 9S-10 12-15 4Z", HAIR, edge(INK, 1.6))
        + path("M-21-10V-28C-14-38 14-38 21-28V-10C10-15-10-15-21-10Z", FUR, edge(INK, 2))
        + path("M-21-12H-14V8H-20ZM14-12H21L20 8H14Z", FUR, edge(INK, 1.8))
        + path("M0-30L2-26L6.4-26L3-23L4.4-19L0-21.6L-4.4-19L-3-23L-6.4-26L-2-26Z", RED),
    ),
    "baron": (
        SAND,
        _coat("#2f3d52")
        + _FACE
        + _EYES
        + _NOSE
        + path("M-9 9L0 7L9 9L13 5L11 12L0 11L-11 12L-13 5Z", "#8a8076", edge(INK, 1))
        + path("M6-6.4A6 6 0 1 1 6 5.6A6 6 0 1 1 6-6.4Z", "none", edge(GOLD, 2.4))
        + line("M11 4Q16 14 13 26", GOLD, 1.4)
        + path("M-17-13C-17-32-8-36 0-36S17-32 17-13Z", INK, edge(INK, 2))
        + path("M-24-15H24V-10H-24Z", INK)
        + line("M-17-18H17", GOLD, 3),
    ),
    "li": (
        ROSE,
        _coat("#3d5a4a")
        + path("M-15-14H15V4C15 14 8 20 0 20S-15 14-15 4Z", SKIN2, edge(INK, 2))
        + _NOSE
        + line("M-5 13H5", INK, 2)
        + path("M-17-8C-20-32 20-32 17-8C10-18-10-18-17-8Z", INK)
        + path("M-22-16C-20-36 20-36 22-16L14-20H-14Z", "#3d5a4a", edge(INK, 2))
        + path("M-20-17H20L24-11H-24Z", INK)
        + line(
            "M-12-2.4A5.4 5.4 0 1 0-1.4-2.4A5.4 5.4 0 1 0-12-2.4ZM1.4-2.4A5.4 5.4 0 1 0 12-2.4A5.4 5.4 0 1"
            " 0 1.4-2.4Z",
            INK,
            2,
        )
        + path("M-8-3.2h3v3h-3ZM5-3.2h3v3h-3Z", INK),
    ),
    "kate": (
        GREEN,
        path("M-20-12C-26 10-24 26-16 32H16C24 26 26 10 20-12Z", "#b3391d", edge(INK, 2))
        + _coat("#7a4a2b")
        + _FACE
        + _EYES
        + _NOSE
        + path("M-5 12Q0 10 5 12Q0 17-5 12Z", RED)
        + path("M-17-6C-20-34 20-34 17-6C12-16 2-18-4-18C-8-16-14-14-17-6Z", "#b3391d", edge(INK, 1.6))
        + path("M-19-16C-18-38 18-38 19-16C10-22-10-22-19-16Z", "#7a4a2b", edge(INK, 2))
        + path(
            "M-16-26A7 6 0 1 1-2-26A7 6 0 1 1-16-26ZM2-26A7 6 0 1 1 16-26A7 6 0 1 1 2-26Z",
            "#9fd0d6",
            edge(INK, 2.2),
        )
        + path("M-8 20L-18 32L0 27L16 33L8 20Z", CREAM, edge(INK, 1.6)),
    ),
}


def leader(word: str) -> str:
    """A leader's portrait; ``word`` is their notation. It refers to ``sprite``."""
    return (
        f'<svg {NS} class="gr-leader" viewBox="0 0 100 124" {aria(leader_name(LEADERS.index(word)))} '
        f'font-family="{NARROW}">{use(f"leader-{word}")}</svg>'
    )


def _leader(word: str) -> str:
    """A portrait, 100 by 124."""
    ground, bust = BUSTS[word]
    return (
        path("M2 2H98V122H2Z", CREAM, edge(INK, 3.4))
        + path("M7 7H93V86H7Z", ground)
        + _rays(50, 86, 7, 7, 93, 86)
        + moved(50, 44, bust, 0.91)
        + path("M7 7H93V86H7Z", "none", edge(INK, 2))
        + _card_name(leader_name(LEADERS.index(word)))
    )


def tile(name: str) -> str:
    """A tile as a drawing of its own; ``name`` is its notation. It refers to ``sprite``."""
    kind = KINDS[TILES.index(name)]
    facts = tile_facts(kind.petrol, kind.damage, kind.danger, kind.stop)
    words = _(", ").join([_(kind.name), *facts])
    return (
        f'<svg {NS} class="gr-tile" viewBox="-25 -22 50 44" {aria(words)} font-family="{FONT}">'
        f"{use(name)}</svg>"
    )
