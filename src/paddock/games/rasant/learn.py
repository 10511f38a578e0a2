"""Rasant: the guided first game. The deck is short; all cards and moves of the others are written here."""

from __future__ import annotations

from paddock.core.i18n import mark
from paddock.core.pages import Idea
from paddock.games.rasant.deck import deck_words, kind_of

SEATS = ("me", "rookie", "rookie")
NAMES = ("Player", "Bruno", "Carla")
MINUTES = 3
INTRO = mark(
    "One game at a real table, with a short deck, in ten decisions. Each explains one idea, and the card to "
    "play glows. You may play another: you see what happens, and can try again."
)
SUMMARY = (
    mark("Whose cars they are, and what the winner of a round moves and scores."),
    mark("When to raise and when to pass, and who leads next."),
    mark("What the black car, the black cards and the 130 do."),
    mark("What changes when the reserve is empty, and how the game ends."),
)

_HANDS = ("g50 g100 r120 k90 y20 b60", "g70 y120 b110 r110 r20 g40", "y110 y90 b50 k30 g10 r40")
_RESERVE = ("g130 b20 b30", "k60 g20", "k120")  # drawn after the first three rounds
_DECK = deck_words(tuple(sorted(kind_of(card) for part in (*_HANDS, *_RESERVE) for card in part.split())))
OPTIONS = {"players": 3, "games": 1, "line": "kggbbygbrryyr", "deck": _DECK}
OPENING = f"-: 3; -: {' '.join(_HANDS)}"  # Carla deals, hand after hand (RA-2.2)

IDEAS = (
    Idea(
        mark("Nobody owns a car. Green moves its rearmost car and all behind it: 7 points. Lead the 50."),
        "g50",
        mark("Now everybody must play a higher green card, or a higher black one, or pass."),
        "2: g70; 3: pass",
    ),
    Idea(
        mark("Bruno has raised to 70. A pass takes you out of the round. Raise with the green 100."),
        "g100",
        mark("Nobody goes higher. Seven cars drive to the front: 7 points."),
        f"2: pass; -: {_RESERVE[0]}; 3: y110",
    ),
    Idea(
        mark("You have no yellow above 110, and the black 90 is too low, too. You can only pass."),
        "pass",
        mark("Yellow was worth one point. You passed first, so you lead the next round."),
        f"2: y120; 3: pass; -: {_RESERVE[1]}",
    ),
    Idea(
        mark("Red moves the black car, too, which doubles the points of the rest: 14. Lead the 120."),
        "r120",
        mark("Nobody beats 120: 14 points. You draw the last card of the reserve."),
        f"2: pass; 3: pass; -: {_RESERVE[2]}; 2: b110; 3: pass g10",
    ),
    Idea(
        mark("Bruno leads blue: 7 points. Black goes with every colour: raise with the black 120."),
        "k120",
        mark("You win the round, and the rearmost blue car moves: 7 points."),
        "2: pass r20; 3: y90",
    ),
    Idea(
        mark("A black 90 is not above 90: pass. As the reserve is empty, it costs a card: the blue 20."),
        "pass b20",
        mark("Carla scores 16 points. You passed first, so you lead."),
        "2: pass g40",
    ),
    Idea(
        mark("Green is worth 10 points. Lead the 130: no card is higher, so it ends the round at once."),
        "g130",
        mark("10 points, and nobody could answer. As nobody passed, the next player leads."),
        "2: r110; 3: pass r40",
    ),
    Idea(
        mark("You cannot beat 110. Pass with the black 90: nobody can lead with black."),
        "pass k90",
        mark("Bruno scores 14 points. You have kept two coloured cards."),
        "3: b50",
    ),
    Idea(
        mark("The last cards. Blue is worth 7 points, and your 60 is just high enough: raise."),
        "b60",
        mark("7 points. The others have only black cards left, so they cannot lead."),
        "2: pass b30; 3: pass g20; 2: pass k60; 3: pass k30",
    ),
    Idea(
        mark("Only you have a coloured card, so you lead, and even a 20 wins: 18 points!"),
        "y20",
        mark("The game ends when nobody can lead with a coloured card."),
    ),
)
LAST = mark(
    "Most points win. A full game has 56 cards, for two to five players. Play again, or read the rules."
)
