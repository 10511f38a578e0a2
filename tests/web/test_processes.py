"""``paddock serve --processes``: one address, and several servers behind it."""

from __future__ import annotations

import asyncio
import signal
import socket
import time
from collections.abc import Iterator
from pathlib import Path

import asyncpg
import httpx
import psutil
import pytest
from typer.testing import CliRunner

from paddock.cli import app
from paddock.server.processes import Sticky, place, work
from tables.clockwork import PATIENCE_S
from web.conftest import Server
from web.test_servers import (
    CHEAP,
    GONE,
    LONG,
    UNLIMITED,
    Listener,
    Player,
    execute,
    goes_on,
    legal,
    rest,
    told,
)


class Several(Server):
    """Two server processes behind one address."""

    command = ("serve", "--processes", "2")


@pytest.fixture
def several(postgres_url: str, tmp_path: Path) -> Iterator[Several]:
    asyncio.run(execute(postgres_url, "DROP SCHEMA public CASCADE; CREATE SCHEMA public"))
    server = Several(tmp_path, PADDOCK_DATABASE_URL=postgres_url, **UNLIMITED)
    yield server
    if server.process.poll() is None:
        server.kill()


def owners(url: str) -> dict[str, str]:
    """Return the address of the server of each table; a new database has none."""

    async def asked() -> dict[str, str]:
        connection = await asyncpg.connect(url.replace("+asyncpg", ""))
        new = await connection.fetchval("SELECT to_regclass('servers') IS NULL")
        query = "SELECT t.id, s.address FROM tables t JOIN servers s ON s.id = t.owner"
        found = [] if new else await connection.fetch(query)
        await connection.close()
        return {row["id"]: row["address"] for row in found}

    return asyncio.run(asked())


def process_at(parent: int, address: str) -> psutil.Process:
    """Return the server process that listens there."""
    port = int(address.rpartition(":")[2])
    for child in psutil.Process(parent).children():
        if any(c.laddr.port == port and c.status == "LISTEN" for c in child.net_connections("inet")):
            return child
    raise AssertionError(address)


@pytest.mark.slow("several servers")
def test_several_processes_answer_as_one(postgres_url: str, several: Several) -> None:
    players = [Player(several, ["me", "me"]) for _ in range(4)]
    bots = Player(several, ["rookie", "rookie"], options=LONG)
    while len(set((where := owners(postgres_url)).values())) == 1:
        players.append(Player(several, ["me", "me"]))
    assert len({(place(id, 2), address) for id, address in where.items()}) == 2
    listeners = [Listener(player, several) for player in players]
    for player, listener in zip(players, listeners, strict=True):
        told(listener, lambda player=player: player.move(several))  # type: ignore[misc]
    # One connection asks for all tables: what it asks of the wrong process comes from the right one.
    with httpx.Client(base_url=f"{several.url}api/v1", **CHEAP | {"limits": httpx.Limits()}) as client:
        for player in [*players, *players]:
            assert client.get(f"/tables/{player.id}").json()["id"] == player.id
        assert client.get("/titles").status_code == 200
    # One of them dies.
    dead = process_at(several.process.pid, where[bots.id])
    seen = [player.table(several) for player in players]
    dead.kill()
    dead.wait()
    asyncio.run(execute(postgres_url, GONE, where[bots.id]))
    asyncio.run(execute(postgres_url, "NOTIFY paddock_servers"))
    for player, before in zip(players, seen, strict=True):
        assert rest(player.table(several)) == rest(before)
        player.move(several)
    asyncio.run(goes_on(postgres_url, bots.id))
    while len(psutil.Process(several.process.pid).children()) < 2:  # and is started again
        time.sleep(0.05)
    for listener in listeners:
        listener.stopped = True
    family = psutil.Process(several.process.pid).children(recursive=True)
    several.stop(signal.SIGTERM)
    assert several.process.returncode == 0
    assert not psutil.wait_procs(family, PATIENCE_S)[1], "they end by themselves"
    assert not any("Traceback" in line for line in several.lines), "".join(several.lines)
    asyncio.run(legal(postgres_url, *[player.id for player in [*players, bots]]))


def test_an_sqlite_file_takes_one_process(tmp_path: Path) -> None:
    environment = {"PADDOCK_DATABASE_URL": f"sqlite:///{tmp_path}/p.db"}
    done = CliRunner().invoke(app, ["serve", "--processes", "2", "--port", "0"], env=environment)
    assert done.exit_code != 0
    assert "--processes needs PostgreSQL" in done.output + str(done.exception)


def test_a_process_whose_parent_is_gone_when_it_is_ready_ends_in_order(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PADDOCK_DATABASE_URL", postgres_url)
    before = owners(postgres_url)  # servers that other tests have killed
    mine, parent = socket.socketpair()
    parent.close()
    with mine:
        work(mine, 0, 2)  # returns, and raises nothing
    assert owners(postgres_url).items() <= before.items()


@pytest.mark.slow("several servers")
def test_a_database_that_cannot_be_used_is_one_line(tmp_path: Path, postgres_url: str) -> None:
    with pytest.raises(RuntimeError) as raised:
        Several(tmp_path, PADDOCK_DATABASE_URL=postgres_url.replace("/paddock?", "/nothing?"))
    (line,) = str(raised.value).strip().splitlines()
    assert "nothing" in line


def test_new_tables_belong_to_their_process() -> None:
    for index in range(3):
        runtime = Sticky(index, 3)
        assert {place(runtime.table_id(), 3) for _ in range(20)} == {index}
        assert [runtime.prefers(id) for id in ("aa", "bb", "cc")] == [
            place(id, 3) == index for id in ("aa", "bb", "cc")
        ]
