"""Fair cards: all chance of a table follows from a secret, and from a number of each browser at the start.

The hash of the secret is told from the beginning, the secret when the game is over. Moves do not follow from
it: a host may change who plays a seat.
"""

from __future__ import annotations

from dataclasses import dataclass

from paddock.bots import fair
from paddock.kernel.keyed import Keyed
from paddock.records import Fair
from paddock.records.proof import mix
from paddock.tables.table import Table


@dataclass(frozen=True)
class FairCards:
    """What everybody may know of the chance of a table with fair cards."""

    name: str  # of its race, without the numbers of browsers
    commitment: str  # the SHA-256 of the secret, in hex
    secret: str | None  # None: the game is not over


def shown(table: Table) -> FairCards | None:
    """Return what everybody may know of a table's fair cards; None if it has none."""
    if not table.secret:
        return None
    secret = table.secret if table.game.over else None
    return FairCards(name_of(table), fair.commitment(table.secret), secret)


def name_of(table: Table) -> str:
    """Return the name of the table's race, without the numbers of browsers."""
    return f"paddock table 1 {table.id}"


def source(table: Table) -> Keyed:
    """Return the chance of a table with fair cards whose game begins, or has begun."""
    proved = told(table)
    return fair.keyed(proved.secret, proved.said)


def proof(table: Table) -> Fair | None:
    """Return what proves the chance of a table; None if it has no fair cards, or while nobody may know."""
    return told(table) if table.secret and table.game.over else None


def told(table: Table) -> Fair:
    """Return all that proves the chance of a table with fair cards, its secret, too."""
    assert table.secret is not None
    numbers = {player.index + 1: player.lot for player in table.players if player.lot}
    return Fair(name_of(table), fair.commitment(table.secret), table.secret, numbers, mix(numbers))
