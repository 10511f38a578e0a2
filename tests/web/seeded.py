"""``paddock serve`` with seeded chance: each test gets the same cards in every run.

The file $PADDOCK_TEST_CHANCE holds the seed; conftest.py writes it before each test. Translations
come from the folder $PADDOCK_TEST_LOCALE, if it is set. $PADDOCK_TEST_LEASE has the seconds of a lease,
$PADDOCK_TEST_HEARTBEAT those between two heartbeats of a stream.
"""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path

from starlette.types import ASGIApp
from starlette_compress import CompressMiddleware

import templates
from paddock import cli
from paddock.core.game import ChanceSource
from paddock.core.i18n import LOCALE
from paddock.kernel.source import Seeded, seed_number
from paddock.server import app, serve
from paddock.store import leases
from paddock.tables import Runtime, service
from paddock.tables.engine import Engine
from paddock.tables.live import LiveTable
from paddock.tables.table import Table
from paddock.web import streams

SEED = Path(os.environ["PADDOCK_TEST_CHANCE"])


def of_this_test(table: Table) -> bool:
    """Return whether a table was made after this test began."""
    return table.created.timestamp() >= SEED.stat().st_mtime


class Chance:
    """A chance source that starts again when the seed changes."""

    def __init__(self) -> None:
        self.seed = ""
        self.source = Seeded(0)

    def below(self, n: int) -> int:
        """Draw a number from 0 to n−1."""
        seed = SEED.read_text()
        if seed != self.seed:
            self.seed, self.source = seed, Seeded(seed)
        return self.source.below(n)


class Apart(Engine):
    """The real engine, but tables of earlier tests, whose bots may still play, draw from another source."""

    other = Seeded(0)

    async def _chance_at(self, live: LiveTable) -> ChanceSource:
        own = live.table.deal or live.table.secret or of_this_test(live.table)
        return await super()._chance_at(live) if own else self.other


class Calm(Runtime):
    """The real runtime, but bots wait for a quarter of their time, and all have the same seed, whatever the
    order in which they decide."""

    def pause(self) -> float:
        """Return the seconds that a bot waits: they still move one after the other."""
        return super().pause() / 4

    def bot_seed(self) -> int:
        """Return the same seed for all decisions of a test."""
        return seed_number(SEED.read_text())


def lightly(app: ASGIApp, *, pages: bool = False) -> ASGIApp:
    """Compress pages as the server does, but without the effort, which cost more than to make them."""
    return CompressMiddleware(app, zstd=not pages, zstd_level=1, brotli_quality=0, gzip_level=1)


def serve_seeded() -> None:
    """Run the command line, with these for the server."""
    templates.remember()
    app.compressed = lightly
    service.Engine = Apart
    leases.LEASE = float(os.environ.get("PADDOCK_TEST_LEASE", leases.LEASE))
    streams.HEARTBEAT = float(os.environ.get("PADDOCK_TEST_HEARTBEAT", streams.HEARTBEAT))
    locale = Path(os.environ.get("PADDOCK_TEST_LOCALE", LOCALE))
    serve.create_app = partial(serve.create_app, chance=Chance(), runtime=Calm(), locale=locale)
    cli.main()
