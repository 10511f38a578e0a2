"""What tables need of the process that serves them: a database, and what works beside the event loop. There is
one kind for every process that has threads and can start processes, and one for those that have neither."""

from __future__ import annotations

from dataclasses import dataclass

from paddock.core.beside import Beside
from paddock.core.one_thread import OneThread
from paddock.core.threaded import THREADED
from paddock.store.database import THREADS
from paddock.store.driver import Driver
from paddock.store.one_thread import DIRECT


@dataclass(frozen=True)
class Means:
    """How the database is used, and what works beside the loop."""

    driver: Driver
    beside: Beside


ORDINARY = Means(THREADS, THREADED)
ONE_THREAD = Means(DIRECT, OneThread())
