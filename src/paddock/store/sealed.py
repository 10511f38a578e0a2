"""The secrets of a database, made with it: a key that signs push messages, and one for links in messages."""

from __future__ import annotations

import base64
import secrets

ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551  # of the curve P-256
PUSH, LINKS = "push", "links"


def new_secrets() -> dict[str, str]:
    """Return new ones by name: the private number of a key of P-256, and 32 random bytes, as base64."""
    numbers = {PUSH: 1 + secrets.randbelow(ORDER - 1), LINKS: secrets.randbits(256)}
    return {
        name: base64.urlsafe_b64encode(number.to_bytes(32)).decode().rstrip("=")
        for name, number in numbers.items()
    }
