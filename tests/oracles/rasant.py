"""The slow oracle of Rasant: a second reading of the rules, written from the clauses RA-1 to RA-5 alone.

Nothing here is fast or clever. A card is a string, its colour's letter and its speed ("r10" … "k130"; r, g, b
and y are the coloured cards, k is black); a hand is a list of cards. A car is its colour's letter, the line a
list of cars from the front to the back. "Left" is the next higher player, and after the last comes player 0.
A test steps this game beside the engine and compares what both say after every step. It must never import the
engine.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

COLOURS = ["r", "g", "b", "y"]
"""The four colours (RA-1.1)."""

BLACK = "k"
"""The colour of the starting car and of the cards that go with every colour (RA-1.1, RA-3.3)."""

CARS = ["k", "r", "r", "r", "g", "g", "g", "b", "b", "b", "y", "y", "y"]
"""The thirteen cars (RA-1.1)."""

SPEEDS = [10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 110, 120, 130]
"""Every speed a card may have (RA-1.2)."""

TOP_SPEED = 130
"""The speed that ends a round at once (RA-3.4)."""

FULL_HAND = 6
"""Cards dealt to each player (RA-2.2) and drawn up to (RA-5.1)."""

RECONSTRUCTED = [f"{colour}{speed}" for colour in COLOURS for speed in SPEEDS] + ["k30", "k60", "k90", "k120"]
"""The default deck of 56 cards (RA-1.2)."""

ALL_BLACK_TOP = [f"{colour}{speed}" for colour in COLOURS for speed in SPEEDS if speed <= 120] + [
    f"k{speed}" for speed in SPEEDS if speed >= 60
]
"""The second deck of 56 cards, `all-black-top` (RA-1.2)."""


def colour_of(card: str) -> str:
    """Return the colour's letter of a card (RA-1.2)."""
    return card[0]


def speed_of(card: str) -> int:
    """Return the speed of a card (RA-1.2)."""
    return int(card[1:])


def coloured(cards: Sequence[str]) -> list[str]:
    """Return those of the cards that are not black: the cards with which a round can be led (RA-3.2)."""
    return [card for card in cards if colour_of(card) != BLACK]


class Game:
    """One game of a match of Rasant. Players are numbered from 0."""

    def __init__(
        self,
        players: int,
        deck: Sequence[str] = RECONSTRUCTED,
        dealer: int | None = None,
        line: Sequence[str] | None = None,
        round_end: str = "one",
    ) -> None:
        """Lay out the cars and the deck (RA-2.1, RA-2.3); a line or a dealer that is None is left to chance.

        Raises ValueError for a number of players (RA-1.3), deck (RA-1.2), line (RA-2.1), dealer or option
        (RA-3.4) that cannot be.
        """
        if players not in (2, 3, 4, 5):
            raise ValueError("two to five players")
        if round_end not in ("one", "all"):
            raise ValueError("round_end is one or all")
        for card in deck:
            if card not in [f"{colour}{speed}" for colour in [*COLOURS, BLACK] for speed in SPEEDS]:
                raise ValueError(f"no such card: {card}")
        if len(deck) < FULL_HAND * players:
            raise ValueError("the deck needs six cards for each player")
        if not coloured(deck):
            raise ValueError("the deck needs a coloured card")
        if dealer is not None and dealer not in range(players):
            raise ValueError("no such dealer")
        if line is not None and (sorted(line) != sorted(CARS) or line[0] != BLACK):
            raise ValueError("the line is the thirteen cars, the black one in front")
        self._players = players
        self._round_end = round_end
        self._all_cards = Counter(deck)
        self._reserve = list(deck)
        self._hands: list[list[str]] = [[] for _ in range(players)]
        self._pile: list[str] = []  # cards of finished rounds, and every card discarded by a pass
        self._line = [BLACK] if line is None else list(line)
        self._dealer = dealer
        self._scores = [0] * players
        self._points_seen = 0  # what all manoeuvres together were worth
        self._rounds = 0

        self._phase = "line"  # line, dealer, deal, round, draw, over
        self._next_leader = -1
        self._drawing: list[int] = []  # the players in the order in which they draw
        # The open round; all of it is empty outside a round.
        self._leader = -1
        self._turn = -1
        self._colour: str | None = None
        self._highest: tuple[int, str] | None = None
        self._table: list[str] = []  # the cards played
        self._passed: list[int] = []  # in the order of their passes
        self._set_up()

    @classmethod
    def at(
        cls,
        hands: Sequence[Sequence[str]],
        line: Sequence[str],
        reserve: Sequence[str] = (),
        leader: int = 0,
        round_end: str = "one",
    ) -> Game:
        """Return a game between two rounds in this position (for hand-made tests); `leader` leads next."""
        game = cls(len(hands), round_end=round_end)
        game._hands = [list(hand) for hand in hands]
        game._reserve = list(reserve)
        game._all_cards = Counter(game._reserve)
        for hand in hands:
            game._all_cards.update(hand)
        game._line = list(line)
        game._next_leader = leader
        game._start_round()
        game._check()
        return game

    # What a comparison looks at

    def over(self) -> bool:
        """Return whether the game is over (RA-5.3)."""
        return self._phase == "over"

    def hand(self, player: int) -> list[str]:
        """Return a player's cards (RA-2.2), sorted as text."""
        return sorted(self._hands[player])

    def line(self) -> list[str]:
        """Return the cars from the front to the back (RA-2.1); those drawn so far while it is being laid."""
        return list(self._line)

    def scores(self) -> list[int]:
        """Return each player's points (RA-4.2)."""
        return list(self._scores)

    def reserve(self) -> int:
        """Return the number of cards in the reserve (RA-2.2)."""
        return len(self._reserve)

    def discard_counts(self) -> dict[str, int]:
        """Return how many of each card were played or discarded, those on the table of the open round too."""
        return dict(Counter(self._pile + self._table))

    def dealer(self) -> int | None:
        """Return the dealer (RA-2.2), None before the lot."""
        return self._dealer

    def leader(self) -> int | None:
        """Return whom the lead has come to (RA-3.8), in the whole round; None outside a round."""
        return self._leader if self._phase == "round" else None

    def colour(self) -> str | None:
        """Return the colour of the round (RA-3.2), None before a card is led and outside a round."""
        return self._colour

    def highest(self) -> tuple[int, str] | None:
        """Return who played the highest card of the round, and the card; None while there is none."""
        return self._highest

    def passed(self) -> set[int]:
        """Return the players who have passed in the open round (RA-3.3); empty outside a round."""
        return set(self._passed)

    # Chance

    def chance(self) -> dict[str, int]:
        """Return the outcomes of the chance that is due, with their weights; empty when none is.

        The line: the next car from the front (RA-2.1). The dealer: one of the players (RA-2.2). The deal and
        the drawing: the next card of the reserve (RA-2.2, RA-5.1).
        """
        if self._phase == "line":
            return dict(Counter(CARS) - Counter(self._line))
        if self._phase == "dealer":
            return {f"player {player}": 1 for player in range(self._players)}
        if self._phase in ("deal", "draw"):
            return dict(Counter(self._reserve))
        return {}

    def take(self, outcome: str) -> None:
        """Let chance fall so. Raises ValueError, and changes nothing, for an outcome that is not due."""
        if outcome not in self.chance():
            raise ValueError(f"chance cannot fall so now: {outcome}")
        if self._phase == "line":
            self._line.append(outcome)
            self._set_up()
        elif self._phase == "dealer":
            self._dealer = int(outcome.removeprefix("player "))
            self._set_up()
        else:
            player = self._draws_next()
            assert player is not None
            self._reserve.remove(outcome)
            self._hands[player].append(outcome)
            self._go_on_drawing()
        self._check()

    def _set_up(self) -> None:
        """Go on with the set-up: the line (RA-2.1), the dealer by lot, the deal (RA-2.2)."""
        if len(self._line) < len(CARS):
            self._phase = "line"
        elif self._dealer is None:
            self._phase = "dealer"
        else:
            self._phase = "deal"
            first = self._left_of(self._dealer)
            self._next_leader = first  # RA-3.1
            self._drawing = self._clockwise_from(first)  # so the dealer's own hand is the last

    def _draws_next(self) -> int | None:
        """Return who gets the next card: in turn, each up to six before the next (RA-5.1, RA-5.6)."""
        for player in self._drawing:
            if len(self._hands[player]) < FULL_HAND:
                return player
        return None

    def _go_on_drawing(self) -> None:
        """Start the round when all hands are full, or the reserve ends: the rest draw nothing (RA-5.6)."""
        if self._draws_next() is None or not self._reserve:
            self._start_round()

    # Decisions

    def deciders(self) -> set[int]:
        """Return the player whose turn it is. Only one who holds cards is ever asked (RA-3.10)."""
        if self._phase == "round":
            return {self._turn}
        return set()

    def legal(self, player: int) -> set[str]:
        """Return the notations of everything a player may do now; empty when it is not their turn.

        A card's name plays it, "pass" passes, "pass r50" passes and discards (RA-5.2).
        """
        if player not in self.deciders():
            return set()
        cards = self._playable(player)
        if self._colour is None and cards:
            return cards  # RA-3.2: a leader who can lead cannot pass
        return cards | self._passes(player)

    def _playable(self, player: int) -> set[str]:
        """Return the cards a player may lay: a coloured one to lead, later a higher one (RA-3.2, RA-3.3).

        Black waives the colour, not the height, and the colour stays the led card's whoever plays black.
        """
        if self._highest is None:
            return set(coloured(self._hands[player]))
        to_beat = speed_of(self._highest[1])
        answer = set()
        for card in self._hands[player]:
            if colour_of(card) in (self._colour, BLACK) and speed_of(card) > to_beat:
                answer.add(card)
        return answer

    def _passes(self, player: int) -> set[str]:
        """Return the ways to pass: once the reserve is empty, with a discard of any card held (RA-5.2)."""
        if self._reserve or not self._hands[player]:
            return {"pass"}
        return {f"pass {card}" for card in self._hands[player]}

    def play(self, player: int, move: str) -> None:
        """Make a move. Raises ValueError, and changes nothing, when it is not legal."""
        if move not in self.legal(player):
            raise ValueError(f"player {player} cannot play {move} now")
        if move.startswith("pass"):
            discarded = move.removeprefix("pass").strip()
            if discarded:
                self._hands[player].remove(discarded)
                self._pile.append(discarded)
            self._pass(player)
        else:
            self._hands[player].remove(move)
            self._table.append(move)
            self._highest = (player, move)  # RA-3.5: a later card is always the higher
            if self._colour is None:
                self._colour = colour_of(move)
        self._move_on()
        self._ask()
        self._check()

    # The round

    def _clear_table(self) -> None:
        """Leave no round open."""
        self._leader = -1
        self._turn = -1
        self._colour = None
        self._highest = None
        self._table = []
        self._passed = []

    def _left_of(self, player: int) -> int:
        """Return the player to the left."""
        return (player + 1) % self._players

    def _clockwise_from(self, player: int) -> list[int]:
        """Return all players, this one first, then going left."""
        answer = [player]
        while len(answer) < self._players:
            answer.append(self._left_of(answer[-1]))
        return answer

    def _start_round(self) -> None:
        """Start a round, or end the game when nobody can lead one (RA-5.3, RA-5.7).

        The same test stands before the first round: a deck of the user's own may deal black cards only.
        """
        self._clear_table()
        if not any(coloured(hand) for hand in self._hands):
            self._phase = "over"
            return
        self._phase = "round"
        self._rounds += 1
        self._leader = self._next_leader
        self._turn = self._leader
        self._ask()

    def _pass(self, player: int) -> None:
        """Put a player out of the round (RA-3.3). A leader's pass is one like any other (RA-3.2, RA-3.8)."""
        assert player not in self._passed
        self._passed.append(player)

    def _move_on(self) -> None:
        """Give the turn to the next who has not passed, and with it a lead nobody used (RA-3.2, RA-3.8)."""
        for player in self._clockwise_from(self._left_of(self._turn)):
            if player not in self._passed:
                self._turn = player
                break
        if self._colour is None:
            assert len(self._passed) < self._players, "RA-3.7: somebody can lead"
            self._leader = self._turn

    def _ask(self) -> None:
        """Pass for empty hands (RA-3.10, RA-5.2) until a player with cards must decide or the round ends."""
        while self._phase == "round":
            if self._is_round_over():
                self._end_round()
                return
            if self._hands[self._turn]:
                return
            self._pass(self._turn)
            self._move_on()

    def _is_round_over(self) -> bool:
        """Return whether the round is over (RA-3.4); never before a card is led (RA-3.7).

        With `round_end = all` the last player, even one who led when all others had passed, goes on until
        they pass too.
        """
        if self._highest is None:
            return False
        if speed_of(self._highest[1]) == TOP_SPEED:
            return True
        still_in = self._players - len(self._passed)
        if self._round_end == "all":
            return still_in == 0
        return still_in == 1

    def _end_round(self) -> None:
        """Overtake (RA-3.5), settle who leads next (RA-3.1, RA-3.6), and have the players draw (RA-5.1)."""
        assert self._highest is not None and self._colour is not None
        winner, card = self._highest
        if self._passed:
            self._next_leader = self._passed[0]
        else:
            assert speed_of(card) == TOP_SPEED, "RA-3.6: only a 130 ends a round in which nobody passed"
            self._next_leader = self._left_of(winner)
        self._overtake(winner, self._colour)
        self._pile += self._table
        self._clear_table()
        self._phase = "draw"
        self._drawing = self._clockwise_from(winner)
        self._go_on_drawing()

    def _overtake(self, winner: int, colour: str) -> None:
        """Move the rearmost car of the colour and all behind it, reversed, to the front (RA-4.1, RA-4.4)."""
        before = self._line
        first = 0
        for place in range(len(before)):
            if before[place] == colour:
                first = place
        staying = before[:first]
        moving = before[first:]
        self._line = list(reversed(moving)) + staying
        points = 0
        for car in moving:
            if car != BLACK:
                points += 1  # RA-4.2: one for each car, nothing for the black one …
        if BLACK in moving:
            points = points * 2  # … which doubles the others
        self._scores[winner] += points

        # The same points, told from the old line and the new.
        assert moving[0] == colour and colour != BLACK, "RA-4.3: the black car never begins"
        assert colour not in moving[1:], "RA-4.1: the rearmost of its colour"
        assert self._line[0] == before[-1] and self._line[len(moving) - 1] == colour
        if before.index(BLACK) < first:
            told = len(before) - first
        else:
            told = 2 * (len(before) - first - 1)
        assert points == told, "RA-4.2"
        assert 1 <= points <= 2 * (len(CARS) - 1)
        self._points_seen += told

    def _check(self) -> None:
        """Assert what must always hold: no card or car is lost, points are what moved, the game ends."""
        cards = list(self._reserve) + self._pile + self._table
        for hand in self._hands:
            assert len(hand) <= FULL_HAND, "RA-5.1"
            cards += hand
        assert Counter(cards) == self._all_cards
        if self._phase == "line":
            assert not Counter(self._line) - Counter(CARS)
        else:
            assert sorted(self._line) == sorted(CARS)
        assert sum(self._scores) == self._points_seen
        assert self._rounds <= sum(self._all_cards.values()), "RA-3.7: every round uses up a card"
        if self._phase == "round":
            assert self._hands[self._turn], "RA-3.10: an empty hand is never asked"
            assert self._turn not in self._passed
            assert self.legal(self._turn)
        else:
            assert not self._table and not self._passed and self._highest is None
        if self._phase == "draw":
            assert self._reserve and self._draws_next() is not None
