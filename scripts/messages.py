"""Write ``src/paddock/locale/paddock.pot``: every message that can be translated (``make messages``).

Each language has a folder beside it: ``pybabel init -i paddock.pot -d . -D paddock -l de`` creates one,
``pybabel update`` updates it, and ``pybabel compile`` makes the catalogue that Paddock reads.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import write_po

from paddock import titles
from paddock.bots import levels
from paddock.core.title import Title

SOURCE = Path(__file__).resolve().parent.parent / "src" / "paddock"
TEMPLATE = SOURCE / "locale" / "paddock.pot"
METHODS = [("**/migrations/**", "ignore"), ("**.py", "python"), ("**.html", "jinja2.ext:babel_extract")]
KEYWORDS = {
    "_": None,
    "mark": None,
    "plural": (1, 2),
    "Sentence": (1,),
    "Paint": (1,),
    "Livery": (1,),
}  # names of colours


def catalogue() -> Catalog:
    """Return every message in the source, the templates and the descriptions of titles."""
    found = Catalog(project="paddock", charset="utf-8")
    options = {"**.html": {"trim_blocks": "true", "lstrip_blocks": "true", "silent": "false"}}
    for file, line, message, comments, context in extract_from_dir(SOURCE, METHODS, options, KEYWORDS):
        found.add(message, None, [(file, line)], auto_comments=comments, context=context)
    for title in titles().values():
        for word in words(title):
            found.add(word, None, [(f"title {title.name}", 0)])
    return found


def words(title: Title) -> Iterator[str]:
    """Yield the texts of a title's rulebook and bots, which are translated when they are shown."""
    yield from (title.tagline, title.round_name, title.rounds_option, title.player_name)
    yield from (title.players_option, title.seat_name)
    for row in title.options.describe():
        yield row["name"].replace("_", " ")
        yield row["help"]
        yield from (choice for choice in row["choices"] if isinstance(choice, str))
    yield from (level.label for level in levels(title))


def main() -> int:
    """Write the template."""
    found = catalogue()
    TEMPLATE.parent.mkdir(exist_ok=True)
    with TEMPLATE.open("wb") as stream:
        write_po(stream, found, width=110, sort_by_file=True)
    print(f"{TEMPLATE.relative_to(SOURCE.parent.parent)}: {len(found)} messages")
    return 0


if __name__ == "__main__":
    sys.exit(main())
