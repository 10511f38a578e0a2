"""Chance for a game object: a seeded stream, or the operating system's randomness."""

from __future__ import annotations

import hashlib
import secrets

from paddock.core.errors import PaddockError
from paddock.kernel.chance import below, stream


def seed_number(seed: int | str) -> int:
    """A seed as the 63-bit number of a stream: small integers as they are, all else digested.

    Raises ``PaddockError`` for a number that is too long to be written.
    """
    if isinstance(seed, int) and 0 <= seed < 1 << 63:
        return seed
    if isinstance(seed, int) and seed.bit_length() > 10_000:
        raise PaddockError("seed: write a text, or a number of at most 3,000 digits")
    digest = hashlib.blake2b(str(seed).encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "big") >> 1


class Seeded:
    """The stream ``index`` of a seed: the same draws every time, everywhere."""

    def __init__(self, seed: int | str, index: int = 0) -> None:
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
