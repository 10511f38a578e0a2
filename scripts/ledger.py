"""Checks the ledgers of many games of bots: do they add up, and is luck worth nothing on average?

    python scripts/ledger.py                                  200 games of each title
    python scripts/ledger.py rasant --games 1000 --worlds 32
    python scripts/ledger.py lacorsa --level rookie --games 50
    python scripts/ledger.py --games 100000 --worlds 2 --processes 16

Each game has its title's usual options. Every moment is valued in WORLDS games that are played on from it. A
value of few games is not exact, but right on average, and so is each line. Decisions are judged in as many
worlds, at least LEAST.

For each title it prints by how much the lines of a player at most miss the result, or the result misses the
points of the game over the mean of all players. Then comes the mean of every line of the first player, with
its standard error, and how many of those it is from 0.

Deal, draws and hidden cards are luck: they are 0 on average.
"""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass

import numpy as np

import paddock
from paddock.bots import bot
from paddock.bots.analysis import Analysis, kind_names, ledger
from paddock.bots.judging import decisions, judge
from paddock.bots.ledger import KINDS, Kind, LedgerAccount
from paddock.bots.mixture import LEAST
from paddock.bots.valuing import moments_of, value
from paddock.core.game import Game
from paddock.core.intervals import standard_error
from paddock.kernel.bulk import cores
from paddock.kernel.source import Seeded
from paddock.lab import puzzles

TITLES = ("lacorsa", "rasant", "great_race")
CLUB = "club"
LUCK: tuple[Kind, ...] = ("deal", "draws", "hidden")
SEED = 1
CHUNK = 8  # games that a process plays at a time


@dataclass(frozen=True)
class Line:
    """The mean of a line over many games."""

    kind: Kind
    mean: float
    error: float  # standard error

    @property
    def z(self) -> float:
        """How many standard errors it is from 0; 0 if it is 0 in every game."""
        return self.mean / self.error if self.error else 0.0


def played(name: str, level: str, seed: int) -> Game:
    """Return a game of bots."""
    title = paddock.title(name)
    return puzzles.played(title, title.options.read(title.one_round), Seeded(seed), bot(title, level))


def accounts_of(game: Game, worlds: int, seed: str) -> list[LedgerAccount]:
    """Return the account of every player of a game."""
    judged = tuple(judge(one, max(LEAST, worlds), seed) for one in decisions(game))
    moments = tuple(value(point, worlds, seed) for point in moments_of(game))
    return ledger(Analysis(game.title.name, len(game.log), worlds, seed, judged, moments=moments), game)


def missing(game: Game, accounts: Sequence[LedgerAccount]) -> float:
    """Return by how much the accounts at most miss the results of a game."""
    totals = {line.who: line.total for line in game.standings().players}
    mean = math.fsum(totals.values()) / len(totals)
    faults = [0.0 if {one.player for one in accounts} == set(totals) else math.inf]
    for one in accounts:
        lines = math.fsum(part.points for part in one.parts.values())
        faults += [abs(lines - one.result), abs(one.result - (totals[one.player] - mean))]
    return max(faults)


def lines(accounts: Sequence[LedgerAccount]) -> Iterator[Line]:
    """Yield the mean of each line over accounts of different games."""
    for kind in KINDS:
        points = np.array([one.parts[kind].points for one in accounts])
        yield Line(kind, float(points.mean()), standard_error(points))


@dataclass(frozen=True)
class Run:
    """What is measured: games of bots of a level, each moment of them in ``worlds`` games."""

    name: str
    level: str
    worlds: int
    seed: int

    def measure(self, number: int) -> tuple[float, LedgerAccount]:
        """Play one game; return by how much its ledgers at most miss the result, and the first player's."""
        game = played(self.name, self.level, self.seed * 1_000_000 + number)
        found = accounts_of(game, self.worlds, f"{self.seed} {number}")
        return missing(game, found), found[0]


def measured(run: Run, games: int, processes: int) -> tuple[float, list[Line]]:
    """Play games of a title; return by how much the ledgers at most miss the result, and the mean lines."""
    done = [run.measure(0)]  # compiles, so that no process waits for another that does
    with ProcessPoolExecutor(processes) as pool:
        done += pool.map(run.measure, range(1, games), chunksize=CHUNK)
    return max(worst for worst, _account in done), list(lines([account for _worst, account in done]))


def main() -> None:
    """Play and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("titles", nargs="*", default=TITLES, help="titles; by default ours")
    parser.add_argument("--games", type=int, default=200, help="of each title, at least 2")
    parser.add_argument("--worlds", type=int, default=10, help="games from each moment, at least 2")
    parser.add_argument("--level", default=CLUB, help="of all bots")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--processes", type=int, default=cores())
    given = parser.parse_args()
    if min(given.games, given.worlds) < 2:
        parser.error("--games and --worlds must be at least 2")
    names = kind_names()
    for name in given.titles:
        begun = time.monotonic()
        run = Run(name, given.level, given.worlds, given.seed)
        worst, found = measured(run, given.games, given.processes)
        took = time.monotonic() - begun
        print(f"{name}: {given.games} games, {given.worlds} from each moment, in {took:.0f} s")
        print(f"  the lines miss the result by {worst:.1e} points at most")
        for line in found:
            said = f"{line.mean:+.3f}  standard error {line.error:.3f}  z {line.z:+.1f}"
            print(f"  {names[line.kind]:14} {said}{'  luck' if line.kind in LUCK else ''}")


if __name__ == "__main__":
    main()
