"""Runs commands: each is decided in memory, stored durably, made in memory, and told to the followers."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from functools import partial
from itertools import count
from typing import Concatenate, ParamSpec, Protocol, TypeVar

from paddock.core.errors import PaddockError
from paddock.core.game import ChanceSource
from paddock.core.i18n import _
from paddock.core.title import Seen
from paddock.records import Fair
from paddock.store import Store, Unavailable
from paddock.store.kinds import Kind
from paddock.tables import cards
from paddock.tables.change import EVERYBODY, Change
from paddock.tables.context import Context
from paddock.tables.errors import Elsewhere, Forbidden, NoTable
from paddock.tables.live import LiveTable
from paddock.tables.names import NameFilter
from paddock.tables.registry import Also, Registry, check
from paddock.tables.runtime import Runtime
from paddock.tables.table import Table
from paddock.tables.tasks import background
from paddock.tables.turns import opened

T = TypeVar("T")
P = ParamSpec("P")
Command = Callable[Concatenate[Table, Context, P], Change[T]]
_stamps = count(1)
NOBODY = frozenset[str]()
AGAIN = 5.0  # seconds before a table is looked at again after the database did not answer
TRIES = 50  # tries to store a change: another process may have stored one of the same table first


class Follower(Protocol):
    """Is told of every change of a table in memory."""

    def changed(self, live: LiveTable, audience: str) -> None:
        """Look again at a table; ``audience`` is that of the ``Change``."""


class Ending(Protocol):
    """Writes something when a game ends, in the transaction of its last move."""

    def __call__(self, table: Table, at: datetime, /) -> Also:
        """Return what writes it; the game of the table is over."""


class Dealer(Protocol):
    """Deals at tables that have a ``deal``."""

    async def source(self, table: Table) -> ChanceSource:
        """Return the chance of such a table."""

    async def bot_seed(self, table: Table, seen: Seen, seat: int) -> int:
        """Return the seed for a bot's decision at such a table."""

    async def level(self, table: Table) -> str:
        """Return the level of the bots that play for people who are away or have left there."""

    async def proof(self, table: Table) -> Fair | None:
        """Return what proves the chance of such a table; None while nobody may know."""


class Engine:
    """The only one who changes tables. Use it in one event loop only."""

    def __init__(
        self, store: Store, registry: Registry, runtime: Runtime, chance: ChanceSource, names: NameFilter
    ) -> None:
        self._store = store
        self._registry = registry
        self._runtime = runtime
        self._chance = chance
        self._names = names
        self.followers: list[Follower] = []
        self.endings: list[Ending] = []
        self.dealers: dict[Kind, Dealer] = {}  # by the kind of the table

    async def run(self, id: str, command: Command[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run a command at a table, and return its answer once the change is stored durably.

        Raises ``NoTable``, ``Unavailable``, ``Elsewhere``, and the errors of the command.
        """
        live = await self._registry.find(id)
        return await self.run_live(live, command, *args, **kwargs)

    async def run_live(self, live: LiveTable, command: Command[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Like ``run``, for a table that was found already."""
        failures = self._store.failures  # whoever waited for the table in vain does not wait for the database
        async with live.turn():
            chance = await self._chance_at(live)
            for _try in range(TRIES):
                check(live)
                context = self.context(live, chance)
                try:
                    change = command(live.table, context, *args, **kwargs)
                except PaddockError:
                    if await self._catch_up(live):
                        continue
                    raise
                if not change.stores:
                    if await self._catch_up(live):
                        continue
                    return change.answer
                after = change.after()
                saved = context.served if "opened_at" in change.columns else live.presence.saved
                make = partial(self._make, live, after, change.audience, saved)
                write = change.write(after)
                if after.callers != NOBODY:
                    write = replace(write, turns=opened(live.table, after, context))
                if after.game.over and not live.table.game.over:
                    write = replace(write, also=[ending(after, context.now) for ending in self.endings])
                try:
                    stored = await self._store.commit(write, make, failures, live.owner)
                except Unavailable:
                    self._doubt(live)
                    raise
                if stored:
                    return change.answer
                await self._reload(live)
        raise Unavailable(_("this table is busy: try again"))

    def _doubt(self, live: LiveTable) -> None:
        """Look later what is stored: it may be the change, if the connection broke before the answer came."""
        if live.doubt is None or live.doubt.done():
            live.doubt = background(self._look_again(live), f"doubt about {live.table.id}")

    async def _look_again(self, live: LiveTable) -> None:
        """Take over what is stored, once the database answers, while this server has the table."""
        with suppress(Elsewhere, NoTable):
            while True:
                await self._runtime.sleep(AGAIN)
                with suppress(Unavailable):
                    async with live.turn():
                        check(live)
                        await self._catch_up(live)
                    return

    async def _catch_up(self, live: LiveTable) -> bool:
        """Return whether another process had changed the table, which is then up to date."""
        if await self._store.version(live.table.id) == live.table.version:
            return False
        await self._reload(live)
        return True

    async def _reload(self, live: LiveTable) -> None:
        await self._registry.reload(live)
        self.tell(live, EVERYBODY)

    def _make(self, live: LiveTable, after: Table, audience: str, saved: float) -> None:
        """Make a stored change in memory. The writer calls this, also if the request was cancelled."""
        if after.phase == "lobby":  # who sits down is here, before any page is asked for
            before, now = ({player.holder for player in table.players} for table in (live.table, after))
            live.presence.seen |= dict.fromkeys(filter(None, now - before), self._runtime.served())
        live.table.copy_from(after)
        live.presence.saved = saved
        self._registry.weigh(live)
        self.tell(live, audience)

    async def refresh(self, live: LiveTable) -> None:
        """Take over what was stored at a table, but not by a command."""
        async with live.turn():
            await self._reload(live)

    def tell(self, live: LiveTable, audience: str) -> None:
        """Tell the followers of a change; nobody acts at a table that this server has lost."""
        live.table.stamp = next(_stamps)
        if live.lost:
            return
        for follower in self.followers:
            follower.changed(live, audience)

    async def proof(self, table: Table) -> Fair | None:
        """Return what proves the chance of a table; None if nothing does, or while nobody may know."""
        if not table.fully_visible:
            return None
        dealer = self.dealers.get(table.kind) if table.deal else None
        return await dealer.proof(table) if dealer else cards.proof(table)

    async def _chance_at(self, live: LiveTable) -> ChanceSource:
        """Return the chance of a table. Raises ``Forbidden`` if the feature that deals there is missing."""
        table = live.table
        if table.secret and table.phase == "play":  # before, the numbers of its browsers are not complete
            live.cards = live.cards or cards.source(table)
            return live.cards
        if not table.deal:
            return self._chance
        dealer = self.dealers.get(table.kind)
        if dealer is None:
            raise Forbidden(
                _(
                    "nobody can play here now: this server lacks the feature that "
                    "deals the cards at this table"
                )
            )
        return await dealer.source(table)

    def context(self, live: LiveTable, chance: ChanceSource | None = None) -> Context:
        """Return what a command at this table may use now."""
        now, served = self._runtime.now(), self._runtime.served()
        return Context(now, served, chance or self._chance, self._names, live.presence)
