"""What a player submits for a decision, one move or a chain of several, and what becomes of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from paddock.core.errors import BadMove
from paddock.core.game import MOST_LINKS, Game, too_many_links
from paddock.core.i18n import _
from paddock.core.title import move_id


@dataclass(frozen=True)
class Submitted:
    """What became of a submission: "committed" (waits for the others), "played" (it stands, and what
    it led to), "duplicate" (already committed), "late" (nothing changed)."""

    status: str
    sentence: str


def late() -> Submitted:
    """It was for a decision that is no longer open."""
    return Submitted(
        "late", _("That was decided meanwhile: look again and choose. Nothing of yours was changed.")
    )


def checked(game: Game, seat: int, moves: Sequence[str | int]) -> tuple[int, ...]:
    """The ids of the links, the first of which is legal; raises what forbids it."""
    if not 0 < len(moves) <= MOST_LINKS:
        raise BadMove(too_many_links())
    if fault := game.why(seat, moves[0]):
        raise fault
    if len(moves) > 1 and len(game.deciders) > 1:
        raise BadMove(_("several decide here at once, each by a single move: send one move"))
    return tuple(move_id(game.title, game.setup, move) for move in moves)
