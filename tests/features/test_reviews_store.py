"""The notes on finished games in both databases."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from paddock.features.reviews.rows import NoteRow
from paddock.features.reviews.store import NoteStore, brought
from paddock.store import Before, Keeping, Store, restore_backup, write_backup
from store.databases import both
from store.ended import ANA, BEN, DAY, NOW, TABLE, WHO, stored

pytestmark = [pytest.mark.anyio, both]
NOTE = NoteRow("t1", 0, 40, '{"by": "Ana", "text": "früh?\\n“so”"}', NOW, ANA)
BENS = replace(NOTE, at=7, holder=BEN)
READ = replace(NOTE, at=99, holder=None)  # came with a record


async def test_notes_are_numbered_and_come_in_the_order_of_their_moments(database: str) -> None:
    store = await stored(database)
    notes = store.part(NoteStore)
    assert await notes.add([], 9) == [] == await notes.of("t1")
    first, second = await notes.add([NOTE, BENS], 3)
    assert (first, second) == (NOTE, replace(BENS, seq=1))
    assert await notes.add([READ, READ], 3) == [], "none of them, if they are too many"
    assert await notes.add([READ], 3) == [replace(READ, seq=2)]
    assert await notes.of("t1") == [second, first, replace(READ, seq=2)]
    assert await notes.delete("t1", 1) and not await notes.delete("t1", 1)
    assert await notes.add([BENS], 3) == [replace(BENS, seq=3)], "the next number"
    await store.close()


async def test_a_record_brings_its_notes_with_its_table(database: str) -> None:
    store = await Store.open(database)
    rows = [READ, replace(READ, seq=1, at=7)]
    await store.create(TABLE, WHO, [], also=brought(rows))
    notes = store.part(NoteStore)
    assert await notes.of("t1") == rows[::-1]
    assert await notes.add([BENS], 3) == [replace(BENS, seq=2)], "the next number"
    await store.close()


async def test_each_change_of_the_notes_changes_their_stamp(database: str) -> None:
    """An answer that is kept is made again then."""
    store = await stored(database)
    notes, stamps = store.part(NoteStore), list[object]()
    for change in (
        notes.add([NOTE], 9),
        notes.add([BENS, READ], 9),
        notes.delete("t1", 2),
        notes.add([replace(READ, made_at=NOW + DAY)], 9),  # with the number of the one before
        notes.delete("t1", 0),
        store.part(Keeping).forget(BEN),
    ):
        stamps.append(await notes.stamp("t1"))
        await change
    assert len({*stamps, await notes.stamp("t1")}) == 7
    assert await notes.mine("t1", ANA) == frozenset() and len(await notes.of("t1")) == 1
    await store.close()


async def test_the_key_of_a_review_is_made_once(database: str) -> None:
    store = await stored(database)
    notes = store.part(NoteStore)
    assert await notes.key("t1") is None
    assert await notes.open("t1", "one") == await notes.open("t1", "two") == await notes.key("t1") == "one"
    await store.close()


async def test_notes_go_with_their_tables_and_browsers(database: str, tmp_path: Path) -> None:
    store = await stored(database)
    notes, keeping = store.part(NoteStore), store.part(Keeping)
    made = await notes.add([NOTE, BENS, READ], 9)
    await notes.open("t1", "one")
    copy = tmp_path / "copy.sqlite3"
    await write_backup(database, copy)
    await keeping.forget(BEN)
    assert [row.holder for row in await notes.of("t1")] == [ANA, None]
    await keeping.purge(Before(games=NOW + DAY))
    assert await notes.of("t1") == [] and await notes.key("t1") is None
    await store.close()
    again = f"sqlite:///{tmp_path / 'again.sqlite3'}"
    await restore_backup(copy, again)
    store = await Store.open(again)
    assert await store.part(NoteStore).of("t1") == sorted(made, key=lambda row: row.at)
    assert await store.part(NoteStore).key("t1") == "one"
    await store.close()
