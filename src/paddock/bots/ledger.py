"""The ledger of a race as plain data: where the points of every player came from.

``valuing.py`` measures what a race is worth to each player at each of its moments: the points, less the mean
of all players, with which it ends on average if the models of a mixture play on from the game as it is, with
all its hidden cards. Between two moments, one thing happens: a deal, a draw, or a submission. The change of
the value is what that was worth. The changes add up to the result, however exactly the values are known: each
value counts twice, once with either sign.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from operator import add
from typing import ClassVar, Literal, get_args

from pydantic import ConfigDict

from paddock.core.log import Entry
from paddock.core.words import CHANCE

Kind = Literal["start", "deal", "draws", "skill", "hidden", "others"]
KINDS: tuple[Kind, ...] = get_args(Kind)


@dataclass(frozen=True)
class LedgerMoment:
    """What a race was worth to every player before an entry of the log, or at its end."""

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid", allow_inf_nan=False)

    entry: int  # index in the log of what happens next
    round: int  # from 0
    values: tuple[float, ...]  # points over the mean, by player
    errors: tuple[float, ...]  # half the width of their 95 % intervals; 0 at the end


@dataclass(frozen=True)
class Amount:
    """A number of points with half the width of its 95 % interval."""

    points: float
    error: float


@dataclass(frozen=True)
class LedgerAccount:
    """Where the points of a player came from, in one race or in several. ``parts`` add up to ``result``.

    - ``start``: the place at the table, and what was carried over from the race before.
    - ``deal``: the cards or dice before the first decision.
    - ``draws``: all later cards, dice and tiles.
    - ``skill``: what the player's moves gained on those of the models, as far as the player could know.
    - ``hidden``: what else these moves changed, for example because another player could not answer.
    - ``others``: the moves of all other players.
    """

    player: int
    parts: dict[Kind, Amount]
    result: float  # points over the mean of all players


@dataclass(frozen=True)
class Total:
    """The accounts of several games together. ``parts`` add up to ``result``."""

    games: int
    parts: dict[Kind, Amount]
    result: float

    @classmethod
    def of(cls, accounts: Sequence[LedgerAccount]) -> Total:
        """Add up accounts of different games."""
        lines = {kind: [account.parts[kind] for account in accounts] for kind in KINDS}
        parts = {
            kind: Amount(
                math.fsum(amount.points for amount in line), math.hypot(*(amount.error for amount in line))
            )
            for kind, line in lines.items()
        }
        return cls(len(accounts), parts, math.fsum(account.result for account in accounts))


@dataclass(frozen=True)
class LedgerChange:
    """What happened between two moments, and what it was worth to every player."""

    entry: int  # index of its first entry in the log
    last: int  # and of its last one
    round: int
    seat: int  # who decided; CHANCE for cards, dice and tiles
    points: tuple[Amount, ...]  # by player


def starts(log: Sequence[Entry], rounds: Sequence[int]) -> list[int]:
    """Return the entries before which a race has a moment, without its end.

    These are the first of each run of chance outcomes, and of each submission. ``rounds`` has the first entry
    of every race: a run ends there.
    """
    first = set(rounds)
    return [
        index
        for index, entry in enumerate(log)
        if index in first or (log[index - 1].by != CHANCE if entry.by == CHANCE else not entry.linked)
    ]


def changes(moments: Sequence[LedgerMoment], log: Sequence[Entry]) -> list[LedgerChange]:
    """Return what happened between the moments, in the order of the log."""
    return [
        LedgerChange(
            earlier.entry,
            later.entry - 1,
            earlier.round,
            log[earlier.entry].by,
            tuple(
                Amount(after - before, math.hypot(*error))
                for before, after, *error in zip(
                    earlier.values, later.values, earlier.errors, later.errors, strict=True
                )
            ),
        )
        for earlier, later in pairwise(moments)
        if earlier.round == later.round
    ]


def accounts(
    moments: Sequence[LedgerMoment],
    log: Sequence[Entry],
    owners: Sequence[int],
    gains: Iterable[tuple[int, float, float]],
) -> list[LedgerAccount]:
    """Return the account of every player, over all races whose moments these are.

    ``owners`` are the players of the seats. ``gains`` has of every decision the seat, what it gained on
    the move that the models play there, and the error of that.
    """
    players = max(owners) + 1
    parts = [{kind: list[float]() for kind in KINDS} for _ in range(players)]
    variances = [dict.fromkeys(KINDS, 0.0) for _ in range(players)]
    results = [0.0] * players
    for _number, race in groupby(moments, lambda moment: moment.round):
        of_race = list(race)
        for (kind, at, player), weight in _weights(of_race, log, owners, players).items():
            parts[player][kind].append(weight * of_race[at].values[player])
            variances[player][kind] += (weight * of_race[at].errors[player]) ** 2
        results = list(map(add, results, of_race[-1].values))
    for seat, gain, error in gains:
        player = owners[seat]
        parts[player]["skill"].append(gain)
        parts[player]["hidden"].append(-gain)
        variances[player]["skill"] += error**2
        variances[player]["hidden"] += error**2
    return [
        LedgerAccount(
            player,
            {
                kind: Amount(math.fsum(parts[player][kind]), math.sqrt(variances[player][kind]))
                for kind in KINDS
            },
            results[player],
        )
        for player in range(players)
    ]


def _weights(
    race: Sequence[LedgerMoment], log: Sequence[Entry], owners: Sequence[int], players: int
) -> Counter[tuple[Kind, int, int]]:
    """Return how often each value counts, by kind, moment and player.

    What happens between two moments counts the second value once, and the first one with the other sign. So
    where two things of a kind follow each other, the value between them does not count, nor does its error.
    """
    weights = Counter[tuple[Kind, int, int]]({("start", 0, player): 1 for player in range(players)})
    decided = False
    for at, moment in enumerate(race[:-1]):
        by = log[moment.entry].by
        decided |= by != CHANCE
        for player in range(players):
            if by == CHANCE:
                kind: Kind = "draws" if decided else "deal"
            else:
                kind = "hidden" if owners[by] == player else "others"
            weights[kind, at, player] -= 1
            weights[kind, at + 1, player] += 1
    return weights
