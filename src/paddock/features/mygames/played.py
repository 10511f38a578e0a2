"""A game that was played on a device, without this server: what its record proves, and what is kept of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from pydantic import ValidationError

from paddock import records
from paddock.core.errors import BadOption, BadRecord
from paddock.core.i18n import _
from paddock.features.mygames.archive import PastGame, Rival
from paddock.tables.notes import HINTS


@dataclass(frozen=True)
class Finisher:
    """A player at the end of a record."""

    name: str
    bot: str | None  # the level of a bot
    place: int  # 0: none
    points: int


@dataclass(frozen=True)
class RecordEnd:
    """How the game of a record ended."""

    title: str
    players: Sequence[Finisher]
    hinted: bool  # whether the record says that somebody was given hints
    changed: bool = False  # whether it was played with changed numbers of the rules


def ended(text: str) -> RecordEnd:
    """Replay a record to its end; raise ``BadRecord``. Long records take long."""
    record = records.read(text)
    game = record.game()
    if not game.over:
        raise BadRecord(record.last_line, _("this game is not finished"))
    lines = {line.who: line for line in game.standings().players}
    finishers = [
        Finisher(name, bot, lines[player].rank, lines[player].total)
        for player, (name, bot) in enumerate(record.players)
    ]
    return RecordEnd(
        game.title.name,
        finishers,
        any(HINTS in note.tags for note in record.notes),
        bool(game.options.changed),
    )


def proved(said: PastGame, end: RecordEnd, now: datetime) -> PastGame:
    """Return a game of a device as it is kept: the record tells of the race, the device of the rest.

    Raises ``BadOption`` if no person in the record ended as the device says, or more than one did.
    """
    persons = [
        index
        for index, player in enumerate(end.players)
        if player.bot is None and (player.place, player.points) == (said.place, said.points)
    ]
    if said.title != end.title or len(persons) != 1:
        raise BadOption([_("the game and its record do not agree")])
    try:
        others = [
            Rival(name=player.name, bot=player.bot, place=player.place, counts=True)
            for index, player in enumerate(end.players)
            if index != persons[0]
        ]
    except ValidationError:
        raise BadOption([_("the game and its record do not agree")]) from None
    known = {"ended": min(said.ended, now), "hinted": said.hinted or end.hinted, "device": True}
    known["counts"] = said.counts and not end.changed
    return said.model_copy(update=known | {"others": others, "judged": None, "cost": None})
