"""Which tables this server has. On SQLite it is the only server, and has them all.

On PostgreSQL each table belongs to one server at a time (``paddock.store.leases``): only that one has it in
memory, answers for it, and moves for its bots. Others hand requests over to it: see ``web/handover.py``.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Callable
from contextlib import suppress
from typing import Protocol

from paddock.store import Leases, Peer, Unavailable, leases, no_answer
from paddock.tables.errors import Elsewhere
from paddock.tables.runtime import Runtime
from paddock.tables.tasks import background, end

log = logging.getLogger("paddock.tables")
BEATS = 5  # signs of life within the time of a lease
MARGIN = 1 / 16  # the part of a lease in which a server answers no more: an answer takes time, clocks differ
AGAIN = 0.3  # seconds before a sign of life is tried again after the database did not answer
PATIENCE = 4.0  # seconds that a request waits for the database to confirm the lease


class Owning(Protocol):
    """What a server has."""

    shared: bool  # whether there may be other servers
    me: Peer | None  # this server, as others know it; None if there are no others
    lost: asyncio.Event  # is set when this server loses all tables; then there is another one
    gone: Callable[[str], None]  # is called with the id of another server that has gone

    @property
    def valid(self) -> bool:
        """Whether nobody can have taken a table from this server since it took it."""

    async def sure(self) -> None:
        """Wait until that is known; raise ``Unavailable``."""

    async def take(self, id: str) -> bool:
        """Take a table that no other server has; return whether it was taken now. Raises ``Elsewhere``."""

    def lives(self, peer: Peer) -> bool:
        """Whether another server ran when this one looked last."""

    async def news(self, seconds: float) -> None:
        """Wait until another server has come or gone, at most so long."""

    async def freed(self) -> bool:
        """Wait until tables may have become free; return False if that never happens."""

    async def close(self) -> None:
        """Free all tables."""


class Alone:
    """The only server of a database, or a program that is none."""

    shared = False
    me: Peer | None = None
    valid = True

    def __init__(self) -> None:
        self.lost = asyncio.Event()
        self.gone: Callable[[str], None] = lambda _id: None

    async def sure(self) -> None:
        """Nothing can be lost."""

    async def take(self, id: str) -> bool:
        """Every table is there already."""
        return False

    def lives(self, peer: Peer) -> bool:
        """There are no others."""
        return False

    async def news(self, seconds: float) -> None:
        """There are no others."""

    async def freed(self) -> bool:
        """No other server frees any."""
        return False

    async def close(self) -> None:
        """Nobody else waits for them."""


class Shared:
    """One of the servers of a PostgreSQL database.

    ``forget`` is called when it has lost all tables, before it takes any again.
    """

    shared = True

    def __init__(self, store: Leases, runtime: Runtime, address: str) -> None:
        self._store = store
        self._runtime = runtime
        self._address = address
        self._until = 0.0  # ``Runtime.elapsed`` until which nobody takes anything
        # The other servers: how often each has given a sign of life, and when this one first saw so many.
        self._others: dict[str, tuple[int, float]] = {}
        self._told = asyncio.Event()  # a server has come or gone
        self._beaten = asyncio.Event()  # is set after each sign of life; then there is another one
        self._freed = asyncio.Event()
        self._news = asyncio.Event()  # is set when others have come or gone; then there is another one
        self._turn = asyncio.Lock()  # is held while a sign of life is on its way
        self._tasks: list[asyncio.Task[None]] = []
        self.me: Peer | None = None
        self.lost = asyncio.Event()
        self.forget: Callable[[], None] = lambda: None
        self.gone: Callable[[str], None] = lambda _id: None

    @property
    def valid(self) -> bool:
        """Whether nobody can have taken a table from this server since it took it."""
        return self._runtime.elapsed() < self._until

    async def start(self) -> None:
        """Join the servers, and stay among them until ``close``. Raises ``Unavailable``."""
        await self._join()
        self._tasks = [background(self._beat(), "signs of life"), background(self._listen(), "other servers")]

    async def _join(self) -> None:
        me = Peer(secrets.token_hex(12), self._address, secrets.token_hex(32))
        sent = self._runtime.elapsed()
        await self._store.join(me)
        self.me, self._until = me, sent + leases.LEASE * (1 - MARGIN)

    async def _beat(self) -> None:
        """Give signs of life, and look who else does."""
        while True:
            pause = leases.LEASE / BEATS
            try:
                async with self._turn:
                    pause = min(pause, await self._renew())
            except Unavailable:
                pause = AGAIN
            except Exception:
                log.exception("the lease of this server could not be renewed")
            self._beaten.set()
            self._beaten = asyncio.Event()
            with suppress(TimeoutError):
                async with asyncio.timeout(pause):  # ``wait_for`` of Python 3.11 may lose a cancellation
                    await self._told.wait()
            self._told.clear()

    async def _renew(self) -> float:
        """Give a sign of life; return the seconds after which another server may have given none."""
        sent, me = self._runtime.elapsed(), self.me
        beats = await self._store.renew(me.id) if me else None
        if me is None or beats is None:
            if me:
                log.warning("this server gave no sign of life for too long: others have its tables")
                self._lose()
            await self._join()
            self._freed.set()
            return 0.0
        self._until = sent + leases.LEASE * (1 - MARGIN)
        return await self._note_beats({id: n for id, n in beats.items() if id != me.id})

    async def _note_beats(self, beats: dict[str, int]) -> float:
        """Note who else gives signs of life, and remove who does not; return as ``_renew``."""
        now, before = self._runtime.elapsed(), self._others
        same = {id: seen for id, seen in before.items() if beats.get(id) == seen[0]}
        beats_seen = {id: same.get(id, (n, now)) for id, n in beats.items()}
        late = {id: n for id, (n, since) in beats_seen.items() if now - since >= leases.LEASE}
        if late:
            left = await self._store.remove(late)
            beats_seen = {id: seen for id, seen in beats_seen.items() if id not in late or id in left}
        self._others = beats_seen
        for id in before.keys() - beats_seen.keys():
            self.gone(id)
            self._freed.set()
        if before.keys() != beats_seen.keys():
            self._news.set()
            self._news = asyncio.Event()
        first = min((since for _n, since in beats_seen.values()), default=now)
        return max(AGAIN / 4, first + leases.LEASE - now)

    def _lose(self) -> None:
        self.me, self._until = None, 0.0
        self.lost.set()
        self.lost = asyncio.Event()
        self.forget()

    async def _listen(self) -> None:
        """Hear of other servers at once. Without that, the signs of life find it out."""
        while True:
            try:
                async with self._store.listening(self._told.set) as ended:
                    self._told.set()  # what was said before
                    await ended.wait()
            except Unavailable:
                pass
            except Exception:
                log.exception("this server does not hear of other servers at the moment")
            await asyncio.sleep(leases.LEASE / BEATS)

    async def sure(self) -> None:
        """Wait until the database has confirmed the lease; raise ``Unavailable``."""
        if self.valid:
            return
        self._told.set()
        with suppress(TimeoutError):
            async with asyncio.timeout(PATIENCE):
                while not self.valid:
                    await self._beaten.wait()
                return
        raise no_answer()

    async def take(self, id: str) -> bool:
        """Take a table that no other server has; return whether it was taken now. Raises ``Elsewhere``."""
        await self.sure()
        if self.me is None:
            raise no_answer()
        owner = await self._store.take(id, self.me.id)
        if isinstance(owner, Peer):
            self._others.setdefault(owner.id, (-1, self._runtime.elapsed()))  # it has just come
            raise Elsewhere(owner)
        return owner

    def lives(self, peer: Peer) -> bool:
        """Whether another server ran when this one looked last."""
        return peer.id in self._others

    async def news(self, seconds: float) -> None:
        """Wait until another server has come or gone, at most so long."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._news.wait()

    async def freed(self) -> bool:
        """Wait until another server has gone, or this one has joined again."""
        await self._freed.wait()
        self._freed.clear()
        return True

    async def close(self) -> None:
        """Leave the other servers, who take over at once."""
        async with self._turn:  # a statement that is cut off may hold the lock of its row for a while
            await end(self._tasks)
        me, self._until = self.me, 0.0
        if me:
            with suppress(Unavailable):
                await self._store.leave(me.id)
        await self._store.close()
