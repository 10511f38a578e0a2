"""Without any one feature, the server starts and a race is played; only pages of that feature are gone."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from fastapi import APIRouter
from fastapi.routing import APIRoute
from sqlalchemy.dialects import sqlite

from features.offline.packs import small_pack
from paddock.features import FEATURES
from paddock.kernel.source import Seeded
from paddock.server.app import create_app
from paddock.store.kinds import KindColumn
from paddock.tables import Forbidden
from paddock.tables.rights import watch
from paddock.web.feature import FEATURES as FILES
from paddock.web.feature import Feature
from store.databases import prepared
from web.api_helpers import API
from web.conftest import running
from web.helpers import HUMANS, finish, table

pytestmark = pytest.mark.anyio


def routes(router: APIRouter) -> list[APIRoute]:
    """Return the routes of a router, each of which is one of FastAPI's."""
    assert all(isinstance(route, APIRoute) for route in router.routes)
    return [route for route in router.routes if isinstance(route, APIRoute)]


def pages(feature: Feature, table: str = "", method: str = "GET") -> list[str]:
    """Return the addresses of its pages, or of those about this table, that have no other parameter."""
    paths = [route.path for route in routes(feature.pages) if method in route.methods]
    about = [path.replace("/t/{id}", table) for path in paths if path.startswith("/t/{id}") == bool(table)]
    return [path for path in about if "{" not in path]


@pytest.mark.parametrize("missing", FEATURES, ids=lambda feature: feature.name)
async def test_a_race_is_played_without_a_feature(
    missing: Feature, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PADDOCK_ADMIN_TOKEN", "correct-horse-battery")  # else there is no page to be gone
    monkeypatch.setenv("PADDOCK_EMBED", "*")
    monkeypatch.setenv("PADDOCK_PACK", str(small_pack(tmp_path / "pack")))
    left = [feature for feature in FEATURES if feature is not missing]
    app = create_app(
        prepared(f"sqlite:///{tmp_path / 'tables.sqlite3'}"), chance=Seeded(7), pace="instant", features=left
    )
    async with running(app) as client:
        path = await table(client, **HUMANS)
        await finish(client, path)
        over = await client.get(path)
        assert over.status_code == 200
        assert not [one for one in pages(missing) if f'href="{one}' in over.text]
        home, replay = [(await client.get(where)).text for where in ("/", f"{path}/replay")]
        assert 'id="at"' in replay
        assert f"/{FILES}{missing.name}/" not in replay
        forms = pages(missing, method="POST") + pages(missing, path, "POST")
        assert pages(missing) or pages(missing, path) or forms or missing.results
        for form in forms:
            assert (await client.post(form)).status_code == 404
            assert f'action="{form}' not in home + replay
        for page in pages(missing) + pages(missing, path):
            assert (await client.get(page)).status_code == 404
            assert f'href="{page}' not in home and f'"{page}' not in replay
        paths = (await client.get(f"{API}/openapi.json")).json()["paths"]
        described = {(method.upper(), path) for path, methods in paths.items() for method in methods}
        for route in routes(missing.api):
            for method in route.methods:
                assert (method, route.path) not in described
            if "{" not in route.path:
                # 405: the house has another method there
                there = route.path in paths
                answer = await client.get(f"{API}{route.path}")
                assert answer.status_code == (405 if there else 404)
        for feature in left:
            for page in pages(feature)[:1]:
                assert (await client.get(page)).status_code == 200
            if feature.beside:
                for name in filter(None, (feature.beside.script, feature.beside.style)):
                    assert feature.file(name) in replay


def test_a_table_of_a_missing_feature_is_seen_by_its_player_only() -> None:
    """It may have secrets that only the feature knows to keep."""
    kind = KindColumn().process_result_value("of a missing feature", sqlite.dialect())
    table: Any = SimpleNamespace(
        kind=kind, players=[], players_of=lambda holder: [0] if holder == "ana" else []
    )
    watch(table, "ana")
    with pytest.raises(Forbidden, match="only its player sees this table"):
        watch(table, "ben")


def test_the_command_line_knows_the_commands_of_features_and_loads_no_service() -> None:
    """The kind: a command such as «paddock fair» needs no server, and none of its packages."""
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
