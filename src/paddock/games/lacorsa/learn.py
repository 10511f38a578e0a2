"""LACORSA: the guided first race. A fixed deal, and one idea at each decision, when its moment has come."""

from __future__ import annotations

from paddock.core.i18n import mark
from paddock.core.log import Entry
from paddock.core.title import Idea, Seen
from paddock.core.words import CHANCE
from paddock.games.lacorsa.state import CHALLENGE, KINDS, QUALIFY, REDLINE, ROAD

OPTIONS = {"drivers": 4, "races": 1}
SEATS = ("me", "rookie", "rookie", "rookie")
NAMES = ("Driver", "Bruno", "Carla", "Dario")
INTRO = mark(
    "One short race on the real table, against three bots that know no tricks. At each of your decisions "
    "one idea is explained:"
)
SUMMARY = (
    mark("How the grid is drawn up, and what a high card costs."),
    mark("How to challenge the car ahead and to defend, with a Redline where it counts."),
    mark("When to extend, when to discard, and what the leader cannot do."),
    mark("How a race ends, and what it earns."),
)

# The learner's hand has one card of nearly every kind, so that each idea can be tried.
HAND = (1, 2, 3, 5, 6, 7, 8, 9, 10, 11, 12, REDLINE, REDLINE)


def start() -> list[Entry]:
    """The beginning of the log: the whole deal, hand after hand (LC-1.2)."""
    left = [kind for kind in range(KINDS) for _copy in range(4)]
    for kind in HAND:
        left.remove(kind)
    hands = [HAND, *(left[car::3] for car in range(3))]
    return [Entry(CHANCE, kind) for hand in hands for kind in hand]


def _attacks(seen: Seen, seat: int) -> bool:
    return bool(seen.state.phase == CHALLENGE and seen.state.order[seen.state.turn] == seat)


def _defends(seen: Seen, seat: int) -> bool:
    return bool(seen.state.phase == CHALLENGE and seen.state.order[seen.state.turn] != seat)


def _leads(seen: Seen, seat: int) -> bool:
    return bool(seen.state.phase == ROAD and seen.state.order[seen.options.seats - 1] == seat)


def _few(seen: Seen, seat: int) -> bool:
    return any(seen.state.cards[car] <= 4 for car in range(seen.options.seats))


IDEAS = (
    Idea(
        lambda seen, seat: bool(seen.state.phase == QUALIFY),
        mark(
            "Qualifying: every car lays a card face down, and all are turned up together. The highest "
            "starts in front. But each card is played only once: an 8 or a 9 is a fair price. Tap a "
            "card, then the button."
        ),
    ),
    Idea(
        lambda seen, seat: bool(seen.state.last),
        mark(
            "Somebody has played the last card of a hand: this is the last lap, and after the "
            "leader's turn the race is over. Nothing is worth saving now."
        ),
    ),
    Idea(
        lambda seen, seat: _attacks(seen, seat) and seen.state.passes == 1,
        mark(
            "You have passed one car, and the next is directly ahead: your turn goes on. After a "
            "second pass it is over. If you lose this one you keep the place that you have won."
        ),
    ),
    Idea(
        _attacks,
        mark(
            "A car is directly ahead, so you challenge it; you cannot wait. Both of you choose in "
            "secret. If your value is higher you swap places. A tie goes to the defender, so be sure "
            "to be higher, or spend little."
        ),
    ),
    Idea(
        _defends,
        mark(
            "You are being challenged. You choose without seeing the other card, but a tie is yours: "
            "the defender wins it. If you hold, the other's turn is over and yours begins."
        ),
    ),
    Idea(
        _leads,
        mark(
            "You lead, with nothing but open road ahead. A 1 or a 2 takes you one space away from the "
            "others. A 3 would not: it is a drafting card, and the leader has nobody to draft behind."
        ),
    ),
    Idea(
        lambda seen, seat: bool(seen.state.phase == ROAD),
        mark(
            "The space ahead is free. Extend with a 1, 2 or 3: one space forward, whatever the "
            "number. Or discard a card and stay. Out of reach you cannot be challenged; but without a "
            "car directly ahead you pass nobody."
        ),
    ),
    Idea(
        lambda seen, seat: bool(seen.state.phase == CHALLENGE and seen.state.hand[seat, REDLINE]),
        mark(
            "Time for a Redline. Alone it is worth 0, with another card it adds 2: an 11 becomes 13. "
            "Only a 12 with a Redline, 14, beats everything. Choose a card, then «Add a Redline»."
        ),
    ),
    Idea(
        _few,
        mark(
            "Count the cards: the number beside each car is how many it holds. Once a hand is empty "
            "the lap is finished and the race is over. If you lead, hurry; if you follow, keep a "
            "strong card for the end."
        ),
    ),
    Idea(
        lambda seen, seat: bool(seen.state.phase == ROAD),
        mark(
            "To discard is not to lose: a weak card that would never win a challenge goes, and the "
            "gap stays as it is. A Redline may go with it, two cards at once, when you want the race "
            "to end sooner."
        ),
    ),
    Idea(
        lambda seen, seat: bool(seen.state.phase == CHALLENGE),
        mark(
            "Look at what has been played: the pile is open to all. When the 12s are gone an 11 wins, "
            "and a low card is a good sacrifice in a challenge that you expect to lose."
        ),
    ),
)
LAST = mark(
    "The race is over when the leader's turn in the last lap is. The first six places earn 9, 6, 4, "
    "3, 2 and 1 points, and a championship is seven races. You know the game: race again, or read the "
    "rules for the rest."
)
FREELY = mark("You have seen it all: race on. Your place, the gaps and everybody's cards are on the board.")
