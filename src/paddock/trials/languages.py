"""Whether a title says everything in the languages that it lists."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

from paddock.bots import levels
from paddock.core.clauses import BadClause
from paddock.core.i18n import ENGLISH, _, language, languages, pmark, translated
from paddock.core.rooms.text import UsualText, button_word, pattern
from paddock.core.title import Title
from paddock.core.words import NAMELESS
from paddock.trials.lists import misformed
from paddock.trials.trial import Fault, NotTried, Trial

MOST = 6  # messages that are named
_WORD = re.compile(r"[^\W\d_]{2}")  # what has no word is the same in every language


def words(title: Title) -> Iterator[tuple[str, str]]:
    """Yield the words that pages translate when shown, of a title's rulebook, bots and lists; and what each
    is."""
    game = title.label
    yield title.tagline, f"{game} in one sentence"
    yield title.round_name, f"{game}: what one game is called, a noun"
    yield title.rounds_option, f"{game}: several games, a noun in the plural"
    yield title.player_name, f"{game}: who plays, a noun"
    yield title.players_option, f"{game}: those who play, a noun in the plural"
    yield title.seat_name, f"{game}: what a player moves, a noun"
    for preset in title.presets:
        yield from (
            (preset.label, f"{game}: a ready set-up"),
            (preset.says, f"{game}: what a ready set-up is"),
        )
    for row in title.options.describe():
        said = [word for _value, *said in row.values for word in said]
        of = f"{game}: option {row.name}"
        pairs = [(row.label, f"{of}, its name"), (row.help, f"{of}, what it does")]
        pairs += [(row.write, f"{of}, what to write"), (row.group, f"{of}, its group")]
        pairs += [(word, f"{of}, a value") for word in said]
        yield from ((word, comment) for word, comment in pairs if word)
    yield from ((level.label, "level of bots") for level in levels(title))
    yield from ((word, f"{game}: {comment}") for word, comment in listed_words(title))


def listed_words(title: Title) -> Iterator[tuple[str, str]]:
    """Yield the words of the lists in ``text.py`` whose defaults show them, and what each is."""
    text, own = title.text, vars(title.text)
    if not isinstance(text, UsualText):
        return
    if "label" not in own:
        derived = [button_word(word) for word in text.MOVES] == text.LABELS
        said = dict.fromkeys(pattern(label)[0] if derived else label for label in text.LABELS)
        yield from ((label, "a button; {a} is a number") for label in said if _WORD.search(label))
    if "line" not in own:
        yield from ((said, "an event") for said in text.EVENTS.values())
    if "board" not in own:
        fields = [name for name, _code, _shape in title.rules.State.kernel_layout]
        yield from ((text.FIELDS.get(name, name), "a field of the board") for name in text.FIELDS or fields)


def wanting(title: Title, code: str) -> list[str]:
    """Return the messages of a title that have no translation in a language."""
    before = language.get()
    try:
        language.set(ENGLISH)
        said = [word for word, _comment in words(title)]
        said += [sentence for _clause, sentence in getattr(title.refusals, "REASONS", ()) if sentence]
        said.append(pmark(NAMELESS, title.player_name))
        language.set(code)
        return [
            word for word in dict.fromkeys(said) if not translated(word) and not translated(pattern(word)[0])
        ]
    finally:
        language.set(before)


def listed(title: Title, seed: int) -> str:
    """Every word of the title is translated into each language that it has a file for."""
    package = title.package.partition(".")[0]
    if package == "paddock":
        raise NotTried("make messages looks for what Paddock's own titles lack")
    place = Path(str(files(title.package)))
    codes = [code for code in languages() if code != ENGLISH and _lists(place, package, code)]
    for code in codes:
        _rules_in(title, code)
        if missing := wanting(title, code):
            named = ", ".join(f"“{word.rpartition(chr(4))[2]}”" for word in missing[:MOST])
            more = f" and {len(missing) - MOST} more" if len(missing) > MOST else ""
            raise Fault(f"locale/{code}/LC_MESSAGES/{package}.po", f"{code}: no translation of {named}{more}")
    return ", ".join(codes) or "English alone"


def _rules_in(title: Title, code: str) -> None:
    """Raise ``Fault`` if the rules in a language have another form than in English, or a sentence of an
    event other fields."""
    before = language.get()
    language.set(code)
    try:
        title.rulebook  # noqa: B018  # it is read here
        own = isinstance(title.text, UsualText) and "line" not in vars(title.text)
        for sentence in title.text.EVENTS.values() if own else ():  # type: ignore[attr-defined]
            if fault := misformed(_(sentence)):
                raise Fault(f"locale/{code}/LC_MESSAGES/{title.package.partition('.')[0]}.po", fault)
    except BadClause as fault:
        raise Fault(f"RULES.{code}.md", str(fault)) from None
    finally:
        language.set(before)


def _lists(place: Path, package: str, code: str) -> bool:
    """Whether a title has a catalogue or the rules in a language."""
    catalogue = place / "locale" / code / "LC_MESSAGES" / f"{package}.po"
    return catalogue.is_file() or (place / f"RULES.{code}.md").is_file()


LANGUAGES = (Trial("languages", "RULES.md", listed),)
