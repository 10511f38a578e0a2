"""Skerries: the guided first race, on a small chart, as an example for authors of titles.

Every wind, card and move of the other skipper is written here. Two steps glow; then the learner decides.
What is said of that follows from the rules and the two positions.
"""

from __future__ import annotations

from paddock.core.course import Idea, Tried, Verdict
from paddock.core.i18n import Sentence, mark
from paddock.core.title import Seen
from skerries.view import view

OPTIONS = {"skippers": 2, "days": 1, "chart": "q.h../.+.xl"}
SEATS = ("me", "rookie")
NAMES = ("Ada", "Bruno")
MINUTES = 2
GOAL = mark("Who reaches the light first wins.")
INTRO = mark(
    "One turn at a real table, in six decisions. In the first two the way glows. Then you decide, and can "
    "take it back."
)
SUMMARY = (
    mark("What the wind is for, and where cards come from."),
    mark("How a gust brings you farther than the die."),
)
OPENING = "-: 1"  # SK-2.2 one pip: 3 wind
LEARNER = 0


def _holds_gust(seen: Seen) -> bool:
    return "gust" in (view(seen).boats[LEARNER].hand or ())


def _gust_or_east(seen: Seen) -> str:
    return "gust" if _holds_gust(seen) else "e"


def _ask_next(seen: Seen) -> Sentence:
    if _holds_gust(seen):
        return Sentence("Two steps to the light. What now?")
    return Sentence("{n} wind: a step each. Which way?", n=view(seen).wind)


def _judge(tried: Tried) -> Verdict:
    """SK-2.4 to stop loses wind; SK-3.3 a gust may come before or after a step."""
    move = str(tried.move)
    if move == "e" and _holds_gust(tried.after):
        return Verdict(Sentence("Good, too: you can play a gust at any time in your turn."), "good")
    if move == "stop":
        n = view(tried.before).wind
        return Verdict(
            Sentence("Then {n} wind and your turn are lost, and Bruno sails. Go on.", n=n), "mistake"
        )
    if move == "gust":
        return Verdict(Sentence("Keep nothing for later: the light is near. Sail east."), "good")
    return Verdict(Sentence("This way leads away from the light, which is in the east."), "mistake")


IDEAS = (
    Idea(
        mark("Your die shows 1, so you have 3 wind: each step takes 1. Sail east, towards the light."),
        "e",
    ),
    Idea(
        mark("A harbour is next. Who enters one draws a card. Sail east again."),
        "e",
        mark("You have drawn a gust: it brings 2 more wind in your own turn."),
        "-: gust",
    ),
    Idea(
        mark("You decide: three steps to the light, but only 1 wind is left. What do you do?"),
        "gust",
        mark("1 and 2 are 3 wind: enough for the light."),
        judge=_judge,
    ),
    Idea(_ask_next, _gust_or_east, judge=_judge),
    Idea(_ask_next, "e", judge=_judge),
    Idea(
        mark("The light is south-east of you. A step into it, and you arrive."),
        "se",
        mark("You arrive first, for 3 points. Bruno was left behind."),
        "-: 1; 2: e; 2: stop",
        _judge,
    ),
)
LAST = mark(
    "A real race has more days, and reefs that take 2 wind. Who shares your place may rob you of a card, "
    "unless you drop an anchor."
)
