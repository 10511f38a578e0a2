"""LACORSA: what a seat sees, as plain data. Pages, drawings and JSON use nothing else."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from paddock.core.notebook import Drawn
from paddock.core.options import Options as AnyOptions
from paddock.core.title import Seen
from paddock.games.lacorsa.rulebook import Options
from paddock.games.lacorsa.rules.race import can_pit
from paddock.games.lacorsa.rules.state import (
    CHALLENGE,
    DRAFT,
    INCIDENT,
    KINDS,
    OVER,
    PITS,
    REDLINE,
    ROAD,
    Setup,
)
from paddock.games.lacorsa.words.position import PHASES, shown
from paddock.games.lacorsa.words.text import move_of
from paddock.kernel import Grid


@dataclass(frozen=True)
class Card:
    """A card: ``kind`` is the rank, 0 for the Redline. Suits never matter (LC-1.1), so no card has one."""

    kind: int
    adds: int = 0  # what a Redline adds to a card (LC-5.1)


@dataclass(frozen=True)
class Car:
    """One car as the eyes see it."""

    seat: int  # 0-based; the number on the car is seat + 1
    driver: int  # 0-based
    name: str  # of the driver
    team: int | None  # 0-based, None without teams
    striped: bool  # the second car of its driver (teams' championship) or of its team
    place: int  # 1 for the leader; 0 before there is a grid, and for a retired car
    gap: int  # empty spaces directly ahead of it; 0 for the leader
    cards: int  # in its hand, public (LC-1.4)
    committed: bool  # whether it has a play face down
    deciding: bool  # whether it must decide now
    hand: tuple[Card, ...] | None  # sorted by kind, the Redlines last; None if hidden from these eyes
    commit: str | None  # its face-down play in notation; only its owner sees it
    known: tuple[Card, ...] = ()  # cards of its hand that everybody has seen (LX-2.1)
    pitted: bool = False  # whether it has pitted
    can_pit: bool = False  # whether it may pit now (LX-2.0)
    retired: int = 0  # 0 if not retired, 1 for the first car to retire, 2 for the next, …
    wears: int = 0  # number of the car whose colours it has, in stripes; 0 for its own colours


@dataclass(frozen=True)
class View(Drawn):
    """One race as ``eyes`` see it."""

    race: int  # from 1
    races: int
    lap: int  # from 1, 0 in qualifying
    # "deal", "qualify", "tied", "challenge", "road" or "over"; on a Large Grid also "pits" (pit or stay out),
    # "pit-draw", "pit-die", "incident" and "draft" (challenge or stop)
    phase: str
    last_lap: bool  # whether a car has no cards, so that no new lap begins (LC-7.1)
    turn: int | None  # the seat whose turn it is
    defender: int | None  # the seat that it challenges, may challenge, or has touched
    passes: int  # in this turn
    order: tuple[
        int, ...
    ]  # seats that have not retired, from the leader to the back; empty before there is a grid
    cars: tuple[Car, ...]  # by seat
    discard: tuple[int, ...]  # cards of each kind in the pile, index 0 the Redline (LC-1.5)
    deck: tuple[int, ...]  # cards of each kind in the whole deck
    aside: int  # cards set aside unseen (LC-1.3)
    points: tuple[int, ...]  # for each place
    retired: tuple[int, ...] = ()  # retired seats, the last to retire first (LX-3.6)
    pit_stops: bool = False  # LX-2
    incidents: bool = False  # LX-3
    drafting: bool = False  # LX-5
    redline_bonus: int = 2  # LC-5.1
    win_by: int = 1  # the least difference with which a challenger wins (LC-5.2)
    drafts_from: int = 3  # the lowest card that drafts (LX-5.1)


def card(kind: int, bonus: int) -> Card:
    """Return a card of a race with this bonus of a Redline."""
    return Card(kind, bonus if kind == REDLINE else 0)


def _hand(cards: Grid, seat: int, bonus: int) -> tuple[Card, ...]:
    """Return the hand sorted by rank, Redlines last."""
    return _sorted(tuple([cards[seat, kind] for kind in range(KINDS)]), bonus)


@lru_cache(4096)
def _sorted(cards: tuple[int, ...], bonus: int) -> tuple[Card, ...]:
    """Return cards, of which there are so many of each kind, by rank, Redlines last."""
    return tuple(card(kind, bonus) for kind in (*range(1, KINDS), REDLINE) for _ in range(cards[kind]))


def view(seen: Seen) -> View:
    """Return what the eyes of ``seen`` see of the race."""
    s = shown(seen)
    g: Setup = seen.setup
    options: Options = seen.options  # type: ignore[assignment]  # a Seen of this title
    placed = s.placed - (g.cars - s.running)
    order = tuple(s.order[s.running - 1 - i] for i in range(placed))
    retired = tuple(sorted((seat for seat in range(g.cars) if s.out[seat]), key=lambda seat: -s.out[seat]))
    place = {seat: i + 1 for i, seat in enumerate(order)}
    deciders = seen.deciders
    racing = s.lap > 0 and s.phase != OVER
    turn = s.order[s.turn] if racing else None
    meeting = s.phase in (CHALLENGE, PITS, INCIDENT, DRAFT)
    starting = s.phase in (PITS, ROAD)
    cars = []
    for seat, driver in enumerate(options.owners):
        visible = bool(seen.eyes >> seat & 1)
        index = s.running - place[seat] if seat in place else 0
        face_down = s.commit[seat]
        cars.append(
            Car(
                seat=seat,
                driver=driver,
                name=seen.names[driver],
                team=options.teams[driver] if options.teams else None,
                striped=wears(options, seat) > 0,
                place=place.get(seat, 0),
                gap=s.gap[index] if place.get(seat, 0) > 1 else 0,
                cards=s.cards[seat],
                committed=face_down != 0,
                deciding=seat in deciders,
                hand=_hand(s.hand, seat, g.redline_bonus) if visible else None,
                commit=str(move_of(face_down - 1)) if visible and face_down > 0 else None,
                known=_hand(s.known, seat, g.redline_bonus) if g.pit else (),
                pitted=bool(g.pit and s.lap >= g.pit_lap and not s.stops >> seat & 1),
                can_pit=bool(starting and seat == turn and can_pit(s, g, seat)),
                retired=s.out[seat],
                wears=wears(options, seat),
            )
        )
    return View(
        race=min(len(seen.rounds) + (s.phase != OVER), options.races),
        races=options.races,
        lap=s.lap,
        phase=PHASES[s.phase],
        last_lap=bool(s.last),
        turn=turn,
        defender=s.order[s.turn + 1] if meeting else None,
        passes=s.passes,
        order=order,
        cars=tuple(cars),
        discard=tuple(s.discard[k] for k in range(KINDS)),
        deck=tuple(g.deck[k] for k in range(KINDS)),
        aside=sum(g.deck[k] for k in range(KINDS)) - g.cars * g.cards,
        points=tuple(g.points[i] for i in range(g.cars)),
        retired=retired,
        pit_stops=bool(g.pit),
        incidents=bool(g.incidents),
        drafting=bool(g.drafting),
        redline_bonus=g.redline_bonus,
        win_by=g.win_by,
        drafts_from=g.drafts_from,
    )


def wears(options: AnyOptions, seat: int) -> int:
    """Return the number of the first car of the driver or team if this is the second; else 0."""
    if not options.teams:
        return 0
    teams = [options.teams[driver] for driver in options.owners]
    first = teams.index(teams[seat])
    return first + 1 if first != seat else 0
