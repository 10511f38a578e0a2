"""Which errors of opening a database may go away."""

from __future__ import annotations

import sqlite3

import pytest
from sqlalchemy.exc import DBAPIError

from paddock.store.errors import passes


def error(cause: Exception | None = None, state: str | None = None, words: str = "no") -> DBAPIError:
    """Return an error of a driver, as SQLAlchemy raises it."""
    orig = sqlite3.OperationalError(words)
    orig.__cause__ = cause
    if state:
        orig.sqlstate = state  # type: ignore[attr-defined]
    return DBAPIError("SELECT 1", None, orig)


@pytest.mark.parametrize(
    "temporary",
    [
        ConnectionRefusedError(),
        TimeoutError(),
        error(ConnectionResetError()),
        error(TimeoutError()),
        *(error(state=state) for state in ("08001", "53300", "55P03", "57P03")),
        error(words="database is locked"),
        error(words="database or disk is full"),
    ],
)  # fmt: skip
def test_a_server_may_wait_for_its_database(temporary: Exception) -> None:
    assert passes(temporary)


@pytest.mark.parametrize(
    "final",
    [PermissionError(), error(), error(PermissionError()), error(state="28P01"), error(state="3D000")],
)
def test_a_wrong_database_stays_wrong(final: Exception) -> None:
    assert not passes(final)
