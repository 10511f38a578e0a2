"""Fixtures for all tests: a browser, a database, and visible skips if they are missing."""

from __future__ import annotations

import asyncio
import gc
import os
import signal
import sys
from collections.abc import Callable, Generator, Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import Phase, settings

import costs
import needs
import sampling
import templates
from paddock.core import extras

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

# No test is judged by the clock. CI and mutation runs are the same each time.
settings.register_profile("dev", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True, print_blob=True)
settings.register_profile(
    "mutate", deadline=None, derandomize=True, database=None, phases=(Phase.explicit, Phase.generate)
)
settings.load_profile(os.environ.get("PADDOCK_HYPOTHESIS", "ci" if "CI" in os.environ else "dev"))

LOUD = "NOT TESTED"
AGAIN = 60  # seconds after which a test that still hangs is stopped again

# Whatever the machine has, tests speak English, and see no terminal, no settings of a server and no proxy.
OURS = tuple(f"PADDOCK_{name}" for name in ("TEST_", "CHROMIUM", "HYPOTHESIS", "ARIA", "PICTURES", "SOURCES"))
TERMINAL = ("FORCE_COLOR", "NO_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE", "COLUMNS")
for name in [*os.environ]:
    if name in TERMINAL or (name.startswith("PADDOCK_") and not name.startswith(OURS)):
        del os.environ[name]
os.environ |= {"PADDOCK_LANGUAGE": "en", "NO_PROXY": "127.0.0.1,localhost", "no_proxy": "127.0.0.1,localhost"}


# A fixture → the group of the tests that need what it stands for. A group runs in one worker, so that each of
# these starts once.
GROUPS = {
    "chromium_path": "browser",
    "packed": "device",
    "postgres_url": "postgres",
    "installed": "skerries",
}
# Tests in these files share other browsers: three groups of about the same processor time.
BROWSERS = {
    "second browser": ("great_race", "phases", "reveal", "large_grid", "one_screen", "updates"),
    "third browser": ("browser_friends", "aria", "choosing", "analysis", "access", "calls", "live"),
    "device": ("browser_device", "browser_device_server"),
}
MARKS = ("browser", "postgres")


def pytest_configure(config: pytest.Config) -> None:
    """Measure what tests cost, compile templates once, collect less garbage; let processes be interrupted."""
    costs.register(config)
    templates.remember()
    config.addinivalue_line("markers", "xdist_group(name): known without xdist, too")
    # Python would look through everything that the collected tests have imported a hundred times for nothing.
    gc.set_threshold(25_000, 10, 10)
    # What a shell starts in the background ignores Ctrl-C, and so would the processes that tests interrupt.
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_report_header() -> str:
    """Say how much of the large tests runs."""
    return sampling.header()


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Report what a worker has measured."""
    costs.finish(session)


def pytest_make_parametrize_id(val: object) -> str | None:
    """Name a test by the beginning of a long text: one has a million letters."""
    return f"{val[:60]!a}..." if isinstance(val, str | bytes) and len(val) > 200 else None


def order(item: pytest.Item) -> int:
    """Return when a test runs: those with a browser first, then other groups, then the rest."""
    return next((n for n, mark in enumerate(("browser", "xdist_group")) if item.get_closest_marker(mark)), 2)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> Generator[None, None, None]:
    """Mark and group tests by their fixtures. Groups go first, and before all those with a browser: the many
    small tests fill the time that they leave on other workers."""
    heavy = set(costs.HEAVY.read_text("utf-8").split())
    for item in items:
        if costs.function(item.nodeid) in heavy:
            item.add_marker("heavy")
        for fixture, group in GROUPS.items():
            if fixture in getattr(item, "fixturenames", ()):
                if group in MARKS:
                    item.add_marker(group)
                if group == "browser":
                    group = next(
                        (one for one, ends in BROWSERS.items() if item.path.stem.endswith(ends)), group
                    )
                item.add_marker(pytest.mark.xdist_group(group))
                break
    yield  # pytest chooses by marks, and groups by fixtures
    sampling.shuffle(items)
    items.sort(key=order)


def pytest_collection_finish() -> None:
    """Collect no garbage among what was imported and collected: it stays to the end."""
    gc.collect()
    gc.freeze()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(
    item: pytest.Item, nextitem: pytest.Item | None
) -> Generator[None, object, object]:
    """Stop the browser after the last test of its group.

    Playwright leaves an event loop running in the thread, and ``asyncio.run`` fails beside it.
    """
    result = yield
    if _browsers and (nextitem is None or not nextitem.get_closest_marker("browser")):
        costs.end(_browsers.pop())
    return result


@pytest.hookimpl(wrapper=True)
def pytest_timeout_set_timer(item: pytest.Item, settings: Any) -> Generator[None, object, object]:
    """Let the timeout of a test fire again: a task of its event loop may have caught the first one."""
    result = yield
    if signal.getitimer(signal.ITIMER_REAL)[0]:
        signal.setitimer(signal.ITIMER_REAL, settings.timeout, AGAIN)
    return result


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


# One process for all pages of a context, and one for all services of the browser: a fifth of what Chromium
# computes. Nothing that a page shows or does depends on it.
FEW_PROCESSES = (
    "--renderer-process-limit=1",
    "--in-process-gpu",
    "--enable-features=NetworkServiceInProcess2",
)
PATIENCE_MS = 240_000  # a busy machine is not a fault; pytest stops a test after five minutes


def patient(browser: Browser) -> Browser:
    """Give every new context of a browser time and, until its cookies are cleared, a button for every choice.

    Without the whole suite, only pages that ask for motion move: frames cost more than all the rest of a
    race.
    """
    contexts, pages = browser.new_context, browser.new_page
    confirm: Any = {"name": "confirm", "value": "always", "domain": "127.0.0.1", "path": "/"}
    motion: dict[str, Any] = {} if sampling.WHOLE else {"reduced_motion": "reduce"}

    def new_context(**options: Any) -> BrowserContext:
        context = contexts(**motion | options)
        context.set_default_timeout(PATIENCE_MS)
        context.add_cookies([confirm])
        return context

    def new_page(**options: Any) -> Page:
        page = pages(**motion | options)
        page.context.set_default_timeout(PATIENCE_MS)
        page.context.add_cookies([confirm])
        return page

    browser.new_context, browser.new_page = new_context, new_page  # type: ignore[method-assign]
    return browser


_browsers: list[Callable[[], None]] = []  # what stops the browser that runs


@pytest.fixture(scope="session")
def _browser(chromium_path: str) -> Callable[[], Browser]:
    """A function that returns the Chromium of this worker, and starts it if none runs."""
    running: list[Browser] = []

    def get() -> Browser:
        if not _browsers:
            from playwright.sync_api import expect, sync_playwright

            expect.set_options(timeout=PATIENCE_MS)
            playwright = sync_playwright().start()
            browser = playwright.chromium.launch(
                executable_path=chromium_path,
                args=[*needs.CHROMIUM_FLAGS, *FEW_PROCESSES],
                timeout=PATIENCE_MS,
            )
            running[:] = [patient(browser)]

            def stop() -> None:
                running.pop().close()
                playwright.stop()

            _browsers.append(stop)
        return running[0]

    return get


@pytest.fixture
def browser(_browser: Callable[[], Browser]) -> Browser:
    """The Chromium that all tests of a worker share."""
    return _browser()


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
        connection = None
        while connection is None:
            with suppress(asyncpg.CannotConnectNowError):  # it accepts, and still starts up
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
