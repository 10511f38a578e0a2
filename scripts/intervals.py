"""Print how often the 95 % intervals that Paddock prints contain the true value.

    python scripts/intervals.py                       all of them
    python scripts/intervals.py shares --repeats 1000
    python scripts/intervals.py studies --studies 250 --games 200

``least`` prints the smallest coverage of at least 93 % that any interval can have that goes by the number of
wins in independent games: a few games have few results.
``shares`` simulates matches with shares of wins from 2 to 98 %, and prints the lowest, mean and highest
coverage over the shares. ``matches`` draws the deals of each match from a pool that the levels really played,
whose mean is the true value; in some line-ups a level makes only some of its decisions, to get other shares.
``analyses`` does the same with the worlds of an analysis. ``studies`` compares small studies of Rasant with
one of TRUTH games.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from dataclasses import replace
from math import comb

import numpy as np
import numpy.typing as npt

import paddock
from paddock.bots import bot
from paddock.bots.judging import choose, decisions, values_of
from paddock.bots.mixture import models_for
from paddock.core.game import Game
from paddock.core.intervals import half_width, standard_error, wilson
from paddock.core.title import title
from paddock.kernel.source import Seeded
from paddock.lab import Match, measures
from paddock.lab.compiled import Compiled
from paddock.lab.figures import figure, jackknife
from paddock.lab.plan import make_plan
from paddock.lab.results import make_match
from paddock.lab.survey import REPEATS, GamesSample, compiled_levels, halves, play_survey

Floats = npt.NDArray[np.float64]
SHARES = (0.02, 0.05, 0.1, 0.2, 0.35, 0.5, 0.65, 0.8, 0.9, 0.95, 0.98)
PLAYERS = (2, 3, 4, 12)
DEALS = (5, 10, 25, 100, 400)
ALIKE = (-0.9, -0.3, 0.0, 0.05, 0.1, 0.3)  # correlations of the games of a deal
POOL = 8000  # games of a real line-up
LINE_UPS = (
    # the thirds of the decisions that the first bot and the others make as Club; at random, they are Rookies
    ("rasant", 2, {}, ((3, 0), (3, 1), (3, 2), (3, 3), (2, 3), (1, 3), (0, 3))),
    ("rasant", 4, {}, ((3, 0), (0, 3))),
    ("lacorsa", 4, {}, ((3, 0), (3, 2), (0, 3))),
    ("lacorsa", 12, {"large_grid": "yes"}, ((3, 0), (0, 3))),
)
WORLDS, MANY_WORLDS = (8, 24, 64, 100, 1000), 20_000  # of analyses; the true cost is that in many
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


def simulated(
    rng: np.random.Generator, repeats: int, deals: int, players: int, share: float, alike: float
) -> Floats:
    """Return the wins of a side by match and deal, as a share of the games.

    Games that are alike have a chance of winning that varies between deals (beta). Games that balance each
    other have as many wins as they should, up to one, in a part ``-alike`` of the deals.
    """
    shape = (repeats, deals)
    if alike > 0:
        chance = rng.beta(share * (1 / alike - 1), (1 - share) * (1 / alike - 1), shape)
        return rng.binomial(players, chance) / players
    wins = rng.binomial(players, share, shape)
    balanced = np.floor(players * share + rng.random(shape))
    return np.where(rng.random(shape) < -alike, balanced, wins) / players


def shares(repeats: int) -> Iterator[str]:
    """Yield the coverage of wins in simulated matches."""
    rng = np.random.default_rng(1)
    yield "correlation of the games of a deal:   " + "".join(f"{alike:<19}" for alike in ALIKE)
    for players in PLAYERS:
        for deals in DEALS:
            cells = []
            for alike in ALIKE:
                cover = []
                for share in SHARES:
                    hits = 0
                    for one in simulated(rng, repeats, deals, players, share, alike):
                        low, high = wilson(float(one.mean()), standard_error(one), deals, deals * players)
                        hits += low - 1e-9 <= share <= high + 1e-9
                    cover.append(100 * hits / repeats)
                cells.append(f"{min(cover):5.1f} {np.mean(cover):5.1f} {max(cover):5.1f}  ")
            yield f"{players:2} players, {deals:3} deals (% of intervals)  " + "".join(cells)


def least(_repeats: int) -> Iterator[str]:
    """Yield the least coverage above 93 % that is possible for the shares: lowest, mean and highest."""
    for players in PLAYERS:
        for deals in DEALS[:3]:
            games, cover = deals * players, []
            for share in SHARES:
                ways = [
                    comb(games, wins) * share**wins * (1 - share) ** (games - wins)
                    for wins in range(games + 1)
                ]
                below = np.concatenate([[0], np.cumsum(ways)])  # below[n]: less than n wins
                sets = below[None, :] - below[:, None]  # from some number of wins to another
                cover.append(100 * sets[sets >= 0.93].min())
            figures = f"{min(cover):5.1f} {np.mean(cover):5.1f} {max(cover):5.1f}"
            yield f"{players:2} players, {deals:3} deals: {figures}"


def pool(name: str, players: int, options: dict[str, str], parts: tuple[int, int]) -> Match:
    """Play many deals between a bot and others."""
    plan = make_plan(title(name), ["club", *["rookie"] * (players - 1)], 1, options, 30)
    compiled = Compiled(plan, list(parts))
    return make_match(plan, [row for deal in range(POOL // players) for row in compiled.play(deal)])


def drawn(of: Match, rng: np.random.Generator, deals: int) -> Match:
    """Return a match with deals of a pool."""
    chosen = rng.integers(0, of.deals, deals)
    games = (chosen[:, None] * of.players + np.arange(of.players)).reshape(-1)
    return replace(
        of, bots=of.bots[games], points=of.points[games], places=of.places[games], forfeits=of.forfeits[games]
    )


def matches(repeats: int) -> Iterator[str]:
    """Yield the coverage of wins and points in matches between real bots."""
    rng = np.random.default_rng(2)
    yield "deals:" + " " * 45 + "".join(f"{deals:<18}" for deals in DEALS)
    for name, players, options, line_ups in LINE_UPS:
        for parts in line_ups:
            many = pool(name, players, options, parts)
            true, cells = many.figures[0], []
            for deals in DEALS:
                wins = points = unknown = 0
                for _match in range(repeats):
                    one = drawn(many, rng, deals).figures[0]
                    wins += one.wins_low - 1e-9 <= true.wins_over <= one.wins_high + 1e-9
                    points += abs(one.points_over - true.points_over) <= one.points_error + 1e-9
                    unknown += bool(np.isnan(one.points_error))
                shown = f"{100 * points / (repeats - unknown):5.1f}" if unknown < repeats else "    –"
                note = f" ({100 * unknown / repeats:.0f})" if unknown else ""
                cells.append(f"{100 * wins / repeats:5.1f} {shown}{note}".ljust(18))
            of = f"{name}, {players} players, thirds {parts[0]} and {parts[1]}, wins {100 * true.wins:.1f} %"
            yield f"{of:<51}" + "".join(cells)
    yield "the coverage of wins and of points; (of so many % of the matches, all deals had the same points)"


def game_of_clubs() -> Game:
    """Return a race of LACORSA, half of its drivers *Clubs* and the others *Rookies*."""
    game, rng = paddock.start("lacorsa", seed=5, drivers=4, races=1), Seeded(9)
    players = [bot("lacorsa", "club" if seat % 2 else "rookie") for seat in range(4)]
    while not game.over:
        for seat in game.deciders:
            seen = game.seen(game.options.eyes(game.options.owners[seat]))
            game.play(seat, players[seat].choose(seen, seat, seen.legal(seat), rng))
    return game


def analyses(repeats: int) -> Iterator[str]:
    """Yield the coverage of the costs of moves."""
    rng, rows = np.random.default_rng(3), []
    for decision in decisions(game_of_clubs()):
        seen = decision.seen
        models = models_for(seen.title, seen.setup)
        values = values_of(seen, decision.seat, f"1 {decision.entry}", models)
        best, _tried = choose(values, decision.legal, decision.move, 500)
        if best != decision.move:
            pair = values([best, decision.move], range(500, 500 + MANY_WORLDS))
            rows.append(np.subtract(*pair))
    for worlds in WORLDS:
        cover, none = [], 0
        for row in rows:
            hits = 0
            for one in rng.choice(row, (repeats, worlds - worlds // 2)):
                error = half_width(one)
                hits += abs(one.mean() - row.mean()) <= error
                none += not error
            cover.append(100 * hits / repeats)
        yield (
            f"{worlds:4} worlds: {min(cover):5.1f} {np.mean(cover):5.1f} {max(cover):5.1f}  "
            f"({len(rows)} moves; {100 * none / repeats / len(rows):.1f} % of the intervals have no width)"
        )


def studies(count: int, games: int) -> Iterator[str]:
    """Yield the coverage of the figures of studies."""
    found = title("rasant")
    options, strengths = found.options.read({}), [thirds for _name, thirds in compiled_levels(found)]
    mixed, same = halves(1, 0, options.players), [[1] * options.players]

    def play(games: int, seed: int, line_ups: list[list[int]]) -> GamesSample:
        return play_survey(found, options, games // REPEATS, seed, line_ups, strengths)

    truth, true_parts = play(TRUTH, 999_999, same), measures.components(play(TRUTH, 999_998, mixed))
    true = {name: measure(truth).value for name, measure in MEASURES.items()}
    hits, part_hits = dict.fromkeys(MEASURES, 0), np.zeros(len(PARTS))
    for seed in range(count):
        sample, halved = play(games, seed, same), play(games, seed, mixed)
        for name, measure in MEASURES.items():
            one = figure(name, name, measure(sample), "")
            hits[name] += one.low <= true[name] <= one.high
        values, errors = jackknife(halved.deals, lambda mask, of=halved: measures.components(of.part(mask)))
        part_hits += np.abs(values - true_parts) <= errors
    for name, hit in [*hits.items(), *zip(PARTS, part_hits, strict=True)]:
        yield f"{name:<34} {100 * hit / count:5.1f} %"


def main() -> int:
    """Print the tables that the command line asks for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    every = ("least", "shares", "matches", "analyses", "studies")
    parser.add_argument("what", nargs="*", metavar="WHAT", help=f"of {', '.join(every)}; default: all")
    parser.add_argument("--repeats", type=int, default=1000, help="of each simulated match")
    parser.add_argument("--studies", type=int, default=1000)
    parser.add_argument("--games", type=int, default=200, help="of each study")
    given = parser.parse_args()
    if unknown := set(given.what) - set(every):
        parser.error(f"there is no {', '.join(sorted(unknown))}: choose of {', '.join(every)}")
    for what in given.what or every:
        print(f"{what}:", flush=True)
        lines = studies(given.studies, given.games) if what == "studies" else globals()[what](given.repeats)
        for line in lines:
            print(line, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
