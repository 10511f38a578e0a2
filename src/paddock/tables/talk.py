"""Chat messages: to the table, where everybody who has its link can read them, or to a team."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from paddock.core.errors import BadOption
from paddock.core.i18n import Sentence, _
from paddock.store import TalkRow, Writing
from paddock.tables.errors import Forbidden
from paddock.tables.names import cut_marks
from paddock.tables.table import Table

if TYPE_CHECKING:
    from paddock.tables.live import LiveTable
    from paddock.tables.service import Tables

TABLE, TEAM = "table", "team"
LONGEST = 500  # characters in a line
MOST = 100  # lines shown
KEPT = 5 * MOST  # lines loaded, so that one team's chat does not push out other lines
FLOOD, WITHIN = 10, timedelta(seconds=20)  # rate limit: lines of one player in this time
AGAIN = timedelta(seconds=3)  # a line repeated within this time is sent once


@dataclass(frozen=True)
class Said:
    """A line of chat. ``player`` is None for a line of the table itself, ``channel`` "table" or "team:N"."""

    n: int  # the number of the line at this table, over all channels
    at: datetime
    player: int | None
    channel: str
    line: str | Sentence

    @property
    def text(self) -> str:
        """The line in the current language."""
        return str(self.line)


def _said(row: TalkRow) -> Said:
    line = row.text if row.player is not None else Sentence.load(row.text)
    return Said(row.seq, row.at, row.player, row.channel, line)


async def announce(writing: Writing, at: datetime, sentence: Sentence) -> None:
    """Store a message from the table itself to everybody. Each reader gets it in their language."""
    await writing.say(at, None, TABLE, sentence.dump())


class Talk:
    """The chat of all tables, with lines of people and of the tables themselves."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    async def lines(self, id: str, player: int | None) -> list[Said]:
        """Return the last lines that the player (None: a spectator) may read. Raises ``NoTable``."""
        table = await self._tables.table(id)
        store = self._tables._store
        rows = await self._tables._finish(store.talk(table.id, KEPT))
        heard = channels(table, player)
        return [_said(row) for row in rows if row.channel in heard][-MOST:]

    async def say(self, id: str, holder: str | None, player: int, text: str, channel: str = TABLE) -> Said:
        """Send a line of one of this browser's players, to everybody ("table") or their team ("team").

        Raises ``NoTable``, ``BadOption``, and ``Forbidden`` (wrong player, muted, too fast).
        """
        line = clean(text)
        if not line:
            raise BadOption([_("write something first")])
        if len(line) > LONGEST:
            raise BadOption([_("write at most {n} characters").format(n=LONGEST)])
        live = await self._tables._find(id)
        table = live.table
        if player not in table.players_of(holder):
            raise Forbidden(_("only players of this table can talk here: take a seat first"))
        if channel == TEAM:
            if not (team := _team(table, player)):
                raise BadOption([_("there are no teams here: talk to the table")])
            channel = team
        elif channel != TABLE:
            raise BadOption([_("talk to the «table» or to your «team»")])
        return await self._tables._finish(self._append(live, player, channel, line))

    async def _append(self, live: LiveTable, player: int, channel: str, line: str) -> Said:
        tables, table = self._tables, live.table
        async with live.lock, tables._store.write(table.id) as writing:  # also at a frozen table
            if any(who.muted for who in writing.players if who.index == player):
                raise Forbidden(_("the host has muted you at this table"))
            now = tables.runtime.now()
            said = [row for row in await writing.talk(KEPT) if row.player == player]
            if again := _again(said, channel, line, now):
                return again
            if sum(row.at > now - WITHIN for row in said) >= FLOOD:
                raise Forbidden(_("you are sending messages too fast: wait a moment"))
            row = await writing.say(now, player, channel, line)
            await writing.touch(now)
        table.touched_at, table.abandoned = now, False
        tables._wake(live)
        return _said(row)


def channels(table: Table, player: int | None) -> set[str]:
    """Return the channels that a player (None: a spectator) can read."""
    team = None if player is None else _team(table, player)
    return {TABLE} | ({team} if team else set())


def _team(table: Table, player: int) -> str | None:
    teams = table.options.teams
    return f"{TEAM}:{teams[player]}" if teams else None


def clean(text: str) -> str:
    """Clean a line: keep visible characters and emoji joiners, remove direction marks."""
    visible = "".join(
        " " if c.isspace() else c
        for c in unicodedata.normalize("NFC", text)
        if c.isspace() or c == "\u200d" or unicodedata.category(c)[0] != "C"
    )
    return " ".join(cut_marks(visible).split())


def _again(said: Sequence[TalkRow], channel: str, line: str, now: datetime) -> Said | None:
    """Return the player's last line if this one repeats it; else None."""
    last = said[-1] if said else None
    if last and last.channel == channel and last.text == line and last.at > now - AGAIN:
        return _said(last)
    return None
