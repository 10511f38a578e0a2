"""Without any one feature, the server starts and a race is played; only pages of that feature are gone."""

from __future__ import annotations

from pathlib import Path

import pytest

from paddock.features import FEATURES
from paddock.kernel.source import Seeded
from paddock.server.app import create_app
from paddock.web.feature import Feature
from store.databases import prepared
from web.conftest import running
from web.helpers import HUMANS, finish, table

pytestmark = pytest.mark.anyio


def pages(feature: Feature) -> list[str]:
    """Return the addresses of its pages that have no parameter."""
    paths = [route.path for route in feature.pages.routes if "GET" in route.methods]  # type: ignore[attr-defined]
    return [path for path in paths if "{" not in path]


@pytest.mark.parametrize("missing", FEATURES, ids=lambda feature: feature.name)
async def test_a_race_is_played_without_a_feature(missing: Feature, tmp_path: Path) -> None:
    left = [feature for feature in FEATURES if feature is not missing]
    app = create_app(
        prepared(f"sqlite:///{tmp_path / 'tables.sqlite3'}"), chance=Seeded(7), pace="instant", features=left
    )
    async with running(app) as client:
        assert pages(missing)
        for path in pages(missing):
            assert (await client.get(path)).status_code == 404
            assert f'href="{path}' not in (await client.get("/")).text
        for feature in left:
            assert (await client.get(pages(feature)[0])).status_code == 200
        path = await table(client, **HUMANS)
        await finish(client, path)
        over = await client.get(path)
        assert over.status_code == 200
        assert not [one for one in pages(missing) if f'href="{one}' in over.text]
