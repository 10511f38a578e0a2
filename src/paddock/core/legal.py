"""The legal moves of a seat as a sequence."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from typing import Any, SupportsIndex, overload

from paddock.core.errors import PaddockError, quoted
from paddock.core.i18n import _, pgettext
from paddock.core.notebook import table
from paddock.core.title import Move, Seen, move_id


class LegalMoves(Sequence[Move]):
    """The legal moves of a seat, as typed moves. A slice is again a ``LegalMoves``.

    ``in``, ``index`` and ``count`` take a move, a notation or an id.
    """

    def __init__(self, seen: Seen, seat: int, ids: Sequence[int]) -> None:
        self._seen = seen
        self._seat = seat
        self.ids = tuple(ids)

    def __len__(self) -> int:
        return len(self.ids)

    @overload
    def __getitem__(self, index: SupportsIndex) -> Move: ...

    @overload
    def __getitem__(self, index: slice) -> LegalMoves: ...

    def __getitem__(self, index: SupportsIndex | slice) -> Move | LegalMoves:
        if isinstance(index, slice):
            return LegalMoves(self._seen, self._seat, self.ids[index])
        return self._move(self.ids[index])

    def __iter__(self) -> Iterator[Move]:
        return map(self._move, self.ids)

    def __contains__(self, move: object) -> bool:
        return self.count(move) > 0

    def index(self, move: object, start: int = 0, stop: int = sys.maxsize) -> int:
        """Return the place of a move; raise ``ValueError`` if it is not in the list."""
        try:
            return self.ids.index(self._id(move), start, stop)
        except (PaddockError, ValueError):
            raise ValueError(_("{move} is not in the list").format(move=quoted(move))) from None

    def count(self, move: object) -> int:
        """Return 1 if the move is in the list, else 0."""
        try:
            return self.ids.count(self._id(move))
        except PaddockError:
            return 0

    def _move(self, id: int) -> Move:
        return self._seen.title.text.move(self._seen.setup, id)

    def _id(self, move: object) -> int:
        return move_id(self._seen.title, self._seen.setup, move)

    def _key(self) -> tuple[Any, ...]:
        """What makes lists of two games equal: an id is the same move only in the same set-up."""
        return self._seen.title, self._seen.options, self.ids

    def __eq__(self, other: object) -> bool:
        """Whether the other list has the same moves, in a game of the same title and options."""
        return self._key() == other._key() if isinstance(other, LegalMoves) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._key())

    def __repr__(self) -> str:
        return f"<{' '.join(['LegalMoves', *map(str, self)])}>"

    def _repr_html_(self) -> str:
        """The notation and the label of each move as a table, for a notebook."""
        text = self._seen.title.text
        return table(
            (pgettext("noun", "Move"), _("What it does")),
            [(str(self._move(id)), text.label(self._seen, self._seat, id)) for id in self.ids],
        )
