"""``paddock admin doctor``: what it finds at a sound server, and behind proxies that change too much."""

from __future__ import annotations

import os
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from urllib.parse import urlsplit

import pytest

from paddock.core.settings import Settings
from paddock.server import capacity
from paddock.server.doctor import Finding, _clock, _date, _proxy, examine
from store.databases import FILE
from tables.harness import ANA, CountedRuntime, service
from web.conftest import Server
from web.test_base_path import PROXIES, proxied


async def found(settings: Settings, url: str | None) -> dict[str, Finding]:
    return {one.what: one async for one in examine(settings, url, measure=False)}


@pytest.mark.anyio
async def test_a_sound_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    url = f"{FILE}{tmp_path / 'tables.sqlite3'}"
    lost = await found(Settings(database_url=url), "ftp://nonsense")
    assert lost["database"].ok is False and "there is no database" in lost["database"].said
    assert lost["proxy"].ok is False and "write the whole address" in lost["proxy"].said
    async with service(url) as tables:
        await tables.making.create("lacorsa", {"drivers": 4}, ["me"] * 4, holder=ANA)
    monkeypatch.setattr("paddock.server.doctor.clock_is_kept", lambda: True)
    there = await found(Settings(database_url=url), None)
    assert there["database"].ok and "1 tables, the schema is current" in there["database"].said
    assert there["clock"].ok and there["disk"].ok and there["cache"].ok and there["proxy"].ok is None


@pytest.mark.anyio
async def test_a_machine_whose_clock_went_back(tmp_path: Path) -> None:
    url = f"{FILE}{tmp_path / 'tables.sqlite3'}"
    runtime = CountedRuntime()
    runtime.set_by = timedelta(days=20_000)
    async with service(url, runtime=runtime) as tables:
        await tables.making.create("lacorsa", {"drivers": 4}, ["me"] * 4, holder=ANA)
    clock = (await found(Settings(database_url=url), None))["clock"]
    assert clock.ok is False and "set the clock of this machine" in clock.said


NOON, DAY = datetime(2026, 3, 1, 12, tzinfo=UTC), timedelta(days=1)


@pytest.mark.parametrize(
    ("newest", "database", "installed", "kept", "ok", "said"),
    [
        (NOON - DAY, NOON, NOON - DAY, True, True, "no stored action is later"),
        (None, None, NOON - DAY, None, True, "no stored action is later"),
        (NOON + DAY, NOON, NOON - DAY, True, False, "86,400 s in the future"),
        (None, NOON - DAY, NOON - DAY, True, False, "differs by 86,400 s from that of the database"),
        (None, NOON + DAY, NOON - DAY, True, False, "differs by 86,400 s from that of the database"),
        (None, None, NOON + DAY, True, False, "before this version was installed"),
        (NOON - DAY, NOON, NOON - DAY, False, None, "nothing keeps it right"),
    ],
)
def test_the_clock_is_compared_with_whatever_has_a_date(
    newest: datetime | None,
    database: datetime | None,
    installed: datetime,
    kept: bool | None,
    ok: bool | None,
    said: str,
) -> None:
    """The kind: a check that compares a thing with itself. The clock was right unless a table was newer."""
    found = _clock(NOON, newest, database, installed, kept)
    assert found.ok is ok and said in found.said


def test_a_server_with_another_date_is_said() -> None:
    assert _date(NOON.isoformat(), NOON + timedelta(seconds=90)).ok
    wrong = _date((NOON - DAY).isoformat(), NOON)
    assert wrong.ok is False and "differs by 86,400 s" in wrong.said


@pytest.mark.anyio
async def test_the_capacity_is_measured(tmp_path: Path) -> None:
    rate = await capacity.measure(tmp_path, 0.2)
    assert rate > 0 and capacity.share(rate) == pytest.approx(8 / rate)
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("said", [b"[]", b"{}", b"no json", b"x" * 100_000, b""])
def test_a_server_that_is_no_paddock_is_said(said: bytes) -> None:
    class Other(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.end_headers()
            self.wfile.write(said)

        def log_message(self, *_said: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Other) as server:
        Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        (finding,) = _proxy(f"http://127.0.0.1:{server.server_address[1]}/")
        server.shutdown()
    assert finding.ok is False and "does not answer" in finding.said and len(finding.said) < 500


@pytest.mark.slow("starts servers and a proxy")
@pytest.mark.parametrize("name", ["nginx"])
def test_what_a_proxy_changes_is_said(
    program: str, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "paddock.server.doctor.HELD", 0.05
    )  # pieces that a busy machine reads late are not held
    server = Server(tmp_path, PADDOCK_BASE_PATH="/games", PADDOCK_TRUSTED_PROXIES="127.0.0.1")
    try:
        direct = {one.what: one for one in _proxy(server.url)}
        assert direct["scheme"].ok and direct["host"].ok and direct["streams"].ok
        assert direct["date"].ok
        with proxied(program, name, tmp_path, urlsplit(server.url).netloc) as url:
            behind = {one.what: one for one in _proxy(url)}
            assert behind["host"].ok and behind["streams"].ok and "nginx" in PROXIES
            (wrong,) = _proxy(f"{url}../elsewhere/")
            assert wrong.ok is False
    finally:
        server.stop()
    (gone,) = _proxy(server.url)
    assert gone.ok is False and "does not answer" in gone.said
