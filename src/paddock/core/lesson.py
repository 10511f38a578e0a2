"""A guided first game: a script that the table follows as long as the learner plays what it suggests.

The room ``learn.py`` of a title has the script: the opening, then for each idea the learner's move, and what
the others and chance do until the next idea. The log of the table says where the lesson is, so nothing else
is stored. If the learner plays something else, the table waits until the learner tries again or goes on.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from paddock.core.game import Game
from paddock.core.log import Entry
from paddock.core.options import Options
from paddock.core.pages import Course
from paddock.core.title import Title, move_id
from paddock.core.words import CHANCE

LEARNER = 0  # the learner's player and seat
CHANCE_WORD = "-"  # instead of the number of a seat


@dataclass(frozen=True)
class Lesson:
    """What the page says now. ``texts`` are sentences that are not translated yet."""

    step: int  # the number of the idea, from 1
    steps: int
    texts: tuple[str, ...]
    move: int | None = None  # the id of the suggested move while it can be played
    missed: bool = False  # whether the learner played another move; then the table waits
    since: int = 0  # the log entry of the learner's decision in this step


@dataclass(frozen=True)
class Script:
    """The log of the whole lesson, and where in it each idea begins."""

    options: Options
    entries: tuple[Entry, ...]
    starts: tuple[int, ...]  # for each idea the index of the learner's move

    @property
    def opening(self) -> tuple[Entry, ...]:
        """The start of the log, before the first decision."""
        return self.entries[: self.starts[0]]

    def common(self, log: Sequence[Entry]) -> int:
        """Return how many entries at the start of the log are those of the script."""
        most = min(len(log), len(self.entries))
        return next((i for i in range(most) if log[i] != self.entries[i]), most)

    def step(self, log: Sequence[Entry]) -> int | None:
        """Return the index of the idea that the log has reached; None if it is not a log of this lesson."""
        common = self.common(log)
        return None if common < self.starts[0] else bisect_right(self.starts, common) - 1

    def missed(self, log: Sequence[Entry]) -> bool:
        """Whether the learner has left the script."""
        return self.step(log) is not None and self.common(log) < len(log)

    def reply(self, log: Sequence[Entry], seat: int, awaited: int) -> int | None:
        """Return the move of a seat in the next decision of ``awaited`` seats; None off the script."""
        if self.common(log) < len(log):
            return None
        near = self.entries[len(log) : len(log) + awaited]
        return next((entry.what for entry in near if entry.by == seat), None)

    def drawn(self, log: Sequence[Entry]) -> Entry | None:
        """Return the next outcome of chance; None off the script, or if a move is next."""
        if self.common(log) < len(log) or len(log) == len(self.entries):
            return None
        entry = self.entries[len(log)]
        return entry if entry.by == CHANCE else None

    def way(self, log: Sequence[Entry], where: str) -> tuple[int, int] | None:
        """Return the lengths of the log to go back to, and then to go on to by the script.

        ``where`` is "again" (the decision of this step), "back" (the step before) or "on" (the next step).
        None if there is nothing to do, or this is not a log of the lesson.
        """
        step = self.step(log)
        if step is None:
            return None
        to = {"again": step, "back": step - 1, "on": step + 1}.get(where, -1)
        if to < 0 or (where == "on" and not self.missed(log)):
            return None
        target = self.starts[to] if to < len(self.starts) else len(self.entries)
        kept = min(self.starts[step], target)
        return None if kept == target == len(log) else (kept, target)


@lru_cache(maxsize=16)
def script(title: Title) -> Script | None:
    """Return the script of a title's lesson; None if it has none.

    Raises ``PaddockError`` if a line of the script is not possible, and ``ValueError`` if an idea is not
    about a decision of the learner.
    """
    course: Course | None = title.room("learn")
    if course is None:
        return None
    options = title.options.read(course.OPTIONS)
    game, starts = Game(title, options), list[int]()
    _play(game, course.OPENING)
    for idea in course.IDEAS:
        if LEARNER not in game.deciders:
            raise ValueError(f"{title.name}: the learner does not decide at «{idea.text}»")
        starts.append(len(game.log))
        _play(game, f"{LEARNER + 1}: {idea.move}; {idea.script}")
    return Script(options, tuple(game.log), tuple(starts))


def lesson(game: Game) -> Lesson | None:
    """Return what the lesson says at this point of the game; None if it is not a game of the lesson."""
    course: Course | None = game.title.room("learn")
    known = script(game.title)
    if course is None or known is None or known.options != game.options:
        return None
    step = known.step(game.log)
    if step is None:
        return None
    steps, since, idea = len(known.starts), known.starts[step], course.IDEAS[step]
    missed = known.missed(game.log)
    if game.over:
        return Lesson(steps, steps, (course.LAST,) if missed else (idea.told, course.LAST))
    if missed:
        return Lesson(step + 1, steps, (), missed=True, since=since)
    if len(game.log) == since:
        return Lesson(step + 1, steps, (idea.text,), known.entries[since].what, since=since)
    return Lesson(step + 1, steps, (idea.told,), since=since)


def _play(game: Game, lines: str) -> None:
    """Play lines such as ``2: 9; -: r50 g80; 3: pass``: seats from 1, ``-`` for chance.

    The moves of a simultaneous decision are played when all of its seats have one.
    """
    chosen: dict[int, int] = {}
    for line in filter(None, map(str.strip, lines.split(";"))):
        who, _colon, what = line.partition(":")
        if who == CHANCE_WORD:
            for word in what.split():
                outcome = game.title.text.parse_outcome(game.setup, game.heading, word)
                game.append(Entry(CHANCE, outcome))
            continue
        chosen[int(who) - 1] = move_id(game.title, game.setup, what.strip())
        if chosen.keys() == set(game.deciders):
            for seat in sorted(chosen):
                game.append(Entry(seat, chosen[seat]))
            chosen = {}
    if chosen:
        raise ValueError(f"{game.title.name}: a decision is not complete in «{lines}»")
