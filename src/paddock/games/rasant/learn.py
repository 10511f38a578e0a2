"""Rasant: the guided first game. Line and deal are fixed; each decision explains one idea that fits it."""

from __future__ import annotations

from paddock.core.i18n import mark
from paddock.core.log import Entry
from paddock.core.pages import Idea
from paddock.core.title import Seen
from paddock.core.words import CHANCE
from paddock.games.rasant.deck import kind_of, read_deck
from paddock.games.rasant.state import DEALER, HAND, NO_COLOUR, PASS, SPEEDS
from paddock.games.rasant.view import view

OPTIONS = {"players": 4, "games": 1, "line": "kgrbygryrbgby"}
SEATS = ("me", "rookie", "rookie", "rookie")
NAMES = ("Player", "Bruno", "Carla", "Dario")
INTRO = mark("One game at a real table, against three simple bots. Each of your decisions explains one idea:")
SUMMARY = (
    mark("Whose cars they are, and what the first card of a round decides."),
    mark("What the winner of a round moves, and what it scores."),
    mark("When to raise and when to pass, and what the black car and the 130 do."),
    mark("What changes when the reserve is empty, and how the game ends."),
)

# The learner's first hand: a strong card, a black one, and every colour.
FIRST = ("r50", "r110", "g80", "b130", "y60", "k90")


def start() -> list[Entry]:
    """Return the start of the log: the last player deals, hand after hand (RA-2.2); the learner leads."""
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
    """Return whether a legal card would move the black car if it won."""
    shown = view(seen)
    plays = [move for move in seen.legal(seat) if move < PASS]
    colours = {kind // SPEEDS for kind in plays} if shown.colour is None else {shown.colour}
    return bool(plays) and any(win.black for win in shown.wins if win.colour in colours)


def _ends(seen: Seen, seat: int) -> bool:
    """Return whether a 130 is legal."""
    return any(move < PASS and move % SPEEDS == SPEEDS - 1 for move in seen.legal(seat))


def _won(seen: Seen) -> bool:
    return any(seen.state.score[player] for player in range(seen.options.seats))


IDEAS = (
    Idea(
        lambda seen, seat: _leads(seen, seat) and not _won(seen),
        mark(
            "Thirteen cars stand in a line, and none of them is yours: everybody moves them all. You "
            "lead this round. The card that you lead sets its colour, and whoever plays the highest card "
            "overtakes with that colour. Tap a card to see what a win would do, then the button."
        ),
    ),
    Idea(
        _cannot,
        mark(
            "You have no card that you can play, so you must pass. That is not bad: you keep your cards, and "
            "the first player to pass in a round leads the next one."
        ),
    ),
    Idea(
        lambda seen, seat: not seen.state.reserve,
        mark(
            "The reserve is empty: nobody draws any more, and from now on a pass costs a card of your "
            "choice. Discard the one that is least likely to win."
        ),
    ),
    Idea(
        _raises,
        mark(
            "To raise, play a higher card of the round's colour, or a higher black one: black goes with "
            "every colour, but it has to be higher too. If you pass, you are out of this round. The round "
            "ends when all players but one have passed."
        ),
    ),
    Idea(
        _leads,
        mark(
            "What does a win move? The rearmost car of the colour, and every car behind it: they drive to "
            "the front one after the other, and each scores a point. So look for a colour whose rearmost car "
            "is far from the end of the line, and lead it if you can win with it."
        ),
    ),
    Idea(
        _doubles,
        mark(
            "A win can move the black car now. It scores nothing itself, but it doubles the points of all "
            "the others that move. That is worth a good card."
        ),
    ),
    Idea(
        _ends,
        mark("You have a 130 that you can play. No card is higher: it wins the round and ends it at once."),
    ),
    Idea(
        lambda seen, seat: _raises(seen, seat) and not seen.state.first,
        mark(
            "Nobody has passed yet. If you are the first, you lose little and lead the next round, with a "
            "colour of your choice. Compare that with what this round is worth."
        ),
    ),
    Idea(
        lambda seen, seat: bool(_won(seen) and seen.state.reserve),
        mark(
            "After every round all players draw up to six cards, the winner first. While there is a reserve "
            "you get a new card for each one you play, so do not save too long: watch the reserve."
        ),
    ),
    Idea(
        lambda seen, seat: bool(seen.state.colour != NO_COLOUR),
        mark(
            "The next round starts from the line after the win. Before you let somebody win, look at what "
            "their win leaves to the next leader: a colour whose last car is far in front is worth the most."
        ),
    ),
    Idea(
        lambda seen, seat: not seen.state.reserve and seen.state.cards[seat] <= 3,
        mark(
            "The game ends when nobody has a coloured card to lead with. Black cards that are left over "
            "score nothing."
        ),
    ),
)
LAST = mark(
    "The game is over: nobody can lead another round. Most points win, and a match can have several games. "
    "Now you know the game: play again, or read the rules."
)
FREELY = mark(
    "There are no more hints: play on. The list beside the line shows what each colour would move, and the "
    "cards that were played are visible to all."
)
