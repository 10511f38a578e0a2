"""Constants shared by the reader and the writer of records; ``SPEC.md`` defines them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

FORMAT = "paddock record 1"
UNKNOWN = "?"
PERSON = "person"  # the level of a player who is not a bot
NOBODY = "nobody"  # the eyes of a spectator
LEVEL = "[a-z][a-z0-9-]{0,19}"
HEADER_LETTERS = 20_000  # most characters in the header, without data in its options
DECISION_LETTERS = 64  # most characters for a decision and the chance after it


def checksum(lines: Iterable[str]) -> str:
    """Hash all lines but empty ones, the date and the checksum itself to eight hexadecimal digits."""
    counted = [line for line in lines if line and not line.startswith(("date: ", "checksum: "))]
    return hashlib.blake2b("\n".join(counted).encode(), digest_size=4).hexdigest()
