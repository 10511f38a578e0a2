"""The Great Race: the reasons why a move is forbidden, each with its clause and its sentence.

The rules answer with the code of a reason; LEGAL (0) says that nothing forbids the move.
"""

from __future__ import annotations

from paddock.core.i18n import mark
from paddock.games.great_race.rules import state
from paddock.parts.reasons import Reasons

LEGAL = 0
REASONS = Reasons()
_reason = REASONS.new

# What is asked is something else
_ASKED = {
    state.CHOOSE_LEADER: _reason("GR-11.0", mark("choose a leader now")),
    state.TAKE: _reason("GR-3.1", mark("take a card from the bivouac now")),
    state.PLANS_STAGE: _reason("GR-4.1", mark("place your assistants now")),
    state.ACT: _reason("GR-5.1", mark("buy petrol, play a card, use an assistant or pass")),
    state.TARGET: _reason("GR-10.22", mark("name a rival now")),
    state.SPLIT: _reason("GR-10.2", mark("say first whether the engine or the chassis loses the level")),
    state.SPOT: _reason("GR-10.22", mark("name a tile on the board now")),
    state.CANCEL: _reason("GR-10.20", mark("avoid the danger with a guard or a Militia, or let it happen")),
    state.RANSOM_STAGE: _reason("GR-11.5", mark("pay Red Kate, or decline")),
    state.KEEP: _reason("GR-10.15", mark("discard first what you do not keep of the cards drawn")),
    state.PICK_TILE: _reason("GR-10.24", mark("choose first the two tiles that you will place")),
    state.PLACE_TILE: _reason("GR-6.8", mark("choose first which tile is placed next")),
    state.PLACE_SPACE: _reason("GR-6.1", mark("choose the space for the tile now")),
    state.MEND: _reason("GR-6.3", mark("a repair is under way: play a part, buy one, or end the repair")),
    state.TOOLBOX_LEVEL: _reason(
        "GR-6.10", mark("say first whether the Toolbox repairs the engine or the chassis")
    ),
    state.STEP: _reason("GR-7.17", mark("a drive is under way: choose the next space, or stop")),
    state.ARRIVAL: _reason(
        "GR-7.18",
        mark("say first whether you use a guard or a Militia on the new tile; a Jerrycan helps, too"),
    ),
    state.DANGER: _reason("GR-7.3", mark("use a guard or a Militia against the danger, or face it")),
    state.DAMAGE: _reason("GR-7.2", mark("say first whether the engine or the chassis takes the damage")),
    state.STOP_SIGN: _reason("GR-7.6", mark("a stop sign: play a Guide, or stop here")),
    state.DISCARD: _reason("GR-3.2", mark("your chassis does not carry so many cards: discard one first")),
    state.CUSTOMS_DISCARD: _reason("GR-10.18", mark("discard a card for the Customs now")),
}
ASKED = tuple(_ASKED.get(stage, LEGAL) for stage in range(state.NOTHING + 1))  # by stage
# The moves that a stage asks for, each from an id to before another, in the order of a list
_CARDS = (state.PLAY, state.TAKE_CARD)
_DROPS = (state.DROP_CARD, state.SEAT)
_TILES = (state.TILE, state.PLAN)
_SPACES = (state.SPACE, state.PLAY)
_GAUGES = (state.ENGINE, state.CHASSIS + 1)
_REACTIONS = (
    (state.GUARD, state.COOK_GUARD + 1),
    (state.PLAY + state.MILITIA, state.PLAY + state.MILITIA + 1),
    (state.DECLINE, state.DECLINE + 1),
)
_ANSWERS: dict[int, tuple[tuple[int, int], ...]] = {
    state.CHOOSE_LEADER: ((state.LEADER, state.BUY + 1),),
    state.TAKE: ((state.TAKE_CARD, state.DROP_CARD),),
    state.PLANS_STAGE: ((state.PLAN, state.LEADER),),
    state.ACT: ((state.BUY + 1, state.STEAL + 1), _CARDS),
    state.TARGET: ((state.SEAT, state.TILE),),
    state.SPLIT: (_GAUGES,),
    state.SPOT: (_SPACES,),
    state.CANCEL: _REACTIONS,
    state.RANSOM_STAGE: ((state.PAY, state.DECLINE + 1),),
    state.KEEP: (_DROPS,),
    state.PICK_TILE: (_TILES,),
    state.PLACE_TILE: (_TILES,),
    state.PLACE_SPACE: (_SPACES,),
    state.MEND: (
        (state.PLAY + state.ENGINE_PARTS, state.PLAY + state.TOOLBOX + 1),
        (state.BUY_ENGINE, state.BUY_CHASSIS + 1),
        (state.DONE, state.DONE + 1),
    ),
    state.TOOLBOX_LEVEL: (_GAUGES,),
    state.STEP: (
        _SPACES,
        (state.PLAY + state.TRANSPORT, state.PLAY + state.TRANSPORT + 1),
        (state.HALT, state.HALT + 1),
    ),
    state.ARRIVAL: _REACTIONS,
    state.DANGER: _REACTIONS,
    state.DAMAGE: (_GAUGES,),
    state.STOP_SIGN: (
        (state.PLAY + state.GUIDE, state.PLAY + state.GUIDE + 1),
        (state.DECLINE, state.DECLINE + 1),
    ),
    state.DISCARD: (_DROPS,),
    state.CUSTOMS_DISCARD: (_DROPS,),
}
_NONE = ((0, 0),) * 3
ANSWERS = tuple((*_ANSWERS.get(stage, ()), *_NONE)[:3] for stage in range(state.NOTHING + 1))  # by stage
# Cards and petrol
NOT_HELD = _reason("GR-5.3", mark("you do not hold the card {card}"))
NO_JERRYCAN_NOW = _reason("GR-4.2", mark("no Jerrycan is played while plans are made or leaders are chosen"))
PETROL_FULL = _reason("GR-5.12", mark("the petrol is at its maximum"))
NOT_AT_BIVOUAC = _reason("GR-3.1", mark("the bivouac has no card {card}: take one that lies face up"))
NOT_DRAWN = _reason("GR-10.15", mark("{card} is none of the cards drawn"))
LEADER_TAKEN = _reason("GR-11.0", mark("{leader} is chosen already: choose another leader"))
SIX_ASSISTANTS = _reason("GR-11.4", mark("Li Jiaxiang has one more assistant to place on this turn"))
FIVE_ASSISTANTS = _reason("GR-4.1", mark("you do not have so many assistants: place fewer"))
BUYING_CLOSED = _reason(
    "GR-5.2", mark("petrol is bought once, at the beginning of a sequence, before any card")
)
NO_ROOM_FOR_PETROL = _reason("GR-5.2", mark("there is no room for so much petrol: buy less"))
PETROL_TOO_DEAR = _reason("GR-5.2", mark("you cannot pay for so much petrol: buy less"))
NO_MONEY_FOR_PETROL = _reason(
    "GR-5.2", mark("a level of petrol costs {price} F here, and you have {money} F")
)
ONLY_AGAINST_DANGER = _reason(
    "GR-10.5", mark("a Militia is played when a danger comes, on a tile or from a card")
)
ONLY_WITH_LANE = _reason("GR-10.9", mark("a Transport is played in a drive, before a lane is taken"))
ONLY_AT_STOP = _reason("GR-10.12", mark("a Guide is played in a drive, at a stop sign"))
ONLY_IN_REPAIR = _reason("GR-6.3", mark("{card} is played in a repair: begin one first"))
NO_LOOSE_TILE = _reason("GR-10.24", mark("every tile on the board has a vehicle on it, or there is none"))
ONE_LOOSE_TILE = _reason("GR-10.24", mark("a Con Artist needs two tiles without a vehicle"))
NO_TARGET = _reason("GR-5.13", mark("no rival in the race has what {card} takes"))
NO_CARDS_LEFT = _reason("GR-5.10", mark("deck and discard pile are empty: no card can be drawn"))
# Assistants and leaders
NO_ASSISTANT = _reason("GR-5.6", mark("no assistant is left on {box}"))
NOT_KATE = _reason("GR-11.5", mark("only Red Kate steals cards"))
KATE_WAS_HERE = _reason("GR-11.6", mark("Red Kate has been stealing on this turn: once is all"))
NO_VICTIM = _reason("GR-11.7", mark("no rival in the race has a card to steal"))
NOT_COOK = _reason("GR-11.1", mark("only Dr Alexander Cook has a free guard"))
COOK_WAS_HERE = _reason("GR-11.6", mark("Cook's free guard is used until the next turn"))
ALL_REPAIRED = _reason("GR-5.10", mark("engine and chassis are at their maximum: nothing to repair"))
NO_PARTS = _reason("GR-5.10", mark("a repair needs a part in the hand, or money to buy a level"))
BROKEN = _reason("GR-7.10", mark("the engine is at 0: repair it before you drive"))
NO_PETROL = _reason("GR-7.10", mark("the petrol is at 0: fill up before you drive on"))
NO_STEP = _reason("GR-5.10", mark("no space beside can be paid for, and no lane"))
NO_TILES_LEFT = _reason("GR-1.9", mark("no tile is left to draw"))
NO_FREE_SPACE = _reason("GR-5.10", mark("no free space is connected with your vehicle"))
NOTHING_TO_CLEAR = _reason("GR-5.10", mark("no tile that could be removed is connected with your vehicle"))
# Targets and tiles
NO_SUCH_PLAYER = _reason("GR-10.23", mark("the race has no player {number}"))
NOT_YOURSELF = _reason("GR-10.23", mark("name a rival, not yourself"))
HAS_FINISHED = _reason("GR-9.1", mark("player {number} has reached the destination and is safe"))
NOTHING_TO_LOSE = _reason("GR-5.13", mark("player {number} has nothing of that to lose"))
NO_SUCH_SPACE = _reason("GR-1.1", mark("the map has no such space"))
NO_TILE_HERE = _reason("GR-10.22", mark("no tile lies on {place}: name a space with a tile"))
VEHICLE_HERE = _reason("GR-6.6", mark("a vehicle stands on {place}"))
NAMED_BEFORE = _reason("GR-10.22", mark("{place} is named already: name another tile"))
NOT_CONNECTED = _reason("GR-6.9", mark("{place} is not connected with your vehicle by tiles and cities"))
CITY_HERE = _reason("GR-6.1", mark("no tile is placed on a city"))
TILE_HERE = _reason("GR-6.1", mark("{place} has a tile already: choose a free space"))
TILE_NOT_DRAWN = _reason("GR-6.8", mark("{tile} is none of the tiles drawn"))
# Repairs
GAUGE_FULL = _reason("GR-6.3", mark("that gauge is at its maximum"))
PART_TOO_DEAR = _reason("GR-6.3", mark("you cannot pay for this part"))
RAISE_FIRST = _reason("GR-6.10", mark("a repair raises at least one level"))
# Driving
STEP_FIRST = _reason("GR-7.17", mark("a drive tries at least one step"))
TOO_FAR = _reason("GR-7.1", mark("{place} is not beside your vehicle, and no lane leads there"))
LANE_COMES_FIRST = _reason("GR-7.9", mark("a lane is a whole action: it is taken before any other step"))
LANE_TOO_DEAR = _reason("GR-7.9", mark("you cannot pay the fare"))
LANE_CHOSEN = _reason("GR-7.9", mark("a Transport has been played: take a lane now"))
NO_LANE = _reason("GR-7.9", mark("no lane begins here"))
FARE_IS_PAID = _reason("GR-7.9", mark("the fare is paid already: another Transport is lost"))
NOT_ENOUGH_PETROL = _reason("GR-7.4", mark("the tile {tile} on {place} takes more petrol than you have"))
TOO_MUCH_DAMAGE = _reason(
    "GR-7.4", mark("the tile {tile} on {place} does more damage than engine and chassis can take")
)
NO_STEP_AFTER_STOP = _reason("GR-7.19", mark("no further step can be tried: a Guide is of no use"))
NO_DANGER = _reason("GR-7.13", mark("this tile has no danger to avoid"))
GUARD_IN_VAIN = _reason("GR-7.13", mark("even without the danger you cannot pay for this tile"))
NO_GUARD = _reason("GR-6.5", mark("no assistant is left on Security"))
MUST_AVOID = _reason("GR-7.4", mark("you cannot pay for the danger: use a guard or a Militia"))

CODES = len(REASONS)
