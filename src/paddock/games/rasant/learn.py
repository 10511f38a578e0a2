"""Rasant: the guided first game. A fixed line and deal, and an idea at each decision, in its moment."""

from __future__ import annotations

from paddock.core.i18n import mark
from paddock.core.log import Entry
from paddock.core.title import Idea, Seen
from paddock.core.words import CHANCE
from paddock.games.rasant.deck import kind_of, read_deck
from paddock.games.rasant.state import DEALER, HAND, NO_COLOUR, PASS, SPEEDS
from paddock.games.rasant.view import view

OPTIONS = {"players": 4, "games": 1, "line": "kgrbygryrbgby"}
SEATS = ("me", "rookie", "rookie", "rookie")
NAMES = ("Player", "Bruno", "Carla", "Dario")
INTRO = mark(
    "One game on the real table, against three bots that know no tricks. At each of your decisions one "
    "idea is explained:"
)
SUMMARY = (
    mark("Whose cars they are, and what the card that leads a round decides."),
    mark("What the winner of a round moves, and what it scores."),
    mark("When to raise and when to pass, and what the black car and the 130 do."),
    mark("What changes when the reserve is empty, and how the game ends."),
)

# The learner's first hand: a strong card, a black one, and something of every colour.
FIRST = ("r50", "r110", "g80", "b130", "y60", "k90")


def start() -> list[Entry]:
    """The beginning of the log: the last player deals, hand after hand (RA-2.2); the learner leads."""
    first = [kind_of(card) for card in FIRST]
    left = list(read_deck("standard"))
    for kind in first:
        left.remove(kind)
    hands = [first, *(left[player::8][:HAND] for player in range(3))]
    dealer = DEALER + len(SEATS) - 1
    return [Entry(CHANCE, dealer), *(Entry(CHANCE, kind) for hand in hands for kind in hand)]


def _leads(seen: Seen, seat: int) -> bool:
    return bool(seen.state.colour == NO_COLOUR and min(seen.legal(seat)) < PASS)


def _raises(seen: Seen, seat: int) -> bool:
    return bool(seen.state.colour != NO_COLOUR and min(seen.legal(seat)) < PASS)


def _cannot(seen: Seen, seat: int) -> bool:
    return bool(seen.state.reserve and min(seen.legal(seat)) >= PASS)


def _doubles(seen: Seen, seat: int) -> bool:
    """Whether a card that could be played would move the black car if it won."""
    shown = view(seen)
    plays = [move for move in seen.legal(seat) if move < PASS]
    colours = {kind // SPEEDS for kind in plays} if shown.colour is None else {shown.colour}
    return bool(plays) and any(win.black for win in shown.wins if win.colour in colours)


def _ends(seen: Seen, seat: int) -> bool:
    """Whether a 130 could be played."""
    return any(move < PASS and move % SPEEDS == SPEEDS - 1 for move in seen.legal(seat))


def _won(seen: Seen) -> bool:
    return any(seen.state.score[player] for player in range(seen.options.seats))


IDEAS = (
    Idea(
        lambda seen, seat: _leads(seen, seat) and not _won(seen),
        mark(
            "Thirteen cars stand in a queue, and none of them is yours: everybody may move them all. You "
            "lead this round. The card that you lead sets its colour, and whoever plays the highest card "
            "overtakes with that colour. Tap a card to see what a win would do, then the button."
        ),
    ),
    Idea(
        _cannot,
        mark(
            "You hold nothing with which to go on, so you can only pass. That is no disaster: you keep "
            "your cards, and whoever passes first in a round leads the next one."
        ),
    ),
    Idea(
        lambda seen, seat: not seen.state.reserve,
        mark(
            "The reserve is empty: nobody draws any more, and from now on a pass costs a card of your "
            "choice. Part with what is least likely to win."
        ),
    ),
    Idea(
        _raises,
        mark(
            "To raise, play a higher card of the round's colour, or a higher black one: black goes with "
            "every colour, but it has to be higher too. Who passes is out of this round; who raises may "
            "raise again, until all but one have passed."
        ),
    ),
    Idea(
        _leads,
        mark(
            "What does a win move? The rearmost car of the colour, and every car behind it: they drive to "
            "the front one after the other, and each is a point. So look for a colour whose rearmost car "
            "is far from the end of the line, and lead it if you can win with it."
        ),
    ),
    Idea(
        _doubles,
        mark(
            "Here the black car is in it. It counts nothing itself, but where it is among the cars that "
            "move, the points of all the others are doubled. That is worth a good card."
        ),
    ),
    Idea(
        _ends,
        mark(
            "You hold a 130 that you could play. Nothing is higher: it ends the round at once, without "
            "asking anybody else, and wins it."
        ),
    ),
    Idea(
        lambda seen, seat: _raises(seen, seat) and not seen.state.first,
        mark(
            "Nobody has passed yet. If you are the first, you lose little and lead the next round, with a "
            "colour of your own choice. Weigh that against what this round is worth."
        ),
    ),
    Idea(
        lambda seen, seat: bool(_won(seen) and seen.state.reserve),
        mark(
            "After every round all draw up to six cards, the winner first. While there is a reserve a card"
            " costs you nothing but itself, so do not save too long: watch how many are left."
        ),
    ),
    Idea(
        lambda seen, seat: bool(seen.state.colour != NO_COLOUR),
        mark(
            "The line after a win is the next round's line. Before you let somebody win, look at what "
            "their win would leave to the next leader: a colour whose last car is far in front is worth "
            "the most."
        ),
    ),
    Idea(
        lambda seen, seat: not seen.state.reserve and seen.state.cards[seat] <= 3,
        mark(
            "The game ends as soon as no hand holds a coloured card with which to lead. Black cards that "
            "are left over count nothing."
        ),
    ),
)
LAST = mark(
    "The game is over: nobody could lead another round. Most points win, and a match can have several "
    "games. You know it all now: race again, or read the rules for the rest."
)
FREELY = mark(
    "Nothing new here: play on. What each colour would move stands beside the line, and what has been "
    "played is open to all."
)
