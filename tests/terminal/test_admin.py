"""``paddock admin``, as an operator types it."""

from __future__ import annotations

import asyncio
import re
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from paddock import records
from store.databases import FILE
from tables.harness import ANA, service
from terminal.test_cli import here, run


@pytest.fixture
def database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A database with one table, which the settings name."""
    url = f"{FILE}{tmp_path / 'tables.sqlite3'}"

    async def make() -> str:
        async with service(url) as tables:
            options = {"drivers": 4, "races": 1}
            return (await tables.making.create("lacorsa", options, ["me"] * 4, list("WXYZ"), holder=ANA)).id

    monkeypatch.setenv("PADDOCK_DATABASE_URL", url)
    return asyncio.run(make())


def test_an_operator_looks_after_the_tables(database: str, tmp_path: Path) -> None:
    id, file = database, str(tmp_path / "backup.db")
    listed = here("admin", "tables", "list")
    assert listed.returncode == 0 and id in listed.stdout and "running" in listed.stdout
    shown = here("admin", "tables", "show", id).stdout
    assert "LACORSA" in shown and "1. W (a person)" in shown
    made = here("admin", "backup", file)
    assert re.search(r"1 tables with \d+ entries in their logs, 0\.\d MB, in ", made.stdout), made.stderr
    assert "exists already" in here("admin", "backup", file).stderr
    assert here("admin", "backup", file, "--replace").returncode == 0
    record = here("admin", "tables", "export", id, "--whole").stdout
    assert records.read(record).complete
    assert f"table {id} is closed" in here("admin", "tables", "close", id).stdout
    assert "closed" in here("admin", "tables", "list", "--status", "closed").stdout
    assert f"table {id} is open again" in here("admin", "tables", "close", id, "--open").stdout
    assert here("admin", "tables", "delete", id, answers="n\n").returncode == 1
    assert f"table {id} is deleted" in here("admin", "tables", "delete", id, "--yes").stdout
    gone = here("admin", "tables", "show", id)
    assert gone.returncode == 2 and gone.stderr.count("\n") == 1
    assert "restored: 1 tables" in here("admin", "restore", file).stdout
    assert "would be lost: write --replace" in here("admin", "restore", file).stderr
    assert (
        "deleted: 1 tables, 0 lines of chat, 0 tokens, 0 ways to be notified; 0 seats"
        in here("admin", "forget", ANA, "--yes").stdout
    )
    assert "deleted: 0 tables, the chats of 0 tables" in here("admin", "purge").stdout


@pytest.mark.slow("each command is a process of its own, as other tests load all features")
def test_commands_know_what_features_store(database: str, tmp_path: Path) -> None:
    """The kind: a process that loads no pages leaves out, or keeps, the rows of features."""
    file, backup = tmp_path / "tables.sqlite3", str(tmp_path / "backup.db")
    moment = "2026-03-01 00:00:00.000000"
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute(
            "INSERT INTO waiting (holder, title, pace, name, number, since, seen_at) VALUES (?,?,?,?,?,?,?)",
            (ANA, "lacorsa", "days", "Ana", 0, moment, moment),
        )

    def waiting() -> int:
        with closing(sqlite3.connect(file)) as connection:
            return int(connection.execute("SELECT count(*) FROM waiting").fetchone()[0])

    assert run("admin", "backup", backup).returncode == 0
    assert run("admin", "forget", ANA, "--yes").returncode == 0 and waiting() == 0
    assert run("admin", "restore", backup, "--replace").returncode == 0 and waiting() == 1


def test_without_a_database_each_command_says_so_in_a_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PADDOCK_DATABASE_URL", f"{FILE}{tmp_path / 'nothing.db'}")
    for words in (("backup", str(tmp_path / "b")), ("tables", "list"), ("purge",), ("forget", ANA, "--yes")):
        said = here("admin", *words)
        assert said.returncode == 2 and said.stderr.count("\n") == 1
        assert "there is no database" in said.stderr and not (tmp_path / "nothing.db").exists()


def test_all_tables_are_replayed_by_the_rules_of_this_version(
    database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert here("admin", "replay").stdout == (
        "lacorsa/2: 1 same, 0 changed, 0 refused\nall: 1 same, 0 changed, 0 refused\n"
    )
    kept = Path(__file__).parents[1] / "kept" / "tables.sqlite3"
    before = kept.read_bytes()
    said = here("admin", "replay", str(kept))
    assert said.returncode == 0 and "all: 4 same, 0 changed, 0 refused" in said.stdout
    assert kept.read_bytes() == before and len(list(kept.parent.glob("tables.sqlite3*"))) == 1
    shutil.copy(kept, other := tmp_path / "other.sqlite3")
    with sqlite3.connect(other) as there:
        there.execute(
            "UPDATE events SET digest = digest + 1 WHERE table_id = 'kept-challenge' AND digest != 0"
        )
        there.execute("UPDATE events SET digest = digest + 1 WHERE table_id = 'kept-rasant' AND digest != 0")
        there.execute("UPDATE tables SET title = 'gone' WHERE id = 'kept-large-grid'")
    said = here("admin", "replay", str(other))
    assert said.returncode == 1 and "all: 1 same, 1 changed, 2 refused" in said.stdout
    words = " ".join(said.stdout.split())
    assert "kept-challenge (running), changed: The rules of LACORSA have changed since" in words
    assert "kept-rasant (finished), refused: This table cannot go on: its stored log is damaged" in words
    assert "kept-large-grid (running), refused: there is no title “gone”" in words
