"""Several records in one file, one after the other: read and written one at a time."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterable, Iterator, Sequence

from paddock.core.errors import BadRecord, PaddockError, quoted
from paddock.core.game import Game
from paddock.core.i18n import _, pgettext
from paddock.records.reader import read_at
from paddock.records.record import Record
from paddock.records.writer import write

_FIRST = re.compile("\ufeff?paddock record [0-9]+ *")  # no other line of a record looks so


def read_all(lines: str | Iterable[str]) -> Iterator[Record]:
    """Return the records of a file, each parsed as ``read`` does when it is asked for.

    ``lines`` is a text, or the lines of one, such as a file that is open for reading: then no more than one
    record is in memory. ``BadRecord`` names the record (from 1) and the line in the file; the next record
    can still be read after it.
    """
    return map(_read, _parts(lines))


def write_all(
    games: Iterable[Game | Record],
    *,
    date: datetime.date | str | None = None,
    players: Sequence[tuple[str, str | None]] | None = None,
    eyes: int | None = None,
) -> Iterator[str]:
    """Return the record of each game as ``write`` does, when it is asked for: the parts of one file.

    All games have the same ``date`` and ``players``. A complete ``Record``, as ``read_all`` returns it, has
    its own. ``file.writelines`` writes the parts. Raises ``PaddockError`` with the number of the record (from
    1) for what ``write`` refuses.
    """
    if not isinstance(games, Iterable):
        raise PaddockError(_("give several games or records, not {what}").format(what=quoted(games)))
    for number, game in enumerate(games, 1):
        try:
            if isinstance(game, Record):
                notes = game.notes if eyes is None else ()
                fair = game.fair if eyes is None else None
                whole = game.game()
                text = write(whole, date=game.date, players=game.players, eyes=eyes, notes=notes, fair=fair)
            elif date is None or players is None:
                raise PaddockError(_("give the date and the players of a game"))
            else:
                text = write(game, date=date, players=players, eyes=eyes)
        except PaddockError as error:
            raise PaddockError(
                pgettext("noun", "record {number}: {fault}").format(number=number, fault=str(error))
            ) from None
        yield text if number == 1 else f"\n{text}"


def _read(part: tuple[int, int, str]) -> Record:
    """Read one of several records; raise ``BadRecord`` with its number."""
    number, first, text = part
    try:
        return read_at(text, number, first)
    except BadRecord as fault:
        raise BadRecord(fault.line, fault.reason, number) from None


def _parts(lines: str | Iterable[str]) -> Iterator[tuple[int, int, str]]:
    """Yield for every record its number, the number of its first line, and its text."""
    if isinstance(lines, str):
        lines = lines.split("\n")
    elif not isinstance(lines, Iterable):
        raise PaddockError(_no_lines(lines))
    number, first, record_lines = 1, 1, list[str]()
    for number_of_line, line in enumerate(lines, 1):
        if not isinstance(line, str):
            raise PaddockError(_no_lines(line))
        if _FIRST.fullmatch(line.rstrip("\r\n")) and any(record_lines):
            yield number, first, "\n".join(record_lines)
            number, first, record_lines = number + 1, number_of_line, []
        record_lines.append(line.rstrip("\r\n "))
    if any(record_lines):
        yield number, first, "\n".join(record_lines)


def _no_lines(value: object) -> str:
    return _("give a text, or its lines, as an open file has them, not {what}").format(what=quoted(value))
