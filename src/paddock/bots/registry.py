"""The bot levels of each title: from its ``bots.py``, and a *rookie* for all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

from paddock.bots.interface import Bot
from paddock.core.errors import BadOption
from paddock.core.game import ChanceSource
from paddock.core.i18n import _
from paddock.core.title import Seen, Title
from paddock.core.title import title as find_title


@dataclass(frozen=True)
class Level:
    """A level of strength of bots."""

    name: str  # in commands and records
    label: str  # for display
    sentence: str  # description


class Rookie:
    """Plays legal moves uniformly at random."""

    thirds = 0

    def choose(self, seen: Seen, seat: int, legal: Sequence[int], rng: ChanceSource) -> int:
        """Choose a legal move uniformly at random."""
        return legal[rng.below(len(legal))]


# Translated for each request, as the language depends on the reader.
_LEVELS = {
    "rookie": ("Rookie", "Knows the rules and little else: often any legal move will do."),
    "club": ("Club", "Spends, saves, counts cards, and knows when the end is near."),
}


def _of(title: Title | str) -> Title:
    return find_title(title) if isinstance(title, str) else title


def levels(title: Title | str) -> list[Level]:
    """Return the levels of a title, the weakest first; raise ``PaddockError`` for an unknown title."""
    found = find_spec(f"{_of(title).package}.bots")
    return [
        Level(name, _(label), _(sentence))
        for name, (label, sentence) in _LEVELS.items()
        if name == "rookie" or found
    ]


def bot(title: Title | str, level: str) -> Bot:
    """Create a bot of a level; raise ``BadOption`` with the known levels."""
    made: Bot = _class(_of(title), level)()
    return made


def thirds(title: Title | str, level: str) -> int:
    """Return how many of three decisions of this level are made by the title's policy; the others are random.

    Compiled play needs this number: a bot's class states it as ``thirds``. Raises ``BadOption`` for an
    unknown level, and for one that cannot play compiled.
    """
    title = _of(title)
    part: int | None = getattr(_class(title, level), "thirds", None)
    if part is None or (part and not title.room("policy")):
        raise BadOption(
            [
                _(
                    "the level «{level}» of {title} cannot play compiled: its bot must state how many of "
                    "three decisions policy.py makes (docs/kernel.md)"
                ).format(level=level, title=title.label)
            ]
        )
    return part


def _class(title: Title, level: str) -> type[Any]:
    """Return the class of a level's bot; raise ``BadOption`` with the known levels."""
    names = [known.name for known in levels(title)]
    if level not in names:
        raise BadOption(
            [
                _("there is no bot level «{level}» for {title}: choose {levels}").format(
                    level=level, title=title.label, levels=_(" or ").join(names)
                )
            ]
        )
    room = title.room("bots")
    own: dict[str, type[Any]] = room.BOTS if room else {}
    return own.get(level, Rookie)
