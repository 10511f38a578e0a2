"""The results of an arena: points, forfeits apart, and what a decision costs, with intervals."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from paddock.arena.playing import ArenaGame
from paddock.core.i18n import _, plural
from paddock.core.intervals import half_width
from paddock.core.wording import number
from paddock.lab.plan import Plan
from paddock.lab.results import Match, in_columns, make_match
from paddock.lab.rows import GameRow

COST, GAIN = "cost", "gain"  # measures of a decision
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Conduct:
    """How an agent played besides its points.

    ``cost`` is what a judged decision costs beside the best one, ``gain`` what it gains on the models of the
    analysis, both in points and on average. ``…_error`` is half the width of the 95 % interval over deals.
    Figures are NaN where nothing was judged, or a single deal was played.
    """

    agent: str
    asked: int  # decisions
    forfeits: int  # of them, those that chance made
    refused: int  # answers
    judged: int  # decisions
    cost: float
    cost_error: float
    gain: float
    gain_error: float


@dataclass(frozen=True, eq=False, repr=False)
class ArenaMatch:
    """A match of an arena: N games of P players. ``print(played)`` shows the figures.

    ``match`` has points and wins of the games as they were played, without a penalty for forfeits.
    """

    match: Match
    games: tuple[ArenaGame, ...]
    worlds: int  # in which decisions were judged; 0: they were not

    @cached_property
    def conducts(self) -> tuple[Conduct, ...]:
        """The conduct of every agent, in the order of ``match.names``."""
        return tuple(self._conduct(k) for k in range(len(self.match.names)))

    def _conduct(self, k: int) -> Conduct:
        """Return the conduct of agent ``k`` of ``match.names``."""
        own_seats = [(game, p) for game in self.games for p, bot in enumerate(game.bots) if bot == k]
        own_forfeits = [f for game in self.games for f in game.forfeits if game.bots[f.player] == k]
        own_refused = [r for game in self.games for r in game.refused if game.bots[r.player] == k]
        return Conduct(
            self.match.names[k],
            sum(game.asked[p] for game, p in own_seats),
            len(own_forfeits),
            len(own_refused),
            sum(game.judged.decisions[p] for game, p in own_seats),
            *_figure(self.by_deal(k, COST)),
            *_figure(self.by_deal(k, GAIN)),
        )

    def by_game(self, k: int, measure: str) -> Floats:
        """Return a mean over the judged decisions of agent ``k`` in each game, in points; NaN without any.

        ``measure`` is ``cost`` or ``gain``.
        """
        out = np.full(len(self.games), math.nan)
        for i, game in enumerate(self.games):
            own = [p for p, bot in enumerate(game.bots) if bot == k]
            sums = game.judged.gains if measure == GAIN else game.judged.costs
            if judged := sum(game.judged.decisions[p] for p in own):
                out[i] = sum(sums[p] for p in own) / judged
        return out

    def by_deal(self, k: int, measure: str) -> Floats:
        """Return the mean of ``by_game`` over the games of each deal: they are alike, so a deal is one
        observation."""
        by_game = self.by_game(k, measure).reshape(self.match.deals, self.match.players)
        judged = (~np.isnan(by_game)).sum(1)
        return np.where(judged > 0, np.nansum(by_game, axis=1) / np.maximum(judged, 1), math.nan)

    @property
    def title(self) -> str:
        """The name of the title."""
        return self.match.title

    @property
    def options(self) -> str:
        """The options that are not the usual ones."""
        return self.match.options

    def __repr__(self) -> str:
        return f"<Arena of {', '.join(self.match.names)}: {len(self.games)} games of {self.match.title}>"

    @property
    def cells(self) -> list[list[str]]:
        """The table of all agents as texts: the heads of its columns, then a row for each agent."""
        head, *rows = self.match.cells
        head = [*head[:5], _("forfeited decisions"), _("refused answers")]
        rows = [
            [*row[:5], _("{n} of {all}").format(n=conduct.forfeits, all=conduct.asked), str(conduct.refused)]
            for row, conduct in zip(rows, self.conducts, strict=True)
        ]
        if self.worlds:
            head += [_("cost of a decision"), _("gain on the models")]
            rows = [
                [*row, _words(c.cost, c.cost_error, ".3f"), _words(c.gain, c.gain_error, "+.3f")]
                for row, c in zip(rows, self.conducts, strict=True)
            ]
        return [head, *rows]

    @property
    def notes(self) -> list[str]:
        """What is said below the table: how much was played and judged, and the first forfeits."""
        lines = list(self.match.notes)
        if self.worlds:
            judged = sum(conduct.judged for conduct in self.conducts)
            lines.append(
                plural(
                    "{n} decision judged in up to {worlds} worlds, in points of the race",
                    "{n} decisions judged in up to {worlds} worlds, in points of the race",
                    judged,
                    worlds=number(self.worlds, ","),
                )
            )
        for k, name in enumerate(self.match.names):
            own = ((game, f) for game in self.games for f in game.forfeits if game.bots[f.player] == k)
            if first := next(own, None):
                game, forfeit = first
                words = _("{agent} first forfeited a decision in deal {deal}, game {rotation}: {reason}")
                lines.append(
                    words.format(agent=name, deal=game.deal, rotation=game.rotation, reason=forfeit.reason)
                )
        return lines

    def __str__(self) -> str:
        return in_columns(self.title, self.options, self.cells, self.notes)


def _figure(by_deal: Floats) -> tuple[float, float]:
    """Return the mean of the deals in which something was judged, and half the width of its interval."""
    numbers = by_deal[~np.isnan(by_deal)]
    mean = float(numbers.mean()) if len(numbers) else math.nan
    return mean, half_width(numbers) if len(numbers) > 1 else math.nan


def _words(figure: float, error: float, form: str) -> str:
    """Return a figure with its interval, as far as there are any."""
    if math.isnan(figure):
        return "–"
    return number(figure, form) + ("" if math.isnan(error) else f" ± {number(error, '.3f')}")


def make_results(plan: Plan, games: Sequence[ArenaGame], worlds: int) -> ArenaMatch:
    """Return the results of these games."""
    rows = [
        GameRow(game.deal, game.rotation, game.bots, game.points, game.places, ("",) * len(game.bots))
        for game in games
    ]
    return ArenaMatch(make_match(plan, rows), tuple(games), worlds)
