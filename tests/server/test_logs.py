"""The log of a server: no secrets, no hands."""

from __future__ import annotations

import json
import logging
import re
import sqlite3
from pathlib import Path

import httpx
import pytest

from paddock.server.logs import Json, LogText, without_secrets
from web.conftest import Server
from web.helpers import HUMANS, forms

TOKEN = "correct-horse-battery"
SECRET, HASH = "s3cret-_" * 5 + "abc", "0123456789abcdef" * 4


def test_a_line_of_the_log_has_no_secrets() -> None:
    words = f"at /t/abc/seat/{SECRET}?x=1, {HASH} with {SECRET}; postgresql://paddock:hunter2@db/paddock"
    assert len(SECRET) == 43
    assert without_secrets(words) == "at /t/abc/seat/…?x=1, … with …; postgresql://paddock:…@db/paddock"
    assert without_secrets("/t/short/seat/abc") == "/t/short/seat/…"
    assert without_secrets(f"Bearer paddock_{SECRET}") == "Bearer …", "a personal token"
    for password in ("a/b", "a@b", "a:b", "p%2Fq?"):
        assert without_secrets(f"postgresql://paddock:{password}@db/x") == "postgresql://paddock:…@db/x"
    assert without_secrets("postgresql://db/x?password=a/b&user=u") == "postgresql://db/x?password=…&user=u"
    try:
        raise ValueError(f"it has {SECRET}")
    except ValueError as error:
        info = (type(error), error, error.__traceback__)
    record = logging.LogRecord("paddock.web", logging.ERROR, "f.py", 1, "unhandled at %s", (words,), info)
    line = Json().format(record)
    said = json.loads(line)
    assert {"time", "level", "logger", "message", "error"} == said.keys() and "\n" not in line
    assert said["level"] == "error" and "ValueError" in said["error"]
    for text in (line, LogText().format(record)):
        assert SECRET not in text and HASH not in text and "hunter2" not in text


@pytest.mark.slow("starts a server")
def test_the_log_of_a_real_server_is_json_without_hands_and_secrets(tmp_path: Path) -> None:
    server = Server(tmp_path, PADDOCK_LOG="json", PADDOCK_ADMIN_TOKEN=TOKEN)
    try:
        with httpx.Client(base_url=server.url, timeout=None) as client:
            alone = HUMANS | {f"who-{i}": "rookie" for i in range(2, 7)}
            path = client.post("tables", data=alone).headers["location"].lstrip("/")
            page = client.get(path).text
            link = client.post(f"{path}/recovery", data={"player": "0"}).text
            secret = re.findall(r"/seat/([\w-]{20,})", link)[0]
            with httpx.Client(base_url=server.url, timeout=None) as proxied:  # which makes the server warn
                proxied.get("", headers={"x-forwarded-for": "203.0.113.9"})
            with sqlite3.connect(tmp_path / "tables.sqlite3") as there:
                there.execute("ALTER TABLE players RENAME TO away")
            cookie = client.cookies["paddock_browser"]
            client.get("")
            client.post(f"{path}/seat/{secret}")
            client.get(f"{path}/seat/{secret}")
            moves = [move for form in forms(page) for move in form.moves]
    finally:
        server.stop()
    lines = [line for line in server.lines if "Paddock is at" not in line and line.strip()]
    assert lines, server.lines
    assert lines and {"level", "message"} <= json.loads(lines[0]).keys()
    assert all(json.loads(line) for line in lines)
    text = "".join(lines)
    assert "X-Forwarded-For" in text and "does not answer" in text
    for hidden in (cookie, secret, TOKEN):
        assert hidden not in text
    assert moves and not any(f'"{move}"' in text for move in moves)
