"""The room ``records.py``, with which partial records are checked and filled in.

A title imports nothing from here: its room is a module with the functions of one of these protocols, and
``paddock.records.fill`` finds out which.

- ``Stock``: a card stays in the hand that it is dealt to until it is played, and is never dealt again in
  secret. Hands are counted line by line. Every deal that is consistent with the plays gets the probability
  that chance gives it. ``Reopening`` and ``Proving`` add to it. It is wrong for a draft, in which hands are
  passed on: that is found late, at a card that the hand has from another one.
- ``Passing``: decks are reshuffled, and cards go from hand to hand in secret. The record is replayed, and
  each «?» is chosen so that every hand contains the cards that it later loses. ``Tracing`` replaces it where
  which cards an entry moves depends on earlier entries, such as in a draft: each hand that is passed on is
  another hidden place.
- ``Guiding``: the title has its own guide for this replay.
- Without the room, each «?» is drawn by weight, and the replay is retried if that fails.

The id of a card is the id of the outcome that deals it. All of this uses only what the eyes saw of the log.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import SimpleNamespace
from typing import Any, Protocol, TypeAlias, cast, runtime_checkable

from paddock.core.rooms.basics import Titled
from paddock.core.source import ChanceSource

DECK = -1
PILE = -2  # the discard pile, which becomes the new deck when a card is drawn from the empty deck
DISPLAY = -3  # cards that lie open, such as a market

Lines = Sequence[tuple[int, str, Sequence[int]]]  # of one round: (seat or CHANCE, heading, ids)
Pass = tuple[int, int, int]  # card, from, to


@runtime_checkable
class Stock(Protocol):
    """The room of a title whose played cards are never dealt again in secret."""

    def stock(self, g: Any) -> Sequence[int]:
        """Return the number of cards of each kind."""

    def owner(self, g: Any, heading: str) -> int | None:
        """Return the seat that gets the outcomes under a heading; None if they are not cards, and DISPLAY if
        they are laid open, from where a move may take them: see ``Reopening``."""

    def uses(self, g: Any, move: int) -> Sequence[int]:
        """Return the cards that a move takes out of the hand."""


@runtime_checkable
class Reopening(Protocol):
    """In addition to ``Stock``: played cards, or those of a display, come into hands openly."""

    def gains(self, g: Any, move: int) -> Sequence[int]:
        """Return the played or displayed cards that a move brings into the hand."""

    def reopens(self, g: Any, heading: str) -> bool:
        """Whether the cards under a heading are cards that were played before."""


@runtime_checkable
class Proving(Protocol):
    """In addition to ``Stock``: a move can prove that a hand has no cards of some kinds."""

    def allowed(self, g: Any, kind: int) -> bool:
        """Whether a hand with such a proof can contain the card."""

    def proofs(self, g: Any, lines: Lines, over: bool) -> tuple[dict[int, list[int]], list[int]]:
        """Return what the lines of one round prove. ``over``: the round is known to have ended.

        The first value maps the index of a line to the seats whose hands have only allowed cards before that
        line (``len(lines)``: after the last line). The second lists seats of which at least one must have
        another card at the end; it may be empty.
        """


@runtime_checkable
class Passing(Protocol):
    """The room of a title whose cards come back into the deck, or go from hand to hand in secret."""

    def passes(self, g: Any, by: int, heading: str, what: int) -> Sequence[Pass]:
        """Return the cards that an entry moves: (card, from, to).

        A place is a seat, DECK (−1), PILE (−2), or a lower number for any other place, such as a display.
        A number above all seats is another hidden place.
        ``heading`` is empty for a move. ``what`` is HIDDEN for an outcome that the eyes did not see; then its
        card is HIDDEN too, and comes first.
        """

    def cards(self, s: Any, g: Any, place: int) -> Sequence[int]:
        """Return the cards in a seat's hand, in another hidden place or in the PILE, with repetitions.

        ``s`` is the state as all seats together know it.
        """


@runtime_checkable
class Tracing(Protocol):
    """Instead of ``Passing``: which cards an entry moves depends on earlier entries."""

    def journeys(self, g: Any, lines: Lines) -> Mapping[tuple[int, int], Sequence[Pass]]:
        """Return the cards that the entries of one round move, in the form of ``passes`` of ``Passing``.

        The key of an entry is its line and its index in the line, both from 0. Entries that move no card may
        be left out. A card without an entry of its own is HIDDEN where the lines do not tell which one it is.
        All lines before the first «?» follow the rules; later ones may not, and must not raise an error.
        """

    def cards(self, s: Any, g: Any, place: int) -> Sequence[int]:
        """Return the same as ``cards`` of ``Passing``; for the DECK, the cards that are in no other place."""


class Guide(Protocol):
    """Chooses values for the «?» of one round."""

    def weigh(self, s: Any, at: int, place: int, weights: Mapping[int, int]) -> Mapping[int, int]:
        """Return the weights of the values for the «?» at index ``place`` of line ``at`` (both from 0).

        ``weights`` has the weights of the possible outcomes, or 1 for each legal move, that the eyes cannot
        see. ``s`` is the state before it, as all seats together know it. The function may be called again for
        the same place, because the replay backtracks after a dead end.
        """


@runtime_checkable
class Guiding(Protocol):
    """The room of a title that guides the replay of its partial records itself."""

    def guide(self, g: Any, lines: Lines, rng: ChanceSource) -> Guide:
        """Return a guide for the lines of one round. Each new attempt of the replay gets a new one."""


Records: TypeAlias = Stock | Passing | Tracing | Guiding


def with_usual(title: Titled, own: Any) -> Records:
    """Return the room of a title; what it lacks follows from its fields that are ``Hidden``.

    With ``uses``: ``stock`` are the cards of the deck at the start, ``owner`` is the seat of «deal 1» (the
    default of ``chance_heading``), and nothing ``reopens``. With ``passes`` or ``journeys``: ``cards`` of a
    seat are those of its hand.
    """
    hands = [(name, secret) for name, secret in title.rules.State.kernel_secrets.items() if secret.deck]
    if len(hands) != 1:
        return own  # type: ignore[no-any-return]
    ((hand, secret),) = hands

    def stock(g: Any) -> list[int]:
        s = title.rules.State()
        title.rules.start(s, g)
        return list(getattr(s, secret.deck))

    def owner(g: Any, heading: str) -> int:
        word, _apart, number = heading.partition(" ")
        return int(number) - 1 if word == "deal" else DISPLAY

    def cards(s: Any, g: Any, place: int) -> list[int]:
        held = getattr(s, hand)
        if not 0 <= place < getattr(g, secret.seats):
            raise LookupError(f"write cards(s, g, place) for {place_name(place)}")
        return [kind for kind in range(len(getattr(s, secret.deck))) for _card in range(held[place, kind])]

    usual: dict[str, Any] = {}
    if hasattr(own, "uses"):
        usual = {"stock": stock, "owner": owner}
        if hasattr(own, "gains"):
            usual["reopens"] = lambda g, heading: False
    elif hasattr(own, "passes") or hasattr(own, "journeys"):
        usual = {"cards": cards}
    return cast(Records, SimpleNamespace(**usual | vars(own))) if usual else own


def place_name(place: int) -> str:
    """Return what an author calls a place."""
    return {DECK: "the DECK (−1)", PILE: "the PILE (−2)"}.get(place, f"place {place}")
