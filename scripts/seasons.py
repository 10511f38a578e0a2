"""Whether a season's table finds the strengths of its players, though some leave, and losers more often.

    python scripts/duplicates.py lacorsa --deals 600 --keep lacorsa.json
    python scripts/seasons.py lacorsa.json --seasons 1000

Each season has 24 players at six evenings of five deals. Their strengths are spread as those of the entrants
of scripts/duplicates.py, and known. What deals give to seats, and the noise of tables, are drawn from its
games. Leavers leave in the middle of a deal, mostly those who are behind; *Club* plays on until the evening
ends. Beside the corrected strengths stand the usual ways: not to count tables that somebody left, to count a
deal that somebody left or missed as the last place, or as the average of their other deals.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Self

import numpy as np

from duplicates import ENTRANTS, SEATS, Floats, agreement, read
from paddock.core.intervals import t_value
from paddock.features.clubs.correcting import fit
from paddock.features.clubs.results import Result
from paddock.features.clubs.seating import Round, seats

PLAYERS, EVENINGS, DEALS = 24, 6, 5
SHARES = (0.0, 0.1, 0.2, 0.3)  # of players who leave an evening
BEHIND, AHEAD = 1.7, 0.3  # how much more, and less, often those leave who are behind or ahead
MOMENTS = 100  # of a deal at which somebody may leave
LEVEL = "club"
PLANS = 20
WAYS = ("corrected", "not counted", "last place", "average")


@dataclass(frozen=True)
class Bank:
    """What real games say: how strong players are, and what chance does."""

    truth: Floats  # of the players of a season
    bot: float
    of_seats: Floats
    of_deals: Floats  # what a deal gives to each seat: (deals, seats)
    noise: Floats  # (tables, seats)

    @classmethod
    def of(cls, made: Sequence[Result]) -> Self:
        """Take the games apart."""
        whole = fit(made)
        assert whole is not None
        strengths = np.array([whole.entrants[name].value for name in ENTRANTS])
        by_name = {name: whole.entrants[name].value for name in ENTRANTS}
        bot = by_name[f"{LEVEL}-0"]
        shape = 1 + max(r.deal for r in made), 1 + max(r.table for r in made), SEATS
        points, expected = np.zeros(shape), np.zeros(shape)
        for r in made:
            points[r.deal, r.table, r.seat] = r.points
            expected[r.deal, r.table, r.seat] = by_name[r.entrant] if r.entrant else bot
        left = points - expected - np.array(whole.seats)
        left -= left.mean(axis=2, keepdims=True)
        tables = shape[1]
        given, noise = left.mean(axis=1), left - left.mean(axis=1, keepdims=True)
        own = whole.deal**2 / (whole.deal**2 + whole.noise**2 / tables)  # the rest of the mean is noise
        places = np.linspace(0, 1, PLAYERS)
        truth = np.interp(places, np.linspace(0, 1, len(strengths)), np.sort(strengths))
        return cls(
            truth - truth.mean(),
            bot - float(truth.mean()),
            np.array(whole.seats),
            given * own**0.5,
            noise.reshape(-1, SEATS) * (tables / (tables - 1)) ** 0.5,
        )


@dataclass(frozen=True)
class Part:
    """A deal of a player in a season, as the usual ways see it."""

    who: int
    over: float  # points over the mean of the table
    last: float  # the same for the last place
    spoilt: bool  # whether somebody has left this table, or was away
    own: bool  # whether the player played to the end


def season(
    bank: Bank, plans: Sequence[Sequence[Round]], share: float, seed: Sequence[int]
) -> tuple[list[Result], list[Part]]:
    """Play a season."""
    rng = np.random.default_rng(seed)
    results, parts, deal = list[Result](), list[Part](), 0
    spread = float(bank.noise.std())
    for _evening in range(EVENINGS):
        names, gone, sums = rng.permutation(PLAYERS), set[int](), np.zeros(PLAYERS)
        for tables in plans[int(rng.integers(len(plans)))]:
            deal += 1
            given = bank.of_seats + bank.of_deals[rng.integers(len(bank.of_deals))]
            for number, table in enumerate(tables):
                noise = bank.noise[rng.integers(len(bank.noise))]
                who = [int(names[int(name or 0)]) for name in table]
                bots_from: list[int | None] = []  # None: they play to the end; 0: they are away
                for seat, player in enumerate(who):
                    part = rng.integers(1, MOMENTS) / MOMENTS
                    so_far = part * noise[seat] + (part * (1 - part)) ** 0.5 * spread * rng.normal()
                    behind = sums[player] + part * bank.truth[player] + so_far < 0
                    leaves = rng.random() < share / DEALS * (BEHIND if behind else AHEAD)
                    bots_from.append(0 if player in gone else round(part * MOMENTS) if leaves else None)
                played = [1.0 if at is None else at / MOMENTS for at in bots_from]
                points = given + noise
                points += [f * bank.truth[p] + (1 - f) * bank.bot for p, f in zip(who, played, strict=True)]
                over = points - points.mean()
                for seat, (player, at) in enumerate(zip(who, bots_from, strict=True)):
                    away = player in gone
                    results.append(
                        Result(
                            None if away else str(player), deal, number, seat, float(points[seat]),
                            at or None, MOMENTS, LEVEL,
                        )
                    )  # fmt: skip
                    spoilt = any(each is not None for each in bots_from)
                    parts.append(Part(player, float(over[seat]), float(over.min()), spoilt, at is None))
                    sums[player] += over[seat]
                gone |= {player for player, at in zip(who, bots_from, strict=True) if at is not None}
    return results, parts


def usual_ways(parts: Sequence[Part]) -> dict[str, list[list[float]]]:
    """Return the points of the deals of each player that count in each of the usual ways."""
    of_player = [[part for part in parts if part.who == player] for player in range(PLAYERS)]
    return {
        "not counted": [[part.over for part in own if not part.spoilt] for own in of_player],
        "last place": [[part.over if part.own else part.last for part in own] for own in of_player],
        "average": [[part.over for part in own if part.own] for own in of_player],
    }


def kendall(scores: Floats, truth: Floats) -> float:
    """Return Kendall's rank correlation."""
    pairs = np.triu_indices(len(truth), 1)
    signs = [np.sign(each[:, None] - each)[pairs] for each in (scores, truth)]
    return float((signs[0] * signs[1]).mean())


def interval(points: Sequence[float]) -> float:
    """Return half the width of the interval of a mean; infinite for a single number."""
    return (
        t_value(len(points) - 1) * float(np.std(points, ddof=1)) / len(points) ** 0.5
        if len(points) > 1
        else np.inf
    )


def main() -> None:
    """Play seasons, and print a line for each share of leavers and each way."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("games", type=Path, help="what scripts/duplicates.py has kept")
    parser.add_argument("--seasons", type=int, default=1000)
    parser.add_argument("--shares", type=float, nargs="+", default=SHARES)
    given = parser.parse_args()
    bank = Bank.of(read(given.games))
    names = [str(player) for player in range(PLAYERS)]
    plans = [seats(names, SEATS, DEALS, f"plan {number}") for number in range(PLANS)]
    print(
        f"strengths {bank.truth.std():.2f}, Club {bank.bot:+.2f}, "
        f"deals {bank.of_deals.std():.2f}, noise {bank.noise.std():.2f}",
        flush=True,
    )
    for share in given.shares:
        orders: dict[str, list[tuple[float, float]]] = {way: [] for way in WAYS}
        covered: dict[str, list[float]] = {way: [] for way in WAYS}
        widths, away = [], []
        for number in range(given.seasons):
            results, parts = season(bank, plans, share, (number, round(100 * share)))
            away.append(fmean(result.entrant is None for result in results))
            found = fit(results)
            assert found is not None
            strengths = [found.entrants[name] for name in names]
            scores = {"corrected": ([s.value for s in strengths], [s.error for s in strengths])}
            for way, points in usual_ways(parts).items():
                scores[way] = [fmean(each or [0.0]) for each in points], [interval(each) for each in points]
            for way, (values, errors) in scores.items():
                array = np.array(values)
                orders[way].append((agreement(array, bank.truth), kendall(array, bank.truth)))
                covered[way].append(float((np.abs(array - bank.truth) <= errors).mean()))
            widths.append(fmean(scores["corrected"][1]))
        print(f"leavers {share:.0%} an evening, {fmean(away):.1%} of seats left, {given.seasons} seasons")
        for way in WAYS:
            spearman, tau = np.mean(orders[way], axis=0)
            error = 1.96 * float(np.std(covered[way])) / len(covered[way]) ** 0.5
            print(
                f"  {way}: Spearman {spearman:.3f}, Kendall {tau:.3f}, "
                f"intervals cover {fmean(covered[way]):.1%} ± {error:.1%}"
            )
        print(f"  intervals of the corrected strengths: ± {fmean(widths):.2f} points a deal", flush=True)


if __name__ == "__main__":
    main()
