"""The words that the reader and the writer of records share; ``SPEC.md`` defines them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

FORMAT = "paddock record 1"
UNKNOWN = "?"
PERSON = "person"  # the level of a player who is not a bot
NOBODY = "nobody"  # the eyes of a spectator
LEVEL = "[a-z][a-z0-9-]{0,19}"
LINK = "; "  # between the moves of one submission
HEADER_LETTERS = 20_000  # that the header may take beside the files in its options
DECISION_LETTERS = 64  # that a decision may take, with the chance that follows it


def checksum(lines: Iterable[str]) -> str:
    """Eight hexadecimal digits of all lines but the empty ones, the date and the checksum itself."""
    counted = [line for line in lines if line and not line.startswith(("date: ", "checksum: "))]
    return hashlib.blake2b("\n".join(counted).encode(), digest_size=4).hexdigest()
