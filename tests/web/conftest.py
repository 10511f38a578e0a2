"""A real server for browser tests, and an application without a network for other tests."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest
from fastapi import FastAPI

import needs
from conftest import LOUD
from paddock.kernel.source import Seeded
from paddock.server.app import create_app
from sampling import SEED
from store.databases import prepared
from web import ready

# To compress pages takes a tenth of the time of tests that only read them.
UNPACKED = {"accept-encoding": "identity"}
# An idle server closes a connection after five seconds, which is soon where a machine is busy.
PATIENT: Any = {"timeout": None, "limits": httpx.Limits(max_keepalive_connections=0)}


class Server:
    """``paddock serve`` in its own process, with its own database and seeded cards."""

    command: tuple[str, ...] = ("serve",)
    forked = True  # from a process that has loaded the modules

    def __init__(self, folder: Path, **environment: str) -> None:
        self.environment = environment
        database = f"sqlite:///{folder / 'tables.sqlite3'}"
        self.database = prepared(database) if self.forked else database
        self.seed = folder / "seed"
        self.deal("")
        self.url = ""
        self.lines: list[str] = []
        self.start()

    def start(self) -> None:
        """Start it on the same port as before; return when it answers."""
        port = str(urlsplit(self.url).port or 0)
        arguments = [*self.command, "--port", port]
        environment = (
            os.environ
            | {
                "PADDOCK_DATABASE_URL": self.database,
                "PADDOCK_TEST_CHANCE": str(self.seed),
                "PYTHONUNBUFFERED": "1",
            }
            | self.environment
        )
        self.process: ready.Fork | subprocess.Popen[str]
        if ready.FORKS and self.forked:
            self.process = ready.Fork(arguments, environment)
        else:
            command = [sys.executable, str(Path(__file__).parent / "seeded_server.py"), *arguments]
            self.process = subprocess.Popen(
                command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
            )
        assert self.process.stdout
        for line in self.process.stdout:
            self.lines.append(line)
            if " at http" in line:
                self.url = line.split(" at ")[1].split()[0]
                break
        else:
            raise RuntimeError("".join(self.lines))
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()

    def _read(self) -> None:
        assert self.process.stdout
        for line in self.process.stdout:
            self.lines.append(line)

    def deal(self, test: str) -> None:
        """Seed chance for this test. $PADDOCK_TEST_SEED gives other cards."""
        self.seed.write_text(f"{SEED or ''} {test.partition('@')[0]}")  # without its group

    def kill(self) -> None:
        """Kill the process, as a power cut would."""
        self.process.kill()
        self.process.wait()

    def stop(self, by: int = signal.SIGINT) -> None:
        """Stop as with Ctrl-C, or by another signal; then ``lines`` has all its output."""
        self.process.send_signal(by)
        self.process.wait()  # pytest stops a test that hangs
        self.reader.join()


@contextmanager
def serving(folder: Path) -> Iterator[Server]:
    """Yield a server that is stopped at the end, and has written no error until then."""
    server = Server(folder)
    yield server
    server.stop()
    errors = [line for line in server.lines if "Error" in line or "Traceback" in line]
    assert not errors, "".join(server.lines)


@pytest.fixture(scope="session")
def one_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server for each worker."""
    with serving(tmp_path_factory.mktemp("server")) as server:
        yield server


@pytest.fixture
def server(one_server: Server, request: pytest.FixtureRequest) -> Server:
    """The worker's server, with chance seeded for this test."""
    one_server.deal(request.node.nodeid)
    return one_server


@pytest.fixture(scope="session")
def locale(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a catalogue of the pseudo-language."""
    from web.strange import write_catalogue

    return write_catalogue(tmp_path_factory.mktemp("locale"))


@pytest.fixture
def own_server(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Server]:
    """A server that only this test uses, and may kill."""
    server = Server(tmp_path)
    server.deal(request.node.nodeid)
    yield server
    server.kill()


@pytest.fixture
def program(name: str) -> str:
    """The program of a proxy."""
    found = needs.proxy(name)
    if found is None:
        pytest.skip(f"{LOUD}: a base path behind {name}. There is no {name}")
    return found


@asynccontextmanager
async def running(app: FastAPI) -> AsyncIterator[httpx.AsyncClient]:
    """A client of the application, like a browser without scripts."""
    transport = httpx.ASGITransport(app, raise_app_exceptions=False)
    async with (
        app.router.lifespan_context(app),
        httpx.AsyncClient(transport=transport, base_url="http://paddock.test", headers=UNPACKED) as client,
    ):
        yield client


@pytest.fixture
def unlimited(monkeypatch: pytest.MonkeyPatch) -> None:
    """No limit of the rate of requests for ``app``: a whole game is fast."""
    monkeypatch.setenv("PADDOCK_RATE_ADDRESS", "0")
    monkeypatch.setenv("PADDOCK_RATE_HOLDER", "0")


@pytest.fixture
async def app(tmp_path: Path) -> FastAPI:
    """An application with seeded chance."""
    database = prepared(f"sqlite:///{tmp_path / 'tables.sqlite3'}")
    return create_app(database, chance=Seeded(7), pace="instant")


@pytest.fixture
async def client(app: FastAPI) -> AsyncIterator[httpx.AsyncClient]:
    """A client of ``app``."""
    async with running(app) as client:
        yield client
