"""The server: its address, how it stops, and its event stream."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import re
import signal
import socket
import struct
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
import pytest
from fastapi import FastAPI
from fastapi.responses import PlainTextResponse, StreamingResponse

import paddock.server.serve
import paddock.web.limits
from paddock.core.errors import PaddockError
from paddock.core.settings import Settings
from paddock.server import serve
from paddock.server.app import create_app
from paddock.server.serve import Connection, config, lan_address, listen
from tables.clockwork import until
from terminal.test_cli import here
from web.conftest import PATIENT, Server
from web.helpers import HUMANS, forms


@pytest.fixture(autouse=True)
def cold(monkeypatch: pytest.MonkeyPatch) -> None:
    """Servers in this process prepare nothing for visitors: test_warm.py says what they would."""
    monkeypatch.setattr(paddock.server.serve, "warm", lambda _app: None)


GET = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"


def test_without_a_choice_the_next_free_port_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    with listen("127.0.0.1", 0) as first:
        first.listen()
        port = first.getsockname()[1]
        monkeypatch.setattr(serve, "PORT", port)
        host, second = serve.chosen(None, None, lan=False)
        with second:
            assert host == "127.0.0.1" and second.getsockname()[1] > port


@pytest.mark.parametrize("more", [(), ("--processes", "2")])
def test_a_chosen_port_that_is_taken_ends_the_command(
    more: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The kind: what somebody has chosen is replaced by something else. The proxy would ask the old port."""
    monkeypatch.setenv("PADDOCK_DATABASE_URL", "postgresql://127.0.0.1:1/none" if more else "sqlite:///none")
    with listen("127.0.0.1", 0) as first:
        first.listen()
        port = str(first.getsockname()[1])
        done = here("serve", "--port", port, *more)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == f"paddock: port {port} is taken: stop what uses it, or choose another port\n"


def test_a_chosen_host_is_not_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    done = here("serve", "--host", "127.0.0.1", "--lan", "--port", "0")
    assert done.returncode == 2 and "--lan listens on every address" in done.stderr
    for host in (None, "0.0.0.0"):
        where, listener = serve.chosen(host, 0, lan=True)
        with listener:
            assert where == listener.getsockname()[0] == "0.0.0.0"


def test_an_address_of_another_machine_is_an_error() -> None:
    with pytest.raises(PaddockError, match=r"cannot listen on 192\.0\.2\.1:"):
        listen("192.0.2.1", 0)


def test_the_network_address_is_an_ip_address() -> None:
    socket.inet_aton(lan_address())


BEGINS = ["retry: 1000", "event: beat", "data: 20"]


@pytest.mark.parametrize("packed", [True, False])
def test_the_stream_sends_the_page_when_it_changes(server: Server, packed: bool) -> None:
    """A browser that says what it has is told of nothing else than changes."""
    coding = {"accept-encoding": "gzip" if packed else "identity"}
    with httpx.Client(base_url=server.url, **PATIENT) as client:
        path = client.post("tables", data=HUMANS).headers["location"]
        client.post(f"{path}/sit", data={"player": "0"})
        text = client.get(path).text
        shown = re.findall(r'data-digest="(\w+)"', text)[0]
        with client.stream("GET", f"{path}/stream?have={shown}", headers=coding) as stream:
            assert stream.headers["content-type"].startswith("text/event-stream")
            assert stream.headers["x-accel-buffering"] == "no"
            assert stream.headers.get("content-encoding") == ("gzip" if packed else None)
            lines = (line for line in stream.iter_lines() if line)
            assert [next(lines) for _ in BEGINS] == BEGINS
            with httpx.Client(base_url=server.url, cookies=client.cookies, **PATIENT) as other:
                other.post(f"{path}/move", data=forms(text)[0].data())
            changed = next(lines).removeprefix("id: ")
            page = json.loads(next(lines).removeprefix("data: "))["page"]
        assert changed != shown and f'data-digest="{changed}"' in page
        with client.stream("GET", f"{path}/stream", headers=coding | {"last-event-id": shown}) as stream:
            lines = (line for line in stream.iter_lines() if line)
            assert [next(lines) for _ in range(4)] == [*BEGINS, f"id: {changed}"]


def test_an_unusable_database_gives_a_one_line_error(tmp_path: Path) -> None:
    (tmp_path / "tables.sqlite3").write_bytes(b"this is no database" * 100)
    with pytest.raises(RuntimeError) as raised:
        Server(tmp_path)
    line, *more = str(raised.value).strip().splitlines()
    assert "database" in line
    assert not more


@pytest.mark.slow("two servers")
def test_a_second_server_on_a_file_is_refused_and_a_stream_keeps_none_from_stopping(tmp_path: Path) -> None:
    server = Server(tmp_path)
    with pytest.raises(RuntimeError) as raised:
        Server(tmp_path)
    (line,) = str(raised.value).strip().splitlines()
    assert "another server uses the database" in line and "tables.sqlite3" in line
    assert httpx.get(server.url, timeout=None).status_code == 200
    server.kill()
    server.start()  # the lock of a killed server is gone
    with httpx.Client(base_url=server.url, **PATIENT) as client:
        path = client.post("tables", data=HUMANS).headers["location"]
        with client.stream("GET", f"{path}/stream") as stream:
            lines = stream.iter_lines()
            next(lines)
            server.stop()
            list(lines)  # raises if the server cuts the stream off
    assert "Error" not in "".join(server.lines)


class Started(Server):
    """A server as a command starts it."""

    forked = False


@pytest.mark.slow("a server with processes for its bots")
def test_what_a_service_manager_sends_ends_it_without_a_word(tmp_path: Path) -> None:
    """SIGTERM, while bots have worker processes."""
    server = Started(tmp_path)
    with httpx.Client(base_url=f"{server.url}api/v1", **PATIENT) as client:
        token = client.post("/tokens", json={"label": "me"}).json()["token"]
        client.headers["authorization"] = f"Bearer {token}"
        body = {"title": "rasant", "seats": ["me", "club"], "pace": "instant"}
        table = client.post("/tables", json=body).json()
        while table["awaited"] != [0]:  # the bot's move is made
            time.sleep(0.1)
            table = client.get(f"/tables/{table['id']}").json()
        said = len(server.lines)
        server.stop(signal.SIGTERM)
    assert (server.process.returncode, server.lines[said:]) == (0, [])


def test_sigterm_while_a_server_starts_ends_it_without_a_word() -> None:
    """Between the coroutine of the server and its first step."""
    script = """if True:
        import os, signal
        from fastapi import FastAPI
        from paddock.server.serve import Server, config, listen, run

        class Stopped(Server):
            def serve(self, sockets=None):
                coroutine = super().serve(sockets)
                os.kill(os.getpid(), signal.SIGTERM)
                os._exit(9)

        app = FastAPI()
        app.state.fault = None
        run(Stopped(config(app), app), listen("127.0.0.1", 0))
    """
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert (ended.returncode, ended.stderr) == (-signal.SIGTERM, "")


@pytest.mark.anyio
async def test_answers_are_sent_without_delay() -> None:
    """asyncio sets TCP_NODELAY on an accepted connection if the listening socket knows its protocol."""
    accepted = asyncio.Queue[socket.socket]()

    async def talk(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await accepted.put(writer.get_extra_info("socket"))
        writer.close()

    with listen("127.0.0.1", 0) as listener:
        async with await asyncio.start_server(talk, sock=listener):
            await asyncio.open_connection(*listener.getsockname())
            assert (await accepted.get()).getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


def test_the_event_loop_is_the_fastest_of_this_system() -> None:
    settings = config(FastAPI())
    settings.load()
    factory = settings.get_loop_factory()
    assert factory is not None
    loop = factory()
    loop.close()
    assert type(loop).__module__.startswith("asyncio" if sys.platform == "win32" else "uvloop")


@asynccontextmanager
async def serving(app: FastAPI, proxies: Collection[str] = ()) -> AsyncIterator[int]:
    """Serve the application in this loop; yield the port."""
    server = paddock.server.serve.Server(config(app, proxies), app)
    ready = asyncio.Event()
    server.greet = ready.set
    with listen("127.0.0.1", 0) as listener:
        task = asyncio.create_task(server.serve(sockets=[listener]))
        await ready.wait()
        yield listener.getsockname()[1]
        server.should_exit = True
        await task


@pytest.mark.anyio
@pytest.mark.parametrize("trusted", [frozenset(), frozenset({"127.0.0.1"}), frozenset({"10.0.0.0/8"})])
async def test_only_the_proxies_of_a_setting_say_who_asks(
    tmp_path: Path, trusted: frozenset[str], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Else whoever reaches the server from its own machine, as by a tunnel, gets a fresh limit each time."""
    monkeypatch.setenv("FORWARDED_ALLOW_IPS", "*")  # of uvicorn
    monkeypatch.setattr(paddock.web.limits, "BURST", 1000)
    settings = Settings(rate_address=0.001, trusted_proxies=trusted)  # one request
    app = create_app(f"sqlite:///{tmp_path / 'tables.sqlite3'}", settings=settings)
    listed = trusted == {"127.0.0.1"}
    async with (
        serving(app, trusted) as port,
        httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", **PATIENT) as client,
    ):
        answers = []
        for visitor in ("192.0.2.1", "192.0.2.2", "192.0.2.2", "192.0.2.9, 192.0.2.1"):
            headers = {"x-forwarded-for": visitor, "x-forwarded-proto": "https"}
            answers.append(await client.get("/learn/lacorsa", headers=headers))
    assert [answer.status_code for answer in answers] == [200, *([200, 429, 429] if listed else [429] * 3)]
    assert caplog.text.count("PADDOCK_TRUSTED_PROXIES") == (not trusted)


@pytest.mark.anyio
@pytest.mark.parametrize("trusted", [frozenset(), frozenset({"127.0.0.1"})])
async def test_only_the_proxies_of_a_setting_say_whether_it_is_https(
    app: FastAPI, trusted: frozenset[str]
) -> None:
    async with (
        serving(app, trusted) as port,
        httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", **PATIENT) as client,
    ):
        made = await client.post("/tables", data=HUMANS, headers={"x-forwarded-proto": "https"})
        assert ("Secure" in made.headers["set-cookie"]) == bool(trusted)


HALVES = [
    b"",
    b"\r\n",
    b"GET /healthz HTTP/1.1\r\nHost: loc",
    b"POST /tables HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\ntitle=",
    b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\nx",
    GET + b"GET /heal",
]


@pytest.mark.anyio
async def test_requests_that_are_half_sent_are_closed(app: FastAPI, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paddock.server.serve, "IDLE", 1000)
    async with serving(app) as port:
        there = [await asyncio.open_connection("127.0.0.1", port) for _ in HALVES]
        for (_reader, writer), half in zip(there, HALVES, strict=True):
            writer.write(half)
        whole = [half.count(b"/healthz HTTP/1.1\r\nHost: localhost\r\n") for half in HALVES]
        answers = [await there[at][0].readuntil(b"}") if n else b"" for at, n in enumerate(whole)]
        monkeypatch.setattr(paddock.server.serve, "PATIENCE", 0)
        # until the server closes the connections
        answers += await asyncio.gather(*(reader.read() for reader, _writer in there))
        for _reader, writer in there:
            writer.close()
    assert [answer.count(b"200 OK") for answer in answers] == [*whole, *(0 for _ in HALVES)]


@pytest.mark.anyio
async def test_empty_lines_do_not_keep_a_connection(app: FastAPI, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paddock.server.serve, "IDLE", 1000)
    async with serving(app) as port:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(GET)
        assert (await reader.readuntil(b"}")).startswith(b"HTTP/1.1 200 OK")
        monkeypatch.setattr(paddock.server.serve, "PATIENCE", 0)
        writer.write(b"\r\n")
        assert await reader.read() == b""
        writer.close()


@pytest.mark.anyio
@pytest.mark.parametrize(
    "request_", [b"nonsense\r\n\r\n", GET[:-2] + b"Connection: upgrade\r\nUpgrade: websocket\r\n\r\n"]
)
async def test_what_is_no_request_of_ours_is_answered(app: FastAPI, request_: bytes) -> None:
    async with serving(app) as port:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(request_)
        assert (await reader.readline()).split()[1] == (b"400" if b"nonsense" in request_ else b"200")
        writer.close()


@pytest.mark.anyio
@pytest.mark.parametrize(
    "part", [b"x: " + b"a" * 100_000, b"aa:bb\r\n" * 300, b"Transfer-Encoding: chunked\r\n\r\n0\r\nx: "]
)
async def test_a_request_without_an_end_is_cut_off(app: FastAPI, part: bytes) -> None:
    """A header that grows, many headers, and what follows a body: nothing is kept without a limit."""
    async with serving(app) as port:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(GET[:-2] + part)
        with contextlib.suppress(ConnectionError):
            for _ in range(100):
                writer.write(b"a" * 100_000)
                await writer.drain()
            pytest.fail("10 MB were taken")
        with contextlib.suppress(ConnectionError):
            assert (await reader.read()).startswith(
                b"HTTP/1.1 400" if b"chunked" not in part else b"HTTP/1.1"
            )
        writer.close()


@pytest.mark.anyio
async def test_a_large_body_is_no_long_head(app: FastAPI) -> None:
    async with serving(app) as port, httpx.AsyncClient(**PATIENT) as client:
        address = f"http://127.0.0.1:{port}/records"
        for size in (200_000, 900_000, 1):
            answer = await client.post(address, content=b"a" * size, headers={"x-large": "b" * 60_000})
            assert answer.status_code != 400 or "besides its body" not in answer.text


@pytest.mark.anyio
async def test_a_client_that_does_not_read_is_cut_off(app: FastAPI, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paddock.server.serve, "PATIENCE", 0)
    app.add_api_route("/much", lambda: PlainTextResponse("x" * 20_000_000))  # more than the system buffers
    async with serving(app) as port:
        _reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(GET.replace(b"/healthz", b"/much"))
        while not writer.is_closing():
            await asyncio.sleep(0.05)
            writer.write(b"\r\n")  # fails when the server has closed the connection


def fails(caplog: pytest.LogCaptureFixture) -> list[str]:
    """Return what the server has logged, which must be nothing; uvicorn's loggers do not propagate."""
    return [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING]


def reset(writer: asyncio.StreamWriter) -> None:
    """Close a connection at once, as a process does that is killed with data unread."""
    writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    writer.close()


@pytest.mark.anyio
async def test_a_stream_ends_with_its_connection_whatever_else_was_sent(app: FastAPI) -> None:
    """The client sends a second request on the connection of its stream, and vanishes."""
    async with (
        serving(app) as port,
        httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", **PATIENT) as client,
    ):
        path = (await client.post("/tables", data=HUMANS)).headers["location"]
        live = await app.state.tables.registry.find(path.rpartition("/")[2])
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(GET.replace(b"/healthz", f"{path}/stream".encode()) + GET)
        await reader.readuntil(b"data: ")
        assert live.watchers
        reset(writer)
        await client.post(f"{path}/sit", data={"player": "0"})
        await client.post(f"{path}/move", data=forms((await client.get(path)).text)[0].data())
        await until(lambda: not live.watchers)  # the next thing that it is sent cannot arrive


def test_an_answer_to_a_client_that_is_gone_is_no_error(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """uvloop refuses to write to a closed connection, so this runs in the server's own kind of loop."""

    async def vanish() -> None:
        begun, go = asyncio.Event(), asyncio.Event()

        async def late() -> AsyncIterator[str]:
            begun.set()
            await go.wait()
            for _ in range(5):
                yield "late"
                await asyncio.sleep(0.02)

        async def slow() -> StreamingResponse:
            return StreamingResponse(late(), media_type="text/event-stream")

        app = create_app(f"sqlite:///{tmp_path / 'tables.sqlite3'}")
        app.add_api_route("/slow", slow)
        async with serving(app) as port:
            logging.getLogger("uvicorn.error").addHandler(caplog.handler)
            _reader, writer = await asyncio.open_connection("127.0.0.1", port)
            # The server does not read on while a second request waits, so it does not learn of the end.
            writer.write(GET.replace(b"/healthz", b"/slow") + GET)
            await begun.wait()
            reset(writer)
            await asyncio.sleep(0.1)
            go.set()
            await asyncio.sleep(0.3)

    settings = config(FastAPI())
    settings.load()
    with asyncio.Runner(loop_factory=settings.get_loop_factory()) as runner:
        runner.run(vanish())
    assert fails(caplog) == []


@pytest.mark.anyio
@pytest.mark.parametrize(
    "half",
    [
        b"POST /tables HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\ntitle=",
        b"POST /api/v1/tables HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n9\r\n{",
        GET.replace(b"/healthz", b"/much"),
    ],
)
async def test_half_open_connections_do_not_keep_it_from_stopping(
    app: FastAPI, caplog: pytest.LogCaptureFixture, half: bytes
) -> None:
    """A body that is half sent, and an answer that is half read."""
    app.add_api_route("/much", lambda: PlainTextResponse("x" * 20_000_000))  # more than the system buffers
    async with serving(app) as port:
        logging.getLogger("uvicorn.error").addHandler(caplog.handler)
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(GET)
        await reader.readuntil(b"}")
        writer.write(half)
        await asyncio.sleep(0.2)
    assert fails(caplog) == []
    writer.close()


@pytest.mark.anyio
async def test_an_idle_connection_is_closed(app: FastAPI, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paddock.server.serve, "IDLE", 0)
    async with serving(app) as port:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(GET)
        assert (await reader.read()).startswith(b"HTTP/1.1 200 OK")
        writer.close()


@pytest.mark.anyio
async def test_an_open_stream_is_not_closed(app: FastAPI, monkeypatch: pytest.MonkeyPatch) -> None:
    looks, close = set[float](), Connection.close_if_late

    def look(connection: Connection, now: float) -> None:
        close(connection, now)
        looks.add(now)

    monkeypatch.setattr(Connection, "close_if_late", look)
    async with (
        serving(app) as port,
        httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", **PATIENT) as client,
    ):
        path = (await client.post("/tables", data=HUMANS)).headers["location"]
        async with client.stream("GET", f"{path}/stream") as stream:
            lines = stream.aiter_lines()
            while not (await anext(lines)).startswith("data:"):
                pass
            with monkeypatch.context() as hurry:  # only here: a body may arrive after its headers
                hurry.setattr(paddock.server.serve, "PATIENCE", 0)
                looks.clear()
                await until(lambda: len(looks) > 1)
            await client.post(f"{path}/sit", data={"player": "0"})
            await client.post(f"{path}/move", data=forms((await client.get(path)).text)[0].data())
            while not (await anext(lines)).startswith("data:"):
                pass
