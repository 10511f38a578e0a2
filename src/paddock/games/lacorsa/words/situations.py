"""LACORSA: moments that come in every race, and what can be chosen in them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from paddock.core.i18n import mark
from paddock.core.rooms.situations import Situation, real_choices
from paddock.core.title import Seen
from paddock.games.lacorsa.rules import race, state
from paddock.games.lacorsa.rules.state import Setup, State

HIGH = 9  # the value from which on a play is a high one
FEW = 2  # cards in a hand that ends
_DEFENDS = mark(
    "You defended with a value of {value} or more in {own} of {n} such moments; {level} does so in {others}."
)
_ATTACKS = mark(
    "You challenged with a value of {value} or more in {own} of {n} such moments; {level} does so in "
    "{others}."
)

SITUATIONS = (
    Situation("leads", mark("You lead and are challenged"), _DEFENDS, HIGH),
    Situation("defends", mark("You are challenged, and do not lead"), _DEFENDS, HIGH),
    Situation(
        "attacks",
        mark("You challenge the car ahead"),
        _ATTACKS,
        HIGH,
    ),
    Situation(
        "goes-on",
        mark("You have just passed a car, and challenge the next"),
        _ATTACKS,
        HIGH,
    ),
    Situation(
        "redline",
        mark("A challenge, and you hold a Redline"),
        mark("You played the Redline in {own} of {n} such moments; {level} does so in {others}."),
    ),
    Situation(
        "few",
        mark("A challenge with your last two cards"),
        mark("You played the stronger one in {own} of {n} such moments; {level} does so in {others}."),
    ),
    Situation(
        "road",
        mark("The road is free, and you hold a card that extends"),
        mark("You extended in {own} of {n} such moments; {level} does so in {others}."),
    ),
    Situation(
        "grid",
        mark("Qualifying"),
        mark(
            "You qualified with a value of {value} or more in {own} of {n} such moments; {level} does so in "
            "{others}."
        ),
        HIGH,
    ),
)


def choices(seen: Seen, seat: int) -> Mapping[str, frozenset[int]]:
    """Return the kinds of moments that a decision is one of, with the moves of the choice."""
    legal = seen.legal(seat)
    return real_choices(legal, _kinds(seen.state, seen.setup, seat, legal))


def _kinds(s: State, g: Setup, seat: int, legal: Iterable[int]) -> dict[str, Callable[[int], bool]]:
    """Return the kinds of a moment, each with what says whether a legal move is the choice."""

    def high(move: int) -> bool:
        """LC-5.1 whether a play is worth 9 or more."""
        return race.worth(g, move) >= HIGH

    if s.phase == state.QUALIFY:
        return {"grid": high}
    if s.phase == state.ROAD:
        return {"road": lambda move: state.EXTEND <= move < state.PIT}
    if s.phase != state.CHALLENGE:
        return {}
    attacker, defender = s.order[s.turn], s.order[s.turn + 1]
    if g.owner[attacker] == g.owner[defender]:
        return {}  # both cars are the driver's own: nothing is at stake
    kinds: dict[str, Callable[[int], bool]] = {}
    if seat == defender:
        kinds["leads" if s.turn + 2 == s.running else "defends"] = high
    else:
        kinds["goes-on" if s.passes else "attacks"] = high
    if s.hand[seat, state.REDLINE]:
        kinds["redline"] = _with_redline
    elif s.cards[seat] == FEW:
        best = max(race.worth(g, move) for move in legal)
        kinds["few"] = lambda move: race.worth(g, move) == best
    return kinds


def _with_redline(move: int) -> bool:
    """LC-3.2 whether a play has a Redline, alone or with a card."""
    return move == state.REDLINE or move > state.WITH_REDLINE
