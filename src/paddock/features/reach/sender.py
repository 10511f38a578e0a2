"""Sends the messages of the outbox: the follower that is told when a turn may have been written there.

Every server sends those about its own tables, because it knows who is there, and those about tables that no
server has. A message is tried again, ever later; ``store.py`` says why none is lost.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timedelta

from paddock.core.i18n import Sentence
from paddock.features.reach.calls import REMINDER, TURN
from paddock.features.reach.post import Post
from paddock.features.reach.quiet import Quiet, reminder
from paddock.features.reach.store import TEST, DueMessage, ReachStore
from paddock.features.reach.wake import Bell
from paddock.features.reach.ways import way_of
from paddock.features.reach.ways.way import Sent
from paddock.features.reach.wishes import OPEN, Wishes
from paddock.features.reach.words import deadline_of, written
from paddock.store import Unavailable
from paddock.tables.live import LiveTable
from paddock.tables.presence import HERE
from paddock.tables.registry import Registry
from paddock.tables.runtime import Runtime
from paddock.tables.tasks import background, end

log = logging.getLogger("paddock.tables")
AT_ONCE, EACH = 16, 2  # messages on their way: of all browsers, and of one
SLOW, OF_SLOW = 3.0, 6  # seconds that a slow receiver takes, and messages on their way to all of these
MOST = 10_000  # slow receivers that are remembered
BUSY = timedelta(seconds=5)  # after which messages are looked at again that found no place
CLAIM = timedelta(minutes=2)  # longer than any try takes
FIRST, FACTOR, LONGEST = 10.0, 3.0, 3600.0  # seconds before a message is tried again
TRIES = 30  # which takes a day
POLL = 20.0  # seconds after which servers that share a database look again
AGAIN = 5.0  # seconds before the outbox is read again after the database did not answer
FAILED = 60.0  # the same after another error
SWEEP = 3600.0  # seconds between deleting what was not confirmed
SOON, PAST = timedelta(minutes=1), timedelta(days=1)  # in which clocks are saved that seem to have run out


class Sender:
    """Sends what is due, once ``start`` was called. ``made`` returns what sends it, when it is needed."""

    def __init__(
        self,
        store: ReachStore,
        registry: Registry,
        runtime: Runtime,
        wishes: Wishes,
        bell: Bell,
        made: Callable[[], Awaitable[Post]],
    ) -> None:
        self._store = store
        self._registry = registry
        self._runtime = runtime
        self._wishes = wishes
        self._bell = bell
        self._made = made
        self._post: Post | None = None
        self._task: asyncio.Task[None] | None = None
        self._sending: set[asyncio.Task[None]] = set()
        self._on_way = Counter[str]()  # messages by browser
        self._slow: dict[str, None] = {}  # channels that were slow the last time
        self._to_slow = 0  # messages on their way to these
        self._looking: dict[str, asyncio.Task[None]] = {}  # what finds out whom to call at a table
        self._swept = runtime.elapsed()
        self._resting = False

    # What the tables tell

    def changed(self, live: LiveTable, audience: str) -> None:
        """Look whether there is something to send."""
        callers = live.table.callers
        if callers:
            self._bell.ring()
        elif callers is None and self._task and live.table.id not in self._looking:
            self._looking[live.table.id] = background(self._look(live), f"whom to call at {live.table.id}")

    async def _look(self, live: LiveTable) -> None:
        """Find out which browsers at a table want to be called, after somebody has taken a seat."""
        try:
            while live.table.callers is None and not live.lost:
                version = live.table.version
                found = await self._store.callers(live.table.id)
                if live.table.version == version:  # else it may be out of date
                    live.table.callers = found
                    self._bell.ring()
        except Unavailable:
            pass  # until then, everybody is taken for one of them
        finally:
            self._looking.pop(live.table.id, None)

    @property
    def idle(self) -> bool:
        """Whether it sends nothing, and looks for nothing to send."""
        return self._task is None or (
            self._resting and not (self._sending or self._looking or self._bell.rung)
        )

    # The loop

    def start(self) -> None:
        """Start sending."""
        self._task = background(self._run(), "calling players")

    async def stop(self) -> None:
        """Stop sending. What was on its way is sent again by the next server."""
        task, self._task = self._task, None
        await end([task, *self._sending, *self._looking.values()])
        if self._post:
            await self._post.close()

    async def _run(self) -> None:
        while True:
            pause: float | None
            try:
                pause = await self._round()
            except Unavailable:
                pause = AGAIN
            except Exception as error:  # its words may have an address in them
                log.error("the outbox could not be sent: %s", type(error).__name__)
                pause = FAILED
            await self._rest(pause)

    async def _round(self) -> float | None:
        """Send what is due; return the seconds until more is, None if nothing waits."""
        me = self._registry.owning.me
        owner = me.id if me else None
        while True:
            now, elapsed = self._runtime.now(), self._runtime.elapsed()
            if elapsed - self._swept > SWEEP:
                self._swept = elapsed
                await self._store.sweep(now - OPEN, now)
            full = [holder for holder, n in self._on_way.items() if n >= EACH]
            slow = list(self._slow) if self._to_slow >= OF_SLOW else []
            due = await self._store.next_due(owner, full, slow)
            if due is None:
                return None
            if due > now:
                return (due - now).total_seconds()
            room = AT_ONCE - len(self._sending)
            if room <= 0:
                await asyncio.wait(self._sending, return_when=asyncio.FIRST_COMPLETED)
                continue
            claim = secrets.token_hex(16)
            for one in await self._store.claim(claim, now, now + CLAIM, room, owner, full, slow):
                task = background(self._handle(one), "a message")
                self._sending.add(task)
                task.add_done_callback(self._sending.discard)
            await asyncio.sleep(0)

    async def _rest(self, seconds: float | None) -> None:
        """Wait so long, or until somebody rings."""
        waits = [asyncio.create_task(self._bell.heard())]
        if seconds is not None:
            waits.append(asyncio.create_task(self._runtime.sleep(seconds)))
        self._resting = True
        try:
            timeout = POLL if self._registry.owning.shared else None
            await asyncio.wait(waits, timeout=timeout, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self._resting = False
            for task in waits:
                task.cancel()

    # One message

    async def _handle(self, due: DueMessage) -> None:
        """Send a message, or find that it is not needed, or not yet."""
        try:
            await self._decide(due)
        except Unavailable:
            pass  # the claim ends by itself
        except Exception as error:
            log.error("a message could not be sent: %s", type(error).__name__)
            with suppress(Unavailable):
                await self._failed(due, Sent(False, why=Sentence("something went wrong on this server")))
        finally:
            self._bell.ring()  # it may be due again before its claim ends

    async def _decide(self, due: DueMessage) -> None:
        row, now, quiet = due.row, self._runtime.now(), Quiet.of(due.reach)
        about_turn = row.kind in (TURN, REMINDER)
        when = _reminder_due(due, now, quiet) if row.kind == REMINDER else now
        if when is None or (about_turn and not _open(due)):
            await self._store.done(row)
        elif when > now:
            await self._store.later(row, when, row.tries)
        elif about_turn and (stays := self._there(due)):
            await self._store.later(row, now + timedelta(seconds=stays), row.tries)
        elif about_turn and quiet and quiet.covers(now):  # a reminder too, if it was not sent in time
            await self._store.later(row, quiet.over(now), row.tries)
        else:
            await self._send(due)

    def _there(self, due: DueMessage) -> float:
        """Return the seconds until a browser that is at the table now has been away for long enough."""
        presence = self._registry.presence.get(due.row.table_id or "")
        return presence.stays(due.row.holder, self._runtime.served(), HERE) if presence else 0.0

    async def _send(self, due: DueMessage) -> None:
        if self._post is None:
            self._post = await self._made()
        due = replace(due, reach=self._wishes.addressed(due.reach))
        channel, site, holder = due.channel, due.reach.site, due.row.holder
        stop = await self._wishes.link("stop", channel, site) if way_of(channel.kind).asks else ""
        confirm = await self._wishes.link("confirm", channel, site) if channel.confirmed_at is None else ""
        message = written(due, self._runtime.now(), stop, confirm)
        # Slow receivers hold up nobody else, neither those of one browser nor those of many.
        slow = channel.id in self._slow
        if self._on_way[holder] >= EACH or (slow and self._to_slow >= OF_SLOW):
            await self._store.later(due.row, self._runtime.now() + BUSY, due.row.tries)
            return
        self._on_way[holder] += 1
        self._to_slow += slow
        begun = self._runtime.elapsed()
        try:
            sent = await self._post.send(channel, message, site)
        finally:
            self._on_way -= Counter((holder,))
            self._to_slow -= slow
        self._note(channel.id, self._runtime.elapsed() - begun)
        if sent.ok:
            await self._store.done(due.row, working=True)
        elif sent.gone:
            await self._store.drop(channel)
        else:
            await self._failed(due, sent)

    def _note(self, channel: str, seconds: float) -> None:
        """Note how long a receiver took."""
        self._slow.pop(channel, None)
        if seconds > SLOW:
            self._slow[channel] = None
            if len(self._slow) > MOST:
                del self._slow[next(iter(self._slow))]

    async def _failed(self, due: DueMessage, sent: Sent) -> None:
        """Try again later, or give up."""
        row, now, tries = due.row, self._runtime.now(), due.row.tries + 1
        if tries >= TRIES or row.kind == TEST:  # whoever tests looks now
            await self._store.give_up(row, (sent.why or Sentence("it did not answer")).dump(), now)
            return
        pause = max(min(LONGEST, FIRST * FACTOR ** min(row.tries, 10)), min(LONGEST, sent.after))
        await self._store.later(row, now + timedelta(seconds=pause), tries)


def _reminder_due(due: DueMessage, now: datetime, quiet: Quiet | None) -> datetime | None:
    """Return when a reminder is due; None if it is of no use."""
    deadline = deadline_of(due.place, due.row.holder) if due.place else None
    if deadline is None or deadline <= now - PAST or not due.reach.remind:
        return None
    if deadline <= now:  # a bot does not stand in yet: the server stood still, or its clock was set
        return now + SOON
    return reminder(deadline, timedelta(seconds=due.reach.remind), due.row.made_at, quiet)


def _open(due: DueMessage) -> bool:
    """Whether the game still waits for this browser, at the decision that the message is about."""
    place = due.place
    if place is None or place.table.length != due.row.decision:
        return False
    return any(p.holder == due.row.holder for p in place.awaited())
