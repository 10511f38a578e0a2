"""Print what the mistakes of each level cost, before and after the others are a mixture of models.

    python scripts/level_costs.py                        five minutes of one core
    python scripts/level_costs.py --seconds 60 --worlds 200

In each race of LACORSA, all four levels drive against each other. Its decisions are judged twice, in as
many worlds: with *Clubs* that play on, where all costs add up; and with the mixture of an analysis, where a
chance that is missed again counts once. Figures are means a race, with their 95 % intervals.
"""

from __future__ import annotations

import argparse
import time

import numpy as np

import paddock
from paddock.bots import bot
from paddock.bots.analysis import Analysis, costs, turns
from paddock.bots.judging import decisions, judge
from paddock.bots.mixture import FEWER, models_for
from paddock.bots.rollouts import CLUBS
from paddock.core.game import Game
from paddock.core.intervals import half_width
from paddock.kernel.source import Seeded

TITLE = "lacorsa"
LEVELS = ("champion", "works", "club", "rookie")


def race(seed: int) -> Game:
    """Return a race in which each level has another seat than in the race before."""
    rng = Seeded(f"{seed} costs")
    game = Game(paddock.title(TITLE), paddock.title(TITLE).options.read({"drivers": 4, "races": 1}), rng)
    players = [bot(TITLE, LEVELS[(seat + seed) % 4]) for seat in range(4)]
    while not game.over:
        for seat in game.deciders:
            seen = game.seen(1 << seat)
            game.play(seat, players[seat].choose(seen, seat, seen.legal(seat), rng))
    return game


def measured(seed: int, worlds: int) -> dict[str, list[float]]:
    """Return for each level what its moves cost before, mistakes, and both after; and its result."""
    game, out = race(seed), dict[str, list[float]]()
    models = models_for(game.title, game.setup)
    made = [turns(Analysis(TITLE, len(game.log), most, str(seed),
                           tuple(judge(one, most, str(seed), by) for one in decisions(game)),
                           models=tuple(model.name for model in by)), game)
            for by, most in (((CLUBS,), worlds), (models, FEWER * worlds))]  # fmt: skip
    totals = {line.who: line.total for line in game.standings().players}
    mean = sum(totals.values()) / len(totals)
    after = costs(made[1], game.options.owners)
    for seat in range(4):
        before = [turn for turn in made[0] if turn.seat == seat]
        out[LEVELS[(seat + seed) % 4]] = [
            totals[seat] - mean,
            sum(turn.cost for turn in before),
            sum(turn.mistake for turn in before),
            after[seat].cost,
            after[seat].mistakes,
            sum(turn.depends for turn in made[1] if turn.seat == seat),
        ]
    return out


def main() -> None:
    """Measure races until the time is up, and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=300, help="of this process")
    parser.add_argument("--worlds", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    rows, seed = list[dict[str, list[float]]](), 1000 * given.seed
    rows.append(measured(seed, given.worlds))  # compiles
    end = time.process_time() + given.seconds
    while time.process_time() < end:
        seed += 1
        rows.append(measured(seed, given.worlds))
    print(f"{len(rows)} races, {given.worlds} worlds")
    heads = ("result", "cost before", "mistakes", "cost after", "mistakes", "depends")
    print(f"{'':<9}" + "".join(f"{head:<15}" for head in heads))
    for level in LEVELS:
        table = np.array([row[level] for row in rows]).T
        print(f"{level:<9}" + "".join(f"{f'{x.mean():.2f} ± {half_width(x):.2f}':<15}" for x in table))


if __name__ == "__main__":
    main()
