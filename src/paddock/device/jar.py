"""The cookies of Paddock on a device: no browser keeps what a service worker answers with, so this does."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Iterable
from email.utils import parsedate_to_datetime
from http.cookies import Morsel, SimpleCookie
from pathlib import Path

_SCHEMA = """CREATE TABLE IF NOT EXISTS cookies (
    name TEXT NOT NULL, path TEXT NOT NULL, value TEXT NOT NULL, ends REAL NOT NULL, PRIMARY KEY (name, path)
)"""
_FOREVER = 9e12  # seconds since 1970: a cookie of a session, which lasts as long as the file


def ends(cookie: Morsel[str], now: float) -> float:
    """Return when a cookie ends, in seconds since 1970."""
    if cookie["max-age"]:
        return now + float(cookie["max-age"])
    if cookie["expires"]:
        return parsedate_to_datetime(cookie["expires"]).timestamp()
    return _FOREVER


def fits(cookie_path: str, path: str) -> bool:
    """Return whether a cookie of a path belongs to a request for another one, as in RFC 6265."""
    return path == cookie_path or path.startswith(cookie_path.rstrip("/") + "/")


class Jar:
    """Cookies in a small SQLite file of their own: a crash loses none, and none is written half."""

    def __init__(self, file: Path, now: Callable[[], float] = time.time) -> None:
        self._now = now
        self._file = sqlite3.connect(file, isolation_level=None)
        self._file.execute("PRAGMA synchronous = FULL")
        self._file.execute(_SCHEMA)

    def take(self, lines: Iterable[str]) -> None:
        """Keep or drop what ``Set-Cookie`` headers say."""
        now = self._now()
        for line in lines:
            for name, cookie in SimpleCookie(line).items():
                path, until = cookie["path"] or "/", ends(cookie, now)
                if until <= now:
                    self._file.execute("DELETE FROM cookies WHERE name = ? AND path = ?", (name, path))
                else:
                    row = name, path, cookie.coded_value, until
                    self._file.execute("INSERT OR REPLACE INTO cookies VALUES (?, ?, ?, ?)", row)

    def header(self, path: str) -> str:
        """Return the ``Cookie`` header of a request: the longest paths first."""
        rows = self._file.execute(
            "SELECT name, value, path FROM cookies WHERE ends > ? ORDER BY length(path) DESC, name",
            (self._now(),),
        )
        return "; ".join(f"{name}={value}" for name, value, of in rows if fits(of, path))

    def close(self) -> None:
        """Close the file."""
        self._file.close()
