"""Rasant: small pictures of what can be chosen before a match: decks, the line of cars, presets, players.

Each stands alone and has no words: a page shows it as an image beside its name.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from paddock.games.rasant.deck import SPEEDS, read_deck
from paddock.games.rasant.drawing.lettering import lettering
from paddock.games.rasant.drawing.pieces import (
    BLACK,
    INK,
    NS,
    PAINTS,
    ROAD,
    SIGN,
    SKY,
    WHITE,
    car_symbols,
    plate,
    use,
)
from paddock.parts.drawing import standalone

SIGN_ROUND = "#d30f22"


def _picture(drawn: str, width: int = 160, height: int = 100) -> str:
    symbols = f"<defs>{car_symbols()}</defs>" if 'href="#rs-car' in drawn else ""
    return standalone(f'<svg {NS} viewBox="0 0 {width} {height}">{symbols}{drawn}</svg>')


def deck_picture(text: str) -> str:
    """A deck: for each colour a stack of its cards, and a sign with its highest speed."""
    kinds = Counter(kind // SPEEDS for kind in read_deck(text))
    tops = {colour: max(k % SPEEDS for k in read_deck(text) if k // SPEEDS == colour) for colour in kinds}
    most_of_kind = max(kinds.values())
    drawn = f'<path d="M0 0H160V100H0Z" fill="{SKY}"/><path d="M0 84H160V100H0Z" fill="{ROAD}"/>'
    for colour in range(5):
        x, cards = 8 + 30 * colour, kinds.get(colour, 0)
        if not cards:
            continue
        step = 38 / most_of_kind
        edges = "".join(f"M{x} {88 - step * n:.1f}h24" for n in range(cards))
        height = step * cards
        drawn += (
            f'<path d="M{x} 88h24v{-height:.1f}h-24z" fill="{PAINTS[colour].ground}" stroke="{INK}"/>'
            f'<path d="{edges}" stroke="{WHITE}" stroke-width=".8"/>'
            f'<circle cx="{x + 12}" cy="{76 - height:.1f}" r="11" fill="{WHITE}" stroke="{SIGN_ROUND}" '
            'stroke-width="3"/>'
            + lettering(str(10 * (tops[colour] + 1)), x + 12, 76 - height, 10, INK, pen=18, fit=16)
        )
    return _picture(drawn)


def _queue(cars: Sequence[tuple[int, float, float, float]]) -> str:
    """Cars on a motorway: colour, place, scale."""
    drawn = "".join(
        use(colour, f' transform="translate({x:g} {y:g}) scale({k:g})"') for colour, x, y, k in cars
    )
    return (
        f'<path d="M0 0H160V100H0Z" fill="{SKY}"/><path d="M0 40H160V100H0Z" fill="{ROAD}"/>'
        f'<path d="M0 70H160" stroke="{WHITE}" stroke-width="3" stroke-dasharray="14 10"/>{drawn}'
    )


def line_picture(line: str) -> str:
    """The cars at the start: the black one ahead, the others shuffled."""
    cars = [(BLACK, 128, 62, 0.5), (2, 86, 62, 0.34), (0, 52, 62, 0.34), (3, 18, 62, 0.34)]
    arrows = "M16 14C44 14 56 32 84 32M76 24l9 8l-9 8M16 32C44 32 56 14 84 14M76 6l9 8l-9 8"
    return _picture(f'{_queue(cars)}<path d="{arrows}" fill="none" stroke="{INK}" stroke-width="4"/>')


def player_picture(number: str) -> str:
    """The plate of a player, from 1."""
    return _picture(plate(int(number) - 1, 32, 20, 0.72), 64, 40)


def preset_picture(name: str) -> str:
    """A preset: a queue, three races, the black car, two players."""
    if name == "black":
        return _picture(_queue([(BLACK, 80, 62, 1.1)]))
    if name == "duel":
        board = f'<path d="M0 0H160V100H0Z" fill="{SIGN}"/>'
        return _picture(board + plate(0, 52, 50, 1.3) + plate(1, 108, 50, 1.3))
    if name == "evening":
        return _picture(_queue([(0, 42, 50, 0.5), (2, 92, 66, 0.5), (3, 48, 84, 0.5), (1, 128, 48, 0.5)]))
    return _picture(_queue([(BLACK, 120, 62, 0.62), (0, 44, 62, 0.62)]))
