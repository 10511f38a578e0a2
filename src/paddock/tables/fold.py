"""From a stored log to a game and back: every row carries a digest of the position after it.

A row is an entry of the game's log, or, with UNDO for its seat, says how many entries survive: the
game is the fold over those that do, and nothing that was stored is ever removed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from paddock.core.errors import PaddockError
from paddock.core.game import ChanceSource, Game
from paddock.core.i18n import _
from paddock.core.log import Entry
from paddock.core.options import Options
from paddock.core.title import Title
from paddock.store import EventRow

UNDO = 30  # stands where a row names its seat: the row's ``what`` is the length of the log that survives


class Broken(PaddockError):
    """A stored log that does not fold: ``game`` is what was sound before it, ``rows`` how many made it."""

    def __init__(self, sentence: str, game: Game, rows: int = 0) -> None:
        super().__init__(sentence)
        self.game = game
        self.rows = rows


def go_on(
    game: Game,
    entries: Iterable[Entry],
    decision: int,
    chance: ChanceSource | None,
    stored: int | None = None,
) -> list[EventRow]:
    """Append the entries and then, given a source, all chance that is due; the rows to store.

    ``stored`` rows come before them; None: as many as the game's log has.
    """
    rows: list[EventRow] = []
    first = len(game.log) if stored is None else stored

    def append(entry: Entry) -> None:
        game.append(entry)
        rows.append(EventRow(first + len(rows), entry.by, entry.what, decision, game.digest))

    for entry in entries:
        append(entry)
    while chance and game.chance_due:
        append(game.draw(chance))
    return rows


def begin(
    title: Title, options: Options, names: Sequence[str], log: Sequence[Entry], chance: ChanceSource | None
) -> tuple[Game, list[EventRow]]:
    """A game with this beginning, chance included, and its rows; raises what ``Game.append`` raises."""
    game = Game(title, options, None, names)
    rows: list[EventRow] = []
    for start, end in decisions(log, title, options):
        rows += go_on(game, log[start:end], start, None)
    return game, rows + go_on(game, (), rows[-1].decision if rows else 0, chance)


def decisions(log: Sequence[Entry], title: Title, options: Options) -> Iterator[tuple[int, int]]:
    """Each decision of a log as (start, end): the moves that answer it and the chance that follows.

    The deal before the first decision counts as one. Raises what ``Game.append`` raises.
    """
    game = Game(title, options)
    start = at = 0
    while at < len(log):
        if not game.chance_due:
            if at > start:
                yield start, at
            start = at
            for entry in log[at : at + max(1, len(game.deciders))]:
                game.append(entry)
                at += 1
        else:
            game.append(log[at])
            at += 1
    if at > start:
        yield start, at


def take_back(game: Game, length: int) -> None:
    """Shorten the game's log to ``length`` entries, where an intent began; raises ``PaddockError``."""
    if not 0 <= length < len(game.log):
        raise PaddockError(_("nothing is left to take back there"))
    while len(game.log) > length:
        game.undo()
    if len(game.log) != length:
        raise PaddockError(_("entry {n} is in the middle of a decision").format(n=length + 1))


def fold(game: Game, rows: Sequence[EventRow], stored: int | None = None) -> None:
    """Take in stored rows; raises ``Broken`` at the first that is not as it was written.

    ``stored`` rows come before them; None: as many as the game's log has.
    """
    first = len(game.log) if stored is None else stored
    for n, row in enumerate(rows, first):
        sound, log = len(game.log), list(game.log) if row.by == UNDO else game.log
        try:
            if row.seq != n:
                raise PaddockError(_("entry {n} is missing").format(n=n + 1))
            if row.by == UNDO:
                take_back(game, row.what)
            else:
                game.append(Entry(row.by, row.what))
            if game.digest != row.digest:
                raise PaddockError(_("entry {n} leads to another position than it did").format(n=n + 1))
        except PaddockError as error:
            before = Game(game.title, game.options, None, game.names)
            for entry in log[:sound]:
                before.append(entry)
            raise Broken(
                _(
                    "This table cannot go on: what is stored of it is not what was played ({reason}). "
                    "It stands as it was before that, and its record so far can be downloaded."
                ).format(reason=error),
                before,
                n,
            ) from error
