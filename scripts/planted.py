"""Counts how many planted changes of rules the report of one command names, and how many it invents.

    python scripts/planted.py                     all of them
    python scripts/planted.py favoured redline    some of them
    python scripts/planted.py --unchanged 20      and 20 reports on rules in which nothing is different

A plant is a copy of a title, a package of its own, in which a line of the rules is another one; or options.
``paddock study TITLE --beside PLANT`` gets the name of the package and nothing else. Its report names the
plant if the figure that was chosen for it beforehand is flagged, in the direction that was. In an unchanged
copy, chance draws a number more every time it is due: all deals are others, and nothing else.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import platformdirs

from paddock.core.title import title
from paddock.trials.variant import copy_title

ROOT = Path(__file__).resolve().parent.parent
GAMES = {"lacorsa": 20_000, "rasant": 20_000, "great_race": 6_000}
MINUTES = 10  # that a report may take
NEEDED, MOST_FALSE = 18, 1
UP, DOWN = 1, -1


@dataclass(frozen=True)
class Plant:
    """A change of the rules: in ``file`` of a title, ``old`` becomes ``new``; or these options of B."""

    name: str
    says: str
    title: str
    figure: str  # that must be flagged
    way: int  # the sign of its difference
    file: str = ""
    old: str = ""
    new: str = ""
    options: str = ""  # of B
    both: tuple[str, ...] = ()  # options of both sides


RACE, ROUNDS = "rules/race.py", "rules/rounds.py"
PLANTS = (
    Plant("favoured", "Car 2 wins its tied challenges", "lacorsa", "seats.wins.2", UP,
          RACE, "if attack >= defence + g.win_by:",
          "if attack >= defence + g.win_by - int(attacker == 1):"),
    Plant("twelve", "A 12 counts 0 in a challenge: worth nothing", "lacorsa", "worth.cards.12.more", DOWN,
          RACE, "        return play\n    if play", "        return play % 12\n    if play"),
    Plant("redline", "A Redline adds nothing to a card", "lacorsa", "worth.cards.Redline.more", DOWN,
          options="redline_bonus=0"),
    Plant("ties", "The challenger wins ties", "lacorsa", "events.A challenger passes", UP,
          options="win_by=0"),
    Plant("runaway", "The leader defends with 2 more", "lacorsa", "half_time", UP, RACE,
          "defence = reveal(s, g, defender, defending)",
          "defence = reveal(s, g, defender, defending) + 2 * int(i + 2 == s.running)"),
    Plant("rubber", "The last car challenges with 4 more", "lacorsa", "drama", UP, RACE,
          "attack = reveal(s, g, attacker, attacking)",
          "attack = reveal(s, g, attacker, attacking) + 4 * int(i == 0)"),
    Plant("short", "The last lap begins with three cards in a hand", "lacorsa", "decisions", DOWN, RACE,
          "if left == 0:\n        s.last", "if left <= 3:\n        s.last"),
    Plant("winner", "The winner of a race gets two points more", "lacorsa", "margin", UP, "rules/setup.py",
          "g.points[place] = points", "g.points[place] = points + 2 * int(place == 0)"),
    Plant("lot", "The grid is drawn by lot, after qualifying", "lacorsa", "laps.1", UP, RACE,
          "s.value[car] = 1 + reveal(s, g, car, s.commit[car] - 1)",
          "s.value[car] = 1 + 0 * reveal(s, g, car, s.commit[car] - 1)"),
    Plant("handicap", "Player 3 gets a point less for each round", "rasant", "seats.points.3", DOWN, ROUNDS,
          "s.score[s.best] += points", "s.score[s.best] += points - int(s.best == 2)"),
    Plant("black-car", "The black car triples the points", "rasant", "margin", UP, options="black_factor=3"),
    Plant("no-stop", "A 130 does not end the round", "rasant", "decisions", UP, options="ending_speed=140"),
    Plant("all", "A round ends when all have passed", "rasant", "events.A pass", UP, options="round_end=all"),
    Plant("catch-up", "Whoever is last gets two points more for a round", "rasant", "comebacks", UP, ROUNDS,
          "s.score[s.best] += points",
          "s.score[s.best] += points + 2 * int(place_of(s, g, s.best) == g.players)"),
    Plant("rich", "Whoever leads gets two points more for a round", "rasant", "half_time", UP, ROUNDS,
          "s.score[s.best] += points", "s.score[s.best] += points + 2 * int(place_of(s, g, s.best) == 1)"),
    Plant("black-card", "A round that a black card wins is worth nothing", "rasant",
          "worth.cards.black 120.more", DOWN, ROUNDS,
          "s.score[s.best] += points", "s.score[s.best] += points * int(s.top < state.BLACK)"),
    Plant("deal", "Rounds are worth two points each, whatever moves", "rasant", "margin", DOWN, ROUNDS,
          "s.score[s.best] += points", "s.score[s.best] += 2"),
    Plant("rich-crew", "Player 1 begins with 50 F more", "great_race", "seats.points.1", UP,
          "rules/lots.py", "g.start_money if playing", "g.start_money + 50 * int(seat == 0) if playing"),
    Plant("arrival", "The first to arrive gets five points more", "great_race", "margin", UP,
          "rules/ending.py", "return arrival_points(g, place) +",
          "return arrival_points(g, place) + 5 * int(place == 1) +"),
    Plant("boris", "Boris has three levels of engine and chassis more, not one", "great_race",
          "worth.leaders.Boris Obroutchev.leader", UP, "rules/lots.py",
          "s.engine[seat] += 1\n        s.chassis[seat] += 1",
          "s.engine[seat] += 3\n        s.chassis[seat] += 3", both=("leaders=yes",)),
)  # fmt: skip
# Where chance begins to draw, in each title: an unchanged copy draws a number more there
BURNT = {
    "lacorsa": "    if s.phase == state.DEAL:\n        deal_out",
    "rasant": "    if s.phase == state.LINING:\n        line_up",
    "great_race": "    while (BY_CHANCE >> s.stage) & 1:\n        apply(s, g, CHANCE, lot",
}
UNCHANGED = [
    Plant(f"same-{title}", "Nothing", title, "", 0, "rules/rules.py", old, f"    below(rng, 2)\n{old}")
    for title, old in BURNT.items()
]  # fmt: skip


def package(plant: Plant, folder: Path) -> str:
    """Write the copy of a title with the plant in it, as an installed package; return its name."""
    name = f"planted_{plant.name.replace('-', '_')}"
    copy_title(title(plant.title), name, folder / name)
    file = folder / name / plant.file
    text = file.read_text("utf-8")
    if text.count(plant.old) != 1:
        raise SystemExit(f"{plant.name}: {plant.file} has {text.count(plant.old)} of {plant.old!r}")
    file.write_text(text.replace(plant.old, plant.new), "utf-8")
    info = folder / f"{name}-0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 0\n", "utf-8")
    (info / "entry_points.txt").write_text(f"[paddock.titles]\n{name} = {name}.rulebook:TITLE\n", "utf-8")
    return name


def reported(plant: Plant, other: str, folder: Path, seed: int) -> tuple[dict[str, object], str, bool]:
    """Run the one command; return its numbers, what it took, and whether that is too long."""
    file = folder / f"{plant.name}-{seed}.json"
    words = [sys.executable, "-m", "paddock", "study", plant.title, "--beside", other, "--seed", str(seed)]
    words += ["--games", str(GAMES[plant.title]), "--json", str(file)]
    for option in plant.both:
        words += ["-o", option]
    began, busy = time.monotonic(), children_seconds()
    path = os.pathsep.join(filter(None, [str(folder), os.environ.get("PYTHONPATH", "")]))
    run = subprocess.run(words, env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True)
    if run.returncode:
        raise SystemExit(f"{plant.name}: {run.stderr}")
    seconds = time.monotonic() - began
    cost = f"{seconds:.0f} s, {children_seconds() - busy:.0f} s of a processor"
    return json.loads(file.read_text("utf-8")), cost, seconds > 60 * MINUTES


def children_seconds() -> float:
    """Return the processor time of the commands that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def flagged(report: dict[str, object]) -> list[dict[str, object]]:
    """Return the flagged differences of a report, the clearest first."""
    found = [of for of in report["differences"] if of["flagged"]]  # type: ignore[attr-defined]
    return sorted(found, key=lambda of: -abs(of["change"]["value"]) / (of["change"]["error"] or 1e-9))


def judge(plant: Plant, flags: Sequence[dict[str, object]]) -> int:
    """Return the place of the plant among the flags, from 1; 0 if it is not among them."""
    for place, of in enumerate(flags, 1):
        if of["name"] == plant.figure and of["change"]["value"] * plant.way > 0:  # type: ignore[index]
            return place
    return 0


def main() -> int:
    """Report on the plants that the command line names, or all; return 1 if too few are named."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--unchanged", type=int, default=0, metavar="N", help="reports on unchanged rules")
    given = parser.parse_args()
    plants = [plant for plant in PLANTS if not given.names or plant.name in given.names]
    named = slow = false = 0
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        for plant in plants:
            other = package(plant, folder) if plant.file else plant.options
            report, cost, late = reported(plant, other, folder, 1)
            flags = flagged(report)
            place = judge(plant, flags)
            named, slow = named + bool(place), slow + late
            found = f"{place or 'no'} of {len(flags)} flags"
            print(f"| {plant.name} | {plant.says} | {found} | {cost} |", flush=True)
        others = {plant.title: package(plant, folder) for plant in UNCHANGED if given.unchanged}
        for k in range(given.unchanged):
            plant = UNCHANGED[k % len(UNCHANGED)]
            report, cost, late = reported(plant, others[plant.title], folder, 100 + k)
            flags = flagged(report)
            false, slow = false + bool(flags), slow + late
            found = ", ".join(str(of["name"]) for of in flags)
            print(f"| {plant.name} {k + 1} | {len(flags)} flags {found} | {cost} |", flush=True)
        for made in folder.glob("planted_*.dist-info"):
            name = made.name.partition("-")[0]
            for cached in (platformdirs.user_cache_path("paddock") / "kernels").glob(f"{name}-*"):
                shutil.rmtree(cached)
    print(f"{named} of {len(plants)} plants named, {slow} reports took more than {MINUTES} minutes; "
          f"{false} of {given.unchanged} unchanged ones have a flag")  # fmt: skip
    return int(named < len(plants) - (len(PLANTS) - NEEDED) or slow > 0 or false > MOST_FALSE)


if __name__ == "__main__":
    sys.exit(main())
