"""The Great Race: what a player sees in few numbers, the input of *Champion*: relative to its vehicle and the
way that *Club* would take from there.

All numbers are from −1 to 1. ``features.py`` says more, for networks that have more time to learn.
"""

from __future__ import annotations

from paddock.games.great_race.bots import outlook
from paddock.games.great_race.bots.features import (
    DAMAGE,
    DOINGS,
    PETROL,
    RICH,
    STAGES,
    aimed,
    asks,
    card,
    drawn,
    faced,
    hand,
    market,
    placed,
    plan,
    turn,
)
from paddock.games.great_race.rules import state
from paddock.games.great_race.rules.land import lane_to, petrol_for, tiles_left
from paddock.games.great_race.rules.state import GAUGE, Setup, State
from paddock.kernel import Floats, field, rule, share

LONG = 200  # the cost of a way, in tenths of a level; more is counted as so much
FAR = 600  # the same across a full map
NEAR = 60  # the same for the difference between two ways
STEP = 40  # the same for a step
OFTEN = 3  # cards of a kind that a player has played or discarded; more are counted as so many
VALUE = 60  # of a repair; more is counted as so much
PLAYER = 24  # numbers in the block ``players`` for each player
WAY = 10  # numbers in the block ``road`` for each way
ROAD = 9  # numbers in it besides


@rule
def ahead(s: State, g: Setup, direction: int) -> int:
    """Return a way as if the race went east: a race that goes west is seen in a mirror."""
    return direction if g.column[s.goal] >= g.column[s.origin] else (state.WAYS - direction) % state.WAYS


@rule
def question(s: State, g: Setup, seat: int, out: Floats, n: int) -> int:
    """One-hot: the stage and the action under way, in the order of state.py; all 0 for no action."""
    out[n + s.stage] = 1
    if s.action > 0:
        out[n + STAGES + s.action - 1] = 1
    return n + STAGES + DOINGS - 1


@rule
def picked(s: State, g: Setup, seat: int, out: Floats, n: int) -> int:
    """The tile that is placed next (GR-6.8): 1 for one; its petrol and its damage, each of 4; 1 for a danger
    and a stop sign."""
    if s.picked != state.BLANK:
        out[n] = 1
        out[n + 1] = g.tile_petrol[s.picked] / PETROL
        out[n + 2] = g.tile_damage[s.picked] / DAMAGE
        out[n + 3] = g.tile_danger[s.picked]
        out[n + 4] = g.tile_stop[s.picked]
    return n + 5


@rule
def players(s: State, g: Setup, seat: int, out: Floats, n: int) -> int:
    """For each player: 1 if there is one; place in the turn order and among the progress tokens (GR-8.1),
    each of 5; petrol, engine and chassis, each of 9; money, of 400 F; cards, of 9; active assistants in each
    box (GR-4.1), of 6; place of arrival, of 5 (GR-9.1); then 1 for who has passed (GR-5.4), has committed a
    plan, must decide, has the turn, is the target of the card or theft under way (GR-10.22); the leader,
    one-hot (GR-11); 1 for who has used its power (GR-11.6)."""
    if placed(s):
        for i in range(g.players):
            out[n + PLAYER * ((s.order[i] - seat) % g.players) + 1] = (i + 1) / state.SEATS
            out[n + PLAYER * ((s.token_order[i] - seat) % g.players) + 2] = (i + 1) / state.SEATS
    for k in range(g.players):
        player = (seat + k) % g.players
        at = n + PLAYER * k
        out[at] = 1
        out[at + 3] = s.petrol[player] / GAUGE
        out[at + 4] = s.engine[player] / GAUGE
        out[at + 5] = s.chassis[player] / GAUGE
        out[at + 6] = share(s.money[player], RICH)
        out[at + 7] = share(s.cards[player], GAUGE)
        for box in range(state.BOXES):
            out[at + 8 + box] = s.assistants[player, box] / 6
        out[at + 12] = s.place[player] / state.SEATS
        out[at + 13] = s.passed[player]
        out[at + 14] = s.plan[player] != 0
        out[at + 15] = asks(s, player)
        out[at + 16] = s.phase > state.LOTS and s.turn == player
        out[at + 17] = aimed(s) and s.target == player
        if s.leader[player] != state.NO_LEADER:
            out[at + 18 + s.leader[player]] = 1
        out[at + 23] = s.power_used[player]
    return n + PLAYER * state.SEATS


@rule
def road(s: State, g: Setup, seat: int, out: Floats, n: int) -> int:
    """What ways cost the own player, in tenths of a level of petrol. For each player: its way to the
    destination, of 200; how much longer it is than the own one, of 60. For each way from the own vehicle,
    north first and clockwise, or anticlockwise in a race to the west: 1 for a space, a city, and a tile;
    petrol and damage of the tile, each of 4; 1 for a danger and a stop sign; how much longer the way over it
    is than the best one, of 40; 1 if it is the destination, and if it is the next space of the best way. Then
    an unknown tile, of 40; 1 if the next step takes a lane; steps to the first unknown space and to the
    destination, of 6; petrol for the next drive, of 9; what a repair gains, of 60; 1 if the petrol is enough,
    if no tiles are left, in a city. Last, for each player its way to the destination once more, of 600."""
    if placed(s):
        here = s.at[seat]
        room = s.scratch
        unknown = outlook.find_ways(s, g, seat, room, 0)
        own_cost = room[here]
        for k in range(g.players):
            rival_cost = room[s.at[(seat + k) % g.players]]
            out[n + 2 * k] = share(rival_cost, LONG)
            out[n + 2 * k + 1] = share(rival_cost - own_cost, NEAR)
        to = outlook.next_space(s, g, seat, here, room, 0, unknown)
        for direction in range(state.WAYS):
            space = g.beside[here, direction]
            at = n + 2 * state.SEATS + WAY * ahead(s, g, direction)
            if space != state.OFF:
                out[at] = 1
                out[at + 1] = g.land[space] == state.CITY
                kind = s.tile[space]
                if kind != state.BLANK:
                    out[at + 2] = 1
                    out[at + 3] = petrol_for(s, g, space) / PETROL
                    out[at + 4] = g.tile_damage[kind] / DAMAGE
                    out[at + 5] = g.tile_danger[kind]
                    out[at + 6] = g.tile_stop[kind]
                detour = room[space] + outlook.space_cost(s, g, seat, space, unknown) - own_cost
                out[at + 7] = share(detour, STEP)
                out[at + 8] = space == s.goal
                out[at + 9] = space == to
        at = n + 2 * state.SEATS + WAY * state.WAYS
        out[at] = share(unknown, STEP)
        out[at + 1] = to != state.OFF and lane_to(g, here, to) != state.OFF
        out[at + 2] = outlook.steps_away(s, g, seat, state.BLANK, room, 0, unknown) / outlook.AHEAD
        out[at + 3] = outlook.steps_away(s, g, seat, s.goal, room, 0, unknown) / outlook.AHEAD
        out[at + 4] = share(outlook.petrol_wanted(s, g, seat, room, 0, unknown), GAUGE)
        out[at + 5] = share(outlook.repair_value(s, g, seat), VALUE)
        out[at + 6] = own_cost <= 10 * s.petrol[seat]
        out[at + 7] = tiles_left(s) == 0
        out[at + 8] = g.land[here] == state.CITY
        for k in range(g.players):
            out[at + ROAD + k] = share(room[s.at[(seat + k) % g.players]], FAR)
        for space in range(g.spaces):
            room[space] = 0
    return n + 3 * state.SEATS + WAY * state.WAYS + ROAD


@rule
def past(s: State, g: Setup, seat: int, out: Floats, n: int) -> int:
    """For each player, the own one first: the cards of each kind that it has played, then those that it has
    discarded, of 3 (GR-1.5)."""
    for k in range(g.players):
        player = (seat + k) % g.players
        at = n + 2 * state.CARDS * k
        for kind in range(2 * state.CARDS):
            out[at + kind] = share(s.past[player, kind], OFTEN)
    return n + 2 * state.CARDS * state.SEATS


FIELDS = (
    field(question, STAGES + DOINGS - 1),
    field(card, state.CARDS),
    field(turn, 11),
    field(faced, 5),
    field(hand, state.CARDS),
    field(drawn, state.CARDS),
    field(market, state.CARDS),
    field(picked, 5),
    field(players, PLAYER * state.SEATS),
    field(plan, state.BOXES),
    field(road, 3 * state.SEATS + WAY * state.WAYS + ROAD),
    field(past, 2 * state.CARDS * state.SEATS),
)
SHORT_FEATURES = sum(block.size for block in FIELDS)
PRESENT_FEATURES = SHORT_FEATURES - FIELDS[-1].size
OUTPUTS = state.ACTIONS + state.WAYS


@rule
def observe_short(s: State, g: Setup, seat: int, out: Floats) -> None:
    """Write what the player ``seat`` sees to ``out``: SHORT_FEATURES zeros. ``FIELDS`` says what each number
    is. ``s.scratch`` is a buffer, 0 before and after."""
    n = question(s, g, seat, out, 0)
    n = card(s, g, seat, out, n)
    n = turn(s, g, seat, out, n)
    n = faced(s, g, seat, out, n)
    n = hand(s, g, seat, out, n)
    n = drawn(s, g, seat, out, n)
    n = market(s, g, seat, out, n)
    n = picked(s, g, seat, out, n)
    n = players(s, g, seat, out, n)
    n = plan(s, g, seat, out, n)
    n = road(s, g, seat, out, n)
    past(s, g, seat, out, n)


@rule
def output(s: State, g: Setup, seat: int, move: int) -> int:
    """Return the output of a network for a move: its id; for a space beside the own vehicle one for each way,
    and other players in table order from the own one."""
    if move < state.PLAY and placed(s):
        for direction in range(state.WAYS):
            if g.beside[s.at[seat], direction] == move:
                return state.ACTIONS + ahead(s, g, direction)
    elif state.SEAT <= move < state.TILE:
        return state.SEAT + (move - state.SEAT - seat) % g.players
    return move
