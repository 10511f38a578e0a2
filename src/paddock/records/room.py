"""Protocols for a title's room ``records.py``, with which partial records are checked and filled in.

A title imports nothing from here: its room is a module with the functions of one of these protocols, and
``paddock.records.fill`` looks which.

- ``Stock``: cards are dealt and played, and no played card is ever dealt again in secret. Hands are then
  counted line by line, and every deal that agrees with the plays is as likely as chance made it. Where the
  rules tell more: ``Reopening``, ``Proving``.
- ``Passing``: decks are shuffled again, cards go from hand to hand in secret. The record is replayed, and
  each «?» is chosen so that every hand can have what it is later seen to lose.
- ``Guiding``: the title brings its own guide for that replay.
- A title without the room: each «?» is drawn by its weight, and the replay tries again where that fails.

A card is named by the id of the outcome that deals it. All of this works from what the eyes saw of the log:
headings name the hands that cards come from and go to, and what eyes learn of a hand they learn from entries.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol, runtime_checkable

from paddock.core.game import ChanceSource

DECK = -1
PILE = -2  # of cards that are shuffled into a new deck when that is drawn from and empty

Lines = Sequence[tuple[int, str, Sequence[int]]]  # of one round: who (CHANCE), heading, ids


@runtime_checkable
class Stock(Protocol):
    """The room of a title whose played cards are never dealt again in secret."""

    def stock(self, g: Any) -> Sequence[int]:
        """Return the number of cards of each kind."""

    def owner(self, g: Any, heading: str) -> int | None:
        """Return the seat that gets the outcomes under a heading; None if they are not cards."""

    def uses(self, g: Any, move: int) -> Sequence[int]:
        """Return the cards that a move takes out of the hand."""


@runtime_checkable
class Reopening(Protocol):
    """Beside ``Stock``: cards that were played come back into hands, for all to see."""

    def gains(self, g: Any, move: int) -> Sequence[int]:
        """Return the played cards that a move brings into the hand."""

    def reopens(self, g: Any, heading: str) -> bool:
        """Whether the cards under a heading are played ones."""


@runtime_checkable
class Proving(Protocol):
    """Beside ``Stock``: what a player does can prove that the hand lacks some kinds."""

    def allowed(self, g: Any, kind: int) -> bool:
        """Whether a hand about which that is proved may hold the card."""

    def proofs(self, g: Any, lines: Lines, over: bool) -> tuple[dict[int, list[int]], list[int]]:
        """What the lines of one round prove; ``over``: it is known to have ended.

        The seats whose hands are proved to hold allowed cards only, by the index of the line before
        which that is so (``len(lines)``: after the last); and the seats of which one must hold another
        card in the end, if any.
        """


@runtime_checkable
class Passing(Protocol):
    """The room of a title whose cards come back into the deck, or go from hand to hand in secret."""

    def passes(self, g: Any, by: int, heading: str, what: int) -> Sequence[tuple[int, int, int]]:
        """The cards that an entry brings from place to place: (card, from, to).

        A place is a seat, DECK (−1), PILE (−2), or any other number below: a display, out of the game.
        ``heading`` is empty for a move; ``what`` is HIDDEN for an outcome that the eyes did not see, and then
        so is its card, which comes first.
        """

    def cards(self, s: Any, g: Any, place: int) -> Sequence[int]:
        """The cards of a seat's hand or of the PILE, each as often as it is there.

        ``s`` is the state as all seats together know it.
        """


class Guide(Protocol):
    """Chooses values for the «?» of one round."""

    def weigh(self, s: Any, at: int, place: int, weights: Mapping[int, int]) -> Mapping[int, int]:
        """The weights of what may stand for the «?» at ``place`` of line ``at`` (both from 0).

        ``weights`` are those of the possible outcomes, or 1 for each legal move, as far as the eyes do not
        see them; ``s`` is the state before, as all seats together know it. It may be asked again for the same
        place: where a choice led nowhere, the replay goes back behind it.
        """


@runtime_checkable
class Guiding(Protocol):
    """The room of a title that guides the replay of its partial records itself."""

    def guide(self, g: Any, lines: Lines, rng: ChanceSource) -> Guide:
        """A guide for the lines of one round; a new one is made each time the replay begins again."""
