"""How many deals points over the field save: twelve entrants at three tables that play the same cards.

    python scripts/duplicates.py lacorsa --deals 400 --keep lacorsa.json

The entrants are a level and mixtures: *Club* of whose moves a part is random. A table of bots completes the
field to four, as at an evening. ``--keep`` stores the games; scripts/seasons.py makes seasons of them.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

import paddock
from paddock.bots import Bot, bot, usual
from paddock.bots.fair import answer, keyed, points_of, seen_by
from paddock.core.game import Game
from paddock.core.intervals import Z
from paddock.core.options import Options
from paddock.core.title import Seen, Title
from paddock.features.clubs.correcting import fit
from paddock.features.clubs.results import Result
from paddock.features.clubs.scoring import missing_tables, over_field
from paddock.features.clubs.seating import seats
from paddock.kernel.keyed import Keyed

Floats: TypeAlias = NDArray[np.float64]

SECRET = "5e" * 32
SLIPS = (0, 5, 10, 15, 20, 25, 30, 40, 50, 65, 80)  # per cent of random moves of the mixtures
ENTRANTS = ("rookie", *(f"club-{slips}" for slips in SLIPS))
TABLES, SEATS = 3, 4
DRAWS, FITS = 400, 100  # to measure intervals, of scores and of corrected strengths


class Entrant:
    """Who plays in place of a person: a level, which slips at times."""

    def __init__(self, title: Title, name: str, seed: str) -> None:
        level, _dash, slips = name.partition("-")
        self._bot, self._slips = bot(title, level), int(slips or 0) / 100
        self._draw = random.Random(seed)
        self._lots = keyed(SECRET, seed)

    def answer(self, seen: Seen, seat: int) -> tuple[int, ...]:
        """Return what is submitted at a decision."""
        if self._draw.random() >= self._slips:
            return answer(self._lots, self._bot, seen, seat)
        links = [self._draw.choice(seen.legal(seat))]
        while not (after := seen.preview(links, seat)).ended:
            links.append(self._draw.choice(after.legal))
        return tuple(links)


class Computer:
    """A bot of the table itself."""

    def __init__(self, player: Bot, lots: Keyed) -> None:
        self._player, self._lots = player, lots

    def answer(self, seen: Seen, seat: int) -> tuple[int, ...]:
        """Return what is submitted at a decision."""
        return answer(self._lots, self._player, seen, seat)


def play(title: Title, options: Options, deal: int, players: Sequence[Entrant | Computer]) -> list[int]:
    """Play a deal at a table; return the points of each player."""
    game, chance = Game(title, options), keyed(SECRET, f"paddock evening 1 duplicates {deal}")
    while not game.over:
        if game.chance_due:
            game.append(game.draw(chance))
            continue
        owners = game.options.owners
        chosen = {seat: players[owners[seat]].answer(seen_by(game, seat), seat) for seat in game.deciders}
        for seat, links in chosen.items():
            game.play(seat, links)
    return [points_of(game, player) for player in range(len(players))]


def results(name: str, deals: int) -> list[Result]:
    """Return what came of the deals."""
    title = paddock.title(name)
    options = title.options.read(title.presets[0].values if title.presets else title.one_round)
    level, made = usual(title), list[Result]()
    player = bot(title, level)
    for deal, tables in enumerate(seats(ENTRANTS, SEATS, deals, "duplicates")):
        alone: list[list[str | None]] = [[None] * SEATS] * missing_tables(TABLES)
        for number, names in enumerate([*tables, *alone]):
            computer = Computer(player, keyed(SECRET, f"table {deal} {number}"))
            players = [Entrant(title, who, f"{who} {deal}") if who else computer for who in names]
            points = play(title, options, deal, players)
            made += [
                Result(who, deal, number, seat, points[seat], level=level) for seat, who in enumerate(names)
            ]
    return made


def by_deal(made: Sequence[Result], numbers: Sequence[float]) -> Floats:
    """Return a number of each entrant on each deal: (entrants, deals)."""
    out = np.zeros((len(ENTRANTS), 1 + max(result.deal for result in made)))
    for result, number in zip(made, numbers, strict=True):
        if result.entrant is not None:
            out[ENTRANTS.index(result.entrant), result.deal] = number
    return out


def less_seats(made: Sequence[Result]) -> list[float]:
    """Return ordinary points less the mean of their seat, which rotation would take out."""
    of_seat = [np.mean([r.points for r in made if r.seat == seat and r.entrant]) for seat in range(SEATS)]
    return [result.points - float(of_seat[result.seat]) for result in made]


def noise_to_signal(scores: Floats) -> float:
    """Return the variance of a deal's score over that between entrants: so many deals weigh it up."""
    count = int(scores.shape[1])
    noise = float(scores.var(axis=1, ddof=1).mean())
    return noise / (float(scores.mean(axis=1).var(ddof=1)) - noise / count)


def corrected_need(made: Sequence[Result], count: int) -> float:
    """Return the same for corrected strengths."""
    whole = fit(made)
    assert whole is not None
    noise = float(np.mean([(whole.entrants[who].error / Z) ** 2 for who in ENTRANTS]))
    return count * noise / (float(np.var([whole.entrants[who].value for who in ENTRANTS], ddof=1)) - noise)


def redrawn(made: Sequence[Result], deals: NDArray[np.int64]) -> list[Result]:
    """Return the results of these deals, as if each were another."""
    of_deal: dict[int, list[Result]] = {}
    for result in made:
        of_deal.setdefault(result.deal, []).append(result)
    return [replace(result, deal=n) for n, deal in enumerate(deals.tolist()) for result in of_deal[deal]]


def _factor(saved: float, tried: Sequence[float]) -> str:
    low, high = np.quantile(tried, (0.025, 0.975))
    return f"so many: ordinary points need {saved:.2f} times as many deals (95 %: {low:.2f} to {high:.2f})"


def agreement(scores: Floats, truth: Floats) -> float:
    """Return Spearman's rank correlation."""
    ranks, of_truth = (np.argsort(np.argsort(each)) for each in (scores, truth))
    correlations = np.corrcoef(ranks, of_truth)
    return correlations.item(1)


def report(name: str, made: Sequence[Result]) -> None:
    """Print how many deals are saved, and how well the orders agree with the strengths."""
    ordinary, over = by_deal(made, less_seats(made)), by_deal(made, over_field(made))
    whole = fit(made)
    assert whole is not None
    truth = np.array([whole.entrants[who].value for who in ENTRANTS])
    strengths = ", ".join(f"{who} {value:+.2f}" for who, value in zip(ENTRANTS, truth, strict=True))
    print(f"{name}: {ordinary.shape[1]} deals; points over the mean: {strengths}")
    deviations = f"strengths {whole.spread:.2f}, deal and seat {whole.deal:.2f}, noise {whole.noise:.2f}"
    print(f"standard deviations: {deviations}")
    rng, count = np.random.default_rng(1), ordinary.shape[1]
    plain_need = noise_to_signal(ordinary)
    draws = [rng.integers(0, count, size=(count,)) for _ in range(DRAWS)]
    tried = [noise_to_signal(ordinary[:, d]) / noise_to_signal(over[:, d]) for d in draws]
    print(f"points over the field save {_factor(plain_need / noise_to_signal(over), tried)}")
    tried = [noise_to_signal(ordinary[:, d]) / corrected_need(redrawn(made, d), count) for d in draws[:FITS]]
    print(f"corrected strengths save {_factor(plain_need / corrected_need(made, count), tried)}", flush=True)
    for tables in (4, 6, 12):
        field = 1 + 1 / (tables - 1)
        factor = (whole.deal**2 + whole.noise**2) / (field * whole.noise**2)
        print(f"with {tables} tables, these deviations make it {factor:.2f} times")
    for deals in (6, 12, 24, 48):
        plain, duplicate, corrected = [], [], []
        for number in range(DRAWS):
            drawn = rng.choice(count, deals, replace=False)
            plain.append(agreement(ordinary[:, drawn].mean(axis=1), truth))
            duplicate.append(agreement(over[:, drawn].mean(axis=1), truth))
            if number < DRAWS // 8:
                part = set(drawn.tolist())
                found = fit([result for result in made if result.deal in part])
                assert found is not None
                values = np.array([found.entrants[who].value for who in ENTRANTS])
                corrected.append(agreement(values, truth))
        means = [f"{np.mean(each):.3f}" for each in (plain, duplicate, corrected)]
        print(
            f"{deals} deals: agreement of points {means[0]}, over the field {means[1]}, corrected {means[2]}"
        )


def read(file: Path) -> list[Result]:
    """Return the results that ``--keep`` has stored."""
    return [Result(**facts) for facts in json.loads(file.read_text("utf-8"))]


def main() -> None:
    """Play, or read what was played, and print what it says."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("title")
    parser.add_argument("--deals", type=int, default=400)
    parser.add_argument("--keep", type=Path)
    given = parser.parse_args()
    if given.keep and given.keep.exists():
        made = read(given.keep)
    else:
        made = results(given.title, given.deals)
        if given.keep:
            given.keep.write_text(json.dumps([asdict(result) for result in made]))
    report(given.title, made)


if __name__ == "__main__":
    main()
