from __future__ import annotations

from pathlib import Path

import pytest

from sampling import WHOLE
from store.databases import KINDS, ready
from web.conftest import app, client, one_server, server, unlimited  # noqa: F401


@pytest.fixture(params=KINDS if WHOLE else KINDS[:1])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of a database without rows.

    Tables know their database only through the store, whose tests all run on both kinds. What depends on
    more than its answers is ``both``: several servers, a database that fails, and a walk through everything.
    """
    return ready(request, tmp_path)
