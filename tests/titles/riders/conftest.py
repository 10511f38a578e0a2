"""Installs examples/riders, the title of the tutorial «Cards face down», for these tests only."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from paddock.core.title import Title
from titles.installing import found, install

PACKAGE = Path(__file__).resolve().parents[3] / "examples/riders"


@pytest.fixture(scope="module", autouse=True)
def riders(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Title]:
    """The title, found by its entry point."""
    with found(install(PACKAGE, tmp_path_factory.mktemp("riders") / "site"), "riders") as title:
        yield title
