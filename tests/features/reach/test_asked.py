"""An e-mail address is asked once an hour, and not for a year after it has stopped its messages."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import Connection, create_engine

from paddock.features.reach.asked import MOST, ONCE, STOPPED, ask, stop, sweep
from paddock.features.reach.rows import asked_addresses
from paddock.store.schema import metadata

NOW = datetime(2026, 11, 27, 12, tzinfo=UTC)
SOON = timedelta(seconds=1)


@pytest.fixture
def connection() -> Iterator[Connection]:
    engine = create_engine("sqlite://")
    metadata.create_all(engine, [asked_addresses])
    with engine.begin() as opened:
        yield opened
    engine.dispose()


def test_an_address_is_asked_once_an_hour(connection: Connection) -> None:
    assert ask(connection, "one", NOW) is None
    assert ask(connection, "one", NOW + ONCE - SOON) == "asked"
    assert ask(connection, "two", NOW) is None
    assert ask(connection, "one", NOW + ONCE) is None
    assert ask(connection, "one", NOW + ONCE + SOON) == "asked"


def test_an_address_that_has_stopped_is_not_asked_for_a_year(connection: Connection) -> None:
    ask(connection, "one", NOW)
    stop(connection, "one", NOW)
    assert ask(connection, "one", NOW + ONCE + SOON) == "stopped"
    sweep(connection, NOW + STOPPED)
    assert ask(connection, "one", NOW + STOPPED - SOON) == "stopped"
    assert ask(connection, "one", NOW + STOPPED + ONCE) is None


def test_only_so_many_addresses_are_asked_in_an_hour(connection: Connection) -> None:
    stop(connection, "stopped", NOW)  # it is no question
    for n in range(MOST):
        assert ask(connection, f"{n}", NOW) is None
    assert ask(connection, "more", NOW + SOON) == "busy"
    assert ask(connection, "more", NOW + ONCE) is None


def test_what_refuses_nothing_is_deleted(connection: Connection) -> None:
    ask(connection, "one", NOW)
    ask(connection, "two", NOW + SOON)
    stop(connection, "three", NOW)
    sweep(connection, NOW + ONCE)
    assert set(connection.execute(asked_addresses.select()).scalars()) == {"two", "three"}
