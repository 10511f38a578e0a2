"""Analyses at tables: made in a worker process, stored with the table, and only when the game is over.

One test has real judgements. For all else it is enough that workers judge: ``lightly`` lets them do it
without rollouts, whose compiled rules cost each worker seconds.
"""

from __future__ import annotations

import asyncio
import os
import pickle
import random
import signal
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from sqlalchemy import update

from paddock.bots import judging
from paddock.bots.analysis import Analysis, Judgement
from paddock.bots.judging import Plan, decisions, judge
from paddock.bots.valuing import moments_of
from paddock.core.game import Game
from paddock.features.analyses import service as analysing
from paddock.features.analyses.rows import analyses
from paddock.features.analyses.service import Analyses
from paddock.tables import Busy, Forbidden, Table, Tables
from paddock.tables.analysing import Analysed, Analysing
from paddock.tables.errors import Stopped
from paddock.tables.workers import Visitor, Workers, visitor
from store.databases import execute, without
from tables.harness import ANA, CountedRuntime, facts, service
from tables.held import PATIENCE_S, begun, held_packed
from tables.light import (
    in_worlds,
    judge_lightly,
    judge_some_held,
    judge_some_lightly,
    last_first,
    value_lightly,
    value_some_lightly,
)
from tables.test_play import play

pytestmark = pytest.mark.anyio
TINY = {"drivers": 2, "races": 1}


@pytest.fixture(autouse=True)
def few_worlds(monkeypatch: pytest.MonkeyPatch) -> None:
    in_worlds(monkeypatch, 8)


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch) -> None:
    """The work of workers is done in this process: for what does not depend on theirs."""

    async def wait(
        _workers: Workers, work: Callable[..., Any], *args: Any, longest: float | None = None
    ) -> Any:
        return work(*args)

    monkeypatch.setattr(Workers, "wait", wait)


@pytest.fixture
def lightly(monkeypatch: pytest.MonkeyPatch) -> None:
    """Workers judge and value without rollouts."""
    monkeypatch.setattr(judging, "judge_some", judge_some_lightly)
    monkeypatch.setattr(judging, "value_some", value_some_lightly)
    monkeypatch.setattr(judging, "glance", last_first)


async def game(tables: Tables, most: int = 10**6) -> Table:
    table = await tables.making.create("lacorsa", TINY, ["me", "me"], ["Ana", "Ben"], holder=ANA)
    await play(tables, table, random.Random(6), most)
    return table


@asynccontextmanager
async def file(tmp_path: Path) -> AsyncIterator[Tables]:
    async with service(f"sqlite:///{tmp_path}/p.db") as tables:
        yield tables


def another(tables: Tables, runtime: CountedRuntime, workers: Workers) -> Analyses:
    """Return an analyst of these tables with time and workers of its own."""
    facts: Any = SimpleNamespace(**vars(tables) | {"runtime": runtime, "workers": workers, "closing": []})
    facts.analysing = Analysing()
    return Analyses(facts)


async def started(tables: Tables, table: Table) -> analysing.Run:
    """Start the analysis of a table."""
    await tables.service(Analyses).start(table.id)
    run = tables.service(Analyses).run(table.id)
    assert run is not None
    return run


async def ended(run: analysing.Run) -> None:
    """Wait until an analysis has ended. The first one compiles."""
    assert run.task is not None
    await run.task


async def until(done: Callable[[], bool]) -> None:
    """Wait for a moment of an analysis, as long as it takes."""
    async with asyncio.timeout(PATIENCE_S):
        for _ in iter(done, True):
            await asyncio.sleep(0.005)


async def analysed(tables: Tables, table: Table) -> Analysed:
    """Start the analysis, and wait until it is stored."""
    await ended(await started(tables, table))
    found = await tables.analysing.of(table)
    assert found is not None
    return found


@pytest.mark.slow("analyses a game in a worker and once more here")
async def test_it_is_the_analysis_of_the_game(tmp_path: Path) -> None:
    async with file(tmp_path) as tables:
        table = await game(tables)
        found = await analysed(tables, table)
        judged = tuple(judge(decision, 8, analysing.SEED) for decision in decisions(table.game))
        assert found.analysis.judgements == judged


@pytest.mark.usefixtures("lightly", "here")
async def test_it_is_stored_and_changes_nothing_else(database: str) -> None:
    async with service(database) as tables:
        table = await game(tables)
        before, version = facts(table), table.version
        assert await tables.analysing.of(table) is None
        found = await analysed(tables, table)
        judged = tuple(judge_lightly(decision, 8, analysing.SEED) for decision in decisions(table.game))
        assert found.analysis.judgements == judged and len(set(judged)) == len(judged) > 10
        assert (facts(table), table.version) == (before, version)
    async with service(database) as tables:
        table = await tables.table(table.id)
        again = await tables.analysing.of(table)
        assert again == found and facts(table) == before
        await tables.service(Analyses).start(table.id)  # there is one already
        assert tables.service(Analyses).run(table.id) is None


async def test_a_running_game_is_refused(tmp_path: Path) -> None:
    async with file(tmp_path) as tables:
        table = await game(tables, 9)
        for ask in (tables.service(Analyses).start(table.id), tables.analysing.of(table)):
            with pytest.raises(Forbidden, match="still being played: it can be analysed when it is over"):
                await ask
        assert tables.service(Analyses).run(table.id) is None and not tables.workers.processes


@pytest.fixture
def held(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lightly: None) -> None:
    """The second piece of an analysis waits until its worker is killed."""
    monkeypatch.setattr(judging, "judge_some", judge_some_held)
    monkeypatch.setenv("PADDOCK_TEST_HELD", str(tmp_path))


@pytest.mark.usefixtures("held")
async def test_a_worker_that_is_killed_loses_only_time(tmp_path: Path) -> None:
    async with file(tmp_path) as tables:
        table = await game(tables)
        run = await started(tables, table)
        process = await begun(tmp_path)
        assert run.done == 1 and tables.workers.processes == [process]
        os.kill(process, signal.SIGKILL)
        await ended(run)
        found = await tables.analysing.of(table)
        assert found is not None and len(found.analysis.judgements + found.analysis.moments) == run.total > 10


async def test_a_piece_whose_workers_die_is_tried_a_few_times(tmp_path: Path) -> None:
    class Dying(Workers):
        asked = 0

        async def wait(self, work: Callable[..., Any], *args: Any, longest: float | None = None) -> Any:
            self.asked += 1
            if self.asked <= deaths:
                raise Stopped("a worker died")
            return work(*args)

    async with file(tmp_path) as tables:
        for deaths in (analysing.TRIES - 1, analysing.TRIES):
            runtime, workers = CountedRuntime(), Dying()
            analyst = another(tables, runtime, workers)
            if deaths < analysing.TRIES:
                assert await analyst._piece(len, "four") == 4
            else:
                with pytest.raises(Stopped):
                    await analyst._piece(len, "four")
            assert workers.asked == analysing.TRIES and set(runtime.slept) == {analysing.AGAIN}


@pytest.mark.usefixtures("held")
async def test_a_restart_in_between_loses_only_time(tmp_path: Path) -> None:
    async with file(tmp_path) as tables:
        table = await game(tables)
        run = await started(tables, table)
        await begun(tmp_path)
    async with file(tmp_path) as tables:
        table = await tables.table(table.id)
        assert await tables.analysing.of(table) is None and tables.service(Analyses).run(table.id) is None
        found = await analysed(tables, table)
        assert len(found.analysis.judgements + found.analysis.moments) == run.total > run.done == 1


@pytest.mark.usefixtures("lightly")
async def test_compiling_may_take_longer_than_other_work(tmp_path: Path) -> None:
    """The first piece compiles. Stopped by the limit of other work, it would start again from nothing."""
    async with file(tmp_path) as tables:
        table = await game(tables)
        workers = Workers(longest=0)
        analyst = another(tables, CountedRuntime(), workers)
        await analyst.start(table.id)
        run = analyst.run(table.id)
        assert run is not None
        await ended(run)
        assert await analyst.of(table) is not None
        await workers.close()


@pytest.mark.usefixtures("lightly")
async def test_others_work_comes_in_between(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An analysis uses one worker; a table has one at a time, and so has a visitor."""
    monkeypatch.setattr(judging, "packed", held_packed)
    monkeypatch.setenv("PADDOCK_TEST_HELD", str(tmp_path))
    async with file(tmp_path) as tables:
        first, second = await game(tables), await game(tables)
        visitor.set(Visitor("192.0.2.1", "ana"))
        run = await started(tables, first)
        assert await started(tables, first) is run
        process = await begun(tmp_path)
        with pytest.raises(Busy, match="another game for you"):
            await tables.service(Analyses).start(second.id)
        assert await tables.workers.run(os.getpid) not in (process, os.getpid())  # the visitor's other work
        visitor.set(Visitor("192.0.2.1", "ben"))
        other = await started(tables, second)
        (tmp_path / "go").touch()
        await ended(run)
        await ended(other)
        assert await tables.analysing.of(first) is not None and await tables.analysing.of(second) is not None


class Counting(Workers):
    """Judges at once, one decision a piece, and notes whose piece it was. Refuses every seventh piece."""

    def __init__(self) -> None:
        super().__init__()
        self.pieces: list[str] = []
        self.begin = asyncio.Event()
        self.asked = self.at_once = self.most = 0

    async def wait(self, work: Callable[..., Any], *args: Any, longest: float | None = None) -> Any:
        self.asked += 1
        if self.asked % 7 == 0:
            raise Busy("the server has too much to do")
        self.at_once += 1
        self.most = max(self.most, self.at_once)
        await self.begin.wait()
        await asyncio.sleep(0)
        self.at_once -= 1
        if work is judging.packed:
            game = args[0]
            return [pickle.dumps((game.names[0], decision)) for decision in decisions(game)], []
        if work is judging.glance:
            return last_first(args[0], "")
        name, decision = pickle.loads(args[0][0])
        self.pieces.append(name)
        return [Judgement(decision.entry, decision.round, decision.seat, "1", "1", 0.0, 0.0, 8)]


async def test_several_take_turns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A short analysis that starts last is done long before a long one. No two use a worker at once."""

    async def at_once(work: Callable[..., object], *args: object, **more: object) -> object:
        return work(*args, **more)  # threads would take turns by luck

    monkeypatch.setattr("paddock.features.analyses.service.off_loop", at_once)
    async with service(f"sqlite:///{tmp_path}/p.db") as tables:
        workers = Counting()
        analyst = another(tables, CountedRuntime(), workers)
        games = {}
        for name, races in (("Ana", 3), ("Ben", 3), ("Cleo", 1)):
            options = {"drivers": 2, "races": races}
            games[name] = await tables.making.create(
                "lacorsa", options, ["me", "me"], [name, "Dora"], holder=ANA
            )
            await play(tables, games[name], random.Random(6))
        for name, table in games.items():
            visitor.set(Visitor("192.0.2.1", name))
            await analyst.start(table.id)
        workers.begin.set()
        await until(lambda: all(analyst.run(table.id) is None for table in games.values()))
        counts = {name: len(decisions(table.game)) for name, table in games.items()}
        assert {name: workers.pieces.count(name) for name in games} == counts and workers.most == 1
        done = len(workers.pieces) - workers.pieces[::-1].index("Cleo")
        for name in games:  # when the short one is done, everybody has had about as many pieces
            assert abs(workers.pieces[:done].count(name) - counts["Cleo"]) <= 3
        for table in games.values():
            found = await analyst.of(table)
            assert found is not None and len(found.analysis.judgements) == counts[table.players[0].name]
        await analyst.close()


@pytest.mark.usefixtures("lightly", "here")
async def test_a_piece_ends_when_its_time_is_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sizes: dict[str, list[int]] = {}

    def noted(name: str, work: Callable[..., list[Any]]) -> Callable[..., list[Any]]:
        def run(*args: Any) -> list[Any]:
            made = work(*args)
            sizes.setdefault(name, []).append(len(made))
            return made

        return run

    monkeypatch.setattr(judging, "judge_some", noted("judged", judge_some_lightly))
    monkeypatch.setattr(judging, "value_some", noted("valued", value_some_lightly))
    monkeypatch.setattr(analysing, "PIECE_S", 0.0)
    async with file(tmp_path) as tables:
        found = (await analysed(tables, await game(tables))).analysis
    assert sizes == {"judged": [1] * len(found.judgements), "valued": [1] * len(found.moments)}
    assert len(found.judgements) > 10 and found.moments


@pytest.mark.usefixtures("lightly")
async def test_an_error_is_shown_and_the_next_request_tries_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with file(tmp_path) as tables:
        table = await game(tables)
        with monkeypatch.context() as patched:
            patched.setattr(judging, "judge_some", judging.judge)  # takes other arguments
            run = await started(tables, table)
            await ended(run)
            assert run.fault and tables.service(Analyses).run(table.id) is run
        assert await tables.analysing.of(table) is None
        await analysed(tables, table)


@pytest.mark.usefixtures("lightly")
async def test_a_database_that_is_gone_is_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judging, "packed", held_packed)
    monkeypatch.setenv("PADDOCK_TEST_HELD", str(tmp_path))
    runtime = CountedRuntime()
    async with service(f"sqlite:///{tmp_path}/p.db", runtime=runtime) as tables:
        table, slept = await game(tables), len(runtime.slept)
        run = await started(tables, table)
        await begun(tmp_path)
        async with without(tables.store, "analyses"):
            (tmp_path / "go").touch()
            await until(lambda: run.total > 0 and run.done == run.total)
            await until(lambda: len(runtime.slept) > slept)
            assert tables.service(Analyses).run(table.id) is run and not run.fault
        await ended(run)
        assert await tables.analysing.of(table) is not None


@pytest.mark.usefixtures("lightly", "here")
async def test_a_stored_analysis_that_does_not_fit_is_made_again(tmp_path: Path) -> None:
    wrong = [
        ('"format":4', '"format":0'),
        ("lacorsa", "rasant"),
        ('"seat":1', '"seat":7'),
        ('"seat":1', '"seat":0'),
        ('"error":0.0', '"error":NaN'),
    ]
    async with file(tmp_path) as tables:
        table = await game(tables)
        found = await analysed(tables, table)
    good = found.analysis.dump()
    async with file(tmp_path) as tables:
        table = await tables.table(table.id)
        for old, new in wrong:
            broken = good.replace(old, new)
            assert broken != good
            await execute(tables.store, update(analyses).values(text=broken))
            assert await tables.analysing.of(table) is None
        assert await analysed(tables, table) == found
    async with file(tmp_path) as tables:
        assert await tables.analysing.of(await tables.table(table.id)) == found


@pytest.mark.parametrize(
    ("about", "mine"),
    [({}, True), ({"title": "rasant"}, False), ({"entries": 3}, False), ({"seat": 0}, False)],
)
def test_an_analysis_of_another_game_is_not_used(
    about: dict[str, Any], mine: bool, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    found = SimpleNamespace(title="lacorsa", entries=2, judgements=[SimpleNamespace(entry=1, seat=1)])
    found.judgements[0].seat = about.get("seat", 1)
    vars(found).update({name: value for name, value in about.items() if name != "seat"})
    log = [SimpleNamespace(by=31), SimpleNamespace(by=1)]
    table: Any = SimpleNamespace(id="t", title=SimpleNamespace(name="lacorsa"), game=SimpleNamespace(log=log))
    monkeypatch.setattr(Analysis, "load", lambda _text: found)
    monkeypatch.setattr(Analysed, "of", lambda analysis, _table: analysis)
    assert analysing._read("", table) is (found if mine else None)
    assert ("is that of another game" in caplog.text) is not mine


@pytest.mark.usefixtures("lightly")
async def test_a_long_game_shows_something_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """First roughly what its races were worth, then some decisions in a few worlds, then each in all."""

    def glance(game: Game, *_more: object) -> Plan:
        moments = [value_lightly(point) for point in moments_of(game)]
        return replace(last_first(game), moments=[pickle.dumps([moment]) for moment in moments])

    monkeypatch.setattr(judging, "glance", glance)
    monkeypatch.setattr(analysing, "LONG", 0)
    monkeypatch.setattr(analysing, "EARLY_WORLDS", 4)
    shown = list[tuple[str, Analysed | None]]()

    class Here(Workers):
        async def wait(self, work: Callable[..., Any], *args: Any, longest: float | None = None) -> Any:
            run = analyst.run(table.id)
            assert run is not None
            shown.append((work.__name__, run.so_far))
            return work(*args)

    async with file(tmp_path) as tables:
        table = await game(tables)
        analyst = another(tables, CountedRuntime(), Here())
        await analyst.start(table.id)
        run = analyst.run(table.id)
        assert run is not None
        await ended(run)
        (first, nothing), (second, worth), (_third, few), (_fourth, early) = shown[:4]
        counts = [len(found.analysis.judgements) for _work, found in shown[3:] if found]
        assert counts == sorted(counts), "what was judged early stays until it is judged in all worlds"
        assert (first, nothing, second) == ("glance", None, "packed")
        for found in (worth, few, early):
            assert found is not None and found.rough and found.ledger == found.changes == []
            assert len(found.analysis.moments) > 10
        assert worth is not None and early is not None and worth.turns == []
        assert {one.worlds for one in early.analysis.judgements} == {analysing.EARLY_WORLDS}
        made = await analyst.of(table)
        assert made is not None and not made.rough and made.ledger
        assert {one.worlds for one in made.analysis.judgements} == {8}
        order = [one.entry for one in early.analysis.judgements]
        assert order == [one.entry for one in made.analysis.judgements][-len(order) :], "the first in order"
