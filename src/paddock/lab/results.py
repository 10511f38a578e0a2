"""The results of a match: figures with intervals, and files."""

from __future__ import annotations

import csv
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from paddock.core.extras import need
from paddock.core.i18n import _, pgettext, plural
from paddock.core.intervals import TINY, half_width, lopsided, standard_error, wilson
from paddock.core.wording import number
from paddock.lab.figures import Floats
from paddock.lab.luck import without
from paddock.lab.plan import Plan
from paddock.lab.rows import GameRow, win_shares

PARQUET = ".parquet"
POINTS, WINS = "points", "wins"  # what a bot may be judged by


@dataclass(frozen=True)
class Figure:
    """What a bot achieved in a match: means over the players that it was.

    The fair share is the mean over all players of the same games. ``…_error`` is half the width of the 95 %
    interval of ``…_over``; NaN if nothing says how wide it is: for a single deal, for a bot that is all
    players, and for points if all deals came out the same. The interval of wins is not symmetrical:
    ``wins_low`` and ``wins_high`` are its ends. A forfeited game counts as a last place, with its points.
    """

    bot: str
    points: float  # a game
    points_over: float  # the difference to the fair share
    points_error: float
    wins: float  # the share of games; a shared first place counts in part
    wins_over: float
    wins_error: float
    wins_low: float
    wins_high: float
    forfeits: int  # games that the bot forfeited: it crashed, answered illegally, or was too slow
    games: int  # of all its players
    fair: float = math.nan  # ``points_over`` without luck, if the match has measured it
    fair_error: float = math.nan
    fewer: float = math.nan  # how many times as many games ``points_over`` would need for ``fair_error``


@dataclass(frozen=True, eq=False, repr=False)
class Match:
    """A match: N games of P players, as arrays of shape (N, P) by game and player.

    Game i is rotation i % P of deal i // P. ``print(match)`` shows the figures.
    """

    title: str
    options: str
    seed: int
    names: tuple[str, ...]  # of the bots
    bots: npt.NDArray[np.int64]  # index of ``names``
    points: npt.NDArray[np.int64]
    places: npt.NDArray[np.int64]  # 0: no place
    forfeits: npt.NDArray[np.str_]  # why the bot forfeited the game, or empty
    luck: Floats | None = None  # of the players in points; None if it was not measured

    @property
    def games(self) -> int:
        """The number of games."""
        return len(self.bots)

    @property
    def players(self) -> int:
        """The number of players, and of games in a deal."""
        return int(self.bots.shape[1])

    @property
    def deals(self) -> int:
        """The number of deals."""
        return self.games // self.players

    @cached_property
    def wins(self) -> npt.NDArray[np.float64]:
        """The share of the win of every player, shape (N, P)."""
        return win_shares(self.places)

    @cached_property
    def figures(self) -> tuple[Figure, ...]:
        """The figures of every bot, in the order of ``names``."""
        return tuple(self._figure(k) for k in range(len(self.names)))

    def _figure(self, k: int) -> Figure:
        """Return the figures of bot ``k`` of ``names``."""
        is_bot = self.bots == k
        points, points_over = self._over_fair_share(self.points, is_bot)
        wins, wins_over = self._over_fair_share(self.wins, is_bot)
        low, high = self._interval_of_wins(wins_over, int(is_bot[0].sum()))
        fair, fair_error, fewer = self._fair(points_over, is_bot)
        return Figure(
            bot=self.names[k],
            points=points,
            points_over=float(points_over.mean()),
            points_error=half_width(points_over) if np.ptp(points_over) > TINY else math.nan,
            wins=wins,
            wins_over=float(wins_over.mean()),
            wins_error=(high - low) / 2,
            wins_low=low,
            wins_high=high,
            forfeits=int((self.forfeits[is_bot] != "").sum()),
            games=int(is_bot.sum()),
            fair=fair,
            fair_error=fair_error,
            fewer=fewer,
        )

    def _fair(self, points_over: Floats, is_bot: npt.NDArray[np.bool_]) -> tuple[float, float, float]:
        """Return the points without luck, their error, and how much narrower that is, in games."""
        if self.luck is None or np.ptp(points_over) <= TINY:
            return math.nan, math.nan, math.nan
        points_without_luck = without(points_over, self._over_fair_share(self.luck, is_bot)[1])
        spread = float(points_without_luck.var())
        fewer = float(points_over.var()) / spread if spread > TINY**2 else math.inf
        return float(points_without_luck.mean()), half_width(points_without_luck), fewer

    def _over_fair_share(
        self, values: npt.NDArray[Any], is_bot: npt.NDArray[np.bool_]
    ) -> tuple[float, Floats]:
        """Return the mean, and its difference to the fair share by deal.

        Games of a deal are not independent, so a deal is one observation.
        """
        by_game = (values * is_bot).sum(1) / is_bot.sum(1)
        return float(by_game.mean()), (by_game - values.mean(1)).reshape(self.deals, self.players).mean(1)

    def by_deal(self, bot: int, measure: str) -> Floats:
        """Return the difference of a bot to the fair share by deal; ``measure`` is ``points`` or ``wins``."""
        return self._over_fair_share(self.wins if measure == WINS else self.points, self.bots == bot)[1]

    def _interval_of_wins(self, over: Floats, players: int) -> tuple[float, float]:
        """Return the interval of the mean of ``over``, by deal, for a bot that is ``players`` of the players.

        It is that of Wilson for the share of all wins that go to the bot. A game that nobody wins counts
        between a win and a loss, as it does in ``over``.
        """
        if players == self.players:
            return math.nan, math.nan
        share = players * (over + 1 / self.players)  # from 0 to 1
        low, high = wilson(float(share.mean()), standard_error(share), self.deals, self.games)
        return low / players - 1 / self.players, high / players - 1 / self.players

    def __repr__(self) -> str:
        return f"<Match of {', '.join(self.names)}: {self.games} games of {self.title}>"

    @property
    def cells(self) -> list[list[str]]:
        """The table of all bots as texts: the heads of its columns, then a row for each bot."""
        over = _("over the fair share")
        head = [_("bot"), _("points"), over, pgettext("share of games won", "wins"), over, _("forfeits")]
        if self.luck is not None:
            head += [_("without luck"), pgettext("how many times as many", "games")]
        rows = [
            [
                f.bot,
                number(f.points, ".3f"),
                points_over(f),
                f"{number(100 * f.wins, '.1f')} %",
                wins_over(f),
                str(f.forfeits),
                *(without_luck(f) if self.luck is not None else ()),
            ]
            for f in self.figures
        ]
        return [head, *rows]

    @property
    def notes(self) -> list[str]:
        """What is said below the table: how much was played, and why bots forfeited games."""
        deals = plural("{n} deal", "{n} deals", self.deals)
        sentence = _(
            "{games} games ({deals}, seats rotated), seed {seed}; ± and () are 95 % intervals over deals"
        )
        sentences = [sentence.format(games=number(self.games, ","), deals=deals, seed=self.seed)]
        if self.luck is not None:
            sentences.append(_("“games”: how many times as many games the points with luck would need"))
        return [*sentences, *self._faults()]

    def __str__(self) -> str:
        return in_columns(self.title, self.options, self.cells, self.notes)

    def _faults(self) -> Iterator[str]:
        """Yield a line for each bot that forfeited games, with the first reason."""
        for k, figure in enumerate(self.figures):
            if figure.forfeits:
                game, player = np.argwhere((self.bots == k) & (self.forfeits != ""))[0].tolist()
                deal, rotation = divmod(game, self.players)
                yield plural(
                    "{bot} forfeited {forfeits} of {n} game: the last place, with its points; first in deal "
                    "{deal}, game {rotation}: {reason}",
                    "{bot} forfeited {forfeits} of {n} games: each the last place, with its points; first in "
                    "deal {deal}, game {rotation}: {reason}",
                    figure.games,
                    bot=figure.bot,
                    forfeits=number(figure.forfeits, ","),
                    deal=str(deal),
                    rotation=str(rotation),
                    reason=str(self.forfeits[game, player]),
                )

    def write(self, file: Path | str) -> None:
        """Write a line for each game: as Parquet if the name ends in ``.parquet``, else as CSV.

        Raises ``PaddockError`` if Parquet needs a package that is missing.
        """
        path = Path(file)
        if path.suffix == PARQUET:
            check_parquet()
            import pyarrow
            from pyarrow import parquet

            parquet.write_table(pyarrow.table(self.columns), path)
        else:
            with path.open("w", newline="", encoding="utf-8") as stream:
                lines = csv.writer(stream, lineterminator="\n")
                lines.writerow(self.columns)
                lines.writerows(zip(*self.columns.values(), strict=True))

    @property
    def columns(self) -> dict[str, list[Any]]:
        """The columns of the files: deal, rotation, then bot, points, place and forfeit of every player."""
        columns: list[list[Any]] = [
            [game // self.players for game in range(self.games)],
            [game % self.players for game in range(self.games)],
        ]
        for p in range(self.players):
            columns.append([self.names[k] for k in self.bots[:, p]])
            columns += [values[:, p].tolist() for values in (self.points, self.places, self.forfeits)]
        if self.luck is not None:
            columns += self.luck.T.tolist()
        return dict(zip(header(self.players, luck=self.luck is not None), columns, strict=True))


def in_columns(title: str, options: str, cells: Sequence[Sequence[str]], notes: Sequence[str]) -> str:
    """Return the table of a match as text, with what was played above it and its notes below."""
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    table = [
        "  ".join(f"{cell:{'<' if not i else '>'}{widths[i]}}" for i, cell in enumerate(row)).rstrip()
        for row in cells
    ]
    return "\n".join([f"{title} {options}", *table, *notes])


def points_over(figure: Figure) -> str:
    """Return the points over the fair share with their interval, if there is one."""
    error = "" if math.isnan(figure.points_error) else f" ± {number(figure.points_error, '.3f')}"
    return f"{number(figure.points_over, '+.3f')}{error}"


def without_luck(figure: Figure) -> tuple[str, str]:
    """Return the points over the fair share without luck, and how many games that saves."""
    if math.isnan(figure.fair):
        return "", ""
    error = "" if math.isnan(figure.fair_error) else f" ± {number(figure.fair_error, '.3f')}"
    return f"{number(figure.fair, '+.3f')}{error}", f"×{number(figure.fewer, '.1f')}"


def wins_over(figure: Figure) -> str:
    """Return the wins over the fair share with their interval, if there is one."""
    over, error, low, high = (
        100 * share for share in (figure.wins_over, figure.wins_error, figure.wins_low, figure.wins_high)
    )
    if math.isnan(error):
        return f"{number(over, '+.1f')} %"
    if lopsided(over, low, high):
        bounds = _("{low} to {high}").format(low=number(low, "+.1f"), high=number(high, "+.1f"))
        return f"{number(over, '+.1f')} % ({bounds})"
    return f"{number(over, '+.1f')} ± {number(error, '.1f')} %"


def header(players: int, forfeit: str = "forfeit", *, luck: bool = False) -> list[str]:
    """Return the names of the columns of the files. ``forfeit`` was ``lost`` in older ones."""
    of_player = [
        f"{figure}_{p + 1}" for p in range(players) for figure in ("bot", "points", "place", forfeit)
    ]
    return ["deal", "rotation", *of_player, *(f"luck_{p + 1}" for p in range(players) if luck)]


def check_parquet() -> None:
    """Raise ``PaddockError`` if this Python cannot write Parquet."""
    need("lab", _("writing Parquet"), "pyarrow")


def make_match(plan: Plan, rows: Sequence[GameRow]) -> Match:
    """Return the match of these games."""
    return Match(
        plan.title.name,
        plan.options.short,
        plan.seed,
        tuple(entrant.label for entrant in plan.entrants),
        np.array([row.bots for row in rows], np.int64),
        np.array([row.points for row in rows], np.int64),
        np.array([row.places for row in rows], np.int64),
        np.array([row.forfeits for row in rows], np.str_),
        np.array([row.luck for row in rows]) if plan.luck else None,
    )
