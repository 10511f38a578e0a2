"""Which decisions of a finished game its people made: it counts for who has played, and says who left.

A decision is a person's if somebody at the seat has sent it, or has given the standing order that made it. It
is none if only one move was possible, or if the options of the table decide it for everybody. Moves that can
be sent as one chain are one decision, however they were sent.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from paddock.core.errors import PaddockError
from paddock.core.game import Game
from paddock.core.i18n import Sentence
from paddock.core.words import CHANCE
from paddock.store.rows import LogRow
from paddock.tables import orders
from paddock.tables.fold import UNDO


def most(made: int, asked: int) -> bool:
    """Whether a person who made so many of their decisions has played the game."""
    return 2 * made > asked


@dataclass(frozen=True)
class Played:
    """What the people of a player decided in a game."""

    asked: int = 0  # decisions in which there was a choice
    made: int = 0  # of those: made by a person, and not by a bot in their place
    left: bool = False  # whether a bot made the last

    @property
    def counts(self) -> bool:
        """Whether a person made most of the decisions, so that the game counts for them."""
        return most(self.made, self.asked)


def played(game: Game, rows: Iterable[LogRow], sent: Collection[tuple[int, int]]) -> list[Played]:
    """Return for each player what its people decided.

    ``rows`` are all of the stored log, undone ones included; ``sent`` are the seats and decisions that people
    have answered. Raises ``PaddockError`` if the rows are not those of the game. Pure: it takes long.
    """
    decisions = decisions_of(game, rows)
    owners = game.options.owners
    # For each player: each of their decisions, with whether a person chose at each of its choices
    parts_of: list[list[list[bool]]] = [[] for _player in range(max(owners) + 1)]
    position = game.at(0)
    for entry, decision in zip(game.log, decisions, strict=True):
        if entry.by != CHANCE:
            parts = parts_of[owners[entry.by]]
            if position.linkable != entry.by:  # else it goes on with a chain, sent whole or link by link
                parts.append([])
            if _choice(position, entry.by):
                parts[-1].append((entry.by, decision) in sent)
        position.append(entry)
    made_of = [[all(choices) for choices in parts if choices] for parts in parts_of]
    return [Played(len(made), sum(made), bool(made) and not made[-1]) for made in made_of]


def decisions_of(game: Game, rows: Iterable[LogRow]) -> list[int]:
    """Return the decision of each entry of the log of a game.

    ``rows`` are all of the stored log, undone ones included. Raises ``PaddockError`` if they are not those of
    the game.
    """
    decisions: list[int] = []
    for row in rows:
        if row.by == UNDO:
            del decisions[row.what :]
        else:
            decisions.append(row.decision)
    if len(decisions) != len(game.log):
        raise PaddockError(Sentence("entry {n} is missing", n=len(game.log) + 1))
    return decisions


def _choice(game: Game, seat: int) -> bool:
    """Whether a seat that moves next has a choice."""
    if len(game.legal(seat)) < 2:
        return False
    return not orders.by_options(game.seen(game.options.eyes(game.options.owners[seat])), seat)
