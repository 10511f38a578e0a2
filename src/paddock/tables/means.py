"""What the process of a server can do: how it uses a database, and what works beside its event loop."""

from __future__ import annotations

from dataclasses import dataclass

from paddock.core.beside import BesideLoop
from paddock.core.one_thread import OneThread
from paddock.core.threaded import THREADED
from paddock.store.database import THREADS
from paddock.store.driver import Driver
from paddock.store.one_thread import DIRECT


@dataclass(frozen=True)
class ServerMeans:
    """How the database is used, and what works beside the loop."""

    driver: Driver
    beside: BesideLoop


ORDINARY = ServerMeans(THREADS, THREADED)
ONE_THREAD = ServerMeans(DIRECT, OneThread())  # without threads, processes and greenlets: with SQLite alone
