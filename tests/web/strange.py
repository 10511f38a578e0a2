"""A generated pseudo-language, and a search for untranslated English on pages.

In this language, every Latin letter of a message becomes a letter outside A to Z. A word in plain letters on
a page is a name, or an untranslated word.
"""

from __future__ import annotations

import json
import re
from collections.abc import Container
from functools import cache
from html.parser import HTMLParser
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.pofile import write_po

import way
from messages import PADDOCK, catalogue
from paddock.tables.make import GUESTS

PLAIN = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
OTHER = "αβçδéφğħíĵķľμñöþξŕšťüνŵχýžΑΒÇΔÉΦĞĦÍĴĶĽΜÑÖÞΞŔŠŤÜΝŴΧÝŽ"
STRANGE = str.maketrans(PLAIN, OTHER)
LANGUAGE = "eo"
# Names of games, Paddock, people, levels, clauses and options; notation of records and commands.
NAMES = re.compile(
    r"LACORSA|R(?i:asant)(?: Bare)?|T(?i:he great race)|S(?i:kerries)|Paddock|Rookie|Club|Works"
    r"|\b(?:LC|LX|RA|GR|SK)-[\d.]+"
    r"|(?:Driver|Player|Skipper) \d"  # default names
    r"|\b\w+=\S+|\b[A-Za-z]\b|\b\d+x?[a-z]\b|\b[a-l]\d+\b"
    rf"|http://paddock\.test|\b(?:Ana|Ben|Cai|Dee|Cleo|Dora|{'|'.join(GUESTS)})\b"
)
SHOWN = ("aria-label", "alt", "placeholder", "title", "data-idle", "data-says", "data-copied", "data-refused")
UNSEEN = {"script", "style", "code", "pre", "textarea", "template", "kbd"}
EMPTY = {"input", "br", "img", "meta", "link", "hr", "use", "path", "rect", "circle", "line", "polygon"}


PATTERNS = {"start": "{0}, {1}", "middle": "{0}, {1}", "end": "{0} and {1}", "2": "{0} and {1}"}


def strange(message: str) -> str:
    """Return the message in the pseudo-language; its fields do not change."""
    return "".join(
        part if part.startswith("{") else part.translate(STRANGE)
        for part in re.split(r"(\{[^}]*\})", message)
    )


@cache
def paddocks() -> Catalog:
    """Return the messages of Paddock, which take seconds to find."""
    return catalogue()


def write_catalogue(folder: Path, package: str = PADDOCK, parts: Container[int] = range(99)) -> Path:
    """Write a package's catalogue of the pseudo-language to the folder; return the folder.

    Only these ``parts`` of ``way.parts()`` are translated, by default all.
    """
    found = paddocks() if package == PADDOCK else catalogue(package, paddocks())
    for message in found:
        if message.id:
            there = way.place(message)[0] in parts
            texts = message.id if isinstance(message.id, tuple) else (message.id,)
            said = tuple(strange(text) if there else "" for text in texts)
            message.string = said if isinstance(message.id, tuple) else said[0]
    file = folder / LANGUAGE / "LC_MESSAGES" / f"{package}.po"
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.open("wb") as stream:
        write_po(stream, found)
    patterns = {key: strange(text) for key, text in PATTERNS.items()}
    signs = {"decimal": ".", "group": ",", "date": "{d}/{m}/{y}"}
    data = {"name": LANGUAGE, "and": patterns, "or": patterns, **signs}
    (folder / LANGUAGE / "cldr.json").write_text(json.dumps(data))
    return folder


class Words(HTMLParser):
    """The words of a page: its text, and the attributes that are read out or shown."""

    def __init__(self) -> None:
        super().__init__()
        self.said: list[str] = []
        self._in: list[str] = []
        self.language: str | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "html":
            self.language = dict(attrs).get("lang")
        if tag not in EMPTY:
            # The text of an option is its value, as in addresses, or what a language calls itself.
            value = tag == "option" and ("value" not in dict(attrs) or "lang" in dict(attrs))
            self._in.append("code" if value else tag)
        self.said += [value for name, value in attrs if name in SHOWN and value]

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.said += [value for name, value in attrs if name in SHOWN and value]

    def handle_endtag(self, tag: str) -> None:
        while self._in and self._in.pop() not in (tag, "code" if tag == "option" else tag):
            pass

    def handle_data(self, data: str) -> None:
        if not UNSEEN & set(self._in):
            self.said.append(data)


def english(html: str, *names: str) -> list[str]:
    """Return the texts of a page in plain letters, except names and the given words."""
    words = Words()
    words.feed(html)
    assert words.language == LANGUAGE
    return plain(words.said, *names)


def plain(texts: list[str], *names: str) -> list[str]:
    """Return the texts in plain letters."""
    own = re.compile("|".join(map(re.escape, names)) or "(?!)")
    return [
        " ".join(text.split())
        for text in texts
        if re.search(r"[A-Za-z]{2,}", NAMES.sub(" ", own.sub(" ", text)))
    ]


class Left:
    """Collects untranslated English: page and words."""

    def __init__(self) -> None:
        self.words: dict[str, str] = {}

    def look(self, where: str, text: str, *names: str) -> str:
        """Read a page; return it."""
        self.words |= dict.fromkeys(english(text, *names), where)
        return text
