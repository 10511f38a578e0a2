"""Refuses player names that impersonate staff or contain slurs, in any spelling."""

from __future__ import annotations

import os
import unicodedata
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Self

from paddock.core.errors import PaddockError
from paddock.core.i18n import _

VARIABLE = "PADDOCK_NAME_FILTER"  # a file with more words, one per line
WORDS = (
    *("admin", "administrator", "moderator", "paddock"),
    *("nigger", "nigga", "faggot", "spic", "chink", "gook", "tranny", "retard", "wetback", "raghead"),
    *("kanake", "hitler"),
)
ANYWHERE = 6  # letters; shorter words must match whole words, as they occur in decent names
# Lookalikes: digits and signs used as letters, and Cyrillic and Greek letters that look like Latin ones.
_LOOKS = str.maketrans("013457@$!|аеорсхіукνοα", "oieastasiiaeopcxiykvoa")


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
    def read(cls, environ: Mapping[str, str] = os.environ) -> Self:
        """Load the default words and the file ``$PADDOCK_NAME_FILTER``; raise ``PaddockError``."""
        path = environ.get(VARIABLE)
        if not path:
            return cls()
        try:
            return cls(Path(path).read_text("utf-8").splitlines())
        except (OSError, UnicodeDecodeError) as error:
            sentence = _("the words in {file} cannot be read ({reason}): correct {variable}")
            raise PaddockError(
                sentence.format(file=path, reason=getattr(error, "strerror", error), variable=VARIABLE)
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
