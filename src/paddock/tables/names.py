"""Cleans what players write of what hides text, keeps invisible characters where a script or an emoji needs
them, and refuses names that impersonate staff or contain slurs, in any spelling.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from pathlib import Path
from typing import Self

import idna

from paddock.core.errors import PaddockError
from paddock.core.i18n import _
from paddock.core.settings import variable

WORDS = (
    *("admin", "administrator", "moderator", "paddock"),
    *("nigger", "nigga", "faggot", "spic", "chink", "gook", "tranny", "retard", "wetback", "raghead"),
    *("kanake", "hitler"),
)
ANYWHERE = 6  # words from this length on match inside other words; shorter ones match whole words only
# Lookalikes: digits and signs used as letters, and Cyrillic and Greek letters that look like Latin ones.
_LOOKS = str.maketrans("013457@$!|аеорсхіукνοα", "oieastasiiaeopcxiykvoa")


MOST_MARKS = 3  # combining marks on one letter: Hebrew and Tibetan need three
BLANK = "\u115f\u1160\u2800\u3164\uffa0"  # letters and signs that look like spaces
# Characters that cannot be seen: joiners, tags and selectors. A name with one may look like another name.
_NON_JOINER, _JOINER = "\u200c", "\u200d"
UNSEEN = re.compile(
    "[\u034f\u17b4\u17b5\u180b-\u180f\u200c\u200d\ufe00-\ufe0f\U000e0001\U000e0020-\U000e007f"
    "\U000e0100-\U000e01ef]"
)
_PICTURE = (  # the blocks that have emoji
    "[\xa9\xae\u203c\u2049\u2122\u2139\u2190-\u21ff\u2300-\u23ff\u25a0-\u27bf\u2900-\u297f\u2b00-\u2bff"
    "\u3030\u303d\u3297\u3299\U0001f000-\U0001faff]"
)
_EMOJI = f"{_PICTURE}[\ufe0e\ufe0f\U0001f3fb-\U0001f3ff]?"  # with how it looks, or a colour of skin
_IDEOGRAPH = "[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]"
# Where characters that cannot be seen belong, by UTS #51 and the lists of variation sequences.
_SEQUENCE = re.compile(
    "\U0001f3f4[\U000e0030-\U000e0039\U000e0061-\U000e007a]{3,6}\U000e007f"  # the flag of a region
    "|[\U0001f1e6-\U0001f1ff]{2}"  # the flag of a country: it has none, but is not cut in two
    f"|{_EMOJI}(?:{_JOINER}{_EMOJI})*"
    "|[0-9#*]\ufe0f\u20e3"  # a key
    f"|{_IDEOGRAPH}[\ufe00-\ufe02\U000e0100-\U000e01ef]"
    "|[\u1820-\u18aa][\u180b-\u180d\u180f]"  # a form of a Mongolian letter
)
_NEAR = 16  # characters on either side that decide: letters have few marks by then, see ``cut_marks``
_VIRAMA = 9  # the combining class of the signs that take the vowel from a letter


def printable(text: str) -> str:
    """Return the text as one line without control characters and direction marks.

    Characters that cannot be seen may stay: see ``cut_unseen``.
    """
    return "".join(
        " " if c.isspace() else c
        for c in text
        if c.isspace() or UNSEEN.match(c) or unicodedata.category(c)[0] != "C"
    )


def cut_unseen(text: str) -> str:
    """Return the text without characters that cannot be seen, but for those that a script or emoji needs."""
    pieces, start = list[str](), 0
    for match in _SEQUENCE.finditer(text):
        pieces += [*_seen(text, start, match.start()), match[0]]
        start = match.end()
    return "".join([*pieces, *_seen(text, start, len(text))])


def _seen(text: str, start: int, end: int) -> list[str]:
    return [text[i] for i in range(start, end) if not UNSEEN.match(text[i]) or _joins(text, i)]


def _joins(text: str, at: int) -> bool:
    """Whether a joiner changes how its neighbours look: UAX #31, contexts A1, A2 and B."""
    joiner, kind = text[at], unicodedata.category
    if joiner not in (_NON_JOINER, _JOINER):
        return False
    sign = at - 1
    while sign > 0 and kind(text[sign]) == "Mn" and unicodedata.combining(text[sign]) not in (0, _VIRAMA):
        sign -= 1
    if sign < 0 or unicodedata.combining(text[sign]) != _VIRAMA:
        start = max(at - _NEAR, 0)  # ``idna`` refuses long texts
        near = text[start : at + _NEAR]
        return joiner == _NON_JOINER and idna.valid_contextj(
            near, at - start
        )  # A1: between letters that join
    letter = sign - 1
    while letter > 0 and kind(text[letter]) == "Mn":
        letter -= 1
    if letter < 0 or kind(text[letter])[0] != "L":
        return False
    after = at + 1
    if joiner == _JOINER:  # B: no vowel sign after it
        return kind((UNSEEN.sub("", text[after : after + _NEAR]) or " ")[0])[0] != "M"
    while after < len(text) and kind(text[after]) == "Mn" and unicodedata.combining(text[after]):
        after += 1
    return kind(text[after : after + 1] or " ")[0] == "L"  # A2


def shortened(text: str, longest: int) -> str:
    """Return at most so many characters of a text, and no part of a flag or another sequence at its end."""
    for match in _SEQUENCE.finditer(text):
        if 0 < match.start() < longest < match.end():
            return text[: match.start()]
    return cut_unseen(text[:longest])


def same(name: str, other: str) -> bool:
    """Whether two names look the same, but for capital letters."""
    folded, other_folded = (
        unicodedata.normalize("NFKC", UNSEEN.sub("", text)).casefold() for text in (name, other)
    )
    return folded == other_folded


def cut_marks(text: str) -> str:
    """Return the text with at most three marks on each letter: a pile of them covers the lines above.

    Letters that look like spaces are removed, so that nobody has a name that cannot be seen.
    """
    letters, marks = [], 0
    for c in text:
        if c in BLANK:
            continue
        kind = unicodedata.category(c)
        if kind in ("Mn", "Me"):
            marks += 1
            if marks > MOST_MARKS:
                continue
        elif kind != "Mc" and not UNSEEN.match(c):  # vowel signs and joiners do not end a pile of marks
            marks = 0
        letters.append(c)
    return "".join(letters)


def fold(text: str) -> str:
    """Convert lookalikes to lower-case Latin letters, and all other signs to spaces."""
    plain = unicodedata.normalize("NFKD", UNSEEN.sub("", text)).casefold().translate(_LOOKS)
    return "".join(c if c.isalpha() else " " for c in plain if not unicodedata.combining(c))


class NameFilter:
    """The list of refused names."""

    def __init__(self, words: Iterable[str] = ()) -> None:
        folded = ("".join(fold(word).split()) for word in (*WORDS, *words))
        self._words = frozenset(word for word in folded if word)

    @classmethod
    def read(cls, file: Path | None) -> Self:
        """The usual words and those in the file, one a line; raises ``PaddockError``."""
        if file is None:
            return cls()
        try:
            return cls(file.read_text("utf-8").splitlines())
        except (OSError, UnicodeDecodeError) as error:
            sentence = _("the words in {file} cannot be read ({reason}): correct {variable}")
            raise PaddockError(
                sentence.format(
                    file=file, reason=getattr(error, "strerror", error), variable=variable("name_filter")
                )
            ) from error

    def refuses(self, name: str) -> bool:
        """Whether this name is refused."""
        # Catch «admin1» as well as «4dm1n»: digits after a word are not letters of it.
        for text in (name, " ".join(word.rstrip("0123456789") for word in name.split())):
            words = fold(text).split()
            whole = "".join(words)
            if whole in self._words or any(word in self._words for word in words):
                return True
            if any(len(word) >= ANYWHERE and word in whole for word in self._words):
                return True
        return False
