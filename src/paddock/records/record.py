"""A parsed record, and its strict replay."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import cast

from paddock.core.errors import BadRecord, PaddockError
from paddock.core.game import Game
from paddock.core.i18n import _
from paddock.core.log import Entry
from paddock.core.options import Options
from paddock.core.rooms.records import Lines
from paddock.core.series import Standing
from paddock.core.title import Title
from paddock.core.wording import either
from paddock.core.words import CHANCE, HIDDEN
from paddock.records.notes import Note
from paddock.records.proof import Fair

UNFINISHED = "unfinished"
NO_RANK = "-"  # rank of a player without a place in any round


@dataclass(frozen=True)
class Line:
    """A line of the body: the heading of a round, the moves of a submission, or outcomes with one heading."""

    number: int  # in the text, from 1
    by: int | None  # seat or CHANCE; None for the heading of a round
    heading: str  # of the round or of the chance; empty for moves
    whats: tuple[int, ...]  # ids; HIDDEN where the text has ``?``


@dataclass(frozen=True)
class Record:
    """A parsed record. ``game()`` checks whether it follows the rules."""

    title: Title
    revision: int  # of the rules, when the record was written
    options: Options  # converted to the current rules
    date: str  # 2026-03-01
    players: tuple[tuple[str, str | None], ...]  # name, and bot level or None for a person
    eyes: int | None  # bitmask of the seats whose view it shows; None: it shows everything
    result: str
    teams: str  # empty if there are no teams
    lines: tuple[Line, ...]
    result_line: int  # line number in the text
    last_line: int
    notes: tuple[Note, ...] = ()  # by their moments
    fair: Fair | None = None  # what proves its chance
    number: int | None = None  # from 1, in a file of several records; lines then count from its start

    @property
    def complete(self) -> bool:
        """Whether nothing is hidden. Only then ``game()`` can replay it."""
        return not any(HIDDEN in line.whats for line in self.lines)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the players."""
        return tuple(name for name, _level in self.players)

    def game(self) -> Game:
        """Replay the record strictly; return the game, which has no chance source.

        Raises ``BadRecord`` with the line and the reason.
        """
        with self.named():
            return replay(self)

    @contextmanager
    def named(self) -> Iterator[None]:
        """Within this context, each ``BadRecord`` names this record if its file has several."""
        try:
            yield
        except BadRecord as fault:
            if self.number is None or fault.record is not None:
                raise
            raise BadRecord(fault.line, fault.reason, self.number) from None


def lines_of(lines: Sequence[Line]) -> Lines:
    """Return the lines of a round, without its heading, as the room ``records.py`` of a title gets them."""
    return [(cast(int, line.by), line.heading, line.whats) for line in lines]


Hidden = Callable[[Game, Line, int], int]  # returns the id for the ``?`` at this index of the line
After = Callable[[Game, Line, Sequence[int]], None]  # called with each line and the deciders before it


def replay(record: Record, hidden: Hidden | None = None, after: After | None = None) -> Game:
    """Replay a record and check every entry; raise ``BadRecord``.

    ``hidden`` chooses the values for each ``?``. Without it, a ``?`` is an error.
    """
    game = Game(record.title, record.options, None, record.names)
    headed = 0  # number of round headings read
    for line in record.lines:
        due = f"{record.title.round_name} {len(game.rounds) + 1}"
        try:
            if line.by is None:
                if game.over or headed > len(game.rounds) or line.heading != due:
                    raise PaddockError(_("“{heading}” does not start here").format(heading=line.heading))
                headed += 1
                continue
            if not game.over and headed == len(game.rounds):
                raise PaddockError(_("write the heading “{due}” first").format(due=due))
            before = game.deciders
            for i, id in enumerate(line.whats):
                if line.by == CHANCE and line.heading != game.heading:
                    raise PaddockError(
                        _("“{heading}” is not due here: next is {due}").format(
                            heading=line.heading, due=awaited(game)
                        )
                    )
                if id == HIDDEN:
                    if hidden is None:
                        raise PaddockError(
                            _("“?” is hidden: use paddock.records.complete to fill in a partial record")
                        )
                    id = hidden(game, line, i)
                game.append(Entry(line.by, id, linked=i > 0 and line.by != CHANCE))
            if after is not None:
                after(game, line, before)
        except BadRecord:
            raise
        except PaddockError as error:
            raise BadRecord(line.number, str(error)) from None
    if not game.over and record.result != UNFINISHED:
        raise BadRecord(
            record.last_line,
            _("the record ends before the game: next is {due}").format(due=awaited(game)),
        )
    for stated, table in ((record.result, result), (record.teams, teams)):
        earlier = record.revision < record.title.revision and stated == table(game, earlier=True)
        if stated != table(game) and not earlier:
            raise BadRecord(
                record.result_line,
                _("the header says “{said}”, but the game ended with “{true}”").format(
                    said=stated, true=table(game)
                ),
            )
    return game


def awaited(game: Game) -> str:
    """Return which seats, or which chance, must come next, for an error message."""
    word = _(game.title.seat_name)
    seats = either(f"{word} {seat + 1}" for seat in game.deciders)
    return (f"“{game.heading}”" if game.heading else seats) or _("nothing, as the game is over")


def result(game: Game, *, earlier: bool = False) -> str:
    """Return the standings of the players as one line.

    ``earlier``: as older versions wrote it, with a rank for players without a place.
    """
    if not game.over:
        return UNFINISHED
    return _table(game, game.standings().players, game.names, earlier)


def teams(game: Game, *, earlier: bool = False) -> str:
    """Return the standings of the teams as one line; empty if there are none."""
    return _table(game, game.standings().teams if game.over else (), game.team_names, earlier)


def _table(game: Game, lines: Sequence[Standing], names: Sequence[str], earlier: bool) -> str:
    if earlier:
        lines = _ranked_by_points(lines, game.options.countback)
    return "; ".join(f"{line.rank or NO_RANK} {names[line.who]} {line.total}" for line in lines)


def _ranked_by_points(lines: Sequence[Standing], countback: bool) -> list[Standing]:
    """Rank everybody by points, also players without a place, as older versions did."""
    merit = {line.who: (line.total, line.places if countback else ()) for line in lines}
    ranked = [
        replace(line, rank=1 + sum(other_merit > merit[line.who] for other_merit in merit.values()))
        for line in lines
    ]
    return sorted(ranked, key=lambda line: (line.rank, line.who))
