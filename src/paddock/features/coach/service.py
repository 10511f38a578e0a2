"""Hints at tables: measured in a worker process, from what their player sees, and kept for a while."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, TypeVar

from paddock.bots import hints
from paddock.bots.hints import Hint, MoveMade
from paddock.bots.imagining import Imagining
from paddock.bots.workers import PackedSeen, packed, unpack
from paddock.core.beside import Steps, in_steps, steps_of
from paddock.core.errors import PaddockError
from paddock.core.i18n import _
from paddock.core.title import Seen, Title
from paddock.features.coach import rules
from paddock.tables import Table, Tables
from paddock.tables.errors import Busy
from paddock.tables.tasks import end
from paddock.tables.threads import off_loop
from paddock.tables.workers import Visitor, visitor

T = TypeVar("T")
COACH = Visitor(browser="coach")
Line = tuple[Hint, ...]  # of a decision, and of each link that follows
KEPT = 256  # hints in memory
PATIENCE = 8.0  # seconds that a page waits: a worker that has just started loads what is compiled
SOON = 1.0  # seconds after a page was shown
LONGEST_S = 900.0  # of a hint: the rules may have to be compiled, which takes minutes on a busy machine


@dataclass(frozen=True)
class Told:
    """What is told of a decision."""

    hint: Hint
    whole: tuple[str, ...]  # the links of the best chain from here, in order


@dataclass(frozen=True)
class ToldCost:
    """What is told of a submission."""

    made: MoveMade
    seen: Seen  # before the move of it that cost most
    seat: int


class Coach:
    """Gives hints. Use it in one event loop only."""

    def __init__(self, tables: Tables) -> None:
        self._engine = tables.engine
        self._workers = tables.workers
        self._imagining = tables.imagining
        self._known: OrderedDict[tuple[object, ...], asyncio.Task[Any]] = OrderedDict()
        self._prepared: dict[Title, asyncio.Task[None]] = {}
        self._asked = asyncio.Event()  # whether anybody has asked for a hint yet
        tables.closing.append(self.close)

    @property
    def short(self) -> bool:
        """Whether there is time for little work."""
        return self._imagining.effort.short

    async def mark(self, id: str, holder: str | None) -> None:
        """Mark a race as one with hints. Raises ``Forbidden`` where there are none."""
        await self._engine.run(id, rules.marked, holder)

    def prepare(self, table: Table) -> asyncio.Task[None]:
        """Let a worker load what hints at a table need, once for each title; return the task."""
        if table.title not in self._prepared:
            work = self._prepare(packed(table.game.seen(0)))
            self._prepared[table.title] = asyncio.create_task(work, name=f"hints of {table.title.name}")
        return self._prepared[table.title]

    async def _prepare(self, seen: PackedSeen) -> None:
        """Begin when a hint is asked for, or soon: the page and the first moves of bots come first."""
        visitor.set(COACH)  # who looks at a table has asked for nothing yet
        with suppress(TimeoutError):
            async with asyncio.timeout(SOON):  # ``wait_for`` of Python 3.11 may lose a cancellation
                await self._asked.wait()
        with suppress(PaddockError):  # then the first hint takes longer
            await self._workers.wait(get_ready, seen, self._imagining, longest=LONGEST_S)

    async def _measured(self, table: Table, work: Callable[..., T], *args: Any) -> T:
        """Return what a worker measures: one that is prepared, if a page of the table was shown."""
        self._asked.set()
        if preparing := self._prepared.get(table.title):
            await asyncio.wait([preparing])
        return await self._workers.wait(work, *args, self._imagining, longest=LONGEST_S)

    def begin(self, table: Table, player: int, seat: int, links: Sequence[str] = ()) -> None:
        """Measure what a seat can choose now, in the meantime: it will soon be asked for."""
        self._line(table, player, seat, links)

    async def hint(self, table: Table, player: int, seat: int, links: Sequence[str] = ()) -> Told:
        """Return what a seat can choose after legal links that are not sent yet, and what it is worth.

        A hint stays true: who follows it link by link, in one submission or in several, is told the rest of
        it. Raises ``Busy`` if it is not ready soon: then it goes on, and may be asked for again.
        """
        task, skipped = self._line(table, player, seat, links)
        line = (await self._soon(task))[skipped:]
        return Told(line[0], tuple(hint.best for hint in line))

    async def made(self, table: Table, player: int, submission: range) -> ToldCost:
        """Return what a submission of a player cost. Raises ``Busy`` as ``hint`` does."""
        seat = table.game.log[submission.start].by

        async def measure() -> ToldCost:
            links = await off_loop(rules.links_of, table, player, submission)
            moves = [(packed(seen), move) for seen, move in links]
            cost = await self._measured(table, made, moves, seat, _seed(submission.start))
            return ToldCost(cost, links[cost.link][0], seat)

        return await self._soon(self._task((table.id, "made", table.decision, submission), measure))

    def _line(
        self, table: Table, player: int, seat: int, links: Sequence[str]
    ) -> tuple[asyncio.Task[Line], int]:
        """Return the task of the hints that tell what follows the links, and how many of them to skip."""
        for earlier, played in rules.own_moves(table, seat):
            moves = [*played, *links]
            for n in range(len(moves) + 1):
                task = self._known.get(self._key(table, seat, earlier, moves[:n]))
                if task and _follows(task, moves[n:]):
                    return task, len(moves) - n
        at = len(table.game.log)
        seen = packed(rules.after(rules.seen_by(table, player), seat, links)[0].seen)

        async def measure() -> Line:
            seed = " ".join([_seed(at), *links])
            return await self._measured(table, hint_line, seen, seat, seed)

        return self._task(self._key(table, seat, at, links), measure), 0

    def _key(self, table: Table, seat: int, at: int, links: Sequence[str]) -> tuple[object, ...]:
        """Return the key of the hints after the first entries of a log and some links.

        After an undo, as many entries may be another position.
        """
        return table.id, "hint", hash(tuple(table.game.log[:at])), seat, tuple(links)

    def _task(self, key: tuple[object, ...], measure: Callable[[], Any]) -> asyncio.Task[Any]:
        """Return the task that measures something; one that has failed is tried again."""
        task = self._known.get(key)
        if task is None or (task.done() and (task.cancelled() or task.exception())):
            task = self._known[key] = asyncio.create_task(measure(), name=f"hint at {key[0]}")
            task.add_done_callback(_looked_at)
        self._known.move_to_end(key)
        while len(self._known) > KEPT:
            self._known.popitem(last=False)
        return task

    async def _soon(self, task: asyncio.Task[T]) -> T:
        try:
            return await asyncio.wait_for(asyncio.shield(task), PATIENCE)
        except TimeoutError:
            raise Busy(_("the coach is still getting ready: ask again in a minute")) from None

    async def close(self) -> None:
        """Stop what is being measured."""
        await end([*self._known.values(), *self._prepared.values()])


@in_steps
def get_ready(seen: PackedSeen, imagining: Imagining) -> Steps[None]:
    """Load what hints need, in a worker."""
    there = unpack(seen)
    return steps_of(hints.get_ready)(there.title, there.options, imagining)


@in_steps
def hint_line(seen: PackedSeen, seat: int, seed: str, imagining: Imagining) -> Steps[Line]:
    """Measure the hints of a decision and of the links that follow, in a worker."""
    return steps_of(hints.line)(unpack(seen), seat, seed, imagining)


@in_steps
def made(
    links: Sequence[tuple[PackedSeen, int]], seat: int, seed: str, imagining: Imagining
) -> Steps[MoveMade]:
    """Measure what a submission cost, in a worker."""
    moves = [(unpack(seen), move) for seen, move in links]
    return steps_of(hints.made)(moves, seat, seed, imagining)


def _follows(task: asyncio.Task[Line], moves: Sequence[str]) -> bool:
    """Whether hints have a hint for what follows these moves: those that are not ready, if there are none."""
    if not task.done():
        return not moves
    if task.cancelled() or task.exception():
        return False
    return len(task.result()) > len(moves) and all(
        hint.best == move for hint, move in zip(task.result(), moves, strict=False)
    )


def _seed(entry: int) -> str:
    """Return the seed of the worlds that are imagined at an entry of the log: no secret."""
    return f"hint {entry}"


def _looked_at(task: asyncio.Task[Any]) -> None:
    """Else asyncio logs an error that nobody has asked for."""
    if not task.cancelled():
        task.exception()
