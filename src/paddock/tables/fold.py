"""From a stored log to a game and back: every entry carries a digest of the position after it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from paddock.core.errors import PaddockError
from paddock.core.game import ChanceSource, Entry, Game
from paddock.core.i18n import _
from paddock.core.options import Options
from paddock.core.title import Title
from paddock.store import EventRow


class Broken(PaddockError):
    """A stored log that does not fold: ``game`` is what was sound before it."""

    def __init__(self, sentence: str, game: Game) -> None:
        super().__init__(sentence)
        self.game = game


def go_on(game: Game, entries: Iterable[Entry], decision: int, chance: ChanceSource | None) -> list[EventRow]:
    """Append the entries and then, given a source, all chance that is due; the rows to store."""
    rows = []

    def append(entry: Entry) -> None:
        seq = len(game.log)
        game.append(entry)
        rows.append(EventRow(seq, entry.by, entry.what, decision, game.digest))

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


def fold(game: Game, rows: Sequence[EventRow]) -> None:
    """Append stored rows; raises ``Broken`` at the first that is not as it was written."""
    for row in rows:
        try:
            if row.seq != len(game.log):
                raise PaddockError(_("entry {n} is missing").format(n=len(game.log) + 1))
            game.append(Entry(row.by, row.what))
            if game.digest != row.digest:
                raise PaddockError(_("entry {n} leads to another position than it did").format(n=row.seq + 1))
        except PaddockError as error:
            before = Game(game.title, game.options, None, game.names)
            for entry in game.log[: row.seq]:
                before.append(entry)
            raise Broken(
                _(
                    "This table cannot go on: what is stored of it is not what was played ({reason}). "
                    "It stands as it was before that, and its record so far can be downloaded."
                ).format(reason=error),
                before,
            ) from error
