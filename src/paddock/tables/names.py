"""Refuses player names that impersonate staff or contain slurs, in any spelling, and cuts what hides text."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from pathlib import Path
from typing import Self

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
# Marks that cannot be seen: a name with one looks like another name. Emoji need the last of them.
_NEVER, _EMOJI = "\u034f\u17b4\u17b5\u180b-\u180f\U000e0100-\U000e01ef", "\ufe00-\ufe0f"
UNSEEN = re.compile(f"[{_NEVER}{_EMOJI}]")
_USELESS = re.compile(rf"[{_NEVER}]|(?:^|(?<=[\w\s]))[{_EMOJI}]+")


def cut_unseen(text: str) -> str:
    """Return the text without marks that cannot be seen, except behind emoji."""
    return _USELESS.sub("", text)


def same(name: str, other: str) -> bool:
    """Whether two names look the same, but for capital letters."""
    one, two = (unicodedata.normalize("NFKC", UNSEEN.sub("", text)).casefold() for text in (name, other))
    return one == two


def cut_marks(text: str) -> str:
    """Return the text with at most three marks on each letter: a pile of them covers the lines above.

    Letters that look like spaces are removed, so that nobody has a name that cannot be seen.
    """
    kept, marks = [], 0
    for c in text:
        if c in BLANK:
            continue
        kind = unicodedata.category(c)
        if kind in ("Mn", "Me"):
            marks += 1
            if marks > MOST_MARKS:
                continue
        elif kind != "Mc" and c != "\u200d":  # vowel signs and emoji joiners do not end a pile of marks
            marks = 0
        kept.append(c)
    return "".join(kept)


def fold(text: str) -> str:
    """Convert lookalikes to lower-case Latin letters, and all other signs to spaces."""
    plain = unicodedata.normalize("NFKD", text).casefold().translate(_LOOKS)
    return "".join(c if c.isalpha() else " " for c in plain if not unicodedata.combining(c))


class NameFilter:
    """The list of refused names."""

    def __init__(self, more: Iterable[str] = ()) -> None:
        folded = ("".join(fold(word).split()) for word in (*WORDS, *more))
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
