"""What can go wrong through somebody's input: each is one sentence that says what to do."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from operator import index
from typing import SupportsIndex


def brief(text: str, most: int = 60) -> str:
    """Somebody's words on one line of at most ``most`` visible characters, to be quoted in a sentence."""
    line = "".join(c if c.isprintable() else "�" for c in " ".join(text[: 10 * most].split()))
    return line if len(line) <= most else f"{line[: most - 2]} …"


def quoted(value: object) -> str:
    """Anything that was given, to be quoted in a sentence."""
    try:
        return brief(repr(value))
    except ValueError:  # Python writes no number of thousands of digits
        return "a very long number"


def whole(value: object) -> int | None:
    """The value as an ``int`` where it is a whole number, of NumPy for example; else None."""
    if isinstance(value, bool) or not isinstance(value, SupportsIndex):
        return None
    try:
        return index(value)
    except TypeError:  # an array of NumPy has ``__index__``, and refuses
        return None


def clean_name(name: str) -> str:
    """A player's name as one line of at most 100 characters; empty where nothing of it is visible."""
    line = "".join(c for c in " ".join(name.split()) if unicodedata.category(c) not in ("Cc", "Cs"))
    line = "".join(c for c in line if c != "\ufeff" and ord(c) & 0xFFFE != 0xFFFE)  # what XML cannot hold
    seen = any(unicodedata.category(c)[0] not in "CZ" for c in line)
    return " ".join(line[:100].split()) if seen else ""


def listed(faults: Sequence[str], most: int = 20) -> str:
    """Faults as one sentence: the first ones, and how many more there are."""
    more = [f"and {len(faults) - most} more"] if len(faults) > most else []
    return "; ".join([*faults[:most], *more])


class PaddockError(ValueError):
    """Input that a person can put right; ``str(error)`` is the sentence to show."""


class BadOption(PaddockError):
    """Options that no game can be set up with; ``faults`` lists every one."""

    def __init__(self, faults: Sequence[str]) -> None:
        self.faults = tuple(faults)
        super().__init__(listed(self.faults))


class BadMove(PaddockError):
    """A move that is malformed, out of turn, or made after the end."""


class IllegalMove(PaddockError):
    """A move that the rules forbid: ``clause`` is the clause id, ``reason`` the sentence."""

    def __init__(self, clause: str, reason: str) -> None:
        self.clause = clause
        self.reason = reason
        super().__init__(f"{clause} {reason}")


class BadPosition(PaddockError):
    """A position text that no game can stand in; ``faults`` lists every one."""

    def __init__(self, faults: Sequence[str]) -> None:
        self.faults = tuple(faults)
        super().__init__(listed(self.faults))


class BadRecord(PaddockError):
    """A record that cannot be read: ``line`` (from 1) and the ``reason``."""

    def __init__(self, line: int, reason: str) -> None:
        self.line = line
        self.reason = reason
        super().__init__(f"line {line}: {reason}")
