"""Rasant: bots with hand-written heuristics. They see what their player sees, and count cards.

*Club* values every legal move by the points that it may win or leave to others, by the further use of the
card, and by who will lead next. The unit is one point.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from paddock.core.game import ChanceSource
from paddock.core.title import Seen
from paddock.games.rasant.state import (
    BLACK,
    COLOURS,
    DISCARD,
    EMPTY,
    HAND,
    KINDS,
    NO_COLOUR,
    PASS,
    SPEEDS,
    Setup,
    State,
)
from paddock.games.rasant.view import line_of, win


@dataclass(frozen=True)
class Style:
    """Weights, tuned by thousands of games of the bot against itself and against Rookies."""

    eager: float = 0.8  # the chance that a rival who can beat a card does so
    spite: float = 1.0  # how much a rival's point costs, divided by the number of rivals
    again: float = 0.7  # how likely a higher card in the hand wins after one that was beaten
    worth: float = 5.0  # value of a card that nothing beats
    power: float = 2.5  # how fast the value falls with the number of cards that beat it
    black: float = 1.3  # factor for a black card
    colour: float = 1.0  # extra value of a coloured card when the reserve is empty
    lead: float = 0.25  # value of leading the next round, as a part of its best win
    last: float = 0.4  # factor when the reserve is empty
    fresh: float = 0.9  # how much of a card's value the card drawn for it replaces


@dataclass(frozen=True)
class Outlook:
    """Values computed once for a decision."""

    s: State
    g: Setup
    seat: int
    style: Style
    unseen: tuple[int, ...]  # cards of each kind in other hands or the reserve
    points: tuple[int, ...]  # points for a win now, by colour
    after: int  # points for the best win in the next round
    rivals: tuple[int, ...]  # still in the round, with cards
    hand: tuple[int, ...]


class Club:
    """The bot of the level *Club*."""

    def __init__(self, style: Style | None = None) -> None:
        self.style = style or Style()

    def choose(self, seen: Seen, seat: int, legal: Sequence[int], rng: ChanceSource) -> int:
        """Return the legal move with the highest value; a random one of those that are equal."""
        if len(legal) == 1:
            return legal[0]
        outlook = look(seen, seat, self.style)
        values = {id: value(outlook, id) for id in legal}
        most = max(values.values())
        best = [id for id, value in values.items() if value > most - 1e-9]
        return best[rng.below(len(best))]


BOTS = {"club": Club}


def look(seen: Seen, seat: int, style: Style) -> Outlook:
    """Return the outlook of a seat that must decide."""
    s: State = seen.state
    g: Setup = seen.setup
    hand = tuple(s.hand[seat, i] for i in range(HAND) if s.hand[seat, i] != EMPTY)
    unseen = [g.deck[kind] - s.discard[kind] for kind in range(KINDS)]
    for kind in hand:
        unseen[kind] -= 1
    rivals = [p for p in range(g.players) if p != seat and not s.passed >> p & 1 and s.cards[p]]
    wins = [win(line_of(s), colour) for colour in range(COLOURS)]
    points = tuple(now.points for now in wins)
    after = max(points)  # before a card is led, for the line as it is
    if s.colour != NO_COLOUR:
        after = max(win(wins[s.colour].line, colour).points for colour in range(COLOURS))
    return Outlook(s, g, seat, style, tuple(unseen), points, after, tuple(rivals), hand)


def value(o: Outlook, id: int) -> float:
    """Return the value of a move."""
    if id >= PASS:
        return passing(o, id)
    colour = id // SPEEDS if o.s.colour == NO_COLOUR else o.s.colour
    sure = holds(o, colour, id)
    higher = [
        kind for kind in o.hand if kind % SPEEDS > id % SPEEDS and kind // SPEEDS in (colour, BLACK // SPEEDS)
    ]
    if higher:
        sure += (1 - sure) * o.style.again * max(holds(o, colour, kind) for kind in higher)
    return sure * o.points[colour] - (1 - sure) * hurt(o, colour) - cost(o, id)


def hurt(o: Outlook, colour: int) -> float:
    """Return the cost of a rival's win with this colour."""
    return o.style.spite * o.points[colour] / (o.g.players - 1)


def passing(o: Outlook, id: int) -> float:
    """Return the value of a pass: a rival wins unless all have passed (RA-3.4); who passes first leads."""
    value = 0.0
    if o.s.colour != NO_COLOUR:
        value = o.points[o.s.colour] if o.s.best == o.seat else -hurt(o, o.s.colour)
    if o.s.first == 0:
        value += o.style.lead * o.after
    return value - (cost(o, id - DISCARD) if id >= DISCARD else 0.0)


def holds(o: Outlook, colour: int, kind: int) -> float:
    """Return the chance that nobody beats the card in a round of this colour."""
    total = sum(o.unseen)
    speed = kind % SPEEDS + 1
    base = colour * SPEEDS
    higher = sum(o.unseen[base + speed : base + SPEEDS]) + sum(o.unseen[BLACK + speed :])
    if not higher or not total:
        return 1.0
    sure = 1.0
    for rival in o.rivals:
        lacks = max(0.0, 1 - higher / total) ** o.s.cards[rival]
        sure *= 1 - o.style.eager * (1 - lacks)
    return sure


def cost(o: Outlook, kind: int) -> float:
    """Return what the hand loses with the card: its value, less that of the card drawn for it."""
    lost = worth(o, kind)
    if o.s.reserve:
        lost -= o.style.fresh * o.style.worth / (o.style.power + 1)
    return lost


def worth(o: Outlook, kind: int) -> float:
    """Return the value of keeping a card: by how few cards beat it, and whether it can be led (RA-5.8)."""
    colours = [kind // SPEEDS] if kind < BLACK else list(range(COLOURS))
    suits = [o.unseen[colour * SPEEDS : (colour + 1) * SPEEDS] for colour in colours]
    speed = kind % SPEEDS + 1
    beaten = sum(o.unseen[BLACK + speed :]) + sum(sum(suit[speed:]) for suit in suits) / len(suits)
    of = sum(o.unseen[BLACK:]) + sum(map(sum, suits)) / len(suits)
    strength = (1 - beaten / of if of else 1.0) ** o.style.power
    value: float = o.style.worth * strength * (1.0 if o.s.reserve else o.style.last)
    if kind >= BLACK:
        return value * o.style.black
    return value if o.s.reserve else value + o.style.colour
