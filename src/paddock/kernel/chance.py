"""A small random number generator that runs unchanged in both modes.

A multiply-with-carry generator (Marsaglia 1994, multiplier 698769069: a·2³²−1 and
a·2³¹−1 are prime, so its period is near 2⁶⁰) in one signed 64-bit integer: no step
overflows, so Python ints and compiled code agree bit for bit. A stream is a row of
one integer.
"""

from __future__ import annotations

from paddock.core.errors import OutOfBounds
from paddock.kernel.mode import rule
from paddock.kernel.record import Floats, Row

MULTIPLIER = 698769069
LOW = 0xFFFFFFFF
SEEDS = 2**31 - 1  # who needs a stream of its own draws a number below it as the seed


@rule
def below(rng: Row, n: int) -> int:
    """Return a uniformly random integer from 0 to n−1 (n < 2³¹), and advance the stream ``rng``.

    Lemire's multiply-shift with rejection: exactly uniform over the 32-bit words.
    """
    s = rng[0]
    s = MULTIPLIER * (s & LOW) + (s >> 32)
    product = (s & LOW) * n
    if (product & LOW) < n:
        reject = (LOW + 1 - n) % n
        while (product & LOW) < reject:
            s = MULTIPLIER * (s & LOW) + (s >> 32)
            product = (s & LOW) * n
    rng[0] = s
    return product >> 32


@rule
def weighted(rng: Row, weights: Row, total: int) -> int:
    """Return a random index of ``weights``, each as often as its weight says. They add up to ``total``."""
    drawn = x = below(rng, total)
    for i in range(len(weights)):  # type: ignore[arg-type]  # the rules do not use the length of a row
        if x < weights[i]:
            return i
        x -= weights[i]
    raise OutOfBounds("weights", max(total, 1), drawn - x)


@rule
def by_chances(rng: Row, chances: Floats, n: int) -> int:
    """Return a random index below ``n``, each as often as its part of the ``chances``, which are floats."""
    total = 0.0
    for i in range(n):
        total += chances[i]
    x = total * (below(rng, SEEDS) / SEEDS)
    i = 0
    while i < n - 1 and x >= chances[i]:
        x -= chances[i]
        i += 1
    return i


@rule
def mix(x: int) -> int:
    """Mix a 32-bit word: a bijection in which every input bit affects every output bit."""
    x = ((x ^ (x >> 16)) * 0x45D9F3B) & LOW
    x = ((x ^ (x >> 16)) * 0x45D9F3B) & LOW
    return x ^ (x >> 16)


@rule
def stream(seed: int, index: int, rng: Row) -> None:
    """Set ``rng`` to the start of stream ``index`` of ``seed`` (both 0 … 2⁶³−1).

    A stream does not depend on other streams, or on the thread that uses it.
    """
    a = mix((seed & LOW) ^ 0x9E3779B9)
    b = mix(((seed >> 32) & LOW) ^ a)
    c = mix((index & LOW) ^ b)
    d = mix(((index >> 32) & LOW) ^ c)
    low = mix(d ^ a ^ 0x7F4A7C15)
    carry = mix(low ^ c ^ 0x1CE4E5B9) % (MULTIPLIER - 2) + 1
    rng[0] = (carry << 32) | low
