"""Skerries: what pages show beside the view: hexes to click, cards to play, points."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from paddock.core.i18n import _, mark
from paddock.core.log import Event
from paddock.core.series import standings
from paddock.core.title import Seen
from skerries import sailing
from skerries.chains import ready
from skerries.chart import hex_name
from skerries.draw import Skipper, Target
from skerries.sailing import ASKED, PLAY, STOP, YIELD, Setup, State
from skerries.text import MOVES, label
from skerries.view import CARDS, View

START = mark("Cast off")
SHORTCUTS = (("Backspace", mark("take back the last step")),)


@dataclass(frozen=True)
class Card:
    """A card of the hand that can be played now."""

    move: str
    face: str
    label: str


@dataclass(frozen=True)
class Hand:
    """What a skipper is asked, and what can be clicked."""

    question: str
    idle: str
    targets: tuple[Target, ...]  # on the chart
    cards: tuple[Card, ...]  # in the hand, each kind once
    refused: dict[str, tuple[str, str]] = field(default_factory=dict)


def ask(seen: Seen, seat: int, view: View) -> Hand:
    """What a skipper must decide, after the links that are chosen so far."""
    s: State = seen.state
    legal = seen.legal(seat)
    if s.phase == ASKED:
        question = _("{name} robs you: drop anchor, or yield?").format(name=seen.names[s.turn])
    else:
        question = _("You have {n} wind: where to?").format(n=s.wind)
    cards = tuple(
        Card(MOVES[id], CARDS[id - PLAY], label(seen, seat, id)) for id in legal if PLAY <= id < YIELD
    )
    return Hand(question, _("Choose a step"), _targets(seen, seat, legal), cards)


def _targets(seen: Seen, seat: int, legal: Sequence[int]) -> tuple[Target, ...]:
    """SK-2.3 the hexes within reach: by one step, or by the cheapest way."""
    s: State = seen.state
    g: Setup = seen.setup
    found: dict[int, Target] = {}
    for id in legal:
        if id < STOP:
            hex = g.beside[s.at[seat], id]
            found[hex] = Target(hex_name(hex, g.columns), MOVES[id], label(seen, seat, id), True)
    for chain in ready(seen, seat):
        hex = s.at[seat]
        for id in chain.moves:
            hex = g.beside[hex, id]
        if hex not in found:
            steps = "; ".join(MOVES[id] for id in chain.moves)
            found[hex] = Target(hex_name(hex, g.columns), steps, chain.label, False)
    return tuple(found.values())


def faces(seen: Seen, move: int) -> tuple[str, ...]:
    """The card of a move."""
    return (CARDS[move - PLAY],) if PLAY <= move < YIELD else ()


def subject(event: Event) -> int | None:
    """The skipper that a line of the story is about."""
    return None if event.code in (sailing.DAY, sailing.SHUFFLED) else event.a


def is_heading(event: Event) -> bool:
    """Whether an event is a heading of the story: a new day is."""
    return event.code == sailing.DAY


def finishers(seen: Seen, view: View) -> list[Skipper]:
    """SK-5.3 everybody who has a place in at least one race."""
    table = standings(seen.options, seen.rounds).players
    return [Skipper(row.rank, seen.names[row.who], row.total, row.who) for row in table if any(row.places)]
