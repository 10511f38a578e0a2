"""LACORSA: a race's state as words, and back.

``phase=challenge lap=3 turn=2 passes=1 last=no road=3-2..1 hands=1:4,4,R|2:7|3: discard=1*2,R*1
commit=2:12+R value=-``: the road from the back to the leader with ``-`` for directly behind and
a dot for each empty space; hands by car; the discard pile as counts (LC-1.5); the plays face
down; in a tied qualifying the worth of the cars not yet placed.
"""

from __future__ import annotations

import re
from collections import Counter

from paddock.core.errors import BadPosition
from paddock.core.words import CHANCE
from paddock.games.lacorsa.rules import (
    CARS,
    CHALLENGE,
    DEAL,
    KINDS,
    OVER,
    QUALIFY,
    REDLINE,
    ROAD,
    TIED,
    TWO_REDLINES,
    Setup,
    State,
)

PHASES = ("deal", "qualify", "tied", "challenge", "road", "over")
FIELDS = ("phase", "lap", "turn", "passes", "last", "road", "hands", "discard", "commit", "value")


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
    placed = s.placed if s.placed < g.cars else g.cars
    road = ""
    for i in range(g.cars - placed, g.cars):
        road += str(s.order[i] + 1)
        if i < g.cars - 1:
            road += "." * s.gap[i] or "-"
    hands = "|".join(
        f"{car + 1}:" + ",".join(_card(k) for k in _KIND_ORDER for _ in range(s.hand[car, k])) for car in cars
    )
    discard = ",".join(f"{_card(k)}*{s.discard[k]}" for k in _KIND_ORDER if s.discard[k])
    commit = ",".join(f"{car + 1}:{_play(s.commit[car] - 1)}" for car in cars if s.commit[car])
    value = ",".join(f"{car + 1}:{s.value[car] - 1}" for car in cars if s.value[car])
    written = {
        "phase": PHASES[s.phase],
        "lap": s.lap,
        "turn": s.order[s.turn] + 1 if s.phase in (CHALLENGE, ROAD) else 0,
        "passes": s.passes,
        "last": "yes" if s.last else "no",
        "road": road,
        "hands": hands,
        "discard": discard,
        "commit": commit,
        "value": value,
    }
    return " ".join(f"{name}={'-' if text == '' else text}" for name, text in written.items())


def parse_position(words: dict[str, str], g: Setup) -> State:
    """The state of such words; raises ``BadPosition`` with every fault."""
    faults = [f"«{name}=» is missing" for name in FIELDS if name not in words]
    faults += [
        f"there is no field «{name}»; the fields are {', '.join(FIELDS)}"
        for name in words
        if name not in FIELDS
    ]
    if faults:
        raise BadPosition(faults)
    s = State()
    for name, read in _READERS.items():
        try:
            read(s, g, words[name])
        except ValueError as error:
            faults.append(f"{name}={words[name]}: {error}")
    if not faults:
        faults = _faults(s, g, words)
    if faults:
        raise BadPosition(faults)
    _fill(s, g)
    return s


def _number(text: str, most: int) -> int:
    if not re.fullmatch(r"\d{1,3}", text) or int(text) > most:
        raise ValueError(f"write a number from 0 to {most}")
    return int(text)


def _car(text: str, g: Setup) -> int:
    number = _number(text, g.cars)
    if not number:
        raise ValueError("cars are numbered from 1")
    return number - 1


def _read_phase(s: State, g: Setup, text: str) -> None:
    if text not in PHASES[:OVER]:
        raise ValueError(f"write one of {', '.join(PHASES[:OVER])}")
    s.phase = PHASES.index(text)


def _read_lap(s: State, g: Setup, text: str) -> None:
    s.lap = _number(text, g.cards)


def _read_passes(s: State, g: Setup, text: str) -> None:
    s.passes = _number(text, 1)


def _read_last(s: State, g: Setup, text: str) -> None:
    if text not in ("yes", "no"):
        raise ValueError("write yes or no")
    s.last = int(text == "yes")


def _read_road(s: State, g: Setup, text: str) -> None:
    if text == "-":
        return
    parts = re.split(r"(-|\.+)", text)
    cars = [_car(part, g) for part in parts[::2]]
    if len(set(cars)) != len(cars):
        raise ValueError("a car stands on one space only")
    s.placed = len(cars)
    first = g.cars - len(cars)
    for i, car in enumerate(cars):
        s.order[first + i] = car
    for i, gap in enumerate(parts[1::2]):
        s.gap[first + i] = gap.count(".")


def _by_car(text: str, g: Setup, between: str) -> list[tuple[int, str]]:
    pairs = []
    for part in text.split(between) if text != "-" else ():
        number, colon, value = part.partition(":")
        if not colon:
            raise ValueError("write car:value")
        pairs.append((_car(number, g), value))
    if len({car for car, _ in pairs}) != len(pairs):
        raise ValueError("name each car once")
    return pairs


def _read_hands(s: State, g: Setup, text: str) -> None:
    pairs = _by_car(text, g, "|")
    if len(pairs) != g.cars:
        raise ValueError(f"write the hands of all {g.cars} cars")
    for car, hand in pairs:
        for name in hand.split(",") if hand else ():
            kind = _kind(name)
            s.hand[car, kind] += 1
            s.held[car] |= 1 << kind
            s.cards[car] += 1


def _read_discard(s: State, g: Setup, text: str) -> None:
    for part in text.split(",") if text != "-" else ():
        name, star, count = part.partition("*")
        if not star:
            raise ValueError("write card*count")
        s.discard[_kind(name)] = _number(count, g.deck[_kind(name)])


def _read_commit(s: State, g: Setup, text: str) -> None:
    for car, play in _by_car(text, g, ","):
        s.commit[car] = 1 + _read_play(play)


def _read_value(s: State, g: Setup, text: str) -> None:
    for car, value in _by_car(text, g, ","):
        s.value[car] = 1 + _number(value, 14)


def _read_turn(s: State, g: Setup, text: str) -> None:
    _number(text, g.cars)  # its place on the road is known once the road is


_READERS = {
    "phase": _read_phase,
    "lap": _read_lap,
    "turn": _read_turn,
    "passes": _read_passes,
    "last": _read_last,
    "road": _read_road,
    "hands": _read_hands,
    "discard": _read_discard,
    "commit": _read_commit,
    "value": _read_value,
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
    racing = s.phase in (CHALLENGE, ROAD)
    if racing and s.placed != g.cars:
        faults.append("LC-3.3 every car stands on the road")
    if racing and (not s.lap or s.lap > g.cards):
        faults.append(f"LC-4.1 laps are counted from 1 to {g.cards}")
    if any(s.cards[car] == 0 for car in cars) and s.phase not in (DEAL, QUALIFY) and not s.last:
        faults.append("LC-7.1 a car is without cards: write last=yes")
    if s.last and all(s.cards[car] for car in cars):
        faults.append("LC-7.1 no car is without cards: write last=no")
    faults += _turn_faults(s, g, words) if racing and not faults else []
    faults += _tied_faults(s, g)
    faults += _commit_faults(s, g)
    return faults


def _turn_faults(s: State, g: Setup, words: dict[str, str]) -> list[str]:
    order = [s.order[i] for i in range(g.cars)]
    turn = int(words["turn"]) - 1
    if turn not in order:
        return ["LC-4.1 write the number of the car whose turn it is"]
    s.turn = order.index(turn)
    ahead = s.turn + 1 < g.cars and s.gap[s.turn] == 0
    if ahead != (s.phase == CHALLENGE):
        phase = "challenge" if ahead else "road"
        return [f"LC-4.3 what is directly ahead of car {turn + 1} makes the phase {phase}"]
    if not s.cards[turn] or (ahead and not s.cards[order[s.turn + 1]]):
        return ["LC-4.4, LC-4.5 the cars that must decide hold cards"]
    if s.passes > s.turn:
        return ["LC-5.4 a car that has passed another stands ahead of it"]
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
    elif s.phase == CHALLENGE:
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
    if s.phase in (DEAL, TIED):
        s.waiting = 1 << CHANCE
    elif s.phase == QUALIFY:
        s.waiting = sum(1 << car for car in range(g.cars) if not s.commit[car])
    elif s.phase == ROAD:
        s.waiting = 1 << s.order[s.turn]
    else:
        s.waiting = sum(1 << s.order[i] for i in (s.turn, s.turn + 1) if not s.commit[s.order[i]])
