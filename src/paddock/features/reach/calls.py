"""The messages of the outbox that are written in the transactions of tables: see ``store.py``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime

from sqlalchemy import ColumnElement, Connection, delete, func, select

from paddock.features.reach.rows import OutboxRow, channels, outbox, reach, wanted
from paddock.store.inserting import insert_new
from paddock.store.rows import OpenTurn
from paddock.store.schema import players

TURN, REMINDER = "turn", "reminder"  # kinds of messages about a table


class Calls:
    """What is written when turns open, in the transaction of the move."""

    def opened(self, connection: Connection, table_id: str, turns: Sequence[OpenTurn], at: datetime) -> None:
        """Write a message for each channel of the browsers whose turn it is, if they want to be called.

        Messages about earlier decisions of the table are not needed any more.
        """
        decision = turns[0].decision
        old = (outbox.c.table_id == table_id) & (outbox.c.decision != decision)
        connection.execute(delete(outbox).where(old))
        by = {turn.holder: turn for turn in turns}
        query = select(channels.c.id, reach.c.holder, reach.c.remind).join(
            reach, reach.c.holder == channels.c.holder
        )
        for row in connection.execute(query.where(reach.c.holder.in_(by) & wants(table_id))).all():
            turn = by[row.holder]
            put(connection, row.id, table_id, turn, TURN, turn.due, at)
            if turn.timed and row.remind:  # when it is due depends on quiet hours: whoever sends finds out
                put(connection, row.id, table_id, turn, REMINDER, at, at)

    def callers(self, connection: Connection, table_id: str) -> frozenset[str]:
        """Return the browsers at a table that want to be called there."""
        query = (
            select(players.c.holder)
            .join(channels, channels.c.holder == players.c.holder)
            .join(reach, reach.c.holder == players.c.holder)
            .where((players.c.table_id == table_id) & wants(table_id))
        )
        return frozenset(connection.execute(query).scalars())


def put(
    connection: Connection,
    channel: str,
    table_id: str,
    turn: OpenTurn,
    kind: str,
    due: datetime,
    at: datetime,
) -> None:
    """Write a message about a turn, unless it waits already."""
    about = f"{table_id}/{turn.decision}"
    row = OutboxRow(channel, about, kind, turn.holder, at, due, table_id, turn.decision)
    insert_new(connection, outbox, asdict(row))


def wants(table_id: str | ColumnElement[str]) -> ColumnElement[bool]:
    """The condition that the browser of ``reach`` wants calls of a table by the channel of ``channels``."""
    said = select(wanted.c.wanted).where(
        (wanted.c.holder == reach.c.holder) & (wanted.c.table_id == table_id)
    )
    return channels.c.confirmed_at.is_not(None) & func.coalesce(said.scalar_subquery(), reach.c.everywhere)
