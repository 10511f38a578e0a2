"""Notes on the moments of a game: the last lines of a record. ``SPEC.md`` defines them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from paddock.core.errors import PaddockError, brief, clean_name
from paddock.core.i18n import _
from paddock.core.wording import number

MOST = 500  # notes of a game
LONGEST = 2_000  # characters of the text of a note
LONGEST_LINE = 8_000  # characters of its line in a record, where some need several
MOST_TAGS, MOST_ARROWS, MOST_MARKS = 8, 12, 24
_TURNS = "\u202a-\u202e\u2066-\u2069"  # they turn the text around
_TURNED = re.compile(f"[{_TURNS}]")
# What no text has: these, and Unicode's Cc but for line breaks, Cs, Zl and Zp. To look each character up
# would take a quarter of a second for the notes of a record.
_UNPRINTABLE = re.compile(f"[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff{_TURNS}]")
_LINE = re.compile(r"note (0|[1-9][0-9]{0,6}): (\{.*\})")
_TAG = re.compile(r"\w[\w-]{0,23}")
# A piece of the board, a space of a map, or a card of a seat's hand, in the notation of the title
_PLACE = re.compile(r"(?:piece|space) [A-Za-z0-9]{1,12}|card [1-9][0-9]?:[A-Za-z0-9+*-]{1,24}")


@dataclass(frozen=True)
class Note:
    """What somebody noted at a moment of a game: a text, tags, arrows and marks."""

    at: int  # the number of entries of the log before the moment
    by: str  # the name of who noted it
    text: str = ""
    tags: tuple[str, ...] = ()
    arrows: tuple[tuple[str, str], ...] = ()  # from where, to where
    marks: tuple[str, ...] = ()

    @property
    def line(self) -> str:
        """The line in a record."""
        facts = {"by": self.by, "text": self.text, "tags": self.tags, "arrows": self.arrows}
        facts |= {"marks": self.marks}
        words = {name: value for name, value in facts.items() if value}
        return f"note {self.at}: {json.dumps(words, ensure_ascii=False)}"


def check_note(note: Note) -> Note:
    """Return the note; raise ``PaddockError`` with what is wrong with it."""
    if not note.by or clean_name(note.by) != note.by or _TURNED.search(note.by):
        raise PaddockError(_("a note needs the name of who wrote it"))
    if not (note.text or note.tags or note.arrows or note.marks):
        raise PaddockError(_("write something, or mark something, first"))
    if len(note.text) > LONGEST:
        raise PaddockError(_("write at most {n} characters").format(n=number(LONGEST)))
    if note.text != note.text.strip() or _UNPRINTABLE.search(note.text):
        raise PaddockError(
            _("the text of a note has printable characters and line breaks, and none at its ends")
        )
    _check_words(note.tags, MOST_TAGS, _is_tag, _("“{word}” is not a tag: use letters, digits and hyphens"))
    places = [place for arrow in note.arrows for place in arrow]
    wrong = _("“{word}” is not a place: write “piece 3”, “space 14” or “card 2:12”")
    _check_words(note.arrows, MOST_ARROWS, lambda arrow: arrow[0] != arrow[1], _("an arrow needs two ends"))
    _check_words(dict.fromkeys(places), 2 * MOST_ARROWS, is_place, wrong)
    _check_words(note.marks, MOST_MARKS, is_place, wrong)
    return note


def _is_tag(word: str) -> bool:
    return bool(_TAG.fullmatch(word)) and word == word.casefold()


def is_place(word: str) -> bool:
    """Whether a word names a place at which a note can point: «piece 3», «space 14» or «card 2:12»."""
    return bool(_PLACE.fullmatch(word))


def _check_words(words: Iterable[Any], most: int, right: Any, fault: str) -> None:
    """Raise ``PaddockError`` for too many words, one that is not ``right``, or one that occurs twice."""
    words_given = list(words)
    if len(words_given) > most:
        raise PaddockError(_("at most {n} of them").format(n=most))
    for word in words_given:
        if not right(word):
            raise PaddockError(fault.format(word=brief(str(word))))
    if len(set(words_given)) < len(words_given):
        raise PaddockError(_("write each of them once"))


def is_note(line: str) -> bool:
    """Whether a line of a record is that of a note."""
    return line.startswith("note ")


def parse(line: str, entries: int) -> Note:
    """Return the note in a line of a record with so many entries; raise ``PaddockError``."""
    match = _LINE.fullmatch(line) if len(line) <= LONGEST_LINE else None
    if match is None:
        raise PaddockError(_("write a note as “note 12: {example}”").format(example='{"by": "Ana", …}'))
    at = int(match[1])
    if at > entries:
        raise PaddockError(
            _("the game has {n} entries before its end: there is no moment {at}").format(n=entries, at=at)
        )
    return load(at, match[2])


def load(at: int, text: str) -> Note:
    """Return the note with these facts as JSON; raise ``PaddockError``."""
    return check_note(known(at, text))


def known(at: int, text: str) -> Note:
    """Return the note with these facts, which were checked before. Raises ``PaddockError``."""
    try:
        facts = json.loads(text)
        note = Note(
            at,
            _text(facts.pop("by", "")),
            _text(facts.pop("text", "")),
            _texts(facts.pop("tags", [])),
            tuple(_pair(arrow) for arrow in facts.pop("arrows", [])),
            _texts(facts.pop("marks", [])),
        )
        if facts:
            raise ValueError
    except (ValueError, TypeError, AttributeError, RecursionError):
        raise PaddockError(
            _("a note has the texts “by” and “text”, and the lists “tags”, “arrows” and “marks”")
        ) from None
    return note


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value


def _texts(value: object) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise TypeError
    return tuple(map(_text, value))


def _pair(value: object) -> tuple[str, str]:
    start, end = _texts(value)
    return start, end


def check_notes(notes: Sequence[Note], entries: int) -> list[Note]:
    """Return the notes in the order of their moments; raise ``PaddockError`` if a record cannot have them."""
    if len(notes) > MOST:
        raise PaddockError(_("a record has at most {n} notes").format(n=MOST))
    for note in notes:
        check_note(note)
        if not 0 <= note.at <= entries:
            raise PaddockError(_("there is no moment {at} in this game").format(at=note.at))
    return sorted(notes, key=lambda note: note.at)
