"""The levels at which bots play each title: *rookie* everywhere, the others from the title's ``bots.py``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec

from paddock.bots.interface import Bot
from paddock.core.errors import BadOption
from paddock.core.game import ChanceSource
from paddock.core.i18n import _
from paddock.core.title import Seen, Title
from paddock.core.title import title as find_title


@dataclass(frozen=True)
class Level:
    """A strength that a bot can play at."""

    name: str  # as in commands and records
    label: str  # as on a page
    sentence: str  # what to expect of it


class Rookie:
    """Any legal move, each as likely as the others."""

    def choose(self, seen: Seen, seat: int, legal: Sequence[int], rng: ChanceSource) -> int:
        """One of the legal moves, uniformly at random."""
        return legal[rng.below(len(legal))]


# Translated when they are asked for: the language is the reader's.
_LEVELS = {
    "rookie": ("Rookie", "Knows the rules and nothing else: any legal move will do."),
    "club": ("Club", "Spends, saves, counts cards, and knows when the end is near."),
}


def _of(title: Title | str) -> Title:
    return find_title(title) if isinstance(title, str) else title


def levels(title: Title | str) -> list[Level]:
    """The levels of a title, the weakest first; raises ``PaddockError`` for an unknown title."""
    found = find_spec(f"{_of(title).package}.bots")
    return [
        Level(name, _(label), _(sentence))
        for name, (label, sentence) in _LEVELS.items()
        if name == "rookie" or found
    ]


def bot(title: Title | str, level: str) -> Bot:
    """A bot of that level; raises ``BadOption`` naming the levels there are."""
    title = _of(title)
    names = [known.name for known in levels(title)]
    if level not in names:
        raise BadOption(
            [
                _("there is no bot level «{level}» for {title}: choose {levels}").format(
                    level=level, title=title.label, levels=_(" or ").join(names)
                )
            ]
        )
    if level == "rookie":
        return Rookie()
    made: Bot = title.room("bots").BOTS[level]()
    return made
