"""The slow oracle of The Great Race: a second reading of the rules, written from the clauses alone.

Nothing here is fast or clever. A race is one generator that reads like the rulebook: it stops at every
question and goes on with the answer. Cards and tiles are numbers of their kinds; a hand, the deck and the bag
are lists of them. Ids of moves, outcomes, kinds and stages are those of the engine's ``state``, and the map
comes from its ``Setup``. A test steps this race beside the engine and compares both after every step.
It must never import anything else of the engine.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from paddock.core.words import CHANCE
from paddock.games.great_race.rules.state import (
    ACT,
    ACTIONS,
    ARRIVAL,
    BARON,
    BORIS,
    BUY,
    BUY_CHASSIS,
    BUY_ENGINE,
    CANCEL,
    CARDS,
    CARTOGRAPHER,
    CHASSIS,
    CHASSIS_PARTS,
    CHOOSE_LEADER,
    CITY,
    CLEAR,
    CON_ARTIST,
    COOK,
    COOK_CLEAR,
    COOK_GUARD,
    CUSTOMS,
    CUSTOMS_DISCARD,
    DAMAGE,
    DANGER,
    DEAL,
    DECLINE,
    DISCARD,
    DONE,
    DRAW_CARD,
    DRAW_END,
    DRAW_FIRST,
    DRAW_NUMBER,
    DRAW_TILE,
    DRIVE,
    DRIVER,
    DROP_CARD,
    END,
    ENGINE,
    ENGINE_PARTS,
    FINANCIAL,
    FIRST,
    FUND,
    FUNDING,
    GUARD,
    GUIDE,
    HALT,
    JERRYCAN,
    KATE,
    KEEP,
    LEADER,
    LI,
    MECHANICS,
    MEND,
    MILITIA,
    NOTHING,
    NUMBER,
    OFF,
    PASS,
    PATHFINDER,
    PAY,
    PICK_TILE,
    PLACE_SPACE,
    PLACE_TILE,
    PLAN,
    PLANS_STAGE,
    PLAY,
    RANSOM,
    RANSOM_STAGE,
    REFUELING_STATION,
    REPAIR,
    REPAIRMAN,
    RISK,
    SABOTEUR,
    SCOUT,
    SEAT,
    SECURITY,
    SIPHONER,
    SPACE,
    SPLIT,
    SPOT,
    STEAL,
    STEP,
    STOP_SIGN,
    SUPPLY,
    TAKE,
    TAKE_CARD,
    TARGET,
    THEFT,
    TILE,
    TILE_DRAWN,
    TILES,
    TOOLBOX,
    TOOLBOX_LEVEL,
    TOPOGRAPHER,
    TRACKER,
    TRAIL_HUNTER,
    TRANSPORT,
    VERBS,
    WAYS,
    Setup,
)

DECK = {
    TRAIL_HUNTER: 2,
    SABOTEUR: 3,
    REPAIRMAN: 3,
    MILITIA: 3,
    DRIVER: 3,
    CON_ARTIST: 2,
    CARTOGRAPHER: 3,
    FINANCIAL: 3,
    TRANSPORT: 2,
    JERRYCAN: 8,
    REFUELING_STATION: 2,
    GUIDE: 2,
    ENGINE_PARTS: 6,
    CHASSIS_PARTS: 6,
    TOOLBOX: 2,
    TRACKER: 2,
    RANSOM: 2,
    SIPHONER: 3,
    CUSTOMS: 2,
}
"""The resource deck (GR-1.5); two Topographers join it with the leaders."""

FUNDS = {1: 10, 2: 20, 3: 40, 4: 70, 5: 110, 6: 110}
"""Francs for so many assistants on Funding (GR-6.7)."""

ARRIVALS = {1: 5, 2: 3, 3: 1}
"""Prestige for the first three to arrive (GR-9.3)."""

Flow = Generator[None, tuple[int, int], None]
"""A part of the race. It stops at each question and is sent who answers and the id."""


def plans(assistants: int) -> list[tuple[int, int, int, int]]:
    """Return every way to place so many assistants on the four boxes, in lexicographic order (GR-4.1)."""
    numbers = range(assistants + 1)
    return [
        (a, b, c, assistants - a - b - c)
        for a in numbers
        for b in numbers
        for c in numbers
        if a + b + c <= assistants
    ]


PLANS = plans(5) + plans(6)
"""The plans by the number of their move; six assistants are Li's (GR-11.4)."""


@dataclass
class Car:
    """A half-track with its crew, hand and money (GR-1.2, GR-1.3)."""

    at: int = 0
    petrol: int = 5
    engine: int = 5
    chassis: int = 5
    money: int = 80
    hand: list[int] = field(default_factory=list)
    drawn: list[int] = field(default_factory=list)  # and not kept yet
    crew: dict[int, int] = field(default_factory=dict)  # active assistants by box
    leader: int | None = None
    power_used: bool = False
    passed: bool = False
    place: int = 0  # of arrival; 0 while in the race


@dataclass
class Scene:
    """A moment of a race for hand-made tests: the first to be asked is the first of ``order``."""

    cars: Sequence[Car]
    order: Sequence[int]
    origin: int
    goal: int
    tiles: Mapping[int, int] = field(default_factory=dict)
    deck: Sequence[int] = ()
    discard: Sequence[int] = ()
    bag: Sequence[int] = ()
    removed: Sequence[int] = ()
    round: int = 1
    arrived: int = 0


class Race:
    """One race. Seats are numbered from 0; who is to the left has the next number."""

    def __init__(self, g: Setup, scene: Scene | None = None) -> None:
        """Begin a race, or go on with a scene at the start of a Convoy phase."""
        self._read(g)
        self.seats = list(range(g.players))
        self.cars = [
            Car(petrol=g.gauge_max, engine=g.gauge_max, chassis=g.gauge_max) for _ in range(g.players)
        ]
        self.order: list[int] = []
        self.stack: list[int] = []  # seats by when their progress token last moved, earliest first
        self.origin = OFF
        self.goal = OFF
        self.deck = [kind for kind in range(CARDS) for _ in range(g.deck[kind])]
        self.bag = [kind for kind in range(TILES) for _ in range(g.bag[kind])]
        self.discard: list[int] = []
        self.market: list[int] = []
        self.removed: list[int] = []  # tiles out of the game
        self.drawn_tiles: list[int] = []  # by the present action, and neither placed nor given up
        self.tiles: dict[int, int] = {}  # the tile on each space that has one
        self.card: int | None = None  # the card whose effect is under way (GR-1.8)
        self.round = 0
        self.turn = -1
        self.may_buy = False
        self.steps = 0  # left in the present drive
        self.tried = False  # a step of it was tried
        self.discount = 0  # what Transport cards take off in it
        self.arrived = 0
        self.committed: dict[int, int] = {}

        self.stage = NOTHING
        self.asked: list[int] = []  # CHANCE, or the seats that must decide
        self._legal: Callable[[int], list[int]] = lambda seat: []
        self._weights: dict[int, int] = {}
        self._cards_in_all = len(self.deck)
        self._tiles_in_all = len(self.bag)
        self._flow = self._race()
        if scene is not None:
            self._show(scene)
            self._flow = self._turns_from_convoy()
        self._go_on(None)

    def _read(self, g: Setup) -> None:
        """Read the options and the map."""
        self._g = g
        self.spaces = range(g.spaces)
        self.neighbours = {
            x: [g.beside[x, way] for way in range(WAYS) if g.beside[x, way] != OFF] for x in self.spaces
        }
        self.cities = {x: g.number[x] for x in self.spaces if g.land[x] == CITY}
        self.risky = {x for x in self.spaces if g.land[x] == RISK}
        self.fares: dict[tuple[int, int], int] = {}
        for i in range(g.lanes):
            self.fares[g.lane_from[i], g.lane_to[i]] = g.fare[i]
            self.fares[g.lane_to[i], g.lane_from[i]] = g.fare[i]
        self.tokens = [g.tokens[i] for i in range(g.n_tokens)]
        self.ends = [g.ends[i] for i in range(g.n_ends)]

    def _show(self, scene: Scene) -> None:
        """Set up a scene."""
        self.cars = list(scene.cars)
        self.order = list(scene.order)
        self.stack = list(scene.order)
        self.origin, self.goal = scene.origin, scene.goal
        self.tiles = dict(scene.tiles)
        self.deck, self.discard = list(scene.deck), list(scene.discard)
        self.bag, self.removed = list(scene.bag), list(scene.removed)
        self.round, self.arrived = scene.round, scene.arrived
        self._cards_in_all = len(self._all_cards())
        self._tiles_in_all = len(self._all_tiles())

    # What a comparison looks at, and the steps

    def over(self) -> bool:
        """Return whether the race is over (GR-9.2)."""
        return not self.asked

    def who(self) -> list[int]:
        """Return the seats that must decide now, in order; [CHANCE] where an outcome is due; [] when over."""
        return sorted(self.asked)

    def legal(self, seat: int) -> list[int]:
        """Return the ids of everything that a seat may do now, in order; empty when it is not asked."""
        return sorted(self._legal(seat)) if seat in self.asked and seat != CHANCE else []

    def outcomes(self) -> dict[int, int]:
        """Return the outcomes of the chance that is due, with their weights; empty when none is."""
        return dict(self._weights) if self.asked == [CHANCE] else {}

    def apply(self, by: int, id: int) -> None:
        """Make a move, or let chance fall so. Raises ValueError, and changes nothing, if it cannot be."""
        if id not in (self.outcomes() if by == CHANCE else self.legal(by)):
            raise ValueError(f"not now: {by} {id}")
        self._go_on((by, id))

    def prestige(self, seat: int) -> int:
        """Return a finisher's prestige (GR-9.3); 0 for everybody else (GR-9.6)."""
        car = self.cars[seat]
        if not self.over() or not car.place:
            return 0
        return ARRIVALS.get(car.place, 0) + car.engine + car.chassis + car.money // 50

    def rank(self, seat: int) -> int:
        """Return a finisher's rank from 1 by prestige, ties to the earlier; 0 for others (GR-9.2, GR-9.3)."""
        finishers = [s for s in self.seats if self.cars[s].place]
        finishers.sort(key=lambda s: (-self.prestige(s), self.cars[s].place))
        return finishers.index(seat) + 1 if self.over() and seat in finishers else 0

    def _go_on(self, answer: tuple[int, int] | None) -> None:
        """Run to the next question, or to the end."""
        try:
            if answer is None:
                next(self._flow)
            else:
                self._flow.send(answer)
        except StopIteration:
            self.stage, self.asked = NOTHING, []
        self._check()

    def _all_cards(self) -> list[int]:
        """Return every card, wherever it is."""
        cards = self.deck + self.discard + self.market + ([] if self.card is None else [self.card])
        for car in self.cars:
            cards = cards + car.hand + car.drawn
        return cards

    def _all_tiles(self) -> list[int]:
        """Return every tile, wherever it is."""
        return self.bag + self.removed + self.drawn_tiles + list(self.tiles.values())

    def _check(self) -> None:
        """Assert what must always hold."""
        assert len(self._all_cards()) == self._cards_in_all
        assert len(self._all_tiles()) == self._tiles_in_all
        assert not set(self.tiles) & set(self.cities), "GR-6.1: never on a city"
        for seat, car in enumerate(self.cars):
            for level in (car.petrol, car.engine, car.chassis):
                assert 0 <= level <= self._top(seat), "GR-1.2"
            assert car.money >= 0
            if self.round and not car.place:
                assert car.at in self.tiles or car.at in self.cities
        for seat in self.asked:
            if seat != CHANCE:
                moves = self.legal(seat)
                assert moves and len(set(moves)) == len(moves) and 0 <= moves[0] <= moves[-1] < ACTIONS
                assert not self.cars[seat].place, "GR-9.1"

    # Asking

    def _chance(self, stage: int, weights: Mapping[int, int]) -> Generator[None, tuple[int, int], int]:
        """Let chance decide; return the outcome."""
        self.stage, self.asked, self._weights = stage, [CHANCE], dict(weights)
        _, outcome = yield
        return outcome

    def _ask(
        self,
        seat: int,
        stage: int,
        moves: Callable[[], Iterable[int]],
        still: Callable[[], bool] = lambda: True,
    ) -> Generator[None, tuple[int, int], int | None]:
        """Ask a seat, as long as ``still`` says so; return the move, None where nothing is or remains asked.

        A Jerrycan may be played at every question, and then the question stands again (GR-5.12).
        """
        car = self.cars[seat]

        def legal(_: int) -> list[int]:
            can = PLAY + JERRYCAN
            return [*moves(), *([can] if JERRYCAN in car.hand and car.petrol < self._top(seat) else [])]

        while still():
            self.stage, self.asked, self._legal = stage, [seat], legal
            _, move = yield
            if move != PLAY + JERRYCAN:
                return move
            self._throw(seat, JERRYCAN)
            car.petrol += 1
            if seat == self.turn:
                self.may_buy = False  # GR-5.11
        return None

    # Small words

    def _top(self, seat: int) -> int:
        """Return the maximum of a car's gauges (GR-1.2); Boris has one more (GR-11.2)."""
        return self._g.gauge_max + (1 if self.cars[seat].leader == BORIS else 0)

    def _in_race(self, seat: int) -> bool:
        """Return whether a seat has not finished (GR-9.1)."""
        return self.cars[seat].place == 0

    def _opponents(self, seat: int) -> list[int]:
        """Return the opponents in the race, in turn order from the one after the seat (GR-10.22)."""
        here = self.order.index(seat)
        return [other for other in self.order[here + 1 :] + self.order[:here] if self._in_race(other)]

    def _vehicles(self) -> set[int]:
        """Return the spaces with a vehicle in the race."""
        return {self.cars[seat].at for seat in self.seats if self._in_race(seat)}

    def _free_tiles(self) -> list[int]:
        """Return the spaces of tiles without a vehicle (GR-10.1)."""
        vehicles = self._vehicles()
        return [x for x in self.tiles if x not in vehicles]

    def _connected(self, seat: int) -> set[int]:
        """Return the spaces connected to the vehicle over tiles and cities, its own included (GR-6.9)."""
        found = {self.cars[seat].at}
        look_at = list(found)
        while look_at:
            x = look_at.pop()
            beside = list(self.neighbours[x])
            if self._g.lanes_connect:  # GR-6.1
                beside += [to for start, to in self.fares if start == x]
            for y in beside:
                if (y in self.tiles or y in self.cities) and y not in found:
                    found.add(y)
                    look_at.append(y)
        return found

    def _places(self, seat: int) -> list[int]:
        """Return the free land spaces where a tile may be placed (GR-6.1)."""
        connected = self._connected(seat)
        return [
            x
            for x in self.spaces
            if x not in self.tiles and x not in self.cities and connected & set(self.neighbours[x])
        ]

    def _clearable(self, seat: int) -> list[int]:
        """Return the connected tiles without a vehicle (GR-6.6)."""
        connected = self._connected(seat)
        return [x for x in self._free_tiles() if x in connected]

    def _progress(self, seat: int) -> int:
        """Return the columns from the start (GR-1.11)."""
        return abs(self._g.column[self.cars[seat].at] - self._g.column[self.origin])

    def _price(self, seat: int) -> int:
        """Return the price of a level of engine or chassis (GR-6.3)."""
        return 20 if self.cars[seat].at in self.cities else 40

    def _throw(self, seat: int, card: int) -> None:
        """Put a card from the hand onto the discard pile."""
        self.cars[seat].hand.remove(card)
        self.discard.append(card)

    def _guards(self, seat: int) -> int:
        """Return how many guards a seat has: assistants on Security and Cook's own (GR-6.5, GR-11.1)."""
        car = self.cars[seat]
        return car.crew.get(SECURITY, 0) + (1 if car.leader == COOK and not car.power_used else 0)

    def _avoiding(self, seat: int) -> list[int]:
        """Return the ways in which a seat can avoid a danger now (GR-6.5, GR-10.5, GR-11.1)."""
        car = self.cars[seat]
        return [
            *([GUARD] if car.crew.get(SECURITY, 0) else []),
            *([COOK_GUARD] if car.leader == COOK and not car.power_used else []),
            *([PLAY + MILITIA] if MILITIA in car.hand else []),
        ]

    def _avoid(self, seat: int, move: int) -> None:
        """Use one of these ways."""
        if move == GUARD:
            self.cars[seat].crew[SECURITY] -= 1
        elif move == COOK_GUARD:
            self.cars[seat].power_used = True
        else:
            assert move == PLAY + MILITIA
            self._throw(seat, MILITIA)

    def _hand_limit(self, seat: int) -> Flow:
        """GR-3.2 whoever holds more cards than chassis levels discards down to them."""
        car = self.cars[seat]
        while len(car.hand) > car.chassis:
            move = yield from self._ask(
                seat,
                DISCARD,
                lambda: {DROP_CARD + card for card in car.hand},
                lambda: len(car.hand) > car.chassis,
            )
            if move is not None:
                self._throw(seat, move - DROP_CARD)

    # Cards and tiles that are drawn

    def _draw(self, stage: int, into: list[int]) -> Flow:
        """Draw a card, unless there is none: an empty deck is the discard pile, shuffled (GR-1.5, GR-1.8)."""
        if not self.deck:
            self.deck, self.discard = self.discard, []
        if self.deck:
            card = yield from self._chance(stage, Counter(self.deck))
            self.deck.remove(card)
            into.append(card)

    def _keep(self, seat: int, number: int) -> Flow:
        """Keep so many of the cards drawn; the others go to the discard pile (GR-10.29, GR-11.8)."""
        car = self.cars[seat]
        while len(car.drawn) > number:
            move = yield from self._ask(seat, KEEP, lambda: {DROP_CARD + card for card in car.drawn})
            assert move is not None
            car.drawn.remove(move - DROP_CARD)
            self.discard.append(move - DROP_CARD)
        car.hand += car.drawn
        car.drawn = []

    def _there_is_a_tile(self) -> bool:
        """Return whether a tile can be drawn (GR-1.9)."""
        return bool(self.bag or self.removed)

    def _draw_tile(self) -> Generator[None, tuple[int, int], int]:
        """Draw a tile; into an empty bag go the tiles that left the game (GR-1.6)."""
        if not self.bag:
            self.bag, self.removed = self.removed, []
        outcome = yield from self._chance(
            DRAW_TILE, {TILE_DRAWN + kind: n for kind, n in Counter(self.bag).items()}
        )
        self.bag.remove(outcome - TILE_DRAWN)
        return outcome - TILE_DRAWN

    # GR-1 Set-up, GR-11 leaders

    def _race(self) -> Flow:
        """The whole race (GR-2.1)."""
        yield from self._lots()
        if self._g.leaders:
            for seat in self.order:
                yield from self._choose_leader(seat)
        self.round = 1
        yield from self._bivouac()
        yield from self._planning()
        yield from self._turns_from_convoy()

    def _turns_from_convoy(self) -> Flow:
        """The rest of the race, from the start of a Convoy phase (GR-2.1)."""
        while True:
            yield from self._convoy()
            if self.arrived or self.round == self._g.max_turns:  # GR-9.2, GR-9.4
                return
            self._maintenance()
            yield from self._bivouac()
            yield from self._planning()

    def _lots(self) -> Flow:
        """The first player (GR-1.4), the ends of the race (GR-1.7), the numbers of cities (GR-1.12)."""
        first = yield from self._chance(DRAW_FIRST, {FIRST + seat: 1 for seat in self.seats})
        self.order = [(first - FIRST + i) % len(self.seats) for i in self.seats]
        self.stack = list(self.order)
        self.cars[self.order[-1]].money = 70  # GR-1.3
        if self._g.opening_bonus:
            self._pay_order()  # GR-8.4
        self.origin, self.goal = self._g.origin, self._g.goal
        middle = OFF
        if self.ends:
            end = 0
            if len(self.ends) > 1:
                outcome = yield from self._chance(DRAW_END, {END + i: 1 for i in range(len(self.ends))})
                end = outcome - END
            middle = self.ends[end]
            if self.goal == OFF:
                self.goal = middle
            else:
                self.origin = middle
            self.cities[middle] = 1
        for car in self.cars:
            car.at = self.origin
        sides = [1, 1, 2, 2]
        for city in self.tokens:
            if city != middle:
                weights = {NUMBER + n: sides.count(n) for n in set(sides)}
                outcome = yield from self._chance(DRAW_NUMBER, weights)
                self.cities[city] = outcome - NUMBER
                sides.remove(outcome - NUMBER)

    def _choose_leader(self, seat: int) -> Flow:
        """GR-11 in turn order each player chooses a leader; no Jerrycan is played then (GR-4.2)."""
        taken = [car.leader for car in self.cars]
        free = [LEADER + leader for leader in range(5) if leader not in taken]
        self.turn = seat
        self.stage, self.asked, self._legal = CHOOSE_LEADER, [seat], lambda _: free
        _, move = yield
        car = self.cars[seat]
        car.leader = move - LEADER
        if car.leader == BORIS:
            car.petrol = car.engine = car.chassis = self._top(seat)

    # GR-3 Bivouac, GR-4 Planning, GR-8 Maintenance

    def _bivouac(self) -> Flow:
        """GR-3.1 players + 1 cards; one each in reverse turn order, what is left for the last player."""
        for _ in range(len(self.seats) + 1):
            yield from self._draw(DEAL, self.market)
        for seat in reversed(self.order):
            if self.market:
                self.turn = seat
                move = yield from self._ask(seat, TAKE, lambda: {TAKE_CARD + card for card in self.market})
                assert move is not None
                self.market.remove(move - TAKE_CARD)
                self.cars[seat].hand.append(move - TAKE_CARD)
                yield from self._hand_limit(seat)
        last = self.order[-1]
        assert len(self.market) <= 1
        self.cars[last].hand += self.market
        self.market = []
        yield from self._hand_limit(last)

    def _planning(self) -> Flow:
        """GR-4.1 all place their assistants at once and in secret."""

        def legal(seat: int) -> list[int]:
            six = self.cars[seat].leader == LI and self.round % 2 == 1  # GR-11.4
            return [PLAN + i for i, plan in enumerate(PLANS) if sum(plan) == (6 if six else 5)]

        self.committed = {}
        while len(self.committed) < len(self.seats):
            waiting = [seat for seat in self.seats if seat not in self.committed]
            self.stage, self.asked, self._legal = PLANS_STAGE, waiting, legal
            seat, move = yield
            self.committed[seat] = move - PLAN
        for seat, plan in self.committed.items():
            self.cars[seat].crew = dict(enumerate(PLANS[plan]))
            self.cars[seat].passed = False
        self.committed = {}

    def _maintenance(self) -> None:
        """GR-8.1, GR-8.2 the new turn order and its bonuses. Powers can be used again (GR-11.6)."""
        self.order = sorted(self.seats, key=lambda seat: (-self._progress(seat), self.stack.index(seat)))
        self._pay_order()
        for car in self.cars:
            car.crew = {}
            car.passed = False
            car.power_used = False
        self.round += 1

    def _pay_order(self) -> None:
        """GR-8.2 the first in the turn order gets 20 F, the second of three or more 10 F."""
        self.cars[self.order[0]].money += 20
        if len(self.seats) > 2:
            self.cars[self.order[1]].money += 10

    # GR-5 Convoy

    def _takes_part(self, seat: int) -> bool:
        """Return whether a seat is asked for a sequence (GR-5.1, GR-5.7, GR-11.10)."""
        car = self.cars[seat]
        return not car.place and not car.passed and sum(car.crew.values()) > 0

    def _convoy(self) -> Flow:
        """GR-5.1 round after round in turn order, until everyone has passed or has no assistant left."""
        while any(self._takes_part(seat) for seat in self.order):
            for seat in self.order:
                if self._takes_part(seat):
                    yield from self._sequence(seat)

    def _sequence(self, seat: int) -> Flow:
        """One sequence: petrol, cards, then an assistant or a pass (GR-5.1). It may end without (GR-5.8)."""
        car = self.cars[seat]
        self.turn = seat
        self.may_buy = True
        while self._takes_part(seat):
            move = yield from self._ask(seat, ACT, lambda: self._acts(seat))
            assert move is not None
            if BUY < move < VERBS:
                levels = move - BUY
                car.petrol += levels
                car.money -= levels * self._price_of_petrol(seat)
                self.may_buy = False  # GR-5.14
            elif PLAY <= move < TAKE_CARD:
                self.may_buy = False  # GR-5.11
                yield from self._play(seat, move - PLAY)
            elif move == STEAL:
                self.may_buy = False
                yield from self._steal(seat)
            elif move == PASS:  # GR-5.4
                car.passed = True
                car.crew = {SECURITY: car.crew.get(SECURITY, 0)}
                return
            else:
                yield from self._assistant(seat, move)
                return  # GR-5.5

    def _price_of_petrol(self, seat: int) -> int:
        """Return the price of a level of petrol (GR-5.2)."""
        return 10 if self.cars[seat].at in self.cities else 20

    def _acts(self, seat: int) -> list[int]:
        """Return what a seat may do in its sequence, but for a Jerrycan."""
        car = self.cars[seat]
        moves = [PASS]
        if self.may_buy:
            levels = min(self._top(seat) - car.petrol, car.money // self._price_of_petrol(seat))
            moves += [BUY + k for k in range(1, levels + 1)]
        moves += [PLAY + card for card in set(car.hand) if self._playable(seat, card)]
        if car.leader == KATE and not car.power_used and self._targets(seat, None):
            moves.append(STEAL)
        if car.crew.get(PATHFINDER, 0):
            if self._can_scout(seat):
                moves.append(SCOUT)
            if self.deck or self.discard:
                moves.append(SUPPLY)
        if car.crew.get(MECHANICS, 0):
            if self._can_repair(seat):
                moves.append(REPAIR)
            if self._can_drive(seat):
                moves.append(DRIVE)
        if self._clearable(seat):
            if car.crew.get(SECURITY, 0):
                moves.append(CLEAR)
            if car.leader == COOK and not car.power_used:
                moves.append(COOK_CLEAR)
        if car.crew.get(FUNDING, 0):
            moves.append(FUND)
        return moves

    def _assistant(self, seat: int, move: int) -> Flow:
        """GR-5.6 the use of an assistant, or of the group on Funding."""
        car = self.cars[seat]
        if move in (SCOUT, SUPPLY):
            car.crew[PATHFINDER] -= 1
        elif move in (REPAIR, DRIVE):
            car.crew[MECHANICS] -= 1
        elif move == CLEAR:
            car.crew[SECURITY] -= 1
        elif move == COOK_CLEAR:
            car.power_used = True  # GR-11.10: it costs no assistant
        if move == SCOUT:
            yield from self._scout(seat, 2)
        elif move == SUPPLY:  # GR-6.2
            yield from self._draw(DRAW_CARD, car.hand)
            yield from self._hand_limit(seat)
        elif move == REPAIR:
            yield from self._repair(seat)
        elif move == DRIVE:
            yield from self._drive(seat)
        elif move == FUND:  # GR-6.7
            car.money += FUNDS[car.crew[FUNDING]]
            car.crew[FUNDING] = 0
        else:  # GR-6.6
            spot = yield from self._ask(seat, SPOT, lambda: [SPACE + x for x in self._clearable(seat)])
            assert spot is not None
            self.removed.append(self.tiles.pop(spot - SPACE))

    # GR-6 Scouting and repair

    def _can_scout(self, seat: int) -> bool:
        """Return whether scouting changes anything (GR-5.10)."""
        return self._there_is_a_tile() and bool(self._places(seat))

    def _scout(self, seat: int, number: int, pick: int | None = None) -> Flow:
        """GR-6.1, GR-6.8 draw tiles, then place all, or those that are picked (GR-10.19)."""
        for _ in range(number):
            if self._there_is_a_tile():
                tile = yield from self._draw_tile()
                self.drawn_tiles.append(tile)
        picked: list[int] = []
        rest = list(self.drawn_tiles)
        if pick is None or len(rest) <= pick:
            picked, rest = rest, []
        while rest and pick is not None and len(picked) < pick:
            move = yield from self._ask(seat, PICK_TILE, lambda: {TILE + tile for tile in rest})
            assert move is not None
            rest.remove(move - TILE)
            picked.append(move - TILE)
        self.removed += rest
        self.drawn_tiles = picked
        while self.drawn_tiles and self._places(seat):
            tile = self.drawn_tiles[0]
            if len(set(self.drawn_tiles)) > 1:
                move = yield from self._ask(
                    seat, PLACE_TILE, lambda: {TILE + tile for tile in self.drawn_tiles}
                )
                assert move is not None
                tile = move - TILE
            move = yield from self._ask(seat, PLACE_SPACE, lambda: [SPACE + x for x in self._places(seat)])
            assert move is not None
            self.drawn_tiles.remove(tile)
            self.tiles[move - SPACE] = tile
        self.bag += self.drawn_tiles
        self.drawn_tiles = []

    def _parts(self, seat: int) -> list[int]:
        """Return the ways to raise a level in a repair (GR-6.3)."""
        car = self.cars[seat]
        moves = []
        for level, part, bought in (
            (car.engine, ENGINE_PARTS, BUY_ENGINE),
            (car.chassis, CHASSIS_PARTS, BUY_CHASSIS),
        ):
            if level < self._top(seat):
                moves += [PLAY + card for card in (part, TOOLBOX) if card in car.hand]
                moves += [bought] if car.money >= self._price(seat) else []
        return list(set(moves))

    def _can_repair(self, seat: int) -> bool:
        """Return whether a repair can raise a level (GR-5.10)."""
        return bool(self._parts(seat))

    def _repair(self, seat: int) -> Flow:
        """GR-6.3, GR-6.10 any number of parts, at least one level."""
        car = self.cars[seat]
        raised = False

        def moves() -> list[int]:
            return self._parts(seat) + ([DONE] if raised else [])

        while car.engine < self._top(seat) or car.chassis < self._top(seat):
            move = yield from self._ask(seat, MEND, moves)
            raised = True
            if move == DONE:
                return
            if move == PLAY + TOOLBOX:
                self._throw(seat, TOOLBOX)
                yield from self._toolbox(seat)
            elif move in (PLAY + ENGINE_PARTS, BUY_ENGINE):
                car.engine += 1
            else:
                assert move in (PLAY + CHASSIS_PARTS, BUY_CHASSIS)
                car.chassis += 1
            if move in (BUY_ENGINE, BUY_CHASSIS):
                car.money -= self._price(seat)
            elif move != PLAY + TOOLBOX:
                assert move is not None
                self._throw(seat, move - PLAY)

    def _toolbox(self, seat: int) -> Flow:
        """GR-6.10 three levels one by one, as long as there is room."""
        for _ in range(3):
            yield from self._choose_gauge(seat, TOOLBOX_LEVEL, +1)

    def _choose_gauge(self, seat: int, stage: int, change: int) -> Flow:
        """Change engine or chassis by one; asked only where both can take it."""
        car = self.cars[seat]
        fits = {
            ENGINE: 0 <= car.engine + change <= self._top(seat),
            CHASSIS: 0 <= car.chassis + change <= self._top(seat),
        }
        gauges = [gauge for gauge in fits if fits[gauge]]
        if not gauges:
            return
        gauge: int | None = gauges[0]
        if len(gauges) == 2:
            gauge = yield from self._ask(seat, stage, lambda: gauges)
        if gauge == ENGINE:
            car.engine += change
        else:
            car.chassis += change

    # GR-7 Driving

    def _can_drive(self, seat: int) -> bool:
        """Return whether a drive can be begun (GR-5.10): engine, petrol, and a step that can be tried."""
        return self.cars[seat].engine > 0 and bool(self._first_steps(seat, 0))

    def _on_foot(self, seat: int) -> list[int]:
        """Return the adjacent spaces onto which a step can be tried (GR-7.4, GR-7.5, GR-7.8)."""
        car = self.cars[seat]
        spaces = []
        for x in self.neighbours[car.at]:
            if x in self.tiles:
                avoided = bool(self._avoiding(seat))
                if self._payable(seat, x, avoided):
                    spaces.append(x)
            elif car.petrol >= 1 and (x in self.cities or self._there_is_a_tile()):
                spaces.append(x)
        return spaces

    def _payable(self, seat: int, x: int, avoided: bool) -> bool:
        """Return whether the whole cost of the tile there can be paid (GR-7.4)."""
        car = self.cars[seat]
        petrol, damage = self._cost(x, avoided)
        return car.petrol >= petrol and car.engine + car.chassis >= damage

    def _cost(self, x: int, avoided: bool) -> tuple[int, int]:
        """Return petrol and damage of the tile there (GR-7.2, GR-7.3, GR-7.7)."""
        tile = self.tiles[x]
        petrol = self._g.tile_petrol[tile] + (1 if x in self.risky else 0)
        damage = self._g.tile_damage[tile] + (2 if self._g.tile_danger[tile] and not avoided else 0)
        return petrol, damage

    def _first_steps(self, seat: int, discount: int) -> list[int]:
        """Return the ids of the first step of a drive: on foot, by lane (GR-7.9), and Transport cards."""
        car = self.cars[seat]
        moves = []
        if discount == 0:
            moves += [SPACE + x for x in self._on_foot(seat)]
        if car.petrol >= 1:
            lanes = {to: fare for (start, to), fare in self.fares.items() if start == car.at}
            moves += [SPACE + to for to, fare in lanes.items() if max(0, fare - discount) <= car.money]
            transports = car.hand.count(TRANSPORT)
            if transports and any(
                fare > discount and fare - discount - 50 * transports <= car.money for fare in lanes.values()
            ):
                moves.append(PLAY + TRANSPORT)
        return moves

    def _drive(self, seat: int) -> Flow:
        """GR-7.1 a drive. It ends by a halt, by a step that ends it, or when no steps are left (GR-7.17)."""
        car = self.cars[seat]
        self.steps = car.engine
        self.tried = False
        self.discount = 0

        def moves() -> list[int]:
            if self.tried:
                return [HALT, *(SPACE + x for x in self._on_foot(seat))]
            return self._first_steps(seat, self.discount)

        while self.steps > 0:
            move = yield from self._ask(seat, STEP, moves)
            if move == HALT:
                return
            if move == PLAY + TRANSPORT:
                self._throw(seat, TRANSPORT)
                self.discount += 50
                continue
            assert move is not None
            self.steps -= 1
            self.tried = True
            x = move - SPACE
            if x in self.cities:
                if x not in self.neighbours[car.at]:
                    car.money -= max(0, self.fares[car.at, x] - self.discount)
                yield from self._enter_city(seat, x)
                return
            drives_on = yield from self._enter_land(seat, x)
            if not drives_on:
                return

    def _move_to(self, seat: int, x: int) -> None:
        """GR-7.11 the vehicle moves; a token that arrives at another progress value goes on top (GR-7.14)."""
        before = self._progress(seat)
        self.cars[seat].at = x
        if self._progress(seat) != before:
            self.stack.remove(seat)
            self.stack.append(seat)

    def _enter_city(self, seat: int, x: int) -> Flow:
        """GR-7.8, GR-7.16 a city: 1 petrol and its cards; the destination ends the race of this car."""
        car = self.cars[seat]
        car.petrol -= 1
        self._move_to(seat, x)
        if x == self.goal:  # GR-9.1
            self.arrived += 1
            car.place = self.arrived
            self.discard += car.hand
            car.hand = []
            car.crew = {}
            car.passed = True
            return
        number = self.cities[x]
        if car.leader == BARON:  # GR-11.3
            for _ in range(3):
                yield from self._draw(DRAW_CARD, car.drawn)
            yield from self._keep(seat, number)
        else:
            for _ in range(number):
                yield from self._draw(DRAW_CARD, car.hand)
        yield from self._hand_limit(seat)

    def _enter_land(self, seat: int, x: int) -> Generator[None, tuple[int, int], bool]:
        """GR-7.12 enter a space with a tile, or unknown land; return whether the drive goes on."""
        car = self.cars[seat]
        known = x in self.tiles
        if not known:
            self.tiles[x] = yield from self._draw_tile()
        danger = self._g.tile_danger[self.tiles[x]] == 1
        if known:
            reaction = None
            if danger:
                reaction = yield from self._ask(
                    seat,
                    DANGER,
                    lambda: self._avoiding(seat) + ([DECLINE] if self._payable(seat, x, False) else []),
                    lambda: self._guards(seat) > 0 or bool(car.hand),
                )
        else:  # GR-7.5, GR-7.18
            reaction = yield from self._ask(
                seat,
                ARRIVAL,
                lambda: [
                    DECLINE,
                    *(self._avoiding(seat) if danger and self._payable(seat, x, True) else []),
                ],
                lambda: (
                    (car.petrol < self._top(seat) and bool(car.hand))
                    or self._guards(seat) > 0
                    or (danger and bool(car.hand))
                ),
            )
        avoided = reaction not in (None, DECLINE)
        if reaction is not None and avoided:
            self._avoid(seat, reaction)
        if not self._payable(seat, x, avoided):
            assert not known, "GR-7.4"
            return False
        petrol, damage = self._cost(x, avoided)
        car.petrol -= petrol
        for _ in range(damage):  # GR-7.20
            yield from self._choose_gauge(seat, DAMAGE, -1)
        self._move_to(seat, x)
        yield from self._hand_limit(seat)
        if car.engine == 0:  # GR-7.10
            return False
        if self._g.tile_stop[self.tiles[x]]:  # GR-7.6, GR-7.19
            move = yield from self._ask(
                seat,
                STOP_SIGN,
                lambda: [
                    DECLINE,
                    *([PLAY + GUIDE] if GUIDE in car.hand and self._on_foot(seat) else []),
                ],
                lambda: self.steps > 0 and bool(car.hand),
            )
            if move != PLAY + GUIDE:
                return False
            self._throw(seat, GUIDE)
        return True

    # GR-10 Resource cards

    def _targets(self, seat: int, card: int | None) -> list[int]:
        """Return the opponents who have something to lose to a card (GR-5.13); None is Kate (GR-11.7)."""

        def loses(other: Car) -> bool:
            if card == SABOTEUR:
                return other.engine + other.chassis > 0
            if card == RANSOM:
                return other.money > 0
            if card == SIPHONER:
                return other.petrol > 0
            return bool(other.hand)

        return [other for other in self._opponents(seat) if loses(self.cars[other])]

    def _playable(self, seat: int, card: int) -> bool:
        """Return whether a card of the hand may be played in the sequence (GR-5.10, GR-5.13, GR-10.24)."""
        if card == TRAIL_HUNTER:
            return len(self._free_tiles()) >= 1
        if card == CON_ARTIST:
            return len(self._free_tiles()) >= 2
        if card in (SABOTEUR, RANSOM, SIPHONER, CUSTOMS):
            return bool(self._targets(seat, card))
        if card == REPAIRMAN:
            return self._can_repair(seat)
        if card == DRIVER:
            return self._can_drive(seat)
        if card in (CARTOGRAPHER, TOPOGRAPHER):
            return self._can_scout(seat)
        if card == REFUELING_STATION:
            return self.cars[seat].petrol < self._top(seat)
        if card == TRACKER:
            return bool(self.deck or self.discard)
        return card == FINANCIAL

    def _play(self, seat: int, card: int) -> Flow:
        """GR-5.3 play a card of the Convoy kind; it reaches the discard pile after its effect (GR-1.8)."""
        car = self.cars[seat]
        car.hand.remove(card)
        self.card = card
        if card == FINANCIAL:  # GR-10.8
            car.money += 30
        elif card == REFUELING_STATION:  # GR-10.11
            car.petrol = min(car.petrol + 5, self._top(seat))
        elif card == REPAIRMAN:
            yield from self._repair(seat)
        elif card == DRIVER:
            yield from self._drive(seat)
        elif card == CARTOGRAPHER:
            yield from self._scout(seat, 3)
        elif card == TOPOGRAPHER:
            yield from self._scout(seat, 4, pick=2)
        elif card == TRACKER:  # GR-10.15
            for _ in range(3):
                yield from self._draw(DRAW_CARD, car.drawn)
            yield from self._keep(seat, 2)
        elif card in (TRAIL_HUNTER, CON_ARTIST):
            yield from self._play_on_tiles(seat, card)
        else:
            yield from self._play_on_seat(seat, card)
        self.card = None
        self.discard.append(card)
        yield from self._hand_limit(seat)

    def _play_on_tiles(self, seat: int, card: int) -> Flow:
        """GR-10.1, GR-10.6 two tiles leave the game, or change places."""
        spots: list[int] = []
        while len(spots) < min(2, len(self._free_tiles())):
            move = yield from self._ask(
                seat, SPOT, lambda: [SPACE + x for x in self._free_tiles() if x not in spots]
            )
            assert move is not None
            spots.append(move - SPACE)
        cancelled = yield from self._is_cancelled(self._opponents(seat))
        if cancelled:
            return
        if card == TRAIL_HUNTER:
            self.removed += [self.tiles.pop(x) for x in spots]
        else:
            a, b = spots
            self.tiles[a], self.tiles[b] = self.tiles[b], self.tiles[a]

    def _is_cancelled(self, seats: Iterable[int]) -> Generator[None, tuple[int, int], bool]:
        """GR-10.20 to GR-10.22 ask one after another who cancels a danger card, on public facts only."""
        for seat in seats:
            move = yield from self._cancel(seat)
            if move is not None and move != DECLINE:
                self._avoid(seat, move)
                return True
        return False

    def _cancel(self, seat: int) -> Generator[None, tuple[int, int], int | None]:
        """Ask one seat whether it cancels a danger card."""
        move = yield from self._ask(
            seat,
            CANCEL,
            lambda: [DECLINE, *self._avoiding(seat)],
            lambda: self._guards(seat) > 0 or bool(self.cars[seat].hand),
        )
        return move

    def _play_on_seat(self, seat: int, card: int) -> Flow:
        """GR-10.2, GR-10.16 to GR-10.18 a card against an opponent."""
        move = yield from self._ask(seat, TARGET, lambda: [SEAT + t for t in self._targets(seat, card)])
        assert move is not None
        target = move - SEAT
        car = self.cars[target]
        split = {ENGINE: 0, CHASSIS: 0}
        if card == SABOTEUR:  # GR-10.27
            for _ in range(min(2, car.engine + car.chassis)):
                gauges = []
                if car.engine > split[ENGINE]:
                    gauges.append(ENGINE)
                if car.chassis > split[CHASSIS]:
                    gauges.append(CHASSIS)
                gauge: int | None = gauges[0]
                if len(gauges) == 2:
                    gauge = yield from self._ask(seat, SPLIT, lambda: [ENGINE, CHASSIS])
                assert gauge is not None
                split[gauge] += 1
        if card != CUSTOMS or self._g.customs_danger:
            cancelled = yield from self._is_cancelled([target])
            if cancelled:
                return
        if card == SABOTEUR:
            car.engine -= split[ENGINE]
            car.chassis -= split[CHASSIS]
            yield from self._hand_limit(target)  # GR-10.26
        elif card == RANSOM:
            car.money -= min(20, car.money)
        elif card == SIPHONER:
            car.petrol -= min(self._g.siphon, car.petrol)
        else:  # GR-10.28
            for _ in range(2):
                move = yield from self._ask(
                    target, CUSTOMS_DISCARD, lambda: {DROP_CARD + c for c in car.hand}, lambda: bool(car.hand)
                )
                if move is not None:
                    self._throw(target, move - DROP_CARD)

    def _steal(self, seat: int) -> Flow:
        """GR-11.5, GR-11.7, GR-11.9 Kate takes a card by lot, unless her victim pays 20 F."""
        kate = self.cars[seat]
        kate.power_used = True
        move = yield from self._ask(seat, TARGET, lambda: [SEAT + t for t in self._targets(seat, None)])
        assert move is not None
        target = move - SEAT
        victim = self.cars[target]
        if victim.money >= 20:
            answer = yield from self._ask(
                target, RANSOM_STAGE, lambda: [PAY, DECLINE], lambda: bool(victim.hand)
            )
            if answer == PAY:
                victim.money -= 20
                kate.money += 20
                return
        if victim.hand:
            stolen = yield from self._chance(THEFT, Counter(victim.hand))
            victim.hand.remove(stolen)
            kate.hand.append(stolen)
        yield from self._hand_limit(seat)
