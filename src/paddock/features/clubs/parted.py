"""A deal of an evening as one seat has played it at every table, and where the games part."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

from paddock.core.i18n import _
from paddock.features.clubs import rules, scoring
from paddock.features.clubs.results import Result
from paddock.features.clubs.rows import SeatRow
from paddock.features.clubs.service import Evening
from paddock.features.clubs.words import signed
from paddock.tables import NoTable, Table, Tables
from paddock.web.links import link


@dataclass(frozen=True)
class PlayedSeat:
    """What somebody has made of a deal in a seat."""

    name: str
    points: int
    over: str  # points over the others in this seat
    url: str  # of the replay; empty if only bots played, or the table is gone
    mine: bool
    left: bool  # whether a bot played on
    parted: str  # where this game parts from that of the reader; empty: nowhere, or not known
    parted_url: str  # that moment in the game of the reader


async def deal_shown(found: Evening, number: int, seat: int, tables: Tables) -> list[PlayedSeat]:
    """Return what came of a seat at all tables of a deal, the best first."""
    ids = {table.table: table.table_id for table in found.at(number)}
    here = [row for row in found.seats if row.deal == number and row.seat == seat and row.table in ids]
    seats = [row for row in here if row.points is not None]
    mine = next((row for row in seats if found.me and row.entrant == found.me.number), None)
    games = {row.table: await _table(tables, ids.get(row.table)) for row in seats}
    own = games.get(mine.table) if mine else None
    over = dict(zip((row.table for row in seats), _over(seats), strict=True))
    shown = [_seat(found, row, games.get(row.table), own, row is mine, over[row.table]) for row in seats]
    return sorted(shown, key=lambda one: (-one.points, not one.mine, one.name))


async def _table(tables: Tables, id: str | None) -> Table | None:
    if id is not None:
        with suppress(NoTable):
            return await tables.registry.peek(id)
    return None


def _over(seats: Sequence[SeatRow]) -> list[float]:
    results = [Result(None, row.deal, row.table, row.seat, row.points or 0) for row in seats]
    return scoring.over_field(results)


def _seat(
    found: Evening, row: SeatRow, table: Table | None, own: Table | None, mine: bool, over: float
) -> PlayedSeat:
    name = _("bots alone") if table is None and row.entrant is None else _("a bot")
    if row.entrant is not None:
        name = found.names[str(row.entrant)]
    parted = parted_url = ""
    if own is not None and table is not None and not mine:
        if where := rules.parting(own.game, table.game, row.seat):
            said = _("your move {n}: you {own}, they {other}")
            parted = said.format(n=where.nth, own=where.own, other=where.other)
            parted_url = link(f"/t/{own.id}/replay?entry={where.entry}")
        else:
            parted = _("the same moves as you")
    url = link(f"/t/{table.id}") if table else ""
    return PlayedSeat(
        name, row.points or 0, signed(over), url, mine, row.bot_from is not None, parted, parted_url
    )
