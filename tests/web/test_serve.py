"""The server: its address, how it stops, and its event stream."""

from __future__ import annotations

import re
import socket
from pathlib import Path

import httpx
import pytest

from paddock.core.errors import PaddockError
from paddock.web.serve import lan_address, listen
from web.conftest import Server
from web.helpers import HUMANS, forms


def test_the_next_free_port_is_taken() -> None:
    with listen("127.0.0.1", 0) as first:
        first.listen()
        port = first.getsockname()[1]
        with listen("127.0.0.1", port) as second:
            assert second.getsockname()[1] > port


def test_an_address_of_another_machine_is_an_error() -> None:
    with pytest.raises(PaddockError, match="cannot listen on"):
        listen("192.0.2.1", 0)


def test_the_network_address_is_an_ip_address() -> None:
    socket.inet_aton(lan_address())


def test_a_stream_does_not_keep_it_from_stopping(tmp_path: Path) -> None:
    server = Server(tmp_path)
    with httpx.Client(base_url=server.url) as client:
        path = client.post("tables", data=HUMANS).headers["location"]
        with client.stream("GET", f"{path}/stream") as stream:
            lines = stream.iter_lines()
            next(lines)
            server.stop()
            list(lines)  # raises if the server cuts the stream off
    assert "Error" not in "".join(server.lines)


def test_the_stream_wakes_with_a_digest_and_nothing_else(server: Server) -> None:
    with httpx.Client(base_url=server.url, timeout=10) as client:
        path = client.post("tables", data=HUMANS).headers["location"]
        client.post(f"{path}/sit", data={"player": "0"})
        text = client.get(path).text
        shown = re.findall(r'data-digest="(\w+)"', text)[0]
        with client.stream("GET", f"{path}/stream") as stream:
            assert stream.headers["content-type"].startswith("text/event-stream")
            assert stream.headers["x-accel-buffering"] == "no"
            lines = (line for line in stream.iter_lines() if line)
            assert next(lines) == "retry: 1000"
            assert next(lines) == f"data: {shown}"
            with httpx.Client(base_url=server.url, cookies=client.cookies) as other:
                other.post(f"{path}/move", data=forms(text)[0].data())
            changed = next(lines)
            assert re.fullmatch(r"data: [0-9a-f]{16}", changed)
            assert changed != f"data: {shown}"


def test_an_unusable_database_gives_a_one_line_error(tmp_path: Path) -> None:
    (tmp_path / "tables.sqlite3").write_bytes(b"this is no database" * 100)
    with pytest.raises(RuntimeError) as raised:
        Server(tmp_path)
    line, *more = str(raised.value).strip().splitlines()
    assert "database" in line
    assert not more
