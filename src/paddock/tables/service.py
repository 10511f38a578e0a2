"""``Tables``: creates, loads, changes and watches tables."""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import asdict
from datetime import datetime
from typing import Any, Self, TypeVar

from paddock import records
from paddock.bots import BotPool, levels
from paddock.core.errors import BadMove, BadOption, BadRecord, PaddockError
from paddock.core.game import ChanceSource, Game
from paddock.core.i18n import Sentence, _
from paddock.core.log import Entry
from paddock.core.options import LONGEST_WORD, Options, digests
from paddock.core.title import Preview, Title, notation
from paddock.core.title import title as find_title
from paddock.kernel.source import System
from paddock.store import AnswerRow, EventRow, PendingRow, PlayerRow, Store, Writing, only_server
from paddock.tables import clock as clocks
from paddock.tables import lessons, submission
from paddock.tables.autoplay import AutoPlay
from paddock.tables.errors import Forbidden, Frozen, NoTable
from paddock.tables.fold import Broken, begin, decision_rows, draw_due_chance, fold
from paddock.tables.live import LiveTable
from paddock.tables.make import ME, check_pace, cut, is_id, is_key, people
from paddock.tables.names import NameFilter
from paddock.tables.orders import StandingOrders
from paddock.tables.presence import Presence
from paddock.tables.restore import restore, table_row, take_in
from paddock.tables.runtime import MoveChooser, Runtime
from paddock.tables.seats import Seats, check_grace
from paddock.tables.submission import Submitted
from paddock.tables.table import Player, Table
from paddock.tables.talk import Talk
from paddock.tables.tokens import Tokens
from paddock.tables.undo import Undo

T = TypeVar("T")
log = logging.getLogger("paddock.tables")

CACHE = 200  # tables kept in memory, besides those that are needed
MOST_WAITING = 50  # running games of one browser that are looked at
GAP = 0.05  # seconds between resuming two tables after a start, so that requests come first


class Tables:
    """The tables of a store. Use it in one event loop only."""

    def __init__(
        self,
        store: Store,
        bots: MoveChooser,
        chance: ChanceSource | None = None,
        runtime: Runtime | None = None,
        *,
        names: NameFilter | None = None,
        cache: int = CACHE,
    ) -> None:
        self._store = store
        self._bots = bots
        self._chance = chance or System()
        self.runtime = runtime or Runtime()
        self._cache = cache
        self._live: OrderedDict[str, LiveTable] = OrderedDict()
        self._loading = asyncio.Lock()
        self._started = self.runtime.now()  # clocks ignore time before startup
        self._moving = False  # whether bots and timers run
        self._resuming: asyncio.Task[None] | None = None
        self._work: set[asyncio.Task[Any]] = set()  # running transactions
        self._autoplay = AutoPlay(self)
        self.presence = Presence(self)
        self.orders = StandingOrders(self)
        self.undo = Undo(self)
        self.lessons = lessons.Lessons(self)
        self.seats = Seats(self, names)
        self.talk = Talk(self)
        self.tokens = Tokens(self)

    @classmethod
    @asynccontextmanager
    async def open(
        cls,
        url: str | None = None,
        *,
        chance: ChanceSource | None = None,
        runtime: Runtime | None = None,
        names: NameFilter | None = None,
    ) -> AsyncIterator[Self]:
        """Open the database at ``url`` (None: the default of ``Store.open``), and start the bots.

        Raises ``StoreError`` if it cannot be used, or if another server uses the SQLite file.
        """
        with only_server(url):
            store = await Store.open(url)
            tables = cls(store, BotPool(), chance, runtime, names=names)
            tables.start_bots()
            try:
                yield tables
            finally:
                await tables.close()
                await store.close()

    def start_bots(self) -> None:
        """Start bots and timers: at once for tables in memory, and soon for all others."""
        self._moving = True
        for live in self._live.values():
            self._poke(live)
        self._resuming = asyncio.create_task(self._resume(), name="resuming tables")

    async def _resume(self) -> None:
        """Load tables with bots or timers after a start, one by one, the last touched first.

        A table without moving bots leaves memory again; ``Presence`` keeps its timer.
        """
        try:
            ids = await self._finish(self._store.restless())
        except Exception:
            log.exception("cannot list the tables to resume")
            return
        for id in ids:
            try:
                async with self._loading:
                    if id in self._live:
                        continue
                    live = await self._load(id)
                    if not live.needed:
                        self._let_go(id)
            except Exception:
                log.exception("cannot resume table %s", id)
            await self.runtime.sleep(GAP)

    async def close(self) -> None:
        """Stop the bots and timers. All acknowledged changes are stored already.

        Running clocks are saved for tables in memory; others keep their last saved value.
        """
        self._moving = False
        tasks = [live.bots for live in self._live.values() if live.bots]
        tasks += [self._resuming] if self._resuming else []
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self.presence.stop()
        down = [self.presence.write_down(live) for live in self._live.values()]
        await asyncio.gather(*down, return_exceptions=True)
        await asyncio.gather(*self._work, return_exceptions=True)
        self._bots.close()

    async def ready(self) -> None:
        """Return when the database answers; raise its error otherwise."""
        await self._finish(self._store.ping())

    async def _finish(self, work: Coroutine[Any, Any, T]) -> T:
        """Finish a transaction even if the request is cancelled.

        A task that is cancelled within a transaction may leave SQLite's only write lock taken.
        """
        task = asyncio.create_task(work)
        self._work.add(task)
        task.add_done_callback(self._work.discard)
        return await asyncio.shield(task)

    # Creating tables

    async def create(
        self,
        title: str,
        options: Mapping[str, Any],
        seats: Sequence[str],
        names: Sequence[str] = (),
        *,
        holder: str,
        kind: str = "race",
        pace: str = "human",
        start: Sequence[Entry] = (),
        clock: str = "",
        grace: int = 0,
    ) -> Table:
        """Create a table and draw its first chance.

        ``seats`` has "me" or the level of a bot for every player. ``start`` is the start of the log, for a
        lesson. ``clock`` is "" or "BANK+INCREMENT" in seconds. ``grace`` is the absence in seconds after
        which a bot stands in (0: never). Raises ``BadOption`` with every fault.
        """
        check_pace(pace)
        check_grace(grace)
        bank = clocks.full(clock)
        found = find_title(title)
        read = await self.options(found, options)
        players = people(found, read, seats, names, holder)
        game, rows = begin(found, read, [p.name for p in players], start, self._chance)
        table = self._new(game, players, kind, pace)
        table.clock, table.grace, table.host = clock, grace, holder
        for player in players:
            player.bank_ms = bank
        return await self._keep(table, rows, holder)

    async def options(self, title: Title, values: Mapping[str, Any]) -> Options:
        """Validate options, replacing digests of stored data; raise ``BadOption``."""
        known = await self.known(values)
        return title.options.read(values, find=known.get)

    async def known(self, values: Mapping[str, Any]) -> dict[str, str]:
        """Return the stored data that option values refer to, by digest."""
        texts = (value[:LONGEST_WORD] for value in values.values() if isinstance(value, str))
        return await self.data([digest for text in texts for digest in digests(text)])

    async def data(self, digests: Sequence[str]) -> dict[str, str]:
        """Return the stored data of these digests; unknown ones are left out."""
        return await self._finish(self._store.data(digests)) if digests else {}

    async def keep_data(self, data: Mapping[str, str]) -> None:
        """Store data that no table uses yet, by digest."""
        if data:
            await self._finish(self._store.keep(data))

    def _new(self, game: Game, players: list[Player], kind: str, pace: str) -> Table:
        id, now = self.runtime.table_id(), self.runtime.now()
        date = now.date().isoformat()
        table = Table(id, game.title, game.options, players, game, kind, pace, now, date)
        table.opened_at = table.touched_at = now
        return table

    async def _keep(self, table: Table, rows: list[EventRow], maker: str) -> Table:
        """Store a new table and add it to the cache."""
        row = table_row(table, maker, len(rows))
        players = [PlayerRow(**asdict(player)) for player in table.players]
        async with self._loading:  # otherwise ``_resume`` might load it at the same time
            await self._finish(self._store.create(row, players, rows, table.options.data))
            self._remember(table)
        return table

    async def upload(self, text: str, holder: str) -> Table:
        """Store a complete record as a permanent replay; raise ``BadRecord`` with the line and the reason."""

        def replay() -> tuple[records.Record, Game, list[EventRow]]:
            record = records.read(text)
            game = record.game()
            if not game.over:
                raise BadRecord(1, _("this game is not finished: only finished games can be uploaded"))
            return record, *begin(game.title, game.options, game.names, game.log, None)

        record, game, rows = await asyncio.to_thread(replay)
        players = [Player(i, name, level, None) for i, (name, level) in enumerate(record.players)]
        table = self._new(game, players, "upload", "instant")
        table.date = record.date
        return await self._keep(table, rows, holder)

    async def explore(self, id: str, entry: int, player: int, holder: str, pace: str = "human") -> Table:
        """Create a table that continues a finished game before its log entry ``entry`` (from 0).

        This browser plays ``player``, and bots play the others. Raises ``Forbidden`` while the game is
        running, and ``BadOption`` if nothing is left to decide.
        """
        source = await self.table(id)
        if not source.fully_visible:
            raise Forbidden(_("this game is still running: explore it after the end"))
        if not 0 <= player < source.options.players:
            raise BadOption([_("choose one of the {n} players").format(n=source.options.players)])
        check_pace(pace)
        past = cut(source, entry).log
        known = [level.name for level in levels(source.title)]
        seats = [p.bot if p.bot in known else known[-1] for p in source.players]
        seats[player] = ME
        players = people(source.title, source.options, seats, [p.name for p in source.players], holder)
        game, rows = begin(source.title, source.options, [p.name for p in players], past, self._chance)
        table = self._new(game, players, "explore", pace)
        table.origin = f"{source.id}/{len(past)}"
        return await self._keep(table, rows, holder)

    # Finding tables

    async def table(self, id: str) -> Table:
        """Return a table, and start its bots; raise ``NoTable``."""
        return (await self._find(id)).table

    async def tables_of(self, holder: str, limit: int = 12) -> list[Table]:
        """Return the newest tables that a browser created or plays at."""
        found = []
        for row in await self._finish(self._store.held(holder, limit)):
            with suppress(PaddockError):  # its title may not be installed any more
                found.append(await self.table(row.id))
        return found

    async def waiting(self, holder: str) -> list[tuple[Table, datetime]]:
        """Return the games that await a browser, and since when.

        Those at which other people play come first; in each part, the one that has waited longest does.
        """
        found = []
        for id, since in await self._finish(self._store.playing(holder, MOST_WAITING)):
            with suppress(PaddockError):
                table = await self.table(id)
                if set(table.awaited()) & set(table.players_of(holder)):
                    found.append((table, since))
        return sorted(found, key=lambda one: all(not p.person or p.holder == holder for p in one[0].players))

    def left(self, table: Table) -> list[int | None]:
        """Return the milliseconds left on every player's clock; None if untimed."""
        now = self.runtime.now()
        return [clocks.left(table, player.index, now) for player in table.players]

    async def _find(self, id: str) -> LiveTable:
        live = self._live.get(id)
        if live is None:
            async with self._loading:
                live = self._live.get(id)
                if live is None:
                    live = await self._load(id)
        self._live.move_to_end(id)
        return live

    async def _load(self, id: str) -> LiveTable:
        stored = await self._finish(self._store.load(id)) if is_id(id) else None
        if stored is None:
            raise NoTable(_("there is no table with this address: check that the link is complete"))
        table = await asyncio.to_thread(restore, stored)
        take_in(table, stored.table, stored.players, self._started)
        table.orders = {row.seat: row.text for row in stored.orders}
        table.undo = stored.undo
        return self._remember(table)

    def _remember(self, table: Table) -> LiveTable:
        live = self._live[table.id] = LiveTable(table, self.presence.of(table.id))
        for id in [id for id, other in self._live.items() if not other.needed and other is not live]:
            if len(self._live) <= self._cache:
                break
            self._let_go(id)
        self._poke(live)
        return live

    def _let_go(self, id: str) -> None:
        del self._live[id]
        self.presence.forget(id)

    # Moves

    async def submit(
        self,
        id: str,
        holder: str | None,
        seat: int,
        moves: str | Sequence[str],
        decision: int,
        key: str,
    ) -> Submitted:
        """Commit or play a move, or a chain of moves as in ``Game.play``, for the decision ``decision``.

        Moves are in notation. Retries with the same ``key`` (1 to 64 ASCII characters) get the same answer.
        A commitment can be replaced, and nobody else can notice. Raises ``NoTable``, ``Forbidden``,
        ``Frozen``, ``BadMove`` or ``IllegalMove``, and then plays nothing.
        """
        if not is_key(key):
            raise BadMove(_("the key of a submission has 1 to 64 characters"))
        self._allow(await self.table(id), holder, seat)
        await self.presence.seen(id, holder)
        live = await self._find(id)  # only now: the table may have left memory in between
        links = (moves,) if isinstance(moves, str) else tuple(moves)
        return await self._finish(self._decide(live, seat, links, decision, key))

    async def preview(self, id: str, holder: str | None, seat: int, moves: Sequence[str]) -> Preview:
        """Return the position after a chain of moves, as far as the player can predict it.

        Nothing is played or stored. Raises the same errors as ``submit``.
        """
        self._allow(await self.table(id), holder, seat)
        await self.presence.seen(id, holder)
        table = await self.table(id)
        if table.frozen:
            raise Frozen(table.frozen)
        if not table.running:
            raise BadMove(_("no game is running at this table"))
        return table.choosing(table.options.owners[seat]).preview(moves, seat)

    async def read(self, id: str, holder: str | None, player: int) -> None:
        """Mark all events as read by the player: see ``Table.since``.

        Raises ``NoTable`` or ``Forbidden``. Wakes nobody.
        """
        live = await self._find(id)
        if player not in live.table.players_of(holder):
            raise Forbidden(_("this player does not belong to this browser"))
        await self._finish(self._mark(live, player))

    async def _mark(self, live: LiveTable, player: int) -> None:
        length = len(live.table.game.log)
        if live.table.players[player].read_up_to == length or live.table.frozen:
            return
        async with self._writing(live) as (table, writing):
            length = len(table.game.log)
            await writing.player(player, read_up_to=length)
        table.players[player].read_up_to = length

    def _allow(self, table: Table, holder: str | None, seat: int) -> None:
        """Raise ``Forbidden`` unless the seat belongs to this browser."""
        if table.kind == "upload":
            raise Forbidden(_("this is the replay of a record: use Explore to play on from here"))
        mine = {s for player in table.players_of(holder) for s in table.seats_of(player)}
        if seat not in mine:
            raise Forbidden(
                _("{word} {number} does not belong to this browser").format(
                    word=_(table.title.seat_name), number=seat + 1
                )
            )

    async def _decide(
        self, live: LiveTable, seat: int, moves: Sequence[str | int], decision: int, key: str | None
    ) -> Submitted:
        """Submit after the permission check. Bots and standing orders have no key."""
        now = self.runtime.now()
        async with self._writing(live) as (table, writing):
            if key is not None and (old := await writing.answer(key)):
                if old.seat != seat:
                    raise BadMove(_("this key was used for another submission: send a new key"))
                return Submitted(old.status, Sentence.load(old.sentence))
            if decision != table.decision or (key is None and not self._autoplay.may(table, seat, moves)):
                return submission.late()
            if lessons.waits(table):
                raise BadMove(_("the lesson waits: try again, or go on"))
            game, pending = table.game, dict(table.pending)
            ids = submission.checked(game, seat, moves)
            said = notation(table.title, game.setup, ids)
            owner = table.players[table.options.owners[seat]]
            again, rows, after = seat in pending, table.rows, dict[str, Any]()
            if pending.get(seat) == ids[0]:
                answer = Submitted("duplicate", Sentence("{move} is already committed.", move=said))
            else:
                pending[seat] = ids[0]
                if not again:
                    after = self._answered(live, owner, seat, now, key)
                    await writing.touch(now)
                if after:
                    await writing.player(owner.index, **after)
                if len(pending) < len(game.deciders):
                    answer = Submitted("committed", Sentence("Committed: {move}.", move=said))
                    await writing.commit(PendingRow(decision, seat, ids[0]), now)
                else:
                    answer = Submitted("played", Sentence("Played: {move}.", move=said))
                    start, game = len(game.log), game.fork()
                    for s in sorted(pending):
                        game.play(s, ids if s == seat else pending[s])
                    lessons.draw_scripted(table, game)
                    draw_due_chance(game, self._chance)
                    events = decision_rows(game, start, decision, table.hash_prefix, rows)
                    await writing.append(events, now, game.over)
                    pending, rows = {}, rows + len(events)
            if key is not None:
                await writing.remember(AnswerRow(key, seat, decision, answer.status, answer.stored))
        if answer.status != "duplicate":
            for name, value in after.items():
                setattr(owner, name, value)
            if answer.status == "played":
                table.opened_at = now
            if not again:
                table.touched_at, table.abandoned = now, False
            self._set(live, game, pending, rows, owner.holder if again else None)
        return answer

    def _answered(
        self, live: LiveTable, owner: Player, seat: int, now: datetime, key: str | None
    ) -> dict[str, Any]:
        """Return what changes in the player's row when the seat answers: clock, stand-in, ``read_up_to``."""
        table = live.table
        after: dict[str, Any] = {} if key is None else {"read_up_to": len(table.game.log)}
        others = [s for s in table.awaited_seats() if s != seat and table.options.owners[s] == owner.index]
        bank = owner.bank_ms
        if not others:
            after["bank_ms"] = bank = clocks.answered(table, owner.index, now)
        if owner.stand_in and self.presence.returns(live, owner, bank):
            after["stand_in"] = False
        return after

    @asynccontextmanager
    async def _writing(self, live: LiveTable) -> AsyncIterator[tuple[Table, Writing]]:
        """Lock the table, open a transaction, and yield both, up to date; raise ``Frozen``."""
        async with live.lock:
            table = live.table
            async with self._store.write(table.id) as writing:
                await self._refresh(live, writing)
                if table.frozen:
                    raise Frozen(table.frozen)
                yield table, writing

    async def _refresh(self, live: LiveTable, writing: Writing) -> None:
        """Load what another process has written."""
        table = live.table
        if table.frozen:
            return
        take_in(table, writing.row, writing.players, self._started)
        game, rows = table.game, writing.length
        if rows != table.rows:
            game = game.fork()
            try:
                fold(game, await writing.events(table.rows), table.hash_prefix, table.rows)
            except Broken as broken:
                game, rows, table.fault = broken.game, broken.rows, broken.sentence
        pending = {row.seat: row.move for row in writing.pending if row.decision == rows}
        if game is not table.game or pending.keys() != table.pending.keys():
            self._set(live, game, pending, rows)
        else:
            table.pending = pending

    def _set(
        self,
        live: LiveTable,
        game: Game,
        pending: dict[int, int],
        rows: int,
        only: str | None = None,
    ) -> None:
        """Update the table in memory after a change was stored; ``rows`` is the length of its stored log.

        Wakes all watchers, or only those of the browser ``only``.
        """
        table = live.table
        if rows != table.rows:
            table.undo = None
        table.game, table.pending, table.rows = game, pending, rows
        self._wake(live, only)
        self._poke(live)

    # Watching

    @asynccontextmanager
    async def watch(
        self, id: str, holder: str | None = None
    ) -> AsyncIterator[Callable[[float | None], Awaitable[bool]]]:
        """Yield a function ``changed(seconds)`` that waits for a change and returns False after a timeout.

        Changes between two calls are not missed. A change that only the browser ``holder`` can see, such as
        a replaced commitment, wakes only its watchers. Raises ``NoTable``.
        """
        live = await self._find(id)
        event = asyncio.Event()
        live.watchers[event] = holder

        async def changed(seconds: float | None = None) -> bool:
            try:
                await asyncio.wait_for(event.wait(), seconds)
            except TimeoutError:
                return False
            event.clear()
            return True

        try:
            yield changed
        finally:
            del live.watchers[event]

    def _wake(self, live: LiveTable, only: str | None = None) -> None:
        """Wake all watchers, or only those of one browser."""
        for event, holder in live.watchers.items():
            if only is None or holder == only:
                event.set()

    def _poke(self, live: LiveTable) -> None:
        """Update bots, orders and timers after a change."""
        self._autoplay.poke(live)
        self.presence.poke(live)

    # Records

    async def record(self, id: str, player: int | None = None) -> str:
        """Return the record: complete when the game is over, else what the player (None: nobody) sees."""
        table = await self.table(id)
        if player is not None and not 0 <= player < table.options.players:
            raise BadOption([_("choose one of the {n} players").format(n=table.options.players)])
        return records.write(
            table.game,
            date=table.date,
            players=[(p.name, p.bot) for p in table.players],
            eyes=None if table.fully_visible else table.eyes(player),
        )
