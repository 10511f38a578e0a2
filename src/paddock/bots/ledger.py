"""The ledger of a race as plain data: where the points of every player came from.

``valuing.py`` measures what a race is worth to each player at each of its moments: the points, less the mean
of all players, with which it ends on average if the models of a mixture play on from the game as it is, with
all its hidden cards. Between two moments, one thing happens: a deal, a draw, or a submission. The change of
the value is what that was worth. The changes add up to the result, however exactly the values are known: each
value counts twice, once with either sign.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, ClassVar, Literal, get_args

from pydantic import ConfigDict

from paddock.core.log import Entry
from paddock.core.words import CHANCE

if TYPE_CHECKING:
    from paddock.bots.worth import Floats

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
    import numpy as np  # imported late: not needed to play

    players = max(owners) + 1
    parts = {kind: np.zeros(players) for kind in KINDS}
    variances = {kind: np.zeros(players) for kind in KINDS}
    result = np.zeros(players)
    for number in sorted({moment.round for moment in moments}):
        race = [moment for moment in moments if moment.round == number]
        values = np.array([moment.values for moment in race])
        errors = np.array([moment.errors for moment in race])
        result += values[-1]
        for kind, weights in _weights(race, log, owners, players).items():
            parts[kind] += (weights * values).sum(0)
            variances[kind] += (weights**2 * errors**2).sum(0)
    for seat, gain, error in gains:
        player = owners[seat]
        parts["skill"][player] += gain
        parts["hidden"][player] -= gain
        variances["skill"][player] += error**2
        variances["hidden"][player] += error**2
    return [
        LedgerAccount(
            player,
            {kind: Amount(float(parts[kind][player]), math.sqrt(variances[kind][player])) for kind in KINDS},
            float(result[player]),
        )
        for player in range(players)
    ]


def _weights(
    race: Sequence[LedgerMoment], log: Sequence[Entry], owners: Sequence[int], players: int
) -> dict[Kind, Floats]:
    """Return by kind how often each value counts for each player: shape (moments, players).

    What happens between two moments counts the second value once, and the first one with the other sign. So
    where two things of a kind follow each other, the value between them does not count, nor does its error.
    """
    import numpy as np  # imported late: not needed to play

    weights: dict[Kind, Floats] = {kind: np.zeros((len(race), players)) for kind in KINDS}
    weights["start"][0] = 1
    decided = False
    for at, moment in enumerate(race[:-1]):
        by = log[moment.entry].by
        decided |= by != CHANCE
        for player in range(players):
            if by == CHANCE:
                kind: Kind = "draws" if decided else "deal"
            else:
                kind = "hidden" if owners[by] == player else "others"
            weights[kind][at, player] -= 1
            weights[kind][at + 1, player] += 1
    return weights
