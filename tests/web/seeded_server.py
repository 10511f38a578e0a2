"""``paddock serve`` on which every test has chance of its own: the same cards in every run.

The file named by $PADDOCK_TEST_CHANCE holds the seed; conftest.py writes it anew before each test. Catalogues
are those of the folder $PADDOCK_TEST_LOCALE, if it is set.
"""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path

from paddock import cli
from paddock.core.i18n import LOCALE
from paddock.kernel.source import Seeded, seed_number
from paddock.tables import Runtime
from paddock.web import serve

SEED = Path(os.environ["PADDOCK_TEST_CHANCE"])


class Chance:
    """A stream that begins anew with each test."""

    def __init__(self) -> None:
        self.seed = ""
        self.source = Seeded(0)

    def below(self, n: int) -> int:
        """A fair draw from 0 … n−1."""
        seed = SEED.read_text()
        if seed != self.seed:
            self.seed, self.source = seed, Seeded(seed)
        return self.source.below(n)


class Calm(Runtime):
    """The real runtime, but that a bot's mind does not depend on which of several is asked first."""

    def bot_seed(self) -> int:
        """The same for every decision of a test."""
        return seed_number(SEED.read_text())


if __name__ == "__main__":  # bots think in processes of their own
    locale = Path(os.environ.get("PADDOCK_TEST_LOCALE", LOCALE))
    serve.create_app = partial(serve.create_app, chance=Chance(), runtime=Calm(), locale=locale)
    cli.main()
