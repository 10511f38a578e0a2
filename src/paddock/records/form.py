"""Constants shared by the reader and the writer of records; ``SPEC.md`` defines them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

FORMAT = "paddock record 1"
PERSON = "person"  # written in place of a bot level
NOBODY = "nobody"  # written in «eyes» for a spectator
LEVEL = "[a-z][a-z0-9-]{0,19}"
HEADER_LETTERS = 20_000  # maximum length of the header in characters, without the data of options
DECISION_LETTERS = 64  # maximum length of a decision and the chance after it, in characters


def checksum(lines: Iterable[str]) -> str:
    """Hash the lines to eight hexadecimal digits. Empty lines, the date and the checksum are left out."""
    counted = [line for line in lines if line and not line.startswith(("date: ", "checksum: "))]
    return hashlib.blake2b("\n".join(counted).encode(), digest_size=4).hexdigest()
