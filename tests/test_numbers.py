"""No sentence of a lesson, label or page repeats a number that a rule or set-up holds: it has a field for it.

Sentences may say a number for the reasons below. A new one with a number is given a field, or a place here.
"""

from __future__ import annotations

import re
from itertools import chain

import messages

PLACES = ("games/", "features/", "web/", "tables/", "bots/")
# Modules that say what to write in a notation: their numbers are examples and bounds of that notation.
NOTATION = ("words/notation.py", "words/position.py", "/deck.py", "tables/clock.py")
MAPS = "/maps/"  # reads map files, whose bounds are those of the format
_WORDS = "two three four five six seven eight nine ten eleven twelve thirteen twenty forty sixteen"
_AMOUNT = re.compile(rf"\b({'|'.join(_WORDS.split())})\b|[2-9]|1\d", re.I)
_APART = re.compile(r"\{[^}]*\}|“[^”]*”|\b[A-Z]{2}-\d+(\.\d+)?|SHA-256|UTF-8")  # fields, quotations, names

ALLOWED: dict[str, tuple[str, ...]] = {
    "a card is called by its number": (
        "only a 1, 2 or 3 extends",
        "What the black car, the black cards and the 130 do.",
    ),
    "a lesson deals these cards and tiles by its script": (
        "One space, but your last",
        "Qualifying: all play a card in secret",
        "Carla is directly ahead",
        "After a pass you go on.",
        "8 beats 5.",
        "Free space ahead: chevrons",
        "One space, as with a 1",
        "You lead, with Carla",
        "You lead. No card is higher than a 130",
        "Lead a green 50",
        "Bruno has raised",
        "All drew up to",
        "Carla leads yellow, and",
        "Bruno leads a red 110",
        "The last cards: you see",
        "Plan secretly: Pathfinder 1",
        "Two tiles: place both",
        "You have steps left. A city costs",
        "Two cards: a Jerrycan",
        "Zenith is two steps away",
        "Bruno follows over your tiles",
        "Bruno has four on Mechanics",
        "Part two, a new race: you plan.",
    ),
    "a key of the keyboard, or what to write": (
        "“{text}” is ",
        "choose the card of this rank",
        "choose a card of this speed",
        "take this choice; in your sequence",
    ),
    "part of the name of an action or a thing, which a rule has no number for": (
        "two cards at once",
        "Two cars spin",
        "Two cars go off",
        "two Redlines cannot be played together",
        "the hand does not hold two Redlines",
    ),
    "what the printed card, box or power says; its clause test holds the rule to it": (
        "Then a die: 1–2 loses {low}",
        "Scout: draw two tiles",
        "removes two tiles",
        "swaps two tiles",
        "draws three tiles",
        "draws three cards",
        "draws four tiles",
        "Which two tiles are swapped?",
        "place 2 tiles; or draw a card",
        "choose first the two tiles",
        "a Con Artist needs two tiles",
        "Outlaws! The triangle is a danger",
        "Then you take the damage, two levels",
        "Two levels! A card",
        "Plan a repair, a drive to Zenith",
        "A guard, your assistant on Security, avoids",
        "A Toolbox repairs three levels.",
    ),
    "an option's own refusal, in the module that holds the number": (
        "write no, yes, or pairs of drivers",
        "give points to 1 to 12 places",
        "write 1 to 12 numbers",
        "a place earns from 0 to 1000 points",
        "more than 6 drivers need",
        "LX-1.1 drivers={n}: more than 6",
        "with two cars each, there are",
        "LX-1.1 a teams' championship",
        "LC-2.1 a teams' championship",
        "with one car each, there are",
        "LC-2.2 a drivers' championship has 4",
        "there are teams of two only",
        "give each colour to three cars",
        "write shuffled, or k and then",
    ),
    "no rule: a poster, a unit, an example, or people and hands": (
        "Poster: three cigar-shaped racing cars",
        "Poster: a black toy car",
        "A deck is a list of cards",
        "the level “{level}” of {title} cannot play compiled",
        "you already play at this table",
        "this browser already plays {name} here",
        "The replay and the record will be shown in a minute or two",
        "{title} cannot be played by two people",
        "You two play, and bots",
        "In {better} of 100 deals",
        "write a time such as 22:30",
        "Touch two things for an arrow",
        "write TABLE:PLAYER",
        "± is a 95 % interval.",
        "{n} decision; ± is a 95 %",
        "This shows you two hands",
        "A challenge with your last two cards",
        "You put two assistants or more on",
    ),
}


def test_no_sentence_repeats_a_number_of_the_rules() -> None:
    allowed = tuple(chain.from_iterable(ALLOWED.values()))
    used, wrong = set[str](), list[str]()
    for message in messages.catalogue():
        place = message.locations[0][0] if message.locations else ""
        if not place.startswith(PLACES) or place.endswith(NOTATION) or MAPS in place:
            continue
        text = message.id if isinstance(message.id, str) else message.id[0]
        forms = (message.id,) if isinstance(message.id, str) else message.id
        if not any(_AMOUNT.search(_APART.sub("", form)) for form in forms):
            continue
        start = next((start for start in allowed if text.startswith(start)), None)
        if start is None:
            wrong.append(f"{place}: {text}")
        else:
            used.add(start)
    assert wrong == [], "give the number as a field, computed from the rules"
    assert set(allowed) == used, "these sentences are gone"
