"""What a server does with its lease, from one sign of life to the next.

No PostgreSQL: ``test_owning.py`` has several servers.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

import pytest

from paddock.store import Peer, leases
from paddock.tables.owning import MARGIN, Alone, Shared
from tables.harness import ANA, CountedRuntime, service

pytestmark = pytest.mark.anyio


class Rows:
    """The servers of a database, which count their signs of life until somebody deletes them."""

    def __init__(self) -> None:
        self.beats: dict[str, int] = {}

    async def join(self, me: Peer) -> None:
        self.beats[me.id] = 0

    async def renew(self, id: str) -> Mapping[str, int] | None:
        if id not in self.beats:
            return None
        self.beats[id] += 1
        return dict(self.beats)


async def joined(rows: Any, runtime: CountedRuntime) -> Shared:
    """Return a server that gives signs of life only when a test says so."""
    owning = Shared(rows, runtime, "")
    await owning._join()
    return owning


async def test_a_lease_lasts_from_the_last_sign_of_life_and_not_a_moment_longer() -> None:
    runtime = CountedRuntime()
    owning, lasts = await joined(Rows(), runtime), leases.LEASE * (1 - MARGIN)
    for given in (0.0, 2.0):
        for passed, valid in ((0.0, True), (lasts - 0.125, True), (lasts, False)):
            runtime.time = given + passed
            assert owning.valid is valid
        runtime.time = 2.0
        await owning._renew()


async def test_each_server_that_goes_frees_tables_once() -> None:
    rows = Rows()
    owning = await joined(rows, CountedRuntime())
    for _ in range(2):
        rows.beats["other"] = 0
        await owning._renew()
        freed = asyncio.create_task(owning.freed())
        await asyncio.sleep(0)
        assert not freed.done()
        del rows.beats["other"]
        await owning._renew()
        assert await freed


async def test_whoever_waits_for_news_hears_of_each_server_that_comes_or_goes() -> None:
    rows = Rows()
    owning = await joined(rows, CountedRuntime())
    for change in (lambda: rows.beats.update(other=0), lambda: rows.beats.pop("other")):
        waiting = asyncio.create_task(owning.news(60.0))
        for _ in range(2):  # nobody has come or gone yet
            await owning._renew()
            await asyncio.sleep(0)
            assert not waiting.done()
        change()
        await owning._renew()
        for _ in range(3):
            await asyncio.sleep(0)
        assert waiting.done()


class Rejoining(Alone):
    """A server that others took for gone while a table was stored: it has joined again as another one."""

    def __init__(self) -> None:
        super().__init__()
        self.me = Peer("before", "", "")
        self.taken: list[str] = []

    async def take(self, id: str) -> bool:
        self.taken.append(id)
        return True


async def test_a_new_table_is_taken_again_if_the_server_was_lost_meanwhile(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with service(database) as tables:
        owning = tables.registry.owning = Rejoining()
        create = tables.store.create

        async def slow(*what: Any) -> frozenset[str]:
            callers = await create(*what)
            owning.me = Peer("after", "", "")
            return callers

        lobby = ("lacorsa", {}, ["me", *["open"] * 3])
        with monkeypatch.context() as patch:
            patch.setattr(tables.store, "create", slow)
            lost = await tables.making.open_lobby(*lobby, holder=ANA)
        assert owning.taken == [lost.id]
        kept = await tables.making.open_lobby(*lobby, holder=ANA)
        assert owning.taken == [lost.id], "it is there already"
        for table in (lost, kept):
            live = tables.registry.get(table.id)
            assert live and live.table is table and live.owner == "after"
