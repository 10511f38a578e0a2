"""Converts a stored log to a game and back. The last row of a decision has a hash of the position after it.

A row is an entry of the game's log. A row with UNDO as its seat says to how many entries the log is
shortened. Stored rows are never deleted.
"""

from __future__ import annotations

from collections.abc import Sequence

from paddock.core.errors import PaddockError
from paddock.core.game import ChanceSource, Game, digest_of
from paddock.core.i18n import Sentence
from paddock.core.log import Entry
from paddock.core.options import Options
from paddock.core.title import Title
from paddock.core.words import CHANCE
from paddock.store import EventRow

UNDO = 30  # instead of a seat; then ``what`` is the length of the log after the undo


class BrokenLog(PaddockError):
    """A stored log that cannot be replayed; ``game`` is the last valid position, after ``rows`` rows."""

    def __init__(self, sentence: Sentence, game: Game, rows: int = 0) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.game = game
        self.rows = rows


def hash_prefix(title: str, revision: int, options: str) -> str:
    """Return the prefix of hashed positions: the rules and options with which the table was created."""
    return f"{title}/{revision} {options}"


def digest(game: Game, prefix: str) -> int:
    """Return a 64-bit hash of the position, with the table's ``hash_prefix``."""
    return digest_of(f"{prefix} {game.position_words}")


def draw_due_chance(game: Game, chance: ChanceSource) -> None:
    """Draw outcomes until no chance is due."""
    while game.chance_due:
        game.append(game.draw(chance))


def decision_rows(
    game: Game, start: int, decision: int, prefix: str, stored: int | None = None
) -> list[EventRow]:
    """Return the rows to store for the log from entry ``start`` on, which belongs to one decision.

    ``stored`` is the number of rows before these; None means ``start``.
    """
    entries = game.log[start:]
    first = start if stored is None else stored
    rows = [EventRow(first + i, e.by, e.what, decision, 0, e.linked) for i, e in enumerate(entries[:-1])]
    for last in entries[-1:]:
        rows.append(
            EventRow(first + len(rows), last.by, last.what, decision, digest(game, prefix), last.linked)
        )
    return rows


def begin(
    title: Title, options: Options, names: Sequence[str], log: Sequence[Entry], chance: ChanceSource | None
) -> tuple[Game, list[EventRow]]:
    """Start a game with this log, draw the chance that is due, and return the game with its rows.

    Without a ``chance`` source nothing is drawn. Raises the same errors as ``Game.append``.
    """
    game, prefix = Game(title, options, None, names), hash_prefix(title.name, title.revision, options.short)
    return game, grow(game, log, prefix, 0, chance)


def grow(
    game: Game, log: Sequence[Entry], prefix: str, stored: int, chance: ChanceSource | None = None
) -> list[EventRow]:
    """Append entries to a game, draw the chance that is due, and return the rows to store for them.

    ``stored`` is the number of rows before these. Without a ``chance`` source nothing is drawn. Raises the
    same errors as ``Game.append``.
    """
    rows: list[EventRow] = []
    start, awaited = len(game.log), 0  # where the decision begins, and how many seats have not answered
    for entry in log:
        if entry.by != CHANCE and not entry.linked:
            if not awaited:
                rows += decision_rows(game, start, stored + len(rows), prefix, stored + len(rows))
                start, awaited = len(game.log), len(game.deciders)
            awaited -= 1
        game.append(entry)
    if chance:
        draw_due_chance(game, chance)
    return rows + decision_rows(game, start, stored + len(rows), prefix, stored + len(rows))


def decision_start(game: Game, at: int) -> int:
    """Return the index at which the decision of the move ``at`` begins."""
    while not begins_decision(game, at):
        at -= 1
    return at


def begins_decision(game: Game, at: int) -> bool:
    """Whether a decision begins with the move ``at``, which may be one of several in a simultaneous one."""
    return not at or not (game.log[at].linked or _together(game, at))


def _together(game: Game, at: int) -> bool:
    """Whether the move ``at`` and the one before it belong to the same simultaneous decision."""
    before, move = game.log[at - 1 : at + 1]
    alone = before.by in (CHANCE, move.by) or before.linked
    return not alone and move.by in game.deciders_before(at - 1)


def undo_to(game: Game, length: int) -> None:
    """Undo to ``length`` entries, where a submission must begin; raise ``PaddockError`` if it does not."""
    if not 0 <= length < len(game.log):
        raise PaddockError(Sentence("there is nothing to undo there"))
    if game.log[length].by == CHANCE or game.log[length].linked:
        raise PaddockError(Sentence("entry {n} is in the middle of a decision", n=length + 1))
    while len(game.log) > length:
        game.undo()


def fold(game: Game, rows: Sequence[EventRow], prefix: str, stored: int | None = None) -> None:
    """Replay stored rows; raise ``BrokenLog`` if one does not match its digest or the rules.

    ``stored`` is the number of rows before these; None means the length of the game's log.
    """
    first = len(game.log) if stored is None else stored
    sound, taken, before = len(game.log), first, game
    try:
        for n, row in enumerate(rows, first):
            before = game.fork() if row.by == UNDO else game
            if row.seq != n:
                raise PaddockError(Sentence("entry {n} is missing", n=n + 1))
            if row.by == UNDO:
                undo_to(game, row.what)
            else:
                game.append(Entry(row.by, row.what, row.linked))
            if row.digest:  # older versions stored one in every row
                if digest(game, prefix) != row.digest:
                    raise PaddockError(Sentence("entry {n} does not lead to the stored position", n=n + 1))
                sound, taken = len(game.log), n + 1
        if taken < first + len(rows):
            raise PaddockError(Sentence("the end of a decision is missing"))
    except PaddockError as error:
        raise BrokenLog(
            Sentence(
                "This table cannot go on: its stored log is damaged ({reason}). "
                "It shows the last valid position, and you can download the record up to there.",
                reason=error.message,
            ),
            before.at(sound),
            taken,
        ) from error
