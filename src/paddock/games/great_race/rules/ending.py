"""The Great Race: maintenance, and the end of the race (GR-8, GR-9)."""

from __future__ import annotations

from paddock.games.great_race.rules.bivouac import begin_turn
from paddock.games.great_race.rules.crew import ask, pay_order, remove_assistants
from paddock.games.great_race.rules.land import progress
from paddock.games.great_race.rules.state import ENDED, NOTHING, OVER, Setup, State
from paddock.kernel import rule, tell


@rule
def end_convoy(s: State, g: Setup) -> int:
    """GR-9.2 the race ends with the turn in which somebody finished; GR-9.4 or with the last allowed one.

    GR-8.3 then there is no maintenance. Return 1: chance is due, or a seat must decide, or the race is over.
    """
    if s.arrived > 0 or s.round == g.max_turns:
        s.phase = OVER
        for seat in range(g.players):
            tell(s, ENDED, seat, rank(s, g, seat), prestige(s, g, seat))
        return ask(s, NOTHING, s.turn)
    maintain(s, g)
    return begin_turn(s, g)


@rule
def maintain(s: State, g: Setup) -> None:
    """GR-8.1 the new turn order, farthest first; on one progress space who arrived first is ahead.

    GR-11.6 all powers come back.
    """
    for i in range(g.players):
        seat = s.token_order[i]
        travelled = progress(s, g, s.at[seat])
        j = i
        while j > 0 and progress(s, g, s.at[s.order[j - 1]]) < travelled:
            s.order[j] = s.order[j - 1]
            j -= 1
        s.order[j] = seat
        s.power_used[seat] = 0
        s.passed[seat] = 0
        remove_assistants(s, seat)
    pay_order(s, g)


@rule
def arrival_points(g: Setup, place: int) -> int:
    """GR-9.3 points for arriving first, second or third."""
    if place == 1:
        return g.arrival_first
    if place == 2:
        return g.arrival_second
    return g.arrival_third if place == 3 else 0


@rule
def prestige_at(s: State, g: Setup, seat: int, place: int) -> int:
    """GR-9.3 points for arriving first, second or third, for engine and chassis, and for full 50 F."""
    levels = s.engine[seat] + s.chassis[seat]
    return arrival_points(g, place) + g.level_points * levels + s.money[seat] // g.francs_a_point


@rule
def prestige(s: State, g: Setup, seat: int) -> int:
    """GR-9.3 the prestige of a finisher; GR-9.6 who has not finished has none."""
    if s.place[seat] == 0:
        return 0
    return prestige_at(s, g, seat, s.place[seat])


@rule
def rank(s: State, g: Setup, seat: int) -> int:
    """GR-9.3 the rank by prestige, on a tie by arrival; GR-9.2 0 for who has not finished."""
    if s.place[seat] == 0:
        return 0
    own_prestige = prestige(s, g, seat)
    ahead = 1
    for rival in range(g.players):
        if s.place[rival] > 0:
            rival_prestige = prestige(s, g, rival)
            ahead += int(
                rival_prestige > own_prestige
                or (rival_prestige == own_prestige and s.place[rival] < s.place[seat])
            )
    return ahead
