"""Parts of ``refusals.py``: the reasons that forbid a move."""

from __future__ import annotations


class Reasons(list[tuple[str, str]]):
    """(clause, sentence) of the reason with each code. Code 0 means that nothing forbids the move."""

    def __init__(self) -> None:
        super().__init__([("", "")])

    def new(self, clause: str, sentence: str) -> int:
        """Add a reason; return its code."""
        self.append((clause, sentence))
        return len(self) - 1
