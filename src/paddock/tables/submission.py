"""Submissions: one move or a chain of moves for a decision, and the result."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from paddock.core.errors import BadMove
from paddock.core.game import MOST_LINKS, Game, too_many_links
from paddock.core.i18n import _
from paddock.core.title import move_id


@dataclass(frozen=True)
class Submitted:
    """The result of a submission: "committed" (waiting for the others), "played", "duplicate" (already
    committed) or "late" (nothing changed). ``sentence`` is for the player."""

    status: str
    sentence: str


def late() -> Submitted:
    """Return the result for a decision that is no longer open."""
    return Submitted(
        "late", _("That was decided meanwhile: look again and choose. Nothing of yours was changed.")
    )


def checked(game: Game, seat: int, moves: Sequence[str | int]) -> tuple[int, ...]:
    """Return the ids of the links; raise if the first one is not legal."""
    if not 0 < len(moves) <= MOST_LINKS:
        raise BadMove(too_many_links())
    if fault := game.why(seat, moves[0]):
        raise fault
    if len(moves) > 1 and len(game.deciders) > 1:
        raise BadMove(_("several decide here at once, each by a single move: send one move"))
    return tuple(move_id(game.title, game.setup, move) for move in moves)
