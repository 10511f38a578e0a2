"""The room ``refusals.py``: which rule forbids a move."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property
from typing import Any, Protocol

from paddock.core.rooms.basics import Usual


class Refusals(Protocol):
    """The room ``refusals.py``."""

    @property
    def CODES(self) -> int:
        """How many codes there are: 0 means legal, the refusals are 1 … CODES − 1."""

    def why(self, s: Any, g: Any, seat: int, move: int) -> int: ...


class UsualRefusals(Usual):
    """``why_not`` of the rules says why.

    Without it there is one reason, that the move is not in the list; its clause is that of ``legal``.
    """

    @cached_property
    def CODES(self) -> int:
        return len(self.REASONS)

    @cached_property
    def REASONS(self) -> Sequence[tuple[str, str]]:
        clause = re.search(r"[A-Z]{2}-\d+\.\d+", self.title.rules.legal.__doc__ or "")
        return ("", ""), (clause[0] if clause else "", "")

    def why(self, s: Any, g: Any, seat: int, move: int) -> int:
        why_not = getattr(self.title.rules, "why_not", None)
        return why_not(s, g, seat, move) if why_not else int(move not in self.title.legal(s, g, seat))
