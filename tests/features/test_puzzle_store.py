"""The puzzles of browsers in both databases."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from paddock.features.puzzles.rows import PuzzleRow
from paddock.features.puzzles.store import PuzzleStore
from paddock.store import Before, Keeping, Store, restore_backup, write_backup
from store.databases import both
from store.ended import ANA, BEN, DAY, NOW, stored

pytestmark = [pytest.mark.anyio, both]
MINE = PuzzleRow(ANA, "t1/7", "defending", NOW, table_id="t1")
LATER = replace(MINE, puzzle="t1/3", due=NOW + DAY)
OF_SET = PuzzleRow(ANA, "rasant:3fa2", "passing", NOW + 2 * DAY, NOW, True, 2.25, 7.5)


async def test_puzzles_are_kept_by_browser_and_come_back_in_order(database: str) -> None:
    store = await stored(database)
    kept = store.part(PuzzleStore)
    await kept.found("t1", [LATER, MINE, replace(MINE, holder=BEN)])
    await kept.keep(OF_SET)
    assert await kept.of(ANA) == [MINE, LATER, OF_SET]
    assert [await kept.due(ANA, NOW + n * DAY) for n in range(-1, 3)] == [0, 1, 2, 2]  # of a set none
    assert await kept.one(ANA, "t1/3") == LATER and await kept.one(BEN, "t1/3") is None

    solved = replace(MINE, due=NOW + 3 * DAY, seen_at=NOW, right=True, stability=3.5, difficulty=5.0)
    await kept.keep(solved)
    assert await kept.one(ANA, "t1/7") == solved and await kept.one(BEN, "t1/7") == replace(MINE, holder=BEN)

    await kept.found("t1", [MINE, replace(MINE, holder=BEN)])  # the same game, analysed again
    assert await kept.of(ANA) == [OF_SET, solved]  # what was answered stays, what is none any more goes
    await store.close()


async def test_puzzles_go_with_their_tables_and_browsers(database: str, tmp_path: Path) -> None:
    store = await stored(database)
    kept, keeping = store.part(PuzzleStore), store.part(Keeping)
    await kept.found("t1", [MINE, replace(MINE, holder=BEN)])
    await kept.keep(OF_SET)
    await kept.keep(replace(OF_SET, holder=BEN))
    copy = tmp_path / "copy.sqlite3"
    await write_backup(database, copy)
    await keeping.purge(Before(games=NOW))
    assert await kept.of(BEN) == [replace(MINE, holder=BEN), replace(OF_SET, holder=BEN)]
    await keeping.forget(ANA)
    assert await kept.of(ANA) == [] and len(await kept.of(BEN)) == 2
    await keeping.purge(Before(games=NOW + DAY))  # the table, and what nobody has answered since
    assert await kept.of(BEN) == []
    await store.close()
    again = f"sqlite:///{tmp_path / 'again.sqlite3'}"
    await restore_backup(copy, again)
    store = await Store.open(again)
    assert await store.part(PuzzleStore).of(ANA) == [MINE, OF_SET]
    await store.close()
