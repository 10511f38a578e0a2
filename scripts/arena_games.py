"""Print how many times fewer games order neighbouring levels by the cost of their decisions than by points.

    python scripts/arena_games.py --deals 10          plays what the folder does not have yet, and prints
    python scripts/arena_games.py --deals 0           only prints

Of each pair, the weaker level plays one seat and the stronger the others, in every seat of each deal. A
measure needs games as the variance of its difference between the two levels, divided by the square of the
mean of that difference. ``plain`` takes games from different deals; ``paired`` all games of a deal, as a
match does. k is how many times as many games plain points need. Points come from a match that is longer
than the games whose decisions are judged, because it costs less. Intervals are of log k, by a jackknife.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import numpy as np
import numpy.typing as npt

import paddock
from paddock import arena
from paddock.arena.folder import GAMES
from paddock.core.intervals import half_width, t_value
from paddock.lab import Match

Floats = npt.NDArray[np.float64]
# Title, options, the weaker and the stronger level, worlds of a decision (an analysis of LACORSA halves
# them), and the games of a match that says what points need
PAIRS = (
    ("lacorsa", {"drivers": 4}, "rookie", "club", 128, 40_000),
    ("lacorsa", {"drivers": 4}, "club", "works", 128, 80),
    ("lacorsa", {"drivers": 4}, "works", "champion", 128, 40),
    ("rasant", {"players": 4}, "rookie", "club", 64, 40_000),
    ("rasant", {"players": 4}, "club", "works", 64, 80),
)
GROUPS = 50  # of deals, of which a jackknife leaves out one after the other, at most
CHUNK = 10  # deals of a pair, before the next pair has its turn
Z = 1.96  # the games that are shown order two levels with this many standard errors


def needed(differences: Floats) -> Floats:
    """Return the logarithm of the games that each measure needs: of plain games, then paired by deals.

    ``differences``: (deals, games of a deal, measures), the stronger level less the weaker one.
    """
    effect = differences.mean((0, 1)) ** 2
    plain = differences.reshape(-1, differences.shape[2]).var(0, ddof=1)
    paired = differences.mean(1).var(0, ddof=1) * differences.shape[1]
    return np.log(Z**2 * np.concatenate([plain, paired]) / np.tile(effect, 2))


def with_variance(differences: Floats) -> tuple[Floats, Floats, int]:
    """Return ``needed``, the variance of each number by a jackknife, and its degrees of freedom."""
    groups = np.array_split(np.arange(len(differences)), min(GROUPS, len(differences)))
    parts = np.array([needed(np.delete(differences, group, 0)) for group in groups])
    return needed(differences), (len(groups) - 1) * parts.var(0), len(groups) - 1


def factor(plain: tuple[float, float, int], other: tuple[float, float, int]) -> tuple[float, float, float]:
    """Return k and the ends of its 95 % interval, from two logarithms with variance and degrees of freedom.

    tests/arena/test_command.py counts how often it contains a k that is known.
    """
    log_k, half = plain[0] - other[0], t_value(min(plain[2], other[2])) * (plain[1] + other[1]) ** 0.5
    return float(np.exp(log_k)), float(np.exp(log_k - half)), float(np.exp(log_k + half))


def of_points(played: Match) -> Floats:
    """Return the differences in points of a match: (deals, games of a deal, 1). The weaker is bot 0."""
    weak = played.bots == 0
    by_game = (played.points * ~weak).sum(1) / (~weak).sum(1) - (played.points * weak).sum(1)
    return by_game.reshape(played.deals, played.players, 1)


def of_games(file: Path, players: int) -> Floats:
    """Return the differences in cost and gain of the whole deals in a file: (deals, players, 2).

    A lower cost counts as more. The weaker level is bot 0.
    """
    rows = []
    for line in file.read_text("utf-8").splitlines()[1:]:
        game = json.loads(line)
        weak, judged = game["bots"].index(0), game["judged"]
        means = np.array([-np.array(judged["costs"]), judged["gains"]]) / np.maximum(judged["decisions"], 1)
        rows.append(np.delete(means, weak, 1).mean(1) - means[:, weak])
    whole = len(rows) // players * players
    return np.array(rows[:whole]).reshape(-1, players, 2)


def row(name: str, points: Floats, costs: Floats) -> str:
    """Return a row of the table."""
    logs, variances, freedom = with_variance(points)
    plain, paired = ((logs[i], variances[i], freedom) for i in (0, 1))
    cost_logs, cost_variances, cost_freedom = with_variance(costs)
    others = [(cost_logs[i], cost_variances[i], cost_freedom) for i in (0, 2, 1, 3)]
    measures = [points[:, :, 0], costs[:, :, 0], costs[:, :, 1]]
    errors = [half_width(m.mean(1)) for m in measures]
    cells = [name, f"{len(points) * points.shape[1]:,}", f"{len(costs)}"]
    cells += [f"{m.mean():.3f} ± {error:.3f}" for m, error in zip(measures, errors, strict=True)]
    cells.append(f"{np.exp(plain[0]):.1f}")
    for n, other in zip((0, 1, 1, 2, 2), (paired, *others), strict=True):
        k, low, high = factor(plain, other)
        ordered = measures[n].mean() > errors[n] or not n
        cells.append(f"{k:.1f} ({low:.1f} to {high:.1f})" if ordered else "does not order them")
    return "| " + " | ".join(cells) + " |"


def main() -> None:
    """Play, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--folder", type=Path, default=Path("arena-games"))
    parser.add_argument("--deals", type=int, default=10, help="of each pair, that are judged")
    parser.add_argument("--seed", type=int, default=11)
    parser.add_argument("--processes", type=int, default=None)
    given = parser.parse_args()
    rows = list[str]()
    for deals in [*range(CHUNK, given.deals, CHUNK), given.deals]:
        rows.clear()
        for name, options, weak, strong, worlds, games in PAIRS:
            folder, players = given.folder / f"{name}-{weak}-{strong}", next(iter(options.values()))
            line_up = [weak, *[strong] * (players - 1)]
            if deals:
                arena.match(name, line_up, deals * players, given.seed, options=options, worlds=worlds,
                            processes=given.processes, keep=folder)  # fmt: skip
            played = paddock.match(name, line_up, games, given.seed, options=options,
                                   processes=given.processes, to=folder / "points.csv")  # fmt: skip
            costs = of_games(folder / GAMES, players)
            rows.append(row(f"{name}: {weak} < {strong}", of_points(played), costs))
            print(rows[-1], flush=True)
    heads = ["pair", "games", "judged deals", "points", "cost", "gain", "games by points"]
    heads += ["k: points, paired", "cost, plain", "cost, paired", "gain, plain", "gain, paired"]
    print("\n".join(["| " + " | ".join(heads) + " |", "|" + " --- |" * len(heads), *rows]))


if __name__ == "__main__":
    main()
