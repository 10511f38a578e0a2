"""The room ``maps`` of a title whose maps people can write."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol


class Maps(Protocol):
    """The room ``maps`` of a title whose maps people can write. A map is a name or the text of a file."""

    SHIPPED: Sequence[str]  # the names of the title's own maps

    def source(self, name: str) -> str:
        """Return the file of a shipped map."""

    def check(self, text: str) -> Sequence[str]:
        """Return the faults of a map as sentences; none if it can be played on. It may stop after many."""

    def summary(self, text: str) -> str:
        """Return in one line what a map without faults has."""
