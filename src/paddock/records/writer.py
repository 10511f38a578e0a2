"""Writes records."""

from __future__ import annotations

import datetime
import re
from collections.abc import Sequence

from paddock.core.errors import PaddockError, brief, quoted
from paddock.core.game import Game
from paddock.core.i18n import _
from paddock.core.title import seats_of
from paddock.core.transcript import check_eyes, transcript
from paddock.records.form import FORMAT, LEVEL, NOBODY, PERSON, checksum
from paddock.records.notes import Note, check_notes
from paddock.records.proof import Fair
from paddock.records.record import result, teams


def write(
    game: Game,
    *,
    date: datetime.date | str,
    players: Sequence[tuple[str, str | None]],
    eyes: int | None = None,
    notes: Sequence[Note] = (),
    fair: Fair | None = None,
) -> str:
    """Return a game's record: complete, or with ``?`` for what ``eyes`` (a bitmask of seats) cannot know.

    ``players`` are the names with the level of a bot, None for a person. A complete record may have
    ``notes``, and what proves its chance. Raises ``PaddockError`` for invalid players, eyes or notes, and for
    a game that started from a position.

        >>> import paddock
        >>> game = paddock.start("rasant", players=2, seed=3)
        >>> text = paddock.records.write(game, date="2026-01-31", players=[("Ana", None), ("Ben", "club")])
        >>> text.splitlines()[4:8]
        ['player 1: person Ana', 'player 2: club Ben', 'result: unfinished', 'checksum: 8273b6d2']
    """
    if not isinstance(game, Game):
        raise PaddockError(
            _("give a game, as paddock.start returns it, not {what}").format(what=quoted(game))
        )
    title, options = game.title, game.options
    check_eyes(game, eyes)
    if game.from_position:
        raise PaddockError(_("this game started from a position: a record needs the game from its start"))
    names, levels = _people(game, players)
    if notes and eyes is not None:
        raise PaddockError(_("only complete records have notes"))
    if fair and eyes is not None:
        raise PaddockError(_("only complete records prove their chance"))
    noted = [note.line for note in check_notes(notes, len(game.log))]
    body, replayed = _body(game, names, eyes)
    body += ["", *noted] if noted else []
    head = [
        FORMAT,
        f"title: {title.name}/{title.revision}",
        f"options: {options.text}",
        f"date: {_date(date)}",
        *(f"player {i + 1}: {level} {replayed.names[i]}" for i, level in enumerate(levels)),
    ]
    if eyes is not None:
        head.append("eyes: " + (" ".join(str(seat + 1) for seat in seats_of(eyes)) or NOBODY))
    head.append(f"result: {result(replayed)}")
    if table := teams(replayed):
        head.append(f"teams: {table}")
    if fair:
        head.append(fair.line)
    head.append(f"checksum: {checksum([*head, *body])}")
    return "\n".join([*head, *body]) + "\n"


def _date(date: datetime.date | str) -> str:
    """Return a date as the header has it; raise ``PaddockError``."""
    try:
        day = datetime.date.fromisoformat(date) if isinstance(date, str) else date
    except ValueError:
        day = None
    if not isinstance(day, datetime.date):
        raise PaddockError(_("“{date}” is not a date: write it as 2026-03-01").format(date=brief(str(date))))
    return day.isoformat()[:10]  # without the time of a datetime


def _people(game: Game, players: Sequence[tuple[str, str | None]]) -> tuple[list[str], list[str]]:
    """Return the players' names, and the word before each name: ``person`` or a bot level."""
    try:
        people = [(name, PERSON if level is None else level) for name, level in players]
    except (TypeError, ValueError):
        people = None
    if people is None or not all(isinstance(word, str) for pair in people for word in pair):
        raise PaddockError(_("players: give a name and a bot level, or None for a person, for each"))
    if len(people) != game.options.players:
        raise PaddockError(
            _("give {n} players, not {given}").format(n=game.options.players, given=len(people))
        )
    for _name, level in people:
        if not re.fullmatch(LEVEL, level):
            raise PaddockError(_("“{level}” is not a bot level").format(level=brief(level)))
    return [name for name, _level in people], [level for _name, level in people]


def _body(game: Game, names: Sequence[str], eyes: int | None) -> tuple[list[str], Game]:
    """Return the lines of the body, and the game replayed from its log."""
    replayed = Game(game.title, game.options, None, names)
    return transcript(replayed, game.log, eyes), replayed
