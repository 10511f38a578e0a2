"""The laboratory: matches and ladders of bots (docs/match.md, docs/ladder.md), studies (docs/study.md)."""

from paddock.lab.beside import Beside, beside
from paddock.lab.crosstable import Ladder
from paddock.lab.equilibrium import Solved, solve
from paddock.lab.exploiter import Exploiter, exploit
from paddock.lab.ladder import ladder
from paddock.lab.match import match
from paddock.lab.results import Figure, Match
from paddock.lab.study import Study, study

__all__ = [
    "Beside", "Exploiter", "Figure", "Ladder", "Match", "Solved", "Study",
    "beside", "exploit", "ladder", "match", "solve", "study",
]  # fmt: skip
