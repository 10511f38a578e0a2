"""Makes the columns of a table of the database from the fields of a row."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import MISSING, fields
from datetime import UTC, datetime
from types import NoneType
from typing import Any, get_args, get_type_hints

from sqlalchemy import BigInteger, Boolean, Column, DateTime, Dialect, Float, Integer, Text, false, true
from sqlalchemy.types import TypeDecorator, TypeEngine

from paddock.store.terms import Terms

BROWSER = "browser"  # in the annotation of a field, and so in ``info`` of its column: the hash of a browser


class UtcTime(TypeDecorator[datetime]):
    """A time in UTC. SQLite does not store the time zone."""

    impl, cache_ok = DateTime(timezone=True), True

    def process_result_value(self, value: Any, dialect: Dialect) -> Any:
        """Add the time zone."""
        return value.replace(tzinfo=UTC) if value is not None and value.tzinfo is None else value


class Bits(TypeDecorator[int]):
    """64 bits. SQL has only signed integers."""

    impl, cache_ok = BigInteger, True

    def process_bind_param(self, value: Any, dialect: Dialect) -> Any:
        """Return the signed integer to store."""
        return value - (1 << 64) if value >> 63 else value

    def process_result_value(self, value: Any, dialect: Dialect) -> Any:
        """Return the unsigned integer."""
        return value % (1 << 64)


class NumbersColumn(TypeDecorator[tuple[int, ...]]):
    """Some numbers as a text: "0 2"."""

    impl, cache_ok = Text, True

    def process_bind_param(self, value: Any, dialect: Dialect) -> Any:
        """Return the text to store."""
        return " ".join(map(str, value))

    def process_result_value(self, value: Any, dialect: Dialect) -> Any:
        """Return the numbers."""
        return tuple(map(int, value.split()))


_TYPES: Mapping[type, TypeEngine[Any]] = {
    str: Text(),
    int: Integer(),
    float: Float(53),
    bool: Boolean(),
    datetime: UtcTime(),
}


def columns(row: type, **arguments: Mapping[str, Any]) -> Iterator[Column[Any]]:
    """Return a column for each field of a row, and of the terms in it.

    Its type is the one in the annotation, else that of the field. A default is also that of the database, for
    rows of older versions. ``arguments`` has what the field does not say.
    """
    hints = get_type_hints(row, include_extras=True)
    for fact in fields(row):
        hint = hints[fact.name]
        if hint is Terms:
            yield from columns(Terms, **arguments)
            continue
        optional = NoneType in get_args(hint)
        if optional:
            (hint,) = (part for part in get_args(hint) if part is not NoneType)
        plain, *annotations = get_args(hint) or (hint,)
        kind = (
            next((annotation for annotation in annotations if isinstance(annotation, TypeEngine)), None)
            or _TYPES[plain]
        )
        facts = {"key": fact.name, "nullable": optional, "server_default": _default(fact.default)}
        facts["info"] = {BROWSER: BROWSER in annotations}
        facts |= arguments.get(fact.name, {})
        yield Column(facts.pop("name", fact.name), kind, **facts)


def _default(value: Any) -> Any:
    """Return the default of a column in SQL."""
    if value is MISSING or value is None:
        return None
    if isinstance(value, bool):
        return true() if value else false()
    return f"{value:%Y-%m-%d %H:%M:%S}" if isinstance(value, datetime) else str(value)
