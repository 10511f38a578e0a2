"""How many watch: at each table, for other servers, and on the home page."""

from __future__ import annotations

import re
from datetime import timedelta
from pathlib import Path

import pytest

from paddock.features import FEATURES
from paddock.features.watching.service import AGAIN, Watching, watchers
from paddock.features.watching.store import WatchingStore
from paddock.server.app import create_app
from paddock.tables import Table, Tables, Terms
from paddock.tables.making import Sitter
from paddock.tables.streams import SCREEN
from store.databases import prepared
from tables.harness import ANA, BEN, CountedRuntime, service
from web.api_helpers import API
from web.conftest import running
from web.helpers import tables_of

pytestmark = pytest.mark.anyio
CLEO = "c" * 64
WATCHED = re.compile(r'<h2 id="live-h">Watch live</h2>\s*<ul class="places"><li .*?</li>', re.DOTALL)


async def public_game(tables: Tables) -> Table:
    """Return a listed game that Ana and Ben play."""
    people = [Sitter("me", "Ana", ANA), Sitter("me", "Ben", BEN)]
    return await tables.making.pair(
        "lacorsa",
        {"drivers": 4},
        [*people, Sitter("rookie"), Sitter("rookie")],
        host=ANA,
        terms=Terms(listed=True),
        also=lambda _id: lambda _connection: None,
    )


async def test_whoever_watches_is_counted_once_and_players_are_not(database: str) -> None:
    runtime = CountedRuntime()
    async with service(database, runtime=runtime) as tables:
        watching = tables.service(Watching)
        table = await public_game(tables)
        live = await tables.registry.find(table.id)
        async with (
            tables.streams.watch(table.id, ANA),
            tables.streams.watch(table.id, CLEO),
            tables.streams.watch(table.id, CLEO),
            tables.streams.watch(table.id, None),
            tables.streams.watch(table.id, None),
            tables.streams.watch(table.id, SCREEN),
        ):
            assert watchers(live) == 3
            assert await watching.of([table]) == {table.id: 3}
            await watching.tend()
            stored = tables.store.part(WatchingStore)
            since = runtime.now() - timedelta(seconds=1)
            assert await stored.of([table.id], since) == {table.id: 3}
            runtime.time += AGAIN
            await watching.tend()
            assert await stored.of([table.id], runtime.now() - timedelta(seconds=1)) == {table.id: 3}
        assert watchers(live) == 0
        await watching.tend()
        assert await stored.of([table.id], since) == {}


@pytest.mark.parametrize("with_it", [True, False])
async def test_a_live_table_is_on_the_home_page(tmp_path: Path, with_it: bool) -> None:
    features = [one for one in FEATURES if with_it or one.name != "watching"]
    app = create_app(prepared(f"sqlite:///{tmp_path / 't.sqlite3'}"), pace="instant", features=features)
    async with running(app) as client:
        tables = tables_of(client)
        table = await public_game(tables)
        async with tables.streams.watch(table.id, CLEO):
            home, listed = await client.get("/"), await client.get(f"{API}/tables")
        (line,) = listed.json()["listed"]
        assert (line["id"], line["watching"]) == (table.id, int(with_it))
        shown = WATCHED.search(home.text)
        assert bool(shown) == with_it
        if shown:
            assert f'href="/t/{table.id}"' in shown[0] and "1 person is watching" in shown[0]
            quiet = WATCHED.search((await client.get("/")).text)
            assert quiet and "running: you can watch" in quiet[0]
