"""Prints what each level of bots loses in endgames of LACORSA with two cars, against perfect play.

    python scripts/endgame.py
    python scripts/endgame.py --positions 100 --plays 2 rookie club

With two suits for two cars all cards are dealt: a driver who counts knows both hands. Each position is the
first decision of a race with at most 6 cards in each hand. The drivers of that race make none, a third, two
thirds or all of their decisions as *Club*, and the others at random. Each level plays each position from both
seats. Its opponent plays perfectly, and at random between moves that are equally good.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np

from paddock.bots import bot, levels
from paddock.core.intervals import half_width
from paddock.core.words import CHANCE
from paddock.games.lacorsa.policy import policy
from paddock.games.lacorsa.rulebook import TITLE
from paddock.games.lacorsa.rulebook import Options as ChampionshipOptions
from paddock.games.lacorsa.state import Setup, State
from paddock.kernel.source import Seeded
from paddock.lab.endgame import EXACT, Endgame

RULES = TITLE.rules
THIRDS = 3


class Options(ChampionshipOptions):
    """One car for each driver, two drivers: the rules play it, though no championship has so few cars."""

    @cached_property
    def cars_each(self) -> int:
        return 1


OPTIONS = Options(drivers=2, races=1)


@dataclass(frozen=True)
class Lost:
    """What happened in one position: its value for the first car, and the mean loss of each level."""

    value: float
    losses: tuple[float, ...]


def position(seed: int, cards: int, number: int) -> State:
    """Return position ``number`` of a seed. Races in which a hand is still larger at the end are left out."""
    source, g = Seeded(f"{seed} endgames", number), TITLE.setup_of(OPTIONS)
    while (s := _endgame(source, g, cards, number % (THIRDS + 1))) is None:
        pass
    return s


def _endgame(source: Seeded, g: Setup, cards: int, thirds: int) -> State | None:
    s, out = State(), [0] * (RULES.ACTIONS + 1)
    RULES.start(s, g)
    while waiting := RULES.who(s, g):
        if waiting >> CHANCE:
            RULES.run_chance(s, g, source.rng)
            continue
        if max(s.cards[:2]) <= cards and not any(s.commit):
            return s
        seat = 0 if waiting & 1 else 1
        n = RULES.legal(s, g, seat, out)
        if source.below(THIRDS) < thirds:
            seen = s.copy()
            RULES.hide(seen, g, 1 << seat)
            move = policy(seen, g, seat, out, n, source.rng)
        else:
            move = out[source.below(n)]
        RULES.apply(s, g, seat, move)
    return None


def play(names: Sequence[str], seed: int, cards: int, plays: int, number: int) -> Lost:
    """Let every level play a position ``plays`` times from each seat."""
    s, exact = position(seed, cards, number), Endgame(TITLE, OPTIONS)
    losses = []
    for name in names:
        player, source = bot(TITLE, name), Seeded(f"{seed} {name}", number)
        losses.append(np.mean([exact.loss(s, player, seat, source) for seat in (0, 1) for _ in range(plays)]))
    return Lost(exact.value(s), tuple(map(float, losses)))


def table(names: Sequence[str], lost: Sequence[Lost]) -> list[str]:
    """Return the lines of the table: the mean loss of each level, with a 95 % interval over positions."""
    losses = np.array([one.losses for one in lost])
    means = losses.mean(0)
    errors = [half_width(column) for column in losses.T]
    g = TITLE.setup_of(OPTIONS)
    points = g.points[0] - g.points[1]
    width = max(map(len, ("level", *names)))
    lines = [f"{'level':{width}}  lost, % of races  points a race  share of Club's loss"]
    for name, mean, error in zip(names, means, errors, strict=True):
        share = f"{mean / means[names.index('club')]:.2f}" if "club" in names else "–"
        percent = f"{100 * mean:.2f} ± {100 * error:.2f}"
        lines.append(
            f"{name:{width}}  {percent:>16}  {f'{points * mean:.3f} ± {points * error:.3f}':>13}  {share:>20}"
        )
    return lines


def main() -> int:
    """Print the table that the command line asks for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--positions", type=int, default=500)
    parser.add_argument("--cards", type=int, default=6, help="the most cards in a hand")
    parser.add_argument("--plays", type=int, default=1, help="of each level in each seat of a position")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=os.cpu_count())
    known = [level.name for level in levels(TITLE)]
    parser.add_argument("levels", nargs="*", default=known, help=f"of {', '.join(known)}")
    given = parser.parse_args()
    t = time.perf_counter()
    one = partial(play, given.levels, given.seed, given.cards, given.plays)
    with ProcessPoolExecutor(given.processes) as pool:
        lost = list(pool.map(one, range(given.positions), chunksize=5))
    sure = sum(min(one.value, 1 - one.value) < EXACT for one in lost)
    print(
        f"LACORSA, two cars with at most {given.cards} cards each: {given.positions} positions, "
        f"seed {given.seed}; in {sure} of them one car can force a win"
    )
    print("\n".join(table(given.levels, lost)))
    print(f"({time.perf_counter() - t:.0f} s)", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
