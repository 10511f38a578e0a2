from __future__ import annotations

from pathlib import Path

import pytest

from store.databases import KINDS, fresh, ready


@pytest.fixture(params=KINDS)
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of a database without rows."""
    return ready(request, tmp_path)


@pytest.fixture(params=KINDS)
def empty(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of a database without the schema."""
    return fresh(request, tmp_path)
