"""The Great Race: why a move is forbidden. Every code names one clause; its sentence is in objections.py."""

from __future__ import annotations

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

(
    LEGAL,
    # What is asked is something else
    ASKED_LEADER,
    ASKED_BIVOUAC,
    ASKED_PLAN,
    ASKED_SEQUENCE,
    ASKED_TARGET,
    ASKED_SPLIT,
    ASKED_SPOT,
    ASKED_CANCEL,
    ASKED_RANSOM,
    ASKED_KEEP,
    ASKED_PICK,
    ASKED_TILE,
    ASKED_PLACE,
    ASKED_PART,
    ASKED_LEVEL,
    ASKED_STEP,
    ASKED_ARRIVAL,
    ASKED_DANGER,
    ASKED_DAMAGE,
    ASKED_STOP,
    ASKED_DISCARD,
    ASKED_CUSTOMS,
    # Cards and petrol
    NOT_HELD,
    NO_JERRYCAN_NOW,
    PETROL_FULL,
    NOT_AT_BIVOUAC,
    NOT_DRAWN,
    LEADER_TAKEN,
    SIX_ASSISTANTS,
    FIVE_ASSISTANTS,
    BUYING_CLOSED,
    NO_ROOM_FOR_PETROL,
    PETROL_TOO_DEAR,
    NO_MONEY_FOR_PETROL,
    ONLY_AGAINST_DANGER,
    ONLY_WITH_LANE,
    ONLY_AT_STOP,
    ONLY_IN_REPAIR,
    NO_LOOSE_TILE,
    ONE_LOOSE_TILE,
    NO_TARGET,
    NO_CARDS_LEFT,
    # Assistants and leaders
    NO_ASSISTANT,
    NOT_KATE,
    KATE_WAS_HERE,
    NO_VICTIM,
    NOT_COOK,
    COOK_WAS_HERE,
    ALL_REPAIRED,
    NO_PARTS,
    BROKEN,
    NO_PETROL,
    NO_STEP,
    NO_TILES_LEFT,
    NO_FREE_SPACE,
    NOTHING_TO_CLEAR,
    # Targets and tiles
    NO_SUCH_PLAYER,
    NOT_YOURSELF,
    HAS_FINISHED,
    NOTHING_TO_LOSE,
    NO_SUCH_SPACE,
    NO_TILE_HERE,
    VEHICLE_HERE,
    NAMED_BEFORE,
    NOT_CONNECTED,
    CITY_HERE,
    TILE_HERE,
    TILE_NOT_DRAWN,
    # Repairs
    GAUGE_FULL,
    PART_TOO_DEAR,
    RAISE_FIRST,
    # Driving
    STEP_FIRST,
    TOO_FAR,
    LANE_COMES_FIRST,
    LANE_TOO_DEAR,
    LANE_CHOSEN,
    NO_LANE,
    FARE_IS_PAID,
    NOT_ENOUGH_PETROL,
    TOO_MUCH_DAMAGE,
    NO_STEP_AFTER_STOP,
    NO_DANGER,
    GUARD_IN_VAIN,
    NO_GUARD,
    MUST_AVOID,
) = range(86)

CODES = 86

_ASKED = {
    CHOOSE_LEADER: ASKED_LEADER,
    TAKE: ASKED_BIVOUAC,
    PLANS_STAGE: ASKED_PLAN,
    ACT: ASKED_SEQUENCE,
    TARGET: ASKED_TARGET,
    SPLIT: ASKED_SPLIT,
    SPOT: ASKED_SPOT,
    CANCEL: ASKED_CANCEL,
    RANSOM_STAGE: ASKED_RANSOM,
    KEEP: ASKED_KEEP,
    PICK_TILE: ASKED_PICK,
    PLACE_TILE: ASKED_TILE,
    PLACE_SPACE: ASKED_PLACE,
    MEND: ASKED_PART,
    TOOLBOX_LEVEL: ASKED_LEVEL,
    STEP: ASKED_STEP,
    ARRIVAL: ASKED_ARRIVAL,
    DANGER: ASKED_DANGER,
    DAMAGE: ASKED_DAMAGE,
    STOP_SIGN: ASKED_STOP,
    DISCARD: ASKED_DISCARD,
    CUSTOMS_DISCARD: ASKED_CUSTOMS,
}
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
    MILITIA: ONLY_AGAINST_DANGER,
    TRANSPORT: ONLY_WITH_LANE,
    GUIDE: ONLY_AT_STOP,
    ENGINE_PARTS: ONLY_IN_REPAIR,
    CHASSIS_PARTS: ONLY_IN_REPAIR,
    TOOLBOX: ONLY_IN_REPAIR,
}


def why(s: State, g: Setup, seat: int, move: int) -> int:
    """Return the code of why ``move`` is illegal for ``seat``, which must decide; LEGAL (0) if legal."""
    stage = s.stage
    if move == PLAY + JERRYCAN:
        if stage in (PLANS_STAGE, CHOOSE_LEADER):
            return NO_JERRYCAN_NOW
        if not s.hand[seat, JERRYCAN]:
            return NOT_HELD
        return PETROL_FULL if s.petrol[seat] == most(s, g, seat) else LEGAL
    if move not in _ANSWERS[stage]:
        return _ASKED[stage]
    if move in _SPACES and move - SPACE >= g.spaces:
        return NO_SUCH_SPACE
    if move in _CARDS and not s.hand[seat, move - PLAY]:
        return NOT_HELD
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
        return LEGAL if move == DECLINE or any_step(s, g, seat) else NO_STEP_AFTER_STOP
    if stage == PLANS_STAGE:
        six = s.leader[seat] == LI and s.round % 2 == 1
        if six == (move - PLAN >= FIVE):
            return LEGAL
        return SIX_ASSISTANTS if six else FIVE_ASSISTANTS
    if stage == CHOOSE_LEADER:
        taken = any(s.leader[other] == move - LEADER for other in range(g.players))
        return LEADER_TAKEN if taken else LEGAL
    if stage == TAKE:
        return LEGAL if s.market[move - TAKE_CARD] else NOT_AT_BIVOUAC
    if stage == KEEP:
        return LEGAL if s.drawn[seat, move - DROP_CARD] else NOT_DRAWN
    if stage in (PICK_TILE, PLACE_TILE):
        return LEGAL if s.drawn_tiles[move - TILE] else TILE_NOT_DRAWN
    if stage in (DISCARD, CUSTOMS_DISCARD):
        return LEGAL if s.hand[seat, move - DROP_CARD] else NOT_HELD
    return LEGAL  # a gauge is asked for only where either can be named; Kate's victim may pay or not


# ---- a sequence -----------------------------------------------------------------------------------


def _act(s: State, g: Setup, seat: int, move: int) -> int:
    """A step of the player's sequence (GR-5.1)."""
    if move in _CARDS:
        return _convoy_card(s, g, seat, move - PLAY)
    if move < SCOUT:
        return _buy(s, g, seat, move - BUY)
    if move in BOX and not s.assistants[seat, BOX[move]]:
        return NO_ASSISTANT
    if move == SCOUT:
        return _scout(s, g, seat)
    if move == SUPPLY:
        return LEGAL if cards_left(s) else NO_CARDS_LEFT
    if move == REPAIR:
        return _repair(s, g, seat)
    if move == DRIVE:
        return _drive(s, g, seat)
    if move == FUND:
        return LEGAL if s.assistants[seat, FUNDING] else NO_ASSISTANT
    if move == STEAL:
        if s.leader[seat] != KATE:
            return NOT_KATE
        if s.power_used[seat]:
            return KATE_WAS_HERE
        return LEGAL if any_target(s, g, STEALING, seat) else NO_VICTIM
    if move == COOK_CLEAR and (code := _cook(s, seat)):
        return code
    if move in (CLEAR, COOK_CLEAR):
        return LEGAL if can_clear(s, g, s.at[seat], _room()) else NOTHING_TO_CLEAR
    assert move == PASS
    return LEGAL


def _convoy_card(s: State, g: Setup, seat: int, kind: int) -> int:
    """A card that is held (GR-5.10, GR-5.13)."""
    if kind in _BELONGS:
        return _BELONGS[kind]
    if kind in (SABOTEUR, RANSOM, SIPHONER, CUSTOMS):
        return LEGAL if any_target(s, g, action_of(kind), seat) else NO_TARGET
    if kind in (TRAIL_HUNTER, CON_ARTIST):
        tiles = loose_tiles(s, g, 2)
        if not tiles:
            return NO_LOOSE_TILE
        return ONE_LOOSE_TILE if kind == CON_ARTIST and tiles == 1 else LEGAL
    if kind == REPAIRMAN:
        return _repair(s, g, seat)
    if kind == DRIVER:
        return _drive(s, g, seat)
    if kind in (CARTOGRAPHER, TOPOGRAPHER):
        return _scout(s, g, seat)
    if kind == TRACKER:
        return LEGAL if cards_left(s) else NO_CARDS_LEFT
    if kind == REFUELING_STATION and s.petrol[seat] == most(s, g, seat):
        return PETROL_FULL
    return LEGAL


def _buy(s: State, g: Setup, seat: int, number: int) -> int:
    """Petrol at the start of a sequence (GR-5.2)."""
    if s.bought:
        return BUYING_CLOSED
    room = most(s, g, seat) - s.petrol[seat]
    if number > room:
        return NO_ROOM_FOR_PETROL if room else PETROL_FULL
    price = petrol_price(s, g, seat)
    if price > s.money[seat]:
        return NO_MONEY_FOR_PETROL
    return PETROL_TOO_DEAR if number * price > s.money[seat] else LEGAL


def _scout(s: State, g: Setup, seat: int) -> int:
    """Drawing tiles and placing them (GR-5.10)."""
    if not tiles_left(s):
        return NO_TILES_LEFT
    return LEGAL if can_scout(s, g, seat, _room()) else NO_FREE_SPACE


def _repair(s: State, g: Setup, seat: int) -> int:
    """A repair (GR-5.10)."""
    if can_repair(s, g, seat, _room()):
        return LEGAL
    full = most(s, g, seat)
    return ALL_REPAIRED if s.engine[seat] == s.chassis[seat] == full else NO_PARTS


def _drive(s: State, g: Setup, seat: int) -> int:
    """A drive (GR-5.10)."""
    if not s.engine[seat]:
        return BROKEN
    if not s.petrol[seat]:
        return NO_PETROL
    return LEGAL if can_drive(s, g, seat) else NO_STEP


def _cook(s: State, seat: int) -> int:
    """Cook's free guard (GR-11.1)."""
    if s.leader[seat] != COOK:
        return NOT_COOK
    return LEGAL if cook_guard(s, seat) else COOK_WAS_HERE


# ---- within an action -----------------------------------------------------------------------------


def _target(s: State, g: Setup, seat: int, target: int) -> int:
    """The rival that a card or a theft aims at (GR-10.23)."""
    if target >= g.players:
        return NO_SUCH_PLAYER
    if target == seat:
        return NOT_YOURSELF
    if s.place[target]:
        return HAS_FINISHED
    return LEGAL if can_target(s, g, s.action, seat, target) else NOTHING_TO_LOSE


def _spot(s: State, g: Setup, space: int) -> int:
    """A tile that is removed or swapped (GR-6.6, GR-10.1, GR-10.6)."""
    if s.tile[space] < 0:
        return NO_TILE_HERE
    if has_vehicle(s, g, space):
        return VEHICLE_HERE
    if s.action == CLEARING:
        return LEGAL if _marks(s, g)[space] >= LAST else NOT_CONNECTED
    return NAMED_BEFORE if space == s.first_spot else LEGAL


def _place(s: State, g: Setup, space: int) -> int:
    """Where a tile is placed (GR-6.1)."""
    if g.land[space] == CITY:
        return CITY_HERE
    if not blank(s, g, space):
        return TILE_HERE
    return LEGAL if _marks(s, g)[space] == FREE_SPACE else NOT_CONNECTED


def _react(s: State, g: Setup, seat: int, move: int) -> int:
    """A guard or a Militia against a danger, or none (GR-7.13, GR-10.20)."""
    if s.stage != CANCEL:
        if move == DECLINE:
            must = s.stage == DANGER and not payable(s, g, seat, s.entering, 1)
            return MUST_AVOID if must else LEGAL
        if not g.tile_danger[s.tile[s.entering]]:
            return NO_DANGER
        if not payable(s, g, seat, s.entering, 0):
            return GUARD_IN_VAIN
    if move == GUARD:
        return LEGAL if s.assistants[seat, SECURITY] else NO_GUARD
    return _cook(s, seat) if move == COOK_GUARD else LEGAL


def _mend(s: State, g: Setup, seat: int, move: int) -> int:
    """A part, or the end of the repair (GR-6.3)."""
    if move == DONE:
        return LEGAL if s.tried else RAISE_FIRST
    if move == PLAY + TOOLBOX:
        return LEGAL  # a repair ends where both gauges are full
    engine = move in (PLAY + ENGINE_PARTS, BUY_ENGINE)
    if (s.engine[seat] if engine else s.chassis[seat]) == most(s, g, seat):
        return GAUGE_FULL
    bought = move in (BUY_ENGINE, BUY_CHASSIS)
    return PART_TOO_DEAR if bought and s.money[seat] < part_price(s, g, seat) else LEGAL


def _step(s: State, g: Setup, seat: int, move: int) -> int:
    """The next step of a drive, a Transport, or the halt (GR-7.1, GR-7.9, GR-7.17)."""
    if move == HALT:
        return LEGAL if s.tried else STEP_FIRST
    if move == PLAY + TRANSPORT:
        return _transport(s, g, seat)
    space, here = move - SPACE, s.at[seat]
    beside = any(g.beside[here, way] == space for way in range(WAYS))
    lane = lane_to(g, here, space)
    if not beside and lane == OFF:
        return TOO_FAR
    if not s.petrol[seat]:
        return NO_PETROL
    if lane != OFF:
        if s.tried:
            return LANE_COMES_FIRST
        return LANE_TOO_DEAR if fare(s, g, lane, 0) > s.money[seat] else LEGAL
    if s.discount:
        return LANE_CHOSEN
    if can_step(s, g, seat, space):
        return LEGAL
    if blank(s, g, space):
        return NO_TILES_LEFT
    if petrol_for(s, g, space) > s.petrol[seat]:
        return NOT_ENOUGH_PETROL
    assert damage_of(s, g, space, 1 - can_avoid(s, seat)) > levels(s, seat)
    return TOO_MUCH_DAMAGE


def _transport(s: State, g: Setup, seat: int) -> int:
    """A Transport that is held (GR-7.9)."""
    here = s.at[seat]
    if s.tried:
        return LANE_COMES_FIRST
    lanes = [lane for lane in range(g.lanes) if in_city(s, g, seat) and lane_end(g, lane, here) >= 0]
    if not lanes:
        return NO_LANE
    if not s.petrol[seat]:
        return NO_PETROL
    if any_lane(s, g, seat, 1):
        return LEGAL
    return FARE_IS_PAID if any(g.fare[lane] <= s.discount for lane in lanes) else LANE_TOO_DEAR


def _room() -> list[int]:
    """Room for what the kernel's questions write."""
    return [0] * (ACTIONS + 1)


def _marks(s: State, g: Setup) -> list[int]:
    """What is connected to the vehicle of ``turn``, as ``connect`` marks it (GR-6.9)."""
    marks = _room()
    connect(s, g, s.at[s.turn], marks)
    return marks
