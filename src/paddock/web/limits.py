"""Limits: a token bucket for each address and for each browser or token, and open streams of an address."""

from __future__ import annotations

import ipaddress
import math
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Self

from paddock.core.settings import Settings

BURST = 20  # size of a bucket, in seconds of its rate, if nothing else is said
HOUR = 3600
MOST = 20_000  # maximum number of buckets of each kind; the least recently used are dropped
MAKING = (
    20  # cost of creating a table, which stays in the database, of an analysis, of a guess, and of rare work
)
WEIGHED = 4096  # bytes that cost as much as another request: of an address or a file to be read and checked,
# and of an answer whose size follows from stored data
MOST_FORM = 64 * 1024  # bytes of a body
MOST_SETUP = 512 * 1024  # options may have data of 50,000 characters, which escaping makes longer
MOST_UPLOAD = 2 * 1024 * 1024  # a record of 99 races is much smaller
DRAWING = 50  # cost of a picture for a link, which takes up to half a second of a worker process


@dataclass
class Bucket:
    """A token bucket: the requests left, and when that was counted. It refills over time."""

    left: float
    at: float


@dataclass
class Rates:
    """The buckets of one kind. Each refills with ``rate`` requests per second; 0: no limit.

    ``burst`` is the size of a bucket, in seconds of its rate. What is owed is below 0.
    """

    rate: float
    clock: Callable[[], float] = time.monotonic
    burst: float = BURST
    _buckets: OrderedDict[str, Bucket] = field(default_factory=OrderedDict)

    def take(self, key: str, cost: float = 1) -> int:
        """Take ``cost`` requests from the bucket ``key``; return the seconds to wait first, 0 if none."""
        if not self.rate:
            return 0
        full, bucket = self.rate * self.burst, self._bucket(key)
        cost = min(cost, full)  # a higher cost could never be paid
        if bucket.left < cost:
            return math.ceil((cost - bucket.left) / self.rate)
        bucket.left -= cost
        return 0

    def owe(self, key: str, cost: float) -> None:
        """Take ``cost`` requests for what was sent already: the next request may have to wait until they are
        there. Nobody owes more than a full bucket."""
        if self.rate:
            bucket = self._bucket(key)
            bucket.left = max(bucket.left - cost, -self.rate * self.burst)

    def _bucket(self, key: str) -> Bucket:
        """Return a bucket as it is now."""
        full, now = self.rate * self.burst, self.clock()
        bucket = self._buckets.pop(key, None) or Bucket(full, now)
        bucket.left = min(full, bucket.left + (now - bucket.at) * self.rate)
        bucket.at = now
        self._buckets[key] = bucket
        if len(self._buckets) > MOST:
            self._buckets.popitem(last=False)
        return bucket


@dataclass
class Open:
    """Counts what each key has open at the same time: at most ``most``; 0: no limit."""

    most: int
    _open: Counter[str] = field(default_factory=Counter)

    @property
    def total(self) -> int:
        """How much is open together."""
        return self._open.total()

    @contextmanager
    def one(self, key: str) -> Iterator[bool]:
        """Count one more while the context lasts; yield False, and count nothing, if that is too many."""
        if self.most and self._open[key] >= self.most:
            yield False
            return
        self._open[key] += 1
        try:
            yield True
        finally:
            self._open[key] -= 1
            if not self._open[key]:
                del self._open[key]


@dataclass
class Limits:
    """The limits of a server. Normal players and bots stay far below them."""

    address: Rates
    holder: Rates
    streams: Open
    calls: Rates = field(default_factory=lambda: Rates(0))  # ways to be called, by address

    @classmethod
    def of(cls, settings: Settings) -> Self:
        """Return the limits of the settings."""
        return cls(
            Rates(settings.rate_address),
            Rates(settings.rate_holder),
            Open(settings.streams_address),
            Rates(settings.reach_address / HOUR, burst=HOUR),
        )


@lru_cache(4096)
def block(address: str) -> str:
    """Return the key of an address: the IPv4 address itself, or the /64 network of an IPv6 address."""
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if found.version == 6 and not found.ipv4_mapped:
        return str(ipaddress.ip_network((found, 64), strict=False))
    return address


def weight(size: int) -> float:
    """Return what the size of a request in bytes (query and body) adds to its cost: most add nothing."""
    return size // WEIGHED
