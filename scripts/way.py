"""The order in which a player reads the messages, and which of them make a title playable.

A translator begins at the top of a file: with the way to a table and what is said there, then each title. The
other pages follow, and at last the library with its command line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

from babel.messages.catalog import Catalog, Message
from jinja2 import Environment, meta

import paddock
from paddock.web.titles import in_order

TEMPLATES: Final = Path(paddock.__file__).parent / "web" / "templates"
# The pages on the way, in the order in which a player sees them; each brings what it includes.
# ``_cards`` and ``_line`` are included by titles, and by names that are made.
PAGES = (
    *("base.html", "home.html", "setup.html", "lobby.html", "table.html", "_cards.html", "_line.html"),
    *("curtain.html", "podium.html", "error.html"),
)
# What else says something there: its beginning, and what of that says it on other pages.
SAYS = (
    *("web/", "tables/", "parts/", "bots/registry.py", "core/game.py", "core/legal.py", "core/options.py"),
    *("core/rooms/", "core/wording.py", "store/terms.py"),
)
OF_FEATURES = re.compile(r"features/[a-z_]+/feature\.py")  # what features say on pages of others
LATER = (
    *("web/api/", "web/handover.py", "web/identity.py", "web/pictures.py"),
    *("web/templates/", "tables/kept.py", "tables/replaying.py"),
    *("tables/restore.py", "tables/tokens.py", "tables/workers.py"),
    "parts/position.py",
)
# What comes first in the part of a title
TITLES = (
    *("title ", "page.py", "page/page.py", "web/", "page/web/", "text.py", "words/text.py", "words/names.py"),
    *("forms.py", "page/forms.py", "page/asking.py"),
)


def parts() -> tuple[str, ...]:
    """Return the names of the parts, in order."""
    titles = (title.label for title in in_order())
    return ("the way to a table, and the table", *titles, "the other pages", "the library, the command line")


def playable(name: str) -> tuple[int, int]:
    """Return the two parts with which a title can be played without English."""
    return 0, 1 + [title.name for title in in_order()].index(name)


def ordered(found: Catalog, into: Catalog) -> Catalog:
    """Return ``into`` with the messages that were found, those first that a player reads first."""
    for message in sorted((one for one in found if one.id), key=place):
        into[message.id] = message
    return into


def place(message: Message) -> tuple[int, int, str]:
    """Return the part of a message (0 is the first), and where in it a player reads it first."""
    places = sorted(_place(where) for where, _line in message.locations)
    titles = {part for part, _n, _where in places if 0 < part <= len(in_order())}
    return places[0] if len(titles) < 2 else (0, *places[0][1:])


def _place(where: str) -> tuple[int, int, str]:
    library = len(parts()) - 1
    if where in _pages():
        return 0, _pages().index(where), where
    for part, title in enumerate(in_order(), 1):
        folder = f"games/{title.name}/"
        if where == f"title {title.name}" or where.startswith(folder):
            inside = where.removeprefix(folder)
            first = (n for n, name in enumerate(TITLES) if inside.startswith(name))
            return part, next(first, len(TITLES)), where
    if OF_FEATURES.fullmatch(where) or (where.startswith(SAYS) and not where.startswith(LATER)):
        return 0, len(_pages()), where
    return library - where.startswith(("web/", "tables/", "features/", "server/")), 0, where


@cache
def _pages() -> list[str]:
    """Return the templates of the way, as a catalogue names them, where a player meets each first."""
    return list(dict.fromkeys(f"web/templates/{name}" for page in PAGES for name in _with_included(page)))


def _with_included(name: str) -> Iterator[str]:
    yield name
    source = (TEMPLATES / name).read_text("utf-8")
    for other in meta.find_referenced_templates(Environment().parse(source)):
        if other and other != PAGES[0]:
            yield from _with_included(other)


def progress(found: Catalog) -> list[str]:
    """Return a line for each part: how many of its messages are translated."""
    counts = [[0, 0] for _part in parts()]
    for message in found:
        if message.id:
            done = message.string if isinstance(message.id, str) else all(message.string or [""])
            counts[place(message)[0]][0] += bool(done)
            counts[place(message)[0]][1] += 1
    return [f"{name}: {done:,} of {all_:,}" for name, (done, all_) in zip(parts(), counts, strict=True)]
