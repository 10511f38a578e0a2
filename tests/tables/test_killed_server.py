"""``paddock serve`` is killed again and again while four programs play: no acknowledged move is lost."""

from __future__ import annotations

import asyncio
import random
import signal
from dataclasses import dataclass, field
from pathlib import Path

import httpx
import pytest

from paddock.store import Store
from paddock.tables.fold import UNDO
from sampling import count
from tables.harness import service
from web.conftest import PATIENT, Server

pytestmark = pytest.mark.anyio
DEATHS = count(1, 20)


@dataclass(frozen=True)
class Said:
    """A submission, and its acknowledgement (None: no answer came)."""

    seat: int
    move: str
    decision: int
    key: str
    status: str | None


@dataclass
class Program:
    """One of the four programs: a seat, a token, and the answers that it got."""

    seat: int
    token: str = ""
    said: list[Said] = field(default_factory=list)

    @property
    def acknowledged(self) -> int:
        """Return how many decisions have an acknowledged move or commitment."""
        return len({said.decision for said in self.said if said.status in ("played", "committed")})

    def client(self, server: Server) -> httpx.AsyncClient:
        headers = {"authorization": f"Bearer {self.token}"} if self.token else {}
        return httpx.AsyncClient(base_url=f"{server.url.rstrip('/')}/api/v1", headers=headers, **PATIENT)

    async def play(self, server: Server, id: str, choose: random.Random) -> None:
        """Play, and change commitments, until the server dies."""
        async with self.client(server) as client:
            while True:
                try:
                    asks = (await client.get(f"/tables/{id}")).json()["asks"]
                except httpx.TransportError:
                    return
                for ask in asks:
                    if ask["committed"] is not None and choose.random() < 0.7:
                        continue
                    move = choose.choice(ask["moves"])["move"]
                    body = {"seat": ask["seat"], "decision": ask["decision"], "move": move}
                    body["key"] = f"{self.seat}.{choose.random()}"
                    status = None
                    try:
                        answer = await client.post(f"/tables/{id}/moves", json=body)
                        assert answer.status_code < 500, answer.text
                        status = answer.json().get("status", "refused")
                    except httpx.TransportError:
                        return
                    finally:
                        said = Said(body["seat"], move, body["decision"], body["key"], status)
                        self.said.append(said)
                await asyncio.sleep(choose.random() / 50)

    async def repeat(self, server: Server, id: str) -> None:
        """The same submission gets the same answer, also from the next server."""
        async with self.client(server) as client:
            for said in [said for said in self.said if said.status in ("played", "committed")][-5:]:
                body = {"seat": said.seat, "decision": said.decision, "move": said.move, "key": said.key}
                answer = await client.post(f"/tables/{id}/moves", json=body)
                assert answer.json()["status"] == said.status


async def sit_down(server: Server, programs: list[Program]) -> str:
    """Create a table for the four, after the deal."""
    id = ""
    for program in programs:
        async with program.client(server) as client:
            made = await client.post("/tokens", json={"label": f"seat {program.seat}"})
            assert made.status_code == 201, made.text
            program.token = made.json()["token"]
        async with program.client(server) as client:
            if not id:
                body = {
                    "title": "lacorsa",
                    "options": {"drivers": 4, "races": 99},
                    "seats": ["me", "open", "open", "open"],
                    "lobby": True,
                }
                made = await client.post("/tables", json=body)
                assert made.status_code == 201, made.text
                id = made.json()["id"]
            else:
                sat = await client.post(f"/tables/{id}/seats/{program.seat}/claim", json={})
                assert sat.status_code < 300, sat.text
    for program in programs:
        async with program.client(server) as client:
            ready = await client.post(f"/tables/{id}/seats/{program.seat}/ready", json={})
            assert ready.status_code < 300, ready.text
    return id


async def nothing_is_lost(database: str, id: str, programs: list[Program]) -> int:
    """Check that every acknowledged move and commitment is stored; return their number."""
    store = await Store.open(database)
    stored = await store.load(id)
    await store.close()
    assert stored
    log = {(row.decision, row.by): row.what for row in stored.events if row.by != UNDO}
    open_ = {(row.decision, row.seat): row.move for row in stored.pending}
    found = 0
    async with service(database) as tables:
        table = await tables.table(id)
        assert table.frozen is None and table.rows == stored.table.length
        for program in programs:
            last = {s.decision: s for s in program.said if s.status in ("played", "committed")}
            unsure = {(s.decision, s.move) for s in program.said if s.status is None}
            for decision, said in last.items():
                what = (log | open_)[decision, said.seat]
                move = str(table.title.text.move(table.game.setup, what))
                assert move == said.move or (decision, move) in unsure
                found += 1
    return found


@pytest.mark.slow("several starts of a server")
@pytest.mark.timeout(1200)  # they are slow where a machine is busy
@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="this system has no kill -9")
async def test_a_served_table_survives_many_deaths(tmp_path: Path) -> None:
    """Some die while a submission is under way: it goes on until one has."""
    choose = random.Random(9)
    server = await asyncio.to_thread(Server, tmp_path)
    try:
        programs = [Program(seat) for seat in range(4)]
        id = await sit_down(server, programs)
        found = deaths = 0
        while deaths < DEATHS or not any(s.status is None for p in programs for s in p.said):
            if deaths:
                await asyncio.to_thread(server.start)
                for program in programs:
                    await program.repeat(server, id)
            playing = [
                asyncio.create_task(p.play(server, id, random.Random(choose.random()))) for p in programs
            ]
            enough = sum(p.acknowledged for p in programs) + choose.randrange(3, 12)
            while sum(p.acknowledged for p in programs) < enough:
                for task in playing:
                    if task.done():
                        task.result()
                        raise AssertionError("a program stopped: the server closed its connection")
                await asyncio.sleep(0.005)
            await asyncio.sleep(choose.random() / 30)
            server.kill()
            await asyncio.gather(*playing)
            found = await nothing_is_lost(server.database, id, programs)
            deaths += 1
        assert found == sum(p.acknowledged for p in programs) >= 3 * DEATHS
    finally:
        server.kill()
    assert not any("Traceback" in line for line in server.lines), "".join(server.lines)
