"""No level is named above one that beats it, in any set-up that a page offers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from tests.sampling import SEED, WHOLE, count, some

from paddock.bots.registry import network_of
from paddock.core.title import title
from paddock.lab.match import match

Case = tuple[str, str, str, dict[str, Any]]


def setups(name: str) -> Iterator[dict[str, Any]]:
    """The set-ups between which a page lets players choose, by what changes how strong a level is."""
    if name == "lacorsa":
        yield from ({"drivers": drivers} for drivers in range(2, 7))
        yield from ({"drivers": drivers, "pairs": True} for drivers in (4, 6))
        yield from ({"drivers": drivers, "large_grid": True} for drivers in range(4, 13))
    elif name == "rasant":
        yield from ({"players": players} for players in range(2, 6))
    else:
        half = (f"{country}-{side}" for country in ("usa", "asia") for side in ("west", "east"))
        for map_name in ("usa", "asia", *half):
            for leaders in (False, True):
                for players in range(2, 6):
                    yield {"players": players, "map": map_name, "leaders": leaders}


CASES: list[Case] = [
    (name, upper, lower, options)
    for name in ("lacorsa", "rasant", "great_race")
    for options in setups(name)
    for upper, lower in (("club", "rookie"), ("works", "club"), ("champion", "works"))
    if upper != "champion" or network_of(title(name), upper, title(name).options.read(options))
]
CLUBS = [case for case in CASES if case[1] == "club"]
SAMPLE = some([case for case in CLUBS if case[0] != "great_race"], 2, "order")
# Works thinks for minutes in a race of The Great Race: its set-ups take turns, by the seed of the day
FEW = [case for case in CASES if case[1] != "club" and case[0] == "great_race"]
TURN = [FEW[(SEED + i * len(FEW) // 3) % len(FEW)] for i in range(3)]
SLOW = [case for case in CASES if case[1] != "club" and case[0] != "great_race"] + TURN


def label(value: object) -> str | None:
    return "-".join(map(str, value.values())) if isinstance(value, dict) else None


def is_beaten(name: str, upper: str, lower: str, options: dict[str, Any], games: int) -> bool:
    """Whether one of the upper level among so many of the lower one gets less than its share of points and
    of wins, each by the whole 95 % interval."""
    rivals = [lower] * (title(name).options.read(options).players - 1)
    figure = match(name, [upper, *rivals], games, f"{SEED} order", options=options).figures[0]
    return figure.points_over + figure.points_error < 0 and figure.wins_high < 0


@pytest.mark.parametrize(("name", "upper", "lower", "options"), CLUBS + SLOW if WHOLE else SAMPLE, ids=label)
def test_a_level_is_not_beaten_by_the_one_below(
    name: str, upper: str, lower: str, options: dict[str, Any]
) -> None:
    if lower == "rookie":
        games = count(20, 400)
    else:
        games = 12 if name == "great_race" else 48
    assert not is_beaten(name, upper, lower, options, games)


def test_a_rookie_is_beaten_by_clubs() -> None:
    """The check can fail."""
    assert is_beaten("lacorsa", "rookie", "club", {"drivers": 4}, 40)
