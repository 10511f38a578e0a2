"""The laboratory: matches between bots. docs/match.md says what the figures mean."""

from paddock.lab.match import match
from paddock.lab.results import Figure, Match

__all__ = ["Figure", "Match", "match"]
