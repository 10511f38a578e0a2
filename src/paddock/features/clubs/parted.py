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
from paddock.features.clubs.words import give_or_take, plain, signed
from paddock.tables import NoTable, Table, Tables
from paddock.tables.analysing import Analysed
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
    cost: str  # what the analyses of both games say of these decisions; empty if there are none


@dataclass(frozen=True)
class PlayedDeal:
    """What came of a seat at all tables of a deal."""

    seats: list[PlayedSeat]  # the best first
    analyse_url: (
        str  # where a form asks for the analysis of the reader's game; empty: it is there, or cannot be
    )


async def deal_shown(evening: Evening, number: int, seat: int, tables: Tables) -> PlayedDeal:
    """Return what came of a seat at all tables of a deal. Analyses are read, and none is made."""
    ids = {table.table: table.table_id for table in evening.at(number)}
    here = [row for row in evening.seats if row.deal == number and row.seat == seat and row.table in ids]
    seats = [row for row in here if row.points is not None]
    mine = next((row for row in seats if evening.me and row.entrant == evening.me.number), None)
    games = {row.table: await _game(tables, ids.get(row.table), own=mine is not None) for row in seats}
    own = games[mine.table] if mine else None
    over = dict(zip((row.table for row in seats), _over(seats), strict=True))
    shown = [_seat(evening, row, games[row.table], own, row is mine, over[row.table]) for row in seats]
    missing = own is not None and own.analysed is None and tables.analysing.analyst is not None
    url = link(f"/t/{own.table.id}/analyse") if own and missing else ""
    return PlayedDeal(sorted(shown, key=lambda line: (-line.points, not line.mine, line.name)), url)


@dataclass(frozen=True)
class _Game:
    table: Table
    analysed: Analysed | None  # None: there is no analysis, or nobody asks


async def _game(tables: Tables, id: str | None, *, own: bool) -> _Game | None:
    """Return the game of a table, with its analysis if the reader has an ``own`` one beside it."""
    table = await _table(tables, id)
    if table is None:
        return None
    return _Game(table, await tables.analysing.of(table) if own and table.fully_visible else None)


async def _table(tables: Tables, id: str | None) -> Table | None:
    if id is not None:
        with suppress(NoTable):
            return await tables.registry.peek(id)
    return None


def _over(seats: Sequence[SeatRow]) -> list[float]:
    results = [Result(None, row.deal, row.table, row.seat, row.points or 0) for row in seats]
    return scoring.over_field(results)


def _seat(
    evening: Evening, row: SeatRow, game: _Game | None, own: _Game | None, mine: bool, over: float
) -> PlayedSeat:
    name = _("bots alone") if game is None and row.entrant is None else _("a bot")
    if row.entrant is not None:
        name = evening.names[str(row.entrant)]
    parted = parted_url = cost = ""
    if own is not None and game is not None and not mine:
        if where := rules.parting(own.table.game, game.table.game, row.seat):
            said = _("your move {n}: you {own}, they {other}")
            parted = said.format(n=where.nth, own=where.own, other=where.other)
            parted_url = link(f"/t/{own.table.id}/replay?entry={where.entry}")
            cost = _cost(own.analysed, where.entry, game.analysed, where.there)
        else:
            parted = _("the same moves as you")
    url = link(f"/t/{game.table.id}") if game else ""
    left = row.bot_from is not None and (not row.asked or row.own != row.asked)
    return PlayedSeat(name, row.points or 0, signed(over), url, mine, left, parted, parted_url, cost)


def _cost(own: Analysed | None, entry: int, other: Analysed | None, there: int) -> str:
    """Return what both decisions have cost, in points, as far as it is known."""
    known = [
        words.format(cost=f"{plain(turn.cost)} {give_or_take(turn.error)}")
        for analysed, n, words in ((own, entry, _("you {cost}")), (other, there, _("they {cost}")))
        if analysed and (turn := next((one for one in analysed.turns if one.entry <= n <= one.last), None))
    ]
    return _(", ").join(known)
