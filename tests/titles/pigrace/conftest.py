"""Installs examples/pigrace, the title of the tutorial «A title in an hour», for these tests only."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from paddock.core.title import Title
from titles.installing import found, install
from web.conftest import Server, serving

PACKAGE = Path(__file__).resolve().parents[3] / "examples/pigrace"


@pytest.fixture(scope="module", autouse=True)
def pigrace(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Title]:
    """The title, found by its entry point."""
    with found(install(PACKAGE, tmp_path_factory.mktemp("pigrace") / "site"), "pigrace") as title:
        yield title


@pytest.fixture(scope="module")
def sty(pigrace: Title, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that knows the title."""
    with serving(tmp_path_factory.mktemp("sty")) as server:
        yield server
