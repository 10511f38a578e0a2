"""What the operator's work leaves of the tables of a browser, and which tables servers read again."""

from __future__ import annotations

from dataclasses import replace

import pytest
from sqlalchemy import select

from paddock.core.i18n import Sentence
from paddock.store import ClaimRow, Keeping, PlayerRow, Store, TalkRow, Write
from paddock.store.schema import talk
from store.databases import sqlite_only
from store.test_others import ME, NEW, NOW, OTHER, row

pytestmark = [pytest.mark.anyio, sqlite_only]
THIRD = "d" * 64
TABLE = row("t1")


def seated(holder: str | None) -> list[PlayerRow]:
    """A browser, or an open seat, and a bot."""
    return [PlayerRow(0, "Ana", None, holder), PlayerRow(1, "Bot", "club", None)]


async def test_who_is_forgotten_takes_the_tables_where_nobody_else_plays(database: str) -> None:
    """Whoever made them: those that they only made, and those that they only play at."""
    store = await Store.open(database)
    tables = {"made": (ME, None), "played": (OTHER, ME), "shared": (ME, OTHER), "theirs": (OTHER, None)}
    for id, (maker, holder) in tables.items():
        await store.create(replace(TABLE, id=id, maker=maker), seated(holder), [])
    assert (await store.part(Keeping).forget(ME)).tables == ("made", "played")
    assert set(await store.versions([*tables])) == {"shared", "theirs"}
    await store.close()


async def test_old_lines_that_name_who_is_forgotten_go(database: str) -> None:
    """Older versions stored some lines of the table as plain text."""
    store = await Store.open(database)
    people = {"A.a": ME, "A.a (2)": OTHER, "Ada": THIRD}
    seats = [PlayerRow(n, name, None, holder) for n, (name, holder) in enumerate(people.items())]
    await store.create(TABLE, seats, [])
    kept = ["the race begins", "A.a (2) leads", "Ada leads", "A.ab and BA.a lead", "Ana leads"]
    kept += [Sentence("{name} leads", name=name).dump() for name in ("A.a (2)", "Ada")]
    gone = ["A.a takes the seat", "the host bans A.a.", "A.a (2) passes A.a"]
    gone += [Sentence("{name} leads", name="A.a").dump()]
    lines = [TalkRow(n, NOW, None, "table", text) for n, text in enumerate(kept + gone)]
    assert await store.commit(Write("t1", 0, NOW, talk=lines))
    await store.part(Keeping).forget(ME)
    async with store._engine.connect() as connection:
        left = await connection.execute(select(talk.c.text).order_by(talk.c.seq))
        assert list(left.scalars()) == kept
    await store.close()


async def test_servers_read_the_tables_of_who_has_another_secret_again(database: str) -> None:
    """Also where they only made the table, are its host, want to play, or must not."""
    store = await Store.open(database)
    holders = {name: {"maker": OTHER, "host": OTHER} for name in ("made", "led", "asked", "banned", "other")}
    holders["made"]["maker"] = holders["led"]["host"] = ME
    for id, them in holders.items():
        await store.create(replace(TABLE, id=id, **them), seated(OTHER), [])
        claim = ClaimRow(0, 1, ME if id == "asked" else THIRD, "Ana")
        ban = ME if id == "banned" else THIRD
        assert await store.commit(Write(id, 0, NOW, claims=[claim], banned=[ban]))
    await store.part(Keeping).rekey(ME, NEW)
    assert await store.versions([*holders]) == {"made": 2, "led": 2, "asked": 2, "banned": 2, "other": 1}
    await store.close()
