"""LACORSA: the guided first race. Every card and every move of the others is written here."""

from __future__ import annotations

from paddock.core.i18n import mark
from paddock.core.pages import Idea

OPTIONS = {"drivers": 4, "races": 1}
SEATS = ("me", "rookie", "rookie", "rookie")
NAMES = ("Driver", "Bruno", "Carla", "Dario")
MINUTES = 3
INTRO = mark(
    "One race at a real table, in twelve decisions. Each explains one idea, and the card to play glows. You "
    "may play another: you see what happens, and can try again."
)
SUMMARY = (
    mark("How qualifying sets the grid, and what a high card costs."),
    mark("How to challenge the car ahead, and to defend: a tie goes to the defender."),
    mark("When to extend and when to discard, and what a Redline adds."),
    mark("How the last lap comes, and how the race ends."),
)

_HANDS = (
    "1 1 2 3 3 8 8 8 9 9 10 11 R",
    "1 1 3 6 7 7 8 9 10 10 11 12 R",
    "2 3 4 5 6 6 7 7 9 11 12 12 R",
    "2 2 4 4 4 5 5 5 6 10 11 12 R",
)
OPENING = "; ".join(f"-: {hand}" for hand in _HANDS)  # dealt hand after hand (LC-1.2)

IDEAS = (
    Idea(
        mark("Qualifying: the highest card starts in front. But you play each card only once: an 8 will do."),
        "8",
        mark("The others were higher: you start last, but you have kept your best cards."),
        "2: 11; 3: 9; 4: 10",
    ),
    Idea(
        mark("Carla is directly ahead, so you must challenge her. Both choose in secret. Play a 9."),
        "9",
        mark("9 beats 6: you swap places."),
        "3: 6",
    ),
    Idea(
        mark("You passed, so your turn goes on, and Dario is directly ahead. Challenge again with an 8."),
        "8",
        mark("8 beats 5. After a second pass your turn is over."),
        "4: 5; 2: ^1; 3: 5; 4: 5",
    ),
    Idea(
        mark("Dario challenges you. You cannot win them all: lose this one cheaply, with the 2."),
        "2",
        mark("Dario passes you, but your high cards are still in your hand."),
        "4: 5; 4: ^2; 2: ^1",
    ),
    Idea(
        mark("Carla challenges you. As the defender you win a tie, too. An 8 should be enough."),
        "8",
        mark("8 holds off 4. Her turn is over, and yours begins."),
        "3: 4",
    ),
    Idea(
        mark("The road is free. Extend with the 3: one space, like a 1 or 2, but only behind another car."),
        "^3",
        mark("You are directly behind Dario now, and away from Carla."),
        "4: ^2; 2: x6+R; 3: ^2",
    ),
    Idea(
        mark("Carla is directly behind you. Extend with the 1: she must close the gap before attacking."),
        "^1",
        mark("A gap is safety. Dario and Bruno fight ahead of you."),
        "2: 10; 4: 6; 2: x7; 3: ^3",
    ),
    Idea(
        mark("Dario is directly ahead, so you must challenge. He likes to answer with low cards: a 9."),
        "9",
        mark("9 beats 4. Now Bruno, the leader."),
        "4: 4",
    ),
    Idea(
        mark("Bruno leads. Play the 11 with your Redline, which adds 2: only a 12 with a Redline is higher."),
        "11+R",
        mark("13 beats 12: you lead the race."),
        "2: 12; 3: 12; 4: 11; 2: 8; 3: 11",
    ),
    Idea(
        mark("You lead. Extend with the 1: the leader has no car to draft behind, so a 3 will not do."),
        "^1",
        mark("One space clear of the others. They fight behind you."),
        "2: 9; 4: 4; 2: 7; 3: 6; 2: ^3",
    ),
    Idea(
        mark("You cannot extend with a 3, so discard it. Keep the 10: Bruno is close behind."),
        "x3",
        mark("Dario plays his last cards: this is the last lap."),
        "3: 7+R; 4: 12; 4: x4+R",
    ),
    Idea(
        mark("The last lap: Bruno challenges, and your 10 is your last card. A tie would be yours."),
        "10",
        mark("10 against 10: a tie goes to the defender. You win!"),
        "2: 10",
    ),
)
LAST = mark(
    "A car without cards ends the race after that lap. Places 1 to 6 earn 9, 6, 4, 3, 2 and 1 points, and a "
    "championship has seven races. Race again, or read the rules."
)
