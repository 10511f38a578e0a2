"""Reads a backup, which may come from anybody: its rows go into a schema of our own, and nothing else does.

An SQLite file holds more than rows: triggers, views, virtual tables and computed columns are programs, which
would run in the server. So the file is opened to be read only, its schema is compared with the one that our
migrations make for the revision that it names, and rows of known tables and columns are copied.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from datetime import datetime
from pathlib import Path
from typing import Any

from sqlalchemy import NullPool, create_engine
from sqlalchemy.engine import URL, Engine

from paddock.core.errors import brief, listed
from paddock.core.i18n import _, mark, pmark
from paddock.store.database import no_database, upgrade
from paddock.store.errors import StoreError
from paddock.store.schema import servers

PIECE = 2000  # rows that are copied at a time
SHOWN = 5  # things of a backup that a refusal names
VERSION = "alembic_version"
KINDS = {
    "trigger": pmark("in a database", "the trigger “{name}”"),
    "view": pmark("in a database", "the view “{name}”"),
    "table": pmark("in a database", "the table “{name}”"),
    "virtual": pmark("in a database", "the virtual table “{name}”"),
    "column": pmark("in a database", "the column “{name}”"),
    "computed": pmark("in a database", "the computed column “{name}”"),
    "other": pmark("in a database", "“{name}”"),
}
DAMAGED = mark("it is damaged")
Columns = Mapping[str, str]  # the type of each column, by its name


def copy_rows(file: Path, new: Path) -> None:
    """Copy the rows of a backup to a new file with our schema of the revision that the backup names.

    Raises ``StoreError`` for a file that is no whole backup, one of a newer version, and one that has more
    than rows of tables that Paddock has made.
    """
    try:
        with closing(_opened(file)) as old:
            old.execute("BEGIN")  # one moment, should somebody write there
            if old.execute("PRAGMA quick_check").fetchone() != ("ok",):
                raise sqlite3.DatabaseError(_(DAMAGED))
            _make(new, _revision(old))
            with closing(sqlite3.connect(new)) as new_file:
                own_tables = _tables(new_file)
                if refusal := not_ours(file, [*_foreign(old, own_tables)]):
                    raise StoreError(refusal)
                _copy(old, new_file, own_tables)
    except sqlite3.Error as error:
        raise StoreError(_("{file} is no backup: {reason}").format(file=file, reason=error)) from error


def foreign(file: Path) -> list[str]:
    """Return what an SQLite database of Paddock has that Paddock has not made, in words.

    A database of a newer version, and one that lacks something, is not known well enough to say so.
    """
    empty_schema = sqlite3.connect(":memory:", check_same_thread=False)
    with closing(_opened(file)) as given_file, closing(empty_schema):
        try:
            engine = create_engine("sqlite://", creator=lambda: empty_schema, hide_parameters=True)
            _upgrade(engine, _revision(given_file))
            return [*_foreign(given_file, _tables(empty_schema))]
        except (StoreError, sqlite3.Error):
            return []


def not_ours(file: Path, faults: Sequence[str]) -> str:
    """Return why a backup with these things that Paddock has not made is not restored; "" without any."""
    if not faults:
        return ""
    words = _(
        "{file} has what Paddock has not made: {what}. Only rows of Paddock's tables are restored: take"
        " another backup, or delete this in a copy of the file"
    )
    return words.format(file=file, what=listed(faults, SHOWN))


def file_engine(file: Path) -> Engine:
    """Return an engine for an SQLite file."""
    address = URL.create("sqlite", database=str(file))
    return create_engine(address, poolclass=NullPool, hide_parameters=True)


def _opened(file: Path) -> sqlite3.Connection:
    """Open an SQLite file that may be hostile, to read it; nothing in it runs, and nothing changes it."""
    if not file.exists():
        raise StoreError(no_database(str(file)))
    # What a server had open when it was copied lies in files beside it, which are read too.
    alone = not any(Path(f"{file}{end}").exists() for end in ("-wal", "-journal"))
    uri = f"{file.absolute().as_uri()}?mode=ro{'&immutable=1' if alone else ''}"
    connection = sqlite3.connect(uri, uri=True, timeout=30, isolation_level=None)
    for pragma in ("trusted_schema = OFF", "query_only = ON", "cell_size_check = ON", "mmap_size = 0"):
        connection.execute(f"PRAGMA {pragma}")
    return connection


def _revision(connection: sqlite3.Connection) -> str:
    """Return the revision that a database names."""
    rows = connection.execute(f"SELECT version_num FROM {VERSION}").fetchall()
    if len(rows) != 1 or not isinstance(rows[0][0], str):
        raise sqlite3.DatabaseError(_("it does not say of which version it is"))
    revision: str = rows[0][0]
    return revision


def _make(file: Path, revision: str) -> None:
    """Make a database with our schema of a revision, without rows. Raises ``StoreError`` for a newer one."""
    engine = file_engine(file)
    try:
        _upgrade(engine, revision)
    finally:
        engine.dispose()


def _upgrade(engine: Engine, revision: str) -> None:
    with engine.begin() as connection:
        upgrade(connection, revision)


def _tables(connection: sqlite3.Connection) -> dict[str, Columns]:
    """Return the columns of the tables of our own schema."""
    names = connection.execute(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'"
    )
    return {name: {column: kind for column, kind, _hidden in _columns(connection, name)} for (name,) in names}


def _columns(connection: sqlite3.Connection, table: str) -> list[tuple[str, str, int]]:
    """Return the name and the type of each column, and a number that is not 0 for one that is computed."""
    return connection.execute("SELECT name, type, hidden FROM pragma_table_xinfo(?)", [table]).fetchall()


def _foreign(connection: sqlite3.Connection, own_tables: Mapping[str, Columns]) -> Iterator[str]:
    """Yield what is in a database and not in our schema; raise ``sqlite3.Error`` for what is missing.

    Indexes of any kind may be there: they are not copied, and nothing is looked up in them. So may what
    SQLite keeps for itself, in tables whose names begin with «sqlite_».
    """
    missing = set(own_tables)
    for kind, name, root in connection.execute("SELECT type, name, rootpage FROM sqlite_master").fetchall():
        if kind == "index" or (kind == "table" and str(name).startswith("sqlite_")):
            continue
        if kind == "table" and not root:
            kind = "virtual"
        if kind != "table" or name not in own_tables:
            yield _named(kind if kind in KINDS else "other", name)
            continue
        missing.discard(name)
        columns_there = _columns(connection, name)
        for column, _kind, hidden in columns_there:
            if hidden or column not in own_tables[name]:
                yield _named("computed" if hidden else "column", f"{name}.{column}")
        missing |= {
            f"{name}.{column}"
            for column in own_tables[name].keys() - {column for column, *_rest in columns_there}
        }
    if missing:
        raise sqlite3.DatabaseError(_("“{name}” is missing").format(name=min(missing)))


def _named(kind: str, name: object) -> str:
    return _(KINDS[kind]).format(name=brief(str(name)))


def _copy(old: sqlite3.Connection, new: sqlite3.Connection, own_tables: Mapping[str, Columns]) -> None:
    """Copy the rows of all tables, but not which servers run. Raises ``sqlite3.Error`` for a wrong value."""
    for name, columns in own_tables.items():
        if name in (VERSION, servers.name):
            continue
        new.execute(f'DELETE FROM "{name}"')  # what a migration has put there is in the backup too
        column_list = ", ".join(f'"{column}"' for column in columns)
        rows = old.execute(f'SELECT {column_list} FROM "{name}" NOT INDEXED')
        insert = f'INSERT INTO "{name}" ({column_list}) VALUES ({", ".join("?" * len(columns))})'
        checks = [_READS[kind.partition("(")[0]] for kind in columns.values()]
        while piece := rows.fetchmany(PIECE):
            for row in piece:
                for column, value, check in zip(columns, row, checks, strict=True):
                    if value is not None and not check(value):
                        words = _("a row has no valid “{name}”")
                        raise sqlite3.DatabaseError(words.format(name=f"{name}.{column}"))
            new.executemany(insert, piece)
    new.commit()


def _is(*kinds: type) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, kinds)


def _is_moment(value: Any) -> bool:
    try:
        return bool(datetime.fromisoformat(value))
    except (TypeError, ValueError):
        return False


# Whether a value is one of a column, by its type. SQLite takes any value in any column.
_READS: Mapping[str, Callable[[Any], bool]] = {
    "VARCHAR": _is(str),
    "TEXT": _is(str),
    "INTEGER": _is(int),
    "BIGINT": _is(int),
    "BOOLEAN": lambda value: type(value) is int and value in (0, 1),
    "FLOAT": _is(float, int),
    "DATETIME": _is_moment,
}
