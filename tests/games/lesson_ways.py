"""The ways through a lesson: the lesson's own moves, weaker ones that it goes on with, and mistakes."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from paddock.core.game import Game
from paddock.core.lesson import LEARNER, Lesson, Script, Trace, lesson, script
from paddock.core.log import Entry
from paddock.core.title import Title

Log = tuple[Entry, ...]


def known(title: Title) -> Script:
    found = script(title)
    assert found
    return found


_games: dict[str, tuple[Log, Game]] = {}  # of each title, the last one


def begun(title: Title, log: Log) -> Game:
    """Return the game of a lesson after this log: the last one goes on, if it leads there."""
    found = known(title)
    before, game = _games.get(title.name, ((), None))
    if game is None or before != log[: len(before)]:
        before, game = (), Game(title, found.options, None, found.course.NAMES)
    game = game.fork()
    for entry in log[len(before) :]:
        game.append(entry)
    _games[title.name] = log, game.fork()
    return game


@dataclass(frozen=True)
class Choice:
    """A move at a decision of the learner, and what the lesson says of it."""

    title: Title
    before: Log
    at: Trace  # the decision
    move: str
    log: Log  # with the choices that others make at the same time
    after: Trace  # after that

    @cached_property
    def game(self) -> Game:
        return begun(self.title, self.before)

    @cached_property
    def says(self) -> str:
        return str(self.after.said)

    @cached_property
    def better(self) -> str:
        return str(self.title.text.move(self.game.setup, self.at.best[0].what))

    @property
    def kind(self) -> str:
        return self.after.verdict.kind if self.after.verdict else "" if not self.after.missed else "other"

    def told(self, log: Log | None = None) -> list[str]:
        """Return the sentences of the events since the decision."""
        game = begun(self.title, log or self.log)
        batches = [batch for batch in game.events if batch.entry >= len(self.before)]
        found = [self.title.sentences(game.setup, batch, list(game.names)) for batch in batches]
        return [sentence for lines in found for _place, _event, sentence in lines]


def _choices(title: Title, log: Log) -> Iterator[Choice]:
    found, at = known(title), known(title).trace(log)
    assert at and at.asks
    game = begun(title, log)
    own = at.best[0].what
    for id in sorted(game.legal(LEARNER).ids, key=lambda id: (id != own, id)):
        played = (*log, Entry(LEARNER, id), *at.best[1 : len(game.deciders)])
        after = found.trace(played)
        assert after, (log, id)
        yield Choice(title, log, at, str(title.text.move(game.setup, id)), played, after)


def choices(title: Title, log: Log) -> list[Choice]:
    """Return every legal move at a decision, the lesson's own one first."""
    return list(_choices(title, log))


def own_choice(title: Title, log: Log) -> Choice:
    """Return the lesson's own move at a decision, without a look at the others."""
    return next(_choices(title, log))


def onward(title: Title, log: Log) -> Log | None:
    """Return the log at the learner's next decision, or at the end of the lesson (None)."""
    found = known(title)
    while (at := found.trace(log)) and not at.asks and at.ahead:
        log = (*log, *at.ahead)
    assert at, "the lesson has lost its way"
    if begun(title, log).over:
        return None
    assert at.asks
    return log


def every(title: Title, most: int) -> Iterator[Choice]:
    """Yield every choice on the lesson's own way, and then those on other ways, in a random order.

    ``most`` is the number of positions that are looked at after those of the lesson's own way.
    """
    rng, seen, main = random.Random(7), set[str](), list[Log]()
    log: Log | None = known(title).opening
    while log is not None:
        main.append(log)
        log = onward(title, own_choice(title, log).log)
    waiting = list[Log]()
    for log in main:
        seen.add(begun(title, log).position)
        for one in choices(title, log):
            yield one
            if not one.after.missed and one.kind:
                waiting.append(one.log)
    while waiting and most:
        log = onward(title, waiting.pop(rng.randrange(len(waiting))))
        if log is None or (position := begun(title, log).position) in seen:
            continue
        seen.add(position)
        most -= 1
        for one in choices(title, log):
            yield one
            if not one.after.missed:
                waiting.append(one.log)


def end(title: Title, log: Log | None, pick: random.Random | None = None) -> tuple[Game, Lesson]:
    """Play on to the end with the lesson's own moves, or with any that it goes on with."""
    while log is not None:
        last = log
        if (log := onward(title, log)) is None:
            break
        if pick:
            log = pick.choice([one for one in choices(title, log) if not one.after.missed]).log
        else:
            log = own_choice(title, log).log
    found = known(title)
    while (at := found.trace(last)) and at.ahead:
        last = (*last, *at.ahead)
    game = begun(title, last)
    over = lesson(game)
    assert over
    return game, over


def own_way(title: Title) -> list[tuple[Lesson, str]]:
    """Return what the lesson says at each decision of its own way, and its move there."""
    log, out = known(title).opening, []
    while log is not None:
        own = own_choice(title, log)
        now = lesson(own.game)
        assert now
        out.append((now, own.move))
        if (then := onward(title, own.log)) is None:
            return out
        log = then
    return out
