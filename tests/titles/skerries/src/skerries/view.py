"""Skerries: what a seat sees. A ``Seen`` in, plain data out."""

from __future__ import annotations

from dataclasses import dataclass

from paddock.core.i18n import mark
from paddock.core.notebook import Drawn
from paddock.core.title import Seen
from skerries.chart import LETTERS, hex_name
from skerries.sailing import ASKED, KINDS, OVER, SEATS, THEFT, Setup, State

CARDS = (mark("gust"), mark("pilot"), mark("anchor"))  # notation, and the words that pages translate
PHASES = ("roll", "sail", "asked", "draw", "theft", "over")


@dataclass(frozen=True)
class Memory:
    """What one skipper knows of another's hand (SK-4.4)."""

    knower: int
    holder: int
    cards: tuple[str, ...]


@dataclass(frozen=True)
class Boat:
    """A boat as everybody sees it, and its hand if these eyes may see it."""

    seat: int
    name: str  # of its skipper
    hex: str
    place: int | None  # None before it has arrived
    cards: int  # in the hand, public
    deciding: bool
    hand: tuple[str, ...] | None  # None when hidden from these eyes


@dataclass(frozen=True)
class View(Drawn):
    """One race as ``eyes`` see it."""

    race: int  # from 1
    races: int
    phase: str  # "roll", "sail", "asked", "draw", "theft" or "over"
    day: int
    days: int
    turn: int | None  # whose turn it is; None once the race is over
    wind: int
    piloted: bool
    victim: int | None  # who is being robbed
    chart: tuple[str, ...]  # its rows, as charts are written
    boats: tuple[Boat, ...]
    deck: int  # cards left in it
    open: tuple[str, ...]  # cards that lie open
    memories: tuple[Memory, ...]  # of these eyes


def view(seen: Seen) -> View:
    """What the eyes of ``seen`` see of the race."""
    s: State = seen.state
    g: Setup = seen.setup
    letters = "".join(LETTERS[g.land[hex]] for hex in range(g.hexes))
    deciders = seen.deciders
    boats = tuple(
        Boat(
            seat=seat,
            name=seen.names[seat],
            hex=hex_name(s.at[seat], g.columns),
            place=s.place[seat] or None,
            cards=s.cards[seat],
            deciding=seat in deciders,
            hand=names([s.held[seat, kind] for kind in range(KINDS)]) if seen.eyes >> seat & 1 else None,
        )
        for seat in range(g.skippers)
    )
    return View(
        race=min(len(seen.rounds) + 1, seen.options.rounds),
        races=seen.options.rounds,
        phase=PHASES[s.phase],
        day=min(s.day, g.days),
        days=g.days,
        turn=s.turn if s.phase != OVER else None,
        wind=s.wind,
        piloted=bool(s.piloted),
        victim=s.victim if s.phase in (ASKED, THEFT) else None,
        chart=tuple(letters[i : i + g.columns] for i in range(0, g.hexes, g.columns)),
        boats=boats,
        deck=s.left,
        open=names([s.open[kind] for kind in range(KINDS)]),
        memories=_memories(s, g),
    )


def names(counts: list[int]) -> tuple[str, ...]:
    """The names of the cards, from the number of each kind."""
    return tuple(CARDS[kind] for kind, count in enumerate(counts) for _ in range(count))


def _memories(s: State, g: Setup) -> tuple[Memory, ...]:
    """SK-4.4 the memories of these eyes."""
    found = []
    for knower in range(g.skippers):
        for holder in range(g.skippers):
            cards = names([s.known[SEATS * knower + holder, kind] for kind in range(KINDS)])
            if cards:
                found.append(Memory(knower, holder, cards))
    return tuple(found)
