"""Races in the middle, written as people would: cars from 1, the road from the back to the leader.

>>> race = on_road("1 . 2 3", hands={1: "4 R 12", 2: "3 3", 3: "9"})
>>> race.run("1:x4 2:3 3:9").road
'1 . 2 3'
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from paddock.games.lacorsa.rulebook import TITLE, Options
from paddock.games.lacorsa.rules.race import next_decision
from paddock.games.lacorsa.rules.setup import setup
from paddock.games.lacorsa.words import text
from paddock.kernel import CHANCE

from ..harness import Position, Setup, eyes_of, rng

rules: Any = TITLE.rules

CARDS = ("R", *(str(rank) for rank in range(1, 13)))
PLAYS = (*CARDS, *(f"{rank}+R" for rank in range(1, 13)), "R+R")
WORDS = ("pit", "stay", "attack", "stop")
TAKES = tuple(f"take-{card}" for card in CARDS)
MOVES = (*PLAYS, *(f"x{play}" for play in PLAYS), "^1", "^2", "^3", *WORDS, *TAKES)  # by id
PHASES = (
    "deal", "qualify", "tied", "challenge", "road", "over", "pits", "pit-draw", "pit-die", "incident", "draft"
)  # fmt: skip
EVENTS = (
    ("revealed", "car play number"),
    ("drawn", "car number"),
    ("starts", "car number"),
    ("lap", "number"),
    ("passed", "car car number"),
    ("held", "car car"),
    ("extended", "car card"),
    ("discarded", "car play"),
    ("empty", "car"),
    ("skipped", "car"),
    ("finished", "car number number"),
    ("pitted", "car"),
    ("stayed", "car car"),
    ("drew", "car card"),
    ("rolled", "car number"),
    ("dropped", "car number"),
    ("moved_up", "car"),
    ("accident", "car car"),
    ("retired", "car"),
    ("spun", "car car"),
    ("off", "car car number"),
    ("drafts", "car car"),
    ("stopped", "car car"),
)  # code 1 is the first
SHOWN: dict[str, Callable[[int], str]] = {
    "car": lambda x: str(x + 1),
    "play": PLAYS.__getitem__,
    "card": CARDS.__getitem__,
    "number": str,
}

OUTCOMES = (*CARDS, *(f"car {n}" for n in range(1, 13)), *(f"die {n}" for n in range(1, 7)))  # by id


def kinds(cards: str) -> list[int]:
    """The kinds of cards written with spaces between."""
    return [CARDS.index(card) for card in cards.split()]


class Race(Position):
    """A race in its notation."""

    rules, refusals, text = rules, TITLE.refusals, text
    moves, outcome_names, phases, events, shown = MOVES, OUTCOMES, PHASES, EVENTS, SHOWN

    @property
    def seats(self) -> range:
        return range(1, self.g.cars + 1)

    # What there is

    @property
    def road(self) -> str:
        """Cars and empty spaces, from the back to the leader."""
        order = [str(self.s.order[i] + 1) for i in range(self.s.running)]
        gaps = [" ." * self.s.gap[i] for i in range(self.s.running)]
        return "".join(f"{car}{gap} " for car, gap in zip(order, gaps, strict=True)).strip()

    @property
    def asked(self) -> set[int]:
        """The cars that must decide; 0 is chance."""
        who = rules.who(self.s, self.g)
        if who == 1 << CHANCE:
            return {0}
        assert 0 <= who < 1 << self.g.cars
        return {car for car in range(1, self.g.cars + 1) if who >> (car - 1) & 1}

    @property
    def turn(self) -> int:
        """The car whose turn it is."""
        assert self.phase in ("challenge", "road", *PHASES[6:])
        return int(self.s.order[self.s.turn]) + 1

    def hand(self, car: int) -> str:
        """The cards of a hand, lowest first, the Redlines in front."""
        cards = [CARDS[k] for k in range(13) for _ in range(self.s.hand[car - 1, k])]
        assert len(cards) == self.s.cards[car - 1]
        return " ".join(cards)

    @property
    def discard(self) -> str:
        return " ".join(CARDS[k] for k in range(13) for _ in range(self.s.discard[k]))

    # What may happen

    def legal(self, car: int) -> set[str]:
        """The legal moves of a car."""
        return set(self.legal_moves(car))

    # What follows

    def play(self, car: int, move: str) -> Race:
        """Make one legal move."""
        assert car in self.asked, f"car {car} is not asked: {self.asked}"
        assert move in self.legal(car), f"{move} is not legal: {self.legal(car)}"
        return self.apply(car, MOVES.index(move))

    def run(self, script: str) -> Race:
        """Make moves such as ``1:7 2:5 1:^2``; a ``/`` says that a lap has just begun."""
        for word in script.split():
            if word == "/":
                assert self.told[-1].startswith("lap ") and self.s.turn == self.s.passes == 0, self.told
                continue
            car, _, move = word.partition(":")
            self.play(int(car), move)
        return self

    def check(self) -> None:
        """No card is lost or made, and the small redundant fields agree."""
        s, g = self.s, self.g
        for k in range(13):
            hands = sum(s.hand[car, k] for car in range(g.cars))
            assert s.deck[k] + s.discard[k] + hands == g.deck[k]
        for car in range(g.cars):
            held = [k for k in range(13) if s.hand[car, k]]
            assert all(s.hand[car, k] >= 0 for k in range(13))
            assert s.held[car] == sum(1 << k for k in held)
            assert s.cards[car] == sum(s.hand[car, k] for k in held)
            assert all(0 <= s.known[car, k] <= s.hand[car, k] for k in range(13))
        if s.lap:
            assert sorted(s.order[: s.running]) == [car for car in range(g.cars) if not s.out[car]]
            assert all(gap >= 0 for gap in s.gap) and not any(s.gap[max(s.running - 1, 0) :])

    # What is seen

    def redeal(self, *cars: int, seed: int = 0) -> Race:
        """A copy in which all that the holders of these cars cannot know is dealt again."""
        new = self.hide(*cars)
        rules.redeal(new.s, self.g, eyes_of(cars), rng(seed), [0] * (rules.ACTIONS + 1))
        return new


def new_setup(
    cars: int,
    cards: int,
    deck: list[int],
    *,
    void: bool = False,
    points: tuple[int, ...] = (9, 6, 4, 3, 2, 1),
    pit: bool = False,
    choose: bool = False,
    refill: bool = False,
    late: bool = False,
    incidents: bool = False,
    adjacent: bool = False,
    drafting: bool = False,
    one_draft: bool = False,
    **numbers: int,
) -> Setup:
    g, usual = rules.Setup(), setup(Options.read(numbers))
    for name, _code, shape in g.kernel_layout:
        if not shape:
            setattr(g, name, getattr(usual, name))
    g.cars, g.cards, g.void = cars, cards, int(void)
    g.pit, g.choose, g.refill = int(pit), int(choose), int(refill)
    g.late, g.adjacent, g.one_draft = int(late), int(adjacent), int(one_draft)
    g.incidents, g.drafting = int(incidents), int(drafting)
    for k in range(13):
        g.deck[k] = deck.count(k)
    for place, earned in enumerate(points):
        g.points[place] = earned
    return g


def fresh(**chosen: object) -> Race:
    """A race of these options of the title before its deal."""
    race = Race(rules.State(), setup(Options.read(chosen)))
    race.start()
    return race


def before_deal(deck: str, *, cars: int, cards: int, **options: Any) -> Race:
    """A race whose cards are to be dealt."""
    race = Race(rules.State(), new_setup(cars, cards, kinds(deck), **options))
    race.start()
    return race


def qualifying(hands: Mapping[int, str], *, aside: str = "", **options: Any) -> Race:
    """A race with these hands dealt, all cars about to commit."""
    deck = " ".join([*hands.values(), aside])
    cards = len(hands[1].split())
    race = before_deal(deck, cars=len(hands), cards=cards, **options)
    for car in sorted(hands):
        for card in hands[car].split():
            race.take(card)
    assert race.phase == "qualify"
    return race


def on_road(
    road: str,
    hands: Mapping[int, str],
    *,
    discard: str = "",
    aside: str = "",
    lap: int = 1,
    cards: int = 13,
    turn: int = 0,
    **options: Any,
) -> Race:
    """A race at the beginning of a lap, or at the turn of a car; ``road`` is from the back to the leader."""
    everything = kinds(" ".join([*hands.values(), discard, aside]))
    cars = len(hands)
    race = Race(rules.State(), new_setup(cars, cards, everything, **options))
    race.start()
    s = race.s
    i = -1
    for word in road.split():
        if word == ".":
            s.gap[i] += 1
        else:
            i += 1
            s.order[i] = int(word) - 1
    for k in range(13):
        s.deck[k] = kinds(aside).count(k)
        s.discard[k] = kinds(discard).count(k)
    for car, hand in hands.items():
        for k in kinds(hand):
            s.hand[car - 1, k] += 1
            s.held[car - 1] |= 1 << k
            s.cards[car - 1] += 1
    s.dealt, s.placed, s.lap = cars * cards, cars, lap
    s.last = int("" in hands.values())
    if race.g.pit and lap >= race.g.pit_lap:
        s.stops = (1 << cars) - 1
    if turn:
        s.turn = s.order.index(turn - 1)
    next_decision(s, race.g)
    race.check()
    return race
