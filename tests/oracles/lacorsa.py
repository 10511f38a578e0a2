"""The slow oracle of LACORSA: a second reading of the rules, written from the clauses LC-1 to LC-7 alone.

Nothing here is fast or clever. Cards are strings ("1" … "12" and "R"), a hand is a list of them, and the
road is an endless line of numbered spaces, a larger number being further ahead. A test steps this race beside
the engine and compares what both say after every step. It must never import the engine.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

SUIT = ["R", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12"]
"""The thirteen cards of one suit (LC-1.1)."""

DEALT = 13
"""Cards dealt to each car (LC-1.2)."""

MOST_PASSES = 2
"""Passes after which a turn is over (LC-5.4)."""


def cards_of(move: str) -> list[str]:
    """Return the cards that a move plays: "x7+R" plays 7 and R, "^2" plays 2."""
    return move.lstrip("x^").split("+")


def value_of(play: str) -> int:
    """Return the value of a commit (LC-5.1, LC-3.1): the card's number, 2 more with a Redline.

    A lone Redline is worth 0 (LC-3.2), and so are two together (LC-3.5, option `double_redline = void`).
    """
    numbers = [int(card) for card in cards_of(play) if card != "R"]
    redlines = cards_of(play).count("R")
    if not numbers:
        return 0
    return numbers[0] + 2 * redlines


class Race:
    """One race of LACORSA, base rules. Cars are numbered from 0."""

    def __init__(
        self,
        cars: int,
        extra_suits: int = 0,
        double_redline: str = "refused",
        points: Sequence[int] = (9, 6, 4, 3, 2, 1),
    ) -> None:
        """Make the deck (LC-1.2, LC-1.3): a suit for every car and the extra suits, nothing dealt yet."""
        if cars < 2:
            raise ValueError("a race needs at least two cars")
        if double_redline not in ("refused", "void"):
            raise ValueError("double_redline is refused or void")
        self._cars = cars
        self._double_redline = double_redline
        self._points = list(points)
        self._deck: list[str] = SUIT * (cars + extra_suits)
        self._hands: dict[int, list[str]] = {car: [] for car in range(cars)}
        self._pile: list[str] = []
        self._cards_in_all = len(self._deck)

        self._phase = "deal"  # deal, qualify, tied, challenge, road, over
        self._committed: dict[int, str] = {}
        self._committing: list[int] = []  # the cars of the present qualifying or challenge
        self._tied_groups: list[list[int]] = []  # cars not yet on the grid, highest value first
        self._grid: list[int] = []  # cars on the grid, pole position first
        self._space: dict[int, int] = {}
        self._lap = 0
        self._turn_car = -1
        self._passes = 0
        self._played_this_lap: set[int] = set()
        self._somebody_ran_out = False  # LC-7.4
        self._start_of_leader = 0

    @classmethod
    def at(cls, spaces: Mapping[int, int], hands: Mapping[int, Sequence[str]], lap: int = 1) -> Race:
        """Return a race at the start of a lap with these spaces and hands (for hand-made tests)."""
        race = cls(len(spaces))
        race._deck = []
        race._hands = {car: list(hands[car]) for car in range(len(spaces))}
        race._cards_in_all = sum(len(hand) for hand in race._hands.values())
        race._space = dict(spaces)
        race._start_of_leader = max(race._space.values())
        race._lap = lap - 1
        race._start_lap()
        return race

    # What a comparison looks at

    def over(self) -> bool:
        """Return whether the race is over (LC-7.1)."""
        return self._phase == "over"

    def hand(self, car: int) -> list[str]:
        """Return a car's cards, sorted as text. Committed cards stay in it until the reveal."""
        return sorted(self._hands[car])

    def discard_counts(self) -> dict[str, int]:
        """Return how many of each card lie in the discard pile (LC-1.5); cards that do not are left out."""
        return dict(Counter(self._pile))

    def road(self) -> list[tuple[int, int]]:
        """Return (car, empty spaces ahead of it) from the back to the leader (0); [] before the grid."""
        answer = []
        for car in sorted(self._space, key=lambda each: self._space[each]):
            ahead = self._nearest_ahead(car)
            gap = 0 if ahead is None else self._space[ahead] - self._space[car] - 1
            answer.append((car, gap))
        return answer

    def lap(self) -> int:
        """Return the number of the lap, 1 for the first, 0 in qualifying; the last lap's when over."""
        return self._lap

    def turn(self) -> tuple[int, int] | None:
        """Return the car whose turn it is and the passes it has made in it; None outside a lap."""
        if self._phase in ("challenge", "road"):
            return self._turn_car, self._passes
        return None

    def places(self) -> dict[int, int]:
        """Return each car's finishing place, the leader's being 1; empty while the race runs."""
        if not self.over():
            return {}
        from_the_front = [car for car, _ in reversed(self.road())]
        return {car: from_the_front.index(car) + 1 for car in range(self._cars)}

    def scores(self) -> dict[int, int]:
        """Return each car's points (LC-7.2): by place, 0 below the table; empty while the race runs."""
        answer = {}
        for car, place in self.places().items():
            answer[car] = self._points[place - 1] if place <= len(self._points) else 0
        return answer

    # Chance

    def chance(self) -> dict[str, int]:
        """Return the outcomes of the chance that is due, with their weights; empty when none is.

        The deal: the next card, weighted by how many are left in the deck (LC-1.2). A tie on the grid: which
        of the tied cars takes the next place from the front (LC-3.4: dice, rolled again on ties, favour
        none of them, so one even lot for each place is the same).
        """
        if self._phase == "deal":
            return dict(Counter(self._deck))
        if self._phase == "tied":
            return {f"car {car}": 1 for car in self._tied_groups[0]}
        return {}

    def take(self, outcome: str) -> None:
        """Let chance fall so. Raises ValueError for an outcome that is not due."""
        if outcome not in self.chance():
            raise ValueError(f"chance cannot fall so now: {outcome}")
        if self._phase == "deal":
            self._deal_card(outcome)
        else:
            car = int(outcome.removeprefix("car "))
            self._tied_groups[0].remove(car)
            self._grid.append(car)
            self._fill_grid()
        self._check()

    def _deal_card(self, card: str) -> None:
        """Deal a card (LC-1.2): 13 to car 0, then 13 to car 1, …; what is left over is set aside (LC-1.3)."""
        self._deck.remove(card)
        for car in range(self._cars):
            if len(self._hands[car]) < DEALT:
                self._hands[car].append(card)
                break
        if all(len(hand) == DEALT for hand in self._hands.values()):
            self._phase = "qualify"
            self._committing = list(range(self._cars))  # LC-3.1: every car commits

    # Decisions

    def deciders(self) -> set[int]:
        """Return the cars that must decide now: those yet to commit, or the one at its turn."""
        if self._phase in ("qualify", "challenge"):
            return {car for car in self._committing if car not in self._committed}
        if self._phase == "road":
            return {self._turn_car}
        return set()

    def legal(self, car: int) -> set[str]:
        """Return the notations of everything a car may do now; empty when it has nothing to decide."""
        if car not in self.deciders():
            return set()
        if self._phase == "road":
            return self._extends(car) | self._discards(car)
        return self._commits(car)

    def _commits(self, car: int) -> set[str]:
        """Return one card, or one card with a Redline (LC-3.1, LC-5.1); R+R only by the option (LC-3.5)."""
        hand = self._hands[car]
        answer = set()
        for card in hand:
            answer.add(card)
            if card != "R" and "R" in hand:
                answer.add(f"{card}+R")
        if self._double_redline == "void" and hand.count("R") >= 2:
            answer.add("R+R")
        return answer

    def _extends(self, car: int) -> set[str]:
        """Return the extends: a 1, 2 or 3 (LC-6.1), but no 3 for the leader of this moment (LC-6.2, LC-6.7).

        A Redline is never added (LC-6.4).
        """
        is_leader = self._nearest_ahead(car) is None
        answer = set()
        for card in self._hands[car]:
            if card in ("1", "2") or (card == "3" and not is_leader):
                answer.add(f"^{card}")
        return answer

    def _discards(self, car: int) -> set[str]:
        """Return the discards (LC-6.3): any one card, or another with a Redline; never R+R (LC-3.5)."""
        hand = self._hands[car]
        answer = set()
        for card in hand:
            answer.add(f"x{card}")
            if card != "R" and "R" in hand:
                answer.add(f"x{card}+R")
        return answer

    def play(self, car: int, move: str) -> None:
        """Make a move. Raises ValueError, and changes nothing, when it is not legal."""
        if move not in self.legal(car):
            raise ValueError(f"car {car} cannot play {move} now")
        if self._phase == "road":
            self._spend(car, move)
            if move.startswith("^"):
                self._space[car] += 1  # LC-6.1: one space, whatever the number
            self._end_turn()  # LC-6.1, LC-6.3
        else:
            self._committed[car] = move
            if len(self._committed) == len(self._committing):
                self._reveal()
        self._check()

    def _spend(self, car: int, move: str) -> None:
        """Move the played cards from the hand to the discard pile (LC-1.4, LC-5.5)."""
        for card in cards_of(move):
            self._hands[car].remove(card)
            self._pile.append(card)
        self._played_this_lap.add(car)
        if not self._hands[car]:
            self._somebody_ran_out = True

    def _reveal(self) -> None:
        """Turn over all commits together (LC-3.1, LC-5.1), discard them and judge them."""
        values = {}
        for car in self._committing:
            self._spend(car, self._committed[car])
            values[car] = value_of(self._committed[car])
        committing = self._committing
        self._committing = []
        self._committed = {}
        if self._phase == "qualify":
            for value in sorted(set(values.values()), reverse=True):
                self._tied_groups.append([car for car in committing if values[car] == value])
            self._fill_grid()
        else:
            challenger, defender = committing
            self._settle_challenge(challenger, defender, values[challenger] > values[defender])

    # Qualifying

    def _fill_grid(self) -> None:
        """Place the cars from the front, highest value first (LC-3.3), as far as no tie stops it (LC-3.4)."""
        while self._tied_groups and len(self._tied_groups[0]) == 1:
            self._grid.append(self._tied_groups.pop(0)[0])
        if self._tied_groups:
            self._phase = "tied"
            return
        # LC-3.3: adjacent spaces, the last car on space 1.
        for car in range(self._cars):
            self._space[car] = self._cars - self._grid.index(car)
        self._start_of_leader = self._cars
        self._start_lap()

    # The lap

    def _nearest_ahead(self, car: int) -> int | None:
        """Return the nearest car ahead of a car, None for the leader."""
        ahead = [other for other in self._space if self._space[other] > self._space[car]]
        if not ahead:
            return None
        return min(ahead, key=lambda other: self._space[other])

    def _directly_ahead(self, car: int) -> int | None:
        """Return the car on the very next space, None when that space is empty."""
        for other in self._space:
            if self._space[other] == self._space[car] + 1:
                return other
        return None

    def _start_lap(self) -> None:
        """Start a lap with the car at the back (LC-4.1)."""
        self._lap += 1
        self._played_this_lap = set()
        last = min(self._space, key=lambda car: self._space[car])
        self._start_turn(last)

    def _start_turn(self, car: int) -> None:
        """Start a car's turn; no pass has been made in it."""
        self._turn_car = car
        self._passes = 0
        self._go_on()

    def _go_on(self) -> None:
        """Ask the car at its turn for what it must do next.

        Without cards its turn ends, at its start or within it (LC-4.4). After two passes it ends (LC-5.4).
        Directly behind a car it must challenge, before an empty space it must extend or discard (LC-4.3).
        """
        car = self._turn_car
        if not self._hands[car] or self._passes == MOST_PASSES:
            self._end_turn()
            return
        defender = self._directly_ahead(car)
        if defender is None:
            self._phase = "road"
            return
        assert self._hands[defender], "LC-4.5: a defender always holds a card"
        assert defender not in self._played_this_lap, (
            "LC-4.1: nobody ahead of the turn has played in this lap"
        )
        self._phase = "challenge"
        self._committing = [car, defender]

    def _settle_challenge(self, challenger: int, defender: int, won: bool) -> None:
        """Swap the two and go on if the challenger won, else end its turn (LC-5.2, LC-5.3, LC-5.4)."""
        if won:
            swap = self._space[challenger]
            self._space[challenger] = self._space[defender]
            self._space[defender] = swap
            self._passes += 1
            self._go_on()
        else:
            self._end_turn()

    def _end_turn(self) -> None:
        """End the turn: the next is the nearest car's ahead of where this one now stands (LC-4.1).

        A car that was passed is behind that and gets no turn in this lap (LC-4.2).
        """
        following = self._nearest_ahead(self._turn_car)
        if following is None:
            self._end_lap()
        else:
            self._start_turn(following)

    def _end_lap(self) -> None:
        """End the lap (LC-4.1); the race is over if a car has run out (LC-7.1, LC-7.4)."""
        assert self._played_this_lap == set(range(self._cars)), "LC-4.5: every car plays in every lap"
        if self._somebody_ran_out:
            self._phase = "over"
        else:
            self._start_lap()

    def _check(self) -> None:
        """Assert what must always hold: no card is lost, one car a space, the leader's bound (LC-6.6)."""
        in_hands = sum(len(hand) for hand in self._hands.values())
        assert len(self._deck) + in_hands + len(self._pile) == self._cards_in_all
        assert len(set(self._space.values())) == len(self._space)
        if self._space:
            assert max(self._space.values()) - self._start_of_leader <= min(DEALT, self._lap)
