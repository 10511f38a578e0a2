"""The Great Race: what the set-up page shows of its options."""

from __future__ import annotations

from collections.abc import Sequence

from paddock.core.i18n import _, mark, plural
from paddock.core.options import Options
from paddock.core.pages import Sample
from paddock.core.title import minutes
from paddock.games.great_race import rulebook
from paddock.games.great_race.drawing.choices import (
    crew_picture,
    leader_picture,
    map_picture,
    preset_picture,
    start_picture,
)
from paddock.games.great_race.maps import SHIPPED, read_map
from paddock.games.great_race.maps import source as map_source
from paddock.games.great_race.rulebook import LEAST_PLAYERS, MOST_PLAYERS
from paddock.games.great_race.words.names import LEADER_POWERS, LEADERS, leader_name

A_COLUMN = 15  # decisions of a race for each column of a map, about

PICTURES = {
    "map": map_picture,
    "start": start_picture,
    "leaders": leader_picture,
    "players": crew_picture,
    "presets": preset_picture,
}
FORMATS = {
    "map": mark(
        "A map is a text: a title, the tiles, a grid of spaces, the cities and the lanes. Take one of ours, "
        "change it, and drop it here."
    )
}


def choices(option: str, options: Options) -> Sequence[tuple[str, str]]:
    """Return the middle cities of the map (GR-1.7)."""
    if option != "finish" or not isinstance(options, rulebook.Options):
        return ()
    map = read_map(options.map)
    names = {city.code: city.name for city in map.cities}
    return [(code, names[code]) for code in rulebook.middle_cities(map)]


def called(option: str, value: str) -> str:
    """Return the title of a map."""
    return read_map(value).title


def facts(option: str, value: str) -> Sequence[str]:
    """Return how long a map is, for how many it is, and for how long."""
    if option != "map":
        return ()
    map = read_map(value)
    decisions = rulebook.DECISIONS.get(value, A_COLUMN * map.columns)
    return (
        plural("{n} space long", "{n} spaces long", map.columns),
        _("{least} to {most} players").format(least=LEAST_PLAYERS, most=MOST_PLAYERS),
        plural("about {n} minute", "about {n} minutes", minutes(decisions)),
    )


def source(option: str, value: str) -> str:
    """Return the file of a built-in map."""
    return map_source(value) if option == "map" and value in SHIPPED else ""


def samples(option: str) -> Sequence[Sample]:
    """Return the leaders with their powers."""
    if option != "leaders":
        return ()
    return [Sample(word, leader_name(n), _(LEADER_POWERS[n])) for n, word in enumerate(LEADERS)]
