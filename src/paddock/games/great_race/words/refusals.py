"""The Great Race: why a move is forbidden, with the clause and in words."""

from __future__ import annotations

from paddock.core.i18n import _
from paddock.games.great_race.rules import reasons, state
from paddock.games.great_race.rules.convoy import petrol_price
from paddock.games.great_race.rules.rules import why_not
from paddock.games.great_race.rules.state import Setup, State
from paddock.games.great_race.words.names import BOX_NAMES, card_name, leader_name, tile_name
from paddock.games.great_race.words.places import place_name

CODES = reasons.CODES
# The box whose assistant a verb uses (GR-5.6)
_BOX = {
    state.SCOUT: state.PATHFINDER, state.SUPPLY: state.PATHFINDER, state.REPAIR: state.MECHANICS,
    state.DRIVE: state.MECHANICS, state.CLEAR: state.SECURITY, state.FUND: state.FUNDING,
}  # fmt: skip
# Where the clause depends on what is asked
_CLAUSES = {
    (reasons.NOT_HELD, state.DISCARD): "GR-3.2",
    (reasons.NOT_HELD, state.CUSTOMS_DISCARD): "GR-10.18",
    (reasons.NOT_HELD, state.STEP): "GR-7.9",
    (reasons.NOT_HELD, state.STOP_SIGN): "GR-7.6",
    (reasons.NOT_HELD, state.MEND): "GR-6.3",
    (reasons.NOT_HELD, state.CANCEL): "GR-10.20",
    (reasons.NOT_HELD, state.ARRIVAL): "GR-7.3",
    (reasons.NOT_HELD, state.DANGER): "GR-7.3",
    (reasons.PETROL_FULL, state.ACT): "GR-5.10",
}


def why(s: State, g: Setup, seat: int, move: int) -> int:
    """Return the code of why ``move`` is illegal for ``seat``, which must decide; LEGAL (0) if legal."""
    return why_not(s, g, seat, move, [0] * (state.ACTIONS + 1))


def refusal(s: State, g: Setup, seat: int, code: int, move: int) -> tuple[str, str]:
    """(clause, sentence) of a code of ``why``."""
    clause, sentence = reasons.REASONS[code]
    if move == state.PLAY + state.JERRYCAN:
        clause = "GR-4.2" if code == reasons.NO_JERRYCAN_NOW else "GR-5.12"
    elif code == reasons.PETROL_FULL and state.BUY < move < state.VERBS:
        clause = "GR-5.2"
    else:
        clause = _CLAUSES.get((code, s.stage), clause)
    if s.stage == state.KEEP and s.action == state.DRIVING:  # the Baron in a city
        clause = clause.replace("GR-10.15", "GR-11.3")
    return clause, _(sentence).format(**_words(s, g, seat, move))


def _words(s: State, g: Setup, seat: int, move: int) -> dict[str, str]:
    """What the sentence of a refused move may name."""
    if move < state.PLAY:
        if move >= g.spaces:
            return {}
        known = s.tile[move] >= 0 and g.land[move] != state.CITY
        return {"place": place_name(g, move), "tile": tile_name(s.tile[move]) if known else ""}
    if move < state.SEAT:
        first = next(first for first in (state.DROP_CARD, state.TAKE_CARD, state.PLAY) if move >= first)
        return {"card": card_name((move - first) % state.CARDS)}
    if move < state.TILE:
        return {"number": str(move - state.SEAT + 1)}
    if move < state.TILE + state.TILES:
        return {"tile": tile_name(move - state.TILE)}
    if state.LEADER <= move <= state.BUY:
        return {"leader": leader_name(move - state.LEADER)}
    if state.BUY < move < state.VERBS:
        return {"price": str(petrol_price(s, g, seat)), "money": str(s.money[seat])}
    box = _BOX.get(move)
    return {} if box is None else {"box": _(BOX_NAMES[box])}
