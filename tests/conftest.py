"""Fixtures for all tests: a browser, a database, and visible skips if they are missing."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import Phase, settings

import needs
from paddock.core import extras

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

# No test is judged by the clock. CI and mutation runs are the same each time.
settings.register_profile("dev", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True, print_blob=True)
settings.register_profile(
    "mutate", deadline=None, derandomize=True, database=None, phases=(Phase.explicit, Phase.generate)
)
settings.load_profile(os.environ.get("PADDOCK_HYPOTHESIS", "ci" if "CI" in os.environ else "dev"))

LOUD = "NOT TESTED"


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> Generator[None, None, None]:
    """Mark by fixture, and put the browser last, its files from Z to A.

    Playwright leaves an event loop running in the thread, so ``asyncio.run`` fails after it. Both
    one process and xdist's ``--dist load`` keep this order. The last tests must be short, so that no worker
    waits long for another: those are the tests of the example, which come first in the alphabet.
    """
    for item in items:
        fixtures = getattr(item, "fixturenames", ())
        if "chromium_path" in fixtures:
            item.add_marker("browser")
        if "postgres_url" in fixtures:
            item.add_marker("postgres")
    yield  # pytest chooses by marks, and groups by fixtures
    shown = [item for item in items if item.get_closest_marker("browser")]
    items[:] = [item for item in items if not item.get_closest_marker("browser")] + shown[::-1]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print what tests have measured, and clearly what this machine could not test."""
    for report in terminalreporter.stats.get("passed", []):
        for what, value in report.user_properties:
            terminalreporter.write_line(f"{what}: {value}")
    reasons: dict[str, int] = {}
    for report in terminalreporter.stats.get("skipped", []):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        if LOUD in reason:
            reasons[reason] = reasons.get(reason, 0) + 1
    for reason, tests in reasons.items():
        terminalreporter.write_line(f"!!! {reason} ({tests} tests)", red=True, bold=True)


@pytest.fixture
def anyio_backend() -> str:
    """``@pytest.mark.anyio`` tests run on asyncio, as the server does."""
    return "asyncio"


@pytest.fixture
def without(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], None]]:
    """A function that hides a package, as if it was not installed."""

    def hide(package: str) -> None:
        monkeypatch.setitem(sys.modules, package, None)
        extras._found.discard(package)

    yield hide
    monkeypatch.undo()
    extras._found.clear()


@pytest.fixture(scope="session")
def chromium_path() -> str:
    """The path of the system's Chromium."""
    path = needs.chromium()
    if path is None:
        pytest.skip(f"{LOUD}: the browser. No Chromium in the PATH or in $PADDOCK_CHROMIUM")
    return path


@pytest.fixture(scope="session")
def browser(chromium_path: str) -> Iterator[Browser]:
    """One Chromium for each worker."""
    from playwright.sync_api import expect, sync_playwright

    expect.set_options(timeout=30_000)  # ms, as all else waits: a busy machine is not a fault
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=chromium_path, args=list(needs.CHROMIUM_FLAGS))
        yield chromium
        chromium.close()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page with its own cookies and storage."""
    context = browser.new_context()
    yield context.new_page()
    context.close()


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[needs.Postgres]:
    """This worker's PostgreSQL, with an empty database ``paddock``."""
    import asyncpg

    async def create(folder: Path) -> None:
        connection = await asyncpg.connect(host=str(folder), user="postgres", database="postgres")
        await connection.execute("CREATE DATABASE paddock")
        await connection.close()

    try:
        with needs.postgres_server() as server:
            asyncio.run(create(server.folder))
            yield server
    except RuntimeError as reason:
        pytest.skip(f"{LOUD}: PostgreSQL. {reason}")


@pytest.fixture(scope="session")
def postgres_url(postgres_server: needs.Postgres) -> str:
    """The async SQLAlchemy URL of its database."""
    return f"postgresql+asyncpg://postgres:@/paddock?host={postgres_server.folder}"
