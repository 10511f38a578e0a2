"""Without any one feature, the server starts and a race is played; only pages of that feature are gone."""

from __future__ import annotations

from pathlib import Path

import pytest

from paddock.features import FEATURES
from paddock.kernel.source import Seeded
from paddock.server.app import create_app
from paddock.web.feature import FEATURES as FILES
from paddock.web.feature import Feature
from store.databases import prepared
from web.api_helpers import API
from web.conftest import running
from web.helpers import HUMANS, finish, table

pytestmark = pytest.mark.anyio


def pages(feature: Feature, table: str = "") -> list[str]:
    """Return the addresses of its pages, or of those about this table, that have no other parameter."""
    paths = [route.path for route in feature.pages.routes if "GET" in route.methods]  # type: ignore[attr-defined]
    about = [path.replace("/t/{id}", table) for path in paths if path.startswith("/t/{id}") == bool(table)]
    return [path for path in about if "{" not in path]


@pytest.mark.parametrize("missing", FEATURES, ids=lambda feature: feature.name)
async def test_a_race_is_played_without_a_feature(missing: Feature, tmp_path: Path) -> None:
    left = [feature for feature in FEATURES if feature is not missing]
    app = create_app(
        prepared(f"sqlite:///{tmp_path / 'tables.sqlite3'}"), chance=Seeded(7), pace="instant", features=left
    )
    async with running(app) as client:
        path = await table(client, **HUMANS)
        await finish(client, path)
        assert (await client.get(path)).status_code == 200
        home, replay = [(await client.get(where)).text for where in ("/", f"{path}/replay")]
        assert 'id="at"' in replay
        assert f"/{FILES}{missing.name}/" not in replay
        assert pages(missing) or pages(missing, path)
        for page in pages(missing) + pages(missing, path):
            assert (await client.get(page)).status_code == 404
            assert f'href="{page}' not in home and f'"{page}' not in replay
        described = (await client.get(f"{API}/openapi.json")).json()["paths"].keys()
        assert described.isdisjoint(route.path for route in missing.api.routes)  # type: ignore[attr-defined]
        for feature in left:
            for page in pages(feature)[:1]:
                assert (await client.get(page)).status_code == 200
            if feature.beside:
                assert feature.beside.script in replay and feature.beside.style in replay
