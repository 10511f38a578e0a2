"""The laboratory: matches between bots, and studies of titles. docs/match.md and docs/study.md explain the figures."""

from paddock.lab.match import match
from paddock.lab.results import Figure, Match
from paddock.lab.study import Study, study

__all__ = ["Figure", "Match", "Study", "match", "study"]
