"""Seats: lobbies, hosts, players who join and leave, rematches, and abandoned tables.

Players manage their own seat, and the host manages all. Every change adds a line to the chat of the table,
and wakes its watchers.
"""

from __future__ import annotations

import asyncio
import hashlib
import secrets
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from paddock.bots import levels
from paddock.core.errors import BadOption, PaddockError
from paddock.core.game import ChanceSource, Game
from paddock.core.i18n import Sentence, Word, _, mark
from paddock.core.settings import Settings
from paddock.core.title import title as find_title
from paddock.store import Writing
from paddock.tables import clock as clocks
from paddock.tables.errors import Forbidden
from paddock.tables.fold import decision_rows, draw_due_chance
from paddock.tables.make import check_pace, clean, free_name, free_usual_name, name_taken, people, usual_name
from paddock.tables.names import NameFilter
from paddock.tables.table import Player, Table
from paddock.tables.talk import announce

if TYPE_CHECKING:
    from paddock.tables.service import Tables

LONGEST_GRACE = 30 * 86400  # seconds
LISTED = 20  # tables that the home page lists


@dataclass(frozen=True)
class Abandon:
    """The idle times after which lobbies and games are marked as abandoned; None: never."""

    lobby: timedelta | None = timedelta(days=1)
    game: timedelta | None = timedelta(days=30)

    @classmethod
    def of(cls, settings: Settings) -> Abandon:
        """Return the times in the settings, where 0 means never."""
        return cls(
            timedelta(hours=settings.abandon_lobby_hours) or None,
            timedelta(days=settings.abandon_game_days) or None,
        )


@dataclass
class _Change:
    """One transaction on seats. ``stored`` copies its changes to memory after the commit."""

    table: Table
    writing: Writing
    now: datetime
    _agreed: dict[str, Any] = field(default_factory=dict)
    _players: list[tuple[Player, dict[str, Any]]] = field(default_factory=list)
    _orders: dict[int, str] | None = None
    dealt: bool = False

    def __post_init__(self) -> None:
        self.game, self.rows = self.table.game, self.table.rows

    async def player(self, player: Player, **columns: Any) -> None:
        await self.writing.player(player.index, **columns)
        self._players.append((player, columns))

    async def agree(self, **columns: Any) -> None:
        await self.writing.change(**columns)
        self._agreed |= columns

    async def say(self, sentence: str, **words: Word) -> None:
        await announce(self.writing, self.now, Sentence(sentence, **words))

    async def empty(self, player: Player, **columns: Any) -> None:
        """Reset a seat, and delete the data of the person who had it.

        A mute stays unless ``columns`` change it, so that nobody can end it by leaving and joining again.
        """
        seats = self.table.seats_of(player.index)
        for seat in seats:
            await self.writing.drop_order(seat)
        orders = self.table.orders if self._orders is None else self._orders
        self._orders = {seat: text for seat, text in orders.items() if seat not in seats}
        bank = clocks.left(self.table, player.index, self.now)
        blank = {"holder": None, "ready": False, "stand_in": False, "recovery": None}
        name = free_usual_name(self.table, player)
        await self.player(player, **{**blank, "name": name, "read_up_to": 0, "bank_ms": bank, **columns})

    async def deal(self, chance: ChanceSource) -> None:
        """Start the game."""
        self.game = self.game.fork()
        draw_due_chance(self.game, chance)
        rows = decision_rows(self.game, 0, 0, self.table.hash_prefix)
        await self.writing.append(rows, self.now, self.game.over)
        await self.agree(phase="play", opened_at=self.now)
        await self.say(mark("Everybody is ready: the game begins."))
        self.dealt, self.rows = True, len(rows)

    def stored(self) -> None:
        """Copy the changes to memory after the commit."""
        for name, value in self._agreed.items():
            setattr(self.table, name, value)
        for player, columns in self._players:
            for name, value in columns.items():
                setattr(player, name, value)
        if self._orders is not None:
            self.table.orders = self._orders
        self.game.names = tuple(player.name for player in self.table.players)


class Seats:
    """The seats of all tables."""

    def __init__(self, tables: Tables, names: NameFilter | None = None) -> None:
        self._tables = tables
        self._names = names or NameFilter()
        self._making = asyncio.Lock()  # one rematch at a time

    # Lobbies

    async def open_lobby(
        self,
        title: str,
        options: Mapping[str, Any],
        seats: Sequence[str],
        names: Sequence[str] = (),
        *,
        holder: str,
        pace: str = "human",
        listed: bool = False,
        clock: str = "",
        grace: int = 0,
    ) -> Table:
        """Create a lobby with this browser as its host.

        ``seats`` has "me", "open" or the level of a bot for every player; ``clock`` and ``grace`` are as in
        ``Tables.create``. Raises ``BadOption`` with every fault.
        """
        check_pace(pace)
        clocks.read(clock)
        check_grace(grace)
        found = find_title(title)
        read = await self._tables.options(found, options)
        players = people(found, read, seats, names, holder, lobby=True)
        if faults := [fault for player in players if (fault := self._fault(players, player, player.name))]:
            raise BadOption(faults)
        game = Game(found, read, None, [player.name for player in players])
        table = self._tables._new(game, players, "race", pace)
        table.listed, table.clock, table.grace = listed, clock, grace
        return await self._open(table, holder)

    async def _open(self, table: Table, host: str) -> Table:
        table.phase, table.host, table.opened_at = "lobby", host, None
        bank = clocks.full(table.clock)
        for player in table.players:
            player.bank_ms = bank
        return await self._tables._keep(table, [], host)

    # Players

    async def claim(self, id: str, holder: str, player: int, name: str = "") -> None:
        """Take an open seat in a lobby or a running game; no effect if the seat is yours already.

        Raises ``NoTable``, ``Frozen``, ``Forbidden`` and ``BadOption``.
        """
        await self._change(id, lambda change: self._claim(change, holder, player, name))

    async def _claim(self, change: _Change, holder: str, player: int, name: str) -> bool:
        table, who = change.table, _player(change.table, player)
        if who.holder == holder:
            return False
        _check_open(table)
        if who.bot or who.holder:
            raise Forbidden(_("{name} already has that seat: choose another one").format(name=who.name))
        await _check_welcome(change, holder)
        if table.phase == "play" and table.players_of(holder):
            raise Forbidden(_("you already play at this table, and nobody may see two hands"))
        name = self._name(table, who, name)
        sits = {"holder": holder, "name": name, "ready": False}
        await change.player(who, **sits, bank_ms=_uncharged(table, who, change.now))
        if table.host is None:
            await change.agree(host=holder)
        await change.say(mark("{name} joins as {place}."), name=name, place=_place(table, who))
        return True

    async def leave(self, id: str, holder: str, player: int) -> None:
        """Leave a seat, which becomes open. A host without a seat passes the role to another player.

        Raises the same errors as ``claim``.
        """
        await self._change(id, lambda change: self._leave(change, holder, player))

    async def _leave(self, change: _Change, holder: str, player: int) -> bool:
        who = _mine(change.table, holder, player)
        _check_open(change.table)
        await change.empty(who)
        words: dict[str, Word] = {"name": who.name, "place": _place(change.table, who)}
        await change.say(mark("{name} leaves: {place} is open."), **words)
        if change.table.host == holder and change.table.players_of(holder) == [player]:
            await _pass_on(change, holder)
        return True

    async def rename(self, id: str, holder: str, player: int, name: str) -> None:
        """Rename a player of this browser. Raises the same errors as ``claim``."""
        await self._change(id, lambda change: self._rename(change, holder, player, name))

    async def _rename(self, change: _Change, holder: str, player: int, name: str) -> bool:
        who = _mine(change.table, holder, player)
        _check_open(change.table)
        name = self._name(change.table, who, name)
        if name == who.name:
            return False
        await change.player(who, name=name)
        await change.say(mark("{old} is now called {new}."), old=who.name, new=name)
        return True

    async def ready(self, id: str, holder: str, player: int, ready: bool = True) -> bool:
        """Set whether a player is ready; return whether this starts the game.

        The game starts once every seat is taken and everybody is ready. Raises the same errors as ``claim``.
        """
        await self._change(id, lambda change: self._ready(change, holder, player, ready))
        return ready and (await self._tables.table(id)).phase == "play"

    async def _ready(self, change: _Change, holder: str, player: int, ready: bool) -> bool:
        table, who = change.table, _mine(change.table, holder, player)
        if table.phase == "play" and ready:
            return False  # no change
        _check_lobby(table)
        if who.ready == ready:
            return False
        await change.player(who, ready=ready)
        if ready:
            await change.say(mark("{name} is ready."), name=who.name)
        else:
            await change.say(mark("{name} is no longer ready."), name=who.name)
        if ready and not _missing(table, ready=player):
            await change.deal(self._tables._chance)
        return True

    # The host

    async def start(self, id: str, holder: str) -> None:
        """Start the game if all seats are taken and all are ready. Raises the same errors as ``claim``."""
        await self._change(id, lambda change: self._start(change, holder))

    async def _start(self, change: _Change, holder: str) -> bool:
        _check_host(change.table, holder)
        if change.table.phase == "play":
            return False
        _check_lobby(change.table)
        if missing := _missing(change.table):
            names = ", ".join(player.name for player in missing)
            raise Forbidden(_("not everybody is ready: still waiting for {names}").format(names=names))
        await change.deal(self._tables._chance)
        return True

    async def set_bot(self, id: str, holder: str, player: int, level: str | None) -> None:
        """Replace a player by a bot of this level; None opens a bot's seat for a person.

        For the host only, in the lobby and in a running game. Raises the same errors as ``claim``.
        """
        await self._change(id, lambda change: self._set_bot(change, holder, player, level))

    async def _set_bot(self, change: _Change, holder: str, player: int, level: str | None) -> bool:
        table = change.table
        _check_host(table, holder)
        _check_open(table)
        who = _player(table, player)
        if who.bot == level:
            return False
        labels = {found.name: found.label for found in levels(table.title)}
        if level is not None and level not in labels:
            choices = _(" or ").join(labels)
            raise BadOption([_("«{level}»: choose {choices}").format(level=level[:32], choices=choices)])
        place = _place(table, who)
        if level is None:
            await change.empty(who, bot=None, muted=False)
            await change.say(mark("The host opens {place}."), place=place)
            return True
        # In a running game a bot keeps the name of the player whom it replaces.
        name = who.name if table.phase == "play" else free_usual_name(table, who, level)
        await change.empty(who, bot=level, name=name, muted=False)
        words: dict[str, Word] = {"bot": Sentence(labels[level]), "place": place, "name": who.name}
        if who.holder is None:
            await change.say(mark("The host adds a bot ({bot}) as {place}."), **words)
        else:
            await change.say(mark("The host replaces {name} ({place}) with a bot ({bot})."), **words)
        if who.holder == table.host and table.players_of(who.holder) == [player]:
            await _pass_on(change, holder)
        return True

    async def free(self, id: str, host: str, player: int) -> None:
        """Open a person's seat; they may come back. Raises the same errors as ``claim``."""
        await self._change(id, lambda change: self._free(change, host, player))

    async def _free(self, change: _Change, host: str, player: int) -> bool:
        _check_host(change.table, host)
        _check_open(change.table)
        who = _person(change.table, player)
        if who.holder == host:
            raise Forbidden(_("this is your own seat: leave it instead"))
        await change.empty(who, muted=False)
        words: dict[str, Word] = {"name": who.name, "place": _place(change.table, who)}
        await change.say(mark("The host removes {name}: {place} is open."), **words)
        return True

    async def kick(self, id: str, host: str, player: int) -> None:
        """Ban a person's browser from the seats of this table. Raises the same errors as ``claim``."""
        await self._change(id, lambda change: self._kick(change, host, player))

    async def _kick(self, change: _Change, host: str, player: int) -> bool:
        table = change.table
        _check_host(table, host)
        _check_open(table)
        who = _person(table, player)
        if who.holder == host or who.holder is None:
            raise Forbidden(_("you cannot ban yourself: leave your seat instead"))
        await change.writing.ban(who.holder)
        for i in table.players_of(who.holder):
            await change.empty(table.players[i], muted=False)
            await change.say(mark("The host bans {name}."), name=table.players[i].name)
        return True

    async def mute(self, id: str, host: str, player: int, muted: bool = True) -> None:
        """Mute or unmute a person at this table. Raises the same errors as ``claim``."""
        await self._change(id, lambda change: self._mute(change, host, player, muted))

    async def _mute(self, change: _Change, host: str, player: int, muted: bool) -> bool:
        _check_host(change.table, host)
        who = _person(change.table, player)
        if who.muted == muted:
            return False
        await change.player(who, muted=muted)
        if muted:
            await change.say(mark("The host mutes {name}."), name=who.name)
        else:
            await change.say(mark("The host unmutes {name}."), name=who.name)
        return True

    # Moving a seat to another browser

    async def recovery(self, id: str, holder: str, player: int) -> str:
        """Create a recovery secret of 256 bits, which moves the seat to another browser.

        It replaces an earlier one. Only its hash is stored. Raises the same errors as ``claim``.
        """
        secret = secrets.token_urlsafe(32)

        async def keep(change: _Change) -> bool:
            await change.player(_mine(change.table, holder, player), recovery=_digest(secret))
            return False

        await self._change(id, keep)
        return secret

    async def recover(self, id: str, secret: str, holder: str) -> int:
        """Move a seat to this browser by its recovery secret, which is used up; return the player.

        The host role moves along. Raises the same errors as ``claim``.
        """
        found: list[int] = []
        digest = _digest(secret)

        async def move(change: _Change) -> bool:
            table = change.table
            whose = [p for p in table.players if p.recovery and secrets.compare_digest(p.recovery, digest)]
            if not whose:
                raise Forbidden(
                    _("this link was used already or replaced by a newer one: ask for a new link")
                )
            await _check_welcome(change, holder)
            who = whose[0]
            found.append(who.index)
            if table.host == who.holder:
                await change.agree(host=holder)
            await change.player(who, holder=holder, recovery=None)
            await change.say(mark("{name} continues in another browser."), name=who.name)
            return True

        await self._change(id, move)
        return found[0]

    # Rematches

    async def rematch(self, id: str, holder: str) -> Table:
        """Create the lobby of a rematch: the same people and bots, each moved on by one seat.

        A table has one rematch; later calls return the same. Raises ``NoTable``, ``Frozen``
        and ``Forbidden``.
        """
        async with self._making:
            old = await self._tables.table(id)
            if old.kind != "race" or not old.game.over:
                raise Forbidden(_("a rematch is possible after the game"))
            if not old.players_of(holder) and old.host != holder:
                raise Forbidden(_("only players of this table can ask for a rematch"))
            if old.rematch is None:
                new = await self._again(old, holder)

                async def keep(change: _Change) -> bool:
                    if change.table.rematch is None:  # no other process was faster
                        await change.agree(rematch=new.id)
                        await change.say(mark("A rematch is open: everybody moves one seat on."))
                    return True

                await self._change(id, keep)
            assert old.rematch is not None
            return await self._tables.table(old.rematch)

    async def _again(self, old: Table, holder: str) -> Table:
        n = len(old.players)
        players = []
        for i in range(n):
            who = old.players[i - 1]
            usual = who.name == usual_name(old.title, who.bot, who.index)
            name = usual_name(old.title, who.bot, i) if usual else who.name
            players.append(Player(i, name, who.bot, who.holder, muted=who.muted))
        for player in players:
            player.name = free_name(players, player, player.name)
        game = Game(old.title, old.options, None, [player.name for player in players])
        table = self._tables._new(game, players, "race", old.pace)
        table.listed, table.clock, table.grace, table.rematch_of = old.listed, old.clock, old.grace, old.id
        host = old.host if old.host and old.players_of(old.host) else holder
        return await self._open(table, host)

    # Frames on other sites

    async def embed(self, id: str, holder: str, allowed: bool) -> None:
        """Say whether other sites may show the table in a frame, if the server allows any.

        That is for the host; at a table without one, for any of its players. Raises ``Forbidden``.
        """

        async def change(change: _Change) -> bool:
            if not change.table.decides_embed(holder):
                raise Forbidden(_("only the host decides whether other sites may show this table"))
            if change.table.embed == allowed:
                return False
            await change.agree(embed=allowed)
            words = mark("Other sites may now show this table."), mark("Other sites may no longer show it.")
            await change.say(words[not allowed])
            return True

        await self._change(id, change)

    # Listed and abandoned tables

    async def listed(self, limit: int = LISTED) -> list[Table]:
        """Return the newest listed tables that are not over and not abandoned."""
        tables = self._tables
        found = []
        for row in await tables._finish(tables._store.listed(limit)):
            with suppress(PaddockError):  # its title may not be installed any more
                found.append(await tables.table(row.id))
        return [table for table in found if table.running or (table.phase == "lobby" and open_places(table))]

    async def sweep(self, now: datetime, settings: Abandon) -> list[str]:
        """Mark idle tables as abandoned, and return their ids.

        The mark is removed when a player does something.
        """
        tables = self._tables
        lobbies, games = (None if after is None else now - after for after in (settings.lobby, settings.game))
        ids = await tables._finish(tables._store.abandon(lobbies, games))
        for live in [tables._live[id] for id in ids if id in tables._live]:
            live.table.abandoned = True
            tables._wake(live)
        return ids

    # Helpers

    async def _change(self, id: str, do: Callable[[_Change], Awaitable[bool]]) -> None:
        """Run ``do`` in one transaction; it returns whether it changed anything."""
        tables = self._tables
        live = await tables._find(id)

        async def work() -> None:
            async with tables._writing(live) as (table, writing):
                change = _Change(table, writing, tables.runtime.now())
                visible = await do(change)
                if visible:
                    await writing.touch(change.now)
            change.stored()
            if visible:
                table.touched_at, table.abandoned = change.now, False
                tables._set(live, change.game, {} if change.dealt else table.pending, change.rows)

        await tables._finish(work())

    # Names

    def _name(self, table: Table, who: Player, given: str) -> str:
        """Return the cleaned name, or a default one if it is empty; raise ``BadOption``."""
        name = clean(given)
        if not name:
            return free_usual_name(table, who)
        if fault := self._fault(table.players, who, name):
            raise BadOption([fault])
        return name

    def _fault(self, players: Sequence[Player], who: Player, name: str) -> str | None:
        if self._names.refuses(name):
            return _("the name «{name}» is not allowed here: choose another one").format(name=name)
        if name_taken(players, who, name):
            return _("somebody here already has the name «{name}»: choose another one").format(name=name)
        return None


def check_grace(grace: int) -> None:
    """Raise ``BadOption`` for an invalid grace period in seconds."""
    if not 0 <= grace <= LONGEST_GRACE:
        raise BadOption([_("grace: choose 0 to {n} seconds").format(n=LONGEST_GRACE)])


def open_places(table: Table) -> list[int]:
    """Return the players whose seats are open."""
    return [player.index for player in table.players if player.bot is None and player.holder is None]


def _missing(table: Table, ready: int | None = None) -> list[Player]:
    """Return the players whom the start waits for; the player ``ready`` counts as ready."""
    waits = [p for p in table.players if p.bot is None and (p.holder is None or not p.ready)]
    return [p for p in waits if p.holder is None or p.index != ready]


async def _pass_on(change: _Change, host: str) -> None:
    """Pass the host role to another person, if there is one."""
    others = [p for p in change.table.players if p.person and p.holder != host]
    if others:
        await change.agree(host=others[0].holder)
        await change.say(mark("{name} is now the host."), name=others[0].name)


def _uncharged(table: Table, who: Player, now: datetime) -> int | None:
    """Return the bank for a seat that was open, so that the time since ``opened_at`` is not charged."""
    if who.bank_ms is None or table.opened_at is None or who.index not in table.awaited():
        return who.bank_ms
    return who.bank_ms + max(now - table.opened_at, timedelta()) // timedelta(milliseconds=1)


def _player(table: Table, player: int) -> Player:
    if not 0 <= player < len(table.players):
        raise BadOption([_("choose one of the {n} players").format(n=len(table.players))])
    return table.players[player]


def _mine(table: Table, holder: str, player: int) -> Player:
    who = _player(table, player)
    if who.holder != holder:
        raise Forbidden(_("{place} is not yours at this table").format(place=_place(table, who)))
    return who


def _person(table: Table, player: int) -> Player:
    who = _player(table, player)
    if not who.person:
        raise Forbidden(_("this seat has no person"))
    return who


def _check_host(table: Table, holder: str) -> None:
    if table.host != holder:
        raise Forbidden(_("only the host of this table can do that"))


def _check_open(table: Table) -> None:
    """Raise ``Forbidden`` if seats can no longer change."""
    if table.kind != "race":
        raise Forbidden(_("seats cannot change at this table"))
    if table.game.over:
        raise Forbidden(_("the game is over: ask for a rematch"))


def _check_lobby(table: Table) -> None:
    if table.phase != "lobby":
        raise Forbidden(_("the game has begun"))


async def _check_welcome(change: _Change, holder: str) -> None:
    if await change.writing.is_banned(holder):
        raise Forbidden(_("the host removed you from this table"))


def _place(table: Table, who: Player) -> Sentence:
    return Sentence("{word} {n}", word=Sentence(table.title.player_name), n=who.index + 1)


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()
