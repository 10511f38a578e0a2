"""Without any one feature, the server starts and a race is played; only pages of that feature are gone."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from fastapi import APIRouter
from sqlalchemy.dialects import sqlite

from paddock.features import FEATURES
from paddock.kernel.source import Seeded
from paddock.server.app import create_app
from paddock.store.kinds import KindColumn
from paddock.tables import Forbidden
from paddock.tables.rights import watch
from paddock.web.feature import Feature
from store.databases import prepared
from web.conftest import running
from web.helpers import HUMANS, finish, table

pytestmark = pytest.mark.anyio


def pages(router: APIRouter) -> list[str]:
    """Return the addresses that it answers and that have no parameter."""
    paths = [route.path for route in router.routes if "GET" in route.methods]  # type: ignore[attr-defined]
    return [path for path in paths if "{" not in path]


@pytest.mark.parametrize("missing", FEATURES, ids=lambda feature: feature.name)
async def test_a_race_is_played_without_a_feature(missing: Feature, tmp_path: Path) -> None:
    left = [feature for feature in FEATURES if feature is not missing]
    app = create_app(
        prepared(f"sqlite:///{tmp_path / 'tables.sqlite3'}"), chance=Seeded(7), pace="instant", features=left
    )
    async with running(app) as client:
        assert pages(missing.pages)
        for path in pages(missing.pages):
            assert (await client.get(path)).status_code == 404
            assert f'href="{path}' not in (await client.get("/")).text
        for path in pages(missing.api):
            assert (await client.get(f"/api/v1{path}")).status_code == 404
        for feature in left:
            assert (await client.get(pages(feature.pages)[0])).status_code == 200
        path = await table(client, **HUMANS)
        await finish(client, path)
        assert (await client.get(path)).status_code == 200


def test_a_table_of_a_missing_feature_is_seen_by_its_player_only() -> None:
    """It may have secrets that only the feature knows to keep."""
    kind = KindColumn().process_result_value("of a missing feature", sqlite.dialect())
    table: Any = SimpleNamespace(kind=kind, players_of=lambda holder: [0] if holder == "ana" else [])
    watch(table, "ana")
    with pytest.raises(Forbidden, match="only its player sees this table"):
        watch(table, "ben")


def test_the_command_line_knows_the_commands_of_features_and_loads_no_service() -> None:
    """The kind: a command such as «paddock daily check» needs no server, and none of its packages."""
    code = """
import sys
from paddock.cli import app
from paddock.features import commands
heavy = "fastapi", "sqlalchemy", "paddock.web", "paddock.tables"
loaded = [name for name in sys.modules if name.startswith(heavy)]
known = {group.name for group in app.registered_groups}
print(loaded, {name for name, _app in commands()} - known)
"""
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[] set()"
