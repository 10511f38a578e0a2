"""A table with a user's deck: stored once, named by its digest, loaded after a restart."""

from __future__ import annotations

import pytest
from sqlalchemy import delete, update

import paddock
from paddock import records
from paddock.store.schema import data, events
from paddock.store.schema import tables as rows
from paddock.tables import Table, Tables
from paddock.tables.fold import digest, hash_prefix
from store.databases import execute
from tables.harness import ANA, facts, service

pytestmark = pytest.mark.anyio
DECK = "+".join(f"{colour}{n}0" for colour in "rgbyk" for n in range(1, 12, 2))
ME = ["me", "me"]


async def made(tables: Tables, deck: str) -> Table:
    return await tables.making.create("rasant", {"players": 2, "deck": deck}, ME, holder=ANA)


async def test_a_table_is_stored_with_the_name_of_its_deck(database: str) -> None:
    async with service(database) as tables:
        table = await made(tables, DECK.replace("+", "\n"))
        name = table.options.named["deck"]
        assert name.startswith("~")
        stored = await tables.store.load(table.id)
        assert stored and f" deck={name} " in stored.table.options and len(stored.table.options) < 200
        assert stored.data == {name[1:]: DECK}
        before, record = facts(table), await tables.record(table.id, None)
        assert f" deck={DECK} " in record
    async with service(database) as tables:
        again = await tables.table(table.id)
        assert facts(again) == before
        assert f" deck={DECK} " in again.game.position


async def test_what_is_known_here_is_named_by_its_digest(database: str) -> None:
    async with service(database) as tables:
        name = (await made(tables, DECK)).options.named["deck"]
        again = await made(tables, name)
        assert again.options == (await tables.making.open_lobby(
            "rasant", {"players": 2, "deck": name}, ME, holder=ANA
        )).options  # fmt: skip
        assert f" deck={DECK} " in again.options.text
        for wrong in ("~" + "a" * 16, "~", "~lost", name.upper()):
            with pytest.raises(paddock.BadOption, match=r"deck=.*RA-1\.2"):
                await made(tables, wrong)


async def test_an_uploaded_record_brings_its_deck(database: str) -> None:
    game = paddock.start("rasant", players=2, deck=DECK, seed=3)
    while not game.over:
        game.play(game.deciders[0], game.legal(game.deciders[0]).ids[0])
    record = records.write(game, date="2026-03-01", players=[(name, None) for name in game.names])
    async with service(database) as tables:
        id = (await tables.making.upload(record, ANA)).id
    async with service(database) as tables:
        assert (await tables.table(id)).game.position == game.position


async def test_a_table_from_before_has_its_deck_among_its_options(database: str) -> None:
    async with service(database) as tables:
        table = await made(tables, DECK)
        before = facts(table)
        # Its digests have them whole too.
        head = hash_prefix("rasant", table.title.revision, table.options.text)
        await execute(
            tables.store,
            update(rows).values(options=table.options.text),
            delete(data),
            update(events).where(events.c.digest != 0).values(digest=digest(table.game, head)),
        )
    async with service(database) as tables:
        assert facts(await tables.table(table.id)) == before
