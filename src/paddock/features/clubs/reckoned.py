"""Tables of results, reckoned once: beside the event loop, and kept as long as nothing new has happened."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Any, TypeVar
from weakref import WeakValueDictionary

from paddock.core.extras import installed
from paddock.features.clubs.results import Result
from paddock.tables.threads import off_loop
from paddock.tables.workers import Workers
from paddock.web.caches import Recent

KEPT = 64  # tables of results
MANY = 500  # results that are reckoned in a worker process: a large evening takes a tenth of a second

T = TypeVar("T")


def calmly(reckon: Callable[[Sequence[Result]], T], results: Sequence[Result]) -> T:
    """Reckon by one thread: NumPy would wait in a loop for a second core that is busy."""
    if not installed("threadpoolctl"):
        return reckon(results)
    from threadpoolctl import threadpool_limits

    with threadpool_limits(limits=1):
        return reckon(results)


class Reckoned:
    """The tables of results that were asked for last. Use it in one event loop only."""

    def __init__(self, workers: Workers) -> None:
        self._workers = workers
        self._kept: Recent[tuple[str, Callable[..., Any]], tuple[int, Any]] = Recent(KEPT)
        self._turns: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    async def of(self, key: str, reckon: Callable[[Sequence[Result]], T], results: Sequence[Result]) -> T:
        """Return what is reckoned from the results of an evening or a season, which ``key`` names.

        Raises ``Busy`` and ``Stopped``.
        """
        stamp = hash(tuple(results))
        async with self._turns.setdefault(key, asyncio.Lock()):
            known = self._kept.get((key, reckon))
            if known is None or known[0] != stamp:
                work = self._workers.wait if len(results) > MANY else off_loop
                known = self._kept.keep((key, reckon), (stamp, await work(calmly, reckon, results)))
            answer: T = known[1]
            return answer
