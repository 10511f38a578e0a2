"""A task: what is fixed, so that scores of different papers can be compared."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from paddock.core.options import Options
from paddock.core.title import Title
from paddock.core.title import title as find_title


@dataclass(frozen=True)
class Task:
    """A title with its options, the opponents, the deals, and how much is played and learned.

    Whatever could change a score changes the number at the end of the name: nothing here changes under one
    name. The **metric** is the mean of the agent's points over the fair share, which is the mean of all
    players of the same games; every deal is played once from every seat. In a task of pairs, it is that of
    the points of the agent and its partner together.
    """

    name: str  # ends in its version: lacorsa-4-v1
    says: str  # what it asks of an agent, in a sentence; translated when it is shown
    title_name: str
    values: Mapping[str, Any]  # options that differ from the title's for one race
    opponents: tuple[str, ...]  # a level, or a network of the pool, for every other player
    games: int  # of a score
    training: int  # decisions of the agent that a report should have trained for, at most
    digest: str  # SHA-256 of the records of the first deal, played by Rookie: see ``digest`` in score.py
    training_values: Mapping[str, Any] = field(default_factory=dict)  # in place of those of the test
    frozen: str = "2026-11-30"  # the date in the records of its games

    @cached_property
    def title(self) -> Title:
        """The title that is played."""
        return find_title(self.title_name)

    @property
    def players(self) -> int:
        """How many play: the agent and its opponents."""
        return 1 + len(self.opponents)

    @cached_property
    def options(self) -> Options:
        """The options of the games that count."""
        return self._read(self.test_set_up)

    @cached_property
    def training_options(self) -> Options:
        """The options to train with: other ones where the task is to generalise."""
        return self._read(self.training_set_up)

    @property
    def test_set_up(self) -> dict[str, Any]:
        """The options of the games that count, as environments take them."""
        return {self.title.players_option: self.players, **self.values}

    @property
    def training_set_up(self) -> dict[str, Any]:
        """The options to train with, as environments take them."""
        return {self.title.players_option: self.players, **(self.training_values or self.values)}

    def _read(self, values: Mapping[str, Any]) -> Options:
        return self.title.options.read({**self.title.one_round, **values})

    @property
    def in_pairs(self) -> bool:
        """Whether the points of two partners count together."""
        return 0 < len(set(self.options.teams)) < self.players

    @property
    def test_seed(self) -> str:
        """The seed of the deals that count: never train on them."""
        return f"paddock {self.name} test"

    @property
    def training_seed(self) -> str:
        """A seed to train with, if you need one; any other but that of the test will do, too."""
        return f"paddock {self.name} training"
