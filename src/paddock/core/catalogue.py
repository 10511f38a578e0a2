"""Reads catalogues of gettext: the ``.po`` files that translators edit. Nothing is compiled before.

A message with a context has the key that gettext uses for it: the context, ``APART`` and the message.
"""

from __future__ import annotations

import gettext
import json
import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

APART = "\x04"  # between a context and its message
_LINE = re.compile(r'(msgctxt|msgid|msgid_plural|msgstr)?(?:\[(\d)\])?\s*(".*")')
_RULE = re.compile(r"Plural-Forms:.*plural=([^;\n]+)")
Entry = dict[str, str]  # a keyword (or the number of a form) → its text


class Catalogue:
    """The translations of one file: a key → its text, or its forms where it is a plural."""

    def __init__(self, entries: Iterable[Entry] = ()) -> None:
        self.texts: dict[str, tuple[str, ...]] = {}
        self.form: Callable[[int], int] = lambda n: int(n != 1)
        for entry in entries:
            forms = tuple(entry[key] for key in sorted(entry) if key.isdigit())
            if not entry["msgid"] and "msgctxt" not in entry:
                if rule := _RULE.search("".join(forms)):
                    self.form = gettext.c2py(rule[1])
            elif all(forms):
                context = entry.get("msgctxt")
                self.texts[entry["msgid"] if context is None else f"{context}{APART}{entry['msgid']}"] = forms

    def one(self, key: str) -> str | None:
        """Return the translation of a message; None if there is none."""
        forms = self.texts.get(key)
        return forms[0] if forms else None

    def many(self, key: str, n: int) -> str | None:
        """Return the form of a plural for ``n``; None if there is none."""
        forms = self.texts.get(key)
        return forms[min(self.form(n), len(forms) - 1)] if forms else None


def read(file: Path) -> Catalogue:
    """Read a file; raise ``OSError``, or ``ValueError`` for one that is no catalogue."""
    return Catalogue(_entries(file.read_text("utf-8").split("\n")))


def _entries(lines: Iterable[str]) -> Iterator[Entry]:
    """Yield the translated entries: not those that are marked as fuzzy, or that no longer exist (``#~``)."""
    entry: Entry = {}
    key, fuzzy, next_fuzzy = "", False, False
    for number, line in enumerate(lines, 1):
        if line.startswith("#") or not line.strip():
            next_fuzzy |= line.startswith("#,") and "fuzzy" in line
            continue
        if not (match := _LINE.fullmatch(line.strip())):
            raise ValueError(f"line {number}")
        word, form, text = match.groups()
        if word == "msgctxt" or (word == "msgid" and key != "msgctxt"):
            if "0" in entry and not (fuzzy and entry["msgid"]):
                yield entry
            entry, fuzzy, next_fuzzy = {}, next_fuzzy, False
        if word:
            key = (form or "0") if word == "msgstr" else word
        entry[key] = entry.get(key, "") + json.loads(text)
    if "0" in entry and not (fuzzy and entry["msgid"]):
        yield entry
