"""Installs the package into its own folder, which is on the path for these tests only."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from paddock.core.title import Title
from titles.installing import found, install
from web.conftest import Server, serving

PACKAGE = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder where the package is installed."""
    return install(PACKAGE, tmp_path_factory.mktemp("skerries") / "site")


@pytest.fixture(scope="module", autouse=True)
def skerries(installed: Path) -> Iterator[Title]:
    """The title, found by its entry point here and in child processes; removed from the path afterwards."""
    with found(installed, "skerries") as title:
        yield title


@pytest.fixture(scope="module")
def harbour(skerries: Title, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that knows the title."""
    with serving(tmp_path_factory.mktemp("harbour")) as server:
        yield server
