"""Games in the middle, written as people would: players from 1, cards ``r50``, the line from the front.

>>> game = between({1: "r10 g30", 2: "k20"}, line="krgbyrgbyrgby", leader=1)
>>> game.run("1:r10, 2:k20, 1:pass g30").scores
{1: 0, 2: 4}
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from paddock.games.rasant.rulebook import TITLE, Options
from paddock.games.rasant.rules import state
from paddock.games.rasant.rules.hands import take
from paddock.games.rasant.rules.rounds import begin_round, deals
from paddock.games.rasant.rules.setup import setup
from paddock.games.rasant.words import text
from paddock.kernel import CHANCE

from ..harness import Position, eyes_of

rules: Any = TITLE.rules

COLOURS = "rgbyk"
CARDS = tuple(f"{colour}{speed}" for colour in COLOURS for speed in range(10, 140, 10))  # by kind
MOVES = (*CARDS, "pass", *(f"pass {card}" for card in CARDS))  # by id
OUTCOMES = (*CARDS, *COLOURS[:4], *(f"dealer {player}" for player in range(1, 6)))
PHASES = ("line", "dealer", "deal", "round", "draw", "over")
EVENTS = (
    ("leads", "player"),
    ("led", "player card"),
    ("raised", "player card"),
    ("passed", "player card"),
    ("won", "player colour number"),
    ("moved", "number number"),
    ("drew", "player number"),
    ("reserve empty", ""),
    ("finished", "player number"),
)  # code 1 is the first
SHOWN: dict[str, Callable[[int], str]] = {
    "player": lambda x: str(x + 1),
    "card": lambda x: CARDS[x] if x < len(CARDS) else "",
    "colour": COLOURS.__getitem__,
    "number": str,
}
LINE = "krgbyrgbyrgby"


def kinds(cards: str) -> list[int]:
    """The kinds of cards written with spaces between, sorted."""
    return sorted(CARDS.index(card) for card in cards.split())


class Game(Position):
    """A game in its notation."""

    rules, refusals, text = rules, TITLE.refusals, text
    moves, outcome_names, phases, events, shown = MOVES, OUTCOMES, PHASES, EVENTS, SHOWN

    @property
    def players(self) -> range:
        return range(1, self.g.players + 1)

    @property
    def seats(self) -> range:
        return self.players

    @property
    def cars(self) -> str:
        """The cars from the front, each with its number: ``k r1 g1``."""
        line = [self.s.line[i] for i in range(self.s.lined)]
        return " ".join("k" if car == 12 else f"{COLOURS[car // 3]}{car % 3 + 1}" for car in line)

    @property
    def line(self) -> str:
        """The colours of the cars from the front."""
        return "".join(car[0] for car in self.cars.split())

    @property
    def asked(self) -> int:
        """The player who must decide; 0 is chance, -1 nobody."""
        who = rules.who(self.s, self.g)
        if who == 1 << CHANCE:
            return 0
        found = [player for player in self.players if who == 1 << (player - 1)]
        assert bool(found) == bool(who)
        return found[0] if found else -1

    @property
    def leader(self) -> int:
        return int(self.s.leader) + 1

    @property
    def dealer(self) -> int:
        return int(self.s.dealer) + 1

    @property
    def passed(self) -> set[int]:
        """The players out of the round."""
        return {player for player in self.players if self.s.passed >> (player - 1) & 1}

    @property
    def black(self) -> list[int]:
        """Of every hand, how many cards are known to be black."""
        return [self.s.black[player - 1] for player in self.players]

    def hand(self, player: int) -> str:
        """The cards of a hand in the order of colours and speeds."""
        row = [self.s.hand[player - 1, i] for i in range(state.HAND)]
        return " ".join(CARDS[kind] for kind in row if kind != state.EMPTY)

    @property
    def hands(self) -> list[str]:
        return [self.hand(player) for player in self.players]

    @property
    def discard(self) -> str:
        return " ".join(CARDS[k] for k in range(state.KINDS) for _ in range(self.s.discard[k]))

    @property
    def reserve(self) -> str:
        """What is in the reserve."""
        return " ".join(CARDS[k] for k in range(state.KINDS) for _ in range(self.s.deck[k]))

    # What may happen

    def legal(self, player: int) -> list[str]:
        """The legal moves of a player, each once."""
        return self.legal_moves(player)

    # What follows

    def play(self, player: int, move: str) -> Game:
        """Make one legal move."""
        assert player == self.asked, f"{self.asked} is asked, not {player}"
        assert move in self.legal(player), f"{move} is not legal: {self.legal(player)}"
        return self.apply(player, MOVES.index(move))

    def run(self, script: str) -> Game:
        """Make moves such as ``1:r50, 2:pass, 3:pass k20``, or take outcomes: ``0:r50``."""
        for word in script.split(","):
            player, _, what = word.strip().partition(":")
            if player == "0":
                self.take(what)
            else:
                self.play(int(player), what)
        return self

    def check(self) -> None:
        """No card or car is lost or made, hands are in order, and the small redundant fields agree."""
        s, g = self.s, self.g
        held = [CARDS.index(card) for hand in self.hands for card in hand.split()]
        for kind in range(state.KINDS):
            assert s.deck[kind] >= 0
            assert s.deck[kind] + s.discard[kind] + held.count(kind) == g.deck[kind]
        assert s.reserve == sum(s.deck[kind] for kind in range(state.KINDS))
        for suit in range(5):
            assert s.suits[suit] == sum(s.deck[13 * suit + speed] for speed in range(13))
        for player in self.players:
            row = [s.hand[player - 1, i] for i in range(state.HAND)]
            assert row == sorted(row)
            assert s.cards[player - 1] == sum(kind < state.EMPTY for kind in row)
            assert 0 <= s.black[player - 1] <= sum(state.BLACK <= kind < state.EMPTY for kind in row)
        if self.phase != "line":
            assert sorted(s.line[i] for i in range(13)) == list(range(13))

    # What is seen

    def redeal(self, *players: int, row: list[int]) -> Game:
        """A copy in which all that these players cannot know is dealt again from the stream ``row``."""
        new = self.hide(*players)
        rules.redeal(new.s, self.g, eyes_of(players), row, [99] * (rules.ACTIONS + 1))
        new.check()
        return new


def fresh(**chosen: object) -> Game:
    """A game of these options of the title, before line, dealer and cards."""
    game = Game(rules.State(), setup(Options.read(chosen)))
    game.start()
    return game


def dealt(
    hands: Mapping[int, str], *, reserve: str = "", dealer: int, line: str = LINE, **chosen: Any
) -> Game:
    """A game of the title from its beginning, with these hands of six cards dealt."""
    cards = " ".join([*hands.values(), reserve]).split()
    game = fresh(players=len(hands), deck="+".join(cards), line=line, **chosen)
    game.take(f"dealer {dealer}")
    for n in range(1, len(hands) + 1):
        for card in hands[(dealer + n - 1) % len(hands) + 1].split():
            game.take(card)
    return game


def between(
    hands: Mapping[int, str],
    *,
    leader: int = 1,
    line: str = LINE,
    reserve: str = "",
    discard: str = "",
    scores: tuple[int, ...] = (),
    black: tuple[int, ...] = (),
    **chosen: object,
) -> Game:
    """A game at the beginning of a round; ``black`` is what is known of each hand (RA-3.2).

    ``chosen`` are other options of the title.
    """
    s, g = rules.State(), setup(Options.read({"players": len(hands), **chosen}))
    g.given = 1
    for i, colour in enumerate(line):
        g.line[i] = 12 if colour == "k" else 3 * COLOURS.index(colour) + line[:i].count(colour)
    for kind in range(state.KINDS):
        g.deck[kind] = 0
    for kind in kinds(" ".join([*hands.values(), reserve, discard])):
        g.deck[kind] += 1
    rules.start(s, g)
    deals(s, g, (leader - 2) % g.players)
    for player, hand in hands.items():
        for kind in kinds(hand):
            take(s, player - 1, kind)
    for kind in kinds(discard):
        s.deck[kind] -= 1
        s.suits[kind // 13] -= 1
        s.reserve -= 1
        s.discard[kind] += 1
    s.line[0] = g.line[0]  # the black car may stand anywhere by now
    for i, score in enumerate(scores):
        s.score[i] = score
    for i, known in enumerate(black):
        s.black[i] = known
    s.events = []
    begin_round(s, g, leader - 1)
    game = Game(s, g)
    game.check()
    return game
