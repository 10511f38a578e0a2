"""Undo of the last move, with the consent of the others, unless it has revealed something."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from paddock.core.game import Game
from paddock.core.i18n import Sentence, _
from paddock.core.words import CHANCE
from paddock.store import EventRow, UndoRow, Writing
from paddock.tables import clock
from paddock.tables.errors import Forbidden
from paddock.tables.fold import UNDO, decision_start, digest, undo_to
from paddock.tables.table import Table
from paddock.tables.talk import announce

if TYPE_CHECKING:
    from paddock.tables.live import LiveTable
    from paddock.tables.service import Tables

PATIENCE = 60.0  # seconds that bots wait for answers


@dataclass(frozen=True)
class _Back:
    """The table after an undo: its game, the time, and the changed columns of each player."""

    game: Game
    at: datetime
    players: list[dict[str, Any]]


class Undo:
    """The undo requests of all tables."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    async def request(self, id: str, holder: str | None, decision: int | None = None) -> str:
        """Request an undo of the last move. It happens at once if nobody else must agree.

        ``decision`` is the open decision that the player saw: so a request that is sent twice cannot undo
        two moves (None: whatever is open now). Returns "asked" or "undone". Raises ``NoTable``, ``Frozen``
        and ``Forbidden``.
        """
        live = await self._tables._find(id)
        return await self._tables._finish(self._request(live, holder, decision))

    async def _request(self, live: LiveTable, holder: str | None, decision: int | None) -> str:
        async with self._tables._writing(live) as (table, writing):
            _still_open(table, decision)
            player = last_mover(table, holder)
            if old := await writing.undo():
                table.undo = old
                raise Forbidden(_("this was requested already: the others must agree"))
            row = UndoRow(table.game.log.submission(), player, tuple(table.players_of(holder)))
            now, back = self._tables.runtime.now(), await self._undo_if_agreed(table, writing, row)
            if back is None:
                name = table.players[player].name
                await announce(writing, now, Sentence("{name} asks to take the last move back.", name=name))
                await writing.touch(now)
        table.touched_at, table.abandoned = now, False
        return self._in_memory(live, row, back) or "asked"

    async def agree(self, id: str, holder: str | None, decision: int | None = None) -> str:
        """Agree to an undo. It happens when everybody has agreed.

        Returns "agreed" or "undone". Raises the same errors as ``request``.
        """
        live = await self._tables._find(id)
        return await self._tables._finish(self._agree(live, holder, decision))

    async def _agree(self, live: LiveTable, holder: str | None, decision: int | None) -> str:
        async with self._tables._writing(live) as (table, writing):
            _still_open(table, decision)
            old = await self._open(table, writing, holder)
            consents = {*old.consents, *table.players_of(holder)}
            row = UndoRow(old.rows, old.player, tuple(sorted(consents)))
            back = await self._undo_if_agreed(table, writing, row)
        return self._in_memory(live, row, back) or "agreed"

    async def refuse(self, id: str, holder: str | None, decision: int | None = None) -> None:
        """Decline a request, or withdraw your own. Raises the same errors as ``request``."""
        live = await self._tables._find(id)
        await self._tables._finish(self._refuse(live, holder, decision))

    async def _refuse(self, live: LiveTable, holder: str | None, decision: int | None) -> None:
        async with self._tables._writing(live) as (table, writing):
            _still_open(table, decision)
            old = await self._open(table, writing, holder)
            mine = table.players_of(holder)
            withdrawn = old.player in mine
            name = table.players[old.player if withdrawn else mine[0]].name
            await writing.drop_undo()
            await announce(
                writing,
                self._tables.runtime.now(),
                Sentence("{name} withdrew the take-back.", name=name)
                if withdrawn
                else Sentence("{name} declined the take-back.", name=name),
            )
        table.undo = None
        self._tables._wake(live)

    async def _open(self, table: Table, writing: Writing, holder: str | None) -> UndoRow:
        """Return the open request; raise ``Forbidden`` if there is none, or the browser has no player."""
        if not table.players_of(holder):
            raise Forbidden(_("only players of this table can do this"))
        table.undo = await writing.undo()
        if table.undo is None:
            raise Forbidden(_("this request is out of date: the game moved on"))
        return table.undo

    async def _undo_if_agreed(self, table: Table, writing: Writing, row: UndoRow) -> _Back | None:
        """Undo the move and return the new state if everybody agrees; else store the request."""
        if awaited_consents(table, row):
            await writing.ask_undo(row)
            return None
        game, now = table.game.fork(), self._tables.runtime.now()
        undo_to(game, row.rows)
        banks = clock.charged(table, now)
        back = _Back(
            game,
            now,
            [
                {"read_up_to": min(p.read_up_to, row.rows), "bank_ms": banks.get(p.index, p.bank_ms)}
                for p in table.players
            ],
        )
        line = EventRow(table.rows, UNDO, row.rows, table.rows, digest(game, table.hash_prefix))
        await writing.append([line], now, game.over)
        for player, columns in zip(table.players, back.players, strict=True):
            await writing.player(player.index, **columns)
        name = table.players[row.player].name
        await announce(writing, now, Sentence("{name} took back the last move.", name=name))
        return back

    def _in_memory(self, live: LiveTable, row: UndoRow, back: _Back | None) -> str | None:
        """Update the table in memory; return "undone" if the move was undone, else None."""
        table = live.table
        if back is None:
            table.undo = row
            self._tables._wake(live)
            return None
        for player, columns in zip(table.players, back.players, strict=True):
            for name, value in columns.items():
                setattr(player, name, value)
        table.opened_at = table.touched_at = back.at
        table.abandoned = False
        self._tables._set(live, back.game, {}, table.rows + 1)
        return "undone"


def _still_open(table: Table, decision: int | None) -> None:
    """Raise ``Forbidden`` if another decision is open than the one that the player saw."""
    if decision not in (None, table.decision):
        raise Forbidden(_("this is out of date: the game moved on"))


def last_mover(table: Table, holder: str | None) -> int:
    """Return the player of this browser who made the last submission, if it can be undone.

    Raises ``Forbidden`` with the reason otherwise: it must be a move that one seat decided alone, without
    chance or a reveal after it.
    """
    mine, log = table.players_of(holder), table.game.log
    if not mine:
        raise Forbidden(_("only players of this table can do this"))
    if not table.running or table.kind not in ("race", "explore"):
        raise Forbidden(_("moves cannot be taken back here"))
    if not log or log[-1].by == CHANCE:
        raise Forbidden(_("a move cannot be taken back after a random draw"))
    player = table.options.owners[log[-1].by]
    if player not in mine:
        raise Forbidden(_("the last move is not yours"))
    start = log.submission()
    if decision_start(table.game, start) != start:
        raise Forbidden(_("a revealed move cannot be taken back"))
    return player


def possible(table: Table, holder: str | None) -> bool:
    """Whether this browser may request an undo."""
    try:
        last_mover(table, holder)
    except Forbidden:
        return False
    return table.undo is None


def awaited_consents(table: Table, row: UndoRow) -> list[int]:
    """Return the players who have not agreed yet. Bots and players with a stand-in always agree."""
    return [p.index for p in table.players if p.person and not p.stand_in and p.index not in row.consents]
