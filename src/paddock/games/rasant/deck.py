"""Rasant: decks as data (RA-1.2). A card is a colour and a speed: ``r50``, ``k120``.

A deck is written as words separated by spaces, new lines or ``+``: a card, a run of speeds
(``r10-130``), or several of one (``2*g70``). What follows ``#`` on a line is a comment.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from importlib.resources import files

from paddock.core.errors import brief

COLOURS = "rgbyk"  # red, green, blue, yellow, black: the order of the kinds in state.py
SHIPPED = ("standard", "all-black-top")
SPEEDS = 13
MOST_CARDS = 120

_WORD = re.compile(r"(?:(\d{1,3})\*)?([rgbyk])(\d{2,3})(?:-(\d{2,3}))?", re.ASCII)
_LISTED = f"name one of {', '.join(SHIPPED)}, or list cards as in r10-130+2*g70+k30"


def card(kind: int) -> str:
    """A kind in notation: ``r50``."""
    return f"{COLOURS[kind // SPEEDS]}{(kind % SPEEDS + 1) * 10}"


def kind_of(text: str) -> int:
    """The kind of a card in notation; raises ``ValueError`` with a sentence."""
    found = re.fullmatch(r"([rgbyk])(\d{2,3})", text, re.ASCII)
    if not found:
        raise ValueError(
            f"«{brief(text)}» is no card: write a colour (r, g, b, y or k) and a speed, as in r50"
        )
    return COLOURS.index(found[1]) * SPEEDS + _speed(found[2], text)


def _speed(digits: str, word: str) -> int:
    """The index of a speed, which stands in ``word``."""
    if not re.fullmatch("1[0-3]0|[1-9]0", digits):
        raise ValueError(f"«{word}»: speeds are 10, 20, … 130 (RA-1.2)")
    return int(digits) // 10 - 1


def coloured(kinds: Iterable[int]) -> int:
    """How many of these cards are coloured."""
    return sum(kind < 4 * SPEEDS for kind in kinds)


def read_deck(text: str) -> tuple[int, ...]:
    """The kinds of a deck, sorted; ``text`` is the name of a shipped deck or a list of cards.

    Raises ``ValueError`` with a sentence.
    """
    if text in SHIPPED:
        text = files(__package__).joinpath("decks", f"{text}.deck").read_text("utf-8")
    kinds: list[int] = []
    for word in re.sub("#.*", "", text).replace("+", " ").split():
        found = _WORD.fullmatch(word)
        if not found:
            raise ValueError(f"«{brief(word)}» is no part of a deck: {_LISTED}")
        colour, first, last = found.groups()[1:]
        count = int(found[1] or 1)
        if not 1 <= count <= MOST_CARDS:
            raise ValueError(f"«{word}»: write how many there are from 1 to {MOST_CARDS} (RA-1.2)")
        least = _speed(first, word)
        most = _speed(last, word) if last else least
        if most < least:
            raise ValueError(f"«{word}»: a run of speeds rises")
        base = COLOURS.index(colour) * SPEEDS
        kinds += [base + speed for speed in range(least, most + 1)] * count
        if len(kinds) > MOST_CARDS:  # said before a hostile list fills the memory
            raise ValueError(f"«{word}»: with it the deck has more than {MOST_CARDS} cards (RA-1.2)")
    if not kinds:
        raise ValueError(f"the deck has no card: {_LISTED}")
    if not coloured(kinds):
        raise ValueError("a deck needs a coloured card to lead with (RA-1.2)")
    return tuple(sorted(kinds))


def deck_words(kinds: tuple[int, ...]) -> str:
    """The shortest list of a deck, without spaces: ``read_deck`` reads it back."""
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
