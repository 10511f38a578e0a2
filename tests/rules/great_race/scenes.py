"""Races in the middle, written as people would: players from 1, spaces as ``AA`` or ``2b``, cards by name.

>>> race = scene("AA .. BB", crews={1: "0-1-0-0"}, bag="2*track")
>>> race.run("1:drive, 1:1a, 0:track, 1:BB").told[-1]
'ended 2 0 0'
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from paddock.games.great_race.rulebook import TITLE, Options
from paddock.games.great_race.rules import state
from paddock.games.great_race.rules.invariants import INVARIANTS, broken
from paddock.games.great_race.rules.resources import ALL
from paddock.games.great_race.rules.setup import setup
from paddock.games.great_race.words import names as words
from paddock.games.great_race.words import notation
from paddock.kernel import CHANCE, PUBLIC

from ..harness import Position, eyes_of

rules: Any = TITLE.rules

PHASES = ("lots", "leaders", "bivouac", "planning", "convoy", "over")
STAGES = (
    "first", "end", "number", "leader", "deal", "take", "plans", "act", "target", "split", "spot", "cancel",
    "ransom", "theft", "draw card", "keep", "draw tile", "pick tile", "place tile", "place", "mend",
    "toolbox", "step", "arrival", "danger", "damage", "stop sign", "discard", "customs", "nothing",
)  # fmt: skip
EVENTS = (
    ("first", "seat"),
    ("destination", "space space"),
    ("numbered", "space number"),
    ("led by", "seat leader"),
    ("turn", "number"),
    ("dealt", "card"),
    ("took", "seat card"),
    ("planned", "seat plan"),
    ("bought", "seat number number"),
    ("played", "seat card"),
    ("targeted", "seat seat card"),
    ("passed", "seat"),
    ("used", "seat move"),
    ("funded", "seat number number"),
    ("filled", "seat number"),
    ("earned", "seat number"),
    ("drew", "seat card"),
    ("kept", "seat card"),
    ("discarded", "seat card"),
    ("shuffled", ""),
    ("drew tile", "seat tile"),
    ("placed", "seat tile space"),
    ("returned", "tile"),
    ("removed", "seat space tile"),
    ("swapped", "seat space space"),
    ("mended", "seat move number"),
    ("drove", "seat space number"),
    ("flew", "seat space number"),
    ("explored", "seat space tile"),
    ("turned back", "seat space"),
    ("guarded", "seat move"),
    ("harmed", "seat move number"),
    ("broke down", "seat"),
    ("stopped", "seat"),
    ("halted", "seat"),
    ("cancelled", "seat card"),
    ("lost petrol", "seat number"),
    ("lost money", "seat number"),
    ("paid off", "seat seat number"),
    ("stole", "seat seat card"),
    ("arrived", "seat number"),
    ("ordered", "seat number number"),
    ("ended", "seat number number"),
)  # code 1 is the first

CHANCE_STAGES = ("first", "end", "number", "deal", "theft", "draw card", "draw tile")
REST = {
    "assistant": 0, "card": state.NO_CARD, "action": state.IDLE, "target": 0, "first_spot": state.OFF,
    "second_spot": state.OFF, "split_engine": 0, "split_chassis": 0, "keep": 0, "steps": 0,
    "entering": state.OFF, "known_step": 0, "discount": 0, "tried": 0, "picked": state.BLANK,
}  # fmt: skip


class Race(Position):
    """A race in its notation."""

    rules = rules
    phases, events = PHASES, EVENTS

    @property
    def seats(self) -> range:
        return range(1, self.g.players + 1)

    # Notation

    def move_name(self, id: int) -> str:
        return str(notation.move(self.g, id))

    def move_id(self, move: str) -> int:
        return notation.parse_move(self.g, move).id

    def outcome_name(self, id: int) -> str:
        return notation.outcome(self.g, id)

    def outcome_id(self, outcome: str) -> int:
        heading = notation.chance_heading(self.s, self.g)
        return notation.parse_outcome(self.g, heading, outcome)

    def space(self, name: str) -> int:
        """The number of a space."""
        return words.space_of(self.g, name)

    @property
    def told(self) -> list[str]:
        """What the last move or outcome led to; at the end of a line who saw it, if not everybody did."""
        return [self._told(*event) for event in self.s.events or []]

    def _told(self, code: int, a: int, b: int, c: int, eyes: int) -> str:
        name, takes = self.events[code - 1]
        said = [self._word(what, x) for what, x in zip(takes.split(), (a, b, c), strict=False)]
        assert not any((a, b, c)[len(said) :])
        saw = "" if eyes == PUBLIC else f" (to {[seat for seat in self.seats if eyes >> seat - 1 & 1]})"
        return " ".join([name, *said]) + saw

    def _word(self, what: str, x: int) -> str:
        match what:
            case "seat":
                return str(x + 1)
            case "space":
                return "-" if x == state.OFF else words.space_name(self.g, x)
            case "card":
                return "-" if x == state.NO_CARD else words.CARDS[x]
            case "tile":
                return words.TILES[x]
            case "leader":
                return words.LEADERS[x]
            case "plan":
                return words.plan_word(self.g, x)
            case "move":
                return self.move_name(x)
        return str(x)

    # What there is

    @property
    def stage(self) -> str:
        return STAGES[self.s.stage]

    @property
    def waiting(self) -> list[int]:
        """The players who must decide; [0] is chance, none when the race is over."""
        who = rules.who(self.s, self.g)
        return [0] if who == 1 << CHANCE else [seat for seat in self.seats if who >> seat - 1 & 1]

    @property
    def asked(self) -> int:
        """The one player who must decide; 0 is chance, -1 nobody."""
        waiting = self.waiting
        assert len(waiting) < 2, f"{waiting} are asked"
        return waiting[0] if waiting else -1

    @property
    def question(self) -> tuple[int, str]:
        """Who is asked, and what."""
        return self.asked, self.stage

    @property
    def order(self) -> list[int]:
        """The turn order."""
        return [self.s.order[i] + 1 for i in range(self.g.players)]

    @property
    def stack(self) -> list[int]:
        """The players by when their progress token moved last, earliest first."""
        return [self.s.token_order[i] + 1 for i in range(self.g.players)]

    def at(self, seat: int) -> str:
        return words.space_name(self.g, self.s.at[seat - 1])

    def petrol(self, seat: int) -> int:
        return int(self.s.petrol[seat - 1])

    def engine(self, seat: int) -> int:
        return int(self.s.engine[seat - 1])

    def chassis(self, seat: int) -> int:
        return int(self.s.chassis[seat - 1])

    def gauges(self, seat: int) -> tuple[int, int, int]:
        """Petrol, engine, chassis."""
        return self.petrol(seat), self.engine(seat), self.chassis(seat)

    def money(self, seat: int) -> int:
        return int(self.s.money[seat - 1])

    def crew(self, seat: int) -> str:
        """The active assistants: ``1-2-1-1``."""
        return "-".join(str(self.s.assistants[seat - 1, box]) for box in range(state.BOXES))

    def passed(self, seat: int) -> bool:
        return bool(self.s.passed[seat - 1])

    def hand(self, seat: int) -> str:
        """The cards of a hand, by kind."""
        return cards_of([self.s.hand[seat - 1, kind] for kind in range(state.CARDS)])

    def known(self, holder: int, *knowers: int) -> str:
        """What everybody, or else this one player alone, knows of a hand."""
        grid = self.s.private if knowers else self.s.known
        row = state.SEATS * (knowers[0] - 1) + holder - 1 if knowers else holder - 1
        return cards_of([grid[row, kind] for kind in range(state.CARDS)])

    @property
    def deck(self) -> str:
        return cards_of(self.s.deck)

    @property
    def discard(self) -> str:
        return cards_of(self.s.discard)

    @property
    def market(self) -> str:
        """The cards that lie face up at the bivouac."""
        return cards_of(self.s.market)

    @property
    def bag(self) -> str:
        return tiles_of(self.s.bag)

    @property
    def removed(self) -> str:
        """The tiles that are out of the game."""
        return tiles_of(self.s.removed)

    @property
    def tiles(self) -> dict[str, str]:
        """The tile on every space that has one."""
        kinds = {x: self.s.tile[x] for x in range(self.g.spaces)}
        return {words.space_name(self.g, x): words.TILES[k] for x, k in kinds.items() if k != state.BLANK}

    # What may happen

    def legal(self, seat: int) -> list[str]:
        """The legal moves of a player, each once."""
        return self.legal_moves(seat)

    def plays(self, seat: int) -> set[str]:
        """The cards that a player may play now."""
        return {move.removeprefix("play ") for move in self.legal(seat) if move.startswith("play ")}

    # What follows

    def play(self, seat: int, move: str) -> Race:
        """Make one legal move."""
        assert seat in self.waiting, f"{self.waiting} are asked, not {seat}, {self.stage}"
        assert move in self.legal(seat), f"{move} is not legal: {self.legal(seat)}"
        return self.apply(seat, self.move_id(move))

    def run(self, script: str) -> Race:
        """Make moves such as ``1:drive, 1:2b, 2:decline``, or take outcomes: ``0:track``.

        Afterwards ``told`` is what the last one led to.
        """
        for word in script.split(","):
            seat, _, what = word.strip().partition(":")
            if seat == "0":
                self.take(what)
            else:
                self.play(int(seat), what)
        return self

    def check(self) -> None:
        """What must hold in every state does, and every number fits into its field."""
        code = broken(self.s, self.g)
        assert code == 0, INVARIANTS[code]
        assert type(self.s).frombytes(self.s.tobytes()) == self.s
        self.check_rest()

    def check_rest(self) -> None:
        """What has no meaning at this question is wiped: equal positions have equal bytes."""
        s = self.s
        assert not any(s.scratch)
        if self.stage in CHANCE_STAGES or self.stage in ("plans", "nothing"):
            assert s.asked == s.turn
        if self.stage in ("deal", "take", "plans", "act", "nothing"):
            left = {} if self.phase == "bivouac" else {"left": 0}
            for name, value in (REST | left).items():
                assert getattr(s, name) == value, name
            assert not any(s.drawn_tiles) and not any(s.picked_tiles)
        elif self.stage == "discard" and self.phase == "convoy":
            assert s.left == 0 and s.keep in (0, ALL)
            assert s.action not in (state.SABOTAGE, state.STEALING)  # it is through
        elif self.stage == "step":
            assert (s.left, s.entering) == (0, state.OFF)
        elif self.stage in ("mend", "cancel"):
            assert s.left == 0
        elif self.stage == "place tile":
            assert s.picked == state.BLANK
        if self.stage in ("end", "number", "deal", "plans"):
            assert s.turn == s.order[0]
        flags = (s.bought, s.assistant, s.known_step, s.tried, *s.power_used, *s.passed)
        assert set(flags) <= {0, 1}

    # What is seen

    def redeal(self, *seats: int, row: list[int]) -> Race:
        """A copy in which all that these players cannot know is dealt again from the stream ``row``."""
        new = self.hide(*seats)
        rules.redeal(new.s, self.g, eyes_of(seats), row, [0] * (rules.ACTIONS + 1))
        new.check()
        return new


def counted(names: str, known: Sequence[str]) -> list[int]:
    """How many there are of each kind in ``2*militia guide``."""
    counts: Counter[int] = Counter()
    for word in names.split():
        number, _, name = word.rpartition("*")
        counts[known.index(name)] += int(number or 1)
    return [counts[kind] for kind in range(len(known))]


def written(counts: Sequence[int], known: Sequence[str]) -> str:
    """The names of all things of these kinds, in the order of kinds."""
    return " ".join(name for name, n in zip(known, counts, strict=True) for _ in range(n))


def cards_of(counts: Sequence[int]) -> str:
    return written(counts, words.CARDS)


def tiles_of(counts: Sequence[int]) -> str:
    return written(counts, words.TILES)


@lru_cache(maxsize=128)
def chart(
    grid: str, numbers: tuple[tuple[str, int], ...] = (), lanes: tuple[str, ...] = (), tiles: str = "us"
) -> str:
    """A map as a file. The ends are the cities in the outer columns; every city gives 1 card.

    ``numbers`` says which cities give another number, ``lanes`` has lanes as ``AA BB air 100``.
    """
    rows = [line.split() for line in grid.strip().splitlines()]
    cities = [cell for row in rows for cell in row if cell.isalpha()]
    ends = [" ".join(row[i] for row in rows if row[i] in cities) for i in (0, -1)]
    lines = ["title: A test", f"west: {ends[0]}", f"east: {ends[1]}", f"tiles: {tiles}", "grid:"]
    lines += [" ".join(row) for row in rows]
    lines += ["cities:", *(f"{code} City {code} {dict(numbers).get(code, 1)}" for code in cities)]
    if lanes:
        lines += ["lanes:", *lanes]
    return "\n".join(lines)


def fresh(
    grid: str, *, numbers: Mapping[str, int] | None = None, lanes: Sequence[str] = (), **options: object
) -> Race:
    """A race of these options on the map of ``chart``, before any lot."""
    map = chart(grid, tuple((numbers or {}).items()), tuple(lanes))
    return fresh_on(map, **options)


def fresh_on(map: str, **options: object) -> Race:
    """A race of these options on a map of this name or text, before any lot."""
    race = Race(rules.State(), setup(Options.read({"map": map, "players": 2, **options})))
    race.start()
    race.check()
    return race


def set_cards(race: Race, hands: Mapping[int, str], deck: str | None, discard: str) -> None:
    """Put cards into hands and onto the discard pile, out of the deck; or say what is left of the deck."""
    s, g = race.s, race.g
    rows = {seat: counted(cards, words.CARDS) for seat, cards in hands.items()}
    pile = counted(discard, words.CARDS)
    rest = counted(deck, words.CARDS) if deck is not None else None
    for kind in range(state.CARDS):
        out = pile[kind] + sum(row[kind] for row in rows.values())
        if rest is None:
            g.deck[kind] = max(g.deck[kind], out)
            s.deck[kind] = g.deck[kind] - out
        else:
            g.deck[kind] = rest[kind] + out
            s.deck[kind] = rest[kind]
        s.discard[kind] = pile[kind]
        for seat, row in rows.items():
            s.hand[seat - 1, kind] = row[kind]
    for seat, row in rows.items():
        s.cards[seat - 1] = sum(row)
    s.deck_size = sum(s.deck)


def set_tiles(race: Race, tiles: Mapping[str, str], bag: str | None, removed: str) -> None:
    """Put tiles on the map and out of the game, out of the bag; or say what is left of the bag."""
    s, g = race.s, race.g
    away = counted(removed, words.TILES)
    rest = counted(bag, words.TILES) if bag is not None else None
    for kind in range(state.TILES):
        out = away[kind] + sum(tile == words.TILES[kind] for tile in tiles.values())
        if rest is None:
            g.bag[kind] = max(g.bag[kind], out)
            s.bag[kind] = g.bag[kind] - out
        else:
            g.bag[kind] = rest[kind] + out
            s.bag[kind] = rest[kind]
        s.removed[kind] = away[kind]
    for space, tile in tiles.items():
        s.tile[race.space(space)] = words.TILES.index(tile)
    s.bag_size = sum(s.bag)


def scene(
    grid: str,
    *,
    turn: int = 1,
    order: Sequence[int] = (),
    stack: Sequence[int] = (),
    at: Mapping[int, str] | None = None,
    tiles: Mapping[str, str] | None = None,
    hands: Mapping[int, str] | None = None,
    crews: Mapping[int, str] | None = None,
    petrol: Mapping[int, int] | None = None,
    engine: Mapping[int, int] | None = None,
    chassis: Mapping[int, int] | None = None,
    money: Mapping[int, int] | None = None,
    leaders: Sequence[str] = (),
    used: Sequence[int] = (),
    passed: Sequence[int] = (),
    tokens: Sequence[int] = (),
    deck: str | None = None,
    discard: str = "",
    bag: str | None = None,
    removed: str = "",
    round: int = 1,
    bivouac: bool = False,
    **options: Any,
) -> Race:
    """A race at the beginning of a player's sequence, or of the bivouac with ``bivouac``.

    By default all vehicles are at the start with full gauges and 80 F, hands are empty, player 1 has the
    assistants 1-2-1-1 and nobody else has any. ``order`` is the turn order, which goes clockwise from
    ``turn`` at first; ``stack`` who moved a progress token first; ``leaders`` go by seat; ``used`` are the
    players whose power is used; ``tokens`` are the numbers on the city tokens in the order of the map.
    """
    if leaders:
        options["leaders"] = True
    race = fresh(grid, **options)
    s, g = race.s, race.g
    order = list(order) or [(turn - 1 + i) % g.players + 1 for i in range(g.players)]
    race.take(str(order[0]))
    numbers = list(tokens)
    while race.stage == "number":
        race.take(str(numbers.pop(0)) if numbers else max(race.outcomes()))
    while race.stage == "leader":
        race.play(race.asked, f"leader {leaders[race.asked - 1]}")
    assert race.stage == "deal", race.stage
    for i in range(g.players):
        s.order[i] = order[i] - 1
        s.token_order[i] = (list(stack) or order)[i] - 1
        s.money[i] = 80
    s.round = round
    set_tiles(race, tiles or {}, bag, removed)
    set_cards(race, hands or {}, deck, discard)
    for row, given in ((s.petrol, petrol), (s.engine, engine), (s.chassis, chassis), (s.money, money)):
        for seat, value in (given or {}).items():
            row[seat - 1] = value
    for seat, space in (at or {}).items():
        s.at[seat - 1] = race.space(space)
    for seat in used:
        s.power_used[seat - 1] = 1
    for seat in passed:
        s.passed[seat - 1] = 1
    if not bivouac:
        for seat, plan in (crews or {turn: "1-2-1-1"}).items():
            for box, number in enumerate(plan.split("-")):
                s.assistants[seat - 1, box] = int(number)
        s.phase, s.stage, s.turn, s.asked, s.left = state.CONVOY, state.ACT, turn - 1, turn - 1, 0
    else:
        s.turn = s.asked = order[0] - 1
    s.events = []
    race.check()
    return race
