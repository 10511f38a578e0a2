"""Analyses of finished games: made in a worker process in short pieces, and stored with the table.

Nothing but a finished game can be analysed. The table itself does not change. If the server stops, the next
request starts the analysis again.
"""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from paddock.bots import judging
from paddock.bots.analysis import Analysis, Judgement
from paddock.bots.judging import Plan
from paddock.bots.ledger import LedgerMoment
from paddock.core.errors import PaddockError
from paddock.core.i18n import _, mark
from paddock.features.analyses.store import AnalysisStore
from paddock.store import Unavailable
from paddock.tables import Table, Tables
from paddock.tables.analysing import Analysed
from paddock.tables.errors import Busy, Forbidden, Stopped
from paddock.tables.tasks import background, end
from paddock.tables.threads import off_loop
from paddock.tables.workers import Visitor, visitor

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


@dataclass
class Run:
    """An analysis that runs or waits. It remains after a failure, until the next request."""

    who: Visitor
    done: int = 0  # decisions and moments that are measured
    total: int = 0  # all of them; 0 before it has begun
    so_far: Analysed | None = None  # what is known already
    fault: str = ""  # why it stopped (a message to translate), or empty
    task: asyncio.Task[None] | None = None


class Analyses:
    """Analyses finished games, which take turns piece by piece. Use it in one event loop only."""

    def __init__(self, tables: Tables) -> None:
        self._store = tables.store.part(AnalysisStore)
        self._registry = tables.registry
        self._runtime = tables.runtime
        self._workers = tables.workers
        self._analysing = tables.analysing
        self._imagining = tables.imagining
        self._runs: dict[str, Run] = {}
        self._known: OrderedDict[str, Analysed] = OrderedDict()
        self._turn = asyncio.Lock()  # for one piece; whoever has waited longest is next
        self._analysing.analyst = self
        tables.closing.append(self.close)

    async def of(self, table: Table) -> Analysed | None:
        """Return the analysis of a table; None if there is none yet.

        Raises ``Forbidden`` while the game is being played.
        """
        check_over(table)
        analysed = self._known.get(table.id)
        if analysed is None and (text := await self._store.text(table.id)) is not None:
            analysed = await off_loop(_read, text, table)
            if analysed is not None:  # an earlier version may have made it, which told fewer readers
                await self._analysing.tell(table, analysed.analysis)
        if analysed is not None:
            self._keep(table.id, analysed)
        return analysed

    def _keep(self, id: str, analysed: Analysed) -> None:
        self._known[id] = analysed
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
        judging.check(imagining=self._imagining)
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
            analysed = await off_loop(Analysed.of, analysis, table)
            await self._store_it(table, text, analysis)
            self._keep(table.id, analysed)
        except Exception:
            log.exception("the analysis of table %s stopped", table.id)
            run.fault = FAILED
        else:
            del self._runs[table.id]

    async def _made(self, table: Table, run: Run) -> Analysis:
        """Judge all decisions of a table in pieces, the important ones first, and then value its moments.

        What is known so far is shown meanwhile. In a long game, the first decisions are judged twice: at once
        in a few worlds, and then in all. Where there is no time for more, the rough moments stay.
        """
        people = {player.index for player in table.players if player.person}
        plan: Plan = await self._piece(judging.glance, table.game, SEED, people, self._imagining)
        rough = await off_loop(judging.glanced, plan.moments)
        await self._show(table, run, plan, (), rough)
        packed: tuple[list[bytes], list[bytes]] = await self._piece(judging.packed, table.game)
        decisions = [packed[0][i] for i in plan.order]
        points = [] if self._imagining.effort.short else packed[1]
        run.total = len(decisions) + len(points)
        early = list[Judgement]()
        if run.total > LONG and plan.worlds > EARLY_WORLDS:
            some = decisions[:EARLY], EARLY_WORLDS, SEED, PIECE_S, self._imagining
            early = await self._piece(judging.judge_some, *some)
            await self._show(table, run, plan, early, rough)
        judged, moments = list[Judgement](), list[LedgerMoment]()
        async for judgements in self._measured(judging.judge_some, decisions, plan.worlds):
            judged += judgements
            run.done += len(judgements)
            await self._show(table, run, plan, [*judged, *early[len(judged) :]], rough)
        async for values in self._measured(judging.value_some, points, plan.worlds):
            moments += values
            run.done += len(values)
        return self._known_of(table, plan, judged, moments or rough)

    def _known_of(
        self, table: Table, plan: Plan, judged: Sequence[Judgement], moments: Sequence[LedgerMoment]
    ) -> Analysis:
        """Return the analysis of a table with these judgements and moments."""
        return judging.made_of(table.game, judged, moments, plan.worlds, SEED, self._imagining)

    async def _show(
        self, table: Table, run: Run, plan: Plan, judged: Sequence[Judgement], rough: Sequence[LedgerMoment]
    ) -> None:
        """Show what is known so far of an analysis that runs."""
        known = self._known_of(table, plan, judged, rough)
        run.so_far = await off_loop(Analysed.of, known, table, rough=True)

    async def _measured(
        self, work: Callable[..., list[T]], packed: list[bytes], worlds: int
    ) -> AsyncIterator[list[T]]:
        """Judge or value all of these, a piece of about a second at a time."""
        done = 0
        while done < len(packed):
            ahead = packed[done : done + AHEAD]
            made = await self._piece(work, ahead, worlds, SEED, PIECE_S, self._imagining)
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

    async def _store_it(self, table: Table, text: str, analysis: Analysis) -> None:
        """Store an analysis when the database answers, and tell the readers."""
        while True:
            try:
                await self._store.keep(table.id, self._runtime.now(), text)
                return await self._analysing.tell(table, analysis)
            except Unavailable:
                await self._runtime.sleep(AGAIN)

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
