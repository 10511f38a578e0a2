"""Several games as one series: results, standings, countback."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from paddock.core.options import Options


@dataclass(frozen=True)
class RoundResult:
    """One finished game: per seat its score and its place (from 1; 0 where it has none)."""

    scores: tuple[int, ...]
    places: tuple[int, ...]


@dataclass(frozen=True)
class Standing:
    """One line of a table: a player or a team."""

    who: int  # player or team, from 0
    rank: int  # from 1; equal where a tie is shared; 0 for who had no place in any round
    total: int
    rounds: tuple[int, ...]  # score in each round
    places: tuple[int, ...]  # how many first, second, … places


@dataclass(frozen=True)
class Standings:
    """The tables after some rounds, the best first. ``teams`` is empty where there are none."""

    players: tuple[Standing, ...]
    teams: tuple[Standing, ...]


def standings(options: Options, results: Sequence[RoundResult]) -> Standings:
    """The tables: most points, then, where the options say ``countback``, most wins, seconds, …; then shared.

    A player's and a team's points and places are those of all its seats together. In a series of one round,
    where each player has one seat, places decide. Who has no place in any round has no rank.
    """
    owners, teams = options.owners, options.teams
    return Standings(
        _table(options, options.players, owners, results),
        _table(options, len(set(teams)), [teams[owner] for owner in owners], results) if teams else (),
    )


def _table(
    options: Options, count: int, of_seat: Sequence[int], results: Sequence[RoundResult]
) -> tuple[Standing, ...]:
    single = options.rounds == 1 and len(of_seat) == count  # then a place says all
    lines = []
    for who in range(count):
        seats = [seat for seat, owner in enumerate(of_seat) if owner == who]
        rounds = tuple(sum(r.scores[seat] for seat in seats) for r in results)
        counted = Counter(r.places[seat] for r in results for seat in seats)
        places = tuple(counted[place] for place in range(1, len(of_seat) + 1))
        lines.append((sum(rounds), places, who, rounds))
    merit = [
        (any(places), 0 if single else total, places if single or options.countback else ())
        for total, places, _, _ in lines
    ]
    table = []
    for mine, (total, places, who, rounds) in zip(merit, lines, strict=True):
        ranked = any(places) or not results
        rank = 1 + sum(other > mine for other in merit) if ranked else 0
        table.append(Standing(who, rank, total, rounds, places))
    return tuple(sorted(table, key=lambda line: (line.rank or len(table) + 1, -line.total, line.who)))
