"""The terms of tables as the set-up page and the lobby show them, made from their declaration."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from paddock.core.errors import BadOption
from paddock.core.i18n import _, plural
from paddock.core.options import value_text
from paddock.tables import TERM_WORDS, Terms, TermWords, clock

CLOCKS = ("", "300+5", "900+10", "3600+60", "259200+28800")  # the choices on the set-up page
GRACES = (0, 120, 600, 3600, 86400)


@dataclass(frozen=True)
class TermRow:
    """A term as pages show it."""

    name: str
    label: str
    help: str
    value: str  # as forms write it
    choices: Sequence[tuple[str, str]]  # the values that the set-up page offers, each with its words
    told: str  # the value in the words of the lobby
    of_bots: bool


def span(seconds: int) -> str:
    """Return a duration in words: 10 min, 3 days."""
    if seconds and seconds % 86400 == 0:
        return plural("{n} day", "{n} days", seconds // 86400)
    if seconds and seconds % 3600 == 0:
        return plural("{n} hour", "{n} hours", seconds // 3600)
    if seconds and seconds % 60 == 0:
        return plural("{n} min", "{n} min", seconds // 60)
    return plural("{n} s", "{n} s", seconds)


def clock_words(text: str) -> str:
    """Return the time control of a table in words."""
    found = clock.read(text)
    if found is None:
        return _("untimed")
    if not found.increment:
        return _("{bank} each").format(bank=span(found.bank))
    words = _("{bank} each, and {increment} for every decision")
    return words.format(bank=span(found.bank), increment=span(found.increment))


def grace_words(seconds: int) -> str:
    """Return in words when a bot stands in for a person who is away."""
    if not seconds:
        return _("never: the table waits")
    return _("after {time}, until they are back").format(time=span(seconds))


def term_rows(chosen: Mapping[str, str]) -> list[TermRow]:
    """Return every term with the value that is ``chosen`` in a form."""
    return [_row(name, words, chosen[name]) for name, words in TERM_WORDS.items()]


def told_terms(terms: Terms) -> list[TermRow]:
    """Return the terms that the lobby tells; whether the table is listed comes last."""
    rows = term_rows({name: value_text(value) for name, value in vars(terms).items()})
    return sorted((row for row in rows if not row.of_bots), key=lambda row: row.name == "listed")


def _row(name: str, words: TermWords, chosen: str) -> TermRow:
    if name == "clock":
        choices = [(text, _clock(text)) for text in dict.fromkeys((*CLOCKS, chosen))]
    elif name == "grace":
        seconds = int(chosen) if chosen.isascii() and chosen.isdigit() and len(chosen) < 8 else 0
        choices = [(str(n), grace_words(n)) for n in dict.fromkeys((*GRACES, seconds))]
    else:
        choices = [(value, _(asked)) for value, (asked, _told) in words.values.items()]
    told = dict(choices) | {value: _(told) for value, (_asked, told) in words.values.items() if told}
    label, help = _(words.label), _(words.help)
    return TermRow(name, label, help, chosen, choices, told.get(chosen, chosen), words.of_bots)


def _clock(text: str) -> str:
    """Return a clock in words, or the text itself if it is invalid (the form shows the error)."""
    try:
        return clock_words(text)
    except BadOption:
        return text[:32]
