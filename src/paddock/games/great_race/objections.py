"""The Great Race: the sentence and the clause of every refusal."""

from __future__ import annotations

from paddock.core.i18n import _, mark
from paddock.games.great_race import refusals, state
from paddock.games.great_race.convoy import petrol_price
from paddock.games.great_race.places import place_name
from paddock.games.great_race.state import (
    BUY,
    CARDS,
    CITY,
    DROP_CARD,
    LEADER,
    PLAY,
    SEAT,
    TAKE_CARD,
    TILE,
    TILES,
    VERBS,
    Setup,
    State,
)
from paddock.games.great_race.words import BOX_NAMES, card_name, leader_name, tile_name

_REFUSALS = {
    refusals.ASKED_LEADER: ("GR-11.0", mark("choose a leader now")),
    refusals.ASKED_BIVOUAC: ("GR-3.1", mark("take a card of the bivouac now")),
    refusals.ASKED_PLAN: ("GR-4.1", mark("place your assistants now")),
    refusals.ASKED_SEQUENCE: ("GR-5.1", mark("buy petrol, play a card, use an assistant or pass")),
    refusals.ASKED_TARGET: ("GR-10.22", mark("name a rival now")),
    refusals.ASKED_SPLIT: ("GR-10.2", mark("say first whether the engine or the chassis loses the level")),
    refusals.ASKED_SPOT: ("GR-10.22", mark("name a tile on the board now")),
    refusals.ASKED_CANCEL: (
        "GR-10.20",
        mark("avoid the danger with a guard or a Militia, or let it happen"),
    ),
    refusals.ASKED_RANSOM: ("GR-11.5", mark("pay Red Kate 20 F, or decline")),
    refusals.ASKED_KEEP: ("GR-10.15", mark("discard first what you do not keep of the cards drawn")),
    refusals.ASKED_PICK: ("GR-10.24", mark("choose first the two tiles that you will place")),
    refusals.ASKED_TILE: ("GR-6.8", mark("choose first which tile is placed next")),
    refusals.ASKED_PLACE: ("GR-6.1", mark("choose the space for the tile now")),
    refusals.ASKED_PART: ("GR-6.3", mark("a repair is under way: play a part, buy one, or end the repair")),
    refusals.ASKED_LEVEL: (
        "GR-6.10",
        mark("say first whether the Toolbox repairs the engine or the chassis"),
    ),
    refusals.ASKED_STEP: ("GR-7.17", mark("a drive is under way: choose the next space, or stop")),
    refusals.ASKED_ARRIVAL: (
        "GR-7.18",
        mark("say first whether you use a guard or a Militia on the new tile; a Jerrycan helps, too"),
    ),
    refusals.ASKED_DANGER: ("GR-7.3", mark("use a guard or a Militia against the danger, or face it")),
    refusals.ASKED_DAMAGE: ("GR-7.2", mark("say first whether the engine or the chassis takes the damage")),
    refusals.ASKED_STOP: ("GR-7.6", mark("a stop sign: play a Guide, or stop here")),
    refusals.ASKED_DISCARD: ("GR-3.2", mark("your chassis does not carry so many cards: discard one first")),
    refusals.ASKED_CUSTOMS: ("GR-10.18", mark("discard a card for the Customs now")),
    refusals.NOT_HELD: ("GR-5.3", mark("you do not hold the card {card}")),
    refusals.NO_JERRYCAN_NOW: (
        "GR-4.2",
        mark("no Jerrycan is played while plans are made or leaders are chosen"),
    ),
    refusals.PETROL_FULL: ("GR-5.12", mark("the petrol is at its maximum")),
    refusals.NOT_AT_BIVOUAC: ("GR-3.1", mark("the bivouac has no card {card}: take one that lies face up")),
    refusals.NOT_DRAWN: ("GR-10.15", mark("{card} is none of the cards drawn")),
    refusals.LEADER_TAKEN: ("GR-11.0", mark("{leader} is chosen already: choose another leader")),
    refusals.SIX_ASSISTANTS: ("GR-11.4", mark("Li Jiaxiang places six assistants on this turn")),
    refusals.FIVE_ASSISTANTS: ("GR-4.1", mark("place five assistants, no more")),
    refusals.BUYING_CLOSED: (
        "GR-5.2",
        mark("petrol is bought once, at the beginning of a sequence, before any card"),
    ),
    refusals.NO_ROOM_FOR_PETROL: ("GR-5.2", mark("there is no room for so much petrol: buy less")),
    refusals.PETROL_TOO_DEAR: ("GR-5.2", mark("you cannot pay for so much petrol: buy less")),
    refusals.NO_MONEY_FOR_PETROL: (
        "GR-5.2",
        mark("a level of petrol costs {price} F here, and you have {money} F"),
    ),
    refusals.ONLY_AGAINST_DANGER: (
        "GR-10.5",
        mark("a Militia is played when a danger comes, on a tile or from a card"),
    ),
    refusals.ONLY_WITH_LANE: ("GR-10.9", mark("a Transport is played in a drive, before a lane is taken")),
    refusals.ONLY_AT_STOP: ("GR-10.12", mark("a Guide is played in a drive, at a stop sign")),
    refusals.ONLY_IN_REPAIR: ("GR-6.3", mark("{card} is played in a repair: begin one first")),
    refusals.NO_LOOSE_TILE: (
        "GR-10.24",
        mark("every tile on the board has a vehicle on it, or there is none"),
    ),
    refusals.ONE_LOOSE_TILE: ("GR-10.24", mark("a Con Artist needs two tiles without a vehicle")),
    refusals.NO_TARGET: ("GR-5.13", mark("no rival in the race has what {card} takes")),
    refusals.NO_CARDS_LEFT: ("GR-5.10", mark("deck and discard pile are empty: no card can be drawn")),
    refusals.NO_ASSISTANT: ("GR-5.6", mark("no assistant is left on {box}")),
    refusals.NOT_KATE: ("GR-11.5", mark("only Red Kate steals cards")),
    refusals.KATE_WAS_HERE: ("GR-11.6", mark("Red Kate has been stealing on this turn: once is all")),
    refusals.NO_VICTIM: ("GR-11.7", mark("no rival in the race has a card to steal")),
    refusals.NOT_COOK: ("GR-11.1", mark("only Dr Alexander Cook has a free guard")),
    refusals.COOK_WAS_HERE: ("GR-11.6", mark("Cook's free guard is used until the next turn")),
    refusals.ALL_REPAIRED: ("GR-5.10", mark("engine and chassis are at their maximum: nothing to repair")),
    refusals.NO_PARTS: ("GR-5.10", mark("a repair needs a part in the hand, or money to buy a level")),
    refusals.BROKEN: ("GR-7.10", mark("the engine is at 0: repair it before you drive")),
    refusals.NO_PETROL: ("GR-7.10", mark("the petrol is at 0: fill up before you drive on")),
    refusals.NO_STEP: ("GR-5.10", mark("no space beside can be paid for, and no lane")),
    refusals.NO_TILES_LEFT: ("GR-1.9", mark("no tile is left to draw")),
    refusals.NO_FREE_SPACE: ("GR-5.10", mark("no free space is connected with your vehicle")),
    refusals.NOTHING_TO_CLEAR: (
        "GR-5.10",
        mark("no tile that could be removed is connected with your vehicle"),
    ),
    refusals.NO_SUCH_PLAYER: ("GR-10.23", mark("the race has no player {number}")),
    refusals.NOT_YOURSELF: ("GR-10.23", mark("name a rival, not yourself")),
    refusals.HAS_FINISHED: ("GR-9.1", mark("player {number} has reached the destination and is safe")),
    refusals.NOTHING_TO_LOSE: ("GR-5.13", mark("player {number} has nothing of that to lose")),
    refusals.NO_SUCH_SPACE: ("GR-1.1", mark("the map has no such space")),
    refusals.NO_TILE_HERE: ("GR-10.22", mark("no tile lies on {place}: name a space with a tile")),
    refusals.VEHICLE_HERE: ("GR-6.6", mark("a vehicle stands on {place}")),
    refusals.NAMED_BEFORE: ("GR-10.22", mark("{place} is named already: name another tile")),
    refusals.NOT_CONNECTED: (
        "GR-6.9",
        mark("{place} is not connected with your vehicle by tiles and cities"),
    ),
    refusals.CITY_HERE: ("GR-6.1", mark("no tile is placed on a city")),
    refusals.TILE_HERE: ("GR-6.1", mark("{place} has a tile already: choose a free space")),
    refusals.TILE_NOT_DRAWN: ("GR-6.8", mark("{tile} is none of the tiles drawn")),
    refusals.GAUGE_FULL: ("GR-6.3", mark("that gauge is at its maximum")),
    refusals.PART_TOO_DEAR: ("GR-6.3", mark("you cannot pay for this part")),
    refusals.RAISE_FIRST: ("GR-6.10", mark("a repair raises at least one level")),
    refusals.STEP_FIRST: ("GR-7.17", mark("a drive tries at least one step")),
    refusals.TOO_FAR: ("GR-7.1", mark("{place} is not beside your vehicle, and no lane leads there")),
    refusals.LANE_COMES_FIRST: (
        "GR-7.9",
        mark("a lane is a whole action: it is taken before any other step"),
    ),
    refusals.LANE_TOO_DEAR: ("GR-7.9", mark("you cannot pay the fare")),
    refusals.LANE_CHOSEN: ("GR-7.9", mark("a Transport has been played: take a lane now")),
    refusals.NO_LANE: ("GR-7.9", mark("no lane begins here")),
    refusals.FARE_IS_PAID: ("GR-7.9", mark("the fare is paid already: another Transport is lost")),
    refusals.NOT_ENOUGH_PETROL: (
        "GR-7.4",
        mark("the tile {tile} on {place} takes more petrol than you have"),
    ),
    refusals.TOO_MUCH_DAMAGE: (
        "GR-7.4",
        mark("the tile {tile} on {place} does more damage than engine and chassis can take"),
    ),
    refusals.NO_STEP_AFTER_STOP: ("GR-7.19", mark("no further step can be tried: a Guide is of no use")),
    refusals.NO_DANGER: ("GR-7.13", mark("this tile has no danger to avoid")),
    refusals.GUARD_IN_VAIN: (
        "GR-7.13",
        mark("even without the danger you cannot pay for this tile"),
    ),
    refusals.NO_GUARD: ("GR-6.5", mark("no assistant is left on Security")),
    refusals.MUST_AVOID: (
        "GR-7.4",
        mark("you cannot pay for the danger: use a guard or a Militia"),
    ),
}
# Where the clause depends on what is asked
_CLAUSES = {
    (refusals.NOT_HELD, state.DISCARD): "GR-3.2",
    (refusals.NOT_HELD, state.CUSTOMS_DISCARD): "GR-10.18",
    (refusals.NOT_HELD, state.STEP): "GR-7.9",
    (refusals.NOT_HELD, state.STOP_SIGN): "GR-7.6",
    (refusals.NOT_HELD, state.MEND): "GR-6.3",
    (refusals.NOT_HELD, state.CANCEL): "GR-10.20",
    (refusals.NOT_HELD, state.ARRIVAL): "GR-7.3",
    (refusals.NOT_HELD, state.DANGER): "GR-7.3",
    (refusals.PETROL_FULL, state.ACT): "GR-5.10",
}


def refusal(s: State, g: Setup, seat: int, code: int, move: int) -> tuple[str, str]:
    """(clause, sentence) of a code of ``why``."""
    clause, sentence = _REFUSALS[code]
    if move == PLAY + state.JERRYCAN:
        clause = "GR-4.2" if code == refusals.NO_JERRYCAN_NOW else "GR-5.12"
    elif code == refusals.PETROL_FULL and BUY < move < VERBS:
        clause = "GR-5.2"
    else:
        clause = _CLAUSES.get((code, s.stage), clause)
    if s.stage == state.KEEP and s.action == state.DRIVING:  # the Baron in a city
        clause = clause.replace("GR-10.15", "GR-11.3")
    return clause, _(sentence).format(**_words(s, g, seat, move))


def _words(s: State, g: Setup, seat: int, move: int) -> dict[str, str]:
    """What the sentence of a refused move may name."""
    if move < PLAY:
        if move >= g.spaces:
            return {}
        known = s.tile[move] >= 0 and g.land[move] != CITY
        return {"place": place_name(g, move), "tile": tile_name(s.tile[move]) if known else ""}
    if move < SEAT:
        first = next(first for first in (DROP_CARD, TAKE_CARD, PLAY) if move >= first)
        return {"card": card_name((move - first) % CARDS)}
    if move < TILE:
        return {"number": str(move - SEAT + 1)}
    if move < TILE + TILES:
        return {"tile": tile_name(move - TILE)}
    if LEADER <= move <= BUY:
        return {"leader": leader_name(move - LEADER)}
    if BUY < move < VERBS:
        return {"price": str(petrol_price(s, g, seat)), "money": str(s.money[seat])}
    box = state.FUNDING if move == state.FUND else refusals.BOX.get(move)
    return {} if box is None else {"box": _(BOX_NAMES[box])}
