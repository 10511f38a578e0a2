"""Print how often the 95 % intervals of small studies of Rasant contain the true value.

    python scripts/intervals.py --studies 250 --games 200

The true value is that of a study of TRUTH games.
"""

from __future__ import annotations

import argparse
import sys

import numpy as np

from paddock.core.title import title
from paddock.lab import measures
from paddock.lab.figures import figure, jackknife
from paddock.lab.survey import REPEATS, Sample, compiled_levels, halves, play_survey

TRUTH = 120_000
MEASURES = {
    "decisions": measures.decisions,
    "legal moves at a decision": measures.choices,
    "decisions with one legal move": measures.forced,
    "lead changes": measures.lead_changes,
    "last lead change": measures.last_change,
    "the leader at half-time wins": measures.leader_wins(measures.HALF),
    "the first place is shared": measures.shared,
    "wins of the first seat": measures.wins_of(measures.seats, 1),
    "advantage of the first to decide": measures.advantage(measures.turns),
    "points between first and second": measures.margin,
    "share that the deal explains": measures.deal,
}
PARTS = ("the level", "the seat", "the deal", "all that follows")


def main() -> int:
    """Play the studies and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("--studies", type=int, default=250)
    parser.add_argument("--games", type=int, default=200)
    given = parser.parse_args()
    found = title("rasant")
    options, strengths = found.options.read({}), [thirds for _name, thirds in compiled_levels(found)]
    mixed, same = halves(1, 0, options.players), [[1] * options.players]

    def play(games: int, seed: int, line_ups: list[list[int]]) -> Sample:
        return play_survey(found, options, games // REPEATS, seed, line_ups, strengths)

    truth, true_parts = play(TRUTH, 999, same), measures.components(play(TRUTH, 998, mixed))
    true = {name: measure(truth).value for name, measure in MEASURES.items()}
    hits, part_hits = dict.fromkeys(MEASURES, 0), np.zeros(len(PARTS))
    for seed in range(given.studies):
        sample, halved = play(given.games, seed, same), play(given.games, seed, mixed)
        for name, measure in MEASURES.items():
            one = figure(name, name, measure(sample), "")
            hits[name] += one.low <= true[name] <= one.high
        values, errors = jackknife(halved.deals, lambda mask, of=halved: measures.components(of.part(mask)))
        part_hits += np.abs(values - true_parts) <= errors
    for name, count in [*hits.items(), *zip(PARTS, part_hits, strict=True)]:
        print(f"{name:<34} {100 * count / given.studies:5.1f} %")
    return 0


if __name__ == "__main__":
    sys.exit(main())
