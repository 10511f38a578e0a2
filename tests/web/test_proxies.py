"""The examples of ``docs/servers.md``: proxies that choose a server by the id of the table."""

from __future__ import annotations

import re
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Event, Thread
from typing import Any

import httpx
import pytest

import needs
from conftest import LOUD
from tables.clockwork import PATIENCE_S

DOC = Path(__file__).resolve().parents[2] / "docs/servers.md"
CHEAP: Any = {"verify": False, "trust_env": False, "timeout": None}


class Backend(ThreadingHTTPServer):
    """Answers with what it was asked; a stream says one thing, and the next one when it is told to."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.more = Event()
        Thread(target=self.serve_forever, args=(0.01,), daemon=True).start()

    @property
    def at(self) -> str:
        return f"127.0.0.1:{self.server_address[1]}"


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Backend

    def do_GET(self) -> None:
        if self.path.endswith("/stream"):
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.send_header("X-Accel-Buffering", "no")
            self.send_header("Connection", "close")
            self.end_headers()
            self.wfile.write(b"data: 1\n\n")
            self.server.more.wait(PATIENCE_S)
            self.wfile.write(b"data: 2\n\n")
            self.close_connection = True
            return
        names = ("host", "x-forwarded-for", "x-forwarded-proto")
        said = "\n".join([self.server.at, *(f"{self.headers[name]}" for name in names)]).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(said)))
        self.send_header("Connection", "close")  # a server that is gone answers nowhere
        self.end_headers()
        self.wfile.write(said)

    def log_message(self, *_said: Any) -> None:
        pass


def example(name: str) -> str:
    found = re.search(
        rf"^{name}:\n\n```\w+\n(.*?)```", DOC.read_text(), re.DOTALL | re.MULTILINE | re.IGNORECASE
    )
    assert found
    return found[1]


def a_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def caddy(folder: Path, port: int, config: str) -> list[str]:
    file = folder / "Caddyfile"
    site = f"http://play.club.example:{port}"
    file.write_text("{\n\tadmin off\n}\n" + config.replace("play.club.example", site, 1))
    return ["run", "--config", str(file), "--adapter", "caddyfile"]


def nginx(folder: Path, port: int, config: str) -> list[str]:
    file = folder / "nginx.conf"
    config = re.sub(r" *ssl_\w+ .*\n", "", config).replace("listen 443 ssl;", f"listen 127.0.0.1:{port};")
    paths = "".join(
        f"{kind}_temp_path {folder}/{kind};\n"
        for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    file.write_text(f"pid {folder}/pid;\nevents {{}}\nhttp {{\naccess_log off;\n{paths}{config}}}\n")
    return ["-p", str(folder), "-c", str(file), "-e", str(folder / "errors"), "-g", "daemon off;"]


COMMANDS = {"caddy": caddy, "nginx": nginx}


@contextmanager
def running(name: str, folder: Path, servers: list[Backend]) -> Iterator[httpx.Client]:
    """A proxy as in the documentation, with these servers, and a client that asks it."""
    program = needs.proxy(name)
    if program is None:
        pytest.skip(f"{LOUD}: the example for {name}. There is no {name}")
    config, port = example(name), a_port()
    for n, server in enumerate(servers, 1):
        assert f"10.0.0.{n}:8000" in config
        config = config.replace(f"10.0.0.{n}:8000", server.at)
    command = COMMANDS[name](folder, port, config)
    environment = {"HOME": str(folder), "XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder)}
    with subprocess.Popen(
        [program, *command], env=environment, stderr=(folder / "said").open("w")
    ) as process:
        try:
            headers = {"host": "play.club.example"}
            if name == "caddy":
                headers = {"host": f"play.club.example:{port}"}
            with httpx.Client(base_url=f"http://127.0.0.1:{port}", headers=headers, **CHEAP) as client:
                while True:
                    try:
                        client.get("/")
                    except httpx.TransportError:
                        assert process.poll() is None, (folder / "said").read_text()
                        time.sleep(0.05)
                    else:
                        break
                yield client
        finally:
            process.terminate()


@pytest.mark.parametrize("name", COMMANDS)
def test_a_proxy_chooses_by_the_table(name: str, tmp_path: Path) -> None:
    servers = [Backend(), Backend()]
    with running(name, tmp_path, servers) as client:
        tables = {f"t{n:03}-_x": set[str]() for n in range(30)}
        for _ in range(2):
            for id, found in tables.items():
                for path in (f"/t/{id}", f"/t/{id}/stream-not?x=1", f"/api/v1/tables/{id}/moves"):
                    found.add(client.get(path).text.splitlines()[0])
        assert all(len(found) == 1 for found in tables.values())
        assert set.union(*tables.values()) == {server.at for server in servers}
        others = {client.get("/").text.splitlines()[0] for _ in range(60)}
        assert others == {server.at for server in servers}
        _at, host, address, scheme = client.get("/t/abc").text.splitlines()
        assert host == client.headers["host"]
        assert (address, scheme) == ("127.0.0.1", "http")
        # A browser cannot choose the server of others by a header.
        same = {client.get("/t/abc", headers={"X-Table": str(n)}).text.splitlines()[0] for n in range(20)}
        assert len(same) == 1
        with client.stream("GET", "/t/abc/stream") as stream:
            lines = (line for line in stream.iter_lines() if line)
            assert next(lines) == "data: 1", "before the rest exists"
            for server in servers:
                server.more.set()
            assert next(lines) == "data: 2"
        # A server that is gone: its tables go to the other one.
        servers[0].shutdown()
        servers[0].server_close()
        for id in tables:
            assert client.get(f"/t/{id}").text.splitlines()[0] == servers[1].at
    servers[1].shutdown()
    servers[1].server_close()


def test_the_example_for_traefik_is_not_tested() -> None:
    assert "Nobody has\ntried that of Traefik" in DOC.read_text()
    pytest.skip(f"{LOUD}: the example for Traefik, which is in no Debian package")
