"""Analyses of finished games: made in a worker process in short pieces, and stored with the table.

Nothing but a finished game can be analysed. The table itself does not change. If the server stops, the next
request starts the analysis again.
"""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeVar

from paddock.bots import judging
from paddock.bots.analysis import Analysis, Cost, JudgedSubmission, Judgement, costs, ledger, swings, turns
from paddock.bots.ledger import LedgerAccount, LedgerChange, LedgerMoment, changes
from paddock.core.errors import PaddockError
from paddock.core.i18n import _, mark
from paddock.store import Store, Unavailable
from paddock.tables.errors import Busy, Forbidden, Stopped
from paddock.tables.registry import Registry
from paddock.tables.runtime import Runtime
from paddock.tables.table import Table
from paddock.tables.tasks import background, end
from paddock.tables.threads import off_loop
from paddock.tables.workers import Visitor, Workers, visitor

T = TypeVar("T")
log = logging.getLogger("paddock.tables")
# Pieces count as requests of this visitor: otherwise they would delay the requests of a real one.
ANALYST = Visitor(browser="analysis")
PIECE_S = 1.0  # seconds of one piece, so that other work comes in between
LONGEST_S = 1800.0  # of a piece: its rules may have to be compiled, which takes minutes on a busy machine
AHEAD = 64  # decisions or moments that a worker gets at a time
LONG = 200  # decisions and moments: in a longer game some are judged early, in a few worlds
EARLY, EARLY_WORLDS = 12, 64
SEED = "table"
KEPT = 8  # analyses in memory
MOST = 20  # analyses that run or wait
TRIES = 3  # pieces that may fail one after the other
AGAIN = 5.0  # seconds before the next try
FAILED = mark("The analysis stopped because of an error. Start it again, or ask the server's host.")


@dataclass(frozen=True)
class Analysed:
    """An analysis, or what there is of it while it runs, and what follows from it."""

    analysis: Analysis
    turns: list[JudgedSubmission]
    ledger: list[LedgerAccount]  # by player; empty without moments
    changes: list[LedgerChange]  # in the order of the log; empty without moments
    owners: tuple[int, ...]
    rough: bool = False  # whether it still runs: its moments are rough, and there is no ledger yet

    @classmethod
    def of(cls, analysis: Analysis, table: Table, *, rough: bool = False) -> Analysed:
        """Return the analysis of a table with what follows from it."""
        game = table.game
        made = [] if rough else changes(analysis.moments, game.log)
        accounts = [] if rough else ledger(analysis, game)
        return cls(analysis, turns(analysis, game), accounts, made, tuple(table.options.owners), rough)

    @cached_property
    def swings(self) -> list[JudgedSubmission]:
        """The mistakes that cost most, the worst first."""
        return swings(self.turns)

    @cached_property
    def costs(self) -> list[Cost]:
        """The cost of every player."""
        return costs(self.turns, self.owners)


@dataclass
class Run:
    """An analysis that runs or waits. It remains after a failure, until the next request."""

    who: Visitor
    done: int = 0  # decisions and moments that are measured
    total: int = 0  # all of them; 0 before it has begun
    found: Analysed | None = None  # what is known so far
    fault: str = ""  # why it stopped (a message to translate), or empty
    task: asyncio.Task[None] | None = None


Reader = Callable[[Table, Analysis], Awaitable[None]]


class Analysing:
    """Analyses finished games, which take turns piece by piece. Use it in one event loop only."""

    def __init__(self, store: Store, registry: Registry, runtime: Runtime, workers: Workers) -> None:
        self.readers: list[Reader] = []  # who uses every analysis; told again of one that was stored
        self._store = store
        self._registry = registry
        self._runtime = runtime
        self._workers = workers
        self._runs: dict[str, Run] = {}
        self._known: OrderedDict[str, Analysed] = OrderedDict()
        self._turn = asyncio.Lock()  # for one piece; whoever has waited longest is next

    async def of(self, table: Table) -> Analysed | None:
        """Return the analysis of a table; None if there is none yet.

        Raises ``Forbidden`` while the game is being played.
        """
        check_over(table)
        found = self._known.get(table.id)
        if found is None and (text := await self._store.analysis(table.id)) is not None:
            found = await off_loop(_read, text, table)
            if found is not None:  # an earlier version may have made it, which told fewer readers
                await self._tell(table, found.analysis)
        if found is not None:
            self._keep(table.id, found)
        return found

    def _keep(self, id: str, found: Analysed) -> None:
        self._known[id] = found
        self._known.move_to_end(id)
        if len(self._known) > KEPT:
            self._known.popitem(last=False)

    def run(self, id: str) -> Run | None:
        """Return the analysis of a table that runs, waits or has failed; None if there is none."""
        return self._runs.get(id)

    async def start(self, id: str) -> None:
        """Start the analysis of a table, unless there is one or it runs already.

        Raises ``NoTable``, ``Forbidden`` while the game is being played, ``Busy`` while the visitor's other
        analysis runs, and ``PaddockError`` if games of this title cannot be analysed.
        """
        table = (await self._registry.find(id)).table
        if await self.of(table) is not None:
            return
        judging.check(table.game)
        running = {other: run for other, run in self._runs.items() if not run.fault}
        if id in running:
            return
        me = visitor.get()
        if any(run.who.key == me.key for run in running.values()):
            raise Busy(_("the server is still analysing another game for you: wait until it is done"))
        if len(running) >= MOST:
            raise Busy(_("the server has too much to do at the moment: try again in a minute"))
        run = self._runs[id] = Run(me)
        run.task = background(self._run(table, run), f"analysis of {id}")

    async def _run(self, table: Table, run: Run) -> None:
        visitor.set(ANALYST)
        try:
            analysis = await self._made(table, run)
            text = await off_loop(analysis.dump)
            found = await off_loop(Analysed.of, analysis, table)
            await self._store_it(table, text, found)
            self._keep(table.id, found)
        except Exception:
            log.exception("the analysis of table %s stopped", table.id)
            run.fault = FAILED
        else:
            del self._runs[table.id]

    async def _made(self, table: Table, run: Run) -> Analysis:
        """Judge all decisions of a table in pieces, the important ones first, and then value its moments.

        What is known so far is shown meanwhile. In a long game, the first decisions are judged twice: at once
        in a few worlds, and then in all.
        """
        order, rough = await self._piece(judging.glance, table.game, SEED)
        await self._show(table, run, (), rough)
        packed: tuple[list[bytes], list[bytes]] = await self._piece(judging.packed, table.game)
        points, decisions = packed[1], [packed[0][i] for i in order]
        run.total = len(decisions) + len(points)
        early = list[Judgement]()
        if run.total > LONG:
            early = await self._piece(judging.judge_some, decisions[:EARLY], EARLY_WORLDS, SEED, PIECE_S)
            await self._show(table, run, early, rough)
        judged, moments = list[Judgement](), list[LedgerMoment]()
        async for one in self._measured(judging.judge_some, decisions):
            judged += one
            run.done += len(one)
            await self._show(table, run, [*judged, *early[len(judged) :]], rough)
        async for more in self._measured(judging.value_some, points):
            moments += more
            run.done += len(more)
        return judging.made_of(table.game, judged, moments, judging.WORLDS, SEED)

    async def _show(
        self, table: Table, run: Run, judged: Sequence[Judgement], rough: Sequence[LedgerMoment]
    ) -> None:
        """Show what is known so far of an analysis that runs."""
        so_far = judging.made_of(table.game, judged, rough, judging.WORLDS, SEED)
        run.found = await off_loop(Analysed.of, so_far, table, rough=True)

    async def _measured(self, work: Callable[..., list[T]], packed: list[bytes]) -> AsyncIterator[list[T]]:
        """Judge or value all of these, a piece of about a second at a time."""
        done = 0
        while done < len(packed):
            ahead = packed[done : done + AHEAD]
            made = await self._piece(work, ahead, judging.WORLDS, SEED, PIECE_S)
            done += len(made)
            yield made

    async def _piece(self, work: Callable[..., T], *args: Any) -> T:
        """Do a piece of work in a worker process, when no other analysis does.

        Wait if there is too much to do; try again if the process dies. Other analyses go on meanwhile.
        """
        tries = TRIES
        while True:
            try:
                async with self._turn:
                    return await self._workers.wait(work, *args, longest=LONGEST_S)
            except Busy:
                pass
            except Stopped:
                tries -= 1
                if not tries:
                    raise
            await self._runtime.sleep(AGAIN)

    async def _store_it(self, table: Table, text: str, found: Analysed) -> None:
        """Store an analysis when the database answers, and tell the readers."""
        while True:
            try:
                await self._store.keep_analysis(table.id, self._runtime.now(), text)
                return await self._tell(table, found.analysis)
            except Unavailable:
                await self._runtime.sleep(AGAIN)

    async def _tell(self, table: Table, analysis: Analysis) -> None:
        for reader in self.readers:
            await reader(table, analysis)

    async def close(self) -> None:
        """Stop the analyses that run or wait."""
        await end(run.task for run in self._runs.values())


def check_over(table: Table) -> None:
    """Raise ``Forbidden`` while the game is being played."""
    if table.kind.seal and table.game.over:
        raise Forbidden(_(table.kind.seal.analyse))
    if not table.fully_visible:
        raise Forbidden(_("this game is still being played: it can be analysed when it is over"))


def _read(text: str, table: Table) -> Analysed | None:
    """Return a stored analysis; None if it cannot be read, or is that of another game: then make it again."""
    try:
        analysis = Analysis.load(text)
    except PaddockError as error:
        log.warning("the analysis of table %s is not used: %s", table.id, error)
        return None
    entries = table.game.log
    same = (analysis.title, analysis.entries) == (table.title.name, len(entries))
    if not same or any(entries[judged.entry].by != judged.seat for judged in analysis.judgements):
        log.warning("the analysis of table %s is that of another game", table.id)
        return None
    return Analysed.of(analysis, table)
