"""The Great Race: the numbers of the game, and what a race is made of. The first module of the rules.

A move id is a space, a card to play, take or discard, a seat, a kind of tile, a plan, a
leader, levels of petrol to buy, or one of the verbs below. The stage says what it means.
"""

from __future__ import annotations

from typing import Annotated

from paddock.games.great_race.maps import board
from paddock.kernel import Grid, Hidden, Past, Row, i8, i16, i32, record

SEATS = 5
SPACES, COLUMNS = board.SPACES, board.COLUMNS  # of a map
LANES, CITIES, TOKENS = board.LANES, board.CITIES, board.TOKENS
NAME = board.NAME  # letters of a city's name
CODE = 2  # letters of a city's code
CARDS = 20  # kinds of resource cards
TILES = 19  # kinds of terrain tiles
WAYS = 6  # to the neighbours of a hex
FIVE = 56  # plans of five assistants; those of six follow (GR-11.4)
PLANS = FIVE + 84

# Resource cards (GR-1.5, GR-10)
(
    TRAIL_HUNTER, SABOTEUR, REPAIRMAN, MILITIA, DRIVER, CON_ARTIST, CARTOGRAPHER, FINANCIAL, TRANSPORT,
    JERRYCAN, REFUELING_STATION, GUIDE, ENGINE_PARTS, CHASSIS_PARTS, TOOLBOX, TRACKER, RANSOM, SIPHONER,
    CUSTOMS, TOPOGRAPHER,
) = range(CARDS)  # fmt: skip
NO_CARD = -1
MOST_SABOTAGE = 4  # levels that a Saboteur may take
GAUGE = 9  # the most levels of a gauge (GR-1.13, GR-11.2)

# Spaces of the map
LAND, RISK, CITY = board.LAND, board.RISK, board.CITY
OFF = -1  # no neighbour this way; no space
BLANK = -1  # unknown land: no tile; a city has none either

# Where assistants are placed (GR-4.1), and leaders (GR-11)
PATHFINDER, MECHANICS, SECURITY, FUNDING = range(4)
BOXES = 4
NO_LEADER = -1
COOK, BORIS, BARON, LI, KATE = range(5)

# Moves: the first id of each kind
SPACE = 0  # + space: drive there, place, remove or swap the tile there
PLAY = SPACE + SPACES  # + card: play it from the hand
TAKE_CARD = PLAY + CARDS  # + card: at bivouac
DROP_CARD = TAKE_CARD + CARDS  # + card: discard it, of the hand or of the cards drawn
SEAT = DROP_CARD + CARDS  # + seat: the target
TILE = SEAT + SEATS  # + tile: choose it of those drawn
PLAN = TILE + TILES  # + plan: ``g.plan`` has the assistants in each box
LEADER = PLAN + PLANS  # + leader
BUY = LEADER + 5 - 1  # + levels of petrol, 1 to 9
VERBS = BUY + 10
(
    SCOUT, SUPPLY,  # Pathfinder (GR-6.1, GR-6.2)
    REPAIR, DRIVE,  # Mechanics (GR-6.3, GR-6.4)
    CLEAR, COOK_CLEAR,  # Security, or Cook's free guard, clears the way (GR-6.6)
    FUND,  # GR-6.7
    PASS,  # GR-5.4
    STEAL,  # Kate's theft (GR-11.5)
    ENGINE, CHASSIS,  # the gauge for a point of damage, a sabotaged level, a level of a Toolbox
    BUY_ENGINE, BUY_CHASSIS,  # a bought part (GR-6.3)
    GUARD, COOK_GUARD,  # an assistant on Security, or Cook's free guard, avoids a danger (GR-6.5)
    PAY,  # Kate's ransom (GR-11.5)
    DECLINE,  # no reaction
    HALT,  # the drive ends (GR-7.17)
    DONE,  # the repair ends
) = range(VERBS, VERBS + 19)  # fmt: skip
ACTIONS = VERBS + 19

# Outcomes: a card kind, or
TILE_DRAWN = CARDS  # + tile
FIRST = TILE_DRAWN + TILES  # + seat: the first player (GR-1.4)
END = FIRST + SEATS  # + index in ``g.ends``: the middle city of the race (GR-1.7)
NUMBER = END + TOKENS - 1  # + 1 or 2: the number on the next city token (GR-1.12)
OUTCOMES = NUMBER + 3

# Phases
LOTS, LEADERS, BIVOUAC, PLANNING, CONVOY, OVER = range(6)

# Stages: what is asked of ``asked``, or what chance decides
(
    DRAW_FIRST, DRAW_END, DRAW_NUMBER,  # chance: the lots of the set-up
    CHOOSE_LEADER,
    DEAL,  # chance: the cards of the bivouac
    TAKE,  # at bivouac (GR-3.1)
    PLANS_STAGE,  # all at once (GR-4.1)
    ACT,  # the sequence of ``turn`` (GR-5.1)
    TARGET,  # of a card or of Kate's theft
    SPLIT,  # sabotage: the gauge of the next level (GR-10.2)
    SPOT,  # the tile to remove or swap (GR-10.1, GR-10.6, GR-6.6)
    CANCEL,  # an opponent may cancel a danger card (GR-10.20)
    RANSOM_STAGE,  # Kate's victim may pay (GR-11.5)
    THEFT,  # chance: the stolen card
    DRAW_CARD,  # chance: a card of the deck
    KEEP,  # which of the cards drawn are kept: the others are discarded (GR-10.15, GR-11.3)
    DRAW_TILE,  # chance: a tile of the bag
    PICK_TILE,  # Topographer: the next of the two tiles that are placed (GR-10.24)
    PLACE_TILE,  # which tile is placed next; asked only where kinds differ
    PLACE_SPACE,  # where
    MEND,  # repair: the next part (GR-6.3)
    TOOLBOX_LEVEL,  # the gauge of the next level of a Toolbox
    STEP,  # drive: the next step (GR-7.1)
    ARRIVAL,  # on an unknown tile (GR-7.18)
    DANGER,  # on a known tile with a danger (GR-7.3)
    DAMAGE,  # the gauge of the next point of damage (GR-7.2)
    STOP_SIGN,  # a Guide may be played (GR-7.19)
    DISCARD,  # down to the hand limit (GR-3.2)
    CUSTOMS_DISCARD,  # GR-10.18
    NOTHING,  # the race is over
) = range(30)  # fmt: skip

# What ``turn`` does: to go on with once draws, discards and windows are through
(
    IDLE, DRIVING, SCOUTING, MENDING, SUPPLYING, CLEARING, SABOTAGE, HUNTING, SWAPPING, TRACKING, MAPPING,
    RANSOMING, SIPHONING, SEARCHING, STEALING,
) = range(15)  # fmt: skip

# Events: (code, a, b, c). Public unless it says who saw it.
(
    GOES_FIRST,  # seat
    DESTINATION,  # space, space of the start
    NUMBERED,  # space, number of cards
    LED_BY,  # seat, leader
    TURN,  # number
    DEALT,  # card: face up at bivouac
    TOOK,  # seat, card
    PLANNED,  # seat, plan
    BOUGHT,  # seat, levels, francs
    PLAYED,  # seat, card
    TARGETED,  # seat, target, card (NO_CARD: Kate's theft)
    PASSED,  # seat
    USED,  # seat, verb: SCOUT, SUPPLY, REPAIR, DRIVE, CLEAR, COOK_CLEAR, STEAL
    FUNDED,  # seat, assistants, francs
    FILLED,  # seat, levels: of petrol
    EARNED,  # seat, francs
    DREW,  # seat, card: only its owner sees which
    KEPT,  # seat, card: only its owner sees which
    DISCARDED,  # seat, card
    SHUFFLED,  # the discard pile is the deck
    DREW_TILE,  # seat, tile
    PLACED,  # seat, tile, space
    RETURNED_TILE,  # tile: into the bag
    REMOVED,  # seat, space, tile: out of the game
    SWAPPED,  # seat, space, space
    MENDED,  # seat, ENGINE or CHASSIS, francs (0: by a card)
    DROVE,  # seat, space, petrol
    FLEW,  # seat, space, francs: by a lane
    EXPLORED,  # seat, space, tile
    TURNED_BACK,  # seat, space: to which it returned
    GUARDED,  # seat, GUARD, COOK_GUARD or PLAY + MILITIA
    HARMED,  # seat, ENGINE or CHASSIS, levels
    BROKE_DOWN,  # seat
    STOPPED,  # seat: by a stop sign
    HALTED,  # seat
    CANCELLED,  # seat that cancels, card
    LOST_PETROL,  # seat, levels
    LOST_MONEY,  # seat, francs
    PAID_OFF,  # victim, thief, francs
    STOLE,  # thief, victim, card: only these two see which
    ARRIVED,  # seat, place of arrival
    ORDERED,  # seat, place in the new turn order, bonus
    ENDED,  # seat, rank (0: none), prestige
) = range(1, 44)  # fmt: skip


@record
class Setup:
    """The constants of a race: options, map, tiles, plans."""

    players: i8
    gauge_max: i8
    max_turns: i16
    leaders: i8  # 1 where the leader module is used (GR-11)
    siphon: i8  # levels that the Siphoner takes (GR-10.17)
    customs_danger: i8  # 1 where Customs is a danger (GR-10.18)
    lanes_connect: i8  # 1 where lanes connect cities for tiles (GR-6.1)
    start_money: i16  # GR-1.3
    last_money: i16  # GR-1.3
    petrol_city: i8  # GR-5.2
    petrol_road: i8  # GR-5.2
    part_city: i8  # GR-6.3
    part_road: i8  # GR-6.3
    danger_damage: i8  # GR-7.3
    transport_worth: i8  # GR-7.9
    bonus_first: i8  # GR-8.2
    bonus_second: i8  # GR-8.2
    arrival_first: i8  # GR-9.3
    arrival_second: i8  # GR-9.3
    arrival_third: i8  # GR-9.3
    level_points: i8  # GR-9.3
    francs_a_point: i16  # GR-9.3
    saboteur: i8  # GR-10.2
    financial: i8  # GR-10.8
    jerrycan: i8  # GR-10.10
    refueling: i8  # GR-10.11
    toolbox: i8  # GR-10.14
    ransom: i8  # GR-10.16
    customs: i8  # GR-10.18
    theft_price: i8  # GR-11.5
    opening_bonus: i8  # 1 where the opening order is paid as that of every later turn (GR-8.4)
    spaces: i16  # of the map
    columns: i8  # columns of the map
    origin: i16  # the space of the start, or -1 where ``ends`` has it
    goal: i16  # the space of the destination, or -1 where ``ends`` has it
    n_ends: i8  # middle cities among which the lot decides; 1 where the option names it, 0 on a full map
    ends: Annotated[Row, i16, TOKENS]
    n_tokens: i8  # cities with a city token, in the order of the map (GR-1.12)
    tokens: Annotated[Row, i16, TOKENS]
    land: Annotated[Row, i8, SPACES]  # LAND, RISK or CITY
    column: Annotated[Row, i8, SPACES]  # progress is the distance in columns from the start (GR-1.11)
    row: Annotated[Row, i8, SPACES]  # of the map, 0 at the top; for the names of spaces
    number: Annotated[Row, i8, SPACES]  # cards that a city gives, but for cities with a token
    city: Annotated[Row, i8, SPACES]  # index in ``code`` and ``name``, or OFF where there is no city
    code: Annotated[Grid, i16, CITIES, CODE]  # capital letters, as code points
    name: Annotated[Grid, i16, CITIES, NAME]  # as code points; 0 after the end
    beside: Annotated[Grid, i16, SPACES, WAYS]  # neighbours, OFF where there is none
    lanes: i8
    lane_from: Annotated[Row, i16, LANES]
    lane_to: Annotated[Row, i16, LANES]
    fare: Annotated[Row, i16, LANES]
    lane_air: Annotated[Row, i8, LANES]  # 1 by air, 0 by sea
    deck: Annotated[Row, i8, CARDS]  # cards of each kind in the whole deck
    bag: Annotated[Row, i8, TILES]  # tiles of each kind in the whole set
    tile_petrol: Annotated[Row, i8, TILES]
    tile_damage: Annotated[Row, i8, TILES]
    tile_danger: Annotated[Row, i8, TILES]
    tile_stop: Annotated[Row, i8, TILES]
    plan: Annotated[Grid, i8, PLANS, BOXES]  # assistants in each box: of five, then of six
    pays: Annotated[Row, i16, 7]  # GR-6.7 francs for so many assistants on Funding


@record
class State:
    """One race."""

    phase: i8
    stage: i8
    asked: i8  # the seat that must decide, where one does; else ``turn``
    round: i16  # game turn, from 1
    turn: i8  # the seat whose sequence it is, or that takes a card at bivouac or chooses its leader
    bought: i8  # 1 once this sequence may not buy petrol (GR-5.11, GR-5.14)
    action: i8  # what ``turn`` is doing
    card: i8  # the card whose effect is under way, or NO_CARD; it is not on the discard pile yet (GR-1.8)
    assistant: i8  # 1 where the action is an assistant's, and so ends the sequence (GR-5.5)
    target: i8  # of the card or the theft under way
    first_spot: i16  # SPOT: the first space that the player named, or OFF
    second_spot: i16
    split_engine: i8  # sabotage: levels of the engine named so far
    split_chassis: i8
    left: i8  # seats still to choose, cards or tiles to draw, tiles to place, levels or points to choose
    keep: i8  # cards to keep, tiles to pick
    steps: i8  # left in this drive
    entering: i16  # the space of the step under way, until its stop sign is through; or OFF
    known_step: i8  # 1 where the step under way is onto known land
    discount: i16  # francs that Transport cards take off (GR-7.9)
    tried: i8  # 1 once this drive has tried a step (GR-7.17), this repair raised a level (GR-6.10)
    arrived: i8  # how many have finished
    origin: i16  # space of the start
    goal: i16  # space of the destination
    numbered: i8  # city tokens that have their number
    token: Annotated[Row, i8, TOKENS]  # their numbers, 0 before
    # Decks and bags
    deck: Annotated[Row, i8, CARDS, Hidden()]
    deck_size: i16  # public
    discard: Annotated[Row, i8, CARDS]
    market: Annotated[Row, i8, CARDS]  # face up at bivouac
    market_size: i8
    bag: Annotated[Row, i8, TILES]
    bag_size: i16
    removed: Annotated[Row, i8, TILES]  # out of the game, but for GR-1.6
    drawn_tiles: Annotated[Row, i8, TILES]  # drawn in this action and not placed
    picked_tiles: Annotated[Row, i8, TILES]  # Topographer: picked already, and not among ``drawn_tiles``
    picked: i8  # the kind of tile that is placed next, or BLANK
    tile: Annotated[Row, i8, SPACES]  # BLANK or a kind
    scratch: Annotated[Row, i16, SPACES]  # for ``connect`` in land.py; 0 between moves
    # By seat
    order: Annotated[Row, i8, SEATS]  # the turn order, first player first
    token_order: Annotated[Row, i8, SEATS]  # seats by when their progress token last moved, earliest first
    at: Annotated[Row, i16, SEATS]
    petrol: Annotated[Row, i8, SEATS]
    engine: Annotated[Row, i8, SEATS]
    chassis: Annotated[Row, i8, SEATS]
    money: Annotated[Row, i32, SEATS]
    leader: Annotated[Row, i8, SEATS]
    power_used: Annotated[Row, i8, SEATS]  # 1 once the once-a-turn power is used (GR-11.6)
    passed: Annotated[Row, i8, SEATS]
    place: Annotated[Row, i8, SEATS]  # of arrival, from 1; 0 while in the race
    assistants: Annotated[Grid, i8, SEATS, BOXES]  # active, once revealed
    plan: Annotated[Row, i16, SEATS, Hidden("players", choice=True)]  # GR-4.1 1 + plan committed, 0 none
    cards: Annotated[Row, i8, SEATS]  # in each hand; public
    hand: Annotated[Grid, i8, SEATS, CARDS, Hidden("players")]  # GR-1.5
    # Drawn by Tracker or the Baron, and not kept yet
    drawn: Annotated[Grid, i8, SEATS, CARDS, Hidden("players")]
    drawn_size: i8  # public
    # GR-3.3 what is known of a hand. The claims of different rows are of different cards.
    known: Annotated[Grid, i8, SEATS, CARDS]  # by everybody
    # Row SEATS · knower + holder: by that one besides
    private: Annotated[Grid, i8, SEATS * SEATS, CARDS, Hidden("players", rows=SEATS)]
    # GR-1.5 the cards of each kind that a seat has played, then those that it has discarded, face up
    past: Annotated[Past, i16, SEATS, 2 * CARDS]
