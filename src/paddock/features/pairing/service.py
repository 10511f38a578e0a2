"""Play with whoever comes next: two people who ask for the same game get a table, bots fill the other seats.

Who comes first waits: live with the page open, over days also without it. Nobody chooses whom they meet, and
nobody learns of the other before both have a table. The list is in the database, so any server finds them,
and knows of a second click.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from types import MappingProxyType
from typing import Literal, get_args

from paddock.bots import levels, usual
from paddock.core.errors import BadOption
from paddock.core.i18n import _
from paddock.core.title import Title, titles
from paddock.core.title import title as find_title
from paddock.core.wording import either
from paddock.features.pairing.rows import WaitingRow
from paddock.features.pairing.store import Gone, WaitingStore, seated
from paddock.store import Unavailable
from paddock.store.terms import Terms
from paddock.tables.errors import NoTable
from paddock.tables.make import GUESTS, ME, clean
from paddock.tables.making import Sitter
from paddock.tables.service import Tables
from paddock.tables.table import Table

Pace = Literal["live", "days"]
PACES: tuple[str, str] = get_args(Pace)
LIVE, DAYS = PACES
# Everybody may watch: two strangers play, and nobody has a link to show them.
TERMS: Mapping[str, Terms] = MappingProxyType(
    {
        LIVE: Terms(clock="900+10", grace=120, listed=True),
        DAYS: Terms(clock="259200+28800", listed=True),
    }
)
# For how long somebody waits who is not seen. The page of a live game asks every few seconds, but browsers
# let hidden tabs ask once a minute.
PATIENCE: Mapping[str, timedelta] = MappingProxyType({LIVE: timedelta(seconds=75), DAYS: timedelta(days=7)})
KEPT = timedelta(days=8)  # a row, whatever became of it
NOTED = timedelta(seconds=10)  # that somebody still waits is noted at most this often
AGAIN = timedelta(seconds=10)  # for which a second request for a game is the same one
TRIES = 20


class Pairing:
    """The list of those who wait."""

    def __init__(self, tables: Tables) -> None:
        self._store = tables.store.part(WaitingStore)
        self._making = tables.making
        self._runtime = tables.runtime
        self._names = tables.names
        self._find = tables.registry.peek
        self._turn = asyncio.Lock()  # to join: so few have to try again

    async def join(self, holder: str, title: str, pace: str, name: str = "", number: int = 0) -> Table | None:
        """Play with whoever waits for this game; else wait, and return None.

        ``number`` is the seat that the browser likes, from 1, or 0. Who asks again, as by a double click,
        gets the same table. Raises ``BadOption``.
        """
        found, called = _title(title), clean(name)
        if pace not in PACES:
            raise BadOption([_("pace: choose {paces}").format(paces=either(PACES))])
        if called and self._names.refuses(called):
            words = _("the name “{name}” is not allowed here: choose another one")
            raise BadOption([words.format(name=called)])
        now = self._runtime.now()
        async with self._turn:
            return await self._join(found, WaitingRow(holder, title, pace, called, number, now, now))

    async def _join(self, title: Title, me: WaitingRow) -> Table | None:
        await self._store.purge(me.since - KEPT, me.since - AGAIN)
        seen_since = me.since - PATIENCE[me.pace]
        for _try in range(TRIES):
            if table := await self._got(me):
                return table
            other = await self._store.first(me.title, me.pace, seen_since)
            if other is None or other.holder == me.holder:
                if await self._store.join(me, seen_since):
                    return None
                continue
            with suppress(Gone):
                return await self._seat(title, other, me, seen_since)
        raise Unavailable(_("too many people ask for this game at once: try again"))

    async def _got(self, me: WaitingRow) -> Table | None:
        """Return the table that a browser has got for this game; None if it was led to that one long ago."""
        row = await self._store.got(me.holder, me.title, me.pace)
        if row is None or row.table_id is None:
            return None
        with suppress(NoTable):
            table = await self._find(row.table_id)
            if table.running:
                await self._store.met(row, me.since)
                return table
        await self._store.drop(row)
        return None

    async def _seat(self, title: Title, other: WaitingRow, me: WaitingRow, seen_since: datetime) -> Table:
        options = await self._making.options(title, title.one_round)
        seats = _seats(title, options.players, (other, me), random.Random(self._runtime.bot_seed()))
        return await self._making.pair(
            title.name,
            title.one_round,
            seats,
            host=other.holder,
            terms=TERMS[me.pace],
            also=lambda id: seated(other, me, seen_since, id),
        )

    async def of(self, holder: str | None) -> list[WaitingRow]:
        """Return where a browser waits, and the tables to which it was not led yet; the newest first."""
        return [row for row in await self._store.of(holder) if row.title in titles()] if holder else []

    async def seen(self, rows: Sequence[WaitingRow]) -> None:
        """Note that the browser with these rows still waits."""
        now = self._runtime.now()
        if any(row.table_id is None and row.seen_at < now - NOTED for row in rows):
            await self._store.seen(rows[0].holder, now)

    async def open(self, holder: str | None) -> list[WaitingRow]:
        """Return the games for which somebody else waits now."""
        now = self._runtime.now()
        return [
            row
            for row in await self._store.open()
            if row.holder != holder and there(row, now) and row.title in titles()
        ]

    async def met(self, row: WaitingRow) -> None:
        """Note that a browser is led to the table that it has got."""
        await self._store.met(row, self._runtime.now())

    async def leave(self, holder: str, title: str, pace: str) -> bool:
        """Wait for a game no longer; return whether the browser did."""
        if title not in titles() or pace not in PACES:
            return False
        return await self._store.leave(holder, title, pace)


def there(row: WaitingRow, now: datetime) -> bool:
    """Whether the browser that waits was seen lately enough to meet somebody."""
    return row.seen_at > now - PATIENCE[row.pace]


def _title(name: str) -> Title:
    found = find_title(name)
    if not fits(found):
        raise BadOption([_("{title} cannot be played by two people").format(title=found.label)])
    return found


def fits(title: Title) -> bool:
    """Whether two people can play a title with the options of a quick start."""
    return title.options.read(title.one_round).players >= 2


def _seats(title: Title, count: int, people: Sequence[WaitingRow], lots: random.Random) -> list[Sitter]:
    """Return who gets which seat: the liked ones where both can have them, else by lot; bots get the rest."""
    free = list(range(count))
    lots.shuffle(free)
    places: dict[int, WaitingRow] = {}
    for who in people:
        liked = who.number - 1
        place = liked if liked in free else free[0]
        free.remove(place)
        places[place] = who
    names, level = [one.name for one in levels(title)], usual(title)
    bots = iter([names[0]] + [level] * count if count > 3 else [level] * count)
    return [
        Sitter(ME, places[i].name, places[i].holder) if i in places else Sitter(next(bots), GUESTS[i])
        for i in range(count)
    ]
