"""What is stored of moments that come again and again: how often each was met in a finished game.

They belong to the player of a table, like the seat: who it is stands in ``players`` alone.
"""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import Connection, Table, and_, delete, exists

from paddock.core.words import NOBODY
from paddock.store.columns import columns
from paddock.store.rows import Word
from paddock.store.schema import FORGET, metadata, players, table_id


@dataclass(frozen=True)
class SituationRow:
    """The moments of one kind that a player of a finished game was in."""

    player: int
    kind: Word  # of the title's room ``situations``
    moments: int
    chosen: int  # of these: in how many the player made the choice that the kind is about
    level: Word  # the bot that was asked about the same moments
    expected: float  # in how many that bot makes the choice: the sum of its chances
    judged: int = 0  # of these moments: how many an analysis has judged
    cost: float = 0.0  # what the decisions in those cost, in points


# In place of its moments, of a game that has none: it is not looked at again
NO_MOMENTS = SituationRow(NOBODY, "", 0, 0, "", 0.0)

_KEY = {"primary_key": True, "autoincrement": False}
situations = Table("situations", metadata, table_id(), *columns(SituationRow, player=_KEY, kind=_KEY))


def forget(connection: Connection, holder: str) -> None:
    """Delete the moments of a browser that is forgotten."""
    p, c = players.c, situations.c
    own_seat = and_(p.table_id == c.table_id, p.index == c.player, p.holder == holder)
    connection.execute(delete(situations).where(exists().where(own_seat)))


situations.info[FORGET] = forget
