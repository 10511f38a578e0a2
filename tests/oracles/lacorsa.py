"""The slow oracle of LACORSA: a second reading of the rules, written from the clauses LC-1 to LX-5 alone.

Nothing here is fast or clever. Cards are strings ("1" … "12" and "R"), a hand is a list of them, and the
road is an endless line of numbered spaces, a larger number being further ahead. A test steps this race beside
the engine and compares what both say after every step. It must never import the engine.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TypedDict, Unpack

SUIT = ["R", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12"]
"""The thirteen cards of one suit (LC-1.1)."""

DEALT = 13
"""Cards dealt to each car (LC-1.2), unless the race is given another number (LX-1.2)."""

GRID_HANDS = {
    2: (13, 6),
    3: (13, 6),
    4: (13, 6),
    5: (14, 7),
    6: (14, 7),
    7: (15, 10),
    8: (15, 10),
    9: (15, 12),
    10: (15, 12),
    11: (14, 12),
    12: (13, 12),
}
"""Cards dealt to each car and suits in the deck, by the number of cars, with `grid_hands` (LX-1.2)."""

DIE = {"1": 1, "2": 1, "3": 1, "4": 1, "5": 1, "6": 1}
"""The outcomes of a die, each as likely as the others (LX-2.3, LX-3.0)."""

SPACES_LOST = {"1": 2, "2": 2, "3": 1, "4": 1, "5": 0, "6": 0}
"""Spaces that a pit stop costs, by the die (LX-2.3)."""

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


class Options(TypedDict, total=False):
    """The named options of a race, as the race takes them."""

    suits: int | None
    hand_size: int
    pit_stops: bool
    pit_draw: str
    pit_refill: bool
    pit_timing: str
    incidents: bool
    off_adjacent: bool
    special_drafting: bool
    one_draft: bool


class Race:
    """One race of LACORSA, the Large Grid expansion as far as its options are on. Cars are numbered from 0.

    Moves are texts: commits "7", "12+R", "R", "R+R"; discards "x7", "x7+R"; extends "^2"; "pit" and, where a
    challenge would follow, "stay"; "take 7", a card chosen in the pit; after an extend with a 3, "attack" and
    "stop". Chance falls as a card, a car's lot or a number of the die.
    """

    def __init__(
        self,
        cars: int,
        extra_suits: int = 0,
        double_redline: str = "refused",
        points: Sequence[int] = (9, 6, 4, 3, 2, 1),
        **options: Unpack[Options],
    ) -> None:
        """Make the deck, nothing dealt yet: a suit for every car (LC-1.2) or the suits given (LX-1.2).

        The extra suits (LC-1.3) come on top of either.
        """
        if not 2 <= cars <= 12:
            raise ValueError("two to twelve cars")
        if double_redline not in ("refused", "void"):
            raise ValueError("double_redline is refused or void")
        suits = options.get("suits")
        self._cars = cars
        self._double_redline = double_redline
        self._points = list(points)
        self._hand_size = options.get("hand_size", DEALT)
        self._pit_stops = options.get("pit_stops", False)
        self._pit_draw = options.get("pit_draw", "random")
        self._pit_refill = options.get("pit_refill", False)
        self._pit_timing = options.get("pit_timing", "start")
        self._incidents = options.get("incidents", False)
        self._off_adjacent = options.get("off_adjacent", False)
        self._special_drafting = options.get("special_drafting", False)
        self._one_draft = options.get("one_draft", False)
        if self._pit_draw not in ("random", "choose"):
            raise ValueError("pit_draw is random or choose")
        if self._pit_timing not in ("start", "turn"):
            raise ValueError("pit_timing is start or turn")
        self._deck: list[str] = SUIT * ((cars if suits is None else suits) + extra_suits)
        if len(self._deck) < cars * self._hand_size:
            raise ValueError("the deck does not hold so many cards")
        self._hands: dict[int, list[str]] = {car: [] for car in range(cars)}
        self._pile: list[str] = []
        self._cards_in_all = len(self._deck)

        # deal, qualify, tied; in a lap: call (pit or stay), challenge, road, draft (attack or stop),
        # pit cards, pit die, accident; over
        self._phase = "deal"
        self._committed: dict[int, str] = {}
        self._committing: list[int] = []  # the cars of the present qualifying or challenge
        self._tied_groups: list[list[int]] = []  # cars not yet on the grid, highest value first
        self._grid: list[int] = []  # cars on the grid, pole position first
        self._space: dict[int, int] = {}
        self._lap = 0
        self._turn_car = -1
        self._passes = 0
        self._stop_may_be_called = False  # it is the moment in the turn for it (LX-2.0)
        self._drafted = False  # the car at its turn has drafted in it (LX-5.2)
        self._accident = (-1, -1)  # challenger and defender of the accident whose die is due
        self._played_this_lap: set[int] = set()
        self._pitted_this_lap: set[int] = set()
        self._pitted: set[int] = set()
        self._known: dict[int, Counter[str]] = {car: Counter() for car in range(cars)}  # LX-2.1
        self._retired: list[int] = []  # the first to retire first; of two at once the challenger (LX-3.6)
        self._somebody_ran_out = False  # LC-7.4
        self._start_of_leader = 0
        self._start_of_last = 0

    @classmethod
    def at(
        cls,
        spaces: Mapping[int, int],
        hands: Mapping[int, Sequence[str]],
        lap: int = 1,
        pile: Sequence[str] = (),
        double_redline: str = "refused",
        **options: Unpack[Options],
    ) -> Race:
        """Return a race at the start of a lap with these spaces, hands and pile (for hand-made tests)."""
        race = cls(len(spaces), double_redline=double_redline, **options)
        race._deck = []
        race._hands = {car: list(hands[car]) for car in range(len(spaces))}
        race._pile = list(pile)
        race._cards_in_all = len(pile) + sum(len(hand) for hand in race._hands.values())
        race._space = dict(spaces)
        race._start_of_leader = max(race._space.values())
        race._start_of_last = min(race._space.values())
        race._lap = lap - 1
        race._start_lap()
        return race

    # What a comparison looks at

    def over(self) -> bool:
        """Return whether the race is over (LC-7.1, LX-3.6)."""
        return self._phase == "over"

    def hand(self, car: int) -> list[str]:
        """Return a car's cards, sorted as text. Committed cards stay in it until the reveal.

        A retired car's are those set aside unseen (LX-3.6).
        """
        return sorted(self._hands[car])

    def known(self, car: int) -> dict[str, int]:
        """Return how many of each card everybody knows the car to hold (LX-2.1); cards of no claim left out.

        A card drawn in the pit is known until its car plays a card of that kind. What is known of a retired
        car's hand stays known of the cards set aside.
        """
        return {card: count for card, count in self._known[car].items() if count}

    def pitted(self) -> set[int]:
        """Return the cars that have called their pit stop of this race (LX-2.0), retired ones included."""
        return set(self._pitted)

    def retired(self) -> list[int]:
        """Return the retired cars (LX-3.6), first the first to retire; of two at once the challenger."""
        return list(self._retired)

    def last(self) -> bool:
        """Return whether the lap is the last: some car has been without cards (LC-7.1, LC-7.4, LX-3.9)."""
        return self._somebody_ran_out

    def discard_counts(self) -> dict[str, int]:
        """Return how many of each card lie in the discard pile (LC-1.5); cards that do not are left out."""
        return dict(Counter(self._pile))

    def road(self) -> list[tuple[int, int]]:
        """Return (car, empty spaces ahead of it) from the back to the leader (0); [] before the grid.

        A retired car is not on it (LX-3.6).
        """
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
        if self._phase in ("deal", "qualify", "tied", "over"):
            return None
        return self._turn_car, self._passes

    def places(self) -> dict[int, int]:
        """Return each car's finishing place, the leader's being 1; empty while the race runs.

        A retired car has none: 0 (LC-7.5).
        """
        if not self.over():
            return {}
        from_the_front = [car for car, _ in reversed(self.road())]
        answer = dict.fromkeys(range(self._cars), 0)
        for car in from_the_front:
            answer[car] = from_the_front.index(car) + 1
        return answer

    def scores(self) -> dict[int, int]:
        """Return each car's points (LC-7.2, LX-4.1): by place, 0 below the table; empty while the race runs.

        A retired car scores 0 (LX-3.6).
        """
        answer = {}
        for car, place in self.places().items():
            answer[car] = self._points[place - 1] if 1 <= place <= len(self._points) else 0
        return answer

    def classified(self) -> list[int]:
        """Return all cars, the winner first; empty while the race runs.

        The retired stand behind every finisher, the later retired the higher, and of two at once the
        defender ahead of the challenger (LX-3.6).
        """
        if not self.over():
            return []
        return [car for car, _ in reversed(self.road())] + list(reversed(self._retired))

    # Chance

    def chance(self) -> dict[str, int]:
        """Return the outcomes of the chance that is due, with their weights; empty when none is.

        The deal: the next card, weighted by how many are left in the deck (LC-1.2). A tie on the grid: which
        of the tied cars takes the next place from the front (LC-3.4: dice, rolled again on ties, favour
        none of them, so one even lot for each place is the same). A card drawn blind in the pit, weighted by
        the pile (LX-2.1). The die of a pit stop (LX-2.3) and of an accident (LX-3.0).
        """
        if self._phase == "deal":
            return dict(Counter(self._deck))
        if self._phase == "tied":
            return {f"car {car}": 1 for car in self._tied_groups[0]}
        if self._phase == "pit cards" and self._pit_draw == "random":
            return dict(Counter(self._pile))
        if self._phase in ("pit die", "accident"):
            return dict(DIE)
        return {}

    def take(self, outcome: str) -> None:
        """Let chance fall so. Raises ValueError for an outcome that is not due."""
        if outcome not in self.chance():
            raise ValueError(f"chance cannot fall so now: {outcome}")
        if self._phase == "deal":
            self._deal_card(outcome)
        elif self._phase == "pit cards":
            self._draw_in_pit(outcome)
        elif self._phase == "pit die":
            self._rejoin(SPACES_LOST[outcome])
        elif self._phase == "accident":
            self._settle_accident(outcome)
        else:
            car = int(outcome.removeprefix("car "))
            self._tied_groups[0].remove(car)
            self._grid.append(car)
            self._fill_grid()
        self._check()

    def _deal_card(self, card: str) -> None:
        """Deal a card (LC-1.2): a whole hand to car 0, then one to car 1, …

        What is left over is set aside (LC-1.3, LX-1.2).
        """
        self._deck.remove(card)
        for car in range(self._cars):
            if len(self._hands[car]) < self._hand_size:
                self._hands[car].append(card)
                break
        if all(len(hand) == self._hand_size for hand in self._hands.values()):
            self._phase = "qualify"
            self._committing = list(range(self._cars))  # LC-3.1: every car commits

    # Decisions

    def deciders(self) -> set[int]:
        """Return the cars that must decide now: those yet to commit, or the one at its turn."""
        if self._phase in ("qualify", "challenge"):
            return {car for car in self._committing if car not in self._committed}
        if self._phase in ("call", "road", "draft"):
            return {self._turn_car}
        if self._phase == "pit cards" and self._pit_draw == "choose":
            return {self._turn_car}
        return set()

    def legal(self, car: int) -> set[str]:
        """Return the notations of everything a car may do now; empty when it has nothing to decide."""
        if car not in self.deciders():
            return set()
        if self._phase == "call":
            return {"pit", "stay"}
        if self._phase == "pit cards":
            return {f"take {card}" for card in self._pile}
        if self._phase == "draft":
            return {"attack", "stop"}
        if self._phase == "road":
            pit = {"pit"} if self._may_pit(car) else set()
            return self._extends(car) | self._discards(car) | pit
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
        if move == "pit":
            self._enter_pit(car)
        elif move.startswith("take "):
            self._draw_in_pit(move.removeprefix("take "))
        elif move == "stop":
            self._end_turn()  # LX-5.1
        elif move in ("stay", "attack"):
            self._stop_may_be_called = False
            self._challenge()
        elif self._phase == "road":
            self._spend(car, move)
            if move.startswith("^"):
                self._extended(car, move)
            else:
                self._end_turn()  # LC-6.3
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
            if self._known[car][card]:
                self._known[car][card] -= 1  # LX-2.1: the card known may be the one that was played
        self._played_this_lap.add(car)
        if not self._hands[car]:
            self._somebody_ran_out = True

    def _reveal(self) -> None:
        """Turn over all commits together (LC-3.1, LC-5.1), discard them and judge them."""
        values = {}
        redline = False
        for car in self._committing:
            self._spend(car, self._committed[car])
            values[car] = value_of(self._committed[car])
            redline = redline or "R" in cards_of(self._committed[car])
        committing = self._committing
        self._committing = []
        self._committed = {}
        if self._phase == "qualify":
            for value in sorted(set(values.values()), reverse=True):
                self._tied_groups.append([car for car in committing if values[car] == value])
            self._fill_grid()
        else:
            challenger, defender = committing
            self._stop_may_be_called = False
            if self._incidents and redline and values[challenger] == values[defender]:
                self._accident = (challenger, defender)  # LX-3.0; a void R+R too (LC-3.5)
                self._phase = "accident"
                return
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
        self._start_of_last = 1
        self._start_lap()

    # The lap

    def _nearest_ahead_of(self, space: int) -> int | None:
        """Return the nearest car ahead of a space, None when there is none."""
        ahead = [other for other in self._space if self._space[other] > space]
        if not ahead:
            return None
        return min(ahead, key=lambda other: self._space[other])

    def _nearest_ahead(self, car: int) -> int | None:
        """Return the nearest car ahead of a car, None for the leader."""
        return self._nearest_ahead_of(self._space[car])

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
        self._pitted_this_lap = set()
        last = min(self._space, key=lambda car: self._space[car])
        self._start_turn(last)

    def _start_turn(self, car: int) -> None:
        """Start a car's turn; no pass has been made in it."""
        self._turn_car = car
        self._passes = 0
        self._stop_may_be_called = True
        self._drafted = False
        self._go_on()

    def _go_on(self) -> None:
        """Ask the car at its turn for what it must do next.

        Without cards its turn ends, at its start or within it (LC-4.4), and it cannot pit (LX-2.5). After two
        passes it ends (LC-5.4). Directly behind a car it must challenge, before an empty space it must extend
        or discard (LC-4.3); where it may pit instead of challenging (LX-2.0) it says first whether it does.
        """
        car = self._turn_car
        if not self._hands[car] or self._passes == MOST_PASSES:
            self._end_turn()
        elif self._directly_ahead(car) is None:
            self._phase = "road"
        elif self._may_pit(car):
            self._phase = "call"
        else:
            self._challenge()

    def _challenge(self) -> None:
        """Let the car at its turn and the one directly ahead of it commit (LC-5.1)."""
        defender = self._directly_ahead(self._turn_car)
        assert defender is not None
        assert self._hands[self._turn_car] and self._passes < MOST_PASSES, "LC-4.4, LC-5.4"
        assert self._hands[defender], "LC-4.5: a defender always holds a card"
        assert defender not in self._played_this_lap | self._pitted_this_lap, (
            "LC-4.1: nobody ahead of the turn has taken part in this lap"
        )
        self._phase = "challenge"
        self._committing = [self._turn_car, defender]

    def _settle_challenge(self, challenger: int, defender: int, won: bool) -> None:
        """Swap the two and go on if the challenger won, else end its turn (LC-5.2, LC-5.3, LC-5.4)."""
        if won:
            swap = self._space[challenger]
            self._space[challenger] = self._space[defender]
            self._space[defender] = swap
            self._passes += 1
            self._stop_may_be_called = self._pit_timing == "turn"  # LX-2.0: after a pass too
            self._go_on()
        else:
            self._end_turn()

    def _extended(self, car: int, move: str) -> None:
        """Move one space, whatever the number (LC-6.1). The turn is over, but for special drafting (LX-5.1).

        The choice to attack is there after every extend with a 3 (LX-5.2), or after the first of the turn
        alone (option `one_draft`), with a card left and a car directly ahead. That car has not played in this
        lap, so it holds a card, in the last lap too (LC-4.5). An extend comes before the second pass, so a
        pass is always left (LC-5.4).
        """
        self._space[car] += 1
        self._stop_may_be_called = False
        may_attack = self._special_drafting and move == "^3" and not (self._one_draft and self._drafted)
        if may_attack and self._hands[car] and self._directly_ahead(car) is not None:
            self._drafted = True
            self._phase = "draft"
        else:
            self._end_turn()

    def _end_turn(self) -> None:
        """End the turn: the next is the nearest car's ahead of where this one now stands (LC-4.1).

        A car that was passed is behind that and gets no turn in this lap (LC-4.2).
        """
        self._turn_passes_ahead_of(self._space[self._turn_car])

    def _turn_passes_ahead_of(self, space: int) -> None:
        """Give the turn to the nearest car ahead of a space; with none the lap is over (LC-4.1)."""
        following = self._nearest_ahead_of(space)
        if following is None:
            self._end_lap()
        else:
            self._start_turn(following)

    def _end_lap(self) -> None:
        """End the lap (LC-4.1); the race is over if a car has run out (LC-7.1, LC-7.4, LX-3.9)."""
        assert set(self._space) <= self._played_this_lap | self._pitted_this_lap, (
            "LC-4.5: every car plays in every lap but that of its pit stop"
        )
        if self._somebody_ran_out:
            self._phase = "over"
        else:
            self._start_lap()

    # The pit stop

    def _may_pit(self, car: int) -> bool:
        """Return whether a car may pit: after lap 1, once, at the start of its turn (LX-2.0), with a card.

        By the option `pit_timing = turn` after a pass too. In the last lap too (LX-2.5).
        """
        return (
            self._pit_stops
            and self._lap > 1
            and car not in self._pitted
            and self._stop_may_be_called
            and bool(self._hands[car])
        )

    def _enter_pit(self, car: int) -> None:
        """Begin a pit stop: the cards come before the die (LX-2.6)."""
        assert len(self._hands[car]) < self._hand_size, "a card went in qualifying and one in lap 1 (LC-4.5)"
        self._stop_may_be_called = False
        self._pitted.add(car)
        self._pitted_this_lap.add(car)
        self._phase = "pit cards"

    def _draw_in_pit(self, card: str) -> None:
        """Draw a card from the pile (LX-2.1), known to all; a refill goes on to the number dealt (LX-2.6)."""
        car = self._turn_car
        self._pile.remove(card)
        self._hands[car].append(card)
        self._known[car][card] += 1
        if not self._pit_refill or len(self._hands[car]) == self._hand_size:
            self._phase = "pit die"
        else:
            assert self._pile, "LX-2.6: the pile always holds enough"

    def _rejoin(self, lost: int) -> None:
        """Drop back space by space (LX-2.3): a car in a space dropped through moves one space forward.

        The turn passes ahead of where the car stood before the stop (LX-2.4).
        """
        car = self._turn_car
        before = self._space[car]
        for _ in range(lost):
            behind = [other for other in self._space if self._space[other] == self._space[car] - 1]
            for other in behind:
                self._space[other] += 1
            self._space[car] -= 1
        self._turn_passes_ahead_of(before)

    # The incident

    def _settle_accident(self, die: str) -> None:
        """Do what the defender's die says (LX-3.1 to LX-3.4), then let play resume (LX-3.5)."""
        challenger, defender = self._accident
        self._accident = (-1, -1)
        back, front = self._space[challenger], self._space[defender]
        behind = [car for car in self._space if self._space[car] < back]  # at any distance (LX-3.7)
        if die == "1":
            self._retire(challenger)
            self._retire(defender)
            self._close_up(behind, 2)
        elif die == "2":
            self._retire(defender)
            self._close_up([challenger, *behind], 1)  # LX-3.7
        elif die == "3":
            self._retire(challenger)
            self._close_up(behind, 1)
        elif die == "4" and behind:
            self._close_up(behind, 2)
            last = min(self._space[car] for car in behind)
            self._space[defender] = last - 1
            self._space[challenger] = last - 2
        elif die == "5" and behind:
            nearest = max(behind, key=lambda car: self._space[car])
            if self._space[nearest] == back - 1 or not self._off_adjacent:
                self._space[nearest] += 2
                self._space[defender] = self._space[nearest] - 1
                self._space[challenger] = self._space[nearest] - 2

        if len(self._space) < 2:
            self._phase = "over"  # LX-3.6: at once
        elif die in ("3", "6"):
            self._turn_passes_ahead_of(back)  # the defender's turn (LX-3.5, LX-3.8, LC-5.3)
        else:
            self._turn_passes_ahead_of(front)

    def _retire(self, car: int) -> None:
        """Take a car off the road; its hand is set aside (LX-3.6)."""
        del self._space[car]
        self._retired.append(car)

    def _close_up(self, cars: Sequence[int], spaces: int) -> None:
        """Move these cars forward together, which keeps the gaps between them (LX-3.1)."""
        for car in cars:
            self._space[car] += spaces

    # What must always hold

    def _most_laps(self) -> int:
        """Return the most laps a race can have, a card of every car going in each but that of its stop.

        One card of the hand goes in qualifying (LC-3.1). A stop adds its own lap and the cards drawn, which
        are most when the car holds one card (LX-2.2, LX-2.5).
        """
        laps = self._hand_size - 1
        if self._pit_stops:
            laps += 1 + (self._hand_size - 1 if self._pit_refill else 1)
        return laps

    def _check(self) -> None:
        """Assert what must always hold: no card is lost, one car a space, the road's bounds (LC-6.6)."""
        in_hands = sum(len(hand) for hand in self._hands.values())
        assert len(self._deck) + in_hands + len(self._pile) == self._cards_in_all
        for car in range(self._cars):
            assert not self._known[car] - Counter(self._hands[car]), "LX-2.1: what is known is held"
        assert len(set(self._space.values())) == len(self._space)
        if self._lap:
            assert sorted([*self._space, *self._retired]) == list(range(self._cars))
            assert self._lap <= self._most_laps()
        if self._space:
            # The leader moves one space a lap at most; the last falls back in pit stops alone, two at most.
            assert max(self._space.values()) - self._start_of_leader <= self._lap
            assert self._start_of_last - min(self._space.values()) <= 2 * len(self._pitted)
