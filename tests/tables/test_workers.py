"""Worker processes: limits for visitors, processes that die or take too long, and long logs in them."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import update

from paddock.core.errors import BadMove, BadOption, BadRecord, IllegalMove
from paddock.core.i18n import Sentence, language
from paddock.store.schema import events
from paddock.tables import Busy, Stopped, making, replaying
from paddock.tables.tasks import background
from paddock.tables.workers import MOST, MOST_ADDRESS, SERVER, Visitor, Workers, visitor
from sampling import WHOLE
from tables.clockwork import until
from tables.harness import ANA, BEN, CountedRuntime, facts, service
from tables.held import PATIENCE_S, begun, fail, held, refuse, spoken
from tables.long import championship, held_upload

pytestmark = pytest.mark.anyio
HOME, CLUB = "192.0.2.1", "192.0.2.2"


@asynccontextmanager
async def pool(workers: int = 2, longest: float = 120) -> AsyncIterator[Workers]:
    made = Workers(workers, longest)
    try:
        yield made
    finally:
        await made.close()


def asked(who: Visitor, run: Callable[..., Awaitable[Any]], *args: Any) -> asyncio.Task[Any]:
    """Ask for work as this visitor does."""

    async def ask() -> Any:
        visitor.set(who)
        return await run(*args)

    return asyncio.create_task(ask())


async def test_errors_come_back_as_they_were() -> None:
    errors = [
        BadRecord(7, "write a date"),
        BadOption(["one", "two"]),
        IllegalMove("LC-6.2", "the leader cannot extend with a 3"),
        BadMove(Sentence("entry {n} is missing", n=3)),
    ]
    async with pool(1) as workers:
        for more in (0, 1):
            process = await replaying.look(workers, replaying.LONG_LOOK + more, os.getpid)
            assert [process] == (workers.processes if more else [os.getpid()])
        for error in errors:
            with pytest.raises(type(error)) as caught:
                await workers.run(refuse, error)
            assert str(caught.value) == str(error) and caught.value.args == error.args
            assert vars(caught.value) == vars(error)
        with pytest.raises(RuntimeError, match="LookupError: a fault of the program"):
            await workers.run(fail)


async def test_sentences_are_in_the_language_of_the_request() -> None:
    async with pool(1) as workers:
        token = language.set("xx")
        assert await workers.run(spoken) == "xx"
        language.reset(token)
        assert await workers.run(spoken) == "en"


async def test_a_visitor_has_one_piece_of_work_at_a_time(tmp_path: Path) -> None:
    ana, ben = Visitor(HOME, ANA), Visitor(HOME, BEN)
    async with pool() as workers:
        first = asked(ana, workers.run, held, str(tmp_path))
        process = await begun(tmp_path)
        with pytest.raises(Busy, match="your last request"):
            await asked(ana, workers.run, os.getpid)
        with pytest.raises(Busy, match="your last request"):
            await asked(Visitor(CLUB, ANA), workers.run, os.getpid)
        waits = asked(ana, workers.wait, os.getpid)
        assert process != await asked(ben, workers.run, os.getpid)  # another visitor does not wait
        assert not first.done() and not waits.done()
        (tmp_path / "go").touch()
        assert await first == process
        await waits
        await asked(ana, workers.run, os.getpid)


async def test_visitors_without_a_secret_are_known_by_their_address(tmp_path: Path) -> None:
    async with pool() as workers:
        first = asked(Visitor(HOME), workers.run, held, str(tmp_path))
        await begun(tmp_path)
        with pytest.raises(Busy):
            await asked(Visitor(HOME), workers.run, os.getpid)
        await asked(Visitor(CLUB), workers.run, os.getpid)
        (tmp_path / "go").touch()
        await first


async def test_an_address_cannot_fill_the_queue_and_nobody_fills_it_further(tmp_path: Path) -> None:
    async with pool(1) as workers:
        work = [asked(Visitor(HOME, str(n)), workers.run, held, str(tmp_path)) for n in range(MOST_ADDRESS)]
        await begun(tmp_path)
        with pytest.raises(Busy, match="too much to do"):
            await asked(Visitor(HOME, "another"), workers.run, os.getpid)
        work += [
            asked(Visitor(f"198.51.100.{n}"), workers.run, os.getpid) for n in range(MOST - MOST_ADDRESS)
        ]
        await asyncio.sleep(0)
        with pytest.raises(Busy, match="too much to do"):
            await asked(Visitor(CLUB), workers.wait, os.getpid)
        (tmp_path / "go").touch()
        await asyncio.gather(*work)
        await asked(Visitor(CLUB), workers.run, os.getpid)


async def test_a_cancelled_request_keeps_its_turn_until_the_work_is_done(tmp_path: Path) -> None:
    ana = Visitor(HOME, ANA)
    async with pool() as workers:
        first = asked(ana, workers.run, held, str(tmp_path))
        await begun(tmp_path)
        first.cancel()
        with pytest.raises(asyncio.CancelledError):
            await first
        with pytest.raises(Busy):
            await asked(ana, workers.run, os.getpid)
        (tmp_path / "go").touch()
        await asked(ana, workers.wait, os.getpid)
        await asked(ana, workers.run, os.getpid)


async def test_a_worker_that_dies_is_replaced(tmp_path: Path) -> None:
    async with pool(1) as workers:
        first = asked(Visitor(HOME), workers.run, held, str(tmp_path))
        process = await begun(tmp_path)
        os.kill(process, signal.SIGKILL)
        with pytest.raises(Stopped, match="could not finish"):
            await first
        other = await asked(Visitor(HOME), workers.run, os.getpid)
        assert other != process
        os.kill(other, signal.SIGKILL)  # while it is idle
        await until(lambda: other not in [child.pid for child in multiprocessing.active_children()])
        assert await asked(Visitor(HOME), workers.run, os.getpid) not in (process, other)


async def test_work_that_takes_too_long_is_stopped(tmp_path: Path) -> None:
    async with pool(1, longest=0.2) as workers:
        with pytest.raises(Stopped, match="takes too long"):
            await workers.run(held, str(tmp_path))
        assert not workers.processes


async def test_one_piece_of_work_may_have_another_limit() -> None:
    async with pool(1, longest=0) as workers:
        assert await workers.wait(os.getpid, longest=PATIENCE_S) != os.getpid()


async def test_closing_stops_the_work(tmp_path: Path) -> None:
    async with pool() as workers:
        first = asked(Visitor(HOME), workers.run, held, str(tmp_path))
        process = await begun(tmp_path)
        await workers.close()
        with pytest.raises(Stopped):
            await first
        assert all(child.pid != process for child in multiprocessing.active_children())
        with pytest.raises(Stopped, match="is stopping"):
            await workers.run(os.getpid)


async def test_what_a_request_leaves_behind_is_not_its_visitors_work() -> None:
    found: list[Visitor] = []

    async def note() -> None:
        found.append(visitor.get())

    async def request() -> None:
        visitor.set(Visitor(HOME))
        await background(note(), "a timer")

    await asyncio.create_task(request())
    assert found == [SERVER]


# Long logs


@pytest.fixture
def record(monkeypatch: pytest.MonkeyPatch) -> str:
    """A long record. In a sample, less is long: a worker does the same with it."""
    if WHOLE:
        return championship()
    for module in (replaying, making):
        monkeypatch.setattr(module, "LONG_LOG", 100)
        monkeypatch.setattr(module, "LONG_TEXT", 500)
    return championship(4, 3)


def children() -> set[Any]:
    return set(multiprocessing.active_children())


async def test_long_logs_and_records_are_replayed_in_a_worker(database: str, record: str) -> None:
    async with service(database) as one:
        before = children()
        made = await one.making.upload(record, ANA)
        assert children() - before
        stands = facts(made)
        assert made.kind.record and await one.record(made.id) == record
    async with service(database, runtime=CountedRuntime("u")) as two:
        before = children()
        loaded = await two.table(made.id)
        assert children() - before
        assert facts(loaded) == stands and loaded.frozen is None
        entry = len(loaded.game.log) - (60 if WHOLE else 30)
        new = await two.making.explore(made.id, entry, 3, BEN)
        length = len(new.game.log)
        assert replaying.LONG_LOG < length <= entry and new.game.log == loaded.game.log[:length]
        assert new.origin == f"{made.id}/{length}" and new.players_of(BEN) == [3] and new.awaited()
        explored = facts(new)
    async with service(database) as three:
        assert facts(await three.table(new.id)) == explored


async def test_a_long_log_that_is_damaged_freezes(database: str, record: str) -> None:
    async with service(database) as one:
        made = await one.making.upload(record, ANA)
        stored = await one.store.load(made.id)
        assert stored is not None
        last = [row.seq for row in stored.events if row.digest][-3]
        async with one.store._engine.begin() as connection:
            where = (events.c.table_id == made.id) & (events.c.seq == last)
            await connection.execute(update(events).where(where).values(digest=events.c.digest + 1))
        whole = made.game.log
    async with service(database) as two:
        table = await two.table(made.id)
        assert table.frozen is not None and f"entry {last + 1} does not lead" in table.frozen
        assert table.game.log == whole[: len(table.game.log)] and replaying.LONG_LOG < table.rows <= last


async def test_a_bad_record_is_refused_by_a_worker_as_by_the_server(tmp_path: Path, record: str) -> None:
    async with service(f"sqlite:///{tmp_path}/p.db") as tables:
        lines = record.splitlines()
        lines = [line for line in lines if not line.startswith("checksum")]
        tables.workers._longest = 2 * PATIENCE_S  # a busy machine is not a fault
        with pytest.raises(BadRecord, match="the record ends before the game") as caught:
            await tables.making.upload("\n".join(lines[:-1]), ANA)
        assert caught.value.line == len(lines) - 1


async def test_a_worker_that_is_killed_during_an_upload(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, record: str
) -> None:
    monkeypatch.setenv("PADDOCK_TEST_HELD", str(tmp_path))
    monkeypatch.setattr(replaying, "upload", held_upload)
    async with service(f"sqlite:///{tmp_path}/p.db") as tables:
        first = asyncio.create_task(tables.making.upload(record, ANA))
        os.kill(await begun(tmp_path), signal.SIGKILL)
        with pytest.raises(Stopped, match="nothing was saved"):
            await first
        assert await tables.tables_of(ANA) == []
        (tmp_path / "go").touch()
        made = await tables.making.upload(record, ANA)
        assert await tables.tables_of(ANA) == [made]
