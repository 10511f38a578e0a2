"""The room ``mistakes.py`` of a title: why one move is better than another."""

from __future__ import annotations

from typing import Protocol

from paddock.core.rooms.basics import Known


class Mistakes(Protocol):
    """The room ``mistakes.py`` of a title."""

    def why(self, seen: Known, seat: int, move: int, best: int) -> str:
        """Return why ``best`` is better than ``move``, from what the seat sees; empty without a plain reason.

        It is a sentence whose numbers are counted in this position.
        """
