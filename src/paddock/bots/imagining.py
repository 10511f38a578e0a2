"""How games are played on that an analysis or a hint imagines: compiled, or in plain Python.

The worlds of both are the same. Plain Python takes some hundred times as long for one. So it imagines few
games, none with a network, and gives way after every decision of a game.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from paddock.bots.mixture import LEAST, Rows, models_for
from paddock.bots.rollouts import Model, play_on, play_out
from paddock.core.beside import Steps
from paddock.core.defaults import WORLDS
from paddock.core.extras import need
from paddock.core.intervals import mean
from paddock.core.options import Options
from paddock.core.title import Seen, Title
from paddock.core.words import NOBODY
from paddock.kernel.loader import load_kernel
from paddock.kernel.plainly import rollouts_in_steps
from paddock.kernel.source import Seed


@dataclass(frozen=True)
class Effort:
    """How much is imagined. Work is counted in decisions of a policy."""

    worlds: int = WORLDS  # in which an analysis tries a decision, at most
    work: int = 0  # of a whole analysis, about, which then judges people alone; 0: as much as it takes
    glances: int = 800  # games that an analysis plays on from all moments to see which decisions matter
    least: int = LEAST  # and at least: rather fewer decisions, if that is too much work
    horizon: int = 0  # decisions after which games are estimated, where they are long; 0: as the title says
    hint: int = 60_000  # work of a hint where games are long: about a third of a second
    probe: int = 2  # worlds of each model in which a hint tries every move, whatever it takes
    many: int = 40  # of more moves than that, a hint tries each in one, and measures only the best
    later: int = 8  # links of a chain that a hint tells after the first one, at most

    @property
    def short(self) -> bool:
        """Whether there is time for little work."""
        return self.work > 0


@dataclass(frozen=True)
class Imagined:
    """What games that were played on have come to."""

    points: Rows  # over the mean of all players, by move or by player
    decisions: int  # in all games together


class Imagining(Protocol):
    """Plays games on. World w uses stream w of a seed: it is the same for all moves, and in every range."""

    @property
    def effort(self) -> Effort:
        """How much there is time for."""

    def models(self, title: Title, setup: Any) -> tuple[Model, ...]:
        """Return who plays on in games of this set-up, *Clubs* first."""

    def check(self, what: str) -> None:
        """Raise ``PaddockError`` if something is missing that it needs; ``what`` begins the sentence."""

    def after(
        self, seen: Seen, seat: int, moves: Sequence[int], worlds: range, seed: Seed, model: Model
    ) -> Steps[Imagined]:
        """Play on after each of the moves, as ``play_out`` does: the points are those of the seat's player,
        by move."""

    def onward(
        self, title: Title, options: Options, state: Any, worlds: range, seed: Seed, model: Model, whole: bool
    ) -> Steps[Imagined]:
        """Play a game on as it is, as ``play_on`` does: the points of every player.

        It is not always played to the end, unless that is asked for as a ``whole``.
        """


@dataclass(frozen=True)
class Compiled:
    """Plays on with the compiler and NumPy."""

    effort: Effort = Effort()

    def models(self, title: Title, setup: Any) -> tuple[Model, ...]:
        """Return *Clubs*, and a network where there is one."""
        return models_for(title, setup)

    def check(self, what: str) -> None:
        """Raise ``PaddockError`` without Numba."""
        need("fast", what)

    def after(
        self, seen: Seen, seat: int, moves: Sequence[int], worlds: range, seed: Seed, model: Model
    ) -> Steps[Imagined]:
        """Play on after each of the moves."""
        from paddock.bots.worth import points_over  # imported late, as all that needs NumPy

        ends = play_out(seen, seat, moves, worlds, seed, None, model)
        yield
        return Imagined(points_over(seen.options, seat, ends.scores).tolist(), ends.decisions)

    def onward(
        self, title: Title, options: Options, state: Any, worlds: range, seed: Seed, model: Model, whole: bool
    ) -> Steps[Imagined]:
        """Play a game on as it is."""
        from paddock.bots.worth import over_mean  # imported late, as all that needs NumPy

        ends = play_on(title, options, state, worlds, seed, 0 if whole else None, model)
        yield
        return Imagined(over_mean(ends.scores[0], options.owners).T.tolist(), ends.decisions)


@dataclass(frozen=True)
class Plain:
    """Plays on in plain Python: *Clubs*, and *Clubs* that slip. A long game is soon estimated."""

    effort: Effort = Effort(
        worlds=64, work=70_000, hint=2_500, least=24, horizon=30, probe=1, many=12, later=3
    )

    def models(self, title: Title, setup: Any) -> tuple[Model, ...]:
        """Return *Clubs*, as they are and with slips."""
        return models_for(title, setup, networks=False)

    def check(self, what: str) -> None:
        """Nothing can be missing."""

    def after(
        self, seen: Seen, seat: int, moves: Sequence[int], worlds: range, seed: Seed, model: Model
    ) -> Steps[Imagined]:
        """Play on after each of the moves."""
        game = seen.title, seen.options, seen.state, seen.eyes
        limit = self._limit(seen.title)
        ends = yield from rollouts_in_steps(*game, seat, moves, worlds, seed, model.slips, limit)
        owners = seen.options.owners
        points = [
            [points_of(ends.scores[i, w], owners)[owners[seat]] for w in range(len(worlds))]
            for i in range(len(moves))
        ]
        return Imagined(points, ends.decisions)

    def onward(
        self, title: Title, options: Options, state: Any, worlds: range, seed: Seed, model: Model, whole: bool
    ) -> Steps[Imagined]:
        """Play a game on as it is."""
        game = title, options, state, (1 << options.seats) - 1
        limit = 0 if whole else self._limit(title)
        ends = yield from rollouts_in_steps(*game, NOBODY, (0,), worlds, seed, model.slips, limit)
        by_world = [points_of(ends.scores[0, w], options.owners) for w in range(len(worlds))]
        return Imagined([list(row) for row in zip(*by_world, strict=True)], ends.decisions)

    def _limit(self, title: Title) -> int:
        """Return after how many decisions a game is estimated; 0: never."""
        titles: int = load_kernel(title, compiled=False).HORIZON
        return min(self.effort.horizon, titles)


COMPILED, PLAIN = Compiled(), Plain()


def points_of(scores: Sequence[float], owners: Sequence[int]) -> list[float]:
    """Return the points of every player over the mean of all, from the scores of the seats."""
    points = [0.0] * (max(owners) + 1)
    for owner, score in zip(owners, scores, strict=True):
        points[owner] += score
    middle = mean(points)
    return [number - middle for number in points]
