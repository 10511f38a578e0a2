"""The room ``puzzles.py`` of a title: what its puzzles are about.

The puzzles themselves are in the file ``puzzles.jsonl`` beside it, which ``paddock puzzles make`` writes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from paddock.core.rooms.basics import Known


class Puzzling(Protocol):
    """The room ``puzzles.py`` of a title."""

    THEMES: Mapping[str, str]  # by its word in addresses the name of each theme, in the order of the page
    GAMES: Sequence[Mapping[str, Any]]  # the options of the games in which puzzles are looked for

    def theme(self, seen: Known, seat: int, best: int) -> str:
        """Return the theme of a decision whose best move is ``best``; empty if it makes no puzzle."""
