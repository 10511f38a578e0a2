"""Plays the scores of the leaderboard, and keeps their lines in ``benchmark/scores``.

    python scripts/scores.py               # all of them; those that are finished are not played again
    python scripts/scores.py lacorsa-4-v1  # of a task
    python scripts/scores.py lacorsa-4-v1 --agent club --processes 1

The games are in ``build/scores``, where ``paddock tasks verify`` checks them.
"""

from __future__ import annotations

import argparse
import re
import shutil
from collections.abc import Iterator

import cited
from paddock.bots.champion import has_networks, network_name
from paddock.tasks import TASKS, Task, score
from paddock.tasks.score import LINE
from task_pages import METHODS, SCORES, TRAINED

GAMES = cited.ROOT / "build" / "scores"
SHIPPED = "src/paddock/games/lacorsa/networks"
WORKS = {"lacorsa-4-v1": 100, "lacorsa-2-v1": 100, "rasant-4-v1": 100, "rasant-2-v1": 100}  # games of them


def agents(task: Task) -> Iterator[tuple[str, str, int | None]]:
    """Yield the reference agents of a task: name, words, and games if they are not half of the task's."""
    yield "Rookie", "rookie", None
    yield "Club", "club", None
    if task.name in WORKS:
        yield "Works", "works", WORKS[task.name]
    if has_networks(task.title) and network_name(task.title, task.title.setup_of(task.options)):
        yield "Champion, without looking ahead", "net:champion", None
    if task.name == "lacorsa-4-v1":
        yield "Champion", "champion", 200
        yield "Exploiter of an earlier Champion", f"net:{SHIPPED}/4-exploiter.npz", None
    for slug, method in METHODS.items():
        file = TRAINED / f"{task.name}-{slug}.npz"
        if file.is_file():
            yield method, f"net:{file.relative_to(cited.ROOT)}", None


def main() -> None:
    """Play what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tasks", nargs="*", default=list(TASKS))
    parser.add_argument("--agent", help="only this one")
    parser.add_argument("--processes", type=int)
    given = parser.parse_args()
    for task in map(TASKS.__getitem__, given.tasks):
        for name, words, games in agents(task):
            if given.agent in (None, words):
                slug = re.sub(r"\W+", "-", name.lower())
                folder = GAMES / f"{task.name}-{slug}"
                made = score(
                    task, words, folder, games=games or task.games // 2, name=name, processes=given.processes
                )
                SCORES.mkdir(parents=True, exist_ok=True)
                shutil.copy(folder / LINE, SCORES / f"{folder.name}.json")
                print(made.sentence, f"{made.seconds:.0f} s", flush=True)


if __name__ == "__main__":
    main()
