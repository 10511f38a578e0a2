"""LACORSA: the guided first race. The deal is fixed; each decision explains one idea that fits it."""

from __future__ import annotations

from paddock.core.i18n import mark
from paddock.core.log import Entry
from paddock.core.pages import Idea
from paddock.core.title import Seen
from paddock.core.words import CHANCE
from paddock.games.lacorsa.state import CHALLENGE, KINDS, QUALIFY, REDLINE, ROAD

OPTIONS = {"drivers": 4, "races": 1}
SEATS = ("me", "rookie", "rookie", "rookie")
NAMES = ("Driver", "Bruno", "Carla", "Dario")
INTRO = mark(
    "One short race at a real table, against three simple bots. Each of your decisions explains one idea:"
)
SUMMARY = (
    mark("How qualifying sets the grid, and what a high card costs."),
    mark("How to challenge the car ahead and to defend, with a Redline where it counts."),
    mark("When to extend, when to discard, and what the leader cannot do."),
    mark("How a race ends, and how it scores."),
)

# The learner has a card of nearly every kind, to try each idea.
HAND = (1, 2, 3, 5, 6, 7, 8, 9, 10, 11, 12, REDLINE, REDLINE)


def start() -> list[Entry]:
    """Return the start of the log: the whole deal, hand after hand (LC-1.2)."""
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
            "Qualifying: every car plays a card face down, then all are revealed together. The highest "
            "starts in front. But you can play each card only once: an 8 or a 9 is a fair price. Tap a "
            "card, then the button."
        ),
    ),
    Idea(
        lambda seen, seat: bool(seen.state.last),
        mark(
            "A car has no cards left: this is the last lap, and the race ends after the leader's turn. "
            "There is no reason to save cards now."
        ),
    ),
    Idea(
        lambda seen, seat: _attacks(seen, seat) and seen.state.passes == 1,
        mark(
            "You have passed one car, and the next is directly ahead: your turn goes on. After a "
            "second pass it is over. If you lose this challenge, you keep the place that you have won."
        ),
    ),
    Idea(
        _attacks,
        mark(
            "A car is directly ahead, so you challenge it; you cannot wait. Both of you choose in "
            "secret. If your value is higher you swap places. A tie goes to the defender: play a card "
            "that is surely higher, or a low one."
        ),
    ),
    Idea(
        _defends,
        mark(
            "You are being challenged. You choose without seeing the other card, but as the defender you "
            "win a tie. If you win, the other car's turn ends and yours begins."
        ),
    ),
    Idea(
        _leads,
        mark(
            "You lead, and the road is free. A 1 or a 2 takes you one space away from the others. You cannot "
            "extend with a 3: it is a drafting card, and the leader has no car to draft behind."
        ),
    ),
    Idea(
        lambda seen, seat: bool(seen.state.phase == ROAD),
        mark(
            "The space ahead is free. Extend with a 1, 2 or 3: one space forward, whatever the "
            "number. Or discard a card and stay. With a gap behind you, you cannot be challenged; "
            "but without a car directly ahead you pass nobody."
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
            "A discard need not hurt: you lose a weak card that would never win a challenge, and the gap "
            "stays as it is. You may discard a Redline with it, two cards at once, to end the race sooner."
        ),
    ),
    Idea(
        lambda seen, seat: bool(seen.state.phase == CHALLENGE),
        mark(
            "Look at the discard pile, which everybody can see. When all 12s are gone, an 11 wins. In a "
            "challenge that you expect to lose, play a low card."
        ),
    ),
)
LAST = mark(
    "The race ends with the leader's turn in the last lap. The first six places earn 9, 6, 4, 3, 2 and 1 "
    "points, and a championship has seven races. Now you know the game: race again, or read the rules."
)
FREELY = mark("There are no more hints: race on. The board shows your place, the gaps and everybody's cards.")
