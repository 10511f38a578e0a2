"""``scripts/kill.py`` in small, and that it sees what it looks for."""

from __future__ import annotations

import os
import random
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

import kill
import needs
import sampling
from conftest import LOUD
from flushed import Flushed
from paddock.store import Store
from paddock.store.schema import events
from sampling import SEED, count
from store.databases import execute
from tables.harness import ANA, service
from web import ready

Run = Callable[..., str]
SOCKET, LOG = "socket:[7]", "/x/tables.sqlite3-wal"
# A server that prepares nothing for visitors
COLD = f"from paddock.server import serve; serve.warm = lambda _app: None; {kill.SERVER}"


@contextmanager
def forked(database: str, errors: Path, wrapper: Sequence[str] = ()) -> Iterator[kill.Server]:
    """Serve as the script does, but without the seconds that each process of a server takes to load."""
    if wrapper or not ready.FORKS:
        with plainly(database, errors, wrapper) as server:
            yield server
        return
    (seed := errors.with_name("seed")).write_text(f"{SEED}")
    more = {"PADDOCK_DATABASE_URL": database, "PADDOCK_TEST_CHANCE": str(seed)}
    process: Any = ready.Fork(["serve", "--port", "0"], os.environ | kill.UNLIMITED | more)
    log = errors.open("a")
    copying = Thread(target=log.writelines, args=(process.stdout,))
    line = next((line for line in process.stdout if " at http" in line), "")
    copying.start()
    try:
        if not line:
            raise kill.Lost("the server did not start")
        yield kill.Server(process, int(line.split(" at ")[1].split()[0].rstrip("/").rpartition(":")[2]))
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait()
        copying.join()
        log.close()


plainly = kill.serving


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """A function that does in this process what the script does, and returns what it prints."""

    def run(kind: str, *more: str) -> str:
        words = ["kill.py", kind, "--folder", str(tmp_path), "--tables", "2", *more]
        monkeypatch.setattr(sys, "argv", words)
        if not sampling.WHOLE:
            monkeypatch.setattr(kill, "SERVER", COLD)
            monkeypatch.setattr(kill, "serving", forked)
            monkeypatch.setattr(kill.Program, "races", 1)
        failed = kill.main()
        printed = capsys.readouterr().out
        assert not failed, printed
        return printed

    return run


def coded(data: bytes) -> str:
    return '"' + "".join(f"\\x{byte:02x}" for byte in data) + '"'


def call(name: str, file: str, data: bytes = b"", thread: int = 1) -> str:
    written = f", {coded(data)}" if data else ""
    return f"{thread} {name}(5<{coded(file.encode())[1:-1]}>{written}, 9) = {len(data)}"


def header(last: bool) -> str:
    return call("pwrite64", LOG, bytes(4) + (b"\0\0\0\7" if last else bytes(4)) + bytes(16))


ASKED = call("read", SOCKET, b'POST /m HTTP/1.1\r\n\r\n{"key": "k1", "seat": 0}')
PAGE = call("pwrite64", LOG, b"....hash1....")
OTHER = call("pwrite64", LOG, b"...........................")
FLUSH = call("fdatasync", LOG)
ANSWER = call("sendto", SOCKET, b"HTTP/1.1 200 OK\r\n\r\n{}")
BEGINS, ENDS = FLUSH.partition(", 9")[0] + " <unfinished ...>", "1 <... fdatasync resumed>) = 0"
WHOLE = [header(True), PAGE]
PARTS = [header(False), PAGE, header(True), OTHER]


@pytest.mark.parametrize(
    ("lines", "early"),
    [
        ([ASKED, *WHOLE, FLUSH, ANSWER], False),
        ([ASKED, *PARTS, FLUSH, ANSWER], False),
        ([ASKED, *WHOLE, BEGINS, ENDS, ANSWER], False),
        ([ASKED, *WHOLE, ANSWER, FLUSH], True),
        ([ASKED, FLUSH, *WHOLE, ANSWER], True),
        ([ASKED, BEGINS, *WHOLE, ENDS, ANSWER], True),  # a flush covers what was written before it began
        ([ASKED, *WHOLE, BEGINS, ANSWER, ENDS], True),
        ([ASKED, *WHOLE, FLUSH.replace("= 0", "= -1 EIO"), ANSWER], True),
        ([ASKED, *WHOLE, call("fdatasync", "/x/tables.sqlite3"), ANSWER], True),
        ([ASKED, *PARTS[:2], FLUSH, *PARTS[2:], ANSWER], True),  # a transaction without its end is lost
        ([ASKED, call("pwrite64", "/x/other", b"hash1"), FLUSH, ANSWER], True),
    ],
)
def test_an_answer_before_its_flush_is_seen(lines: list[str], early: bool) -> None:
    found = Flushed({b"k1": b"hash1"}).read(lines)
    assert found.acknowledged == [b"k1"]
    assert found.early == ([b"k1"] if early else [])


def test_a_refusal_acknowledges_nothing() -> None:
    found = Flushed({b"k1": b"hash1"}).read([ASKED, call("sendto", SOCKET, b"HTTP/1.1 503 No\r\n\r\n{}")])
    assert found.acknowledged == []


@pytest.mark.slow("a server, and processes for its bots")
@pytest.mark.skipif(needs.strace() is None, reason=f"{LOUD}: flushes. No strace, or it may not trace here")
def test_nothing_is_acknowledged_before_its_flush(run: Run) -> None:
    assert "answers came after the flush" in run("flush")


@pytest.mark.slow("each server has processes for its bots")
def test_a_killed_server_loses_nothing(run: Run) -> None:
    times = f"{count(1, 3)}"
    assert f"server killed {times} times" in run("sqlite", "--times", times, "--seed", f"{SEED}")


@pytest.mark.slow("a PostgreSQL and a server, and processes for its bots")
@pytest.mark.postgres
@pytest.mark.skipif(needs.postgres() is None, reason=f"{LOUD}: PostgreSQL. There is none on this system")
@pytest.mark.parametrize("kind", ["database", "postgres", "servers"][: count(1, 3)])
def test_with_postgresql_nothing_is_lost(run: Run, kind: str) -> None:
    assert "killed 1 times" in run(kind, "--times", "1", "--seed", f"{SEED}")


@pytest.mark.anyio
async def test_what_is_lost_is_seen(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path / 'tables.sqlite3'}"
    program = kill.Program(random.Random(1))
    async with service(database) as tables:
        table = await tables.making.create("lacorsa", {"drivers": 4}, kill.SEATS, holder=ANA)
        other = dict(table.moves(0))[0][1][1]
        for seat in range(2):
            move = dict(table.moves(seat))[seat][0][1]
            await tables.submit(table.id, ANA, seat, move, table.decision, f"key{seat}")
            program.sure.append(kill.Said(table.id, seat, move, table.decision, f"key{seat}"))
    program.tables.append(table.id)
    trial = kill.Trial(database, tmp_path, random.Random(1))
    trial.programs = [program]
    await trial.check()
    first, second = program.sure

    async def lost(what: str, *, over: bool = False) -> None:
        with pytest.raises(kill.Lost, match=what):
            await trial.check(over=over)

    await lost("it is not over", over=True)
    program.sure = [first]
    await lost("nobody submitted")
    program.unsure = [second]
    await trial.check()
    program.sure = [replace(first, move=other)]
    await lost("1 acknowledged moves")
    program.sure = [first]
    store = await Store.open(database)
    await execute(store, events.delete().where(events.c.seq > 3))
    await store.close()
    await lost("cannot go on")
