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

    Without ``REASONS`` there is one, that the move is not in the list. Its clause is the one that
    ``why_not`` names, or without it ``legal``.
    """

    @cached_property
    def CODES(self) -> int:
        return len(self.REASONS)

    @cached_property
    def REASONS(self) -> Sequence[tuple[str, str]]:
        rule = getattr(self.title.rules, "why_not", self.title.rules.legal)
        clause = re.search(r"[A-Z]{2}-\d+\.\d+", rule.__doc__ or "")
        return ("", ""), (clause[0] if clause else "", "")

    def why(self, s: Any, g: Any, seat: int, move: int) -> int:
        why_not = getattr(self.title.rules, "why_not", None)
        return why_not(s, g, seat, move) if why_not else int(move not in self.title.legal(s, g, seat))
