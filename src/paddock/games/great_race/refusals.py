"""The Great Race: why a move is forbidden. The codes are in reasons.py."""

from __future__ import annotations

from paddock.games.great_race import reasons
from paddock.games.great_race.convoy import petrol_price
from paddock.games.great_race.crew import can_avoid, cook_guard, in_city, most
from paddock.games.great_race.driving import (
    any_lane,
    any_step,
    can_drive,
    can_step,
    damage_of,
    fare,
    levels,
    payable,
)
from paddock.games.great_race.effects import action_of, any_target, can_target
from paddock.games.great_race.land import FREE as FREE_SPACE
from paddock.games.great_race.land import (
    LAST,
    blank,
    can_clear,
    connect,
    has_vehicle,
    lane_end,
    lane_to,
    loose_tiles,
    petrol_for,
    tiles_left,
)
from paddock.games.great_race.repair import can_repair, part_price
from paddock.games.great_race.resources import cards_left
from paddock.games.great_race.scouting import can_scout
from paddock.games.great_race.state import (
    ACT,
    ACTIONS,
    ARRIVAL,
    BUY,
    BUY_CHASSIS,
    BUY_ENGINE,
    CANCEL,
    CARTOGRAPHER,
    CHASSIS,
    CHASSIS_PARTS,
    CHOOSE_LEADER,
    CITY,
    CLEAR,
    CLEARING,
    CON_ARTIST,
    COOK,
    COOK_CLEAR,
    COOK_GUARD,
    CUSTOMS,
    CUSTOMS_DISCARD,
    DAMAGE,
    DANGER,
    DECLINE,
    DISCARD,
    DONE,
    DRIVE,
    DRIVER,
    DROP_CARD,
    ENGINE,
    ENGINE_PARTS,
    FIVE,
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
    SABOTEUR,
    SCOUT,
    SEAT,
    SECURITY,
    SIPHONER,
    SPACE,
    SPLIT,
    SPOT,
    STEAL,
    STEALING,
    STEP,
    STOP_SIGN,
    SUPPLY,
    TAKE,
    TAKE_CARD,
    TARGET,
    TILE,
    TOOLBOX,
    TOOLBOX_LEVEL,
    TOPOGRAPHER,
    TRACKER,
    TRAIL_HUNTER,
    TRANSPORT,
    WAYS,
    Setup,
    State,
)

CODES = reasons.CODES
# The moves that a stage asks for; a card to play is looked at by itself.
_SPACES = range(SPACE, PLAY)
_CARDS = range(PLAY, TAKE_CARD)
_DROPS = range(DROP_CARD, SEAT)
_TILES = range(TILE, PLAN)
_GAUGES = (ENGINE, CHASSIS)
_REACTIONS = (GUARD, COOK_GUARD, PLAY + MILITIA, DECLINE)
_ANSWERS = {
    CHOOSE_LEADER: range(LEADER, BUY + 1),
    TAKE: range(TAKE_CARD, DROP_CARD),
    PLANS_STAGE: range(PLAN, LEADER),
    ACT: (*_CARDS, *range(BUY + 1, STEAL + 1)),
    TARGET: range(SEAT, TILE),
    SPLIT: _GAUGES,
    SPOT: _SPACES,
    CANCEL: _REACTIONS,
    RANSOM_STAGE: (PAY, DECLINE),
    KEEP: _DROPS,
    PICK_TILE: _TILES,
    PLACE_TILE: _TILES,
    PLACE_SPACE: _SPACES,
    MEND: (PLAY + ENGINE_PARTS, PLAY + CHASSIS_PARTS, PLAY + TOOLBOX, BUY_ENGINE, BUY_CHASSIS, DONE),
    TOOLBOX_LEVEL: _GAUGES,
    STEP: (*_SPACES, PLAY + TRANSPORT, HALT),
    ARRIVAL: _REACTIONS,
    DANGER: _REACTIONS,
    DAMAGE: _GAUGES,
    STOP_SIGN: (PLAY + GUIDE, DECLINE),
    DISCARD: _DROPS,
    CUSTOMS_DISCARD: _DROPS,
}
BOX = {SCOUT: PATHFINDER, SUPPLY: PATHFINDER, REPAIR: MECHANICS, DRIVE: MECHANICS, CLEAR: SECURITY}
_BELONGS = {
    MILITIA: reasons.ONLY_AGAINST_DANGER,
    TRANSPORT: reasons.ONLY_WITH_LANE,
    GUIDE: reasons.ONLY_AT_STOP,
    ENGINE_PARTS: reasons.ONLY_IN_REPAIR,
    CHASSIS_PARTS: reasons.ONLY_IN_REPAIR,
    TOOLBOX: reasons.ONLY_IN_REPAIR,
}


def why(s: State, g: Setup, seat: int, move: int) -> int:
    """Return the code of why ``move`` is illegal for ``seat``, which must decide; LEGAL (0) if legal."""
    stage = s.stage
    if move == PLAY + JERRYCAN:
        if stage in (PLANS_STAGE, CHOOSE_LEADER):
            return reasons.NO_JERRYCAN_NOW
        if not s.hand[seat, JERRYCAN]:
            return reasons.NOT_HELD
        return reasons.PETROL_FULL if s.petrol[seat] == most(s, g, seat) else reasons.LEGAL
    if move not in _ANSWERS[stage]:
        return reasons.ASKED[stage]
    if move in _SPACES and move - SPACE >= g.spaces:
        return reasons.NO_SUCH_SPACE
    if move in _CARDS and not s.hand[seat, move - PLAY]:
        return reasons.NOT_HELD
    if stage == ACT:
        return _act(s, g, seat, move)
    if stage == STEP:
        return _step(s, g, seat, move)
    if stage in (ARRIVAL, DANGER, CANCEL):
        return _react(s, g, seat, move)
    if stage == MEND:
        return _mend(s, g, seat, move)
    if stage == SPOT:
        return _spot(s, g, move - SPACE)
    if stage == PLACE_SPACE:
        return _place(s, g, move - SPACE)
    if stage == TARGET:
        return _target(s, g, seat, move - SEAT)
    if stage == STOP_SIGN:
        return reasons.LEGAL if move == DECLINE or any_step(s, g, seat) else reasons.NO_STEP_AFTER_STOP
    if stage == PLANS_STAGE:
        six = s.leader[seat] == LI and s.round % 2 == 1
        if six == (move - PLAN >= FIVE):
            return reasons.LEGAL
        return reasons.SIX_ASSISTANTS if six else reasons.FIVE_ASSISTANTS
    if stage == CHOOSE_LEADER:
        taken = any(s.leader[other] == move - LEADER for other in range(g.players))
        return reasons.LEADER_TAKEN if taken else reasons.LEGAL
    if stage == TAKE:
        return reasons.LEGAL if s.market[move - TAKE_CARD] else reasons.NOT_AT_BIVOUAC
    if stage == KEEP:
        return reasons.LEGAL if s.drawn[seat, move - DROP_CARD] else reasons.NOT_DRAWN
    if stage in (PICK_TILE, PLACE_TILE):
        return reasons.LEGAL if s.drawn_tiles[move - TILE] else reasons.TILE_NOT_DRAWN
    if stage in (DISCARD, CUSTOMS_DISCARD):
        return reasons.LEGAL if s.hand[seat, move - DROP_CARD] else reasons.NOT_HELD
    return reasons.LEGAL  # a gauge is asked for only where either can be named; Kate's victim may pay or not


# ---- a sequence -----------------------------------------------------------------------------------


def _act(s: State, g: Setup, seat: int, move: int) -> int:
    """A step of the player's sequence (GR-5.1)."""
    if move in _CARDS:
        return _convoy_card(s, g, seat, move - PLAY)
    if move < SCOUT:
        return _buy(s, g, seat, move - BUY)
    if move in BOX and not s.assistants[seat, BOX[move]]:
        return reasons.NO_ASSISTANT
    if move == SCOUT:
        return _scout(s, g, seat)
    if move == SUPPLY:
        return reasons.LEGAL if cards_left(s) else reasons.NO_CARDS_LEFT
    if move == REPAIR:
        return _repair(s, g, seat)
    if move == DRIVE:
        return _drive(s, g, seat)
    if move == FUND:
        return reasons.LEGAL if s.assistants[seat, FUNDING] else reasons.NO_ASSISTANT
    if move == STEAL:
        if s.leader[seat] != KATE:
            return reasons.NOT_KATE
        if s.power_used[seat]:
            return reasons.KATE_WAS_HERE
        return reasons.LEGAL if any_target(s, g, STEALING, seat) else reasons.NO_VICTIM
    if move == COOK_CLEAR and (code := _cook(s, seat)):
        return code
    if move in (CLEAR, COOK_CLEAR):
        return reasons.LEGAL if can_clear(s, g, s.at[seat], _room()) else reasons.NOTHING_TO_CLEAR
    assert move == PASS
    return reasons.LEGAL


def _convoy_card(s: State, g: Setup, seat: int, kind: int) -> int:
    """A card that is held (GR-5.10, GR-5.13)."""
    if kind in _BELONGS:
        return _BELONGS[kind]
    if kind in (SABOTEUR, RANSOM, SIPHONER, CUSTOMS):
        return reasons.LEGAL if any_target(s, g, action_of(kind), seat) else reasons.NO_TARGET
    if kind in (TRAIL_HUNTER, CON_ARTIST):
        tiles = loose_tiles(s, g, 2)
        if not tiles:
            return reasons.NO_LOOSE_TILE
        return reasons.ONE_LOOSE_TILE if kind == CON_ARTIST and tiles == 1 else reasons.LEGAL
    if kind == REPAIRMAN:
        return _repair(s, g, seat)
    if kind == DRIVER:
        return _drive(s, g, seat)
    if kind in (CARTOGRAPHER, TOPOGRAPHER):
        return _scout(s, g, seat)
    if kind == TRACKER:
        return reasons.LEGAL if cards_left(s) else reasons.NO_CARDS_LEFT
    if kind == REFUELING_STATION and s.petrol[seat] == most(s, g, seat):
        return reasons.PETROL_FULL
    return reasons.LEGAL


def _buy(s: State, g: Setup, seat: int, number: int) -> int:
    """Petrol at the start of a sequence (GR-5.2)."""
    if s.bought:
        return reasons.BUYING_CLOSED
    room = most(s, g, seat) - s.petrol[seat]
    if number > room:
        return reasons.NO_ROOM_FOR_PETROL if room else reasons.PETROL_FULL
    price = petrol_price(s, g, seat)
    if price > s.money[seat]:
        return reasons.NO_MONEY_FOR_PETROL
    return reasons.PETROL_TOO_DEAR if number * price > s.money[seat] else reasons.LEGAL


def _scout(s: State, g: Setup, seat: int) -> int:
    """Drawing tiles and placing them (GR-5.10)."""
    if not tiles_left(s):
        return reasons.NO_TILES_LEFT
    return reasons.LEGAL if can_scout(s, g, seat, _room()) else reasons.NO_FREE_SPACE


def _repair(s: State, g: Setup, seat: int) -> int:
    """A repair (GR-5.10)."""
    if can_repair(s, g, seat, _room()):
        return reasons.LEGAL
    full = most(s, g, seat)
    return reasons.ALL_REPAIRED if s.engine[seat] == s.chassis[seat] == full else reasons.NO_PARTS


def _drive(s: State, g: Setup, seat: int) -> int:
    """A drive (GR-5.10)."""
    if not s.engine[seat]:
        return reasons.BROKEN
    if not s.petrol[seat]:
        return reasons.NO_PETROL
    return reasons.LEGAL if can_drive(s, g, seat) else reasons.NO_STEP


def _cook(s: State, seat: int) -> int:
    """Cook's free guard (GR-11.1)."""
    if s.leader[seat] != COOK:
        return reasons.NOT_COOK
    return reasons.LEGAL if cook_guard(s, seat) else reasons.COOK_WAS_HERE


# ---- within an action -----------------------------------------------------------------------------


def _target(s: State, g: Setup, seat: int, target: int) -> int:
    """The rival that a card or a theft aims at (GR-10.23)."""
    if target >= g.players:
        return reasons.NO_SUCH_PLAYER
    if target == seat:
        return reasons.NOT_YOURSELF
    if s.place[target]:
        return reasons.HAS_FINISHED
    return reasons.LEGAL if can_target(s, g, s.action, seat, target) else reasons.NOTHING_TO_LOSE


def _spot(s: State, g: Setup, space: int) -> int:
    """A tile that is removed or swapped (GR-6.6, GR-10.1, GR-10.6)."""
    if s.tile[space] < 0:
        return reasons.NO_TILE_HERE
    if has_vehicle(s, g, space):
        return reasons.VEHICLE_HERE
    if s.action == CLEARING:
        return reasons.LEGAL if _marks(s, g)[space] >= LAST else reasons.NOT_CONNECTED
    return reasons.NAMED_BEFORE if space == s.first_spot else reasons.LEGAL


def _place(s: State, g: Setup, space: int) -> int:
    """Where a tile is placed (GR-6.1)."""
    if g.land[space] == CITY:
        return reasons.CITY_HERE
    if not blank(s, g, space):
        return reasons.TILE_HERE
    return reasons.LEGAL if _marks(s, g)[space] == FREE_SPACE else reasons.NOT_CONNECTED


def _react(s: State, g: Setup, seat: int, move: int) -> int:
    """A guard or a Militia against a danger, or none (GR-7.13, GR-10.20)."""
    if s.stage != CANCEL:
        if move == DECLINE:
            must = s.stage == DANGER and not payable(s, g, seat, s.entering, 1)
            return reasons.MUST_AVOID if must else reasons.LEGAL
        if not g.tile_danger[s.tile[s.entering]]:
            return reasons.NO_DANGER
        if not payable(s, g, seat, s.entering, 0):
            return reasons.GUARD_IN_VAIN
    if move == GUARD:
        return reasons.LEGAL if s.assistants[seat, SECURITY] else reasons.NO_GUARD
    return _cook(s, seat) if move == COOK_GUARD else reasons.LEGAL


def _mend(s: State, g: Setup, seat: int, move: int) -> int:
    """A part, or the end of the repair (GR-6.3)."""
    if move == DONE:
        return reasons.LEGAL if s.tried else reasons.RAISE_FIRST
    if move == PLAY + TOOLBOX:
        return reasons.LEGAL  # a repair ends where both gauges are full
    engine = move in (PLAY + ENGINE_PARTS, BUY_ENGINE)
    if (s.engine[seat] if engine else s.chassis[seat]) == most(s, g, seat):
        return reasons.GAUGE_FULL
    bought = move in (BUY_ENGINE, BUY_CHASSIS)
    return reasons.PART_TOO_DEAR if bought and s.money[seat] < part_price(s, g, seat) else reasons.LEGAL


def _step(s: State, g: Setup, seat: int, move: int) -> int:
    """The next step of a drive, a Transport, or the halt (GR-7.1, GR-7.9, GR-7.17)."""
    if move == HALT:
        return reasons.LEGAL if s.tried else reasons.STEP_FIRST
    if move == PLAY + TRANSPORT:
        return _transport(s, g, seat)
    space, here = move - SPACE, s.at[seat]
    beside = any(g.beside[here, way] == space for way in range(WAYS))
    lane = lane_to(g, here, space)
    if not beside and lane == OFF:
        return reasons.TOO_FAR
    if not s.petrol[seat]:
        return reasons.NO_PETROL
    if lane != OFF:
        if s.tried:
            return reasons.LANE_COMES_FIRST
        return reasons.LANE_TOO_DEAR if fare(s, g, lane, 0) > s.money[seat] else reasons.LEGAL
    if s.discount:
        return reasons.LANE_CHOSEN
    if can_step(s, g, seat, space):
        return reasons.LEGAL
    if blank(s, g, space):
        return reasons.NO_TILES_LEFT
    if petrol_for(s, g, space) > s.petrol[seat]:
        return reasons.NOT_ENOUGH_PETROL
    assert damage_of(s, g, space, 1 - can_avoid(s, seat)) > levels(s, seat)
    return reasons.TOO_MUCH_DAMAGE


def _transport(s: State, g: Setup, seat: int) -> int:
    """A Transport that is held (GR-7.9)."""
    here = s.at[seat]
    if s.tried:
        return reasons.LANE_COMES_FIRST
    lanes = [lane for lane in range(g.lanes) if in_city(s, g, seat) and lane_end(g, lane, here) >= 0]
    if not lanes:
        return reasons.NO_LANE
    if not s.petrol[seat]:
        return reasons.NO_PETROL
    if any_lane(s, g, seat, 1):
        return reasons.LEGAL
    return (
        reasons.FARE_IS_PAID if any(g.fare[lane] <= s.discount for lane in lanes) else reasons.LANE_TOO_DEAR
    )


def _room() -> list[int]:
    """Room for what the kernel's questions write."""
    return [0] * (ACTIONS + 1)


def _marks(s: State, g: Setup) -> list[int]:
    """What is connected to the vehicle of ``turn``, as ``connect`` marks it (GR-6.9)."""
    marks = _room()
    connect(s, g, s.at[s.turn], marks)
    return marks
