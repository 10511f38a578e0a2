"""A backup may come from anybody: only rows of Paddock's own tables get into the database.

The kind: what comes from outside is taken over whole, with whatever it has beside what was wanted.
"""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from paddock.store import EventRow, PlayerRow, Store, StoreError, restore_backup, write_backup
from store.databases import FILE, KINDS, prepared, ready
from store.test_database import row

BACKUP: list[bytes] = []  # made once


@pytest.fixture
def whole(tmp_path: Path) -> Path:
    """A backup with a table of one player and two events."""

    async def make(folder: Path) -> None:
        url = f"{FILE}{folder / 'server.sqlite3'}"
        store = await Store.open(url)
        events = [EventRow(0, 0, 1, 0, 5), EventRow(1, 0, 2, 1, 6)]
        await store.create(row(length=2), [PlayerRow(0, "Ana", None, None)], events)
        await store.close()
        assert not (await write_backup(url, folder / "backup")).refusal
        BACKUP.append((folder / "backup").read_bytes())

    if not BACKUP:
        asyncio.run(make(tmp_path))
    file = tmp_path / "backup"
    file.write_bytes(BACKUP[0])
    return file


def server_of(folder: Path) -> str:
    """Return the URL of a database without rows."""
    return prepared(f"{FILE}{folder / 'paddock.sqlite3'}")


def restore(file: Path, url: str, *, replace: bool = False) -> None:
    asyncio.run(restore_backup(file, url, replace=replace))


def change(file: Path, *statements: str) -> None:
    """Let somebody change a backup."""
    with closing(sqlite3.connect(file)) as there:
        for statement in statements:
            there.execute(statement)
        there.commit()


def rows_of(file: Path) -> dict[str, list[tuple[object, ...]]]:
    """Return all rows of an SQLite database."""
    with closing(sqlite3.connect(file)) as there:
        names = [name for (name,) in there.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return {name: there.execute(f'SELECT * FROM "{name}"').fetchall() for name in names}


def schema_of(file: Path) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(file)) as there:
        return there.execute("SELECT type, name, sql FROM sqlite_master ORDER BY type, name").fetchall()


TRIGGER = "CREATE TRIGGER cheat AFTER INSERT ON events BEGIN DELETE FROM tokens; END"
HOSTILE = {
    "a trigger": (TRIGGER, "the trigger “cheat”"),
    "a view": ("CREATE VIEW spy AS SELECT * FROM players", "the view “spy”"),
    "a table": ("CREATE TABLE more (id)", "the table “more”"),
    "a virtual table": ("CREATE VIRTUAL TABLE words USING fts5(text)", "the virtual table “words”"),
    "a column": ("ALTER TABLE players ADD COLUMN admin INTEGER", "the column “players.admin”"),
    "a computed column": (
        "ALTER TABLE data ADD COLUMN big BLOB AS (zeroblob(900000000))",
        "the computed column “data.big”",
    ),
    "a name that turns the line": ('CREATE VIEW "a\u202eb" AS SELECT 1', "the view “a�b”"),
}


@pytest.mark.parametrize("database", KINDS, indirect=True)
def test_a_backup_with_more_than_rows_is_refused(database: str, whole: Path, tmp_path: Path) -> None:
    """Whatever runs there would run in the server. The sentence names it, and nothing is restored."""
    other = f"{FILE}{tmp_path / 'other.sqlite3'}" if database.startswith(FILE) else database
    for what, (statement, named) in HOSTILE.items():
        whole.write_bytes(BACKUP[0])
        change(whole, statement)
        before = whole.read_bytes()
        with pytest.raises(StoreError) as refusal:
            restore(whole, other, replace=True)
        assert named in str(refusal.value) and "delete this in a copy of the file" in str(refusal.value), what
        assert whole.read_bytes() == before, "the file is only read"
        assert {path.name for path in tmp_path.glob("backup*")} == {"backup"}
    if database.startswith(FILE):
        assert not (tmp_path / "other.sqlite3").exists()


def test_a_backup_says_at_once_that_it_would_not_be_restored(tmp_path: Path) -> None:
    """Such a view is the operator's own: the backup is written all the same, and whole."""
    url = server_of(tmp_path)
    change(tmp_path / "paddock.sqlite3", "CREATE VIEW mine AS SELECT * FROM players")
    assert "the view “mine”" in asyncio.run(write_backup(url, tmp_path / "backup")).refusal


def test_the_schema_is_ours_and_the_rows_are_those_of_the_backup(whole: Path, tmp_path: Path) -> None:
    """An index of somebody's is left behind, and so is what SQLite keeps for itself."""
    change(whole, "CREATE INDEX mine ON events (what)", "ANALYZE")
    server_of(tmp_path)
    restore(whole, f"{FILE}{tmp_path / 'other.sqlite3'}")
    assert schema_of(tmp_path / "other.sqlite3") == schema_of(tmp_path / "paddock.sqlite3")
    there = {name: rows for name, rows in rows_of(whole).items() if not name.startswith("sqlite_")}
    assert rows_of(tmp_path / "other.sqlite3") == there


@pytest.mark.parametrize(
    ("statement", "sentence"),
    [
        ("UPDATE events SET what = 'all' WHERE seq = 1", "a row has no valid “events.what”"),
        ("UPDATE events SET at = 'today'", "a row has no valid “events.at”"),
        ("UPDATE tables SET over = 7", "a row has no valid “tables.over”"),
        ("UPDATE players SET name = x'00ff'", "a row has no valid “players.name”"),
        (
            "UPDATE alembic_version SET version_num = '9999\u202e'",
            "(its schema is 9999�",
        ),
        ("UPDATE alembic_version SET version_num = '0007x'", "newer version of Paddock"),
        ("UPDATE alembic_version SET version_num = x'30'", "does not say of which version"),
        ("DELETE FROM alembic_version", "does not say of which version"),
        ("DROP TABLE undo", "“undo” is missing"),
        ("ALTER TABLE talk DROP COLUMN about", "“talk.about” is missing"),
    ],
)
def test_rows_that_are_none_of_ours_are_refused(
    statement: str, sentence: str, whole: Path, tmp_path: Path
) -> None:
    """SQLite takes any value in any column; a server would fall over it later."""
    change(whole, statement)
    with pytest.raises(StoreError) as refusal:
        restore(whole, f"{FILE}{tmp_path / 'other.sqlite3'}")
    assert sentence in str(refusal.value)
    assert not (tmp_path / "other.sqlite3").exists()


def test_a_damaged_page_is_refused(whole: Path, tmp_path: Path) -> None:
    content = bytearray(whole.read_bytes())
    for start in range(4096, len(content), 4096):  # of each page but the first: how many cells, and where
        content[start + 3 : start + 8] = b"\xff" * 5
    whole.write_bytes(content)
    with pytest.raises(StoreError, match="is no backup"):
        restore(whole, f"{FILE}{tmp_path / 'other.sqlite3'}")


def test_what_a_server_had_not_written_back_yet_is_restored_too(tmp_path: Path) -> None:
    """The kind: a part of an input is dropped without a word. Here, the log beside a file that was copied."""
    url = server_of(tmp_path)
    there = sqlite3.connect(tmp_path / "paddock.sqlite3")
    there.execute("PRAGMA journal_mode = WAL")
    there.execute("INSERT INTO data VALUES ('d', 'new')")
    there.commit()
    for end in ("", "-wal"):
        (tmp_path / f"copy{end}").write_bytes(Path(f"{url.removeprefix(FILE)}{end}").read_bytes())
    there.close()
    restore(tmp_path / "copy", f"{FILE}{tmp_path / 'other.sqlite3'}")
    assert rows_of(tmp_path / "other.sqlite3")["data"] == [("d", "new")]


@pytest.fixture
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    (tmp_path / "ready").mkdir()
    return ready(request, tmp_path / "ready")
