"""What a store notes about itself, with a clock that the test moves."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from sqlalchemy import create_engine, text

from paddock.store import EventRow, measured
from paddock.store.measured import BOUNDS, WINDOW, Measured


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The time that every clock shows."""
    now = [1000.0]
    clocks = {name: lambda: now[0] for name in ("monotonic", "perf_counter", "time")}
    monkeypatch.setattr(measured, "time", SimpleNamespace(**clocks))
    return now


def rows(*by: int) -> list[EventRow]:
    return [EventRow(n, seat, 0, 0, 0) for n, seat in enumerate(by)]


def test_a_commit_counts_its_moves_and_its_time(clock: list[float]) -> None:
    noted = Measured()
    noted.commit(rows(29, 30, 31, 0), 0.25)  # a move, an undo, chance, a move
    noted.commit(rows(31), 6.0)
    assert (noted.moves, noted.commits, noted.seconds) == (2, 2, 6.25)
    assert [(n, count) for n, count in enumerate(noted.buckets) if count] == [
        (BOUNDS.index(0.25), 1),
        (len(BOUNDS), 1),
    ]
    assert noted.rate() == 2 / WINDOW
    clock[0] += WINDOW
    noted.commit(rows(1), 0.1)
    assert noted.rate() == 3 / WINDOW, "a minute is not over yet"
    clock[0] += 0.5
    assert noted.rate() == 1 / WINDOW


def test_moves_of_more_than_a_minute_ago_are_not_kept(clock: list[float]) -> None:
    """Also where nobody asks for the rate, over months."""
    noted = Measured()
    for _hour in range(3):
        noted.commit(rows(0, 1), 0.1)
        clock[0] += 3600
    assert noted.moves == 6 and list(noted._recent) == [(1000.0 + 2 * 3600, 2)]


def test_a_statement_is_slow_from_a_quarter_of_a_second_on(clock: list[float]) -> None:
    noted, engine = Measured(), create_engine("sqlite://")
    noted.watch(engine)
    with engine.connect() as connection:
        for seconds in (0.24, 0.25, 0.5):

            def sleep(seconds: float = seconds) -> None:
                clock[0] += seconds

            connection.connection.create_function("sleep", 0, sleep)
            connection.execute(text("SELECT\n  sleep()"))
    engine.dispose()
    assert noted.slow == 2
    assert [(one.at, one.seconds, one.text) for one in noted.slowest] == [
        (pytest.approx(1000.49), pytest.approx(0.25), "SELECT sleep()"),
        (pytest.approx(1000.99), pytest.approx(0.5), "SELECT sleep()"),
    ]
