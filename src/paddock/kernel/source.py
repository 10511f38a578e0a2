"""Chance for a game object: a seeded stream, or the operating system's randomness."""

from __future__ import annotations

import hashlib
import secrets
from operator import index
from typing import SupportsIndex

from paddock.core.errors import PaddockError, quoted
from paddock.core.i18n import _
from paddock.kernel.chance import below, stream

Seed = SupportsIndex | str


def seed_number(seed: Seed) -> int:
    """A seed as the 63-bit number of a stream: small whole numbers as they are, all else digested.

    Raises ``PaddockError`` for what is neither a text nor a whole number from 0 to one of 3,000 digits.
    """
    if not isinstance(seed, str):
        given: object = seed
        if isinstance(given, bool) or not isinstance(given, SupportsIndex) or index(given) < 0:
            words = _("seed={seed}: give a whole number from 0 on, or a text")
            raise PaddockError(words.format(seed=quoted(given)))
        seed = index(seed)
        if seed < 1 << 63:
            return seed
        if seed.bit_length() > 10_000:
            raise PaddockError(_("seed: write a text, or a number of at most 3,000 digits"))
    digest = hashlib.blake2b(str(seed).encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "big") >> 1


class Seeded:
    """The stream ``index`` of a seed: the same draws every time, everywhere."""

    def __init__(self, seed: Seed, index: int = 0) -> None:
        self.rng = [0]
        stream(seed_number(seed), index, self.rng)

    def below(self, n: int) -> int:
        """A fair draw from 0 … n−1."""
        return below(self.rng, n)


class System:
    """The operating system's randomness: what a live table draws from."""

    def below(self, n: int) -> int:
        """A fair draw from 0 … n−1."""
        return secrets.randbelow(n)
