"""Parses records strictly: any line that ``SPEC.md`` does not allow is an error with its line number."""

from __future__ import annotations

import datetime
import re

from paddock.core import wording
from paddock.core.errors import BadOption, BadRecord, PaddockError, brief, clean_name, listed, quoted
from paddock.core.i18n import _
from paddock.core.options import LONGEST_DATA, Options
from paddock.core.title import Title
from paddock.core.title import title as find_title
from paddock.core.transcript import UNKNOWN
from paddock.core.words import CHANCE, HIDDEN, LINK
from paddock.records.form import (
    DECISION_LETTERS,
    FORMAT,
    HEADER_LETTERS,
    LEVEL,
    NOBODY,
    PERSON,
    checksum,
)
from paddock.records.notes import MOST, Note, check_notes, is_note, parse
from paddock.records.proof import Fair
from paddock.records.proof import parse as parse_fair
from paddock.records.record import Line, Record

_MOVE = re.compile(r"([1-9][0-9]?): ([^ ]+(?: [^ ]+)*)")
_CHANCE = re.compile(r"([a-z]+(?: (?:[a-z]+|[1-9][0-9]*))*): ([^ ]+(?: [^ ]+)*)")


class _Lines:
    """Reads the lines of a text in order, without the empty ones."""

    def __init__(self, text: str, first: int) -> None:
        raw = text.removeprefix("\ufeff").replace("\r\n", "\n").split("\n")
        lines = [(i, line.rstrip(" ")) for i, line in enumerate(raw, first)]
        self.all = [(number, line) for number, line in lines if line]
        self.at = 0

    @property
    def number(self) -> int:
        """The number of the next line; at the end, of the last line."""
        return self.all[min(self.at, len(self.all) - 1)][0] if self.all else 1

    def value(self, key: str, *, optional: bool = False) -> str | None:
        """Read the next line, and return its text after ``key: ``; None if it is optional and missing."""
        line = self.all[self.at][1] if self.at < len(self.all) else ""
        if line.startswith(f"{key}: "):
            self.at += 1
            return line[len(key) + 2 :]
        if optional:
            return None
        raise BadRecord(self.number, _("write the line “{key}: …” here").format(key=key))


def read(text: str) -> Record:
    """Parse a record; raise ``BadRecord`` with the line and the reason.

    This checks the form only. ``Record.game`` and ``complete`` check whether the rules allow the game.

        >>> import paddock
        >>> game = paddock.start("rasant", players=2, seed=3)
        >>> text = paddock.records.write(game, date="2026-01-31", players=[("Ana", None), ("Ben", "club")])
        >>> record = paddock.records.read(text)
        >>> record.names, record.complete
        (('Ana', 'Ben'), True)
        >>> record.game().position == game.position
        True
    """
    if not isinstance(text, str):
        raise PaddockError(_("give the text of a record, not {what}").format(what=quoted(text)))
    return read_at(text)


def read_at(text: str, nth: int | None = None, first: int = 1) -> Record:
    """Parse a record as ``read`` does. It is the ``nth`` of its file, from the line ``first`` on."""
    lines = _Lines(text, first)
    if not lines.all or lines.all[0][1] != FORMAT:
        raise BadRecord(lines.number, _("a record begins with the line “{format}”").format(format=FORMAT))
    lines.at = 1
    title, revision = _title(lines)
    options = _options(lines, title, revision)
    notes = [(number, line) for number, line in lines.all if is_note(line)]
    if len(text) - sum(len(line) for _n, line in notes) > (longest := _longest(title, options)):
        raise BadRecord(
            lines.number,
            _("this text is longer than any record of these options can be: {n} characters").format(
                n=longest
            ),
        )
    date = _date(lines)
    players = tuple(_player(lines, i + 1) for i in range(options.players))
    eyes = _eyes(lines, options)
    result_line = lines.number
    result = lines.value("result") or ""
    teams = lines.value("teams", optional=True) or ""
    fair = _fair(lines, eyes)
    number, stated = lines.number, lines.value("checksum", optional=True)
    if stated is not None and stated != checksum(line for _n, line in lines.all):
        raise BadRecord(
            number, _("the text was changed: restore it, or remove this line if the change was intended")
        )
    end = len(lines.all) - len(notes)
    body = tuple(_line(title, options, eyes, *numbered) for numbered in lines.all[lines.at : end])
    noted = _notes(lines.all[max(end, lines.at) :], sum(len(line.whats) for line in body), eyes)
    last = lines.all[max(end, lines.at) - 1][0]
    facts = (date, players, eyes, result, teams, body, result_line, last, noted, fair, nth)
    return Record(title, revision, options, *facts)


def _fair(lines: _Lines, eyes: int | None) -> Fair | None:
    """Return what proves the chance of a complete record; raise ``BadRecord``."""
    number, text = lines.number, lines.value("fair", optional=True)
    if text is None:
        return None
    if eyes is not None:
        raise BadRecord(number, _("only complete records prove their chance"))
    try:
        return parse_fair(text)
    except PaddockError as error:
        raise BadRecord(number, str(error)) from None


def _notes(numbered: list[tuple[int, str]], entries: int, eyes: int | None) -> tuple[Note, ...]:
    """Parse the last lines of a record, which are its notes."""
    notes = list[Note]()
    for number, line in numbered:
        try:
            if eyes is not None:
                raise PaddockError(_("only complete records have notes"))
            notes.append(parse(line, entries))
            if len(notes) > MOST or (notes[1:] and notes[-2].at > notes[-1].at):
                check_notes(notes, entries)
                raise PaddockError(_("write the notes in the order of their moments"))
        except PaddockError as error:
            raise BadRecord(number, brief(str(error), 300)) from None
    return tuple(notes)


def _title(lines: _Lines) -> tuple[Title, int]:
    """Return the title, and the revision of its rules."""
    number, text = lines.number, lines.value("title") or ""
    name, _slash, revision = text.partition("/")
    try:
        title = find_title(name)
    except PaddockError as error:
        raise BadRecord(number, str(error)) from None
    known = {str(n): n for n in range(title.oldest, title.revision + 1)}
    if revision not in known:
        raise BadRecord(
            number,
            _("“{text}”: this version of Paddock plays {revisions}").format(
                text=brief(text), revisions=wording.listed(f"{title.name}/{n}" for n in known)
            ),
        )
    return title.at(known[revision]), known[revision]


def _options(lines: _Lines, title: Title, revision: int) -> Options:
    """Return the options of the header; raise ``BadRecord``."""
    number, text = lines.number, lines.value("options") or ""
    try:
        return title.options.read_text(text, revision=revision)
    except BadOption as error:
        reason = brief(listed([sentence for _name, sentence in error.said]), 600)
        raise BadRecord(number, brief(str(error), 600), said=reason) from None


def _longest(title: Title, options: Options) -> int:
    """Return the most characters that a record can have."""
    header = HEADER_LETTERS + LONGEST_DATA * len(type(options).model_fields)
    return header + DECISION_LETTERS * title.rules.MAX_DECISIONS * options.rounds


def _date(lines: _Lines) -> str:
    """Return the date of the header; raise ``BadRecord``."""
    number, text = lines.number, lines.value("date") or ""
    try:
        if datetime.date.fromisoformat(text).isoformat() == text:
            return text
    except ValueError:
        pass
    raise BadRecord(number, _("“{text}” is not a date: write it as 2026-03-01").format(text=brief(text)))


def _player(lines: _Lines, seat: int) -> tuple[str, str | None]:
    """Return the name and the level of a player, None for a person; raise ``BadRecord``."""
    number, text = lines.number, lines.value(f"player {seat}") or ""
    level, _space, name = text.partition(" ")
    if not re.fullmatch(LEVEL, level) or not name or clean_name(name) != name:
        raise BadRecord(
            number, _("write a player as “player {n}: person Ana” or “player {n}: club Ben”").format(n=seat)
        )
    return name, None if level == PERSON else level


def _eyes(lines: _Lines, options: Options) -> int | None:
    """Return the bitmask of the seats whose hands the record shows, None if all; raise ``BadRecord``."""
    number, text = lines.number, lines.value("eyes", optional=True)
    if text is None:
        return None
    words = [] if text == NOBODY else text.split(" ")
    seats = [int(word) if re.fullmatch("[1-9][0-9]?", word) else 0 for word in words]
    if seats != sorted(set(seats)) or any(not 1 <= seat <= options.seats for seat in seats):
        raise BadRecord(
            number,
            _(
                "write the seats whose hands are visible, 1 to {n}, each once and in order, or {nobody}"
            ).format(n=options.seats, nobody=NOBODY),
        )
    return sum(1 << (seat - 1) for seat in seats)


def _line(title: Title, options: Options, eyes: int | None, number: int, text: str) -> Line:
    """Parse a line of the body."""
    g = title.setup_of(options)
    try:
        if match := _MOVE.fullmatch(text):
            seat, words = int(match[1]) - 1, match[2].split(LINK)
            if seat >= options.seats:
                raise PaddockError(
                    _("there is no {seat} {n}: write 1 to {most}").format(
                        seat=_(title.seat_name), n=seat + 1, most=options.seats
                    )
                )
            moves = [HIDDEN if _hidden(word, eyes) else title.text.parse_move(g, word).id for word in words]
            return Line(number, seat, "", tuple(moves))
        if match := _CHANCE.fullmatch(text):
            heading, words = match[1], match[2].split(" ")
            outcomes = [
                HIDDEN if _hidden(word, eyes) else title.text.parse_outcome(g, heading, word)
                for word in words
            ]
            return Line(number, CHANCE, heading, tuple(outcomes))
    except PaddockError as error:
        raise BadRecord(number, brief(str(error), 300)) from None
    if re.fullmatch(f"{title.round_name} [1-9][0-9]*", text):
        return Line(number, None, text, ())
    raise BadRecord(
        number,
        _("“{text}” is neither a move (“1: {move}”), nor an outcome (“deal 1: …”), nor “{round} 1”").format(
            text=brief(text), move=title.text.move(g, 0), round=title.round_name
        ),
    )


def _hidden(word: str, eyes: int | None) -> bool:
    """Whether a word is «?»; raise ``PaddockError`` in a complete record."""
    if word != UNKNOWN:
        return False
    if eyes is None:
        raise PaddockError(_("“?” is only allowed in partial records, which have a line “eyes: …”"))
    return True
