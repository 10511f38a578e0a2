"""Rasant: decks as data (RA-1.2). A card is a colour and a speed: ``r50``, ``k120``.

A deck is a list of words separated by spaces, new lines or ``+``: a card, a range of speeds (``r10-130``), or
several copies (``2*g70``). The rest of a line after ``#`` is a comment.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from importlib.resources import files

from paddock.core.errors import brief
from paddock.core.i18n import _

COLOURS = "rgbyk"  # red, green, blue, yellow, black: the order of the kinds in state.py
SHIPPED = ("standard", "all-black-top")
SPEEDS = 13
MOST_CARDS = 120

_WORD = re.compile(r"(?:(\d{1,3})\*)?([rgbyk])(\d{2,3})(?:-(\d{2,3}))?", re.ASCII)


def card(kind: int) -> str:
    """Return a kind in notation: ``r50``."""
    return f"{COLOURS[kind // SPEEDS]}{(kind % SPEEDS + 1) * 10}"


def kind_of(text: str) -> int:
    """Return the kind of a card in notation; raise ``ValueError`` with a sentence."""
    found = re.fullmatch(r"([rgbyk])(\d{2,3})", text, re.ASCII)
    if not found:
        sentence = _("«{text}» is not a card: write a colour (r, g, b, y or k) and a speed, as in r50")
        raise ValueError(sentence.format(text=brief(text)))
    return COLOURS.index(found[1]) * SPEEDS + _speed(found[2], text)


def _speed(digits: str, word: str) -> int:
    """Return the index of a speed; ``word`` is what it is part of."""
    if not re.fullmatch("1[0-3]0|[1-9]0", digits):
        raise ValueError(_("«{word}»: speeds are 10, 20, … 130 (RA-1.2)").format(word=word))
    return int(digits) // 10 - 1


def coloured(kinds: Iterable[int]) -> int:
    """Return how many of these cards are coloured."""
    return sum(kind < 4 * SPEEDS for kind in kinds)


def read_deck(text: str) -> tuple[int, ...]:
    """Return the kinds of a deck, sorted. ``text`` is the name of a shipped deck or a list of cards.

    Raises ``ValueError`` with a sentence.
    """
    if text in SHIPPED:
        text = files(__package__).joinpath("decks", f"{text}.deck").read_text("utf-8")
    kinds: list[int] = []
    for word in re.sub("#.*", "", text).replace("+", " ").split():
        found = _WORD.fullmatch(word)
        if not found:
            sentence = _("«{word}» is not part of a deck: {wanted}")
            raise ValueError(sentence.format(word=brief(word), wanted=_wanted()))
        colour, first, last = found.groups()[1:]
        count = int(found[1] or 1)
        if not 1 <= count <= MOST_CARDS:
            sentence = _("«{word}»: write a count from 1 to {most} (RA-1.2)")
            raise ValueError(sentence.format(word=word, most=MOST_CARDS))
        least = _speed(first, word)
        most = _speed(last, word) if last else least
        if most < least:
            raise ValueError(_("«{word}»: write the lower speed first").format(word=word))
        base = COLOURS.index(colour) * SPEEDS
        kinds += [base + speed for speed in range(least, most + 1)] * count
        if len(kinds) > MOST_CARDS:  # stop before a hostile list fills the memory
            sentence = _("«{word}»: a deck has at most {most} cards (RA-1.2)")
            raise ValueError(sentence.format(word=word, most=MOST_CARDS))
    if not kinds:
        raise ValueError(_("the deck has no cards: {wanted}").format(wanted=_wanted()))
    if not coloured(kinds):
        raise ValueError(_("a deck needs a coloured card to lead with (RA-1.2)"))
    return tuple(sorted(kinds))


def _wanted() -> str:
    return _("name one of {decks}, or list cards as in r10-130+2*g70+k30").format(decks=", ".join(SHIPPED))


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
