"""What the harnesses of all titles share: a state of the plain engine, read and driven in notation."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from paddock.core.options import Options
from paddock.kernel import CHANCE, PUBLIC, below, stream

State = Any
Setup = Any


def eyes_of(seats: Collection[int]) -> int:
    """The bitmask of these seats, which are numbered from 1."""
    return sum(1 << (seat - 1) for seat in seats)


@dataclass
class Position:
    """A state with its setup; a title's harness adds its words and what can be asked of it."""

    s: State
    g: Setup

    rules: ClassVar[Any]  # the rooms of the title
    refusals: ClassVar[Any]
    text: ClassVar[Any]
    moves: ClassVar[Sequence[str]]  # by id
    outcome_names: ClassVar[Sequence[str]]  # by id
    phases: ClassVar[Sequence[str]]
    events: ClassVar[Sequence[tuple[str, str]]]  # a name and what it takes; code 1 is the first
    shown: ClassVar[Mapping[str, Callable[[int], str]]]  # how each thing that an event takes is written

    def copy(self) -> Self:
        new = type(self)(self.s.copy(), self.g)
        new.s.events = list(self.s.events or [])
        return new

    @property
    def seats(self) -> range:
        """The seats, numbered from 1."""
        raise AssertionError("a title's harness says")

    # What there is

    def move_name(self, id: int) -> str:
        """A move in notation."""
        return self.moves[id]

    def move_id(self, move: str) -> int:
        return self.moves.index(move)

    def outcome_name(self, id: int) -> str:
        """An outcome of chance in notation."""
        return self.outcome_names[id]

    def outcome_id(self, outcome: str) -> int:
        return self.outcome_names.index(outcome)

    @property
    def phase(self) -> str:
        return self.phases[self.s.phase]

    @property
    def told(self) -> list[str]:
        """What the last move or outcome led to, or all chance taken in one go; everybody saw it."""
        lines = []
        for code, *args, eyes in self.s.events or []:
            assert eyes == PUBLIC
            name, takes = self.events[code - 1]
            kept, rest = args[: len(takes.split())], args[len(takes.split()) :]
            assert not any(rest), f"{name} tells {args}"
            words = [self.shown[what](arg) for what, arg in zip(takes.split(), kept, strict=True)]
            lines.append(" ".join([name, *words]).strip())
        return lines

    @property
    def places(self) -> dict[int, int]:
        """The finishing place of every seat."""
        return self._of_each(self.rules.places)

    @property
    def scores(self) -> dict[int, int]:
        return self._of_each(self.rules.scores)

    def _of_each(self, function: Any) -> dict[int, int]:
        out = [-1] * self.rules.MAX_SEATS
        function(self.s, self.g, out)
        return {seat: out[seat - 1] for seat in self.seats}

    # What may happen

    def legal_moves(self, seat: int) -> list[str]:
        """The legal moves of a seat, each once."""
        out = [-1] * (self.rules.ACTIONS + 1)
        ids = out[: self.rules.legal(self.s, self.g, seat - 1, out)]
        assert len(set(ids)) == len(ids)
        return [self.move_name(id) for id in ids]

    def why(self, seat: int, move: str) -> str:
        """The clause that forbids a move to a seat; empty when it is legal."""
        return self._refused(seat, move)[0]

    def said(self, seat: int, move: str) -> str:
        """The sentence with which a move is refused to a seat; empty when it is legal."""
        return self._refused(seat, move)[1]

    def _refused(self, seat: int, move: str) -> tuple[str, str]:
        code = self.refusals.why(self.s, self.g, seat - 1, self.move_id(move))
        return self.refusal(seat, code, move) if code else ("", "")

    def refusal(self, seat: int, code: int, move: str) -> tuple[str, str]:
        """(clause, sentence) of a code that ``why`` gave of a move."""
        said: tuple[str, str] = self.text.refusal(self.s, self.g, seat - 1, code, self.move_id(move))
        return said

    def foreseen(self, seat: int, move: str) -> int:
        """Whether a further move may follow in a submission; the same from what the seat sees."""
        id = self.move_id(move)
        answers = {self.rules.foreseen(at.s, self.g, seat - 1, id) for at in (self, self.hide(seat))}
        assert len(answers) == 1
        return int(answers.pop())

    def outcomes(self) -> dict[str, int]:
        """At chance: the weight of each outcome."""
        out, weights = [-1] * (self.rules.OUTCOMES + 1), [-1] * (self.rules.OUTCOMES + 1)
        n = self.rules.outcomes(self.s, self.g, out, weights)
        names = [self.outcome_name(id) for id in out[:n]]
        assert len(set(names)) == n
        return dict(zip(names, weights[:n], strict=True))

    # What follows

    def start(self) -> Self:
        """The beginning, before any chance."""
        self.s.events = []
        self.rules.start(self.s, self.g)
        return self

    def again(self) -> Self:
        """The next game of a series."""
        self.s.events = []
        self.rules.again(self.s, self.g)
        return self

    def apply(self, by: int, what: int) -> Self:
        """Apply a move or an outcome by its id; ``by`` is 0 for chance."""
        self.s.events = []
        self.rules.apply(self.s, self.g, by - 1 if by else CHANCE, what)
        assert len(self.s.events) <= self.rules.MAX_EVENTS
        self.check()
        return self

    def run_chance(self, row: list[int]) -> Self:
        """Take all chance that is due at once from the stream ``row``."""
        self.s.events = []
        self.rules.run_chance(self.s, self.g, row)
        return self

    def take(self, outcome: str) -> Self:
        """Take one outcome of chance."""
        assert self.outcomes().get(outcome, 0) > 0, f"{outcome} is not among {self.outcomes()}"
        return self.apply(0, self.outcome_id(outcome))

    def check(self) -> None:
        """Nothing is lost or made, and the small redundant fields agree."""
        raise AssertionError("a title's harness says")

    # What is seen

    def hide(self, *seats: int) -> Self:
        """A copy as those who hold these seats know it."""
        new = self.copy()
        self.rules.hide(new.s, self.g, eyes_of(seats))
        return new

    def seen(self, seats: Collection[int], by: int, what: str) -> str:
        """A move, or an outcome where ``by`` is 0, as these seats see it when applied; ``?`` if hidden."""
        id = self.move_id(what) if by else self.outcome_id(what)
        shown = self.rules.seen(self.s, self.g, eyes_of(seats), by - 1 if by else CHANCE, id)
        assert shown in (id, -1)
        return what if shown == id else "?"

    def fields(self) -> dict[str, Any]:
        """Every field but the events, to compare states."""
        out = {}
        for name in self.s.__slots__:
            value = getattr(self.s, name)
            out[name] = value.copy() if isinstance(value, (list, dict)) else value
        del out["events"]
        return out


def rng(seed: int) -> list[int]:
    """A seeded stream."""
    row = [0]
    stream(seed, 0, row)
    return row


def draw_one(position: Position, row: list[int]) -> None:
    """Take one outcome of chance, drawn by weight from the stream ``row``."""
    weighted = position.outcomes()
    x = below(row, sum(weighted.values()))
    for outcome, weight in weighted.items():
        if x < weight:
            position.take(outcome)
            return
        x -= weight


def draw_all(position: Position, row: list[int]) -> None:
    """Take all chance that is due outcome by outcome from the stream ``row``; keeps what all of it told."""
    told: list[Any] = []
    while position.rules.who(position.s, position.g) >> CHANCE:
        draw_one(position, row)
        told += position.s.events
    position.s.events = told


def check_tested(options: type[Options], tests: Mapping[str, Callable[[], None]]) -> None:
    """Assert that each number of the rules has its test, whose name begins with the clause."""
    rows = [row for row in options.describe() if row.rulebook]
    assert {row.name for row in rows} == tests.keys()
    for row in rows:
        clause = row.clause.lower().replace("-", "_").replace(".", "_")
        assert tests[row.name].__name__.startswith(f"test_{clause}_")
