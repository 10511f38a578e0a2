"""Submissions: one move or a chain of moves for a decision, and the result."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from paddock.core.errors import BadMove
from paddock.core.game import MOST_LINKS, Game, too_many_links
from paddock.core.i18n import Sentence, _
from paddock.core.title import Seen, move_id


@dataclass(frozen=True)
class Submission:
    """The result of a submission: "committed" (waiting for the others), "played", "duplicate" (already
    committed) or "late" (the decision is no longer open)."""

    status: str
    message: str | Sentence

    @property
    def sentence(self) -> str:
        """The message for the player, in the current language."""
        return str(self.message)

    @property
    def stored(self) -> str:
        """The message as the store keeps it."""
        return self.message.dump() if isinstance(self.message, Sentence) else self.message


def late(wanted: int, now: int) -> Submission:
    """Return the result for a decision that is not open now. A later one was open before a restore."""
    if wanted > now:
        return back()
    return Submission("late", Sentence("Too late: the game moved on. Look at the table again and choose."))


def back() -> Submission:
    """Return the result for a decision that was open before a restore."""
    words = Sentence(
        "The game went back to an earlier decision: the server was restored from a backup. Look at the"
        " table again and choose."
    )
    return Submission("late", words)


class OpenChain:
    """A chain that a bot or a standing order chooses link by link, from what the seat sees."""

    def __init__(self, seen: Seen, seat: int) -> None:
        self.seen = seen  # the position after the links
        self.seat = seat
        self.legal: Sequence[int] = seen.legal(seat)  # the possible next links
        self.links: list[int] = []
        self.open = True  # whether another link may follow

    def add(self, link: int) -> None:
        """Add a link. An illegal one ends the chain; the table then refuses the chain."""
        self.links.append(link)
        if link not in self.legal:
            self.open = False
            return
        after = self.seen.preview([link], self.seat)
        self.seen, self.legal = after.seen, after.legal
        self.open = not after.ended and len(self.links) < MOST_LINKS


def checked(game: Game, seat: int, moves: Sequence[str | int]) -> tuple[int, ...]:
    """Return the ids of the links; raise if the first one is not legal."""
    if not 0 < len(moves) <= MOST_LINKS:
        raise BadMove(too_many_links())
    if fault := game.why(seat, moves[0]):
        raise fault
    if len(moves) > 1 and len(game.deciders) > 1:
        raise BadMove(_("several seats decide here at the same time: send a single move"))
    return tuple(move_id(game.title, game.setup, move) for move in moves)
