"""Random number generators for games: a seeded stream, or the operating system."""

from __future__ import annotations

import hashlib
from typing import SupportsIndex

from paddock.core.errors import PaddockError, quoted, whole
from paddock.core.i18n import _
from paddock.core.source import System as System
from paddock.kernel.chance import below, stream

Seed = SupportsIndex | str


def seed_number(seed: Seed) -> int:
    """Convert a seed to a 63-bit number. Larger numbers and texts are hashed.

    Raises ``PaddockError`` unless it is a text or an integer from 0 with at most about 3,000 digits.
    """
    if isinstance(seed, str):
        text = seed
    else:
        number = whole(seed)
        if number is None or number < 0:
            words = _("seed={seed}: give a whole number, 0 or more, or a text")
            raise PaddockError(words.format(seed=quoted(seed)))
        if number < 1 << 63:
            return number
        if number.bit_length() > 10_000:
            raise PaddockError(_("seed: write a text, or a number of at most 3,000 digits"))
        text = str(number)
    digest = hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "big") >> 1


class Seeded:
    """Stream ``index`` of a seed: the same numbers on every machine."""

    def __init__(self, seed: Seed, index: int = 0) -> None:
        self.rng = [0]
        stream(seed_number(seed), index, self.rng)

    def below(self, n: int) -> int:
        """Return a uniformly random integer from 0 to n−1."""
        return below(self.rng, n)
