"""Rasant: what a seat sees, as plain data. Pages, drawings and JSON use nothing else."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from paddock.core.notebook import Drawn
from paddock.core.title import Seen
from paddock.core.words import HIDDEN
from paddock.games.rasant.deck import SPEEDS
from paddock.games.rasant.rules.rounds import points_of
from paddock.games.rasant.rules.state import (
    BLACK_CAR,
    CARS,
    COLOURS,
    EMPTY,
    HAND,
    KINDS,
    NO_COLOUR,
    OVER,
    ROUND,
    Setup,
    State,
)
from paddock.games.rasant.words.position import PHASES, shown

BLACK = 4  # the colour of the black car and of the black cards


@dataclass(frozen=True)
class Card:
    """A card."""

    kind: int  # the kernel's number
    colour: int  # 0 red, 1 green, 2 blue, 3 yellow, 4 black
    speed: int  # 10, 20, … 130


@dataclass(frozen=True)
class Car:
    """A car of the line."""

    id: int  # 0 … 12: three of each colour, then the black one
    colour: int  # as for cards


@dataclass(frozen=True)
class Win:
    """What happens if a colour wins the round now (RA-4.1, RA-4.2)."""

    colour: int
    moved: int  # how many cars move
    black: bool  # whether the black car is among them, which doubles the points
    factor: int  # by which it multiplies them; 1 without the black car
    points: int
    line: tuple[Car, ...]  # afterwards, front first


@dataclass(frozen=True)
class PlayerView:
    """One player as the eyes see them."""

    seat: int  # 0-based
    name: str
    score: int  # in this game
    total: int  # in all games so far, including this one (RA-5.5)
    cards: int  # in the hand, public (RA-2.2)
    black: int  # how many of them are known to be black (RA-3.2)
    passed: bool  # in this round
    dealer: bool
    leads: bool  # whether they lead the round (RA-3.8)
    best: bool  # whether they played the highest card of the round
    deciding: bool
    hand: tuple[Card, ...] | None  # sorted; None if hidden from these eyes


@dataclass(frozen=True)
class View(Drawn):
    """One game as ``eyes`` see it."""

    game: int  # from 1
    games: int
    phase: str  # "line", "dealer", "deal", "round", "draw" or "over"
    line: tuple[Car, ...]  # front first; shorter while it is being drawn
    colour: int | None  # of the round, None before a card is led
    top: Card | None  # the highest card of the round
    best: int | None  # the seat that played it
    leader: int | None  # the seat that leads the round; None outside rounds
    first_to_pass: int | None  # the seat that leads the next round (RA-3.1)
    to_the_last: bool  # whether the last player may keep raising (RA-3.4)
    wins: tuple[Win, ...]  # for each of the four colours; empty before there is a line, and after the game
    players: tuple[PlayerView, ...]  # by seat
    reserve: int  # cards left to draw
    raise_by: int  # the least difference of a raise with a coloured card (RA-3.3)
    black_by: int  # and with a black one
    black_factor: int  # by which the black car multiplies points (RA-4.2)
    black_points: int  # that it counts itself
    car_points: int  # for each other car
    pass_cost: int  # cards, once the reserve is empty (RA-5.2)
    discard: tuple[int, ...]  # played and discarded cards of each kind
    deck: tuple[int, ...]  # cards of each kind in the whole deck


def card(kind: int) -> Card:
    """Return the card of a kind."""
    return Card(kind, kind // SPEEDS, (kind % SPEEDS + 1) * 10)


def win(s: State, g: Setup, colour: int) -> Win:
    """Return what happens if a colour wins the round now."""
    return win_in(g, tuple(s.line[i] for i in range(s.lined)), colour)


def win_in(g: Setup, ids: tuple[int, ...], colour: int) -> Win:
    """RA-4.2 return what a win of the colour moves and scores in this line."""
    moved, black, line = _overtaken(ids, colour)
    factor = g.black_factor if black else 1
    return Win(colour, moved, black, factor, points_of(g, moved, black), line)


@lru_cache(4096)  # the same for all eyes, in the view and in the labels of the moves
def _overtaken(ids: tuple[int, ...], colour: int) -> tuple[int, bool, tuple[Car, ...]]:
    """RA-4.1 the rearmost car of the colour and all cars behind it go to the front, in reverse order.

    Returns how many move, whether the black car is among them, and the line afterwards.
    """
    line = _line(ids)
    rear = max(i for i, car in enumerate(line) if car.colour == colour)
    moved = line[rear:]
    return len(moved), any(car.colour == BLACK for car in moved), moved[::-1] + line[:rear]


def line_of(s: State) -> tuple[Car, ...]:
    """Return the cars of the line, front first."""
    return _line(tuple(s.line[i] for i in range(s.lined)))


@lru_cache(1024)
def _line(ids: tuple[int, ...]) -> tuple[Car, ...]:
    return tuple(Car(id, BLACK if id == BLACK_CAR else id // 3) for id in ids)


def view(seen: Seen) -> View:
    """Return what the eyes of ``seen`` see of the game."""
    s = shown(seen)
    g: Setup = seen.setup
    led = s.phase == ROUND and s.colour != NO_COLOUR
    leader = s.leader if s.phase == ROUND else None
    playing = s.lined == CARS and s.phase != OVER
    deciders = seen.deciders
    players = tuple(
        PlayerView(
            seat=seat,
            name=seen.names[seat],
            score=s.score[seat],
            total=s.score[seat] + sum(r.scores[seat] for r in seen.rounds[: _game(seen) - 1]),
            cards=s.cards[seat],
            black=s.black[seat],
            passed=s.phase == ROUND and bool(s.passed >> seat & 1),
            dealer=s.dealer == seat and s.dealer != HIDDEN,
            leads=leader == seat,
            best=led and s.best == seat,
            deciding=seat in deciders,
            hand=_hand(s, seat) if seen.eyes >> seat & 1 else None,
        )
        for seat in range(g.players)
    )
    return View(
        game=_game(seen),
        games=seen.options.rounds,
        phase=PHASES[s.phase],
        line=line_of(s),
        colour=s.colour if led else None,
        top=card(s.top) if led else None,
        best=s.best if led else None,
        leader=leader,
        first_to_pass=s.first - 1 if s.phase == ROUND and s.first else None,
        to_the_last=bool(g.to_the_last),
        wins=tuple(win(s, g, colour) for colour in range(COLOURS)) if playing else (),
        players=players,
        reserve=s.reserve,
        raise_by=10 * g.raise_by,
        black_by=10 * g.black_by,
        black_factor=g.black_factor,
        black_points=g.black_points,
        car_points=g.car_points,
        pass_cost=g.pass_cost,
        discard=tuple(s.discard[kind] for kind in range(KINDS)),
        deck=tuple(g.deck[kind] for kind in range(KINDS)),
    )


def _game(seen: Seen) -> int:
    """Return the number of the game to show: the last one if the match is over."""
    return min(len(seen.rounds) + 1, seen.options.rounds)


def _hand(s: State, seat: int) -> tuple[Card, ...]:
    return tuple(card(s.hand[seat, i]) for i in range(HAND) if s.hand[seat, i] != EMPTY)
