"""Installs the package into its own folder, which is on the path for these tests only."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from importlib import invalidate_caches
from pathlib import Path

import pytest

import paddock
from paddock.core.title import Title
from web.conftest import Server

PACKAGE = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder where the package is installed."""
    folder = tmp_path_factory.mktemp("skerries") / "site"
    words = ["install", "--quiet", "--no-deps", "--no-index", "--no-build-isolation"]
    for tool in ("uv", "pip"), ("pip", "--disable-pip-version-check"):  # there may be no uv for this system
        command = [sys.executable, "-m", *tool, *words, "--target", str(folder), str(PACKAGE)]
        if not subprocess.run(command).returncode:
            return folder
    raise RuntimeError(f"neither uv nor pip installs {PACKAGE}")


@pytest.fixture(scope="module", autouse=True)
def skerries(installed: Path) -> Iterator[Title]:
    """The title, found by its entry point here and in child processes; removed from the path afterwards."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(installed)
        path = os.environ.get("PYTHONPATH")
        patch.setenv("PYTHONPATH", os.pathsep.join([str(installed), *([path] if path else [])]))
        invalidate_caches()
        paddock.titles.cache_clear()
        yield paddock.title("skerries")
    paddock.titles.cache_clear()


@pytest.fixture(scope="module")
def harbour(skerries: Title, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that knows the title."""
    server = Server(tmp_path_factory.mktemp("harbour"))
    yield server
    server.stop()
    errors = [line for line in server.lines if "Error" in line or "Traceback" in line]
    assert not errors, "".join(server.lines)
