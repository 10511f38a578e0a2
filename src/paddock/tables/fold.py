"""From a stored log to a game and back. A decision's last row carries a digest of the position after it.

A row is an entry of the game's log, or, with UNDO for its seat, says how many entries survive: the
game is the fold over those that do, and nothing that was stored is ever removed.
"""

from __future__ import annotations

from collections.abc import Sequence

from paddock.core.errors import PaddockError
from paddock.core.game import ChanceSource, Game, digest_of
from paddock.core.i18n import _
from paddock.core.log import Entry
from paddock.core.options import Options
from paddock.core.title import Title
from paddock.core.words import CHANCE
from paddock.store import EventRow

UNDO = 30  # stands where a row names its seat: the row's ``what`` is the length of the log that survives


class Broken(PaddockError):
    """A stored log that does not fold; ``game`` is the last sound position, after ``rows`` rows."""

    def __init__(self, sentence: str, game: Game, rows: int = 0) -> None:
        super().__init__(sentence)
        self.game = game
        self.rows = rows


def heading(title: str, revision: int, options: str) -> str:
    """What digests have before the position's words: the rules and options that the table was made with."""
    return f"{title}/{revision} {options}"


def digest(game: Game, head: str) -> int:
    """64 bits of the position as the revision of the rules in ``head`` wrote it."""
    return digest_of(f"{head} {game.position_words}")


def close(
    game: Game, start: int, decision: int, chance: ChanceSource | None, head: str, stored: int | None = None
) -> list[EventRow]:
    """Draw the chance that is due, given a source; the rows of a decision whose moves begin at ``start``.

    ``stored`` rows come before them; None: as many as the log has entries before.
    """
    while chance and game.chance_due:
        game.append(game.draw(chance))
    entries = game.log[start:]
    first = start if stored is None else stored
    rows = [EventRow(first + i, e.by, e.what, decision, 0, e.linked) for i, e in enumerate(entries[:-1])]
    for last in entries[-1:]:
        rows.append(
            EventRow(first + len(rows), last.by, last.what, decision, digest(game, head), last.linked)
        )
    return rows


def begin(
    title: Title, options: Options, names: Sequence[str], log: Sequence[Entry], chance: ChanceSource | None
) -> tuple[Game, list[EventRow]]:
    """A game with this beginning, chance included, and its rows; raises what ``Game.append`` raises."""
    game, head = Game(title, options, None, names), heading(title.name, title.revision, options.short)
    rows: list[EventRow] = []
    start = awaited = 0  # where the decision began, and how many seats have not answered it
    for at, entry in enumerate(log):
        if entry.by != CHANCE and not entry.linked:
            if not awaited:
                rows += close(game, start, start, None, head)
                start, awaited = at, len(game.deciders)
            awaited -= 1
        game.append(entry)
    return game, rows + close(game, start, start, chance, head)


def opened(game: Game, at: int) -> int:
    """Where the decision begins that entry ``at`` of the log, a move, answers."""
    log = game.log
    while at and (log[at].linked or _together(game, at)):
        at -= 1
    return at


def _together(game: Game, at: int) -> bool:
    """Whether the move at ``at`` and the one before it answer a decision of several seats."""
    before, move = game.log[at - 1 : at + 1]
    alone = before.by in (CHANCE, move.by) or before.linked
    return not alone and move.by in game.at(at - 1).deciders


def take_back(game: Game, length: int) -> None:
    """Shorten the game's log to ``length`` entries, where a submission began; raises ``PaddockError``."""
    if not 0 <= length < len(game.log):
        raise PaddockError(_("nothing is left to take back there"))
    if game.log[length].by == CHANCE or game.log[length].linked:
        raise PaddockError(_("entry {n} is in the middle of a decision").format(n=length + 1))
    while len(game.log) > length:
        game.undo()


def fold(game: Game, rows: Sequence[EventRow], head: str, stored: int | None = None) -> None:
    """Take in stored rows; raises ``Broken`` where one is not as it was written.

    ``stored`` rows come before them; None: as many as the game's log has.
    """
    first = len(game.log) if stored is None else stored
    sound, taken, before = len(game.log), first, game
    try:
        for n, row in enumerate(rows, first):
            before = game.fork() if row.by == UNDO else game
            if row.seq != n:
                raise PaddockError(_("entry {n} is missing").format(n=n + 1))
            if row.by == UNDO:
                take_back(game, row.what)
            else:
                game.append(Entry(row.by, row.what, row.linked))
            if row.digest:  # of a table that an older Paddock began, every row has one
                if digest(game, head) != row.digest:
                    raise PaddockError(_("entry {n} leads to another position than it did").format(n=n + 1))
                sound, taken = len(game.log), n + 1
        if taken < first + len(rows):
            raise PaddockError(_("the end of a decision is missing"))
    except PaddockError as error:
        raise Broken(
            _(
                "This table cannot go on: what is stored of it is not what was played ({reason}). "
                "It stands as it was before that, and its record so far can be downloaded."
            ).format(reason=error),
            before.at(sound),
            taken,
        ) from error
