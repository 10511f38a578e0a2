"""Rasant: decks as data (RA-1.2). A card is a colour and a speed: ``r50``, ``k120``.

A deck is a list of words separated by spaces, new lines or ``+``: a card, a range of speeds (``r10-130``), or
several copies (``2*g70``). The rest of a line after ``#`` is a comment.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from importlib.resources import files

from paddock.core.errors import BadValue, brief
from paddock.core.i18n import _

COLOURS = "rgbyk"  # red, green, blue, yellow, black: the order of the kinds in state.py
SHIPPED = ("standard", "all-black-top")
SPEEDS = 13
MOST_CARDS = 120
MOST_FAULTS = 20  # of a deck that are told
EXAMPLE = "r10-130+2*g70+k30"

_WORD = re.compile(r"(?:(\d{1,3})\*)?([rgbyk])(\d{2,3})(?:-(\d{2,3}))?", re.ASCII)


def card(kind: int) -> str:
    """Return a kind in notation: ``r50``."""
    return f"{COLOURS[kind // SPEEDS]}{(kind % SPEEDS + 1) * 10}"


def kind_of(text: str) -> int:
    """Return the kind of a card in notation; raise ``ValueError`` with a sentence."""
    match = re.fullmatch(r"([rgbyk])(\d{2,3})", text, re.ASCII)
    if not match:
        sentence = _("“{text}” is not a card: write a colour (r, g, b, y or k) and a speed, as in r50")
        raise ValueError(sentence.format(text=brief(text)))
    return COLOURS.index(match[1]) * SPEEDS + _speed(match[2], text)


def _speed(digits: str, word: str) -> int:
    """Return the index of a speed; ``word`` is what it is part of."""
    if not re.fullmatch("1[0-3]0|[1-9]0", digits):
        raise BadValue(_("“{word}”: speeds are 10, 20, … 130 (RA-1.2)").format(word=word))
    return int(digits) // 10 - 1


def coloured(kinds: Iterable[int]) -> int:
    """Return how many of these cards are coloured."""
    return sum(kind < 4 * SPEEDS for kind in kinds)


def deck_text(name: str) -> str:
    """Return the file of a shipped deck."""
    return files(__package__).joinpath("decks", f"{name}.deck").read_text("utf-8")


def read_deck(text: str) -> tuple[int, ...]:
    """Return the kinds of a deck, sorted. ``text`` is the name of a shipped deck or a list of cards.

    Raises ``ValueError`` with a sentence.
    """
    if text in SHIPPED:
        text = deck_text(text)
    kinds: list[int] = []
    faults: list[BadValue] = []
    for word in re.sub("#.*", "", text).replace("+", " ").split():
        if len(faults) == MOST_FAULTS:
            faults.append(BadValue(_("there are more faults: correct these first")))
            break
        try:
            kinds += _cards(word)
        except BadValue as error:
            faults.append(error)
        if len(kinds) > MOST_CARDS:  # stop before a hostile list fills the memory
            sentence = _("“{word}”: a deck has at most {most} cards (RA-1.2)")
            faults.append(BadValue(sentence.format(word=word, most=MOST_CARDS)))
            break
    if not kinds and not faults:
        advice = _("choose a file, or paste a list of cards, as in {example}").format(example=EXAMPLE)
        faults.append(BadValue(advice, write=_("the deck has no cards: {wanted}").format(wanted=_wanted())))
    if not faults and not coloured(kinds):
        faults.append(BadValue(_("a deck needs a coloured card to lead with (RA-1.2)")))
    if faults:
        said_of_each = [fault_words for fault in faults for fault_words in fault.said]
        raise BadValue(*said_of_each, write="; ".join(map(str, faults)))
    return tuple(sorted(kinds))


def _cards(word: str) -> list[int]:
    """Return the kinds of one word of a deck; raise ``BadValue``."""
    match = _WORD.fullmatch(word)
    if not match:
        sentence = _("“{word}” is not part of a deck: {wanted}")
        raise BadValue(
            _("“{word}” is no card: list them as in {example}").format(word=brief(word), example=EXAMPLE),
            write=sentence.format(word=brief(word), wanted=_wanted()),
        )
    colour, first, last = match.groups()[1:]
    count = int(match[1] or 1)
    if not 1 <= count <= MOST_CARDS:
        sentence = _("“{word}”: write a count from 1 to {most} (RA-1.2)")
        raise BadValue(sentence.format(word=word, most=MOST_CARDS))
    first_speed = _speed(first, word)
    last_speed = _speed(last, word) if last else first_speed
    if last_speed < first_speed:
        raise BadValue(_("“{word}”: write the lower speed first").format(word=word))
    base = COLOURS.index(colour) * SPEEDS
    return [base + speed for speed in range(first_speed, last_speed + 1)] * count


def _wanted() -> str:
    sentence = _("name one of {decks}, or list cards as in {example}")
    return sentence.format(decks=", ".join(SHIPPED), example=EXAMPLE)


def deck_words(kinds: tuple[int, ...]) -> str:
    """Return the shortest notation of a deck, without spaces; ``read_deck`` parses it."""
    counts = Counter(kinds)
    words = []
    for colour in range(5):
        run: list[int] = []
        for speed in range(SPEEDS + 1):
            count = counts[colour * SPEEDS + speed] if speed < SPEEDS else 0
            if run and count != counts[colour * SPEEDS + run[-1]]:
                words.append(_run(colour, run, counts[colour * SPEEDS + run[0]]))
                run = []
            if count:
                run.append(speed)
    return "+".join(words)


def _run(colour: int, speeds: list[int], count: int) -> str:
    first, last = card(colour * SPEEDS + speeds[0]), (speeds[-1] + 1) * 10
    words = first if len(speeds) == 1 else f"{first}-{last}"
    return words if count == 1 else f"{count}*{words}"
