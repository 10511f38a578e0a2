"""The Great Race: invariants that hold in every state."""

from __future__ import annotations

from paddock.games.great_race.maps import SHIPPED
from paddock.games.great_race.rules import state
from paddock.games.great_race.rules.state import Setup, State
from paddock.kernel import rule

INVARIANTS = (
    "",
    "GR-1.5 every card of the deck is in the deck, on the market, in a hand, in play or on the discard pile",
    "GR-1.5 the deck, the market, the hands and the drawn cards are counted",
    "GR-1.6 every tile is in the bag, drawn, on the board or out of the game, and the bag is counted",
    "GR-1.2 petrol, engine and chassis are from 0 to their maximum",
    "GR-1.3 nobody has less than no money",
    "GR-3.3 what is known of a hand is in it",
    "GR-3.2 nobody goes on with more cards than chassis levels",
    "GR-5.1 every seat is in the turn order once, and once among the progress tokens",
    "GR-7.5 every vehicle is in a city or on a tile",
    "GR-6.1 tiles are on land and risk zones only",
    "GR-9.1 who finished is at the destination, has no cards and no assistants, and has a place of its own",
    "GR-4.1 nobody has more assistants than a plan has, and plans wait for planning only",
    "GR-9.4 the turns are from 1 to their limit",
    "GR-5.1 the seat that is asked is in the race",
    "GR-1.8 chance has a card or a tile to draw",
    "GR-11 every leader has one player",
)
# Their indexes
(
    CARDS_LOST,
    COUNTS_WRONG,
    TILES_LOST,
    GAUGES_WRONG,
    MONEY_NEGATIVE,
    KNOWN_WRONG,
    HANDS_FULL,
    ORDER_WRONG,
    VEHICLE_LOST,
    TILE_IN_CITY,
    FINISH_WRONG,
    ASSISTANTS_WRONG,
    TURN_WRONG,
    ASKED_WRONG,
    NOTHING_TO_DRAW,
    LEADER_TWICE,
) = range(1, 17)

SAMPLES = {
    "map": tuple(SHIPPED),
    "finish": ("lot", "MI", "OM", "OK", "HO", "OS", "KA", "DE", "BO"),
}


@rule
def broken(s: State, g: Setup) -> int:
    """Return the index in ``INVARIANTS`` of one that the state breaks, or 0."""
    code = broken_cards(s, g)
    if code == 0:
        code = broken_board(s, g)
    if code == 0:
        code = broken_seats(s, g)
    if code == 0:
        code = broken_turn(s, g)
    return code


@rule
def broken_cards(s: State, g: Setup) -> int:
    """Return the index in ``INVARIANTS`` of what is wrong with the cards and what is known of them, or 0."""
    deck = 0
    market = 0
    for kind in range(state.CARDS):
        n = s.deck[kind] + s.discard[kind] + s.market[kind] + int(s.card == kind)
        if s.deck[kind] < 0 or s.discard[kind] < 0 or s.market[kind] < 0:
            return CARDS_LOST
        deck += s.deck[kind]
        market += s.market[kind]
        for seat in range(state.SEATS):
            known = s.known[seat, kind]
            if known < 0:
                return KNOWN_WRONG
            for knower in range(state.SEATS):
                private = s.private[state.SEATS * knower + seat, kind]
                if private < 0 or (private > 0 and knower == seat):
                    return KNOWN_WRONG
                known += private
            if known > s.hand[seat, kind]:
                return KNOWN_WRONG
            if s.hand[seat, kind] < 0 or s.drawn[seat, kind] < 0:
                return CARDS_LOST
            n += s.hand[seat, kind] + s.drawn[seat, kind]
        if n != g.deck[kind]:
            return CARDS_LOST
    if deck != s.deck_size or market != s.market_size or market > g.players + 1:
        return COUNTS_WRONG
    for seat in range(state.SEATS):
        cards = 0
        drawn = 0
        for kind in range(state.CARDS):
            cards += s.hand[seat, kind]
            drawn += s.drawn[seat, kind]
        if cards != s.cards[seat] or drawn != (s.drawn_size if seat == s.turn else 0):
            return COUNTS_WRONG
    return 0


@rule
def broken_board(s: State, g: Setup) -> int:
    """Return the index in ``INVARIANTS`` of what is wrong with the tiles and the vehicles, or 0."""
    bag = 0
    for kind in range(state.TILES):
        n = s.bag[kind] + s.removed[kind] + s.drawn_tiles[kind] + s.picked_tiles[kind]
        if s.bag[kind] < 0 or s.removed[kind] < 0 or s.drawn_tiles[kind] < 0 or s.picked_tiles[kind] < 0:
            return TILES_LOST
        bag += s.bag[kind]
        for space in range(g.spaces):
            n += int(s.tile[space] == kind)
        if n != g.bag[kind]:
            return TILES_LOST
    if bag != s.bag_size:
        return TILES_LOST
    for space in range(g.spaces):
        if g.land[space] == state.CITY and s.tile[space] != state.BLANK:
            return TILE_IN_CITY
    if s.phase > state.LOTS:
        for seat in range(g.players):
            if s.at[seat] < 0 or s.at[seat] >= g.spaces:
                return VEHICLE_LOST
            if g.land[s.at[seat]] != state.CITY and s.tile[s.at[seat]] == state.BLANK:
                return VEHICLE_LOST
    return 0


@rule
def broken_seats(s: State, g: Setup) -> int:
    """Return the index in ``INVARIANTS`` of what is wrong with what a player has, or 0."""
    arrived = 0
    in_order = 0
    in_stack = 0
    leaders = 0
    for seat in range(g.players):
        leader = s.leader[seat]
        most = g.gauge_max + int(leader == state.BORIS)
        if s.petrol[seat] < 0 or s.engine[seat] < 0 or s.chassis[seat] < 0:
            return GAUGES_WRONG
        if s.petrol[seat] > most or s.engine[seat] > most or s.chassis[seat] > most:
            return GAUGES_WRONG
        if s.money[seat] < 0:
            return MONEY_NEGATIVE
        assistants = 0
        for box in range(state.BOXES):
            if s.assistants[seat, box] < 0:
                return ASSISTANTS_WRONG
            assistants += s.assistants[seat, box]
        if assistants > 5 + int(leader == state.LI and s.round % 2 == 1):
            return ASSISTANTS_WRONG
        if s.plan[seat] < 0 or s.plan[seat] > state.PLANS or (s.plan[seat] > 0 and s.phase != state.PLANNING):
            return ASSISTANTS_WRONG
        if s.place[seat] > 0:
            if s.at[seat] != s.goal or s.cards[seat] > 0 or assistants > 0 or s.passed[seat] == 0:
                return FINISH_WRONG
            arrived |= 1 << (s.place[seat] - 1)
        if leader != state.NO_LEADER:
            if (leaders >> leader) & 1 or g.leaders == 0:
                return LEADER_TWICE
            leaders |= 1 << leader
        in_order |= 1 << s.order[seat]
        in_stack |= 1 << s.token_order[seat]
    if arrived != (1 << s.arrived) - 1:
        return FINISH_WRONG
    everybody = (1 << g.players) - 1
    if s.stage != state.DRAW_FIRST and (in_order != everybody or in_stack != everybody):
        return ORDER_WRONG
    return 0


@rule
def by_chance(s: State) -> int:
    """Whether chance decides."""
    lots = s.stage == state.DRAW_FIRST or s.stage == state.DRAW_END or s.stage == state.DRAW_NUMBER
    return int(lots or s.stage in (state.DEAL, state.THEFT, state.DRAW_CARD, state.DRAW_TILE))


@rule
def broken_turn(s: State, g: Setup) -> int:
    """Return the index in ``INVARIANTS`` of what is wrong with what is asked, or 0."""
    if s.phase >= state.BIVOUAC and (s.round < 1 or s.round > g.max_turns):
        return TURN_WRONG
    one_asked = not by_chance(s) and s.stage != state.PLANS_STAGE and s.stage != state.NOTHING
    if one_asked and (s.asked < 0 or s.asked >= g.players or s.place[s.asked] > 0):
        return ASKED_WRONG
    if s.stage == state.PLANS_STAGE:
        committed = 0
        for seat in range(g.players):
            committed += int(s.plan[seat] > 0)
        if committed == g.players or s.phase != state.PLANNING:
            return ASSISTANTS_WRONG
    if (s.stage == state.DRAW_CARD or s.stage == state.DEAL) and s.deck_size == 0:
        return NOTHING_TO_DRAW
    if s.stage == state.DRAW_TILE and s.bag_size == 0:
        return NOTHING_TO_DRAW
    if s.stage == state.THEFT and s.cards[s.target] == 0:
        return NOTHING_TO_DRAW
    if s.stage == state.KEEP and s.drawn_size == 0:
        return NOTHING_TO_DRAW
    if (
        s.stage == state.ACT
        or s.stage == state.STEP
        or s.stage == state.MEND
        or s.stage == state.TAKE
        or s.stage == state.SPOT
    ):
        for seat in range(g.players):
            if s.cards[seat] > s.chassis[seat]:
                return HANDS_FULL
    if s.stage == state.DAMAGE and (
        s.entering == state.OFF or s.engine[s.asked] == 0 or s.chassis[s.asked] == 0
    ):
        return ASKED_WRONG
    return 0
