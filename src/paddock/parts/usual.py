"""The defaults for what the rooms of a title leave out.

``completed`` joins a room and its defaults. Each class below has the defaults of one room; a title's own
function or constant of the same name takes precedence, also for the defaults that use it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from paddock.core import rooms
from paddock.core.errors import BadMove, PaddockError, brief
from paddock.core.i18n import _, mark, pgettext
from paddock.core.log import Event
from paddock.core.notebook import Drawn
from paddock.core.rooms import Move
from paddock.core.title import Seen, Title, titles
from paddock.core.words import HIDDEN
from paddock.kernel.record import layout_of
from paddock.parts import position as positions


class Room:
    """The defaults of a room of ``title``, and what it has of its ``own``."""

    def __init__(self, title: Title, own: Mapping[str, Any]) -> None:
        self.title = title
        vars(self).update(own)


class Setup(Room):
    """``setup.py``: the options of the same names."""

    def setup(self, options: Any) -> Any:
        g = self.title.rules.Setup()
        for name, _code, shape in layout_of(g):
            value = getattr(options, name, None)
            if shape or not isinstance(value, int):
                raise PaddockError(f"no option is Setup.{name}: write {self.title.package}/setup.py")
            setattr(g, name, int(value))
        return g


class Refusals(Room):
    """``refusals.py``: ``why_not`` of the rules says why.

    Without it there is one reason, that the move is not in the list; its clause is that of ``legal``.
    """

    @cached_property
    def CODES(self) -> int:
        return len(self.REASONS)

    @cached_property
    def REASONS(self) -> Sequence[tuple[str, str]]:
        clause = re.search(r"[A-Z]{2}-\d+\.\d+", self.title.rules.legal.__doc__ or "")
        return ("", ""), (clause[0] if clause else "", "")

    def why(self, s: Any, g: Any, seat: int, move: int) -> int:
        why_not = getattr(self.title.rules, "why_not", None)
        return why_not(s, g, seat, move) if why_not else int(move not in self.title.legal(s, g, seat))


@dataclass(frozen=True)
class TheView(Drawn):
    """What the eyes see of a game: the numbers of its set-up, and every field of its state."""

    title: str
    round: int  # from 1
    rounds: int
    names: tuple[str, ...]  # of the seats
    deciders: tuple[int, ...]
    over: bool
    setup: Mapping[str, int]
    state: Mapping[str, Any]  # rows as lists, grids as lists of lists; None is a number that is hidden

    def _repr_svg_(self) -> str | None:
        svg = getattr(titles()[self.title].draw, "svg", None) if self.title in titles() else None
        return svg(self) if svg else None


class View(Room):
    """``view.py``."""

    def view(self, seen: Seen) -> TheView:
        g = seen.setup
        return TheView(
            title=self.title.name,
            round=min(len(seen.rounds) + 1, seen.options.rounds),
            rounds=seen.options.rounds,
            names=tuple(seen.seat_names),
            deciders=seen.deciders,
            over=not self.title.rules.who(seen.state, g),
            setup={name: getattr(g, name) for name, _code, shape in layout_of(g) if not shape},
            state=_known(seen),
        )


_WIPED = (0, HIDDEN)


def _known(seen: Seen) -> dict[str, Any]:
    """Return the fields of a state as ``positions.values``, with None for what the eyes cannot know.

    ``hide`` has wiped a number if it is 0 or HIDDEN, and wipes another number in its place, too.
    """
    fields = positions.values(seen.state)
    for name, value in fields.items():
        tried = seen.state.copy()
        positions.fill(tried, name, _map(value, lambda n: 1 if n in _WIPED else n))
        with suppress(ArithmeticError, LookupError, ValueError):  # no state of the rules: nothing is told
            seen.title.rules.hide(tried, seen.setup, seen.eyes)
            after = positions.values(tried)[name]
            fields[name] = _map(value, lambda n, then: None if n in _WIPED and then == n else n, after)
    return fields


def _map(value: Any, change: Callable[..., Any], *others: Any) -> Any:
    """Apply a function to every number of a field, and to those of others of the same form."""
    if isinstance(value, list):
        return [_map(part, change, *rest) for part, *rest in zip(value, *others, strict=True)]
    return change(value, *others)


class Features(Room):
    """``features.py``: see ``paddock.kernel.fields.observation``."""

    def __init__(self, title: Title, own: Mapping[str, Any]) -> None:
        from paddock.kernel.loader import whole_rules  # imported late: only defaults need it

        if own:
            raise PaddockError(f"{title.package}.features needs all of FEATURES, FIELDS and observe")
        derived = whole_rules(title)
        super().__init__(title, {name: getattr(derived, name) for name in ("FEATURES", "FIELDS", "observe")})


class Invariants(Room):
    """``invariants.py``: what is true in every state of every title. No option is a text."""

    SAMPLES: Mapping[str, Sequence[str]] = {}

    @cached_property
    def INVARIANTS(self) -> Sequence[str]:
        from paddock.kernel.loader import whole_rules  # imported late: only defaults need it

        derived: Sequence[str] = whole_rules(self.title).INVARIANTS
        return derived


@dataclass(frozen=True)
class Word:
    """A move whose notation is a word of a list."""

    id: int
    word: str

    def __str__(self) -> str:
        return self.word


class Text(Room):
    """``text.py``: notation by lists of words, and plain sentences."""

    # The sentence of an event, by its code: «{name} rolls {b}.»; {name} is that of seat {a}
    EVENTS: Mapping[int, str] = {}

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
        return [_spaced(word) for word in self.MOVES]

    def move(self, g: Any, id: int) -> Move:
        return Word(id, self.MOVES[id])

    def parse_move(self, g: Any, text: str) -> Move:
        word = " ".join(text.split())
        if word in self.MOVES:
            return Word(self.MOVES.index(word), word)
        raise BadMove(
            _("«{text}» is not a move: write {words}").format(text=brief(text), words=_some(self.MOVES))
        )

    def refusal(self, s: Any, g: Any, seat: int, code: int, move: int) -> tuple[str, str]:
        # ``Refusals`` above has them; a title with its own ``refusals.py`` and these texts must, too
        reasons: Sequence[tuple[str, str]] = self.title.refusals.REASONS  # type: ignore[attr-defined]
        clause, sentence = reasons[code]
        if sentence:
            return clause, _(sentence).format(move=_(str(self.move(g, move))))
        words = _some([str(self.move(g, id)) for id in self.title.legal(s, g, seat)])
        said = _("{move} is not possible now: choose {words}")
        return clause, said.format(move=self.move(g, move), words=words)

    def label(self, seen: Seen, seat: int, move: int) -> str:
        return _(self.LABELS[move])

    def status(self, seen: Seen) -> str:
        if not self.title.rules.who(seen.state, seen.setup):
            _scores, places = self.title.results(seen.state, seen.setup)
            first = [name for name, place in zip(seen.seat_names, places, strict=False) if place == 1]
            return _("The {game} is over. First: {names}.").format(
                game=_(self.title.round_name), names=_(", ").join(first) or "–"
            )
        if names := [seen.seat_name(seat) for seat in seen.deciders]:
            return _("To decide: {names}.").format(names=_(", ").join(names))
        return _("Chance decides.")

    def board(self, seen: Seen) -> list[str]:
        """A line for each seat with its numbers, then the other fields of the state that are not 0."""
        fields = _known(seen)
        seats = self.title.rules.MAX_SEATS
        by_seat = {k: v for k, v in fields.items() if isinstance(v, list) and len(v) == seats}
        lines = [
            f"{name}: {', '.join(f'{field} {_flat(row[seat])}' for field, row in by_seat.items())}"
            for seat, name in enumerate(seen.seat_names)
        ]
        others = ", ".join(f"{k} {_flat(v)}" for k, v in fields.items() if v != 0 and k not in by_seat)
        return [*lines, others] if others else lines

    def line(self, g: Any, event: Event, names: Sequence[str]) -> str:
        name = names[event.a] if 0 <= event.a < len(names) else ""
        return _(self.EVENTS.get(event.code, "")).format(name=name, a=event.a, b=event.b, c=event.c)

    def chance_heading(self, s: Any, g: Any) -> str:
        return "chance"

    def outcome(self, g: Any, id: int) -> str:
        return self.OUTCOMES[id]

    def parse_outcome(self, g: Any, heading: str, text: str) -> int:
        if text in self.OUTCOMES:
            return self.OUTCOMES.index(text)
        raise BadMove(
            _("«{text}» is not an outcome: write {words}").format(
                text=brief(text), words=_some(self.OUTCOMES)
            )
        )

    def position(self, s: Any, g: Any) -> str:
        return positions.of_record(s)

    def parse_position(self, words: dict[str, str], g: Any) -> Any:
        s = positions.into_record(self.title.rules.State, words)
        positions.check(_faults(self.title, s, g))
        return s

    def result_fault(self, places: Sequence[int], scores: Sequence[int], g: Any) -> str:
        least, most = self.title.rules.MIN_SCORE, self.title.rules.MAX_SCORE
        if all(least <= score <= most for score in scores):
            return ""
        return _("a score is a number from {least} to {most}").format(least=least, most=most)


def _flat(value: Any) -> str:
    """Return the numbers of a field; a ``?`` is hidden among others that are not."""
    if _none(value):
        return pgettext("a number of a board", "hidden")
    if isinstance(value, list):
        return " ".join("?" if part is None else _flat(part) for part in value)
    return str(value)


def _none(value: Any) -> bool:
    return all(map(_none, value)) if isinstance(value, list) else value is None


def _spaced(word: str) -> str:
    """Return a word of a notation as a button says it: «Take 2», «Turn left»."""
    spaced = re.sub(r"(?<=[^\W\d_]{2})(?=\d)", " ", word.replace("_", " "))
    return spaced[:1].upper() + spaced[1:]


def _some(words: Sequence[str], most: int = 12) -> str:
    """Return words in a sentence: all of them, or the first ones."""
    return ", ".join(words) if len(words) <= most else ", ".join([*words[: most - 1], "…"])


def _faults(title: Title, s: Any, g: Any) -> Sequence[str]:
    """Return why no game gets into a state: an invariant that it breaks, or that the rules cannot go on."""
    try:
        reason = _broken(title, s, g)
    except (ArithmeticError, LookupError, ValueError):
        return [_("no game gets into this state")]
    return [_("no game gets into this state: {reason}").format(reason=_(reason))] if reason else []


def _broken(title: Title, s: Any, g: Any) -> str:
    """Return what is wrong with a state; empty if nothing is."""
    from paddock.kernel.loader import load_kernel, whole_rules  # imported late: only defaults need it

    if code := load_kernel(title, compiled=False).broken(s, g):
        return str(title.invariants.INVARIANTS[code])
    if not title.rules.who(s, g):
        return mark("the game is over")
    every = whole_rules(title)
    said: str = every.INVARIANTS[every.every_broken(s, g)]
    return said


ROOMS: Mapping[str, tuple[type[Any], type[Room]]] = {  # the protocol of each, and its defaults
    "features": (rooms.Features, Features),
    "invariants": (rooms.Invariants, Invariants),
    "refusals": (rooms.Refusals, Refusals),
    "setup": (rooms.SetupRoom, Setup),
    "text": (rooms.Text, Text),
    "view": (rooms.View, View),
}


def completed(title: Title, name: str) -> Any:
    """Return the room ``name`` of a title: the module if it leaves nothing out, else joined with defaults."""
    room, (protocol, defaults) = title.room(name), ROOMS[name]
    if room and all(hasattr(room, part) for part in rooms.names(protocol)):
        return room
    own = {part: value for part, value in vars(room).items() if not part.startswith("__")} if room else {}
    return defaults(title, own)
