"""A guided first game: a script that the table follows, with decisions of the learner.

The room ``learn.py`` of a title has the script: the opening, then for each idea the learner's move, and
what the others and chance do until the next idea. The log of the table says where the lesson is, so nothing
else is stored. An idea may judge other moves: the lesson goes on with a weaker one, and says what it costs;
a plain mistake waits until it is taken back. After a move that nobody judges the learner may also go on with
the lesson's own move.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from paddock.core.course import Idea, Tried
from paddock.core.errors import PaddockError
from paddock.core.game import Game
from paddock.core.i18n import Sentence
from paddock.core.log import Entry
from paddock.core.options import Options
from paddock.core.rooms.learn import Course, Verdict
from paddock.core.title import Title, move_id
from paddock.core.words import CHANCE

LEARNER = 0  # the learner's player and seat
CHANCE_WORD = "-"  # instead of the number of a seat
Text = Sentence | str  # a text that is not translated yet; empty for none


@dataclass(frozen=True)
class Lesson:
    """What the page says now."""

    step: int  # the number of the idea, from 1
    steps: int
    said: Text = ""  # about the learner's last move; before the first one, what wins
    text: Text = ""  # what the learner is asked, or what is said after the game
    move: int | None = None  # the id of the suggested move, unless the learner decides alone
    verdict: Verdict | None = None  # on the learner's last move
    missed: bool = False  # whether the lesson waits after that move
    back: bool = False  # whether there is a decision to go back to
    begins: bool = False  # whether this is the first decision: ``said`` is what wins
    since: int = 0  # the log entry of the learner's decision in this step


@dataclass(frozen=True)
class Trace:
    """Where a log is in the lesson."""

    idea: int  # the index of the last idea that it has reached
    starts: tuple[int, ...]  # for each idea that it has reached the index of the learner's move
    text: Text  # what the idea asks
    best: tuple[Entry, ...]  # the lesson's own move at this idea, and what follows it
    ahead: tuple[Entry, ...]  # what the script plays next
    asks: bool = True  # whether the learner must decide
    said: Text = ""  # about the learner's last move
    verdict: Verdict | None = None  # on the learner's last move
    missed: bool = False  # whether the lesson waits after that move


@dataclass(frozen=True, eq=False)
class Script:
    """The lesson of a title."""

    title: Title
    course: Course
    options: Options
    opening: tuple[Entry, ...]  # the start of the log, before the first decision

    def trace(self, log: Sequence[Entry]) -> Trace | None:
        """Return where a log is; None if it is not a log of this lesson."""
        return _trace(self, tuple(Entry(entry.by, entry.what) for entry in log))

    def missed(self, log: Sequence[Entry]) -> bool:
        """Whether the lesson waits after the learner's move."""
        trace = self.trace(log)
        return trace is not None and trace.missed

    def reply(self, log: Sequence[Entry], seat: int, awaited: int) -> int | None:
        """Return the move of a seat in the next decision of ``awaited`` seats; None off the script."""
        trace = self.trace(log)
        next_entries = trace.ahead[:awaited] if trace else ()
        return next((entry.what for entry in next_entries if entry.by == seat), None)

    def drawn(self, log: Sequence[Entry]) -> Entry | None:
        """Return the next outcome of chance; None off the script, or if a move is next."""
        trace = self.trace(log)
        return trace.ahead[0] if trace and trace.ahead and trace.ahead[0].by == CHANCE else None

    def way(self, log: Sequence[Entry], where: str) -> tuple[int, list[Entry]] | None:
        """Return the length of the log to undo to, and the entries to add after that.

        ``where`` is "again" (the decision of this step), "back" (the decision before it) or "on" (the next
        step, as after the lesson's own move). None if that is not possible here, or this is no log of the
        lesson.
        """
        trace = self.trace(log)
        if trace is None:
            return None
        if where == "on" and trace.missed and trace.verdict is None:
            length, added = _back(log, trace.starts[-1])
            return length, [*added, *trace.best]
        if where == "back" and len(trace.starts) > 1:
            return _back(log, trace.starts[-2])
        return _back(log, trace.starts[-1]) if where == "again" and not trace.asks else None


def _back(log: Sequence[Entry], start: int) -> tuple[int, list[Entry]]:
    """Return how to go back to ``start``; of a chain that was sent at once the first moves are kept."""
    length = start
    while length and length < len(log) and log[length].linked:
        length -= 1
    return length, list(log[length:start])


@lru_cache(maxsize=16)
def script(title: Title) -> Script | None:
    """Return the script of a title's lesson; None if it has none.

    Raises ``PaddockError`` if a line of the script is not possible when the learner plays the lesson's own
    moves, and ``ValueError`` if an idea is not about a decision of the learner.
    """
    course = title.learn
    if course is None:
        return None
    options = title.options.read(course.OPTIONS)
    game = Game(title, options, None, course.NAMES)
    _play(game, course.OPENING)
    title_script = Script(title, course, options, tuple(game.log))
    log = title_script.opening
    while (trace := _follow(title_script, log)) and trace.ahead:
        log = (*log, *trace.ahead)
    return title_script


def lesson(game: Game) -> Lesson | None:
    """Return what the lesson says at this point of the game; None if it is not a game of the lesson."""
    title_script = script(game.title)
    if title_script is None or title_script.options != game.options:
        return None
    trace = title_script.trace(game.log)
    if trace is None:
        return None
    course, idea = title_script.course, title_script.course.IDEAS[trace.idea]
    at_first_decision = trace.asks and len(trace.starts) == 1
    return Lesson(
        step=trace.idea + 1,
        steps=len(course.IDEAS),
        said=course.GOAL if at_first_decision else trace.said,
        text=course.LAST if game.over else trace.text if trace.asks else "",
        move=trace.best[0].what if trace.asks and not idea.judge else None,
        verdict=trace.verdict,
        missed=trace.missed and not game.over,
        back=trace.asks and len(trace.starts) > 1,
        begins=at_first_decision,
        since=trace.starts[-1],
    )


@lru_cache(maxsize=512)
def _trace(script: Script, log: tuple[Entry, ...]) -> Trace | None:
    try:
        return _follow(script, log)
    except (PaddockError, ValueError):  # the script cannot go on after these choices: the bots play freely
        return None


def _follow(script: Script, log: tuple[Entry, ...]) -> Trace | None:
    """Follow a log from idea to idea: each is played as the learner did."""
    if log[: len(script.opening)] != script.opening:
        return None
    game, starts, trace = Game(script.title, script.options, None, script.course.NAMES), list[int](), None
    for entry in script.opening:
        game.append(entry)
    for n, idea in enumerate(script.course.IDEAS):
        before = game.seen(1 << LEARNER)
        if game.over or (idea.when and not idea.when(before)):
            continue
        if LEARNER not in game.deciders:
            raise ValueError(f"{script.title.name}: the learner does not decide at idea {n + 1}")
        start = len(game.log)
        starts.append(start)
        better = move_id(script.title, game.setup, idea.move(before) if callable(idea.move) else idea.move)
        best = _Line(game, idea, better, better)
        reached = Trace(n, tuple(starts), "", best.entries, ())
        if len(log) == start:
            text = idea.text(before) if callable(idea.text) else idea.text
            last = replace(reached, said=trace.said, verdict=trace.verdict) if trace else reached
            return replace(last, text=text, ahead=best.entries)
        if log[start].by != LEARNER:
            return None
        move, line, verdict = log[start].what, best, None
        if move != better:
            tried = _decided(game, idea, move, better)
            verdict = idea.judge(tried) if idea.judge else None
            if verdict is None or verdict.kind == "mistake":
                said: Text = verdict.text if verdict else idea.otherwise(tried) if idea.otherwise else ""
                return replace(reached, asks=False, verdict=verdict, said=said, missed=True)
            line = _Line(game, idea, move, better)
        played = log[start : start + len(line.entries)]
        if played != line.entries[: len(played)]:
            return None
        comment: Text = (
            verdict.text if verdict else idea.told(line.tried) if callable(idea.told) else idea.told
        )
        ahead = line.entries[len(played) :]
        trace = replace(reached, ahead=ahead, asks=False, said=comment, verdict=verdict)
        if ahead:
            return trace
        game = line.game
    return trace if len(game.log) == len(log) else None


class _Line:
    """An idea as it is played with a move of the learner: what follows, and the game after that."""

    def __init__(self, game: Game, idea: Idea, move: int, better: int) -> None:
        self.game = game.fork()
        steps = _played(self.game, _lines(game, idea, move))
        next(steps)
        self.tried = _tried(game, self.game, move, better)
        for _step in steps:
            pass
        self.entries = tuple(self.game.log[len(game.log) :])


def _decided(game: Game, idea: Idea, move: int, better: int) -> Tried:
    """Return what a move has done. Only the decision is played, with all who take part in it."""
    after = game.fork()
    next(_played(after, _lines(game, idea, move)))
    return _tried(game, after, move, better)


def _tried(before: Game, after: Game, move: int, better: int) -> Tried:
    eyes, words = 1 << LEARNER, before.title.text.move
    return Tried(before.seen(eyes), after.seen(eyes), words(before.setup, move), words(before.setup, better))


def _lines(game: Game, idea: Idea, move: int) -> str:
    """Return the lines of an idea in which the learner plays ``move``."""
    move_words = str(game.title.text.move(game.setup, move))
    others_lines = idea.script(game.seen(1 << LEARNER), move_words) if callable(idea.script) else idea.script
    return f"{LEARNER + 1}: {move_words}; {others_lines}"


def _played(game: Game, lines: str) -> Iterator[None]:
    """Play lines such as ``2: 9; -: r50 g80; 3: pass``: seats from 1, ``-`` for chance.

    Halts after each decision, and after each line of chance. The moves of a simultaneous decision are played
    when all of its seats have one.
    """
    chosen: dict[int, int] = {}
    for line in filter(None, map(str.strip, lines.split(";"))):
        decider, _colon, words = line.partition(":")
        if decider == CHANCE_WORD:
            for word in words.split():
                outcome = game.title.text.parse_outcome(game.setup, game.heading, word)
                game.append(Entry(CHANCE, outcome))
            yield
            continue
        chosen[int(decider) - 1] = move_id(game.title, game.setup, words.strip())
        if chosen.keys() == set(game.deciders):
            for seat in sorted(chosen):
                game.append(Entry(seat, chosen[seat]))
            chosen = {}
            yield
    if chosen:
        raise ValueError(f"{game.title.name}: a decision is not complete in “{lines}”")


def _play(game: Game, lines: str) -> None:
    for _step in _played(game, lines):
        pass
