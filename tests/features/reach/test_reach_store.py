"""How browsers are called, and the outbox: what is done for one of them is done for no other."""

from __future__ import annotations

from dataclasses import asdict, replace
from datetime import datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import insert, select

from features.reach.reached import SITE
from paddock.features.pairing.rows import waiting
from paddock.features.reach.calls import REMINDER, TURN
from paddock.features.reach.rows import ChannelRow, OutboxRow, ReachRow, channels, outbox, reach, wanted
from paddock.features.reach.store import NOTED, TEST, BrowserWishes, ReachStore, purge
from paddock.store import Keeping, PlayerRow, Store
from paddock.store.schema import servers
from store.databases import execute, sqlite_only
from store.test_others import ME, NOW, OTHER, SECOND, finished, row, waits

pytestmark = [pytest.mark.anyio, sqlite_only]
SAID = ReachRow(ME, "en", SITE)
TABLE = row("t1", length=7, awaits=" 0 ")
TIMED = [PlayerRow(n, "P", None, who, bank_ms=60_000) for n, who in enumerate((ME, OTHER))]


def way(id: str, holder: str = ME, **more: Any) -> ChannelRow:
    """A channel of a browser."""
    return replace(ChannelRow(id, holder, "ntfy", f"https://ntfy.example/{id}", NOW), **more)


async def test_the_push_address_of_a_browser_profile_belongs_to_its_newest_cookie(database: str) -> None:
    """Any other address may be that of several people."""
    store = await Store.open(database)
    ways = store.part(ReachStore)
    for kind in ("push", "webhook"):
        for n, (holder, address) in enumerate(((OTHER, "same"), (OTHER, "else"), (ME, "same"))):
            one = way(f"{kind}{n}", holder, kind=kind, address=address)
            assert await ways.add(replace(SAID, holder=holder), one, NOW, 9) is None
    mine, theirs = [[one.id for one in (await ways.of(who)).channels] for who in (ME, OTHER)]
    assert mine == ["push2", "webhook2"]
    assert theirs == ["push1", "webhook0", "webhook1"]
    await store.close()


async def test_who_agrees_to_be_written_to_is_reminded_of_turns_that_are_open(database: str) -> None:
    store = await Store.open(database)
    await store.create(TABLE, TIMED, [])
    ways, asked = store.part(ReachStore), way("w1", kind="email")
    await ways.add(SAID, asked, NOW, 9)

    async def waits() -> list[tuple[str, str, str]]:
        async with store._engine.connect() as connection:
            found = await connection.execute(select(outbox))
            return [(one.channel_id, one.about, one.kind) for one in found]

    assert await waits() == []
    await ways.confirm(asked, NOW)
    assert await waits() == [("w1", "t1/7", REMINDER)]
    await store.close()


async def test_messages_about_a_table_are_for_the_server_that_has_it(database: str) -> None:
    """Others take those of tables that nobody has, each once."""
    store = await Store.open(database)
    await execute(
        store, *(insert(servers).values(id=id, address="", key="k", beats=0) for id in ("s1", "s2"))
    )
    for id, owner in (("t1", "s1"), ("t2", None), ("t3", "gone")):
        await store.create(replace(TABLE, id=id), TIMED, [], owner=owner)
    ways, until = store.part(ReachStore), NOW + timedelta(minutes=1)
    await ways.add(replace(SAID, remind=0), way("w1", confirmed_at=NOW), NOW, 9)
    for n, id in enumerate(("t1", "t2", "t3")):
        await ways.put(OutboxRow("w1", f"{id}/7", TURN, ME, NOW, NOW - (9 - n) * SECOND, id, 7))

    async def taken(owner: str) -> list[str | None]:
        return [one.row.table_id for one in await ways.claim(owner, NOW, until, 9, owner)]

    assert [await ways.next_due(owner) for owner in ("s1", "s2")] == [NOW - 9 * SECOND, NOW - 8 * SECOND]
    assert await taken("s2") == ["t2", "t3"]
    assert await taken("s1") == ["t1"]
    await store.close()


async def test_a_channel_that_works_again_says_nothing_of_others(database: str) -> None:
    store = await Store.open(database)
    ways = store.part(ReachStore)
    for id in ("w1", "w2", "w3"):
        fault = {} if id == "w3" else {"fault": "it answered 500", "failed_at": NOW}
        await ways.add(SAID, way(id, **fault), NOW, 9)
    message = OutboxRow("w1", TEST, TEST, ME, NOW, NOW)
    await ways.put(message)
    await ways.done(message, working=True)
    async with store._engine.connect() as connection:
        query = select(channels.c.id, channels.c.fault, channels.c.failed_at).order_by(channels.c.id)
        found = [tuple(one) for one in await connection.execute(query)]
    assert found == [("w1", "", None), ("w2", "it answered 500", NOW), ("w3", "", None)]
    await store.close()


async def test_what_a_browser_says_of_its_calls_comes_back(database: str) -> None:
    store = await Store.open(database)
    await finished(store, "t1", ME, OTHER)
    ways, said = (
        store.part(ReachStore),
        ReachRow(ME, "de", SITE, False, "Europe/Berlin", 1320, 420, 60, "k" * 64, NOW),
    )
    assert await ways.of(ME) == BrowserWishes(None, (), {})
    await ways.keep(replace(said, remind=0), NOW)
    await ways.keep(said, NOW)
    assert await ways.of(ME) == BrowserWishes(said, (), {})
    newer, older = way("w1", ME, made_at=NOW + SECOND), way("w2", ME)
    for one in (newer, older):
        assert await ways.add(replace(said, language="en"), one, NOW, 9) is None  # what was said stays
    assert await ways.want(said, "t1", True, NOW)
    assert await ways.of(ME) == BrowserWishes(said, (older, newer), {"t1": True})
    assert await ways.of(OTHER) == BrowserWishes(None, (), {})
    await store.close()


async def test_who_asks_for_reminders_gets_those_of_turns_that_are_open(database: str) -> None:
    store = await Store.open(database)
    timed = [PlayerRow(n, "P", None, who, bank_ms=60_000) for n, who in enumerate((ME, OTHER))]
    await store.create(row("t1", length=7, awaits=" 0 1 "), timed, [])
    await store.create(row("t2", length=7, awaits=" 1 "), timed, [])  # it is not their turn
    untimed = [replace(player, bank_ms=None) for player in timed]
    await store.create(row("t3", length=7, awaits=" 0 "), untimed, [])
    bots = [timed[0], replace(timed[1], bot="club", holder=None)]
    await store.create(row("t4", length=7, awaits=" 0 "), bots, [])  # nobody waits there
    ways, said = store.part(ReachStore), ReachRow(ME, "en", SITE, remind=0)
    await ways.add(said, way("w1", ME, confirmed_at=NOW), NOW, 9)
    await ways.add(replace(said, holder=OTHER), way("w2", OTHER, confirmed_at=NOW), NOW, 9)

    async def reminders() -> list[tuple[str, str, str, datetime]]:
        async with store._engine.connect() as connection:
            found = await connection.execute(select(outbox))
            return [(one.holder, one.about, one.kind, one.due) for one in found]

    for seconds, minute, due in ((0, 1, None), (60, 2, 2), (60, 3, 2), (120, 4, 4)):
        now = NOW + timedelta(minutes=minute)
        await ways.keep(replace(said, remind=seconds, kept_at=now), now)
        expected = [] if due is None else [(ME, "t1/7", REMINDER, NOW + timedelta(minutes=due))]
        assert await reminders() == expected, "when it is sent is looked up anew only if that may change"
    await store.close()


async def test_what_a_browser_says_of_its_calls_is_kept_while_it_may_need_it(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If it said that, was used or added a channel lately, or plays, or waits; else all of it goes.

    That a browser is used is noted now and then: one may be used later than that says.
    """
    monkeypatch.setattr("paddock.features.reach.store.PIECE", 2)  # so they go in two pieces
    store = await Store.open(database)
    await store.create(row("t1"), [PlayerRow(0, "P", None, "plays"), PlayerRow(1, "Q", "club", None)], [])
    kept, gone = ["adds", "plays", "says", "waits"], ["has added", "has said", "has waited"]
    statements = [
        insert(waiting).values(asdict(waits("waits"))),
        insert(waiting).values(asdict(waits("has waited", table_id="t1"))),
    ]
    for n, holder in enumerate(kept + gone):
        used = NOW - NOTED if holder == "says" else NOW - NOTED - SECOND
        said = ReachRow(holder, "en", SITE, kept_at=used)
        made = NOW if holder == "adds" else NOW - SECOND
        message = OutboxRow(f"w{n}", "t1/3", TURN, holder, NOW, NOW, "t1", 3)
        statements += [
            insert(reach).values(asdict(said)),
            insert(channels).values(asdict(way(f"w{n}", holder, made_at=made))),
            insert(wanted).values(holder=holder, table_id="t1", wanted=True),
            insert(outbox).values(asdict(message)),
        ]
    await execute(store, *statements)
    await store.part(Keeping)._writer.run(lambda connection: purge(connection, NOW))
    async with store._engine.connect() as connection:
        for of in (reach, channels, wanted, outbox):
            left = (await connection.execute(select(of.c.holder))).scalars()
            assert sorted(left) == kept, of.name
    await store.close()
