"""The plan of a data set: whose games it has, and what is written of each decision."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from paddock.bots.champion import has_networks, network_for
from paddock.bots.judging import LEAST_WORLDS, MOST_WORLDS
from paddock.bots.network import Network
from paddock.bots.registry import ALONE, CLUB, ROOKIE, levels
from paddock.core.errors import BadOption, PaddockError, quoted
from paddock.core.extras import need
from paddock.core.i18n import _
from paddock.core.options import Options
from paddock.core.title import Title
from paddock.core.title import title as find_title
from paddock.kernel.source import Seed, Seeded, seed_number
from paddock.lab.compiled import parts_of
from paddock.lab.plan import Plan, entered

MOST_LUCK = 10_000  # games that are played on from a draw, at most
QUICK_GAMES, SLOW_GAMES = 1000, 20  # of a file, about


@dataclass(frozen=True)
class DataPlan(Plan):
    """A data set without its number of games.

    ``line_up`` has the levels, as indices of ``entrants``: at every deal, each player gets a random one of
    them. Game k is rotation k % players of deal k // players: each game of a deal has the same chance, and
    moves the levels by one seat. Chance is stream ``deal`` of the seed, so ``Game(title, options,
    Seeded(seed, deal))`` with the same moves is the same game; the bot of player p has stream
    k · players + p of ``bots_seed``.
    """

    full: bool = False  # features: all of ``features.py``, or those of ``short_features.py``
    worlds: int = 0  # in which every legal move is tried, at most; 0: moves are not judged

    @property
    def players(self) -> int:
        """The number of players, and of games in a deal."""
        return self.options.players

    def levels(self, game: int) -> list[int]:
        """Return for every player of a game its level, as an index of ``entrants``."""
        deal, rotation = divmod(game, self.players)
        source = Seeded(self._levels_seed, deal)
        drawn = [self.line_up[source.below(len(self.line_up))] for _ in range(self.players)]
        return drawn[rotation:] + drawn[:rotation]

    @cached_property
    def _levels_seed(self) -> int:
        return seed_number(f"{self.seed} levels")

    @cached_property
    def parts(self) -> list[int | Network | None]:
        """How the levels play compiled, by entrant, as in ``parts_of``; None for one that cannot."""
        by_level = [parts_of(replace(self, entrants=(entrant,))) for entrant in self.entrants]
        return [None if parts is None else parts[0] for parts in by_level]

    @property
    def games_in_file(self) -> int:
        """The number of games of each file but the last one: whole deals."""
        slow = self.worlds or self.luck or None in self.parts
        return max(1, (SLOW_GAMES if slow else QUICK_GAMES) // self.players) * self.players

    @property
    def width(self) -> int:
        """The number of features."""
        return self.title.features.FEATURES if self.full else self.title.short_features.SHORT_FEATURES


def data_plan(
    title: Title | str,
    level_names: Sequence[str] | None,
    seed: Seed,
    options: Mapping[str, Any],
    full: bool,
    worlds: int,
    luck: int,
) -> DataPlan:
    """Check the arguments of a data set, and return its plan; raise ``PaddockError``."""
    found_title = find_title(title)
    read = found_title.options.read({**found_title.one_round, **options})
    if read.rounds != 1:
        sentence = _("{option}={n}: a data set has single games: leave it out, or give 1")
        raise BadOption([sentence.format(option=found_title.rounds_option, n=read.rounds)])
    if level_names is not None and not level_names:
        raise BadOption([_("levels: name at least one")])
    entrants, line_up = entered(found_title, level_names or quick_levels(found_title, read))
    if not all(entrant.level for entrant in entrants):
        raise BadOption([_("a data set has games of levels and networks, not of programs")])
    if not (full or found_title.has_room("short_features")):
        raise PaddockError(
            _("{title} has no short features: ask for the full ones").format(title=found_title.label)
        )
    if worlds and not LEAST_WORLDS <= worlds <= MOST_WORLDS:
        sentence = _("worlds={worlds}: give 0, or a whole number from {least} to {most}")
        raise BadOption([sentence.format(worlds=quoted(worlds), least=LEAST_WORLDS, most=MOST_WORLDS)])
    if not 0 <= luck <= MOST_LUCK:
        sentence = _("luck={luck}: give a whole number from 0 to {most}")
        raise BadOption([sentence.format(luck=quoted(luck), most=MOST_LUCK)])
    if worlds or luck:
        need("fast", _("what moves and draws are worth"))
    return DataPlan(
        found_title, read, tuple(entrants), tuple(line_up), seed_number(seed), 0.0,
        luck=luck, full=full, worlds=worlds,
    )  # fmt: skip


def quick_levels(title: Title, options: Options) -> list[str]:
    """Return the levels that play in bulk: *Rookie*, *Club*, and the network of *Champion* where it has one
    for these options."""
    known = [level.name for level in levels(title)]
    has_network = has_networks(title) and network_for(title, title.setup_of(options)) is not None
    return [ROOKIE, *[CLUB] * (CLUB in known), *[ALONE] * has_network]
