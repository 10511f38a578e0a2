"""The Great Race: repairs, by cards or for money (GR-6.3)."""

from __future__ import annotations

from paddock.games.great_race.crew import ask, in_city, most, spend
from paddock.games.great_race.state import (
    BUY_CHASSIS,
    BUY_ENGINE,
    CHASSIS,
    CHASSIS_PARTS,
    DONE,
    ENGINE,
    ENGINE_PARTS,
    IDLE,
    MEND,
    MENDED,
    MENDING,
    PLAY,
    TOOLBOX,
    TOOLBOX_LEVEL,
    Setup,
    State,
)
from paddock.kernel import Row, rule, tell


@rule
def part_price(s: State, g: Setup, seat: int) -> int:
    """GR-6.3 the price of a part: 20 F in a city, 40 F elsewhere."""
    return 20 if in_city(s, g, seat) else 40


@rule
def parts(s: State, g: Setup, seat: int, out: Row) -> int:
    """GR-6.3, GR-6.10 write every way to raise a gauge that has room; return how many."""
    full = most(s, g, seat)
    engine = s.engine[seat] < full
    chassis = s.chassis[seat] < full
    money = s.money[seat] >= part_price(s, g, seat)
    n = 0
    out[n] = PLAY + ENGINE_PARTS
    n += int(engine and s.hand[seat, ENGINE_PARTS] > 0)
    out[n] = PLAY + CHASSIS_PARTS
    n += int(chassis and s.hand[seat, CHASSIS_PARTS] > 0)
    out[n] = PLAY + TOOLBOX
    n += int((engine or chassis) and s.hand[seat, TOOLBOX] > 0)
    out[n] = BUY_ENGINE
    n += int(engine and money)
    out[n] = BUY_CHASSIS
    return n + int(chassis and money)


@rule
def can_repair(s: State, g: Setup, seat: int, out: Row) -> int:
    """GR-5.10 a repair raises a level; ``out`` is room for ``parts``."""
    return int(parts(s, g, seat, out) > 0)


@rule
def begin_repair(s: State) -> None:
    """GR-6.3 the repair begins."""
    s.action = MENDING


@rule
def mend_on(s: State, g: Setup) -> int:
    """GR-6.3 the next part, as long as there is room. Return whether somebody must answer."""
    seat = s.turn
    full = most(s, g, seat)
    if s.engine[seat] == full and s.chassis[seat] == full:
        s.action = IDLE
        return 0
    return ask(s, MEND, seat)


@rule
def legal_mend(s: State, g: Setup, seat: int, out: Row) -> int:
    """GR-6.3 write the parts that can be used, and GR-6.10 the end after the first; return how many."""
    n = parts(s, g, seat, out)
    out[n] = DONE
    return n + int(s.tried)


@rule
def mend(s: State, g: Setup, seat: int, move: int) -> int:
    """GR-6.3 a part is used, or the repair ends. Return whether somebody must answer."""
    if move == DONE:
        s.action = IDLE
    elif move == PLAY + TOOLBOX:  # GR-10.14
        spend(s, seat, TOOLBOX)
        s.left = 3
        return toolbox_on(s, g, seat)
    elif move == PLAY + ENGINE_PARTS:  # GR-10.13
        spend(s, seat, ENGINE_PARTS)
        raise_gauge(s, seat, ENGINE, 1, 0)
    elif move == PLAY + CHASSIS_PARTS:
        spend(s, seat, CHASSIS_PARTS)
        raise_gauge(s, seat, CHASSIS, 1, 0)
    else:
        francs = part_price(s, g, seat)
        s.money[seat] -= francs
        raise_gauge(s, seat, ENGINE if move == BUY_ENGINE else CHASSIS, 1, francs)
    return 0


@rule
def raise_gauge(s: State, seat: int, gauge: int, number: int, francs: int) -> None:
    """GR-6.3 a gauge is raised, for money or by a card."""
    if gauge == ENGINE:
        s.engine[seat] += number
    else:
        s.chassis[seat] += number
    s.tried = 1
    for _ in range(number):
        tell(s, MENDED, seat, gauge, francs)


@rule
def toolbox_on(s: State, g: Setup, seat: int) -> int:
    """GR-6.10 the levels of a Toolbox, one by one where there is a choice; what has no room is lost."""
    engine = most(s, g, seat) - s.engine[seat]
    chassis = most(s, g, seat) - s.chassis[seat]
    if s.left > 0 and engine > 0 and chassis > 0:
        return ask(s, TOOLBOX_LEVEL, seat)
    room = engine + chassis
    if s.left < room:
        room = s.left
    s.left = 0
    if room > 0:
        raise_gauge(s, seat, ENGINE if engine > 0 else CHASSIS, room, 0)
    return 0


@rule
def toolbox(s: State, g: Setup, seat: int, gauge: int) -> int:
    """GR-10.14 a level of a Toolbox. Return whether somebody must answer."""
    raise_gauge(s, seat, gauge, 1, 0)
    s.left -= 1
    return toolbox_on(s, g, seat)
