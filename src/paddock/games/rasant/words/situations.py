"""Rasant: moments that come in every game, and what can be chosen in them."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from paddock.core.i18n import mark
from paddock.core.rooms.situations import Situation, real_choices
from paddock.core.title import Seen
from paddock.games.rasant.rules.state import BLACK, NO_COLOUR, PASS, ROUND, SPEEDS

FAST = 100  # the speed from which on a card is a fast one

SITUATIONS = (
    Situation(
        "leads",
        mark("You lead a round"),
        mark(
            "You led with a card of {value} or more in {own} of {n} such moments; {level} does so in "
            "{others}."
        ),
        FAST,
    ),
    Situation(
        "raises",
        mark("You can raise"),
        mark("You raised in {own} of {n} such moments; {level} does so in {others}."),
    ),
    Situation(
        "black",
        mark("You can raise with a black card"),
        mark("You raised with a black card in {own} of {n} such moments; {level} does so in {others}."),
    ),
)


def choices(seen: Seen, seat: int) -> Mapping[str, frozenset[int]]:
    """Return the kinds of moments that a decision is one of, with the moves of the choice."""
    if seen.state.phase != ROUND:
        return {}
    kinds: dict[str, Callable[[int], bool]] = {"raises": _plays, "black": _black}
    if seen.state.colour == NO_COLOUR:
        kinds = {"leads": _fast}
    return real_choices(seen.legal(seat), kinds)


def _plays(move: int) -> bool:
    """RA-3.3 whether a move plays a card."""
    return move < PASS


def _black(move: int) -> bool:
    """RA-3.3 whether a move plays a black card."""
    return BLACK <= move < PASS


def _fast(move: int) -> bool:
    """RA-3.2 whether a move plays a fast card."""
    return move < PASS and 10 * (move % SPEEDS + 1) >= FAST
