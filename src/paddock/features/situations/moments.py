"""Finds the moments of each kind in a finished game, and adds them up. Pure."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from paddock.core.game import Game
from paddock.core.title import Seen
from paddock.core.words import CHANCE
from paddock.features.situations.rows import SituationRow
from paddock.store.rows import LogRow
from paddock.tables.played import decisions_of

# Of a bot: its level, and the chance of each legal move, from what a seat sees
Asked = Callable[[Seen, int, Sequence[int]], tuple[str, Mapping[int, float]]]


@dataclass(frozen=True)
class KnownMoment:
    """A decision of a person that is of one or several kinds."""

    entry: int  # index in the log
    player: int
    seat: int
    seen: Seen
    legal: tuple[int, ...]
    move: int
    choices: Mapping[str, Collection[int]]  # of each kind: the moves of the choice


def moments_in(
    game: Game, rows: Iterable[LogRow], sent: Collection[tuple[int, int]], players: Collection[int]
) -> Iterator[KnownMoment]:
    """Yield the moments of these players in a game, as they saw them.

    ``rows`` are all of the stored log; ``sent`` are the seats and decisions that people have answered: a
    bot in their place makes no moments. Raises ``PaddockError`` if the rows are not those of the game.
    """
    room, owners, decisions = game.title.situations, game.options.owners, decisions_of(game, rows)
    position = game.at(0)
    for index, (entry, decision) in enumerate(zip(game.log, decisions, strict=True)):
        by_person = entry.by != CHANCE and (entry.by, decision) in sent
        if room and by_person and (player := owners[entry.by]) in players:
            seen = position.seen(game.options.eyes(player))
            if choices := room.choices(seen, entry.by):
                legal = tuple(seen.legal(entry.by))
                yield KnownMoment(index, player, entry.by, seen, legal, entry.what, choices)
        position.append(entry)


def added_up(moments: Iterable[KnownMoment], asked: Asked) -> list[SituationRow]:
    """Return the moments of each player and kind, added up, beside what a strong bot does in them."""
    rows = dict[tuple[int, str], SituationRow]()
    for moment in moments:
        level, chances = asked(moment.seen, moment.seat, moment.legal)
        for kind, moves in moment.choices.items():
            key = moment.player, kind
            row = rows.get(key) or SituationRow(moment.player, kind, 0, 0, level, 0.0)
            rows[key] = replace(
                row,
                moments=row.moments + 1,
                chosen=row.chosen + (moment.move in moves),
                expected=row.expected + sum(chances.get(move, 0.0) for move in moves),
            )
    return list(rows.values())


def costs_in(
    game: Game, rows: Iterable[LogRow], sent: Collection[tuple[int, int]], cost_of: Mapping[int, float]
) -> dict[tuple[int, str], tuple[int, float]]:
    """Return how many moments of each player and kind were judged, and what their decisions cost.

    ``cost_of`` has the costs of an analysis by entry of the log; the rest is as in ``moments_in``.
    """
    costs = dict[tuple[int, str], tuple[int, float]]()
    for moment in moments_in(game, rows, sent, range(game.options.players)):
        if moment.entry in cost_of:
            for kind in moment.choices:
                judged, cost = costs.get((moment.player, kind), (0, 0.0))
                costs[moment.player, kind] = judged + 1, cost + cost_of[moment.entry]
    return costs
