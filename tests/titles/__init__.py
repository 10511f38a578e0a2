"""The titles under test, and random options for each."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from paddock.core.options import Options
from paddock.core.title import Title
from paddock.games.great_race.rulebook import TITLE as GREAT_RACE
from paddock.games.lacorsa.rulebook import TITLE as LACORSA
from paddock.games.rasant.rulebook import TITLE as RASANT
from paddock.kernel.watch import random_options as any_options

PRINTED_MAPS = ("usa-west", "usa-east", "asia-west", "asia-east", "usa", "asia")  # of the rulebook (GR-1.1)


def _lacorsa(choose: random.Random) -> dict[str, Any]:
    large = choose.random() < 0.6
    hands = choose.choice(["auto", "yes", "no"]) if large else "auto"
    drawn = [choose.choice(["auto", "yes", "no"]) for _ in range(3)]
    stops, incidents, drafting = drawn if large else ["auto"] * 3
    whole = large and choose.random() < 0.5
    more = hands == "yes" or (whole and hands == "auto")
    drivers = choose.randint(2, 12 if more else 6)
    teams = drivers < 4 or (more and drivers < 7 and choose.random() < 0.5)
    pits = large and _on(stops, whole)
    values = {
        "drivers": drivers,
        "races": choose.choice([1, 2]),
        "championship": "teams" if teams else choose.choice(["auto", "drivers"]),
        "pairs": not teams and choose.random() < 0.3,
        "extra_suits": choose.choice([0, 0, 1, 3]),
        "double_redline": choose.choice(["refused", "void"]),
        "points": choose.choice([(9, 6, 4, 3, 2, 1), (25, 18, 15, 12, 10, 8, 6), (1,)]),
        "large_grid": whole,
        "grid_hands": hands,
        "pit_stops": stops,
        "pit_draw": choose.choice(["random", "choose"]) if pits else "random",
        "pit_refill": pits and choose.random() < 0.4,
        "incidents": incidents,
        "special_drafting": drafting,
        "pit_timing": choose.choice(["start", "turn"]) if pits else "start",
        "off_adjacent": _on(incidents, whole) and choose.random() < 0.5,
        "one_draft": _on(drafting, whole) and choose.random() < 0.5,
    }
    if values["pairs"] and choose.random() < 0.5:
        values["pairs"] = _partners(drivers, choose)
    return values


def _on(part: str, whole: bool) -> bool:
    return whole if part == "auto" else part == "yes"


def _partners(drivers: int, choose: random.Random) -> str:
    """Some drivers in pairs as they come."""
    named = choose.sample(range(1, drivers + 1), 2 * choose.randint(1, drivers // 2))
    return "/".join(f"{one}-{other}" for one, other in zip(named[::2], named[1::2], strict=True))


def _rasant(choose: random.Random) -> dict[str, Any]:
    players = choose.randint(2, 5)
    own = "+".join(["r70", *(f"{choose.choice('rgbyk')}{choose.randint(1, 13)}0" for _ in range(50))])
    return {
        "players": players,
        "games": choose.choice([1, 2]),
        "round_end": choose.choice(["one", "all"]),
        "deck": choose.choice(["standard", "standard", "all-black-top", own]),
        "line": choose.choice(["shuffled", "shuffled", "krgbyrgbyrgby"]),
    }


def _great_race(choose: random.Random) -> dict[str, Any]:
    map = choose.choice(PRINTED_MAPS)
    middle = {"usa-west": "MI OM OK HO", "usa-east": "MI OM OK HO"}.get(map, "OS KA DE BO").split()
    values = {
        "players": choose.randint(2, 5),
        "races": choose.choice([1, 1, 2]),
        "map": map,
        "leaders": choose.random() < 0.6,
        "start": choose.choice(["auto", "west", "east"]),
        "finish": choose.choice(["lot", *middle]) if "-" in map else "lot",
        "gauge_max": choose.randint(4, 8),
        "siphon": choose.randint(1, 5),
        "customs_danger": choose.random() < 0.5,
        "lanes_connect": choose.random() < 0.5,
        "max_turns": choose.choice([2, 4, 8, 25]),  # races of random moves go on until then
        "reactions": choose.choice(["ask", "decline", "protect"]),
    }
    # no draw of its own: the random numbers of all other games stay as they are
    return values | {"opening_bonus": values["siphon"] == 5}


_RANDOM: dict[str, Callable[[random.Random], dict[str, Any]]] = {
    "lacorsa": _lacorsa,
    "rasant": _rasant,
    "great_race": _great_race,
}
RULES = (LACORSA, RASANT, GREAT_RACE)  # every title, where its rules are what is tested
TITLES = tuple(title.name for title in RULES)


def random_options(title: Title, choose: random.Random) -> Options:
    """Options drawn over everything the title allows. What is not drawn above is drawn as its invariants say,
    from a stream of its own: what a seed draws above does not change with a new option."""
    known = _RANDOM.get(title.name)
    if known is None:
        return any_options(title, choose)
    values = known(choose)
    return any_options(title, random.Random(str(values)), values)


def as_written(title: Title) -> dict[str, str]:
    """Return the numbers of the rules as options, as the rulebook has them: oracles know no others."""
    return {row.name: row.default for row in title.options.describe() if row.rulebook}


def shorter(title: Title, games: int) -> int:
    """How many games of a title take about as long as so many of LACORSA."""
    return max(1, games // 20) if title.name == "great_race" else games
