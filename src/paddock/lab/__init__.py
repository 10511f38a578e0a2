"""The laboratory: matches between bots (docs/match.md) and studies of titles (docs/study.md)."""

from paddock.lab.match import match
from paddock.lab.results import Figure, Match
from paddock.lab.study import Study, study

__all__ = ["Figure", "Match", "Study", "match", "study"]
