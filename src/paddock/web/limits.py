"""How much one address, and one browser or token, may ask: a bucket of tokens for each."""

from __future__ import annotations

import ipaddress
import math
import re
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Self

from paddock.core.settings import Settings

BURST = 20  # seconds' worth of requests that may come at once
MOST = 20_000  # buckets kept of a kind; the longest unused go first
MAKING = 20  # what a new table costs: it stays in the database


@dataclass
class Bucket:
    """Requests left, refilled as time goes by."""

    left: float
    at: float


@dataclass
class Rates:
    """Buckets of one kind, each refilled with ``rate`` requests a second; 0 is no limit."""

    rate: float
    clock: Callable[[], float] = time.monotonic
    _buckets: OrderedDict[str, Bucket] = field(default_factory=OrderedDict)

    def take(self, key: str, cost: float = 1) -> int:
        """Take ``cost`` requests from the bucket ``key``: 0, or the whole seconds to wait first."""
        if not self.rate:
            return 0
        full, now = self.rate * BURST, self.clock()
        bucket = self._buckets.pop(key, None) or Bucket(full, now)
        bucket.left = min(full, bucket.left + (now - bucket.at) * self.rate)
        bucket.at = now
        self._buckets[key] = bucket
        if len(self._buckets) > MOST:
            self._buckets.popitem(last=False)
        cost = min(cost, full)  # else it would never be had
        if bucket.left < cost:
            return math.ceil((cost - bucket.left) / self.rate)
        bucket.left -= cost
        return 0


@dataclass
class Limits:
    """The rates of a server. A person who plays fast, or a bot that plays whole games, is far below."""

    address: Rates
    holder: Rates

    @classmethod
    def of(cls, settings: Settings) -> Self:
        """As the settings say."""
        return cls(Rates(settings.rate_address), Rates(settings.rate_holder))


def block(address: str) -> str:
    """What counts as one address: an IPv4 address, or the /64 that a household gets of IPv6."""
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if found.version == 6 and not found.ipv4_mapped:
        return str(ipaddress.ip_network((found, 64), strict=False))
    return address


_MAKES = re.compile(
    r"(/api/v1)?/(tables|records|(learn|new)/[^/]+)|/t/[^/]+/(explore|again|rematch)"
    r"|/api/v1/(tokens|tables/[^/]+/(explore|rematch))"
)


def cost(method: str, path: str) -> float:
    """What a request costs. Static files are free: they are kept for ever."""
    if method in ("GET", "HEAD", "OPTIONS"):
        return 0 if path.startswith("/static/") or path == "/healthz" else 1
    return MAKING if _MAKES.fullmatch(path) else 1
