"""What the process of a server can do: how it uses a database, what works beside its event loop, and how it
imagines games."""

from __future__ import annotations

from dataclasses import dataclass

from paddock.bots.imagining import COMPILED, PLAIN, Imagining
from paddock.core.beside import BesideLoop
from paddock.core.extras import has
from paddock.core.one_thread import OneThread
from paddock.core.threaded import THREADED
from paddock.store.database import THREADS
from paddock.store.driver import Driver
from paddock.store.one_thread import DIRECT


@dataclass(frozen=True)
class ServerMeans:
    """How the database is used, what works beside the loop, and how games are imagined."""

    driver: Driver
    beside: BesideLoop
    imagining: Imagining
    reachable: bool = True  # from other devices: else nobody can be invited


ORDINARY = ServerMeans(THREADS, THREADED, COMPILED if has("fast") else PLAIN)
# Without threads, processes, greenlets and a compiler
ONE_THREAD = ServerMeans(DIRECT, OneThread(), PLAIN, reachable=False)
