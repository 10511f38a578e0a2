"""What proves the chance of a finished game: the line ``fair`` of its record. ``SPEC.md`` defines it."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from paddock.core.errors import PaddockError
from paddock.core.i18n import _
from paddock.records.form import LEVEL

LONGEST = 16_000  # characters of its line
MOST_NUMBERS = 99  # browsers
_NAME = re.compile(r"paddock [a-z]{1,16} [0-9]{1,2} [A-Za-z0-9_-]{1,32}(?: [a-z0-9_-]{1,64})?")
_HASH = re.compile(r"[0-9a-f]{64}")
_LOT = re.compile(r"[0-9a-f]{1,64}")
_FIELDS = "name", "commitment", "secret", "numbers", "mixed", "level"


def mix(numbers: Mapping[int, str]) -> str:
    """Return the hash of the numbers of browsers: a line for each, its place and its number in hex."""
    lines = "".join(f"{place} {number}\n" for place, number in sorted(numbers.items()) if number)
    return hashlib.sha256(lines.encode()).hexdigest()


@dataclass(frozen=True)
class Fair:
    """A secret from which all chance of a game follows, and what was told before it began."""

    name: str  # of the race: «paddock table 1 ID», «paddock evening 1 ID 3», «paddock daily 1 DAY TITLE»
    commitment: str  # the SHA-256 of the secret, in hex
    secret: str  # 256 bits in hex
    # The numbers of browsers that were mixed in, by the place of each, and their hash; empty: none are
    numbers: Mapping[int, str] = field(default_factory=dict)
    mixed: str = ""
    level: str = ""  # of the bots whose moves follow from the secret, too; empty: no moves do

    @property
    def said(self) -> str:
        """From what the key of the race follows, by the secret."""
        return f"{self.name} {self.mixed}" if self.mixed else self.name

    @property
    def line(self) -> str:
        """The line in a record."""
        facts = {name: getattr(self, name) for name in _FIELDS}
        facts["numbers"] = {str(place): number for place, number in sorted(self.numbers.items()) if number}
        return f"fair: {json.dumps({name: fact for name, fact in facts.items() if fact})}"


def is_lot(text: str) -> bool:
    """Whether a text can be the number of a browser: up to 256 bits in hex."""
    return _LOT.fullmatch(text) is not None


def parse(text: str) -> Fair:
    """Return what a line ``fair`` says, without this word; raise ``PaddockError``."""
    try:
        facts = json.loads(text) if len(text) <= LONGEST else None
    except ValueError:
        facts = None
    if not isinstance(facts, dict) or not _sound(facts):
        raise PaddockError(_("write “fair:” as Paddock writes it, or leave this line out"))
    numbers = {int(place): number for place, number in facts.pop("numbers", {}).items()}
    return Fair(**facts, numbers=numbers)


def _sound(facts: Mapping[str, Any]) -> bool:
    """Whether these are the facts of such a line."""
    numbers, mixed = facts.get("numbers", {}), facts.get("mixed")
    return (
        {"name", "commitment", "secret"} <= facts.keys() <= set(_FIELDS)
        and isinstance(numbers, dict)
        and len(numbers) <= MOST_NUMBERS
        and all(re.fullmatch("[1-9][0-9]?", place) and _is(_LOT, number) for place, number in numbers.items())
        and _is(_NAME, facts["name"])
        and all(_is(_HASH, facts[name]) for name in ("commitment", "secret"))
        and (_is(_HASH, mixed) if "mixed" in facts else not numbers)
        and ("level" not in facts or _is(re.compile(LEVEL), facts["level"]))
    )


def _is(pattern: re.Pattern[str], value: Any) -> bool:
    return isinstance(value, str) and bool(pattern.fullmatch(value))
