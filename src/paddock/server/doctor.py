"""``paddock admin doctor``: looks whether everything that a server needs is there, and says what to do."""

from __future__ import annotations

import asyncio
import json
import shutil
import time
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from pathlib import Path
from urllib.parse import urlsplit

from platformdirs import user_cache_dir

from paddock.core.errors import PaddockError
from paddock.core.extras import command, has
from paddock.core.i18n import _
from paddock.core.settings import Settings, variable
from paddock.core.wording import number
from paddock.server import capacity
from paddock.tables import database_file
from paddock.tables.kept import KeptTables
from paddock.tables.runtime import clock_is_kept

LITTLE = 1 << 30  # bytes of free disk that are too few
AHEAD = timedelta(minutes=2)  # by which two clocks may differ
LONGEST = 4096  # bytes of a line of its answer
HELD = 0.5  # seconds between two pieces of a stream that was not held back: they are sent a second apart


@dataclass(frozen=True)
class Finding:
    """What was found: ``ok`` is None for what is worth knowing, and neither good nor bad."""

    ok: bool | None
    what: str
    said: str


async def examine(settings: Settings, url: str | None, *, measure: bool = True) -> AsyncIterator[Finding]:
    """Yield what was found, one thing after another. ``url`` is the public address of the server, or None."""
    file = database_file(settings.database_url)
    async for finding in _database(settings):
        yield finding
    yield _disk(file.parent if file else Path.cwd())
    yield _compiler()
    yield _cache()
    if url:
        for proxy_finding in await asyncio.to_thread(_proxy, url):
            yield proxy_finding
    else:
        yield Finding(None, _("proxy"), _("not checked: write --url with the address that people open"))
    if measure:
        yield await _capacity(file)


async def _database(settings: Settings) -> AsyncIterator[Finding]:
    """Say whether the database answers and how fast, and compare its clock with that of this machine."""
    begun = time.perf_counter()
    try:
        async with KeptTables.open(settings.database_url) as kept:
            tables = await kept.all()
            milliseconds = (time.perf_counter() - begun) * 1000
            words = _("{n} tables, the schema is current, the list took {took} ms")
            yield Finding(
                True, _("database"), words.format(n=number(len(tables)), took=number(milliseconds, ",.0f"))
            )
            database_time, newest = await kept.clock(), tables[0].row.touched_at if tables else None
            now = datetime.now(UTC)
        yield _clock(now, newest, database_time, _installed(), clock_is_kept())
    except PaddockError as error:
        yield Finding(False, _("database"), str(error))


def _installed() -> datetime:
    """Return when this version was installed."""
    return datetime.fromtimestamp(Path(__file__).stat().st_mtime, UTC)


def _clock(
    now: datetime,
    newest: datetime | None,
    database: datetime | None,
    installed: datetime,
    clock_kept: bool | None,
) -> Finding:
    """Compare the date of this machine with whatever else has one.

    ``newest`` is the date of the newest stored action, ``database`` that of another machine. ``clock_kept``
    says whether something keeps the clock right; None: nobody knows.
    """
    heading, date_words = _("clock"), now.strftime("%Y-%m-%d %H:%M:%S")
    if newest and newest - now > AHEAD:
        words = _("the newest action is {n} s in the future: set the clock of this machine")
        return Finding(False, heading, words.format(n=number((newest - now).total_seconds(), ",.0f")))
    if installed - now > AHEAD:
        words = _("{now} UTC is before this version was installed: set the clock of this machine")
        return Finding(False, heading, words.format(now=date_words))
    if database and abs(database - now) > AHEAD:
        words = _("it differs by {n} s from that of the database: set the wrong one of the two")
        return Finding(False, heading, words.format(n=number(abs(database - now).total_seconds(), ",.0f")))
    if clock_kept is False:
        words = _("{now} UTC, but nothing keeps it right: “timedatectl set-ntp true” turns that on")
        return Finding(None, heading, words.format(now=date_words))
    return Finding(True, heading, _("{now} UTC, no stored action is later").format(now=date_words))


def _disk(folder: Path) -> Finding:
    """Say how much room is left where the database is."""
    while not folder.exists():
        folder = folder.parent
    free = shutil.disk_usage(folder).free
    words = _("{free} GB are free at {folder}").format(free=number(free / 1e9, ",.1f"), folder=folder)
    return Finding(free >= LITTLE, _("disk"), words)


def _compiler() -> Finding:
    if has("fast"):
        return Finding(True, _("compiler"), _("Numba is installed: the level Works and analyses are fast"))
    words = _("Numba is not installed: Works plays as Club, and analyses and hints are short; run {command}")
    return Finding(None, _("compiler"), words.format(command=command("fast")))


def _cache() -> Finding:
    """Say whether the folder of compiled rules can be written."""
    folder = Path(user_cache_dir("paddock"))
    try:
        folder.mkdir(parents=True, exist_ok=True)
        probe = folder / f"probe-{time.time_ns()}"
        probe.touch()
        probe.unlink()
    except OSError as error:
        words = _("{folder} cannot be written ({reason}): every start compiles the rules again")
        return Finding(False, _("cache"), words.format(folder=folder, reason=error.strerror))
    return Finding(True, _("cache"), _("{folder} can be written").format(folder=folder))


async def _capacity(file: Path | None) -> Finding:
    """Measure how many moves a second this machine plays, and say what that is enough for."""
    folder = file.parent if file and file.parent.exists() else None
    rate = await capacity.measure(folder)
    words = _(
        "about {rate} moves a second are answered and stored, with SQLite and without a network; {tables}"
        " tables of four at human pace, a move every {pace} s each, use {share}"
    )
    sentence = words.format(
        rate=number(rate, ",.0f"),
        tables=number(capacity.TABLES),
        pace=number(capacity.PACE, ".0f"),
        share=number(capacity.share(rate), ".1%"),
    )
    return Finding(None, _("capacity"), sentence)


def _proxy(url: str) -> list[Finding]:
    """Ask the server by its public address, and compare what it saw with what was sent."""
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        return [Finding(False, _("proxy"), _("write the whole address, such as https://play.club.example/"))]
    kind = HTTPSConnection if parts.scheme == "https" else HTTPConnection
    connection = kind(parts.hostname, parts.port, timeout=20)
    path = parts.path.rstrip("/")
    try:
        connection.request("GET", f"{path}/healthz/stream")
        answer = connection.getresponse()
        if answer.status != 200:
            words = _("{url} answers {status}: does {variable} name the host, and is the path right?")
            sentence = words.format(url=url, status=answer.status, variable=variable("hosts"))
            return [Finding(False, _("proxy"), sentence)]
        first, begun, read = answer.readline(LONGEST), time.monotonic(), datetime.now(UTC)
        answer.readline(LONGEST)
        was_held = time.monotonic() - begun < HELD
        seen = json.loads(first)
        if not (isinstance(seen, dict) and {"scheme", "host", "address"} <= seen.keys()):
            raise ValueError(_("what answers there is no Paddock"))
    except (OSError, HTTPException, ValueError) as error:
        return [
            Finding(False, _("proxy"), _("{url} does not answer: {reason}").format(url=url, reason=error))
        ]
    finally:
        with suppress(OSError):
            connection.close()
    findings = [*_headers(seen, parts.scheme, parts.netloc.rpartition("@")[2]), _streams(was_held)]
    return [*findings, _date(seen["now"], read)] if "now" in seen else findings


def _headers(seen: dict[str, str], scheme: str, host: str) -> list[Finding]:
    """Compare the address that a request had here with the one that people use."""
    findings = []
    if seen["scheme"] != scheme:
        words = _(
            "the server sees {seen} where people use {scheme}: let the proxy send X-Forwarded-Proto, and name"
            " its address in {variable}"
        )
        sentence = words.format(seen=seen["scheme"], scheme=scheme, variable=variable("trusted_proxies"))
        findings.append(Finding(False, _("scheme"), sentence))
    else:
        findings.append(Finding(True, _("scheme"), scheme))
    if seen["host"] != host:
        words = _("the server sees the host {seen} where people use {host}: let the proxy pass Host on")
        findings.append(Finding(False, _("host"), words.format(seen=seen["host"], host=host)))
    else:
        findings.append(Finding(True, _("host"), host))
    words = _("the server sees you at {address}: if that is the proxy, all visitors share one limit")
    findings.append(Finding(None, _("address"), words.format(address=seen["address"])))
    return findings


def _date(header: str, read: datetime) -> Finding:
    """Compare the date of the server, as it said it, with that of this machine."""
    off = abs(datetime.fromisoformat(header) - read)
    if off > AHEAD:
        words = _("the clock of the server differs by {n} s from that of this machine: set the wrong one")
        return Finding(False, _("date"), words.format(n=number(off.total_seconds(), ",.0f")))
    return Finding(True, _("date"), _("the server has the same date as this machine"))


def _streams(held: bool) -> Finding:
    if held:
        words = _("the proxy holds streams back: turn its buffering off for paths that end in /stream")
        return Finding(False, _("streams"), words)
    return Finding(True, _("streams"), _("they are not held back"))
