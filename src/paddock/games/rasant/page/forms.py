"""Rasant: what the set-up page shows of its options."""

from __future__ import annotations

from collections.abc import Sequence

from paddock.core.i18n import _, mark, plural
from paddock.core.options import Options
from paddock.core.pages import Part
from paddock.games.rasant.deck import COLOURS, SHIPPED, deck_text, read_deck
from paddock.games.rasant.drawing.choices import deck_picture, line_picture, player_picture, preset_picture
from paddock.games.rasant.drawing.pieces import BLACK, colour_name
from paddock.games.rasant.rulebook import HAND, LEAST_PLAYERS, MOST_PLAYERS

PICTURES = {
    "deck": deck_picture,
    "line": line_picture,
    "players": player_picture,
    "presets": preset_picture,
}
FORMATS = {
    "deck": mark(
        "A deck is a list of cards: r50 is the red 50 (r, g, b, y, and k for black), r10-130 a range of "
        "speeds, 2*g70 two cards. Take one of ours, change it, and drop it here."
    )
}


class _Line:
    """RA-2.1 a field for the colour of every car; the black one leads."""

    def split(self, value: str, options: Options) -> list[Part]:
        """Return the colours behind the black car; without an order, one after the other."""
        usual = COLOURS[:BLACK] * 3
        letters = value[1:] if len(value) == len(usual) + 1 else usual
        names = [(COLOURS[colour], colour_name(colour)) for colour in range(BLACK)]
        return [Part(_("Car {n}").format(n=n), letter, names) for n, letter in enumerate(letters, 2)]

    def join(self, texts: Sequence[str]) -> str:
        """Return the letters of all cars from the front."""
        return COLOURS[BLACK] + "".join(text[:1] for text in texts)


PARTS = {"line": _Line()}


def facts(option: str, value: str) -> Sequence[str]:
    """Return how many cards a deck has, and for how many players they are enough (RA-1.2)."""
    if option != "deck":
        return ()
    cards = len(read_deck(value))
    return (
        plural("{n} card", "{n} cards", cards),
        _("{least} to {most} players").format(
            least=LEAST_PLAYERS, most=max(LEAST_PLAYERS, min(MOST_PLAYERS, cards // HAND))
        ),
    )


def source(option: str, value: str) -> str:
    """Return the file of a built-in deck."""
    return deck_text(value) if option == "deck" and value in SHIPPED else ""
