"""The Great Race: what a seat sees. A ``Seen`` in, plain data out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from string import ascii_lowercase

from paddock.core.i18n import language
from paddock.core.notebook import Drawn
from paddock.core.title import Seen
from paddock.games.great_race.rules import state
from paddock.games.great_race.rules.crew import most
from paddock.games.great_race.rules.ending import prestige_at
from paddock.games.great_race.rules.hands import claims
from paddock.games.great_race.rules.land import petrol_for, progress
from paddock.games.great_race.rules.state import (
    BLANK,
    BOXES,
    CARDS,
    CITY,
    NO_CARD,
    NO_LEADER,
    OFF,
    RISK,
    TILES,
    Setup,
    State,
)
from paddock.games.great_race.words import names as words
from paddock.games.great_race.words.names import CARDS as CARD_WORDS
from paddock.games.great_race.words.names import TILES as TILE_WORDS
from paddock.games.great_race.words.names import each, leader_name, line_of, space_name
from paddock.games.great_race.words.places import Board, where, wheres
from paddock.games.great_race.words.position import PHASES, STAGES


@dataclass(frozen=True)
class Space:
    """A space of the map."""

    space: int
    name: str  # in notation
    where: str  # in words: its city, else «east of Reno»
    column: int
    row: int
    land: str  # "land", "risk" or "city"
    city: str  # its name; empty where there is none
    cards: int  # that the city gives
    tile: str  # "" where the land is unknown
    end: str  # "start", "destination" or ""


@dataclass(frozen=True)
class LaneView:
    """A sea or air lane between two cities."""

    ends: tuple[int, int]  # spaces
    air: bool
    fare: int  # francs


@dataclass(frozen=True)
class TileView:
    """A kind of terrain tile."""

    name: str
    petrol: int
    damage: int
    danger: bool
    stop: bool
    in_bag: int
    in_all: int


@dataclass(frozen=True)
class Team:
    """A player's half-track and crew, as these eyes see them."""

    seat: int
    name: str
    leader: str  # empty without one
    power_used: bool
    space: int
    place_name: str
    progress: int
    petrol: int
    engine: int
    chassis: int
    gauge_max: int
    money: int
    cards: int
    known: tuple[str, ...]  # cards of this hand that these eyes know of, when the hand is hidden
    hand: tuple[str, ...] | None  # None when hidden from these eyes
    drawn: tuple[str, ...]  # drawn and not kept yet, where these eyes see them
    assistants: tuple[int, ...] | None  # active in each box; None before the first plan is revealed
    plan: str  # committed and not revealed, where these eyes see it
    planned: bool  # has committed a plan that is not revealed yet
    passed: bool
    arrival: int  # from 1; 0 while in the race
    rank: int  # when the race is over; 0 without one
    prestige: int  # when the race is over; else what it would be on arriving next with what is there
    deciding: bool


@dataclass(frozen=True)
class View(Drawn):
    """One race as ``eyes`` see it."""

    phase: str
    stage: str
    turn: int  # game turn, from 1; 0 before
    max_turns: int
    order: tuple[int, ...]  # seats, first player first
    stack: tuple[int, ...]  # seats by when their progress token last moved, earliest first
    mover: int | None  # whose sequence it is
    asked: int | None
    card: str  # whose effect is under way
    target: int | None
    entering: int | None  # the space of the step under way
    steps: int  # left in the drive
    pays: tuple[int, ...]  # GR-6.7 francs for 1 to 5 assistants on Funding
    # What cards bring (GR-10)
    saboteur: int
    financial: int
    transport_worth: int
    jerrycan: int
    refueling: int
    toolbox: int
    ransom: int
    customs: int
    teams: tuple[Team, ...]
    columns: int
    spaces: tuple[Space, ...]
    lanes: tuple[LaneView, ...]
    tiles: tuple[TileView, ...]
    bag: int
    removed: int
    drawn_tiles: tuple[str, ...]
    market: tuple[str, ...]
    deck: int
    discard: tuple[str, ...]
    chart: tuple[str, ...]  # the map for a terminal


def shown(seen: Seen) -> State:
    """The state that is shown: that of ``seen``, or the end of a series of which only results are known."""
    s: State = seen.state
    if s.phase == state.OVER or len(seen.rounds) < seen.options.rounds:
        return s
    end = State()
    seen.title.rules.start(end, seen.setup)
    end.phase, end.stage = state.OVER, state.NOTHING
    return end


def view(seen: Seen) -> View:
    """What the eyes of ``seen`` see of the race."""
    s, g = shown(seen), seen.setup
    asked = s.stage not in (state.PLANS_STAGE, state.NOTHING) and any(
        seat in seen.deciders for seat in range(g.players)
    )
    return View(
        phase=PHASES[s.phase],
        stage=STAGES[s.stage],
        turn=s.round,
        max_turns=g.max_turns,
        order=tuple(s.order[i] for i in range(g.players)),
        stack=tuple(s.token_order[i] for i in range(g.players)),
        mover=s.turn if s.phase == state.CONVOY else None,
        asked=s.asked if asked else None,
        card=CARD_WORDS[s.card] if s.card != NO_CARD else "",
        target=s.target if s.stage in (state.SPLIT, state.CANCEL, state.RANSOM_STAGE, state.THEFT) else None,
        entering=s.entering if s.entering != OFF else None,
        steps=s.steps,
        pays=tuple(g.pays[n] for n in range(1, 6)),
        saboteur=g.saboteur,
        financial=g.financial,
        transport_worth=g.transport_worth,
        jerrycan=g.jerrycan,
        refueling=g.refueling,
        toolbox=g.toolbox,
        ransom=g.ransom,
        customs=g.customs,
        teams=_teams(seen, s, g),
        columns=g.columns,
        spaces=_spaces(s, g),
        lanes=tuple(
            LaneView((g.lane_from[i], g.lane_to[i]), bool(g.lane_air[i]), g.fare[i]) for i in range(g.lanes)
        ),
        tiles=_tiles(s, g),
        bag=s.bag_size,
        removed=sum(s.removed[kind] for kind in range(TILES)),
        drawn_tiles=each(TILE_WORDS, [s.drawn_tiles[kind] for kind in range(TILES)]),
        market=each(CARD_WORDS, [s.market[kind] for kind in range(CARDS)]),
        deck=s.deck_size,
        discard=each(CARD_WORDS, [s.discard[kind] for kind in range(CARDS)]),
        chart=_chart(s, g),
    )


def _teams(seen: Seen, s: State, g: Setup) -> tuple[Team, ...]:
    """Return the crews. While the race goes on, their prestige is counted as if each arrived next."""
    over = s.phase == state.OVER
    places, scores = [0] * g.players, [0] * g.players
    if len(seen.rounds) == seen.options.rounds:
        places, scores = [*seen.rounds[-1].places], [*seen.rounds[-1].scores]
    elif over:  # the race before the next one, in a preview
        seen.title.rules.places(s, g, places)
        seen.title.rules.scores(s, g, scores)
    return tuple(
        _team(
            seen, s, g, seat,
            rank=places[seat],
            prestige=scores[seat] if over else prestige_at(s, g, seat, s.place[seat] or s.arrived + 1),
        )
        for seat in range(g.players)
    )  # fmt: skip


def _team(seen: Seen, s: State, g: Setup, seat: int, *, rank: int, prestige: int) -> Team:
    """Return a crew as the eyes know it: its hand if they see it, else the cards that they know of."""
    space = s.at[seat]
    visible = seen.eyes >> seat & 1
    known = [0 if visible else claims(s, g, seen.eyes, seat, kind) for kind in range(CARDS)]  # GR-3.3
    return Team(
        seat=seat,
        name=seen.seat_name(seat),
        leader=leader_name(s.leader[seat]) if s.leader[seat] != NO_LEADER else "",
        power_used=bool(s.power_used[seat]),
        space=space,
        place_name=where(g, space) if space != OFF else "",
        progress=progress(s, g, space) if space != OFF else 0,
        petrol=s.petrol[seat],
        engine=s.engine[seat],
        chassis=s.chassis[seat],
        gauge_max=most(s, g, seat),
        money=s.money[seat],
        cards=s.cards[seat],
        known=each(CARD_WORDS, known),
        hand=each(CARD_WORDS, line_of(s.hand, seat, CARDS)) if visible else None,
        drawn=each(CARD_WORDS, line_of(s.drawn, seat, CARDS)) if visible else (),
        assistants=tuple(line_of(s.assistants, seat, BOXES)) if s.phase == state.CONVOY else None,
        plan=words.plan_word(g, s.plan[seat] - 1) if s.plan[seat] > 0 else "",
        planned=s.plan[seat] != 0,
        passed=bool(s.passed[seat]),
        arrival=s.place[seat],
        rank=rank,
        prestige=prestige,
        deciding=seat in seen.deciders,
    )


def _spaces(s: State, g: Setup) -> tuple[Space, ...]:
    tokens = tuple(s.token[i] for i in range(g.n_tokens))
    return _spaces_of(
        Board(g), tuple(s.tile[i] for i in range(g.spaces)), tokens, s.origin, s.goal, language.get()
    )


@lru_cache(maxsize=1024)  # all eyes see the same spaces, which change with a tile or a token
def _spaces_of(
    board: Board, tile: tuple[int, ...], token: tuple[int, ...], origin: int, goal: int, _language: str
) -> tuple[Space, ...]:
    """Return the spaces with what may change on them: tiles, tokens and the ends of the race."""
    g = board.g
    numbers = {g.tokens[i]: token[i] for i in range(g.n_tokens)}
    return tuple(
        Space(
            *fixed,
            cards=(numbers.get(space) or g.number[space]) if g.land[space] == CITY else 0,
            tile=TILE_WORDS[tile[space]] if tile[space] != BLANK else "",
            end="start" if space == origin else "destination" if space == goal else "",
        )
        for space, fixed in enumerate(_fixed_fields(board, _language))
    )


@lru_cache(maxsize=64)
def _fixed_fields(board: Board, _language: str) -> Sequence[tuple[int, str, str, int, int, str, str]]:
    """Return what never changes of each space: the fields of ``Space`` up to ``city``."""
    g, names = board.g, wheres(board.g)
    return [
        (
            space,
            space_name(g, space),
            names[space],
            g.column[space],
            g.row[space],
            "city" if g.land[space] == CITY else "risk" if g.land[space] == RISK else "land",
            words.city_name(g, space) if g.land[space] == CITY else "",
        )
        for space in range(g.spaces)
    ]


def _tiles(s: State, g: Setup) -> tuple[TileView, ...]:
    """Return the kinds of tiles, with how many are left in the bag."""
    return tuple(
        TileView(
            name=TILE_WORDS[kind],
            petrol=g.tile_petrol[kind],
            damage=g.tile_damage[kind],
            danger=bool(g.tile_danger[kind]),
            stop=bool(g.tile_stop[kind]),
            in_bag=s.bag[kind],
            in_all=g.bag[kind],
        )
        for kind in range(TILES)
    )


MARGIN, CELL = 3, 4  # letters of the map for a terminal: at the left, and of each space


def _chart(s: State, g: Setup) -> tuple[str, ...]:
    tile = tuple(s.tile[i] for i in range(g.spaces))
    return _chart_of(Board(g), tile, tuple(s.at[i] for i in range(g.players)), s.goal)


@lru_cache(maxsize=1024)  # the same for all eyes
def _chart_of(
    board: Board, tile: tuple[int, ...], crew_spaces: tuple[int, ...], goal: int
) -> tuple[str, ...]:
    """The map as text, a row a line, odd columns half a line lower: cities by code, the destination with a
    star, tiles by their petrol and signs, half-tracks below. The numbers of columns are above, the letters of
    rows at the left."""
    g, s = board.g, State()
    for space, kind in enumerate(tile):
        s.tile[space] = kind
    s.goal = goal
    height = 2 * (max((g.row[space] for space in range(g.spaces)), default=0) + 1) + 1
    grid = [[" " * CELL] * g.columns for _ in range(height)]
    for space in range(g.spaces):
        line = 2 * g.row[space] + g.column[space] % 2
        grid[line][g.column[space]] = f"{_cell(s, g, space):<4}"
        seats_here = "".join(str(seat + 1) for seat in range(g.players) if crew_spaces[seat] == space)
        if seats_here:
            grid[line + 1][g.column[space]] = f"{_BELOW[len(seats_here)].format(seats_here):<4}"
    head = "".join(f"{column:<4}" for column in range(g.columns))
    letters = [ascii_lowercase[i // 2] if i % 2 == 0 and i < height - 1 else " " for i in range(height)]
    lines = [f"{letter}  {''.join(line)}" for letter, line in zip(letters, grid, strict=True)]
    return (f"   {head}".rstrip(), *(line.rstrip() for line in lines))


_BELOW = ("", "^{}", "^{}", "^{}", "{}", "all5")  # half-tracks on a space, in four letters


def _cell(s: State, g: Setup, space: int) -> str:
    """A space in at most four letters."""
    if g.land[space] == CITY:
        return space_name(g, space) + "*" * (space == s.goal)
    kind = s.tile[space]
    if kind == BLANK:
        return "##" if g.land[space] == RISK else ".."
    signs = "!" * g.tile_danger[kind] + "=" * g.tile_stop[kind]
    return f"{petrol_for(s, g, space)}{'-' * g.tile_damage[kind]}{signs}"
