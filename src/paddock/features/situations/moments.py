"""Finds the moments of each kind in a finished game, and adds them up. Pure."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from paddock.core.beside import Steps, in_steps
from paddock.core.game import Game
from paddock.core.title import Seen
from paddock.core.words import CHANCE
from paddock.features.situations.rows import SituationRow
from paddock.store.rows import LogRow
from paddock.tables.played import decisions_of, played

Answer = tuple[str, Mapping[int, float]]  # of a bot: its level, and the chance of each legal move
Asked = Callable[[Seen, int, Sequence[int]], Answer]  # from what a seat sees


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


@in_steps
def counted(
    game: Game,
    rows: Sequence[LogRow],
    sent: Collection[tuple[int, int]],
    people: Collection[int],
    asked: Asked,
) -> Steps[tuple[int, list[SituationRow]]]:
    """Return how many moments a game has in which these people decided, and what they add up to.

    Raises ``PaddockError`` as ``moments_in`` does, or if the bot cannot play here.
    """
    if game.options.changed:  # they say nothing of how this person plays the game
        return 0, []
    parts = played(game, rows, sent)
    answers = list[tuple[KnownMoment, Answer]]()
    for moment in moments_in(game, rows, sent, {player for player in people if parts[player].counts}):
        yield
        answers.append((moment, asked(moment.seen, moment.seat, moment.legal)))
        yield
    return len(answers), added_up(answers)


def added_up(answers: Iterable[tuple[KnownMoment, Answer]]) -> list[SituationRow]:
    """Return the moments of each player and kind, added up, beside what a strong bot does in them."""
    rows = dict[tuple[int, str], SituationRow]()
    for moment, (level, chances) in answers:
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
