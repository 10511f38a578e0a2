"""Trains the networks of the leaderboard that learned from nothing, and keeps how they learned.

    python scripts/references.py --minutes 0.5

Each method has the same processor time. ``benchmark/trained`` gets the weights, and a line of JSON
for each point of the curve: the seconds, the games, and the points over the fair share among three *Clubs*.
``python scripts/scores.py lacorsa-4-v1`` then scores them.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from bakeoff import train
from paddock.bots.network import Network
from paddock.bots.registry import thirds
from paddock.core.recipe import Recipe
from paddock.lab.train import among, options_of
from paddock.tasks import Task, task
from task_pages import TRAINED

METHODS = ("PPO", "deep Monte Carlo")  # of bakeoff.py
POINTS, GAMES = 8, 1000  # points of a curve, and games that measure each


class Curve:
    """Measures a network from time to time, and writes what it gets."""

    def __init__(self, task: Task, recipe: Recipe, seconds: float, file: Path) -> None:
        self._title, self._options = task.title, options_of(task.title, recipe)
        self._step, self._next, self._file = seconds / POINTS, 0.0, file
        file.write_text("")

    def __call__(self, seconds: float, games: int, network: Network) -> None:
        """Measure the network if it is time."""
        if seconds < self._next:
            return
        self._next += self._step
        result = among(self._title, self._options, network, thirds(self._title, "club"), GAMES)
        values = {
            "seconds": round(seconds, 1), "games": games,
            "points": round(result.points, 3), "error": round(result.points_error, 3),
        }  # fmt: skip
        with self._file.open("a") as lines:
            lines.write(json.dumps(values) + "\n")


def learn(name: str, method: str, seconds: float) -> str:
    """Train by one method; return what there is to say."""
    chosen = task(name)
    file = TRAINED / f"{name}-{method.lower().replace(' ', '-')}.npz"
    recipe = Recipe({chosen.title.players_option: chosen.players}, 0, games=1200, itself=0.5, batch=2048)
    curve = Curve(chosen, recipe, seconds, file.with_suffix(".jsonl"))
    _method, network, games = train(chosen.title_name, method, seconds, recipe, curve)
    network.save(file)
    return f"{file.name}: {games:,} games"


def main() -> None:
    """Train by one method after the other."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--minutes", type=float, default=0.5)
    parser.add_argument("--task", default="lacorsa-4-v1")
    asked = parser.parse_args()
    TRAINED.mkdir(parents=True, exist_ok=True)
    for method in METHODS:
        print(learn(asked.task, method, 60 * asked.minutes), flush=True)


if __name__ == "__main__":
    main()
