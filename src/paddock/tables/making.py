"""Creates tables: games at once, lobbies, replays of records, explored games and rematches."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, TypeVar

from paddock.bots import levels
from paddock.bots.fair import new_secret
from paddock.core.errors import BadOption
from paddock.core.game import ChanceSource, Game
from paddock.core.i18n import _, mark
from paddock.core.log import Entry
from paddock.core.options import LONGEST_WORD, Options, digests
from paddock.core.title import Title
from paddock.core.title import title as find_title
from paddock.store import Store
from paddock.store.kinds import EXPLORED, RACE, RECORD, Kind
from paddock.store.terms import Terms
from paddock.tables import clock as clocks
from paddock.tables import replaying
from paddock.tables.change import Change
from paddock.tables.context import Context
from paddock.tables.engine import Engine
from paddock.tables.errors import Elsewhere, Forbidden
from paddock.tables.fold import begin
from paddock.tables.make import ME, check_terms, cut, free_name, has_usual_name, people, usual_name
from paddock.tables.names import NameFilter
from paddock.tables.notes import Notes
from paddock.tables.registry import Also, Registry
from paddock.tables.replaying import LONG_LOG, LONG_TEXT
from paddock.tables.runtime import Runtime
from paddock.tables.seats import fault_of_name
from paddock.tables.table import Player, Table
from paddock.tables.threads import off_loop
from paddock.tables.workers import Workers

T = TypeVar("T")


@dataclass(frozen=True)
class Sitter:
    """Who gets a seat of a new table: "me" for the browser ``holder``, or the level of a bot."""

    who: str
    name: str = ""
    holder: str | None = None


class Making:
    """Creates tables and stores them."""

    def __init__(
        self,
        store: Store,
        registry: Registry,
        engine: Engine,
        runtime: Runtime,
        chance: ChanceSource,
        names: NameFilter,
        workers: Workers,
    ) -> None:
        self._store = store
        self._registry = registry
        self._engine = engine
        self._runtime = runtime
        self._chance = chance
        self._names = names
        self._workers = workers
        self.notes = Notes()
        self._rematch = asyncio.Lock()  # one at a time

    async def create(
        self,
        title: str,
        options: Mapping[str, Any],
        seats: Sequence[str],
        names: Sequence[str] = (),
        *,
        holder: str,
        kind: Kind = RACE,
        start: Sequence[Entry] = (),
        terms: Terms = Terms(),
    ) -> Table:
        """Create a table and draw its first chance.

        ``seats`` has "me" or the level of a bot for every player. ``start`` is the start of the log, for a
        lesson. Only lobbies are listed. Raises ``BadOption`` with every fault.
        """
        if terms.fair:
            raise BadOption([_("fair cards need a lobby, where everybody sees the hash before the start")])
        table_title, table_options = await self._checked_arguments(title, options, terms)
        players = people(table_title, table_options, seats, names, holder)
        game, rows = begin(table_title, table_options, [p.name for p in players], start, self._chance)
        table = self._new_table(game, players, kind, replace(terms, listed=False), holder)
        table.host = holder
        return await self._registry.create(table, rows)

    async def deal(
        self,
        title: Title,
        options: Options,
        seats: Sequence[Sitter],
        *,
        host: str | None,
        kind: Kind,
        deal: str,
        chance: ChanceSource,
        terms: Terms,
        also: Callable[[Table], Also] | None = None,
    ) -> Table:
        """Create a table with the chance of a ``deal``, and begin; raise ``BadOption`` for a bad name.

        ``also`` gets the table and returns what is stored with it: see ``Store.create``.
        """
        check_terms(terms)
        players = _seated(title, options, seats)
        faults = [fault_of_name(self._names, players, who, who.name) for who in players if who.person]
        if any(faults):
            raise BadOption([fault for fault in faults if fault])
        game, rows = begin(title, options, [player.name for player in players], (), chance)
        table = self._new_table(game, players, kind, terms, host)
        table.host, table.deal = host, deal
        return await self._registry.create(table, rows, also(table) if also else None)

    async def open_lobby(
        self,
        title: str,
        options: Mapping[str, Any],
        seats: Sequence[str],
        names: Sequence[str] = (),
        *,
        holder: str,
        terms: Terms = Terms(),
    ) -> Table:
        """Create a lobby with this browser as its host.

        ``seats`` has "me", "open" or the level of a bot for every player. Raises ``BadOption`` with every
        fault.
        """
        table_title, table_options = await self._checked_arguments(title, options, terms)
        players = people(table_title, table_options, seats, names, holder, lobby=True)
        faults = [fault_of_name(self._names, players, player, player.name) for player in players]
        if any(faults):
            raise BadOption([fault for fault in faults if fault])
        game = Game(table_title, table_options, None, [player.name for player in players])
        table = self._new_table(game, players, RACE, terms, holder)
        return await self._lobby(table, holder)

    async def pair(
        self,
        title: str,
        options: Mapping[str, Any],
        seats: Sequence[Sitter],
        *,
        host: str,
        terms: Terms,
        also: Callable[[str], Also],
    ) -> Table:
        """Create a table for people who have agreed to play, each in their own browser, and begin the game.

        It is listed if its terms say so. ``also`` gets the id of the table and returns what is stored with
        it: see ``Store.create``, whose errors this raises too. Raises ``BadOption``.
        """
        table_title, table_options = await self._checked_arguments(title, options, terms)
        players = _seated(table_title, table_options, seats)
        for i, player in enumerate(players):
            players[i] = replace(player, name=free_name(players, player, player.name))
        game, rows = begin(table_title, table_options, [p.name for p in players], (), self._chance)
        table = self._new_table(game, players, RACE, terms, host)
        table.host = host
        return await self._registry.create(table, rows, also(table.id))

    async def upload(self, text: str, holder: str) -> Table:
        """Store a complete record as a permanent replay.

        Raises ``BadRecord`` with the line and the reason, ``Busy`` and ``Stopped``.
        """
        done = await replaying.run(self._workers, len(text) > LONG_TEXT, replaying.upload, text)
        players = [Player(i, name, level, None) for i, (name, level) in enumerate(done.players)]
        table = self._new_table(done.game, players, RECORD, Terms(pace="instant"), holder)
        table.date = done.date
        return await self._registry.create(table, done.rows, await self.notes.also(table.id, done.notes))

    async def explore(self, id: str, entry: int, player: int, holder: str, pace: str = "human") -> Table:
        """Create a table that continues a finished game before its log entry ``entry`` (from 0).

        This browser plays ``player``, and bots play the others. Raises ``Forbidden`` while the game is
        running, ``BadOption`` if nothing is left to decide, ``Busy`` and ``Stopped``.
        """
        source = (await self._registry.find(id)).table
        if not source.fully_visible:
            raise Forbidden(_("this game is still running: explore it after the end"))
        if not 0 <= player < source.options.players:
            raise BadOption([_("choose one of the {n} players").format(n=source.options.players)])
        terms = Terms(pace=pace)
        check_terms(terms)
        past = cut(source, entry).log
        known = [level.name for level in levels(source.title)]
        seats = [p.bot if p.bot in known else known[-1] for p in source.players]
        seats[player] = ME
        players = people(source.title, source.options, seats, [p.name for p in source.players], holder)
        names = [p.name for p in players]
        long = len(past) > LONG_LOG  # no chance is due after ``past``
        game, rows = await replaying.run(
            self._workers, long, replaying.resume, source.title, source.options, names, past
        )
        table = self._new_table(game, players, EXPLORED, terms, holder)
        table.origin = f"{source.id}/{len(past)}"
        return await self._registry.create(table, rows)

    async def rematch(self, id: str, holder: str) -> Table:
        """Create the lobby of a rematch: the same people and bots, each moved on by one seat.

        A table has one rematch; later calls return the same. Raises ``NoTable``, ``Frozen`` and
        ``Forbidden``.
        """
        async with self._rematch:
            old = (await self._registry.find(id)).table
            if not old.kind.race or not old.game.over:
                raise Forbidden(_("a rematch is possible after the game"))
            if not old.players_of(holder) and old.host != holder:
                raise Forbidden(_("only players of this table can ask for a rematch"))
            rematch_id = old.rematch
            if rematch_id is None:
                new = await self._make_rematch(old, holder)
                rematch_id = await self._engine.run(id, keep_rematch, new.id)
            try:
                return (await self._registry.find(rematch_id)).table
            except Elsewhere:
                return await self._registry.peek(rematch_id)

    async def _make_rematch(self, old: Table, holder: str) -> Table:
        """Create the lobby of a rematch: see ``rematch``."""
        players = []
        for i in range(len(old.players)):
            who = old.players[i - 1]
            name = usual_name(old.title, who.bot, i) if has_usual_name(old.title, who) else who.name
            players.append(Player(i, name, who.bot, who.holder, muted=who.muted))
        for i, player in enumerate(players):
            players[i] = replace(player, name=free_name(players, player, player.name))
        title, options = today(old)
        game = Game(title, options, None, [player.name for player in players])
        host = old.host if old.host and old.players_of(old.host) else holder
        table = self._new_table(game, players, RACE, old.terms, host)
        table.rematch_of = old.id
        return await self._lobby(table, host)

    async def _lobby(self, table: Table, host: str) -> Table:
        table.phase, table.host, table.opened_at = "lobby", host, None
        table.secret = new_secret() if table.terms.fair else None
        return await self._registry.create(table, [])

    async def _checked_arguments(
        self, title: str, options: Mapping[str, Any], terms: Terms
    ) -> tuple[Title, Options]:
        """Return the title of a new table and its options; raise ``BadOption``."""
        check_terms(terms)
        table_title = find_title(title)
        return table_title, await self.options(table_title, options)

    def _new_table(
        self, game: Game, players: list[Player], kind: Kind, terms: Terms, maker: str | None
    ) -> Table:
        """Return a new table, not stored yet, with full clocks."""
        now, bank = self._runtime.now(), clocks.full(terms.clock)
        return Table(
            id=self._runtime.table_id(),
            title=game.title,
            options=game.options,
            players=[replace(player, bank_ms=bank) for player in players],
            game=game,
            kind=kind,
            terms=terms,
            created=now,
            date=now.date().isoformat(),
            maker=maker,
            opened_at=now,
            touched_at=now,
        )

    # The data of options

    async def options(self, title: Title, values: Mapping[str, Any]) -> Options:
        """Validate options, replacing digests of stored data; raise ``BadOption``."""
        known = await self.known(values)
        return await beside(values, partial(title.options.read, values, find=known.get))

    async def known(self, values: Mapping[str, Any]) -> dict[str, str]:
        """Return the stored data that option values refer to, by digest."""
        texts = (value[:LONGEST_WORD] for value in values.values() if isinstance(value, str))
        return await self.data([digest for text in texts for digest in digests(text)])

    async def data(self, digests: Sequence[str]) -> dict[str, str]:
        """Return the stored data of these digests; unknown ones are left out."""
        return await self._store.data(digests) if digests else {}

    async def keep_data(self, data: Mapping[str, str]) -> None:
        """Store data that no table uses yet, by digest."""
        if data:
            await self._store.keep(data)


def _seated(title: Title, options: Options, seats: Sequence[Sitter]) -> list[Player]:
    """Return the players of a new table; raise ``BadOption`` with every fault."""
    players = people(title, options, [sitter.who for sitter in seats], [sitter.name for sitter in seats], "")
    return [replace(player, holder=sitter.holder) for player, sitter in zip(players, seats, strict=True)]


def today(old: Table) -> tuple[Title, Options]:
    """Return the title and the options of a table for another game: by today's rules, if they have them."""
    title = find_title(old.title.name)
    if title is old.title:
        return title, old.options
    try:
        return title, title.options.read_text(old.options.text, revision=old.title.revision)
    except BadOption:
        return old.title, old.options


async def beside(values: Mapping[str, Any], work: Callable[[], T]) -> T:
    """Run work that reads these option values: in a thread if one of them may be a file, which takes long."""
    data = any(isinstance(value, str) and len(value) > LONGEST_WORD for value in values.values())
    return await off_loop(work) if data else work()


def keep_rematch(table: Table, context: Context, id: str) -> Change[str]:
    """Keep the id of the table's rematch, unless another process was faster; the answer is the id kept."""
    change = Change(table, context.now, table.rematch or id)
    if table.rematch is None:
        change.table(rematch=id)
        change.announce(mark("A rematch is open: everybody moves to the next seat."))
        change.touch()
    return change
