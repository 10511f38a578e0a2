"""Everything that happens at tables: who writes what, in which order, and who is woken."""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import asdict, dataclass, field
from typing import Any, Self, TypeVar

from paddock import records
from paddock.bots import BotPool, levels
from paddock.core.errors import BadMove, BadOption, BadRecord, PaddockError
from paddock.core.game import ChanceSource, Entry, Game, move_id
from paddock.core.i18n import _
from paddock.core.title import title as find_title
from paddock.kernel.source import System
from paddock.store import AnswerRow, EventRow, PendingRow, PlayerRow, Store, TableRow, Writing
from paddock.tables.errors import Forbidden, Frozen, NoTable
from paddock.tables.fold import Broken, begin, fold, go_on
from paddock.tables.make import ME, cut, is_id, is_key, people
from paddock.tables.restore import restore
from paddock.tables.table import PACES, Player, Table
from paddock.tables.world import Chooser, World

T = TypeVar("T")
log = logging.getLogger("paddock.tables")

CACHE = 200  # tables kept in memory; those with a bot at work or somebody watching always are
STALLED = (
    "The bots at this table have stopped: something went wrong, as the server's log says. Nothing is lost."
)


@dataclass(frozen=True)
class Submitted:
    """What became of a submission: "committed" (waits for the others), "played" (it stands, and what
    it led to), "changed" (taken back), "duplicate" (already committed), "late" (nothing changed)."""

    status: str
    sentence: str


@dataclass
class _Kept:
    """A table in memory, its writer's lock, who watches, and the task in which its bots move."""

    table: Table
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    watchers: set[asyncio.Event] = field(default_factory=set)
    bots: asyncio.Task[None] | None = None

    @property
    def needed(self) -> bool:
        return bool(self.watchers) or self.lock.locked() or (self.bots is not None and not self.bots.done())


class Tables:
    """The tables of a store. Belongs to one event loop."""

    def __init__(
        self,
        store: Store,
        bots: Chooser,
        chance: ChanceSource | None = None,
        world: World | None = None,
        *,
        cache: int = CACHE,
    ) -> None:
        self._store = store
        self._bots = bots
        self._chance = chance or System()
        self._world = world or World()
        self._cache = cache
        self._kept: OrderedDict[str, _Kept] = OrderedDict()
        self._loading = asyncio.Lock()
        self._moving = False  # whether bots move
        self._work: set[asyncio.Task[Any]] = set()  # transactions under way

    @classmethod
    @asynccontextmanager
    async def open(
        cls, url: str | None = None, *, chance: ChanceSource | None = None, world: World | None = None
    ) -> AsyncIterator[Self]:
        """The tables of the database at ``url`` (None: where ``Store.open`` looks), bots moving."""
        store = await Store.open(url)
        tables = cls(store, BotPool(), chance, world)
        tables.start_bots()
        try:
            yield tables
        finally:
            await tables.close()
            await store.close()

    def start_bots(self) -> None:
        """From now on bots move: at tables in memory at once, at any other when somebody looks at it."""
        self._moving = True
        for kept in self._kept.values():
            self._poke(kept)

    async def close(self) -> None:
        """Stop the bots. What is acknowledged is stored, so nothing else is left to do."""
        self._moving = False
        tasks = [kept.bots for kept in self._kept.values() if kept.bots]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await asyncio.gather(*self._work, return_exceptions=True)
        self._bots.close()

    async def ready(self) -> None:
        """Return when the database answers; raises what goes wrong."""
        await self._finish(self._store.ping())

    async def _finish(self, work: Coroutine[Any, Any, T]) -> T:
        """Carry a transaction through, even where who asked for it goes away.

        A task that is cancelled in the middle of one may leave SQLite's only write lock taken.
        """
        task = asyncio.create_task(work)
        self._work.add(task)
        task.add_done_callback(self._work.discard)
        return await asyncio.shield(task)

    # Making tables

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
    ) -> Table:
        """A new table, its first chance drawn.

        ``seats`` says of every player "me" or a bot's level; ``start`` is the beginning of a log,
        from which a lesson goes on. Raises ``BadOption`` with every fault.
        """
        _check_pace(pace)
        found = find_title(title)
        read = found.options.read(options)
        players = people(found, read, seats, names, holder)
        game, rows = begin(found, read, [p.name for p in players], start, self._chance)
        return await self._keep(self._new(game, players, kind, pace), rows, holder)

    def _new(self, game: Game, players: list[Player], kind: str, pace: str) -> Table:
        id, now = self._world.table_id(), self._world.now()
        return Table(id, game.title, game.options, players, game, kind, pace, now, now.date().isoformat())

    async def _keep(self, table: Table, rows: list[EventRow], maker: str) -> Table:
        """Store a new table and take it into the cache."""
        row = TableRow(
            id=table.id,
            title=table.title.name,
            revision=table.title.revision,
            options=table.options.text,
            kind=table.kind,
            pace=table.pace,
            created=table.created,
            date=table.date,
            maker=maker,
            origin=table.origin,
            length=len(rows),
            over=table.game.over,
        )
        players = [PlayerRow(**asdict(player)) for player in table.players]
        await self._finish(self._store.create(row, players, rows))
        self._remember(table)
        return table

    async def upload(self, text: str, holder: str) -> Table:
        """A permanent replay of a complete record; raises ``BadRecord`` with the line and the reason."""

        def replay() -> tuple[records.Record, Game, list[EventRow]]:
            record = records.read(text)
            game = record.game()
            if not game.over:
                raise BadRecord(1, _("this game is not finished: only finished games become replays"))
            return record, *begin(game.title, game.options, game.names, game.log, None)

        record, game, rows = await asyncio.to_thread(replay)
        players = [Player(i, name, level, None) for i, (name, level) in enumerate(record.players)]
        table = self._new(game, players, "upload", "instant")
        table.date = record.date
        return await self._keep(table, rows, holder)

    async def explore(self, id: str, entry: int, player: int, holder: str, pace: str = "human") -> Table:
        """A new table that goes on from a finished one, where its entry ``entry`` (from 0) was to come.

        This browser plays ``player``, bots the others. Raises ``Forbidden`` while the game runs, and
        ``BadOption`` where nothing is left to decide.
        """
        source = await self.table(id)
        if not source.open:
            raise Forbidden(_("this game is still being played: explore it when it is over"))
        if not 0 <= player < source.options.players:
            raise BadOption([_("choose one of the {n} players").format(n=source.options.players)])
        _check_pace(pace)
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
        """The table, its bots at work; raises ``NoTable``."""
        return (await self._find(id)).table

    async def tables_of(self, holder: str, limit: int = 12) -> list[Table]:
        """The newest tables that a browser made or sits at."""
        found = []
        for row in await self._finish(self._store.held(holder, limit)):
            with suppress(PaddockError):  # of a title that is no longer installed
                found.append(await self.table(row.id))
        return found

    async def _find(self, id: str) -> _Kept:
        kept = self._kept.get(id)
        if kept is None:
            async with self._loading:
                kept = self._kept.get(id)
                if kept is None:
                    stored = await self._finish(self._store.load(id)) if is_id(id) else None
                    if stored is None:
                        raise NoTable(_("there is no table with this address: was it copied whole?"))
                    kept = self._remember(await asyncio.to_thread(restore, stored))
        self._kept.move_to_end(id)
        return kept

    def _remember(self, table: Table) -> _Kept:
        kept = self._kept[table.id] = _Kept(table)
        for id in [id for id, other in self._kept.items() if not other.needed and other is not kept]:
            if len(self._kept) <= self._cache:
                break
            del self._kept[id]
        self._poke(kept)
        return kept

    # Deciding

    async def submit(
        self, id: str, holder: str | None, seat: int, move: str, decision: int, key: str
    ) -> Submitted:
        """Commit or play a move, given in notation, for the decision that the browser saw.

        The same ``key`` (1 to 64 characters of ASCII) gets the same answer. A seat that is
        committed is committed anew. Raises ``NoTable``, ``Forbidden``, ``Frozen``, ``BadMove``
        and ``IllegalMove``, and then nothing has changed.
        """
        if not is_key(key):
            raise BadMove(_("the key of a submission has 1 to 64 characters"))
        kept = await self._find(id)
        self._allow(kept.table, holder, seat)
        return await self._finish(self._decide(kept, seat, move, decision, key))

    async def change(self, id: str, holder: str | None, seat: int, decision: int) -> Submitted:
        """Take a commitment back while it is not revealed; raises as ``submit`` does."""
        kept = await self._find(id)
        self._allow(kept.table, holder, seat)
        return await self._finish(self._take_back(kept, seat, decision))

    async def _take_back(self, kept: _Kept, seat: int, decision: int) -> Submitted:
        """``change``, for a seat that may."""
        async with self._writing(kept) as (table, writing):
            if decision != table.decision:
                return _late()
            await writing.take_back(decision, seat)
            pending = {s: m for s, m in table.pending.items() if s != seat}
        self._set(kept, table.game, pending)
        return Submitted("changed", _("Taken back: choose again."))

    def _allow(self, table: Table, holder: str | None, seat: int) -> None:
        """Raises ``Forbidden`` unless the seat is this browser's."""
        if table.kind == "upload":
            raise Forbidden(_("this is the replay of a record: explore from here to play on"))
        mine = {s for player in table.players_of(holder) for s in table.seats_of(player)}
        if seat not in mine:
            raise Forbidden(
                _("{word} {number} is not played from this browser").format(
                    word=table.title.seat_name, number=seat + 1
                )
            )

    async def _decide(
        self, kept: _Kept, seat: int, move: str | int, decision: int, key: str | None
    ) -> Submitted:
        """``submit``, for a seat that may; bots give no key."""
        now = self._world.now()
        async with self._writing(kept) as (table, writing):
            if key is not None and (old := await writing.answer(key)):
                return Submitted(old.status, old.sentence)
            if decision != table.decision:
                return _late()
            game, pending = table.game, dict(table.pending)
            if fault := game.why(seat, move):
                raise fault
            typed = table.title.text.move(move_id(table.title, move))
            if pending.get(seat) == typed.id or (key is None and seat in pending):
                answer = Submitted("duplicate", _("{move} is already committed.").format(move=typed))
            else:
                pending[seat] = typed.id
                if len(pending) < len(game.deciders):
                    answer = Submitted("committed", _("Committed: {move}.").format(move=typed))
                    await writing.commit(PendingRow(decision, seat, typed.id), now)
                else:
                    answer = Submitted("played", _("Played: {move}.").format(move=typed))
                    game = game.fork()
                    moves = [Entry(s, pending[s]) for s in sorted(pending)]
                    await writing.append(go_on(game, moves, decision, self._chance), now, game.over)
                    pending = {}
            if key is not None:
                await writing.remember(AnswerRow(key, seat, decision, answer.status, answer.sentence))
        if answer.status != "duplicate":
            self._set(kept, game, pending)
        return answer

    @asynccontextmanager
    async def _writing(self, kept: _Kept) -> AsyncIterator[tuple[Table, Writing]]:
        """The table as it is stored, and a transaction on it; raises ``Frozen``."""
        async with kept.lock:
            table = kept.table
            async with self._store.write(table.id) as writing:
                await self._refresh(kept, writing)
                if table.frozen:
                    raise Frozen(table.frozen)
                yield table, writing

    async def _refresh(self, kept: _Kept, writing: Writing) -> None:
        """Take in what another process has written."""
        table = kept.table
        if table.frozen:
            return
        game = table.game
        if writing.length != table.decision:
            game = game.fork()
            try:
                fold(game, await writing.events(table.decision))
            except Broken as broken:
                game, table.frozen = broken.game, str(broken)
        pending = {row.seat: row.move for row in writing.pending if row.decision == len(game.log)}
        if game is not table.game or pending != table.pending:
            self._set(kept, game, pending)

    def _set(self, kept: _Kept, game: Game, pending: dict[int, int]) -> None:
        """The table as it is now stored; wakes everybody."""
        kept.table.game, kept.table.pending = game, pending
        self._wake(kept)
        self._poke(kept)

    # Watching

    @asynccontextmanager
    async def watch(self, id: str) -> AsyncIterator[Callable[[float | None], Awaitable[bool]]]:
        """A function ``changed(seconds)`` that waits for a change of the table and says whether one came.

        Counted from here on, so that none is missed between two calls. Raises ``NoTable``.
        """
        kept = await self._find(id)
        event = asyncio.Event()
        kept.watchers.add(event)

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
            kept.watchers.discard(event)

    def _wake(self, kept: _Kept) -> None:
        for event in kept.watchers:
            event.set()

    # Bots

    def _poke(self, kept: _Kept) -> None:
        """Let the bots of a table move, if they should and do not yet."""
        table = kept.table
        if not self._moving or table.stalled or not _bots_awaited(table):
            return
        if kept.bots is None or kept.bots.done():
            kept.bots = asyncio.create_task(self._move_bots(kept), name=f"bots of {table.id}")

    async def _move_bots(self, kept: _Kept) -> None:
        """Move for the bots until a person is awaited alone; a failure stops them, and is told."""
        table = kept.table
        try:
            decision, due = -1, dict[int, float]()
            while seats := _bots_awaited(table):
                if decision != table.decision:
                    # Every pause is drawn before anything is known of the hands and the choices.
                    decision, now = table.decision, self._world.elapsed()
                    due = {seat: now + self._pause(table) for seat in seats}
                seat = min(seats, key=lambda seat: due[seat])
                player = table.players[table.options.owners[seat]]
                seen = table.seen(player.index)
                assert player.bot is not None
                move = await self._bots.choose(
                    player.bot, seen, seat, seen.legal(seat), self._world.bot_seed()
                )
                await self._world.sleep(max(0.0, due[seat] - self._world.elapsed()))
                await self._finish(self._decide(kept, seat, move, decision, None))
        except Exception:
            log.exception("the bots of table %s have stopped", table.id)
            table.stalled = _(STALLED)
            self._wake(kept)

    def _pause(self, table: Table) -> float:
        return 0.0 if table.pace == "instant" else self._world.pause()

    # Records

    async def record(self, id: str, player: int | None = None) -> str:
        """The record: the whole game once it is over, before that what the player (None: nobody) sees."""
        table = await self.table(id)
        if player is not None and not 0 <= player < table.options.players:
            raise BadOption([_("choose one of the {n} players").format(n=table.options.players)])
        return records.write(
            table.game,
            date=table.date,
            players=[(p.name, p.bot) for p in table.players],
            eyes=None if table.open else table.eyes(player),
        )


def _check_pace(pace: str) -> None:
    if pace not in PACES:
        raise BadOption([_("pace: choose {paces}").format(paces=_(" or ").join(PACES))])


def _bots_awaited(table: Table) -> list[int]:
    """The seats of bots that still must decide."""
    return [seat for seat in table.awaited_seats() if table.players[table.options.owners[seat]].bot]


def _late() -> Submitted:
    return Submitted(
        "late", _("That was decided meanwhile: look again and choose. Nothing of yours was changed.")
    )
