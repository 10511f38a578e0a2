"""Write the template of a package's catalogue, update its translations, and check them (``make messages``).

``make messages`` writes ``src/paddock/locale/paddock.pot``. ``make messages PACKAGE=skerries`` writes
``locale/skerries.pot`` in an installed package of titles, without the messages that Paddock's template has.

A language is a folder beside the template: ``de/LC_MESSAGES/paddock.po``, which Paddock reads as it is, and
``cldr.json``, which says how it writes lists, numbers and dates. ``make messages NEW=it`` starts one.
docs/translate.md is the page for translators.
"""

from __future__ import annotations

import json
import re
import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from datetime import UTC, datetime
from importlib.resources import files
from pathlib import Path
from typing import Any

from babel import Locale
from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po
from babel.numbers import get_decimal_symbol, get_group_symbol
from typer.main import get_command

import way
from catalogues import faults, hints
from paddock import titles
from paddock.cli import app
from paddock.core.words import NAMELESS
from paddock.trials.languages import words

PADDOCK = "paddock"
WHOLE = ("de",)  # languages in which no message may be missing
WIDTH = 110
MOST = 40  # faults that are printed
_DATE = datetime(2026, 11, 26, tzinfo=UTC)  # of every file: else each run would change them
METHODS = [("**/migrations/**", "ignore"), ("**.py", "python"), ("**.html", "jinja2.ext:babel_extract")]
COMMENTS = ("Translators:",)
KEYWORDS = {
    "_": None,
    "mark": None,
    "pgettext": ((1, "c"), 2),
    "pmark": ((1, "c"), 2),
    "plural": (1, 2),
    "Sentence": (1,),
    "Livery": (1,),  # names of colours
}
# English that is a verb and a noun, or means different things in different games: a message of one of these
# words and fields needs a context. Exempt are plurals, which are nouns, and the words of rulebooks,
# which have comments.
AMBIGUOUS = frozenset(
    re.findall(
        r"\w+",
        """
        all bar call calls challenge champion change changed clear close closed club deal deals
        discard draft draw drawn draws drive driver extend fund guide hold holds lead leads leave
        light move off open order orders pass passed passes pause pit play raise rate record repair
        round rounds running same scout share stand standard start stay steal step steps stop supply
        table title transport turn turns wins works
        """,
    )
)
_FIELD = re.compile(r"\{[^}]*\}")


def catalogue(package: str = PADDOCK, shared: Catalog | None = None) -> Catalog:
    """Return every message of a package: in its source, its templates, and the data of its titles. Those come
    first that a player reads first.

    Those in ``shared``, by default the messages of Paddock, are left out for another package.
    """
    found = _empty(package)
    shared = Catalog() if package == PADDOCK else shared or catalogue()
    options = {"**.html": {"trim_blocks": "true", "lstrip_blocks": "true", "silent": "false"}}
    for file, _line, message, comments, context in extract_from_dir(
        folder(package), METHODS, options, KEYWORDS, COMMENTS, strip_comment_tags=True
    ):
        if shared.get(message, context) is None:
            found.add(message, None, [(file, None)], auto_comments=comments, context=context)
    for text in command_line() if package == PADDOCK else ():
        found.add(text, None, [("command line", None)], auto_comments=["help of a command; keep its lines"])
    for title in titles().values():
        for word, comment in words(title) if title.package.partition(".")[0] == package else ():
            if word not in shared:
                found.add(word, None, [(f"title {title.name}", None)], auto_comments=[comment])
        if title.package.partition(".")[0] == package and shared.get(title.player_name, NAMELESS) is None:
            found.add(title.player_name, None, [(f"title {title.name}", None)], context=NAMELESS)
    return way.ordered(found, _empty(package))


def _empty(package: str, code: str | None = None) -> Catalog:
    return Catalog(
        code,
        project=package,
        header_comment=f"# Messages of {package}, with its licence. docs/translate.md says how to edit this.",
        creation_date=_DATE,
        revision_date=_DATE,
        fuzzy=False,
    )


def folder(package: str) -> Path:
    """Return the folder of an installed package."""
    return Path(str(files(package)))


def command_line() -> Iterator[str]:
    """Yield the help of every command and its parameters, which ``terminal.completion`` translates."""
    waiting: list[Any] = [get_command(app)]
    for command in waiting:
        yield from filter(None, (command.help, command.epilog))
        yield from filter(None, (getattr(parameter, "help", None) for parameter in command.params))
        waiting += getattr(command, "commands", {}).values()


def ambiguous(found: Catalog) -> list[str]:
    """Return the messages that need a context and have none."""
    bare = (
        one for one in found if one.id and not one.context and not one.pluralizable and not _of_rulebook(one)
    )
    return [str(one.id) for one in bare if _FIELD.sub("", str(one.id)).strip(" .:…").lower() in AMBIGUOUS]


def _of_rulebook(one: Message) -> bool:
    return bool(one.locations) and all(place.startswith("title ") for place, _line in one.locations)


def languages(package: str = PADDOCK) -> dict[str, Path]:
    """Return the files of the languages of a package, by code."""
    found = sorted((folder(package) / "locale").glob(f"*/LC_MESSAGES/{package}.po"))
    return {file.parent.parent.name: file for file in found}


def read(file: Path, code: str) -> Catalog:
    """Read the file of a language."""
    with file.open("rb") as stream:
        return read_po(stream, code, charset="utf-8")


def write(file: Path, found: Catalog) -> None:
    """Write a template or a language, in the order of its messages."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.open("wb") as stream:
        write_po(stream, found, width=WIDTH, include_lineno=False, include_previous=False)


def cldr(code: str) -> dict[str, object]:
    """Return how a language writes lists, numbers and dates, and what it calls itself, as Babel knows it."""
    locale = Locale.parse(code)
    name = locale.get_display_name() or code
    return {
        "name": name[:1].upper() + name[1:],
        "and": dict(locale.list_patterns["standard"]),
        "or": dict(locale.list_patterns["or"]),
        "decimal": get_decimal_symbol(locale),
        "group": get_group_symbol(locale),
        "date": _figures(locale.date_formats["short"].pattern),
    }


def _figures(pattern: str) -> str:
    """Return a pattern of dates in figures as a format of Python, with the whole year: «dd.MM.yy» as
    «{d:02}.{m:02}.{y}»."""
    parts = {"d": "{d}", "dd": "{d:02}", "M": "{m}", "MM": "{m:02}"}
    return re.sub(
        r"'([^']*)'|y+|d+|M+",
        lambda found: "{y}" if found[0][0] == "y" else parts.get(found[0], found[1] or ""),
        pattern,
    )


def main() -> int:
    """Write the template and the languages again; return 1 if a check fails."""
    parser = ArgumentParser(
        description="Write the template of a package's catalogue, and update its languages."
    )
    parser.add_argument(
        "package", nargs="?", default=PADDOCK, help="an installed package; Paddock by default"
    )
    parser.add_argument("--new", metavar="CODE", help="a language to start")
    chosen = parser.parse_args()
    package, found = chosen.package, catalogue(chosen.package)
    place = folder(package) / "locale"
    write(place / f"{package}.pot", found)
    print(f"{place / f'{package}.pot'}: {len(found)} messages")
    wrong = [f"“{message}” needs a context" for message in ambiguous(found)]
    there = languages(package)
    if chosen.new:  # whoever begins a language is told nothing about others
        there = {chosen.new: place / chosen.new / "LC_MESSAGES" / f"{package}.po"}
    for code, file in there.items():
        now = read(file, code) if file.exists() else _empty(package, code)
        now.update(found, no_fuzzy_matching=True, update_creation_date=False)
        write(file, now)
        if package == PADDOCK:
            text = json.dumps(cldr(code), ensure_ascii=False, indent=2)
            (place / code / "cldr.json").write_text(text + "\n", "utf-8")
        missing = sum(
            not one.string or (isinstance(one.string, tuple) and not all(one.string)) for one in now if one.id
        )
        print(f"{file}: {len(now) - missing} of {len(now)} messages")
        if missing and package == PADDOCK:
            for line in way.progress(now):
                print(f"  {line}")
        for hint in hints(now):
            print(f"  long: {hint}")
        wrong += [f"{code}: {fault}" for fault in faults(now, whole=code in WHOLE)]
    for fault in wrong[:MOST]:
        print(f"  {fault}", file=sys.stderr)
    if len(wrong) > MOST:
        print(f"  and {len(wrong) - MOST} more", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
