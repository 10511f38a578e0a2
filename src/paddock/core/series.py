"""A series of games: results, standings, countback."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from paddock.core.options import Options


@dataclass(frozen=True)
class RoundResult:
    """The result of one game: score and place of every seat (place from 1; 0 means no place)."""

    scores: tuple[int, ...]
    places: tuple[int, ...]


@dataclass(frozen=True)
class Standing:
    """One line of the standings: a player or a team."""

    who: int  # player or team, from 0
    rank: int  # from 1, equal for a tie; 0 without a place in any round
    total: int
    rounds: tuple[int, ...]  # score in each round
    places: tuple[int, ...]  # number of first places, second places, …


@dataclass(frozen=True)
class Standings:
    """The standings after some rounds, the best first. ``teams`` is empty if there are no teams."""

    players: tuple[Standing, ...]
    teams: tuple[Standing, ...]


def standings(options: Options, results: Sequence[RoundResult]) -> Standings:
    """Rank players and teams by points, then by ``countback`` if it is on; equal ones share a rank.

    Points and places of a player or team are those of all its seats together. In a series of one round
    with one seat per player, places decide. A player without a place in any round has rank 0.
    """
    owners, teams = options.owners, options.teams
    return Standings(
        _table(options, options.players, owners, results),
        _table(options, len(set(teams)), [teams[owner] for owner in owners], results) if teams else (),
    )


def _table(
    options: Options, count: int, of_seat: Sequence[int], results: Sequence[RoundResult]
) -> tuple[Standing, ...]:
    """Return the standings of ``count`` players or teams, best first; ``of_seat`` says whose each seat is.

    The order is by points, or by the places of a single game; equal ones share a rank.
    """
    single = options.rounds == 1 and len(of_seat) == count  # then places decide
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
    for own_merit, (total, places, who, rounds) in zip(merit, lines, strict=True):
        ranked = any(places) or not results
        rank = 1 + sum(other_merit > own_merit for other_merit in merit) if ranked else 0
        table.append(Standing(who, rank, total, rounds, places))
    return tuple(sorted(table, key=lambda line: (line.rank or len(table) + 1, -line.total, line.who)))
