"""The room ``text.py``: all sentences and notation of a title."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

from paddock.core.errors import BadMove, brief
from paddock.core.i18n import _, mark, pgettext
from paddock.core.log import Event
from paddock.core.rooms import above
from paddock.core.rooms.basics import Known, Move, Titled, Usual
from paddock.core.rooms.view import known
from paddock.core.state_text import check, into_record, of_record

_NUMBER = r"(?<!\w)\d+(?!\w)"


class Text(Protocol):
    """The room ``text.py``: all sentences and notation of the title. ``g`` is the game's ``Setup``."""

    def move(self, g: Any, id: int) -> Move:
        """Return the typed move with this id."""

    def parse_move(self, g: Any, text: str) -> Move:
        """Parse a move in notation; raise ``BadMove`` or ``IllegalMove``."""

    def refusal(self, s: Any, g: Any, seat: int, code: int, move: int) -> tuple[str, str]:
        """Return (clause, sentence) for a code that ``why`` returned for this state, seat and move."""

    def label(self, seen: Known, seat: int, move: int) -> str:
        """Return the text of a button: the move and its consequence."""

    def status(self, seen: Known) -> str:
        """Return one line that says who must decide what."""

    def board(self, seen: Known) -> list[str]:
        """Return the board and the visible hands as lines for a terminal.

        For a large board, a title may add ``small(seen, seat, width, height)``: what the seat needs of it for
        a decision, in so many lines of ``width`` letters if it can.
        """

    def line(self, g: Any, event: Event, names: Sequence[str]) -> str:
        """Return the sentence for an event, or an empty text. ``names`` are the names of the seats."""

    def chance_heading(self, s: Any, g: Any) -> str:
        """Return what chance decides now, as in records: ``deal 1``."""

    def outcome(self, g: Any, id: int) -> str:
        """Return the notation of a chance outcome, one word."""

    def parse_outcome(self, g: Any, heading: str, text: str) -> int:
        """Parse a chance outcome under a heading; return its id or raise ``BadMove``."""

    def position(self, s: Any, g: Any) -> str:
        """Return the state as ``name=value`` words."""

    def parse_position(self, words: dict[str, str], g: Any) -> Any:
        """Parse ``name=value`` words into a state; raise ``BadPosition`` with every fault."""

    def result_fault(self, places: Sequence[int], scores: Sequence[int], g: Any) -> str:
        """Return why no round can end with these results by seat; empty if one can. Place 0: none."""


@dataclass(frozen=True)
class Word:
    """A move whose notation is a word of a list."""

    id: int
    word: str

    def __str__(self) -> str:
        return self.word


class UsualText(Usual):
    """Notation by lists of words, and plain sentences."""

    # The sentence of an event, by its code: «{name} rolls {b}.»; {name} is that of seat {a}
    EVENTS: Mapping[int, str] = {}
    # What the board in words calls the fields of the state: with any of them, it shows no others
    FIELDS: Mapping[str, str] = {}

    @cached_property
    def MOVES(self) -> Sequence[str]:
        """The notation of every move, by id."""
        return [str(id) for id in range(self.title.rules.ACTIONS)]

    @cached_property
    def OUTCOMES(self) -> Sequence[str]:
        """The notation of every outcome, by id."""
        return [str(id) for id in range(self.title.rules.OUTCOMES)]

    @cached_property
    def LABELS(self) -> Sequence[str]:
        """The text of the button of every move, by id: «Take 2» for ``take2``."""
        return [button_word(word) for word in self.MOVES]

    def move(self, g: Any, id: int) -> Move:
        return Word(id, self.MOVES[id])

    def parse_move(self, g: Any, text: str) -> Move:
        """Return the move that ``MOVES`` writes so; raise ``BadMove``."""
        word = " ".join(text.split())
        if word in self.MOVES:
            return Word(self.MOVES.index(word), word)
        raise BadMove(
            _("“{text}” is not a move: write {words}").format(
                text=brief(text), words=_first_words(self.MOVES)
            )
        )

    def refusal(self, s: Any, g: Any, seat: int, code: int, move: int) -> tuple[str, str]:
        """Return the clause and the sentence for a reason of ``REASONS``; without one, say what is legal."""
        # The default room of refusals has them; a title with a room of its own must have them, too.
        reasons: Sequence[tuple[str, str]] = self.title.refusals.REASONS
        clause, sentence = reasons[code]
        if sentence:
            return clause, _(sentence).format(move=_(str(self.move(g, move))))
        words = _first_words([str(self.move(g, id)) for id in self.title.legal(s, g, seat)])
        template = _("{move} is not possible now: choose {words}")
        return clause, template.format(move=self.move(g, move), words=words)

    def label(self, seen: Known, seat: int, move: int) -> str:
        return numbered(self.LABELS[move])

    def status(self, seen: Known) -> str:
        """Return who is first at the end, else who must decide, else that chance does."""
        if not self.title.rules.who(seen.state, seen.setup):
            _scores, places = self.title.results(seen.state, seen.setup)
            winners = [name for name, place in zip(seen.seat_names, places, strict=False) if place == 1]
            return _("The {game} is over. First: {names}.").format(
                game=_(self.title.round_name), names=_(", ").join(winners) or "–"
            )
        if names := [seen.seat_name(seat) for seat in seen.deciders]:
            return _("To decide: {names}.").format(names=_(", ").join(names))
        return _("Chance decides.")

    def board(self, seen: Known) -> list[str]:
        """A line for each seat with its numbers, then the other fields of the state that are not 0."""
        every = known(seen)
        fields = {_(self.FIELDS.get(k, k)): every[k] for k in self.FIELDS or every}
        seats = self.title.rules.MAX_SEATS
        by_seat = {k: v for k, v in fields.items() if isinstance(v, list) and len(v) == seats}
        lines = [
            f"{name}: {', '.join(f'{field} {_numbers_text(row[seat])}' for field, row in by_seat.items())}"
            for seat, name in enumerate(seen.seat_names)
        ]
        other_fields = ", ".join(
            f"{k} {_numbers_text(v)}" for k, v in fields.items() if v != 0 and k not in by_seat
        )
        return [*lines, other_fields] if other_fields else lines

    def line(self, g: Any, event: Event, names: Sequence[str]) -> str:
        name = names[event.a] if 0 <= event.a < len(names) else ""
        return _(self.EVENTS.get(event.code, "")).format(name=name, a=event.a, b=event.b, c=event.c)

    def chance_heading(self, s: Any, g: Any) -> str:
        """Return «deal 2» for what seat 1 alone sees, as ``drawing`` of the rules says; else «chance»."""
        drawing = getattr(self.title.rules, "drawing", None)
        seat = drawing(s, g) if drawing else -1
        return f"deal {seat + 1}" if seat >= 0 else "chance"

    def outcome(self, g: Any, id: int) -> str:
        return self.OUTCOMES[id]

    def parse_outcome(self, g: Any, heading: str, text: str) -> int:
        """Return the id of the outcome that ``OUTCOMES`` writes so; raise ``BadMove``."""
        if text in self.OUTCOMES:
            return self.OUTCOMES.index(text)
        raise BadMove(
            _("“{text}” is not an outcome: write {words}").format(
                text=brief(text), words=_first_words(self.OUTCOMES)
            )
        )

    def position(self, s: Any, g: Any) -> str:
        return of_record(s)

    def parse_position(self, words: dict[str, str], g: Any) -> Any:
        s = into_record(self.title.rules.State, words)
        check(_faults(self.title, s, g))
        return s

    def result_fault(self, places: Sequence[int], scores: Sequence[int], g: Any) -> str:
        least, most = self.title.rules.MIN_SCORE, self.title.rules.MAX_SCORE
        if all(least <= score <= most for score in scores):
            return ""
        return _("a score is a number from {least} to {most}").format(least=least, most=most)


def _numbers_text(value: Any) -> str:
    """Return the numbers of a field; a ``?`` is hidden among others that are not."""
    if _all_hidden(value):
        return pgettext("a number of a board", "hidden")
    if isinstance(value, list):
        return " ".join("?" if part is None else _numbers_text(part) for part in value)
    return str(value)


def _all_hidden(value: Any) -> bool:
    return all(map(_all_hidden, value)) if isinstance(value, list) else value is None


def pattern(text: str) -> tuple[str, dict[str, str]]:
    """Return a text with its numbers as fields, and the numbers: «Take 2» is «Take {a}», with 2 for a."""
    numbers = dict(zip("abcdefgh", re.findall(_NUMBER, text), strict=False))
    fields = iter(numbers)
    return re.sub(_NUMBER, lambda number: f"{{{next(fields)}}}", text, count=len(numbers)), numbers


def numbered(text: str) -> str:
    """Return a text of a list in the current language: translated as it is, else by its ``pattern``."""
    said = _(text)
    if said != text:
        return said
    template, numbers = pattern(text)
    translated = _(template)
    return translated.format(**numbers) if translated != template else text


def button_word(word: str) -> str:
    """Return a word of a notation as a button says it: «Take 2», «Turn left»."""
    spaced = re.sub(r"(?<=[^\W\d_]{2})(?=\d)", " ", word.replace("_", " "))
    return spaced[:1].upper() + spaced[1:]


def _first_words(words: Sequence[str], most: int = 12) -> str:
    """Return words in a sentence: all of them, or the first ones."""
    return ", ".join(words) if len(words) <= most else ", ".join([*words[: most - 1], "…"])


def _faults(title: Titled, s: Any, g: Any) -> Sequence[str]:
    """Return why no game gets into a state: an invariant that it breaks, or that the rules cannot go on."""
    try:
        reason = _broken(title, s, g)
    except (ArithmeticError, LookupError, ValueError):
        return [_("no game gets into this state")]
    return [_("no game gets into this state: {reason}").format(reason=_(reason))] if reason else []


def _broken(title: Titled, s: Any, g: Any) -> str:
    """Return what is wrong with a state; empty if nothing is."""
    kernel = above.kernel()
    if code := kernel.broken(title, s, g):
        return str(title.invariants.INVARIANTS[code])
    if not title.rules.who(s, g):
        return mark("the game is over")
    derived = kernel.whole_rules(title)
    return derived.INVARIANTS[derived.every_broken(s, g)]
