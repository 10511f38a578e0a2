"""The Great Race: what a player sees, as numbers for a network, relative to that player.

All numbers are from −1 to 1. Blocks with a part for each player begin with the player who is asked, and go on
in table order; parts of players who are not there are 0. Blocks with a number for each space are in the order
of the spaces, as the moves that name a space are; those of spaces that the map does not have are 0. Each
block is written from ``n`` on and returns where the next one begins.
"""

from __future__ import annotations

from paddock.games.great_race.rules import state
from paddock.games.great_race.rules.driving import cards_of, fare
from paddock.games.great_race.rules.land import lane_end, petrol_for, progress
from paddock.games.great_race.rules.state import GAUGE, Setup, State
from paddock.kernel import Floats, field, rule, share

PHASES, STAGES, DOINGS = 6, 30, 15
PETROL = 4  # that a space takes (GR-7.2, GR-7.7)
DAMAGE = 4  # of a tile (GR-7.2, GR-7.3)
COPIES = 4  # of a kind of card in a hand; more are counted as so many
DECK = 62  # cards (GR-1.5)
BAG = 200  # tiles; more are counted as so many
RICH = 400  # francs; more are counted as so many
DEAR = 200  # the same for a fare
TURNS = 20  # the same for the turns to come
WAY = 9  # numbers in the block ``ways`` for each way
PLAYER = 28  # numbers in the block ``players`` for each player


@rule
def placed(s: State) -> bool:
    """Whether the vehicles are on the map, and start and destination are known (GR-1.11)."""
    return s.goal != state.OFF


@rule
def away(s: State, g: Setup, space: int) -> int:
    """GR-1.11 return the columns between a space and the destination."""
    return abs(g.column[space] - g.column[s.goal])


@rule
def asks(s: State, seat: int) -> bool:
    """Whether the seat must decide: in planning (GR-4.1) whoever has not, else the one that is asked."""
    if s.stage == state.PLANS_STAGE:
        return s.plan[seat] == 0
    return s.stage != state.NOTHING and s.phase != state.LOTS and s.asked == seat


@rule
def aimed(s: State) -> bool:
    """GR-10.22 whether the card or theft under way has a target, and it is named."""
    return s.stage != state.TARGET and s.action in (
        state.SABOTAGE,
        state.RANSOMING,
        state.SIPHONING,
        state.SEARCHING,
        state.STEALING,
    )


# What is asked


@rule
def question(s: State, g: Setup, seat: int, out: Floats, n: int) -> int:
    """One-hot: the phase, the stage and the action under way, in the order of state.py; all 0 for no
    action."""
    out[n + s.phase] = 1
    out[n + PHASES + s.stage] = 1
    if s.action > 0:
        out[n + PHASES + STAGES + s.action - 1] = 1
    return n + PHASES + STAGES + DOINGS - 1


@rule
def card(s: State, g: Setup, seat: int, out: Floats, n: int) -> int:
    """One-hot: the card whose effect is under way (GR-10.22)."""
    if s.card != state.NO_CARD:
        out[n + s.card] = 1
    return n + state.CARDS


@rule
def turn(s: State, g: Setup, seat: int, out: Floats, n: int) -> int:
    """The turn as a part of all turns there may be (GR-9.4); turns to come, of 20; 1 if petrol can no longer
    be bought (GR-5.11), if an assistant's action ends the sequence (GR-5.5), and if the drive or repair has
    tried something (GR-7.17); what is left to choose, draw or place, of 6; cards or tiles to keep, of 3;
    steps left, of 9; levels named for a sabotage (GR-10.2), of 2 each; francs off the fare, of 200
    (GR-7.9)."""
    out[n] = s.round / g.max_turns
    out[n + 1] = share(g.max_turns - s.round, TURNS)
    out[n + 2] = s.bought
    out[n + 3] = s.assistant
    out[n + 4] = s.tried
    out[n + 5] = share(s.left, state.SEATS + 1)
    out[n + 6] = share(s.keep, 3)
    out[n + 7] = share(s.steps, GAUGE)
    out[n + 8] = share(s.split_engine, 2)
    out[n + 9] = share(s.split_chassis, 2)
    out[n + 10] = share(s.discount, DEAR)
    return n + 11


@rule
def faced(s: State, g: Setup, seat: int, out: Floats, n: int) -> int:
    """The tile of the step under way: its petrol and its damage, each of 4; 1 for a danger, a stop sign, and
    known land (GR-7.2, GR-7.3)."""
    if s.entering != state.OFF and s.tile[s.entering] != state.BLANK:
        kind = s.tile[s.entering]
        out[n] = petrol_for(s, g, s.entering) / PETROL
        out[n + 1] = g.tile_damage[kind] / DAMAGE
        out[n + 2] = g.tile_danger[kind]
        out[n + 3] = g.tile_stop[kind]
        out[n + 4] = s.known_step
    return n + 5


# Cards


@rule
def hand(s: State, g: Setup, seat: int, out: Floats, n: int) -> int:
    """Cards of each kind in the own hand, of 4."""
    for kind in range(state.CARDS):
        out[n + kind] = share(s.hand[seat, kind], COPIES)
    return n + state.CARDS


@rule
def drawn(s: State, g: Setup, seat: int, out: Floats, n: int) -> int:
    """Cards of each kind that the player has drawn and not kept yet (GR-10.25), of 4."""
    for kind in range(state.CARDS):
        out[n + kind] = share(s.drawn[seat, kind], COPIES)
    return n + state.CARDS


@rule
def market(s: State, g: Setup, seat: int, out: Floats, n: int) -> int:
    """Cards of each kind that lie face up at bivouac (GR-3.1), of 4."""
    for kind in range(state.CARDS):
        out[n + kind] = share(s.market[kind], COPIES)
    return n + state.CARDS


@rule
def pile(s: State, g: Setup, seat: int, out: Floats, n: int) -> int:
    """The part of each kind of card that is on the discard pile (GR-1.8)."""
    for kind in range(state.CARDS):
        if g.deck[kind] > 0:
            out[n + kind] = s.discard[kind] / g.deck[kind]
    return n + state.CARDS


@rule
def unseen(s: State, g: Setup, seat: int, out: Floats, n: int) -> int:
    """The part of each kind of card that the player cannot place: in the deck, or unknown in a hand
    (GR-3.3)."""
    for kind in range(state.CARDS):
        if g.deck[kind] > 0:
            left = g.deck[kind] - s.discard[kind] - s.market[kind] - int(s.card == kind)
            left -= s.hand[seat, kind] + s.drawn[seat, kind]
            for other in range(g.players):
                if other != seat:
                    left -= s.known[other, kind] + s.private[state.SEATS * seat + other, kind]
            out[n + kind] = left / g.deck[kind]
    return n + state.CARDS


@rule
def deck(s: State, g: Setup, seat: int, out: Floats, n: int) -> int:
    """Cards in the deck, of 62."""
    out[n] = share(s.deck_size, DECK)
    return n + 1


# Tiles


@rule
def bag(s: State, g: Setup, seat: int, out: Floats, n: int) -> int:
    """The part of each kind of tile that is in the bag; then all tiles in the bag, of 200 (GR-1.6)."""
    for kind in range(state.TILES):
        if g.bag[kind] > 0:
            out[n + kind] = s.bag[kind] / g.bag[kind]
    out[n + state.TILES] = share(s.bag_size, BAG)
    return n + state.TILES + 1


@rule
def removed(s: State, g: Setup, seat: int, out: Floats, n: int) -> int:
    """The part of each kind of tile that is out of the game (GR-1.6)."""
    for kind in range(state.TILES):
        if g.bag[kind] > 0:
            out[n + kind] = s.removed[kind] / g.bag[kind]
    return n + state.TILES


@rule
def tiles_drawn(s: State, g: Setup, seat: int, out: Floats, n: int) -> int:
    """Tiles of each kind that are drawn and not placed (GR-6.8), of 4; then one-hot the kind that is placed
    next."""
    for kind in range(state.TILES):
        out[n + kind] = share(s.drawn_tiles[kind], COPIES)
    if s.picked != state.BLANK:
        out[n + state.TILES + s.picked] = 1
    return n + 2 * state.TILES


# Players


@rule
def players(s: State, g: Setup, seat: int, out: Floats, n: int) -> int:
    """For each player: 1 if there is one; place in the turn order and among the progress tokens (GR-8.1),
    each of 5; progress and columns to the destination (GR-1.11), of 63; petrol, engine and chassis, each of
    9; money, of 400 F; cards, of 9; active assistants in each box (GR-4.1), of 6; place of arrival, of 5
    (GR-9.1); one-hot the leader (GR-11); then 1 for who has used its power (GR-11.6), has passed (GR-5.4),
    has committed a plan, has arrived, must decide, has the turn, is the target of the card or theft under way
    (GR-10.22), and is on the own player's space."""
    if placed(s):
        for i in range(g.players):
            out[n + PLAYER * ((s.order[i] - seat) % g.players) + 1] = (i + 1) / state.SEATS
            out[n + PLAYER * ((s.token_order[i] - seat) % g.players) + 2] = (i + 1) / state.SEATS
    for k in range(g.players):
        player = (seat + k) % g.players
        at = n + PLAYER * k
        out[at] = 1
        if placed(s):
            out[at + 3] = progress(s, g, s.at[player]) / (state.COLUMNS - 1)
            out[at + 4] = away(s, g, s.at[player]) / (state.COLUMNS - 1)
            out[at + 27] = s.at[player] == s.at[seat]
        out[at + 5] = s.petrol[player] / GAUGE
        out[at + 6] = s.engine[player] / GAUGE
        out[at + 7] = s.chassis[player] / GAUGE
        out[at + 8] = share(s.money[player], RICH)
        out[at + 9] = share(s.cards[player], GAUGE)
        for box in range(state.BOXES):
            out[at + 10 + box] = s.assistants[player, box] / 6
        out[at + 14] = s.place[player] / state.SEATS
        if s.leader[player] != state.NO_LEADER:
            out[at + 15 + s.leader[player]] = 1
        out[at + 20] = s.power_used[player]
        out[at + 21] = s.passed[player]
        out[at + 22] = s.plan[player] != 0
        out[at + 23] = s.place[player] > 0
        out[at + 24] = asks(s, player)
        out[at + 25] = s.phase > state.LOTS and s.turn == player
        out[at + 26] = aimed(s) and s.target == player
    return n + PLAYER * state.SEATS


@rule
def known(s: State, g: Setup, seat: int, out: Floats, n: int) -> int:
    """For each other player: cards of each kind in its hand that the own player knows of (GR-3.3), of 4; for
    the own player those that everybody knows of."""
    for k in range(g.players):
        holder = (seat + k) % g.players
        at = n + state.CARDS * k
        for kind in range(state.CARDS):
            claims = s.known[holder, kind]
            if k > 0:
                claims += s.private[state.SEATS * seat + holder, kind]
            out[at + kind] = share(claims, COPIES)
    return n + state.CARDS * state.SEATS


@rule
def plan(s: State, g: Setup, seat: int, out: Floats, n: int) -> int:
    """The plan that the own player has committed: assistants in each box, of 6 (GR-4.1)."""
    if s.plan[seat] > 0:
        for box in range(state.BOXES):
            out[n + box] = g.plan[s.plan[seat] - 1, box] / 6
    return n + state.BOXES


# The land


@rule
def ways(s: State, g: Setup, seat: int, out: Floats, n: int) -> int:
    """For each way from the own vehicle, north first and clockwise: 1 for a space, a city, and a tile; petrol
    and damage of the tile, each of 4; 1 for a danger and a stop sign; columns that the way comes closer to
    the destination, from −1 to 1; 1 if it is the destination."""
    if placed(s):
        here = s.at[seat]
        for direction in range(state.WAYS):
            space = g.beside[here, direction]
            at = n + WAY * direction
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
                out[at + 7] = away(s, g, here) - away(s, g, space)
                out[at + 8] = space == s.goal
    return n + WAY * state.WAYS


@rule
def cities(s: State, g: Setup, seat: int, out: Floats, n: int) -> int:
    """For each space: 0 where there is no city, else one more than its cards (GR-7.8, GR-1.7), of 5."""
    for space in range(g.spaces):
        if g.land[space] == state.CITY:
            out[n + space] = share(1 + cards_of(s, g, space), 5)
    return n + state.SPACES


@rule
def lanes(s: State, g: Setup, seat: int, out: Floats, n: int) -> int:
    """For each space to which a lane leads from the own vehicle: from 1 for a lane that is free to 0.1 for a
    fare of 180 F or more, with the own Transport cards (GR-7.9)."""
    if placed(s) and g.land[s.at[seat]] == state.CITY:
        for lane in range(g.lanes):
            to = lane_end(g, lane, s.at[seat])
            if to != state.OFF:
                price = fare(s, g, lane, s.hand[seat, state.TRANSPORT])
                out[n + to] = 1 - share(min(price, DEAR * 9 // 10), DEAR)
    return n + state.SPACES


@rule
def risks(s: State, g: Setup, seat: int, out: Floats, n: int) -> int:
    """For each space: 1 for a risk zone (GR-7.7)."""
    for space in range(g.spaces):
        out[n + space] = g.land[space] == state.RISK
    return n + state.SPACES


@rule
def distance(s: State, g: Setup, seat: int, out: Floats, n: int) -> int:
    """For each space of the map: from 1 for the column of the destination to 0 for one that is 64 columns
    away."""
    if placed(s):
        goal = g.column[s.goal]
        for space in range(g.spaces):
            out[n + space] = 1 - abs(g.column[space] - goal) / state.COLUMNS
    return n + state.SPACES


@rule
def tiles(s: State, g: Setup, seat: int, out: Floats, n: int) -> int:
    """For each space: 1 where a tile lies. Then for each space the petrol of its tile, of 4; then the damage,
    of 4; then 1 for a danger; then 1 for a stop sign (GR-7.2)."""
    for space in range(g.spaces):
        kind = s.tile[space]
        if kind != state.BLANK:
            at = n + space
            out[at] = 1
            out[at + state.SPACES] = petrol_for(s, g, space) / PETROL
            out[at + 2 * state.SPACES] = g.tile_damage[kind] / DAMAGE
            out[at + 3 * state.SPACES] = g.tile_danger[kind]
            out[at + 4 * state.SPACES] = g.tile_stop[kind]
    return n + 5 * state.SPACES


@rule
def vehicles(s: State, g: Setup, seat: int, out: Floats, n: int) -> int:
    """For each space: 1 for the own vehicle. Then for each space 1 for another vehicle."""
    if placed(s):
        for player in range(g.players):
            out[n + state.SPACES * (player != seat) + s.at[player]] = 1
    return n + 2 * state.SPACES


@rule
def named(s: State, g: Setup, seat: int, out: Floats, n: int) -> int:
    """For each space: 1 for the one of the step under way, and for those that the card under way has named
    (GR-10.1, GR-10.6)."""
    for space in (s.entering, s.first_spot, s.second_spot):
        if space != state.OFF:
            out[n + space] = 1
    return n + state.SPACES


@rule
def options(s: State, g: Setup, seat: int, out: Floats, n: int) -> int:
    """Players, of 5; maximum of the gauges, of 9 (GR-1.13); 1 for leaders (GR-11); levels that a Siphoner
    takes, of 5 (GR-10.17); 1 if Customs is a danger (GR-10.18), if lanes connect (GR-6.1), and if the map has
    lanes."""
    out[n] = g.players / state.SEATS
    out[n + 1] = g.gauge_max / GAUGE
    out[n + 2] = g.leaders
    out[n + 3] = g.siphon / 5
    out[n + 4] = g.customs_danger
    out[n + 5] = g.lanes_connect
    out[n + 6] = g.lanes > 0
    return n + 7


FIELDS = (
    field(question, PHASES + STAGES + DOINGS - 1),
    field(card, state.CARDS),
    field(turn, 11),
    field(faced, 5),
    field(hand, state.CARDS),
    field(drawn, state.CARDS),
    field(market, state.CARDS),
    field(pile, state.CARDS),
    field(unseen, state.CARDS),
    field(deck, 1),
    field(bag, state.TILES + 1),
    field(removed, state.TILES),
    field(tiles_drawn, 2 * state.TILES),
    field(players, PLAYER * state.SEATS),
    field(known, state.CARDS * state.SEATS),
    field(plan, state.BOXES),
    field(ways, WAY * state.WAYS),
    field(cities, state.SPACES),
    field(lanes, state.SPACES),
    field(risks, state.SPACES),
    field(distance, state.SPACES),
    field(tiles, 5 * state.SPACES),
    field(vehicles, 2 * state.SPACES),
    field(named, state.SPACES),
    field(options, 7),
)
FEATURES = sum(block.size for block in FIELDS)


@rule
def observe(s: State, g: Setup, seat: int, out: Floats) -> None:
    """Write what the player ``seat`` sees to ``out``: FEATURES zeros. ``FIELDS`` says what each number is."""
    n = question(s, g, seat, out, 0)
    n = card(s, g, seat, out, n)
    n = turn(s, g, seat, out, n)
    n = faced(s, g, seat, out, n)
    n = hand(s, g, seat, out, n)
    n = drawn(s, g, seat, out, n)
    n = market(s, g, seat, out, n)
    n = pile(s, g, seat, out, n)
    n = unseen(s, g, seat, out, n)
    n = deck(s, g, seat, out, n)
    n = bag(s, g, seat, out, n)
    n = removed(s, g, seat, out, n)
    n = tiles_drawn(s, g, seat, out, n)
    n = players(s, g, seat, out, n)
    n = known(s, g, seat, out, n)
    n = plan(s, g, seat, out, n)
    n = ways(s, g, seat, out, n)
    n = cities(s, g, seat, out, n)
    n = lanes(s, g, seat, out, n)
    n = risks(s, g, seat, out, n)
    n = distance(s, g, seat, out, n)
    n = tiles(s, g, seat, out, n)
    n = vehicles(s, g, seat, out, n)
    n = named(s, g, seat, out, n)
    options(s, g, seat, out, n)
