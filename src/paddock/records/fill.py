"""Validates partial records, and fills in a possible value for each «?».

The room ``records.py`` of a title says how: see ``paddock.core.rooms.records``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from paddock.core.errors import BadRecord, PaddockError, quoted
from paddock.core.game import ChanceSource, Game
from paddock.core.i18n import _
from paddock.core.rooms.records import Guide, Guiding, Passing, Stock, Tracing
from paddock.core.source import source_of
from paddock.kernel.source import Seeded
from paddock.records.cards import HandCounts, count
from paddock.records.guided import drawn, filled, guided
from paddock.records.passing import Passes
from paddock.records.record import Line, Record, lines_of

STOCK = (
    "records.py declares a Stock, which is right only if no card goes from hand to hand and none comes back"
    " in secret: for a draft or a reshuffled deck declare Passing or Tracing, see paddock.core.rooms.records"
)
NO_ROOM = (
    "the title has no records.py, and cards that are dealt in secret and played later need one: see"
    " paddock.core.rooms.records"
)


def check(record: Record) -> list[str]:
    """Return the faults: all lines that card counting rules out, else the first line that the rules forbid.

    An empty list means that the record is possible.
    """
    room = _records_room(record)
    faults: list[BadRecord] = []
    try:
        if isinstance(room, Stock):
            counts, faults = count(record, room)
            if not faults:
                _dealt(record, counts, Seeded(0))
        else:
            _guided(record, room, Seeded(0))
    except BadRecord as fault:
        faults = [fault]
    return [str(BadRecord(fault.line, fault.reason, record.number)) for fault in faults]


def complete(record: Record, rng: ChanceSource) -> Game:
    """Return a game with a random value for every «?» that agrees with everything visible.

    Raises ``BadRecord`` with the first impossible line. The game has no chance source.

        >>> import paddock
        >>> game = paddock.start("rasant", players=2, seed=3)
        >>> people = [("Ana", None), ("Ben", "club")]
        >>> text = paddock.records.write(game, date="2026-01-31", players=people, eyes=1 << 0)
        >>> other = paddock.records.complete(paddock.records.read(text), paddock.Seeded(1))
        >>> other.legal(0) == game.legal(0)
        True
    """
    room = _records_room(record)
    source_of(rng)
    with record.named(), _advised(room):
        if not isinstance(room, Stock):
            return _guided(record, room, rng)
        counts, faults = count(record, room)
        if faults:
            raise faults[0]
        return _dealt(record, counts, rng)


@contextmanager
def _advised(room: object) -> Iterator[None]:
    """Add a note to the error for the author of a title: of an impossible record, the room may be the cause.

    Players, who see the message alone, do not get it.
    """
    try:
        yield
    except BadRecord as fault:
        if note := STOCK if isinstance(room, Stock) else NO_ROOM if room is None else "":
            fault.add_note(note)
        raise


def _records_room(record: object) -> object:
    """Return the room ``records.py`` of the title, or None."""
    if not isinstance(record, Record):
        raise PaddockError(
            _("give a record, as paddock.records.read returns it, not {what}").format(what=quoted(record))
        )
    return record.title.records


def _dealt(record: Record, counts: Sequence[HandCounts], rng: ChanceSource) -> Game:
    """Replay the record with cards dealt from the counts."""
    dealt = {place: card for count in counts for place, card in count.deal(rng).items()}

    def choose(game: Game, line: Line, i: int, weights: Mapping[int, int]) -> int:
        place = line.number, i
        return dealt[place] if place in dealt else drawn(weights, rng)

    return filled(record, choose)


def _guided(record: Record, room: object, rng: ChanceSource) -> Game:
    """Replay the record with the guide that its title needs, if any."""
    g = record.title.setup_of(record.options)

    def guide_of(lines: Sequence[Line]) -> Guide | None:
        """Return what guides the filling of a round; None if the title has no such room."""
        if isinstance(room, Guiding):
            return room.guide(g, lines_of(lines), rng)
        if isinstance(room, Passing | Tracing):
            return Passes(room, g, lines_of(lines), record.options.seats, rng)
        return None

    return guided(record, rng, guide_of)
