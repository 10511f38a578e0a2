"""Statements that are compiled once for each kind of database, and then run with many rows."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from operator import itemgetter
from typing import Any, NamedTuple

from sqlalchemy import ClauseElement, Connection, CursorResult, Dialect
from sqlalchemy.sql.compiler import SQLCompiler

from paddock.core.quick_json import dumps


class _Compiled(NamedTuple):
    """The text for one kind of database, and how a row becomes its parameters."""

    text: str
    many: str | None  # the text that takes all rows as one parameter, in JSON; None: there is none
    values: Callable[[Mapping[str, Any]], tuple[Any, ...]]
    converted: Sequence[tuple[int, Callable[[Any], Any]]]  # those that are stored as something else

    def parameters(self, row: Mapping[str, Any]) -> tuple[Any, ...]:
        """Return the parameters for a row."""
        if not self.converted:
            return self.values(row)
        values = list(self.values(row))
        for i, convert in self.converted:
            values[i] = convert(values[i])
        return tuple(values)


class Prepared:
    """A statement; ``columns`` are those that it sets, None: those that it says itself.

    Each row of parameters has a value for each of its names.
    """

    def __init__(self, statement: ClauseElement, columns: Collection[str] | None = None) -> None:
        self._statement = statement
        self._columns = None if columns is None else sorted(columns)
        self._ready: dict[str, _Compiled] = {}

    def run(self, connection: Connection, rows: Iterable[Mapping[str, Any]]) -> None:
        """Run it once for each row."""
        ready = self._compiled(connection.dialect)
        parameters = [ready.parameters(row) for row in rows]
        all_rows = dumps(parameters).decode() if ready.many and len(parameters) > 1 else None
        if all_rows and ready.many and "\\u0000" not in all_rows:  # where SQLite ends a text
            connection.exec_driver_sql(ready.many, (all_rows,))
        elif parameters:
            connection.exec_driver_sql(ready.text, parameters)

    def find(self, connection: Connection, row: Mapping[str, Any]) -> CursorResult[Any]:
        """Run it once, and return what it finds."""
        ready = self._compiled(connection.dialect)
        return connection.exec_driver_sql(ready.text, ready.parameters(row))

    def _compiled(self, dialect: Dialect) -> _Compiled:
        """Return the text of the statement for a database, compiled once for each kind."""
        if ready := self._ready.get(dialect.name):
            return ready
        text = self._statement.compile(dialect=dialect, column_keys=self._columns)
        assert isinstance(text, SQLCompiler)
        names = text.positiontup
        assert names, "both drivers number their parameters"
        processors = [text.binds[name].type.dialect_impl(dialect).bind_processor(dialect) for name in names]
        text_for_many = _for_many(str(text)) if dialect.name == "sqlite" else None
        converted = [(i, convert) for i, convert in enumerate(processors) if convert]
        values = itemgetter(*names) if len(names) > 1 else lambda row: (row[names[0]],)
        ready = self._ready[dialect.name] = _Compiled(str(text), text_for_many, values, converted)
        return ready


def _for_many(text: str) -> str | None:
    """Return a statement of SQLite that does for a JSON list of rows what ``text`` does for one row.

    SQLite hands the interpreter's lock over for each row of a statement that runs row by row: that costs more
    than the rows, because the event loop waits for the lock too.
    """
    values = [f"json_extract(given.value, '$[{i}]')" for i in range(text.count("?"))]
    rows = "FROM json_each(?) AS given"
    if text.startswith("INSERT"):
        return f"{text.partition(' VALUES ')[0]} SELECT {', '.join(values)} {rows}"
    if text.startswith("UPDATE"):
        sets, _where, condition = text.replace("?", "{}").format(*values).partition(" WHERE ")
        return f"{sets} {rows} WHERE {condition}"
    return None
