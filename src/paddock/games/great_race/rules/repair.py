"""The Great Race: repairs, by cards or for money (GR-6.3)."""

from __future__ import annotations

from paddock.games.great_race.rules import reasons, state
from paddock.games.great_race.rules.crew import ask, in_city, most, spend, why_not_held
from paddock.games.great_race.rules.state import Setup, State
from paddock.kernel import rule, tell

PARTS = (
    state.PLAY + state.ENGINE_PARTS,
    state.PLAY + state.CHASSIS_PARTS,
    state.PLAY + state.TOOLBOX,
    state.BUY_ENGINE,
    state.BUY_CHASSIS,
)


@rule
def part_price(s: State, g: Setup, seat: int) -> int:
    """GR-6.3 the price of a part: 20 F in a city, 40 F elsewhere."""
    return g.part_city if in_city(s, g, seat) else g.part_road


@rule
def why_not_part(s: State, g: Setup, seat: int, move: int) -> int:
    """GR-6.3, GR-6.10 why a part that is held, or bought, raises no gauge."""
    full = most(s, g, seat)
    engine = s.engine[seat] < full and move not in (state.PLAY + state.CHASSIS_PARTS, state.BUY_CHASSIS)
    chassis = s.chassis[seat] < full and move not in (state.PLAY + state.ENGINE_PARTS, state.BUY_ENGINE)
    if not engine and not chassis:
        return reasons.GAUGE_FULL
    bought = move in (state.BUY_ENGINE, state.BUY_CHASSIS)
    return reasons.PART_TOO_DEAR if bought and s.money[seat] < part_price(s, g, seat) else reasons.LEGAL


@rule
def why_not_repair(s: State, g: Setup, seat: int) -> int:
    """GR-5.10 a repair raises a level."""
    for part in PARTS:
        has_card = why_not_held(s, seat, part) == reasons.LEGAL
        if has_card and why_not_part(s, g, seat, part) == reasons.LEGAL:
            return reasons.LEGAL
    full = s.engine[seat] + s.chassis[seat] == 2 * most(s, g, seat)
    return reasons.ALL_REPAIRED if full else reasons.NO_PARTS


@rule
def begin_repair(s: State) -> None:
    """GR-6.3 the repair begins."""
    s.action = state.MENDING


@rule
def mend_on(s: State, g: Setup) -> int:
    """GR-6.3 the next part, as long as there is room. Return whether somebody must answer."""
    seat = s.turn
    full = most(s, g, seat)
    if s.engine[seat] == full and s.chassis[seat] == full:
        s.action = state.IDLE
        return 0
    return ask(s, state.MEND, seat)


@rule
def why_not_mend(s: State, g: Setup, seat: int, move: int) -> int:
    """GR-6.3 why a part is not used, or GR-6.10 the repair does not end."""
    if move == state.DONE:
        return reasons.LEGAL if s.tried else reasons.RAISE_FIRST
    return why_not_part(s, g, seat, move)


@rule
def mend(s: State, g: Setup, seat: int, move: int) -> int:
    """GR-6.3 a part is used, or the repair ends. Return whether somebody must answer."""
    if move == state.DONE:
        s.action = state.IDLE
    elif move == state.PLAY + state.TOOLBOX:  # GR-10.14
        spend(s, seat, state.TOOLBOX)
        s.left = g.toolbox
        return toolbox_on(s, g, seat)
    elif move == state.PLAY + state.ENGINE_PARTS:  # GR-10.13
        spend(s, seat, state.ENGINE_PARTS)
        raise_gauge(s, seat, state.ENGINE, 1, 0)
    elif move == state.PLAY + state.CHASSIS_PARTS:
        spend(s, seat, state.CHASSIS_PARTS)
        raise_gauge(s, seat, state.CHASSIS, 1, 0)
    else:
        francs = part_price(s, g, seat)
        s.money[seat] -= francs
        raise_gauge(s, seat, state.ENGINE if move == state.BUY_ENGINE else state.CHASSIS, 1, francs)
    return 0


@rule
def raise_gauge(s: State, seat: int, gauge: int, number: int, francs: int) -> None:
    """GR-6.3 a gauge is raised, for money or by a card."""
    if gauge == state.ENGINE:
        s.engine[seat] += number
    else:
        s.chassis[seat] += number
    s.tried = 1
    for _ in range(number):
        tell(s, state.MENDED, seat, gauge, francs)


@rule
def toolbox_on(s: State, g: Setup, seat: int) -> int:
    """GR-6.10 the levels of a Toolbox, one by one where there is a choice; what has no room is lost."""
    engine = most(s, g, seat) - s.engine[seat]
    chassis = most(s, g, seat) - s.chassis[seat]
    if s.left > 0 and engine > 0 and chassis > 0:
        return ask(s, state.TOOLBOX_LEVEL, seat)
    room = engine + chassis
    if s.left < room:
        room = s.left
    s.left = 0
    if room > 0:
        raise_gauge(s, seat, state.ENGINE if engine > 0 else state.CHASSIS, room, 0)
    return 0


@rule
def toolbox(s: State, g: Setup, seat: int, gauge: int) -> int:
    """GR-10.14 a level of a Toolbox. Return whether somebody must answer."""
    raise_gauge(s, seat, gauge, 1, 0)
    s.left -= 1
    return toolbox_on(s, g, seat)
