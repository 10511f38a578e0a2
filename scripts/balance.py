"""Prints the balance of The Great Race: how long a race takes, who finishes, who wins.

    python scripts/balance.py --races 10000 usa-west usa asia-east+leaders
    python scripts/balance.py --races 2000 --fares 80 asia
    python scripts/balance.py --races 10000 usa-west usa-west+opening_bonus

One line a map for four Clubs, with 95 % intervals of the shares of wins, and one for a Club against three who
move by chance. Words after a map switch its options on.
"""

from __future__ import annotations

import argparse
import math
import sys
import time
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from paddock.games.great_race.maps import SHIPPED, read_map
from paddock.games.great_race.maps.form import map_word
from paddock.games.great_race.rulebook import TITLE
from paddock.games.great_race.rules.state import FLEW
from paddock.kernel.bulk import Contest, contest

LEADERS = ("Cook", "Boris", "Baron", "Li", "Kate")


def winners(played: Contest) -> np.ndarray:
    """The seat that won each race (GR-9.3), or −1 where nobody finished."""
    first = played.places == 1
    return np.where(first.any(1), first.argmax(1), -1)


def shares(won: np.ndarray, who: np.ndarray, kinds: int) -> list[float]:
    """For each kind, its share of the wins among the races that it is in. ``who``: the kind of every seat."""
    of_winner = who[np.arange(len(won)), np.maximum(won, 0)]
    return [
        100 * np.mean((of_winner == kind)[(who == kind).any(1)] & (won >= 0)[(who == kind).any(1)])
        if (who == kind).any()
        else 0.0
        for kind in range(kinds)
    ]


def each_share(part: list[float], races: int) -> str:
    """Shares in percent with half the width of their 95 % intervals (Wald: they are far from 0 and 100)."""
    return ", ".join(f"{share:.1f} ± {1.96 * math.sqrt(share * (100 - share) / races):.1f}" for share in part)


def with_fares(name: str, percent: int) -> str:
    """A shipped map with so many percent of its fares, in steps of 10 F (GR-7.9)."""
    map = read_map(name)
    lanes = tuple(replace(lane, fare=max(10, 10 * round(lane.fare * percent / 1000))) for lane in map.lanes)
    return map_word(replace(map, lanes=lanes))


def line(map: str, races: int, players: int, on: Sequence[str], bots: int, fares: int) -> None:
    """Play and print."""
    played_on = map if fares == 100 else with_fares(map, fares)
    options = TITLE.options.read({"map": played_on, "players": players, **dict.fromkeys(on, "yes")})
    leaders = "leaders" in on
    t = time.perf_counter()
    played = contest(TITLE, options, races, 1, [3 if bots >> seat & 1 else 0 for seat in range(players)])
    seconds = time.perf_counter() - t
    won = winners(played)
    turns = played.ends["round"]
    order = np.argsort(played.begins["order"][:, :players], axis=1)  # of every seat in the first turn
    parts = [
        " with ".join([map, *on]) + (f" at {fares} % of the fares" if fares != 100 else ""),
        f"{races:,} races",
        f"turns {turns.mean():.2f} ({np.percentile(turns, 1):.0f} to {np.percentile(turns, 99):.0f})",
        f"decisions {played.decisions.mean():.0f}",
        f"nobody finishes {100 * np.mean(won < 0):.2f} %",
        f"finishers {played.ends['arrived'].mean():.2f}",
        f"lanes {played.event_counts[:, FLEW].mean():.2f}",
    ]
    if bots == (1 << players) - 1:
        in_order = shares(won, order, players)
        parts.append("wins by first turn order " + each_share(in_order, races))
        parts.append("by seat " + " ".join(f"{100 * np.mean(won == seat):.1f}" for seat in range(players)))
    else:
        parts.append(f"Club wins {100 * np.mean(won == 0):.2f} %")
    if leaders and bots == (1 << players) - 1:
        led = shares(won, played.ends["leader"][:, :players].astype(int), len(LEADERS))
        parts.append("by leader " + " ".join(f"{a} {b:.1f}" for a, b in zip(LEADERS, led, strict=True)))
    print(f"{'; '.join(parts)} ({seconds:.0f} s)", flush=True)


def main() -> int:
    """Print the lines that the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--races", type=int, default=10_000)
    parser.add_argument("--players", type=int, default=4)
    parser.add_argument("--fares", type=int, default=100, metavar="PERCENT", help="of the fares of the maps")
    parser.add_argument("maps", nargs="*", default=SHIPPED, help="maps; MAP+leaders: with the leader module")
    given = parser.parse_args()
    for map in given.maps:
        name, *on = map.split("+")
        line(name, given.races, given.players, on, (1 << given.players) - 1, given.fares)
        line(name, given.races, given.players, on, 1, given.fares)
    return 0


if __name__ == "__main__":
    sys.exit(main())
