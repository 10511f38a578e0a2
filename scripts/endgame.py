"""Prints what each level of bots gives away in endgames of LACORSA with two cars.

    python scripts/endgame.py
    python scripts/endgame.py --positions 100 rookie club
    python scripts/endgame.py --all

With two suits for two cars all cards are dealt: a driver who counts knows both hands. A position is the
first decision of a race with at most 6 cards in each hand. The drivers of that race make none, a third, two
thirds or all of their decisions as *Club*, and the others at random. Races are drawn until the position is
undecided: a legal move guarantees its car less than the position is worth to it. ``--all`` takes every one.

Each level plays each position from both seats; not from one that has lost already, whatever it plays. «lost»
is what it loses to an opponent that plays perfectly, and at random between moves that are equally good. «to a
best response» is what it loses to one that knows how the level plays, and «exploitable» in how many positions
that is more than CLEAR of a win. A level is asked ``--asks`` times in each position for the response, and as
often to judge it.
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
from paddock.bots.registry import CHAMPION, network_of
from paddock.core.words import CHANCE
from paddock.games.lacorsa.bots.policy import policy
from paddock.games.lacorsa.rulebook import TITLE
from paddock.games.lacorsa.rulebook import Options as ChampionshipOptions
from paddock.games.lacorsa.rules.state import Setup, State
from paddock.kernel.source import Seeded
from paddock.lab.endgame import EXACT, Endgame
from paddock.lab.figures import Ratio, figure, shown
from paddock.lab.response import Response

RULES = TITLE.rules
THIRDS = 3
CLEAR = 0.01  # of a win


class Options(ChampionshipOptions):
    """One car for each driver, two drivers: the rules play it, though no championship has so few cars."""

    @cached_property
    def cars_each(self) -> int:
        return 1


OPTIONS = Options(drivers=2, races=1)


@dataclass(frozen=True)
class Lost:
    """What happened in one position, by level: means over the seats that had something to lose."""

    forced: bool  # one car can force a win
    tried: int  # positions that were drawn until this one
    seats: int
    losses: tuple[float, ...]  # to a perfect opponent
    gains: tuple[float, ...]  # of a best response
    clear: tuple[float, ...]  # the share of seats in which that is clear


def position(seed: int, cards: int, number: int, every: bool = False) -> tuple[State, int]:
    """Return position ``number`` of a seed, and how many were drawn until it was undecided.

    Races in which a hand is still larger at the end are left out.
    """
    source, g, tried = Seeded(f"{seed} endgames", number), TITLE.setup_of(OPTIONS), 0
    while True:
        if s := _endgame(source, g, cards, number % (THIRDS + 1)):
            tried += 1
            if every or Endgame(TITLE, OPTIONS).undecided(s):
                return s, tried


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


def play(names: Sequence[str], seed: int, cards: int, every: bool, asks: int, number: int) -> Lost:
    """Let every level play a position from each seat."""
    (s, tried), exact = position(seed, cards, number, every), Endgame(TITLE, OPTIONS)
    value = exact.value(s)
    seats = [seat for seat, worth in enumerate((value, 1 - value)) if worth > EXACT]
    losses, gains = np.zeros((2, len(names), len(seats)))
    for i, name in enumerate(names):
        player = bot(TITLE, name)
        for k, seat in enumerate(seats):
            losses[i, k] = exact.loss(s, player, seat, Seeded(f"{seed} {name} {seat}", number))
            source = Seeded(f"{seed} {name} {seat} asked", number)
            gains[i, k] = Response(exact, player, seat, source, asks).gain(s)
    clear = (gains > CLEAR).mean(1)
    forced = exact.forcer(s) is not None
    return Lost(
        forced, tried, len(seats), *(tuple(row.tolist()) for row in (losses.mean(1), gains.mean(1), clear))
    )


def table(names: Sequence[str], lost: Sequence[Lost]) -> list[str]:
    """Return the lines of a table: for each level, in percent, with 95 % intervals over positions."""
    width = max(map(len, ("level", *names)))
    lines = [f"{'level':{width}}  lost, % of races  to a best response  exploitable, % of positions"]
    for i, name in enumerate(names):
        cells = [
            shown(
                figure(
                    "",
                    "",
                    Ratio(100 * np.array([getattr(one, what)[i] for one in lost]), np.ones(len(lost))),
                    "",
                )
            )
            for what in ("losses", "gains")
        ]
        clear = np.array([one.clear[i] * one.seats for one in lost])
        share = Ratio(clear, np.array([float(one.seats) for one in lost]), share=True)
        cells.append(shown(figure("", "", share, "")))
        lines.append(f"{name:{width}}  {cells[0]:>15}  {cells[1]:>18}  {cells[2]:>27}")
    return lines


def main() -> int:
    """Print the table that the command line asks for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--positions", type=int, default=300)
    parser.add_argument("--cards", type=int, default=6, help="the most cards in a hand")
    parser.add_argument("--all", action="store_true", help="positions need not be undecided")
    parser.add_argument("--asks", type=int, default=4, help="of a level in each position, twice")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=os.cpu_count())
    known = [level.name for level in levels(TITLE)]
    if network_of(TITLE, CHAMPION, OPTIONS) is None:  # then *Works* would play in its place
        known.remove(CHAMPION)
    parser.add_argument("levels", nargs="*", default=known, help=f"of {', '.join(known)}")
    given = parser.parse_args()
    t = time.perf_counter()
    one = partial(play, given.levels, given.seed, given.cards, given.all, given.asks)
    with ProcessPoolExecutor(given.processes) as pool:
        lost = list(pool.map(one, range(given.positions), chunksize=5))
    kind = "" if given.all else f"undecided, of {sum(one.tried for one in lost)}; "
    kind = f"{given.positions} positions ({kind}seed {given.seed})"
    print(f"LACORSA, two cars with at most {given.cards} cards each: {kind}")
    for forced, words in ((True, "one car can force a win"), (False, "neither car can force a win")):
        if these := [one for one in lost if one.forced == forced]:
            print("\n".join([f"in {len(these)} of them {words}:", *table(given.levels, these)]))
    print(f"({time.perf_counter() - t:.0f} s)", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
