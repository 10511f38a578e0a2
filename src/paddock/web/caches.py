"""Caches of what pages and the API are made of."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Collection, Coroutine, Hashable
from threading import Lock
from typing import Any, Generic, TypeVar

from paddock.tables import Table

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class Recent(Generic[K, V]):
    """A cache of the values that were used last: ``most``, or fewer if some have a larger ``size`` than 1."""

    def __init__(self, most: int, size: Callable[[V], float] = lambda _value: 1) -> None:
        self._most = most
        self._size = size
        self._kept: OrderedDict[K, V] = OrderedDict()
        self._full = 0.0
        self._lock = Lock()  # long pages are rendered in threads

    def get(self, key: K) -> V | None:
        """Return the value, or None if it is not in the cache."""
        with self._lock:
            if key not in self._kept:
                return None
            self._kept.move_to_end(key)
            return self._kept[key]

    def keep(self, key: K, value: V) -> V:
        """Add a value to the cache, and return it."""
        with self._lock:
            self._drop(key)
            self._kept[key] = value
            self._full += self._size(value)
            while self._full > self._most and len(self._kept) > 1:
                self._drop(next(iter(self._kept)))
        return value

    def _drop(self, key: K) -> None:
        if key in self._kept:
            self._full -= self._size(self._kept.pop(key))

    def forget(self, ids: Collection[str]) -> None:
        """Remove what is about these tables: their id is the key, or the first part of it."""
        with self._lock:
            for key in [key for key in self._kept if (key[0] if isinstance(key, tuple) else key) in ids]:
                self._drop(key)


class Current(Recent[K, tuple[int, V]]):
    """A cache of what is made of tables: each value is used as long as its table has the same ``stamp``."""

    def __init__(self, most: int, size: Callable[[V], float] = lambda _value: 1) -> None:
        super().__init__(most, lambda kept: size(kept[1]))

    def of(self, table: Table, key: K, make: Callable[[], V]) -> V:
        """Return the value of the table as it is now, made by ``make`` if it is not in the cache."""
        stamp = table.stamp  # long games are looked at in a thread, and may change meanwhile
        kept = self.get(key)
        if kept is None or kept[0] != stamp:
            kept = self.keep(key, (stamp, make()))
        return kept[1]


class Once(Generic[V]):
    """A cache of values that take a while: whoever asks for one that is being made waits for it."""

    def __init__(self, most: int) -> None:
        self._made: Recent[Hashable, asyncio.Task[V]] = Recent(most)

    async def get(self, key: Hashable, make: Callable[[], Coroutine[Any, Any, V]]) -> V:
        """Return the value, made by ``make`` if it is not in the cache. An error is not kept."""
        task = self._made.get(key)
        if task is None or (task.done() and (task.cancelled() or task.exception())):
            task = self._made.keep(key, asyncio.create_task(make()))
        return task.result() if task.done() else await asyncio.shield(task)
