"""What was shown to each player of a game, entry by entry: what one with perfect memory knows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

from paddock.core.options import Options
from paddock.core.title import Title
from paddock.core.transcript import UNKNOWN
from paddock.core.words import CHANCE, HIDDEN


def head_of(title: Title, options: Options, player: int | None = None) -> str:
    """Return the first line of an information state: the rules and options, and whose it is."""
    head = f"{title.name}/{title.revision} {options.text}"
    return head if player is None else f"{head} {title.player_name}={player + 1}"


class Told:
    """The entries of a game, and what each player saw of them.

    The entries of an open simultaneous decision are shown to others when it is over, in the order of seats.
    """

    __slots__ = ("entries", "open")

    def __init__(self) -> None:
        self.entries: list[tuple[int, int, Sequence[int]]] = []  # by, what, and what each player sees of it
        self.open = 0  # how many of the last entries belong to an open simultaneous decision

    def append(self, by: int, id: int, shown: Sequence[int], before: int, after: int) -> None:
        """Add an entry; ``before`` and ``after`` it, these seats must decide."""
        other_deciders = before & ~(1 << by)
        self.entries.append((by, id, shown))
        if by != CHANCE and other_deciders and after == other_deciders:
            self.open += 1
        elif self.open:
            last = len(self.entries) - self.open - 1
            block = sorted((by, id) for by, id, _shown in self.entries[last:])
            self.entries[last:] = [(by, id, [id] * len(shown)) for by, id in block]
            self.open = 0

    def seen(self, player: int, since: int = 0) -> list[tuple[int, int]]:
        """Return the entries from ``since`` on as a player saw them: by, and what or HIDDEN.

        Those of an open decision that it did not see are left out: it cannot know that they were made.
        """
        done = len(self.entries) - self.open
        return [
            (by, shown[player])
            for i, (by, _what, shown) in enumerate(self.entries[since:], since)
            if i < done or shown[player] != HIDDEN
        ]

    def text(self, player: int, since: int = 0) -> str:
        """Return ``seen`` as text: ``seat:move``, and ``c:outcome``; ``?`` for what is hidden."""
        return " ".join(
            f"{'c' if by == CHANCE else by}:{UNKNOWN if what == HIDDEN else what}"
            for by, what in self.seen(player, since)
        )

    def copy(self) -> Self:
        """Return a copy that can go on alone."""
        copied = object.__new__(type(self))
        copied.entries, copied.open = self.entries[:], self.open
        return copied
