"""The bot levels of a title: *Rookie* and *Works* for all, *Club* from its ``bots.py`` or ``policy.py``,
*Champion* if it has networks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from paddock.bots.champion import Champion, has_networks, means_for, network_for, network_name
from paddock.bots.interface import Bot
from paddock.bots.network_file import OtherShape
from paddock.bots.networks import load_network
from paddock.bots.thinking import Thinker
from paddock.bots.works import Works
from paddock.core.errors import BadOption
from paddock.core.extras import has
from paddock.core.game import ChanceSource
from paddock.core.i18n import _, mark, pmark
from paddock.core.options import Options
from paddock.core.title import Seen, Title
from paddock.core.title import title as find_title
from paddock.core.wording import either
from paddock.parts.club import Club


@dataclass(frozen=True)
class Level:
    """A level of strength of bots."""

    name: str  # in commands and records
    label: str  # for display, translated
    sentence: str  # description


class Rookie:
    """Plays legal moves uniformly at random."""

    thirds = 0

    def choose(self, seen: Seen, seat: int, legal: Sequence[int], rng: ChanceSource) -> int:
        """Choose a legal move uniformly at random."""
        return legal[rng.below(len(legal))]


ROOKIE, CLUB, WORKS, CHAMPION = "rookie", "club", "works", "champion"
NETWORK = "net:"  # before the file of a network, in place of a level
AHEAD = "ahead:"  # the same for a network that looks ahead
EXACT = "exact:"  # the same for one that thinks in double precision: so it plays the same on every machine
ALONE = NETWORK + CHAMPION  # the network of the level, which never looks ahead

# Translated for each request, as the language depends on the reader.
_LEVELS = {
    ROOKIE: (
        pmark("level of bots", "Rookie"),
        mark("Knows the rules and little else: often any legal move will do."),
    ),
    CLUB: (
        pmark("level of bots", "Club"),
        mark("Spends, saves, counts cards, and knows when the end is near."),
    ),
    WORKS: (
        pmark("level of bots", "Works"),
        mark("Plays every move through to the end many times in its head, and takes the best."),
    ),
    CHAMPION: (
        pmark("level of bots", "Champion"),
        mark(
            "Learned by playing against itself. Works plays in its place in set-ups that it has not "
            "learned, and where Works is stronger."
        ),
    ),
}
_THUMB = mark("Plays by a few rules of thumb.")  # of a title without ``bots.py``
_UNIFORM = mark("Tries every move in its head, in many games of random moves, and takes the best.")


def levels(title: Title | str) -> list[Level]:
    """Return the levels of a title that can play here, the weakest first: *Works* needs the extra ``fast``.

    Raises ``PaddockError`` for an unknown title.

        >>> import paddock
        >>> [level.name for level in paddock.bots.levels("lacorsa")]
        ['rookie', 'club', 'works', 'champion']
    """
    found_title = find_title(title)
    labels = dict(_LEVELS)
    if not found_title.has_room("bots"):
        labels[CLUB] = labels[CLUB][0], _THUMB
    if not found_title.has_room("policy"):
        labels[WORKS] = labels[WORKS][0], _UNIFORM
    return [
        Level(name, *map(_, labels[name]))
        for name in _level_names(found_title)
        if name != WORKS or has("fast")
    ]


def label_of(level: str) -> str:
    """Return the label of a level, to be translated when it is shown: not all have the same language."""
    return _LEVELS[level][0]


@cache
def _level_names(title: Title) -> list[str]:
    """Return the names of the levels of a title. Every page of a table needs them: the search takes time."""
    club = title.has_room("bots") or title.has_room("policy")
    return [ROOKIE, *[CLUB] * club, WORKS, *[CHAMPION] * has_networks(title)]


def usual(title: Title | str) -> str:
    """Return the level that plays if nobody chooses one: the strongest that answers at once."""
    return [name for name in _level_names(find_title(title)) if name not in (WORKS, CHAMPION)][-1]


def bot(title: Title | str, level: str, *, wait: bool = True) -> Bot:
    """Create a bot of a level; raise ``BadOption`` with the known levels.

    ``net:FILE`` in place of a level is a network that ``paddock train`` has written, and ``net:champion``
    that of *Champion*, which plays without looking ahead. ``ahead:FILE`` is a network that looks ahead as
    *Champion* does, in games in which the others play as *Champion*'s network. ``exact:FILE`` is a
    network that plays the same on every machine. ``wait`` is for *Works*
    and for *Champion* where it looks ahead: the first decision waits for the compiler; else *Works* plays as
    *Club* until then, or as *Rookie* if there is no *Club*, and *Champion* as its network alone.

        >>> import paddock
        >>> club = paddock.bots.bot("lacorsa", "club")
        >>> seen = paddock.start("lacorsa", drivers=4, seed=7).seen(1 << 0)
        >>> club.choose(seen, 0, seen.legal(0), paddock.Seeded(1))
        11
    """
    title = find_title(title)
    if level == ALONE and has_networks(title):
        return Champion(bot(title, WORKS, wait=wait and has("fast")), ahead=False)
    if level.startswith(EXACT):
        return Champion(Rookie(), network_file(title, level).exact(), ahead=False)
    if level.startswith((NETWORK, AHEAD)):
        return Champion(Rookie(), network_file(title, level), ahead=level.startswith(AHEAD), wait=wait)
    kind = _class(title, level)
    if kind is Works:
        return Works(bot(title, usual(title)), wait=wait)
    if kind is Champion:
        return Champion(bot(title, WORKS, wait=wait and has("fast")), wait=wait)
    new_bot: Bot = kind()
    return new_bot


def network_file(title: Title, level: str) -> Thinker:
    """Return the network of ``net:FILE``, ``ahead:FILE`` or ``exact:FILE``; raise ``PaddockError`` if it is
    none, or one of another title."""
    if level == ALONE:
        raise BadOption([_("{title} has no network of Champion").format(title=title.label)])
    file, room = Path(level.partition(":")[2]), title.short_features
    sizes = (room.PRESENT_FEATURES, room.SHORT_FEATURES) if title.has_room("short_features") else (0,)
    try:
        return load_network(file, [(size, room.OUTPUTS) for size in sizes])
    except OtherShape:
        sentence = _("{file}: this network does not play {title}")
        raise BadOption([sentence.format(file=file, title=title.label)]) from None


def network_of(title: Title | str, level: str, options: Options) -> Thinker | None:
    """Return the network of this level with these options; None if it has none.

    Where the level looks ahead, it is stronger than its network: see ``looks_ahead``.
    """
    title = find_title(title)
    if level in (CHAMPION, ALONE) and has_networks(title):
        return network_for(title, title.setup_of(options))
    return network_file(title, level) if level.startswith((NETWORK, AHEAD)) else None


def without_search(level: str) -> str:
    """Return the name of the same level without looking ahead."""
    return level.replace(AHEAD, NETWORK, 1) if level.startswith(AHEAD) else ALONE


def looks_ahead(title: Title, level: str, options: Options) -> bool:
    """Return whether the level looks ahead with these options: *Champion*, or any network that does."""
    return level.startswith(AHEAD) or (
        level == CHAMPION
        and has_networks(title)
        and means_for(title, network_name(title, title.setup_of(options))) is not None
    )


def thirds(title: Title | str, level: str) -> int:
    """Return how many of three decisions of this level are made by the title's policy; the others are random.

    Compiled play needs this number: a bot's class states it as ``thirds``. Raises ``BadOption`` for an
    unknown level, and for one that cannot play compiled.
    """
    title = find_title(title)
    kind = _class(title, level)
    if kind is Champion:
        sentence = _("the level “{level}” is a network: it plays compiled in “paddock match” only")
        raise BadOption([sentence.format(level=level)])
    if kind is Works:
        sentence = _("the level “{level}” is too slow to play in bulk: use “paddock match”")
        raise BadOption([sentence.format(level=level)])
    part: int | None = getattr(kind, "thirds", None)
    if part is None or (part and not title.has_room("policy")):
        raise BadOption(
            [
                _(
                    "the level “{level}” of {title} cannot play compiled: its bot must state how many of "
                    "three decisions policy.py makes (docs/kernel.md)"
                ).format(level=level, title=title.label)
            ]
        )
    return part


def _class(title: Title, level: str) -> type[Any]:
    """Return the class of a level's bot; raise ``BadOption`` with the known levels."""
    names = _level_names(title)
    if level not in names:
        raise BadOption(
            [
                _("there is no bot level “{level}” for {title}: choose {levels}").format(
                    level=level, title=title.label, levels=either(names)
                )
            ]
        )
    own_bots = title.bots.BOTS if title.bots else {}
    return {ROOKIE: Rookie, CLUB: Club, WORKS: Works, CHAMPION: Champion, **own_bots}[level]
