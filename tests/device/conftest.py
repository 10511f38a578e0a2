"""A pack for the tests that run it: written once, if what it needs is there."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import needs
from conftest import LOUD
from paddock.device import pack
from web.conftest import one_server, server

__all__ = ["one_server", "server"]

BASE = "p"  # the folder below a host's root


@pytest.fixture(scope="session")
def browser_python() -> Path:
    """The folder of Python for the browser, which also Node.js runs."""
    found = needs.browser_python()
    if found is None:
        pytest.skip(f"{LOUD}: the pack. No Node.js, or nothing downloaded: make needs")
    return found


@pytest.fixture(scope="session")
def packed(tmp_path_factory: pytest.TempPathFactory, browser_python: Path) -> Path:
    """A folder of a host that has a pack in its folder ``p``."""
    root = tmp_path_factory.mktemp("host")
    with ThreadPoolExecutor(1) as beside:  # Playwright's event loop may run in this thread
        beside.submit(pack.pack, root / BASE).result()
    return root
