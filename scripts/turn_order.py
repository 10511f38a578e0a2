"""Prints who wins The Great Race among Champions, by the order of the first turn, with 95 % intervals.

    python scripts/turn_order.py --races 5000 usa-west usa-west+opening_bonus
    python scripts/turn_order.py --bot net:mine.npz usa-west

``scripts/balance.py`` does the same for Clubs. Words after a map switch its options on.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterator

import numpy as np

import paddock
from paddock.bots.registry import network_of
from paddock.core.options import Options
from paddock.core.recipe import Recipe
from paddock.kernel.chance import stream
from paddock.lab.train import Arena

SEED = 1


def orders(options: Options, races: int) -> Iterator[list[int]]:
    """Yield the seats in the order of the first turn, by race: chance decides it before anybody moves."""
    title = paddock.title("great_race")
    rules, g, rng = title.rules, title.setup_of(options), [0, 0]
    for number in range(races):
        s = rules.State()
        stream(SEED, number, rng)
        rules.start(s, g)
        rules.run_chance(s, g, rng)
        yield list(s.order[: options.players])


def main() -> None:
    """Play and print a line for each map."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--races", type=int, default=5000)
    parser.add_argument("--players", type=int, default=4)
    parser.add_argument("--bot", default="champion", help="champion or net:FILE")
    parser.add_argument("maps", nargs="+", help="maps; MAP+opening_bonus")
    given = parser.parse_args()
    title, races, players = paddock.title("great_race"), given.races, given.players
    for name in given.maps:
        map, *on = name.split("+")
        options = title.options.read({"map": map, "players": players, **dict.fromkeys(on, "yes")})
        network = network_of(title, given.bot, options)
        assert network is not None, name
        arena = Arena(title, options, [network], Recipe({}, 0, points=0.0, wins=1.0))
        by = np.zeros((races, players), np.int64)
        won = arena.play(by, SEED)[1] > 0.5 - 1 / players  # also False where two share the win
        order = np.array(list(orders(options, races)))
        parts = []
        for place in range(players):
            share = 100 * float(won[np.arange(races), order[:, place]].mean())
            parts.append(f"{share:.1f} ± {1.96 * math.sqrt(share * (100 - share) / races):.1f}")
        print(f"{name}: {races:,} races, wins by first turn order {', '.join(parts)}", flush=True)


if __name__ == "__main__":
    main()
