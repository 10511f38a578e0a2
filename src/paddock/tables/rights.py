"""What a browser may do at a table."""

from __future__ import annotations

from paddock.core.i18n import _
from paddock.tables.errors import Forbidden
from paddock.tables.table import Table


def watch(table: Table, holder: str | None) -> None:
    """Raise ``Forbidden`` if this browser may not see the table at all."""
    if table.kind.seal and not (table.players_of(holder) or _was_here(table, holder)):
        raise Forbidden(_(table.kind.seal.watch))


def _was_here(table: Table, holder: str | None) -> bool:
    """Whether a browser had a seat last that is open now: it may come back."""
    return holder is not None and any(p.open and p.last_holder == holder for p in table.players)


def allow(table: Table, holder: str | None, seat: int) -> None:
    """Raise ``Forbidden`` unless the seat belongs to this browser."""
    if table.kind.record:
        raise Forbidden(_("this is the replay of a record: use Explore to play on from here"))
    own_seats = {s for player in table.players_of(holder) for s in table.seats_of(player)}
    if seat not in own_seats:
        raise Forbidden(
            _("{word} {number} does not belong to this browser").format(
                word=_(table.title.seat_name), number=seat + 1
            )
        )
