"""Kill the server, or its database, under load; exit 1 if an acknowledged move is lost: ``make kill``.

Programs play tables of people and bots through the API, and everything runs in processes of its own.

- ``sqlite``: the server is killed and started again, on an SQLite file.
- ``postgres``: the same on PostgreSQL.
- ``database``: PostgreSQL is killed and started again; the server must go on by itself.
- ``servers``: two servers share a PostgreSQL, and one of them is killed and started again. Each request goes
  to either of them, and nobody may be shown an older table after a newer one. Each table has a spectator too,
  whose stream opens again at either server when it ends, and must come to the end of the game.
- ``flush``: strace shows that no answer is sent before the flush of what it acknowledges. Killing a process
  cannot show that, because the system still writes what the process has not flushed.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, TypeAlias

import httpx
import psutil

import needs
from flushed import STRACE, Flushed
from load import SERVER, UNLIMITED
from paddock.core.title import move_id
from paddock.core.words import CHANCE
from paddock.store import Store
from paddock.tables.replaying import replay
from paddock.tables.restore import restore
from paddock.tables.table import Table

Moved: TypeAlias = tuple[int, int, int]  # the decision, the seat and the move of an entry
TIMES = {"sqlite": 50, "postgres": 10, "database": 10, "servers": 10, "flush": 1}
TABLES = 8
SEATS = ("me", "me", "rookie", "rookie")  # players of a table
PATIENCE = 180  # seconds within which a table must go on, even where the machine is busy
LINES = 40  # of the servers' log that are printed when something is lost
LONGER = 10  # more seconds for each table, until many have been played to the end


class Lost(Exception):
    """Something was lost or is stuck; says what."""


@dataclass(frozen=True)
class Said:
    """A submission."""

    table: str
    seat: int
    move: str
    decision: int
    key: str
    only: bool = False  # whether it is the only legal move


@dataclass
class Program:
    """Plays the seats of people at one table after another, and notes what was acknowledged."""

    choose: random.Random
    token: str = ""
    table: str = ""
    transport: Anywhere | None = None  # None: one server
    races: ClassVar[int] = 2
    ending: bool = False  # whether to play no other table after this one
    tables: list[str] = field(default_factory=list)
    unsure: list[Said] = field(default_factory=list)  # sent, and not answered yet
    sure: list[Said] = field(default_factory=list)
    refused: int = 0  # answers 503
    again: int = 0  # submissions that the next server got again

    def connect(self, port: int) -> httpx.AsyncClient:
        headers = {"authorization": f"Bearer {self.token}"} if self.token else {}
        return httpx.AsyncClient(
            base_url=f"http://127.0.0.1:{port}/api/v1",
            headers=headers,
            timeout=PATIENCE,
            limits=httpx.Limits(max_keepalive_connections=0),  # the server may close an idle connection
            trust_env=False,
            transport=self.transport,
        )

    async def join(self, port: int) -> None:
        """Get a token, and a table."""
        async with self.connect(port) as client:
            label = f"{self.choose.getrandbits(64):x}"
            self.token = (await self.ask(client, "POST", "/tokens", {"label": label}))["token"]
        async with self.connect(port) as client:
            await self.sit(client)

    async def sit(self, client: httpx.AsyncClient) -> None:
        body = {"title": "lacorsa", "seats": SEATS, "options": {"races": self.races}, "pace": "instant"}
        self.table = (await self.ask(client, "POST", "/tables", body))["id"]
        self.tables.append(self.table)

    async def ask(self, client: httpx.AsyncClient, method: str, path: str, body: Any = None) -> Any:
        """Return the JSON of the answer. A database that is gone is waited for."""
        until = time.monotonic() + PATIENCE
        while True:
            answer = await client.request(method, path, json=body)
            if answer.status_code < 300:
                return answer.json()
            if answer.status_code != 503 or time.monotonic() > until:
                raise Lost(f"{method} {path} {body or ''}: {answer.status_code} {answer.text}")
            if not answer.headers.get("retry-after", "").isdigit() or not answer.json()["error"]:
                raise Lost(f"{method} {path}: 503 without Retry-After or sentence")
            self.refused += 1
            await asyncio.sleep(self.choose.random() / 2)

    async def play(self, port: int) -> None:
        """Play until the server dies, or to the end of the table if ``ending`` is set."""
        async with self.connect(port) as client:
            try:
                for said in list(self.unsure):
                    self.again += 1
                    await self.send(client, said)
                while await self.turn(client):
                    pass
            except httpx.TransportError as error:
                if self.transport:
                    raise Lost(f"table {self.table}: no server answers: {error!r}") from error

    async def turn(self, client: httpx.AsyncClient) -> bool:
        """Decide for all seats at the same time; return whether to go on."""
        table = await self.ask(client, "GET", f"/tables/{self.table}")
        if table["frozen"] or table["stalled"]:
            raise Lost(f"table {self.table}: {table['frozen'] or table['stalled']}")
        if table["phase"] == "over":
            if self.ending:
                return False
            await self.sit(client)
            return True  # this table too is played to its end, if «ending» was set meanwhile
        asks = {ask["seat"]: ask for ask in table["asks"]}
        for player in set(table["awaited"]) & set(table["you"]):
            view = await self.ask(client, "GET", f"/tables/{self.table}?player={player}")
            if view["decision"] == table["decision"]:
                asks |= {ask["seat"]: ask for ask in view["asks"]}
        sends = []
        for seat, ask in asks.items():
            if ask["committed"] is None:
                move = self.choose.choice(ask["moves"])["move"]
                said = Said(
                    self.table,
                    seat,
                    move,
                    ask["decision"],
                    f"{self.choose.getrandbits(64):016x}",
                    len(ask["moves"]) == 1,
                )
                self.unsure.append(said)
                sends.append(self.send(client, said))
        for error in await asyncio.gather(*sends, return_exceptions=True):
            if error:
                raise error
        if not sends:
            await asyncio.sleep(0.03)
        return True

    async def send(self, client: httpx.AsyncClient, said: Said) -> None:
        """Send a submission, until it is acknowledged."""
        body = {"seat": said.seat, "decision": said.decision, "move": said.move, "key": said.key}
        answer = await self.ask(client, "POST", f"/tables/{said.table}/moves", body)
        self.unsure.remove(said)
        if answer["status"] in ("played", "committed"):
            self.sure.append(said)
        elif not said.only:  # it may have been played by itself
            raise Lost(f"{said}: {answer}")


class Anywhere(httpx.AsyncBaseTransport):
    """Sends each request to any server that runs, and to another one if it does not answer.

    Everything that programs send may be sent twice. ``newest`` has the newest decision that anybody was shown
    of a table: whoever asks later must not be shown an older one.
    """

    def __init__(self, choose: random.Random) -> None:
        self.choose = choose
        self.ports: list[int] = []
        self.newest: dict[str, int] = {}
        self.by: dict[str, str] = {}
        self.failed = self.pages = 0
        self._inner = httpx.AsyncHTTPTransport(limits=httpx.Limits(max_keepalive_connections=0))

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Send a request."""
        until = time.monotonic() + PATIENCE
        while True:
            newest = dict(self.newest)
            request.url = request.url.copy_with(port=self.choose.choice(self.ports))
            try:
                answer = await self._inner.handle_async_request(request)
                await answer.aread()
            except httpx.TransportError:
                if time.monotonic() > until:
                    raise
                self.failed += 1
                await asyncio.sleep(self.choose.random() / 5)
                continue
            if request.method == "GET" and answer.status_code == 200:
                table = answer.json()
                self.pages += 1
                if table["frozen"]:  # it shows the last valid position, which is older
                    raise Lost(f"{request.url}: {table['frozen']}")
                if table["decision"] is not None:
                    asked, id, shown = str(request.url), table["id"], table["decision"]
                    if f"/tables/{id}" not in asked:
                        raise Lost(f"{asked}: this is table {id}")
                    if shown < newest.get(id, 0):
                        took = PATIENCE - (until - time.monotonic())
                        raise Lost(f"{asked}, {took:.1f} s: {shown} after {newest[id]} at {self.by[id]}")
                    self.note(id, shown, asked)
            return answer

    def note(self, id: str, shown: int, by: str) -> None:
        """Note which decision of a table somebody was shown, and by whom."""
        if shown > self.newest.get(id, 0):
            self.newest[id], self.by[id] = shown, f"{by}, {time.strftime('%X')}"


class Spectator:
    """Watches the tables of a program by their event streams, and must see each move on."""

    def __init__(self, anywhere: Anywhere, program: Program) -> None:
        self.anywhere, self.program = anywhere, program
        self.events = self.opened = 0
        self._client = httpx.AsyncClient(timeout=httpx.Timeout(PATIENCE, connect=5), trust_env=False)

    async def watch(self) -> None:
        """Watch one table after another, each to its end; return after the last one."""
        n = 0
        while n < len(self.program.tables) or not self.program.ending:
            if n < len(self.program.tables):
                await self._to_the_end(self.program.tables[n])
                n += 1
            await asyncio.sleep(0.05)
        await self._client.aclose()

    async def _to_the_end(self, id: str) -> None:
        seen, over = "", False
        while not over:
            least = self.anywhere.newest.get(id, 0)  # no older table may be shown from now on
            port = self.anywhere.choose.choice(self.anywhere.ports)
            url = f"http://127.0.0.1:{port}/api/v1/tables/{id}/stream"
            self.opened += 1
            try:
                async with self._client.stream("GET", url, headers={"last-event-id": seen}) as answer:
                    async for line in answer.aiter_lines():
                        if line.startswith("id:"):
                            seen = line[3:].strip()
                        if not line.startswith("data:"):
                            continue
                        table = json.loads(line[5:])
                        if table["id"] != id:
                            raise Lost(f"the stream of {id} shows table {table['id']}")
                        if table["frozen"]:
                            raise Lost(f"{url}: {table['frozen']}")
                        if table["decision"] < least:
                            by = self.anywhere.by[id]
                            raise Lost(f"{url} shows {table['decision']} after {least}, the newest at {by}")
                        least, self.events = table["decision"], self.events + 1
                        self.anywhere.note(id, least, url)
                        if over := table["phase"] == "over":
                            return
            except httpx.TransportError:
                pass
            await asyncio.sleep(self.anywhere.choose.random() / 5)


@dataclass
class Server:
    """``paddock serve`` in a process of its own."""

    process: subprocess.Popen[str]
    port: int

    def kill(self) -> None:
        """Kill the server, and wait until the processes of its bots have ended by themselves."""
        bots = psutil.Process(self.process.pid).children(recursive=True)
        self.process.kill()
        self.process.wait()
        if left := psutil.wait_procs(bots, 60)[1]:
            raise Lost(f"processes of a killed server go on: {left}")


@contextmanager
def serving(database: str, errors: Path, wrapper: Sequence[str] = ()) -> Iterator[Server]:
    """Start the server; it writes its errors to a file."""
    command = [*wrapper, sys.executable, "-c", SERVER, "serve", "--port", "0"]
    environment = os.environ | UNLIMITED | {"PADDOCK_DATABASE_URL": database, "PYTHONUNBUFFERED": "1"}
    with (
        errors.open("a") as log,
        subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=log, text=True) as process,
    ):
        assert process.stdout
        try:
            line = next((line for line in process.stdout if " at http" in line), "")
            if not line:
                raise Lost(f"the server did not start: {errors.read_text()}")
            yield Server(process, int(line.split(" at ")[1].split()[0].rstrip("/").rpartition(":")[2]))
        finally:
            family = [*psutil.Process(process.pid).children(recursive=True)] if process.poll() is None else []
            process.terminate()
            for one in family:
                one.terminate()
            psutil.wait_procs(family, 60)


async def logged(store: Store, id: str) -> tuple[Table, list[Moved]]:
    """Return a stored table, and the moves of its log and those that wait for others; raise ``Lost``."""
    stored = await store.load(id)
    if stored is None:
        raise Lost(f"table {id}")
    names = [player.name for player in stored.players]
    table = restore(stored, replay(stored.table, names, stored.data, stored.events))
    if table.frozen:
        raise Lost(f"table {id}: {table.frozen}")
    rows = [(row.decision, row.by, row.what) for row in stored.events if row.by != CHANCE]
    return table, rows + [(row.decision, row.seat, row.move) for row in stored.pending]


def moved_by(table: Table, said: Said) -> Moved:
    """Return a submission as its table stores it."""
    return said.decision, said.seat, move_id(table.title, table.game.setup, said.move)


def missing(table: Table, rows: Sequence[Moved], sure: Sequence[Said]) -> None:
    """Raise ``Lost`` if a table has decided twice, or has not stored what it has acknowledged."""
    found = Counter((decision, seat) for decision, seat, _move in rows)
    if twice := [which for which, times in found.items() if times > 1]:
        raise Lost(f"table {table.id}: decided twice: {twice}")
    stored = set(rows)
    if gone := [said for said in sure if moved_by(table, said) not in stored]:
        raise Lost(f"{len(gone)} acknowledged moves, the first: {gone[0]}")


class Trial:
    """Programs that play on one database, and what they find."""

    def __init__(self, database: str, folder: Path, choose: random.Random, tables: int = TABLES) -> None:
        self.database, self.choose = database, choose
        self.errors = folder / "errors.log"
        self.programs = [Program(random.Random(choose.random())) for _ in range(tables)]

    @property
    def acknowledged(self) -> int:
        return sum(len(one.sure) for one in self.programs)

    async def loaded(self, playing: Sequence[asyncio.Task[None]], *, wait: bool = True) -> None:
        """Wait until every program has been answered, and then for a random moment."""
        before, until = [len(one.sure) for one in self.programs], time.monotonic() + PATIENCE
        while any(len(one.sure) == n for one, n in zip(self.programs, before, strict=True)):
            for task in playing:
                if task.done():
                    task.result()
                    raise Lost("a program stopped: the server closed its connection")
            if time.monotonic() > until:
                raise Lost("a table is stuck")
            await asyncio.sleep(0.02)
        if wait:
            await asyncio.sleep(self.choose.random())

    def play(self, port: int) -> list[asyncio.Task[None]]:
        return [asyncio.create_task(one.play(port)) for one in self.programs]

    async def join(self, port: int) -> None:
        await asyncio.gather(*(one.join(port) for one in self.programs))

    async def finish(self, port: int) -> None:
        """Play every table to its end, which its bots must reach too."""
        for one in self.programs:
            one.ending = True
        async with asyncio.timeout(PATIENCE):
            await asyncio.gather(*self.play(port))
        await self.check(over=True)

    async def check(self, *, over: bool = False) -> None:
        """Raise ``Lost`` unless every acknowledged move is stored, none twice, and every log folds."""
        store = await Store.open(self.database)
        try:
            for one in self.programs:
                for id in one.tables:
                    await self._check(store, one, id, over)
        finally:
            await store.close()

    async def _check(self, store: Store, one: Program, id: str, over: bool) -> None:
        sure = [said for said in one.sure if said.table == id]
        table, rows = await logged(store, id)
        missing(table, rows, sure)

        def forced(decision: int, seat: int, move: int) -> bool:
            only = table.at(decision).only(seat)  # nothing is undone here: decisions are lengths of the log
            return only is not None and only[0] == move

        people = {seat for seat, who in enumerate(SEATS) if who == "me"}
        # also while it loaded
        known = {moved_by(table, said) for said in [*one.sure, *one.unsure] if said.table == id}
        more = [moved for moved in rows if moved[1] in people and moved not in known]
        if more := [moved for moved in more if not forced(*moved)]:
            raise Lost(f"table {id}: nobody submitted {more}")
        if over and not table.game.over:
            raise Lost(f"table {id}: it is not over")

    def said(self) -> str:
        """Return the last lines that the servers wrote."""
        lines = self.errors.read_text().splitlines(keepends=True) if self.errors.exists() else []
        return "".join(lines[-LINES:])

    def report(self, what: str) -> None:
        """Print the figures."""
        if "Traceback" in (log := self.errors.read_text()):
            raise Lost(f"the server's log has an error:\n{log[log.index('Traceback') :][:5000]}")
        print(
            f"{what}: {self.acknowledged} moves acknowledged at "
            f"{sum(len(one.tables) for one in self.programs)} tables, all stored once; "
            f"{sum(one.again for one in self.programs)} submissions without an answer were sent again and "
            f"counted once; {sum(one.refused for one in self.programs)} answers were 503; every table was "
            "played to its end",
            flush=True,
        )


async def server_killed(trial: Trial, times: int) -> None:
    """Kill the server again and again."""
    for n in range(times):
        with serving(trial.database, trial.errors) as server:
            if not n:
                await trial.join(server.port)
            playing = trial.play(server.port)
            await trial.loaded(playing)
            server.kill()
            await asyncio.gather(*playing)
        await trial.check()
    with serving(trial.database, trial.errors) as server:
        await trial.finish(server.port)
    trial.report(f"server killed {times} times")


async def database_killed(trial: Trial, times: int, postgres: needs.Postgres) -> None:
    """Kill PostgreSQL again and again."""
    with serving(trial.database, trial.errors) as server:
        await trial.join(server.port)
        playing = trial.play(server.port)
        longest = 0.0
        for _ in range(times):
            await trial.loaded(playing)
            await asyncio.to_thread(postgres.kill)
            await asyncio.sleep(trial.choose.random())
            await asyncio.to_thread(postgres.start)
            start = time.monotonic()
            await trial.loaded(playing)
            longest = max(longest, time.monotonic() - start)
            await trial.check()
        for one in trial.programs:
            one.ending = True
        async with asyncio.timeout(PATIENCE):
            await asyncio.gather(*playing)
        await trial.check(over=True)
    trial.report(f"PostgreSQL killed {times} times, every table moved on within {longest:.1f} s")


async def one_of_two_killed(trial: Trial, times: int, seconds: float, within: float) -> None:
    """Kill one of two servers again and again, over so many seconds."""
    anywhere = Anywhere(random.Random(trial.choose.random()))
    longest = 0.0
    for one in trial.programs:
        one.transport = anywhere
    spectators = [Spectator(anywhere, one) for one in trial.programs]
    with ExitStack() as stack:
        servers = [stack.enter_context(serving(trial.database, trial.errors)) for _ in range(2)]
        anywhere.ports = [server.port for server in servers]
        await trial.join(0)
        playing = trial.play(0)
        playing += [asyncio.create_task(one.watch()) for one in spectators]
        for _ in range(times):
            await trial.loaded(playing)
            await asyncio.sleep(seconds / times / 2)
            which = trial.choose.randrange(2)
            await asyncio.to_thread(servers[which].kill)
            start = time.monotonic()
            await trial.loaded(playing, wait=False)
            longest = max(longest, time.monotonic() - start)
            await asyncio.sleep(seconds / times / 2)
            servers[which] = await asyncio.to_thread(
                stack.enter_context, serving(trial.database, trial.errors)
            )
            anywhere.ports = [server.port for server in servers]
        for one in trial.programs:
            one.ending = True
        async with asyncio.timeout(PATIENCE + LONGER * len(trial.programs)):
            await asyncio.gather(*playing)
        await trial.check(over=True)
    trial.report(f"one of two servers killed {times} times")
    print(
        f"servers: every table went on within {longest:.1f} s; {anywhere.pages} tables were shown, none older"
        f" than one before; {anywhere.failed} requests were sent again because a server did not answer; "
        f"{len(spectators)} spectators opened {sum(one.opened for one in spectators)} streams and heard "
        f"{sum(one.events for one in spectators)} events, none older than what was shown, to the end of each "
        "game",
        flush=True,
    )
    if longest > within:
        raise Lost(f"a table stood still for {longest:.1f} s, more than {within:.0f} s")


async def flushes(trial: Trial, folder: Path) -> None:
    """Trace the server while the programs play their tables to the end."""
    strace = needs.strace()
    if strace is None:
        raise SystemExit("strace is missing, or may not trace processes here")
    trace = folder / "trace"
    with serving(trial.database, trial.errors, [strace, *STRACE, "-o", str(trace)]) as server:
        await trial.join(server.port)
        await trial.finish(server.port)
    store = await Store.open(trial.database)
    stored = {}
    for one in trial.programs:
        row = await store.token(hashlib.sha256(one.token.encode()).hexdigest())
        assert row
        for said in one.sure:
            words = f"{row.holder} {said.seat} {said.key}"
            stored[said.key.encode()] = hashlib.sha256(words.encode()).hexdigest().encode()
    await store.close()
    with trace.open() as lines:
        seen = Flushed(stored).read(lines)
    if gone := stored.keys() - seen.acknowledged:
        raise Lost(f"the trace has {len(stored) - len(gone)} of {len(stored)} answers")
    if seen.early:
        raise Lost(f"{len(seen.early)} moves were acknowledged before they were flushed")
    trial.report("server traced")
    print(
        f"flushes: each of {len(stored)} answers came after the flush of its transaction; {len(seen.groups)} "
        f"flushes, of up to {max(seen.groups)} submissions"
    )


async def run(
    kind: str,
    times: int,
    tables: int,
    folder: Path,
    choose: random.Random,
    seconds: float = 0,
    within: float = PATIENCE,
) -> None:
    file = f"sqlite:///{folder}/tables.sqlite3"
    if kind == "flush":
        await flushes(Trial(file, folder, choose, tables), folder)
    elif kind == "sqlite":
        await server_killed(Trial(file, folder, choose, tables), times)
    else:
        with needs.postgres_server() as postgres:
            url = f"postgresql://postgres:@/postgres?host={postgres.folder}"
            trial = Trial(url, folder, choose, tables)
            try:
                if kind == "postgres":
                    await server_killed(trial, times)
                elif kind == "servers":
                    await one_of_two_killed(trial, times, seconds, within)
                else:
                    await database_killed(trial, times, postgres)
            except (Lost, TimeoutError):
                print(trial.said(), end="", flush=True)
                raise


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("kinds", nargs="*", metavar="kind", help=f"what to do: {', '.join(TIMES)}")
    parser.add_argument("--times", type=int, help="how often to kill")
    parser.add_argument("--tables", type=int, default=TABLES, help="how many are played at the same time")
    parser.add_argument("--seconds", type=float, default=0, help="for how long “servers” plays at least")
    parser.add_argument(
        "--within", type=float, default=PATIENCE, help="seconds within which each table of “servers” goes on"
    )
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 32), help="of the random moments")
    parser.add_argument("--folder", help="where the databases are made: choose a disk, not memory")
    given = parser.parse_args()
    if wrong := set(given.kinds) - set(TIMES):
        parser.error(f"unknown: {', '.join(sorted(wrong))}")
    print(f"seed {given.seed}", flush=True)
    fine = True
    for kind in given.kinds or TIMES:
        with tempfile.TemporaryDirectory(dir=given.folder) as folder:
            try:
                times = given.times or TIMES[kind]
                choose = random.Random(given.seed)
                asyncio.run(run(kind, times, given.tables, Path(folder), choose, given.seconds, given.within))
            except (Lost, TimeoutError) as error:
                print(f"LOST ({kind}): {error or 'a table is stuck'}", flush=True)
                fine = False
    return not fine


if __name__ == "__main__":
    sys.exit(main())
