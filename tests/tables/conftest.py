from __future__ import annotations

from pathlib import Path

import pytest

from store.databases import KINDS, fresh


@pytest.fixture(params=KINDS)
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of an empty database."""
    return fresh(request, tmp_path)
