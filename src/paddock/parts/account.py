"""Parts of ``account.py``: how a finished series went, for the page of the game: counts, moments, feats."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from paddock.core.i18n import _
from paddock.core.log import Event, EventBatch
from paddock.core.pages import Feat, Moment, Tally
from paddock.core.series import Standing, standings
from paddock.core.title import Seen

Found = tuple[tuple[int, ...], Moment]
"""A moment of a player, and its worth: the greater one is the better moment."""


def events(batches: Sequence[EventBatch]) -> Iterator[Event]:
    """Return all events, in order."""
    return (event for batch in batches for event in batch.events)


class Moments:
    """The moments that decided a series. A log entry has one: the first that is noted for it."""

    def __init__(self) -> None:
        self._found: dict[int, str] = {}

    def note(self, entry: int, text: str) -> None:
        """Add a moment, if its entry has none yet."""
        self._found.setdefault(entry, text)

    def listed(self) -> list[Moment]:
        """Return the moments in the order of the log."""
        return [Moment(entry, self._found[entry]) for entry in sorted(self._found)]


def ranking(seen: Seen) -> tuple[Standing, ...]:
    """Return the players of the series, the best first."""
    return standings(seen.options, seen.rounds).players


def seats_of(seen: Seen, player: int) -> list[int]:
    """Return the seats of a player."""
    return [seat for seat, owner in enumerate(seen.options.owners) if owner == player]


def tally(seen: Seen, caption: str, head: Sequence[str], count: Callable[[int], Iterable[int]]) -> Tally:
    """Return a table of what each player has done, the best player first; ``count`` has a player's numbers.

    ``head`` is the heading of the names, then of each number.
    """
    rows = [(seen.names[line.who], *map(str, count(line.who))) for line in ranking(seen)]
    return Tally(caption, head, rows)


def feats(
    seen: Seen,
    unplaced: str,
    facts: Callable[[Standing], Sequence[str]],
    find: Callable[[int], Iterable[Found]],
) -> list[Feat]:
    """Return what each player did, the best player first: the place, these facts, and the best moment.

    ``unplaced`` is said of a player without a place, ``find`` has a player's moments.
    """
    out = []
    for line in ranking(seen):
        place = _("place {place}").format(place=line.rank) if line.rank else unplaced
        best = max(find(line.who), key=lambda worth_moment: worth_moment[0], default=None)
        out.append(Feat(line.who, _(", ").join([place, *facts(line)]), best[1] if best else None))
    return out
