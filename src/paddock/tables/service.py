"""``Tables``: puts the parts together, for the web and the command line."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from datetime import datetime, timedelta
from typing import Any, ParamSpec, Protocol, Self, TypeVar

from paddock.bots import BotPool
from paddock.core.errors import BadMove, BadOption
from paddock.core.game import ChanceSource
from paddock.core.i18n import _
from paddock.core.settings import Settings
from paddock.core.title import Preview
from paddock.kernel.source import System
from paddock.store import (
    DeviceStore,
    Forgotten,
    KeyTaken,
    Store,
    Unavailable,
    only_server,
)
from paddock.store.sealed import SealedStore
from paddock.tables import clock as clocks
from paddock.tables import moves, replaying
from paddock.tables.analysing import Analysing
from paddock.tables.audience import Audience
from paddock.tables.autoplay import AutoPlay
from paddock.tables.built import Built
from paddock.tables.change import EVERYBODY
from paddock.tables.devices import Devices
from paddock.tables.engine import Command, Engine
from paddock.tables.errors import Busy, Elsewhere, NoTable
from paddock.tables.glances import Glances
from paddock.tables.hosting import Abandon
from paddock.tables.make import LONGEST_KEY, is_key
from paddock.tables.making import Making
from paddock.tables.means import ORDINARY, ServerMeans
from paddock.tables.names import NameFilter
from paddock.tables.notes import in_record
from paddock.tables.owning import Alone, Owning, Shared
from paddock.tables.pulse import Pulse
from paddock.tables.registry import MEMORY, Registry
from paddock.tables.replaying import LONG_LOG
from paddock.tables.runtime import MoveChooser, Runtime
from paddock.tables.seats import keep_recovery, new_secret, open_places
from paddock.tables.secrets import Secrets
from paddock.tables.streams import Streams
from paddock.tables.submission import Submission
from paddock.tables.table import Table
from paddock.tables.tasks import end
from paddock.tables.threads import work_in
from paddock.tables.timers import Timers
from paddock.tables.tokens import Tokens
from paddock.tables.upkeep import Upkeep
from paddock.tables.workers import Workers

S = TypeVar("S")
T = TypeVar("T")
P = ParamSpec("P")
log = logging.getLogger("paddock.tables")
MOST_WAITING = 50  # running games of one browser that are looked at
LISTED = 20  # tables that the home page lists
GAP = 0.05  # seconds between resuming two tables after a start, so that requests come first
AGAIN = 5.0  # seconds before the tables to resume are listed again after the database did not answer
LATER = 1.0  # seconds until the next table is resumed after one could not be


class Tended(Protocol):
    """A service of a feature that does what is due from time to time."""

    @property
    def rest(self) -> float:
        """The seconds until ``tend`` is due."""

    async def tend(self) -> None:
        """Do what is due."""


class Tables:
    """The tables of a store. Use it in one event loop only.

    Commands run by ``run``: ``await tables.run(id, seats.claim, holder, player)``.

    A service of a feature is made of them, and adds itself where it is needed: to ``starting``, ``tended``,
    ``closing``, ``used``, ``engine.followers``, ``engine.endings``, ``store.turns.hearing``, ``pulse.reset``
    and ``analysing.readers``, ``engine.dealers``, or as ``making.notes``, ``analysing.analyst`` or
    ``audience``.
    """

    def __init__(
        self,
        store: Store,
        bots: MoveChooser,
        chance: ChanceSource | None = None,
        runtime: Runtime | None = None,
        *,
        names: NameFilter | None = None,
        memory: int = MEMORY,
        owning: Owning | None = None,
        settings: Settings | None = None,
        services: Sequence[Callable[[Tables], Any]] = (),
        means: ServerMeans = ORDINARY,
    ) -> None:
        self.store = store
        self.runtime = runtime or Runtime()
        chance, self.names = chance or System(), names or NameFilter()
        self.workers, self.built = Workers(beside=means.beside), Built()
        self.imagining = means.imagining
        self.owning = owning or Alone()
        self.registry = Registry(store, self.runtime, self.workers, memory, self.owning)
        self.engine = Engine(store, self.registry, self.runtime, chance, self.names)
        self.timers = Timers(self.engine, self.registry, self.runtime)
        self.autoplay = AutoPlay(self.engine, bots, self.runtime)
        self.streams = Streams(self.registry)
        self.glances = Glances(store, self.registry)
        self.settings = settings or Settings.model_construct()
        self.secrets = Secrets(store.part(SealedStore))
        self.engine.followers = [self.streams, self.autoplay, self.timers]
        self.registry.arrived = lambda live: self.engine.tell(live, EVERYBODY)
        self.making = Making(
            store, self.registry, self.engine, self.runtime, chance, self.names, self.workers
        )
        self.analysing = Analysing()
        self.tokens = Tokens(store, self.runtime)
        self.devices = Devices(store.part(DeviceStore), self.runtime)
        self.audience = Audience()
        self.upkeep = Upkeep(store, self.registry, self.engine)
        self.pulse = Pulse(self.runtime, self.timers, self.upkeep)
        self.starting: list[Callable[[], None]] = []
        self.tended: list[Tended] = []
        self.closing: list[Callable[[], Awaitable[None]]] = []
        # Told with the hash of a browser that is used, now and then
        self.used: list[Callable[[str], Awaitable[None]]] = []
        self._services = {type(service): service for service in (make(self) for make in services)}
        self._bots = bots
        self.beating: asyncio.Task[None] | None = None
        self.resuming: asyncio.Task[None] | None = None

    @classmethod
    @asynccontextmanager
    async def open(
        cls,
        url: str | None = None,
        *,
        chance: ChanceSource | None = None,
        runtime: Runtime | None = None,
        names: NameFilter | None = None,
        address: str = "",
        settings: Settings | None = None,
        services: Sequence[Callable[[Tables], Any]] = (),
        means: ServerMeans = ORDINARY,
    ) -> AsyncIterator[Self]:
        """Open the database at ``url`` (None: the default of ``Store.open``), and start the bots.

        ``address`` is HOST:PORT, where other servers of a PostgreSQL database reach this one. ``services``
        make what features do beside the tables: see ``service``. ``means`` are for the whole process.

        Raises ``StoreError`` if it cannot be used, or if another server uses an SQLite file.
        """
        with only_server(url):
            store = await Store.open(url, server=True, driver=means.driver)
            work_in(means.beside)
            runtime = runtime or Runtime()
            shared = Shared(store.leases(), runtime, address) if store.shared else None
            tables = cls(
                store,
                BotPool(beside=means.beside),
                chance,
                runtime,
                names=names,
                owning=shared,
                settings=settings,
                services=services,
                means=means,
            )
            try:
                if shared:
                    shared.forget = tables.registry.forget
                    await shared.start()
                tables.start_bots()
                yield tables
            finally:
                await tables.close()
                await store.close()

    def service(self, kind: type[S]) -> S:
        """Return what a feature does beside the tables. Raises ``KeyError`` where the feature is missing."""
        service = self._services[kind]
        assert isinstance(service, kind)
        return service

    def start_bots(self) -> None:
        """Start bots, timers and features: at once for tables in memory, and soon for all others."""
        self.beating = asyncio.create_task(self.pulse.run(), name="looking at the clock")
        for start in self.starting:
            start()
        self.autoplay.moving = self.timers.moving = True
        for live in self.registry:
            self.engine.tell(live, EVERYBODY)
        self.resuming = asyncio.create_task(self._resume(), name="resuming tables")

    async def _resume(self) -> None:
        """Load tables with bots or timers after a start, and whenever another server has gone."""
        gap = GAP
        while True:
            await self._resume_free(gap)
            if not await self.owning.freed():
                return
            gap = GAP / 10  # somebody waits at these tables

    async def _resume_free(self, gap: float) -> None:
        """Load tables with bots or timers that no server has, one by one, the last touched first.

        A table without moving bots leaves memory again; ``Timers`` keeps its timer.
        """
        ids: list[str] | None = None
        while ids is None:
            try:
                ids = await self.store.to_resume()
                ids.sort(key=lambda id: not self.runtime.prefers(id))
            except Unavailable:
                await self.runtime.sleep(AGAIN)
        while ids:
            try:
                if self.registry.get(ids[0]) is None:
                    live = await self.registry.find(ids[0])
                    if not live.needed:
                        self.registry.drop(ids[0])
                    await self.runtime.sleep(gap)
            except (Elsewhere, NoTable):  # another server was faster
                pass
            except (Unavailable, Busy):  # the others first: one of them may be free
                ids.append(ids[0])
                await self.runtime.sleep(LATER)
            except Exception:
                log.exception("cannot resume table %s", ids[0])
            ids.pop(0)

    async def close(self) -> None:
        """Stop the bots and timers. All acknowledged changes are stored already.

        Running clocks are saved for tables in memory; others keep their last saved value.
        """
        self.autoplay.moving = False
        tasks = [task for live in self.registry for task in live.tasks]
        await end([*tasks, self.beating, self.resuming])
        await self.timers.stop()
        for close in self.closing:
            await close()
        await self.owning.close()
        await self.built.close()
        await self.workers.close()
        self._bots.close()

    # Commands

    async def run(self, id: str, command: Command[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run a command at a table, and return its answer once the change is stored durably.

        Raises ``NoTable``, ``Unavailable``, ``Elsewhere``, and the errors of the command.
        """
        return await self.engine.run(id, command, *args, **kwargs)

    async def submit(
        self, id: str, holder: str | None, seat: int, links: str | Sequence[str], decision: int, key: str
    ) -> Submission:
        """Run ``moves.submit``. The key has 1 to 64 ASCII characters."""
        if not is_key(key):
            raise BadMove(_("the key of a submission has 1 to {n} characters").format(n=LONGEST_KEY))
        await self.timers.seen(id, holder)
        notations = (links,) if isinstance(links, str) else tuple(links)
        try:
            answer = await self.run(id, moves.submit, holder, seat, notations, decision, key)
            if answer.status != "late":
                return answer
        except KeyTaken:
            pass
        # It is a retry, perhaps of what another server stored, or it is late.
        known = await self.store.answer(id, key)
        return await self.run(id, moves.submit, holder, seat, notations, decision, key, known)

    async def preview(self, id: str, holder: str | None, seat: int, links: Sequence[str]) -> Preview:
        """Run ``moves.preview``."""
        await self.timers.seen(id, holder)
        return moves.preview(await self.table(id), holder, seat, links)

    async def recovery(self, id: str, holder: str, player: int) -> str:
        """Create a recovery secret, which moves the seat to another browser, and keep its hash."""
        secret = new_secret()
        await self.run(id, keep_recovery, holder, player, secret)
        return secret

    # Finding tables

    async def table(self, id: str) -> Table:
        """Return a table, and start its bots; raise ``NoTable`` and ``Elsewhere``."""
        return (await self.registry.find(id)).table

    async def tables_of(self, holder: str, limit: int = 12) -> list[Table]:
        """Return the newest tables that a browser created or plays at."""
        return await self.glances.at([row.id for row in await self.store.held(holder, limit)])

    async def waiting(self, holder: str) -> list[tuple[Table, datetime]]:
        """Return the games that await a browser, and since when.

        Those at which other people play come first; in each part, the one that has waited longest does.
        """

        def against_bots(table: Table) -> bool:
            return all(not p.person or p.holder == holder for p in table.players)

        since = dict(await self.store.playing(holder, MOST_WAITING))
        waiting = [
            (table, since[table.id])
            for table in await self.glances.at(list(since))
            if set(table.awaited()) & set(table.players_of(holder))
        ]
        return sorted(waiting, key=lambda game: against_bots(game[0]))

    async def listed(self, limit: int = LISTED, phase: str | None = None) -> list[Table]:
        """Return the newest listed tables, all or of a phase, that are not over and not abandoned."""
        tables = await self.glances.at([row.id for row in await self.store.listed(limit, phase)])
        return [table for table in tables if table.running or (table.phase == "lobby" and open_places(table))]

    async def unfinished(self, holder: str) -> list[Table]:
        """Return the tables of a browser that are not over, abandoned or closed, the newest moves first."""
        tables = await self.glances.at(await self.store.unfinished(holder, MOST_WAITING))
        return [table for table in tables if not table.fully_visible]

    async def forget(self, holder: str) -> Forgotten:
        """Delete everything about a browser: see ``Keeping.forget``."""
        gone = await self.upkeep.keeping.forget(holder)
        self.tokens.forget(holder)
        await self.upkeep.notice()
        return gone

    async def rekey(self, old: str, new: str) -> None:
        """Give everything of a browser to another secret of it: see ``Keeping.rekey``."""
        await self.upkeep.keeping.rekey(old, new)
        self.tokens.forget(old)
        await self.upkeep.notice()

    async def sweep(self, now: datetime, settings: Abandon) -> list[str]:
        """Mark idle tables as abandoned, and return their ids.

        The mark is removed when a player does something.
        """
        lobbies, games = (None if after is None else now - after for after in (settings.lobby, settings.game))
        ids = await self.store.abandon(lobbies, games, self.owning.me.id if self.owning.me else None)
        for live in [live for id in ids if (live := self.registry.get(id))]:
            await self.engine.refresh(live)
        return ids

    def left(self, table: Table) -> list[int | None]:
        """Return the milliseconds left on every player's clock; None if untimed.

        Of a table that another server has, by the date at which that one saved them.
        """
        if live := self.registry.get(table.id):
            spent = self.engine.context(live).spent
        else:
            ago = self.runtime.now() - (table.opened_at or self.runtime.now())
            spent = max(0, ago // timedelta(milliseconds=1))
        return [clocks.left(table, player.index, spent) for player in table.players]

    async def record(self, id: str, player: int | None = None) -> str:
        """Return the record: complete when the game is over, else what the player (None: nobody) sees.

        Raises ``BadOption``, ``Busy`` and ``Stopped``.
        """
        table = await self.table(id)
        if player is not None and not 0 <= player < table.options.players:
            raise BadOption([_("choose one of the {n} players").format(n=table.options.players)])
        return await replaying.run(
            self.workers,
            len(table.game.log) > LONG_LOG,
            replaying.record,
            table.game,
            table.date,
            [(p.name, p.bot) for p in table.players],
            None if table.fully_visible else table.eyes(player),
            in_record(table, await self.making.notes.of(table)),
            await self.engine.proof(table),
        )
