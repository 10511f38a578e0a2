"""The room ``learn.py``: the guided first game of a title, and how it judges what the learner decides."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Literal, Protocol, TypeVar

from paddock.core.i18n import Sentence
from paddock.core.rooms.basics import Move

S = TypeVar("S")  # what a seat sees: ``paddock.Seen``


@dataclass(frozen=True)
class Tried(Generic[S]):
    """A move of the learner, to be judged or told from the rules and the two positions alone."""

    before: S  # what the learner saw
    after: S  # what they see after it, and after the choices that others made at the same time
    move: Move
    better: Move  # the lesson's own move here; equal to ``move`` where that was played


@dataclass(frozen=True)
class Verdict:
    """What a lesson says of another move than its own.

    It goes on with a "good" move and with a "weaker" one; a "mistake" waits until it is taken back.
    """

    text: Sentence
    kind: Literal["good", "weaker", "mistake"] = "weaker"


@dataclass(frozen=True)
class Idea(Generic[S]):
    """One idea of a lesson: a decision of the learner, and what follows from it.

    Without ``judge`` the lesson's own move glows. With it, the learner decides. Texts are short: a phone
    shows them beside the board and the hand. Whatever depends on earlier decisions is a function of what the
    learner sees, so that it is true on every way through the lesson.
    """

    text: Sentence | str | Callable[[S], Sentence]  # what is asked, and the new word that it needs
    move: str | Callable[[S], str]  # the lesson's own move, in notation
    told: Sentence | str | Callable[[Tried[S]], Sentence] = (
        ""  # after that move: it stays until the next decision
    )
    # What others and chance do until the next idea: see ``paddock.core.lesson``. A function gets what the
    # learner saw, and the move in notation; choices at the same time must not depend on the move.
    script: str | Callable[[S, str], str] = ""
    judge: Callable[[Tried[S]], Verdict | None] | None = None  # of other moves; None: no opinion
    when: Callable[[S], bool] | None = None  # the idea is left out where this is not so
    # Why a move is worse that is not the lesson's own and has no verdict: the learner takes it back, or goes
    # on with the lesson's own. Without it the page tells what happened.
    otherwise: Callable[[Tried[S]], Sentence] | None = None
    late: bool = False  # whether ``told`` is said only when the others have played: before, it is not true


class Course(Protocol):
    """The room ``learn.py`` of a title: its guided first game."""

    MINUTES: int  # about how long it takes
    GOAL: str  # what wins: the first sentence of the lesson
    INTRO: str
    SUMMARY: Sequence[str]  # what the learner learns
    OPTIONS: Mapping[str, Any]
    SEATS: Sequence[str]  # as for ``Tables.create``; the learner is the first, "me"
    NAMES: Sequence[str]
    OPENING: str  # what happens before the first idea, as in ``Idea.script``
    IDEAS: Sequence[Idea[Any]]
    LAST: Sentence | str  # shown after the game
