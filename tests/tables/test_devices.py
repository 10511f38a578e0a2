"""Links to other devices: what they open, when, and for whom."""

from __future__ import annotations

import hashlib

import pytest

from paddock.store.schema import device_links
from paddock.tables.devices import LASTS
from tables.harness import CountedRuntime, service

pytestmark = pytest.mark.anyio
SECRET, ANOTHER = "s" * 43, "t" * 43
ME = hashlib.sha256(SECRET.encode()).hexdigest()


async def test_a_link_gives_the_secret_of_its_browser_once(database: str) -> None:
    runtime = CountedRuntime()
    async with service(database, runtime=runtime) as tables:
        devices = tables.devices
        link = await devices.make(SECRET, "Ana", 5)
        async with tables.store._engine.connect() as connection:
            stored = str((await connection.execute(device_links.select())).all())
        assert SECRET not in stored and link not in stored and SECRET.encode().hex() not in stored
        row = await devices.find(link)
        assert row and (row.holder, row.name, row.number) == (ME, "Ana", 5)
        assert await devices.open(link) == SECRET
        assert await devices.open(link) is None and await devices.find(link) is None
        known = await devices.of(ME)
        assert known and known.used_at == runtime.now()


async def test_old_replaced_and_foreign_links_open_nothing(database: str) -> None:
    runtime = CountedRuntime()
    async with service(database, runtime=runtime) as tables:
        devices = tables.devices
        first = await devices.make(SECRET, "", 0)
        second = await devices.make(SECRET, "", 0)
        other = await devices.make(ANOTHER, "", 0)
        for wrong in (first, "", "x" * 43, second[:-1], f"{second}\n", "é" * 43):
            assert await devices.open(wrong) is None
        assert await devices.open(other) == ANOTHER
        assert await devices.of(ME)
        runtime.time += LASTS.total_seconds()
        assert await devices.open(second) is None and await devices.of(ME) is None
        third = await devices.make(SECRET, "", 0)
        await tables.rekey(ME, "f" * 64)
        assert await devices.open(third) is None, "a browser that has a new secret has no old links"


async def test_tables_in_memory_belong_to_a_new_secret_at_once(database: str) -> None:
    async with service(database) as tables:
        table = await tables.making.create("lacorsa", {}, ["me", "me", "club", "club"], holder=ME)
        await tables.rekey(ME, "f" * 64)
        assert table.players_of("f" * 64) == [0, 1] and table.players_of(ME) == []
        assert table.host == table.maker == "f" * 64
