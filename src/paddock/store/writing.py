"""The statements of write transactions, as plain functions of a connection."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from functools import cache
from typing import Any

from sqlalchemy import Connection, and_, bindparam, delete, insert, select, update

from paddock.store.prepared import Prepared
from paddock.store.rows import EventRow, Write
from paddock.store.schema import (
    answers,
    banned,
    claims,
    events,
    orders,
    pending,
    players,
    tables,
    talk,
    undo,
)
from paddock.store.turns import Turns

_PENDING, _EVENTS, _ANSWERS, _ORDERS, _UNDO, _CLAIMS, _TALK, _BANNED = (
    Prepared(insert(rows)) for rows in (pending, events, answers, orders, undo, claims, talk, banned)
)
_NO_PENDING, _NO_UNDO, _NO_CLAIMS = (
    Prepared(delete(rows).where(rows.c.table_id == bindparam("of"))) for rows in (pending, undo, claims)
)
_REPLACED = Prepared(
    delete(pending).where(
        and_(
            pending.c.table_id == bindparam("of"),
            pending.c.decision == bindparam("for_decision"),
            pending.c.seat == bindparam("of_seat"),
        )
    )
)
_NO_ORDERS = Prepared(
    delete(orders).where(and_(orders.c.table_id == bindparam("of"), orders.c.seat == bindparam("of_seat")))
)
PIECE = 500  # rows of a log that are stored by one statement


@cache
def _versions(count: int, owned: bool) -> Prepared:
    """The ids and versions of so many tables, perhaps only of those that a server owns; each is locked.

    Rows are locked in a fixed order, so that two servers cannot block each other.
    """
    ids = [bindparam(str(n), type_=tables.c.id.type) for n in range(count)]
    query = select(tables.c.id, tables.c.version).where(tables.c.id.in_(ids)).order_by(tables.c.id)
    query = query.where(tables.c.owner == bindparam("of_owner")) if owned else query
    return Prepared(query.with_for_update())


@cache
def _table(columns: frozenset[str]) -> Prepared:
    return Prepared(update(tables).where(tables.c.id == bindparam("of")), columns)


@cache
def _player(columns: frozenset[str]) -> Prepared:
    this_player = and_(players.c.table_id == bindparam("of"), players.c.index == bindparam("at_index"))
    return Prepared(update(players).where(this_player), columns)


def write_all(
    connection: Connection, writes: Sequence[Write], turns: Turns, owner: str | None = None
) -> set[str]:
    """Store the changes of different tables; return the ids of the tables that have another version.

    So do those that the server ``owner`` has no longer; None: it does not matter who has them.

    Those changes are left out. Each kind of row takes one statement, however many tables there are; only the
    columns that change are set, so that no others and no index of theirs is written.
    Raises ``IntegrityError`` if the key of an answer is not new.
    """
    ids = sorted(write.id for write in writes)
    count = 1 << (len(ids) - 1).bit_length()  # so there are few different statements; the last id fills it up
    parameters = {str(n): ids[min(n, len(ids) - 1)] for n in range(count)} | {"of_owner": owner}
    versions_stored = _versions(count, owner is not None).find(connection, parameters)
    versions = {row.id: row.version for row in versions_stored}
    sound = [write for write in writes if versions.get(write.id) == write.before]

    def run(statement: Prepared, rows: Iterable[Mapping[str, Any]]) -> None:
        statement.run(connection, rows)

    changed = _by_columns((w.columns, {"of": w.id, "version": w.before + 1}) for w in sound)
    for names, rows in changed.items():
        run(_table(names | {"version"}), rows)
    changed = _by_columns(
        (columns, {"of": w.id, "at_index": index}) for w in sound for index, columns in w.players.items()
    )
    for names, rows in changed.items():
        run(_player(names), rows)
    run(_NO_PENDING, ({"of": w.id} for w in sound if w.settled))
    run(
        _REPLACED,
        (
            {"of": w.id, "for_decision": w.commit.decision, "of_seat": w.commit.seat}
            for w in sound
            if w.commit and w.replaces
        ),
    )
    run(_PENDING, (_row(w, w.commit, at=w.at) for w in sound if w.commit))
    run(_EVENTS, (row for w in sound for row in event_rows(w.id, w.events, w.at)))
    run(_ANSWERS, (_row(w, w.answer) for w in sound if w.answer))
    run(_NO_ORDERS, ({"of": w.id, "of_seat": seat} for w in sound for seat in w.orders))
    run(
        _ORDERS,
        (
            {"table_id": w.id, "seat": seat, "text": text, "made_at": w.at}
            for w in sound
            for seat, text in w.orders.items()
            if text
        ),
    )
    run(_NO_UNDO, ({"of": w.id} for w in sound if w.no_undo or w.undo))
    run(_UNDO, (_row(w, w.undo) for w in sound if w.undo))
    run(_NO_CLAIMS, ({"of": w.id} for w in sound if w.claims is not None))
    run(_CLAIMS, (_row(w, claim) for w in sound for claim in w.claims or ()))
    run(_TALK, (_row(w, line) for w in sound for line in w.talk))
    run(_BANNED, ({"table_id": w.id, "holder": who} for w in sound for who in w.banned))
    for w in sound:
        for also in w.also:
            also(connection)
        turns.opened(connection, w.id, w.turns, w.at)
    return set(ids) - {write.id for write in sound}


def _by_columns(
    changes: Iterable[tuple[Mapping[str, Any], dict[str, Any]]],
) -> dict[frozenset[str], list[dict[str, Any]]]:
    """Return rows by the names of the columns that change: each row has these columns and its keys."""
    groups: dict[frozenset[str], list[dict[str, Any]]] = defaultdict(list)
    for columns, keys in changes:
        groups[frozenset(columns)].append({**keys, **columns})
    return groups


def key_taken(connection: Connection, write: Write) -> bool:
    """Whether the key of the answer is stored already."""
    if write.answer is None:
        return False
    this_key = (answers.c.table_id == write.id) & (answers.c.key == write.answer.key)
    return connection.execute(select(answers.c.key).where(this_key)).first() is not None


def write_log(connection: Connection, id: str, rows: Sequence[EventRow], at: datetime) -> None:
    """Store a log that may be long, in pieces: on PostgreSQL the event loop goes on between them."""
    for start in range(0, len(rows), PIECE):
        _EVENTS.run(connection, event_rows(id, rows[start : start + PIECE], at))


def event_rows(id: str, rows: Iterable[EventRow], at: datetime) -> list[dict[str, Any]]:
    """Return the rows of a log as the columns of the table ``events``."""
    return [{**_row_values(row), "table_id": id, "at": at} for row in rows]


def _row(write: Write, row: Any, **values: Any) -> dict[str, Any]:
    return {"table_id": write.id, **_row_values(row), **values}


def _row_values(row: Any) -> dict[str, Any]:
    """``asdict`` for a row without rows in it, and ten times as fast."""
    return dict(vars(row))
