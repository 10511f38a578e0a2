"""Wrong tokens of the operator: counted by address, logged, slowed down, and shown on the operator's page."""

from __future__ import annotations

import asyncio
import logging
import math
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from paddock.core.errors import brief

log = logging.getLogger("paddock.web")
FREE = 5  # wrong tokens after which an address must wait; each further one doubles the time
LONGEST = 15 * 60  # seconds of a wait
KEPT = 24 * 3600  # seconds after the last try from an address, until it is forgotten
MOST = 1000  # addresses that are remembered
EVERY = 60  # seconds between two lines of the log


@dataclass
class Tries:
    """What came from an address."""

    at: float  # the last one
    count: int = 0  # those that were not looked at included
    wrong: int = 0
    until: float = 0.0  # before that, no token is looked at


def _later(seconds: float, do: Callable[[], None]) -> None:
    asyncio.get_running_loop().call_later(seconds, do)


class Guesses:
    """The wrong tokens that this process was sent.

    Who guesses from one address does not lock out the operator at another one.
    """

    def __init__(
        self,
        clock: Callable[[], float] = time.monotonic,
        later: Callable[[float, Callable[[], None]], None] = _later,
    ) -> None:
        self.total = 0
        self._clock, self._later = clock, later
        self._tries: OrderedDict[str, Tries] = OrderedDict()  # by address, the last one at the end
        self._untold: Counter[str] = Counter()
        self._quiet = False  # whether a line was written just now

    def locked_for(self, address: str) -> int:
        """Return for how many seconds no token from this address is looked at; 0: this one is.

        A try that is not looked at counts, too.
        """
        tries = self._tries.get(address)
        seconds = math.ceil(tries.until - self._clock()) if tries else 0
        if seconds <= 0:
            return 0
        self._add(address)
        return seconds

    def wrong(self, address: str) -> None:
        """Count a wrong token."""
        tries = self._add(address)
        tries.wrong += 1
        if tries.wrong >= FREE:
            tries.until = tries.at + min(2 ** min(tries.wrong - FREE, 30), LONGEST)

    def _add(self, address: str) -> Tries:
        now = self._clock()
        tries = self._tries.pop(address, None)
        if tries is None or now - tries.at > KEPT:
            tries = Tries(now)
        self._tries[address] = tries
        if len(self._tries) > MOST:
            self._tries.popitem(last=False)
        tries.at, tries.count = now, tries.count + 1
        self.total += 1
        self._untold[address] += 1
        if not self._quiet:
            self._tell()
        return tries

    def _tell(self) -> None:
        """Write a line about what has come since the last one: at once for the first, then every minute."""
        count, untold = self._untold.total(), self._untold.most_common(1)
        self._quiet = bool(count)
        if not count:
            return
        words = "wrong tokens of the operator: %d, from %d addresses, most of them from %s"
        log.warning(words, count, len(self._untold), brief(untold[0][0]))
        self._untold.clear()
        self._later(EVERY, self._tell)

    def newest(self, most: int) -> Iterator[tuple[str, int, float]]:
        """Yield addresses, how many tokens each has sent, and how many seconds ago; the last one first."""
        now = self._clock()
        for _n, (address, tries) in zip(range(most), reversed(self._tries.items()), strict=False):
            yield brief(address), tries.count, now - tries.at
