"""Write the template of a package's catalogue: every message that can be translated (``make messages``).

``make messages`` writes ``src/paddock/locale/paddock.pot``. ``make messages PACKAGE=skerries`` writes
``locale/skerries.pot`` in an installed package of titles, without the messages that Paddock's template has.

A language is a folder beside the template. For German, in the folder ``locale`` of the package:

    pybabel init -i paddock.pot -d . -D paddock -l de      starts the catalogue
    pybabel update -i paddock.pot -d . -D paddock          adds new messages to all catalogues
    pybabel compile -d . -D paddock                        makes the files that Paddock reads

A package uses its own name in place of ``paddock``. Pages offer the languages of Paddock's own catalogues.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import write_po

from paddock import titles
from paddock.bots import levels
from paddock.core.title import Title

PADDOCK = "paddock"
METHODS = [("**/migrations/**", "ignore"), ("**.py", "python"), ("**.html", "jinja2.ext:babel_extract")]
KEYWORDS = {
    "_": None,
    "mark": None,
    "plural": (1, 2),
    "Sentence": (1,),
    "Paint": (1,),
    "Livery": (1,),
}  # names of colours


def catalogue(package: str = PADDOCK) -> Catalog:
    """Return every message of a package: in its source, its templates, and the data of its titles."""
    found = Catalog(project=package, charset="utf-8")
    shared = Catalog() if package == PADDOCK else catalogue()
    options = {"**.html": {"trim_blocks": "true", "lstrip_blocks": "true", "silent": "false"}}
    for file, line, message, comments, context in extract_from_dir(
        folder(package), METHODS, options, KEYWORDS
    ):
        if message not in shared:
            found.add(message, None, [(file, line)], auto_comments=comments, context=context)
    for title in titles().values():
        for word in words(title) if title.package.partition(".")[0] == package else ():
            if word not in shared:
                found.add(word, None, [(f"title {title.name}", 0)])
    return found


def folder(package: str) -> Path:
    """Return the folder of an installed package."""
    return Path(str(files(package)))


def words(title: Title) -> Iterator[str]:
    """Yield the words of a title's rulebook and bots, which pages translate when they show them."""
    yield from (title.tagline, title.round_name, title.rounds_option, title.player_name)
    yield from (title.players_option, title.seat_name)
    for preset in title.presets:
        yield from (preset.label, preset.says)
    for row in title.options.describe():
        words = [word for _value, *said in row["values"] for word in said]
        yield from filter(None, (row["label"], row["help"], row["write"], row["group"], *words))
    yield from (level.label for level in levels(title))


def main() -> int:
    """Write the template again."""
    parser = ArgumentParser(description="Write the template of a package's catalogue.")
    parser.add_argument(
        "package", nargs="?", default=PADDOCK, help="an installed package; Paddock by default"
    )
    package = parser.parse_args().package
    found = catalogue(package)
    template = folder(package) / "locale" / f"{package}.pot"
    template.parent.mkdir(exist_ok=True)
    with template.open("wb") as stream:
        write_po(stream, found, width=110, sort_by_file=True)
    print(f"{template}: {len(found)} messages")
    return 0


if __name__ == "__main__":
    sys.exit(main())
