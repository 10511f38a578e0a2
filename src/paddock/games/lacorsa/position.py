"""LACORSA: a race's state as words, and back.

``phase=challenge lap=3 turn=2 passes=1 last=no road=3-2..1 hands=1:4,4,R|2:7|3: discard=1*2,R*1
commit=2:12+R value=-``: the road from the back to the leader with ``-`` for directly behind and
a dot for each empty space; hands by car; the discard pile as counts (LC-1.5); the plays face
down; in a tied qualifying the worth of the cars not yet placed. What only the Large Grid needs is
written where its options are on: ``pitted=3,1 known=3:7`` the cars that have made their stop and the
cards of their hands that all have seen; ``retired=2`` in the order of their retirement; with one draft
a turn, ``drafted=1`` the cars that have closed up with a 3 in this lap.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from paddock.core.i18n import _
from paddock.core.title import Seen
from paddock.core.words import CHANCE
from paddock.games.lacorsa.race import can_pit
from paddock.games.lacorsa.state import (
    CARS,
    CHALLENGE,
    DEAL,
    DRAFT,
    INCIDENT,
    KINDS,
    OVER,
    PIT_DIE,
    PIT_DRAW,
    PITS,
    QUALIFY,
    REDLINE,
    ROAD,
    TIED,
    TWO_REDLINES,
    Setup,
    State,
)
from paddock.kernel import Grid
from paddock.parts.position import NONE, by_seat, check, number, once, parts, read, seat_of, word, written

PHASES = (
    "deal", "qualify", "tied", "challenge", "road", "over", "pits", "pit-draw", "pit-die", "incident", "draft"
)  # fmt: skip
FIELDS = ("phase", "lap", "turn", "passes", "last", "road", "hands", "discard", "commit", "value")


def _phases(g: Setup) -> tuple[str, ...]:
    """Those in which a race with these options can be."""
    out: tuple[str, ...] = PHASES[:OVER]
    if g.pit:
        out += PHASES[PITS : PIT_DIE + 1]
    if g.incidents:
        out += (PHASES[INCIDENT],)
    return (*out, PHASES[DRAFT]) if g.drafting else out


def _fields(g: Setup) -> tuple[str, ...]:
    """Those that a position with these options has."""
    out: tuple[str, ...] = FIELDS
    if g.pit:
        out += ("pitted", "known")
    if g.incidents:
        out += ("retired",)
    return (*out, "drafted") if g.one_draft else out


def _card(kind: int) -> str:
    return "R" if kind == REDLINE else str(kind)


def _kind(text: str) -> int:
    if text == "R":
        return REDLINE
    if re.fullmatch("1[0-2]|[1-9]", text):
        return int(text)
    raise ValueError(f"«{text}» is no card: write R or 1 to 12")


def _play(play: int) -> str:
    if play < KINDS:
        return _card(play)
    return "R+R" if play == TWO_REDLINES else f"{play - 12}+R"


def _read_play(text: str) -> int:
    name, plus, redline = text.partition("+")
    if plus and redline != "R":
        raise ValueError(f"«{text}» is no play: write 7, R or 12+R")
    kind = _kind(name)
    if not plus:
        return kind
    return TWO_REDLINES if kind == REDLINE else kind + 12


_KIND_ORDER = (*range(1, KINDS), REDLINE)


def position(s: State, g: Setup) -> str:
    """The state as ``name=value`` words, always in the same order."""
    cars = range(g.cars)
    road = ""
    for i in range(g.cars - s.placed, s.running):
        road += str(s.order[i] + 1)
        if i < s.running - 1:
            road += "." * s.gap[i] or "-"
    hands = "|".join(_cards(s.hand, car) for car in cars)
    known = "|".join(_cards(s.known, car) for car in cars if any(s.known[car, k] for k in range(KINDS)))
    pitted = [car for car in cars if s.lap > 1 and not s.stops >> car & 1]
    retired = sorted((car for car in cars if s.out[car]), key=lambda car: s.out[car])
    discard = ",".join(f"{_card(k)}*{s.discard[k]}" for k in _KIND_ORDER if s.discard[k])
    commit = ",".join(f"{car + 1}:{_play(s.commit[car] - 1)}" for car in cars if s.commit[car])
    value = ",".join(f"{car + 1}:{s.value[car] - 1}" for car in cars if s.value[car])
    values = {
        "phase": PHASES[s.phase],
        "lap": s.lap,
        "turn": s.order[s.turn] + 1 if _racing(s) else 0,
        "passes": s.passes,
        "last": "yes" if s.last else "no",
        "road": road,
        "hands": hands,
        "discard": discard,
        "commit": commit,
        "value": value,
        "pitted": _numbers(pitted),
        "known": known,
        "retired": _numbers(retired),
        "drafted": _numbers([car for car in cars if s.drafted >> car & 1]),
    }
    return written({name: values[name] for name in _fields(g)})


def _racing(s: State) -> bool:
    """Whether it is a car's turn."""
    return s.phase in (CHALLENGE, ROAD) or s.phase > OVER


def _cards(hand: Grid, car: int) -> str:
    return f"{car + 1}:" + ",".join(_card(k) for k in _KIND_ORDER for _n in range(hand[car, k]))


def _numbers(cars: list[int]) -> str:
    return ",".join(str(car + 1) for car in cars)


def parse_position(words: dict[str, str], g: Setup) -> State:
    """The state of such words; raises ``BadPosition`` with every fault."""
    s = State()
    s.running = g.cars
    read(s, g, words, _READERS, _fields(g))
    check(_faults(s, g, words))
    _fill(s, g)
    return s


def result_fault(places: Sequence[int], scores: Sequence[int], g: Setup) -> str:
    """LC-7.2 each finisher has a place of its own and its points, LX-3.6 who retired has neither."""
    finished = sorted(place for place in places if place)
    if finished != list(range(1, len(finished) + 1)):
        return "LC-7.2 every car that finishes has a place of its own, from 1"
    if len(finished) < g.cars and not g.incidents:
        return "LC-7.2 every car finishes: give each its place"
    points = [0, *(g.points[i] for i in range(g.cars))]
    if list(scores) != [points[place] for place in places]:
        return "LC-7.2 each place has its points, and who retired has none"
    return ""


def shown(seen: Seen) -> State:
    """The state that is shown: that of ``seen``, or the end of a series of which only results are known."""
    s: State = seen.state
    if s.phase == OVER or len(seen.rounds) < seen.options.rounds:
        return s
    end, places = State(), seen.rounds[-1].places
    finished = sorted((seat for seat, place in enumerate(places) if place), key=lambda seat: -places[seat])
    end.phase, end.placed, end.running = OVER, len(places), len(finished)
    for i, seat in enumerate(finished):
        end.order[i] = seat
    for n, seat in enumerate(seat for seat, place in enumerate(places) if not place):
        end.out[seat] = n + 1
    return end


def _car(text: str, g: Setup) -> int:
    return seat_of(text, g.cars)


def _read_phase(s: State, g: Setup, text: str) -> None:
    s.phase = PHASES.index(word(text, _phases(g)))


def _read_lap(s: State, g: Setup, text: str) -> None:
    s.lap = number(text, most_laps(g))
    if g.pit and s.lap > 1:
        s.stops = (1 << g.cars) - 1


def most_laps(g: Setup) -> int:
    """LC-4.5 every car plays a card in each lap but that of its stop; LX-2.1, LX-2.2 what a stop brings."""
    if not g.pit:
        return g.cards
    return 2 * g.cards if g.refill else g.cards + 1


def _read_passes(s: State, g: Setup, text: str) -> None:
    s.passes = number(text, 1)


def _read_last(s: State, g: Setup, text: str) -> None:
    s.last = int(word(text, ("yes", "no")) == "yes")


def _read_road(s: State, g: Setup, text: str) -> None:
    if text == NONE:
        return
    split = re.split(r"(-|\.+)", text)
    cars = once([_car(part, g) for part in split[::2]], _("a car stands on one space only"))
    first = s.running - len(cars)
    if first < 0 or any(s.out[car] for car in cars):
        raise ValueError("a retired car has left the road")
    s.placed = g.cars - first
    for i, car in enumerate(cars):
        s.order[first + i] = car
    for i, gap in enumerate(split[1::2]):
        s.gap[first + i] = gap.count(".")


def _read_hands(s: State, g: Setup, text: str) -> None:
    pairs = by_seat(text, g.cars, "|")
    if len(pairs) != g.cars:
        raise ValueError(f"write the hands of all {g.cars} cars")
    for car, hand in pairs:
        for name in hand.split(",") if hand else ():
            kind = _kind(name)
            s.hand[car, kind] += 1
            s.held[car] |= 1 << kind
            s.cards[car] += 1


def _read_cars(text: str, g: Setup) -> list[int]:
    return once([_car(part, g) for part in parts(text)], _("name each car once"))


def _read_pitted(s: State, g: Setup, text: str) -> None:
    cars = _read_cars(text, g)
    if cars and not s.stops:
        raise ValueError("LX-2.0 no car pits in the first lap")
    for car in cars:
        s.stops &= ~(1 << car)


def _read_known(s: State, g: Setup, text: str) -> None:
    for car, hand in by_seat(text, g.cars, "|"):
        for name in hand.split(","):
            s.known[car, _kind(name)] += 1


def _read_retired(s: State, g: Setup, text: str) -> None:
    for i, car in enumerate(_read_cars(text, g)):
        s.out[car] = i + 1
        s.running -= 1


def _read_drafted(s: State, g: Setup, text: str) -> None:
    for car in _read_cars(text, g):
        s.drafted |= 1 << car


def _read_discard(s: State, g: Setup, text: str) -> None:
    for part in parts(text):
        name, star, count = part.partition("*")
        if not star:
            raise ValueError("write card*count")
        s.discard[_kind(name)] = number(count, g.deck[_kind(name)])


def _read_commit(s: State, g: Setup, text: str) -> None:
    for car, play in by_seat(text, g.cars):
        s.commit[car] = 1 + _read_play(play)


def _read_value(s: State, g: Setup, text: str) -> None:
    for car, value in by_seat(text, g.cars):
        s.value[car] = 1 + number(value, 14)


def _read_turn(s: State, g: Setup, text: str) -> None:
    number(text, g.cars)  # its place on the road is known once the road is


_READERS = {
    "phase": _read_phase,
    "lap": _read_lap,
    "turn": _read_turn,
    "passes": _read_passes,
    "last": _read_last,
    "retired": _read_retired,  # before the road on which it leaves its space
    "road": _read_road,
    "hands": _read_hands,
    "discard": _read_discard,
    "commit": _read_commit,
    "value": _read_value,
    "pitted": _read_pitted,
    "known": _read_known,
    "drafted": _read_drafted,
}


def _faults(s: State, g: Setup, words: dict[str, str]) -> list[str]:
    """What makes a well-written state impossible, each as a sentence."""
    faults = []
    cars = range(g.cars)
    played = sum(s.discard[k] for k in range(KINDS))
    held = sum(s.cards[car] for car in cars)
    for k in range(KINDS):
        if s.discard[k] + sum(s.hand[car, k] for car in cars) > g.deck[k]:
            faults.append(f"LC-1.2 the deck has only {g.deck[k]} of the card {_card(k)}")
    if s.phase == DEAL:
        left = held
        for car in cars:
            if s.cards[car] != min(left, g.cards):
                faults.append(f"LC-1.2 the cards are dealt car after car, {g.cards} to each")
                break
            left -= s.cards[car]
        if held >= g.cars * g.cards:
            faults.append("LC-1.2 every card is dealt: the phase is qualify")
    elif played + held != g.cars * g.cards:
        faults.append(f"LC-1.2 hands and discard pile hold {played + held} cards, not {g.cars * g.cards}")
    if s.phase in (DEAL, QUALIFY) and (played or s.placed or s.lap):
        faults.append("LC-3.1 before qualifying is revealed nothing is played and no car is placed")
    if s.phase == QUALIFY and any(s.cards[car] != g.cards for car in cars):
        faults.append(f"LC-1.2 in qualifying every hand holds {g.cards} cards")
    racing = _racing(s)
    if racing and s.placed != g.cars:
        faults.append("LC-3.3 every car stands on the road")
    if racing and not s.lap:
        faults.append(f"LC-4.1 laps are counted from 1 to {most_laps(g)}")
    if not racing and (s.passes or s.drafted):
        faults.append("LC-5.4, LX-5.1 cars pass others, and close up with a 3, in a lap only")
    if racing:
        faults += _lap_faults(s, g, -1)
    if s.running < 2 or (s.running < g.cars and not racing):
        faults.append("LX-3.6 cars retire in a lap, and one that is left alone has won")
    if any(s.cards[car] == 0 for car in cars) and s.phase not in (DEAL, QUALIFY) and not s.last:
        faults.append("LC-7.1 a car is without cards: write last=yes")
    if s.last and (s.phase in (DEAL, QUALIFY) or all(s.cards[car] for car in cars)):
        faults.append("LC-7.1 no car is without cards: write last=no")
    faults += _known_faults(s, g)
    faults += _turn_faults(s, g, words) if racing and not faults else []
    faults += _lap_faults(s, g, s.turn) if racing and not faults else []
    faults += _tied_faults(s, g)
    faults += _commit_faults(s, g)
    return faults


def _lap_faults(s: State, g: Setup, turn: int) -> list[str]:
    """LC-4.5 a card in qualifying and one in every lap that is over, but for the lap of a stop.

    With the index ``turn`` known: one in this lap behind it too, and one for each car passed.
    """
    faults = []
    for i, car in enumerate(s.order[i] for i in range(s.running)):
        played = g.cards - s.cards[car]
        if s.lap > 1 and not s.stops >> car & 1 and g.pit:
            played += g.cards if g.refill else 2  # the cards of the stop and the lap in which it was made
        if s.lap > played:
            faults.append(f"LC-4.5 car {car + 1} has played too few cards for lap={s.lap}")
        elif s.lap + (i < turn) + (s.passes if i == turn else 0) > played:
            faults.append(f"LC-4.5, LC-5.4 car {car + 1} has played too few cards for its turn of this lap")
    return faults


def _known_faults(s: State, g: Setup) -> list[str]:
    faults = []
    for car in range(g.cars):
        known = sum(s.known[car, k] for k in range(KINDS))
        if any(s.known[car, k] > s.hand[car, k] for k in range(KINDS)):
            faults.append(f"LX-2.1 car {car + 1} does not hold what is known of it")
        elif known and (s.stops >> car & 1 or s.lap < 2):
            faults.append(f"LX-2.1 car {car + 1} has made no stop: nothing is known of its hand")
        elif known > 1 and not g.refill:
            faults.append(f"LX-2.1 car {car + 1} has drawn one card in its stop")
        if s.cards[car] > g.cards:
            faults.append(f"LC-1.2, LX-2.2 no hand has more than {g.cards} cards")
    return faults


def _turn_faults(s: State, g: Setup, words: dict[str, str]) -> list[str]:
    order = [s.order[i] for i in range(s.running)]
    turn = int(words["turn"]) - 1
    if turn not in order:
        return ["LC-4.1 write the number of the car whose turn it is"]
    s.turn = order.index(turn)
    ahead = s.turn + 1 < s.running and s.gap[s.turn] == 0
    if s.passes > s.turn:
        return ["LC-5.4 a car that has passed another stands ahead of it"]
    if s.phase in (PIT_DRAW, PIT_DIE):
        return _stop_faults(s, g, turn)
    if ahead != (s.phase != ROAD):
        phase = "challenge" if ahead else "road"
        return [f"LC-4.3 what is directly ahead of car {turn + 1} makes the phase {phase}"]
    if s.phase != INCIDENT and (not s.cards[turn] or (ahead and not s.cards[order[s.turn + 1]])):
        return ["LC-4.4, LC-4.5 the cars that must decide hold cards"]
    if s.phase == PITS and not can_pit(s, g, turn):
        return [f"LX-2.0 car {turn + 1} cannot pit now: the phase is challenge"]
    drafted = s.drafted >> turn & 1
    if s.phase == DRAFT and g.one_draft and not drafted:
        return [f"LX-5.1 car {turn + 1} has closed up with a 3: write drafted={turn + 1}"]
    if drafted and not s.passes and s.phase in (ROAD, PITS):
        return ["LX-5.2 a car that has closed up with a 3 and passed nobody challenges or stops"]
    if any(s.drafted >> car & 1 for car in order[s.turn + 1 :]):
        return ["LX-5.1 a car closes up with a 3 in its turn, and those ahead have had none"]
    return []


def _stop_faults(s: State, g: Setup, car: int) -> list[str]:
    """LX-2.6 the cards are drawn, then the die is rolled."""
    known = sum(s.known[car, k] for k in range(KINDS))
    full = s.cards[car] == g.cards if g.refill else known == 1
    if s.stops >> car & 1 or s.lap < 2:
        return [f"LX-2.0 car {car + 1} has called its stop: write it in pitted="]
    if s.passes and not g.late:
        return ["LX-2.0 a stop is called at the start of the turn"]
    if s.drafted >> car & 1 and not s.passes:
        return ["LX-5.2 a car that has closed up with a 3 and passed nobody challenges or stops"]
    if full != (s.phase == PIT_DIE) or s.cards[car] == known:
        return ["LX-2.6 the cards of a stop are drawn before the die is rolled"]
    if s.phase == PIT_DRAW and not any(s.discard[k] for k in range(KINDS)):
        return ["LX-2.6 the pile holds enough"]
    return []


def _tied_faults(s: State, g: Setup) -> list[str]:
    valued = [car for car in range(g.cars) if s.value[car]]
    if s.phase != TIED:
        return ["LC-3.4 values stand only in a tied qualifying"] if valued else []
    placed = {s.order[i] for i in range(g.cars - s.placed, g.cars)}
    if placed & set(valued) or len(placed) + len(valued) != g.cars:
        return ["LC-3.4 every car is either placed or has a value"]
    if s.lap or any(s.gap[i] for i in range(g.cars)):
        return ["LC-3.3 on the grid the cars stand on adjacent spaces, before the first lap"]
    best = Counter(s.value[car] for car in valued)
    return [] if best[max(best)] > 1 else ["LC-3.4 no cars are tied for the next place"]


def _commit_faults(s: State, g: Setup) -> list[str]:
    committed = {car for car in range(g.cars) if s.commit[car]}
    deciding: set[int] = set()
    if s.phase == QUALIFY:
        deciding = set(range(g.cars))
    elif s.phase == CHALLENGE and s.turn + 1 < s.running:
        deciding = {s.order[s.turn], s.order[s.turn + 1]}
    if not committed <= deciding or (deciding and committed == deciding):
        return ["LC-5.1 only cars that decide together commit, and the last commit reveals them"]
    faults = []
    for car in committed:
        play = s.commit[car] - 1
        need = Counter([play] if play < KINDS else [REDLINE, REDLINE if play == TWO_REDLINES else play - 12])
        if any(s.hand[car, kind] < count for kind, count in need.items()):
            faults.append(f"LC-1.4 car {car + 1} does not hold {_play(play)}")
        if play == TWO_REDLINES and not g.void:
            faults.append("LC-3.5 two Redlines are never one play")
    return faults


def _fill(s: State, g: Setup) -> None:
    """What follows from the written fields."""
    for k in range(KINDS):
        s.deck[k] = g.deck[k] - s.discard[k] - sum(s.hand[car, k] for car in range(g.cars))
    s.dealt = sum(s.cards[car] for car in range(CARS)) + sum(s.discard[k] for k in range(KINDS))
    if s.phase in (DEAL, TIED, PIT_DIE, INCIDENT) or (s.phase == PIT_DRAW and not g.choose):
        s.waiting = 1 << CHANCE
    elif s.phase == QUALIFY:
        s.waiting = sum(1 << car for car in range(g.cars) if not s.commit[car])
    elif s.phase != CHALLENGE:
        s.waiting = 1 << s.order[s.turn]
    else:
        s.waiting = sum(1 << s.order[i] for i in (s.turn, s.turn + 1) if not s.commit[s.order[i]])
