"""What is made of stored data, and takes longer the more of it there is: the notes of a game, the games of a
browser, the results of a day.

Nobody else waits for it: it is made beside the event loop (``threads.py``), and kept until the stamp of its
data is another one. A stamp is cheap to ask for, such as how many rows there are and when the last was
written.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Hashable
from dataclasses import dataclass
from typing import Any, TypeVar

from paddock.core.i18n import _
from paddock.tables.errors import Busy
from paddock.tables.tasks import end
from paddock.tables.threads import off_loop

D = TypeVar("D")
V = TypeVar("V")
MEMORY = 64 << 20  # bytes of what is kept
MOST = 16  # things that are being made or wait


@dataclass(frozen=True)
class _Kept:
    stamp: Hashable
    value: Any
    size: int


class Built:
    """Makes such things, and keeps those that were used last. Use it in one event loop only."""

    def __init__(self, memory: int = MEMORY) -> None:
        self._memory = memory
        self._size = 0
        self._kept: OrderedDict[Hashable, _Kept] = OrderedDict()
        self._making: dict[Hashable, asyncio.Task[Any]] = {}

    async def of(
        self,
        key: Hashable,
        stamp: Hashable,
        read: Callable[[], Awaitable[D]],
        make: Callable[[D], V],
        size: Callable[[V], int],
    ) -> V:
        """Return what ``make`` makes of what ``read`` returns, or what it made when the stamp was the same.

        Who asks for what is being made waits for it. ``make`` runs in a thread, with the language of who
        asked first. ``size`` says how many bytes the result takes. Raises ``Busy``, and the errors of both.
        """
        cached = self._kept.get(key)
        if cached is not None and cached.stamp == stamp:
            self._kept.move_to_end(key)
            value: V = cached.value
            return value
        task = self._making.get((key, stamp))
        if task is None:
            if len(self._making) >= MOST:
                raise Busy(_("the server has too much to do at the moment: try again in a minute"))
            task = asyncio.create_task(self._make(key, stamp, read, make, size))
            self._making[key, stamp] = task
            task.add_done_callback(lambda done: self._done((key, stamp), done))
        shared_value: V = await asyncio.shield(task)
        return shared_value

    def _done(self, key: Hashable, task: asyncio.Task[Any]) -> None:
        del self._making[key]
        if not task.cancelled():
            task.exception()  # otherwise asyncio logs an error that nobody waits for any more

    async def _make(
        self,
        key: Hashable,
        stamp: Hashable,
        read: Callable[[], Awaitable[D]],
        make: Callable[[D], V],
        size: Callable[[V], int],
    ) -> V:
        value = await off_loop(make, await read())
        self._keep(key, _Kept(stamp, value, size(value)))
        return value

    def _keep(self, key: Hashable, entry: _Kept) -> None:
        """Keep a value, and drop the least recently used ones while all take too much memory."""
        if old := self._kept.pop(key, None):
            self._size -= old.size
        self._kept[key] = entry
        self._size += entry.size
        while self._size > self._memory:
            _key, old = self._kept.popitem(last=False)
            self._size -= old.size

    async def close(self) -> None:
        """Stop what is being made: it may read the store."""
        await end(list(self._making.values()))
