"""The statements of write transactions, as plain functions of a connection."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Executable, and_, bindparam, delete, insert, select, update

from paddock.store.rows import EventRow, PlayerRow, TableRow, Write
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

_FIXED = {"id", "title", "revision", "options", "kind", "pace", "created", "date", "maker", "origin", "owner"}
_CHANGING = {column.name for column in tables.c} - _FIXED
_OF_LOG = {"length", "over", "awaits"}
# The columns to set are those of the parameters.
_TABLE = update(tables).where(tables.c.id == bindparam("of"))
_PLAYER = update(players).where(
    and_(players.c.table_id == bindparam("of"), players.c.index == bindparam("at_index"))
)
_SETTLED = delete(pending).where(pending.c.table_id == bindparam("of"))
_COMMITTED = delete(pending).where(
    and_(
        pending.c.table_id == bindparam("of"),
        pending.c.decision == bindparam("for_decision"),
        pending.c.seat == bindparam("of_seat"),
    )
)
_ORDER = delete(orders).where(
    and_(orders.c.table_id == bindparam("of"), orders.c.seat == bindparam("of_seat"))
)
_UNDO = delete(undo).where(undo.c.table_id == bindparam("of"))
_CLAIMS = delete(claims).where(claims.c.table_id == bindparam("of"))


def write_all(connection: Connection, writes: Sequence[Write], owner: str | None = None) -> set[str]:
    """Store the changes of different tables; return the ids of the tables that have another version.

    So do those that the server ``owner`` has no longer; None: it does not matter who has them.

    Those changes are left out. Each kind of row takes one statement, however many tables there are.
    Raises ``IntegrityError`` if the key of an answer is not new.
    """
    ids = sorted(write.table.id for write in writes)
    query = select(tables.c.id, tables.c.version).where(tables.c.id.in_(ids)).order_by(tables.c.id)
    if owner is not None:
        query = query.where(tables.c.owner == owner)
    # Rows are locked in a fixed order, so that two servers cannot block each other.
    versions = {row.id: row.version for row in connection.execute(query.with_for_update())}
    sound = [write for write in writes if versions.get(write.table.id) == write.before]

    def run(statement: Executable, rows: Iterable[Mapping[str, Any]]) -> None:
        if found := list(rows):
            connection.execute(statement, found)

    run(_TABLE, (_columns(w.table, _CHANGING) for w in sound if w.log_known))
    run(_TABLE, (_columns(w.table, _CHANGING - _OF_LOG) for w in sound if not w.log_known))
    run(_PLAYER, (_player(w.table.id, player) for w in sound for player in w.players))
    run(_SETTLED, ({"of": w.table.id} for w in sound if w.settled))
    run(
        _COMMITTED,
        (
            {"of": w.table.id, "for_decision": w.commit.decision, "of_seat": w.commit.seat}
            for w in sound
            if w.commit
        ),
    )
    run(insert(pending), (_row(w, w.commit, at=w.at) for w in sound if w.commit))
    run(insert(events), (row for w in sound for row in event_rows(w.table.id, w.events, w.at)))
    run(insert(answers), (_row(w, w.answer) for w in sound if w.answer))
    run(_ORDER, ({"of": w.table.id, "of_seat": seat} for w in sound for seat in w.orders))
    run(
        insert(orders),
        (
            {"table_id": w.table.id, "seat": seat, "text": text, "made_at": w.at}
            for w in sound
            for seat, text in w.orders.items()
            if text
        ),
    )
    run(_UNDO, ({"of": w.table.id} for w in sound if w.settled or w.no_undo or w.undo))
    run(insert(undo), (_row(w, w.undo) for w in sound if w.undo))
    run(_CLAIMS, ({"of": w.table.id} for w in sound if w.claims is not None))
    run(insert(claims), (_row(w, claim) for w in sound for claim in w.claims or ()))
    run(insert(talk), (_row(w, line) for w in sound for line in w.talk))
    run(insert(banned), ({"table_id": w.table.id, "holder": who} for w in sound for who in w.banned))
    return {write.table.id for write in writes} - {write.table.id for write in sound}


def key_taken(connection: Connection, write: Write) -> bool:
    """Whether the key of the answer is stored already."""
    if write.answer is None:
        return False
    mine = (answers.c.table_id == write.table.id) & (answers.c.key == write.answer.key)
    return connection.execute(select(answers.c.key).where(mine)).first() is not None


def event_rows(id: str, rows: Iterable[EventRow], at: datetime) -> list[dict[str, Any]]:
    """Return the rows of a log as the columns of the table ``events``."""
    return [{**_plain(row), "table_id": id, "at": at} for row in rows]


def _columns(row: TableRow, names: Iterable[str]) -> dict[str, Any]:
    columns = row.columns()
    return {"of": row.id} | {name: columns[name] for name in names}


def _player(id: str, player: PlayerRow) -> dict[str, Any]:
    columns = _plain(player)
    return {"of": id, "at_index": columns.pop("index"), **columns}


def _row(write: Write, row: Any, **more: Any) -> dict[str, Any]:
    return {"table_id": write.table.id, **_plain(row), **more}


def _plain(row: Any) -> dict[str, Any]:
    """``asdict`` for a row without rows in it, and ten times as fast."""
    return dict(vars(row))
