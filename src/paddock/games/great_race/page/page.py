"""The Great Race: what its pages show besides the view: decisions, the map of a decision, prestige."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from paddock.core.i18n import _, mark, pgettext, plural
from paddock.core.log import Event
from paddock.core.pages import Link
from paddock.core.series import standings
from paddock.core.title import Seen
from paddock.core.wording import listed
from paddock.games.great_race.drawing.draw import Finisher, space_words, tile_words
from paddock.games.great_race.page import account as accounts
from paddock.games.great_race.page import asking, reveals
from paddock.games.great_race.page.asking import card_face, price
from paddock.games.great_race.page.offers import Face, Hand
from paddock.games.great_race.rules import state
from paddock.games.great_race.words.names import (
    CARDS,
    LEADERS,
    TILES,
    card_name,
    leader_name,
    space_of,
    tile_name,
)
from paddock.games.great_race.words.view import Space, Team, View
from paddock.parts.page import Pad, row

START = mark("Start the race: the engines are warm")
SHORTCUTS = (
    (
        "1–9",
        mark("take this choice; in your sequence: buy this much petrol; in a plan, 1–4: add an assistant"),
    ),
    ("t u r d", mark("scout, supply, repair, drive")),
    ("c f x", mark("clear the way, funding, pass")),
    ("k e", mark("Cook's guard clears the way; Red Kate steals")),
    ("j", mark("play a Jerrycan first")),
    ("0", mark("take all assistants back")),
    ("Backspace", mark("take back the last step")),
    ("g", mark("send what is chosen")),
)

account = accounts.account
ask = asking.ask
moves = reveals.moves
reveal = reveals.reveal
words_of_cost = price


# ---- the chain and the map -----------------------------------------------------------------------


@dataclass(frozen=True)
class Marks:
    """What the map shows beside the view: the way chosen so far, and where one can tap."""

    way: tuple[int, ...] = ()  # spaces of the drive, its start first
    ghost: tuple[str, int] | None = None  # a tile that is placed but not sent
    moves: Mapping[int, str] = field(default_factory=dict)
    labels: Mapping[int, str] = field(default_factory=dict)
    cost: Mapping[str, int] = field(default_factory=dict)
    glow: int | None = None  # the space that a lesson suggests


COLON = ": "  # between a move and what follows from it
DRIVES = {"drive", "play driver", "play transport", "halt"}
SPOTS = {"clear", "cook-clears", "play trail-hunter", "play con-artist"}


def marks(seen: Seen, view: View, asks: Sequence[Any]) -> Marks:
    """Return the marks for the first open decision. ``seen`` is the position before the chosen links,
    ``view`` the one after them."""
    asked = next((item for item in asks if not item.committed), None)
    if asked is None:
        return Marks()
    hand: Hand = asked.hand
    links = [link.move for link in asked.links]
    route, last = _chosen(seen, asked.seat, links)
    cost = {
        name: sum(link.cost.get(name, 0) for link in asked.links)
        for link in asked.links
        for name in link.cost
    }
    ghost = None
    if last is not None and (tile := view.spaces[last].tile):
        ghost = (tile, last)
    if asked.ended:
        return Marks(route, ghost, cost=cost)
    suggested = asked.suggested.name if asked.suggested and not links else None
    glow = next((space for space, move in hand.spaces.items() if move == suggested), None)
    return Marks(route, ghost, hand.spaces, hand.labels, cost, glow)


def total(links: Sequence[Any]) -> dict[str, int]:
    """Return what all links cost."""
    names = dict.fromkeys(name for link in links for name in link.cost)
    return {name: sum(link.cost.get(name, 0) for link in links) for name in names}


def whole(links: Sequence[Link]) -> str:
    """Return what the button says that sends these links: the end of a drive and its cost, or all moves."""
    heads = [link.label.partition(COLON)[0] for link in links]
    starts = [n for n, link in enumerate(links) if link.move in DRIVES - {"halt"}]
    first = starts[0] if starts else 0 if links[0].cost.get("petrol") else len(links)
    steps = [n for n in range(first, len(links)) if _is_space(links[n].move)]
    if not steps:
        words = _(" · ").join(heads if len(heads) < 4 else ["…", *heads[-2:]])
    else:
        words = plural("{drive} ({n} step)", "{drive} ({n} steps)", len(steps), drive=heads[steps[-1]])
        words = _("{drive}, then stop here").format(drive=words) if links[-1].move == "halt" else words
    paid = price(total(links))
    return _("{words}: {price}").format(words=words, price=paid) if paid else words


def _is_space(link: str) -> bool:
    """Whether a link in notation is a space: «7d», or a city's two capitals."""
    return " " not in link and (link[:1].isdigit() or link.isupper())


def _chosen(seen: Seen, seat: int, links: Iterable[str]) -> tuple[tuple[int, ...], int | None]:
    """The spaces of the drive among the links, from its start on, and the space of the last tile placed."""
    s, g = seen.state, seen.setup
    driving = s.action == state.DRIVING
    placing = s.stage in (state.PLACE_TILE, state.PLACE_SPACE)
    route: list[int] = []
    last = None
    for link in links:
        if link in DRIVES | SPOTS:
            driving, placing = link in DRIVES, False
        elif _is_space(link):
            space = space_of(g, link)
            if driving:
                route.append(space)
            elif placing:
                last = space
    return (s.at[seat], *route) if route else (), last


def places(view: View) -> list[str]:
    """The map in words: cities with their two letters, and spaces with a tile, from the west to the east."""
    listed = [space for space in view.spaces if space.city or space.tile]
    return [_place(view, space) for space in sorted(listed, key=lambda space: (space.column, space.row))]


def _place(view: View, space: Space) -> str:
    names_here = [team.name for team in view.teams if team.space == space.space]
    words = f"{space.name} {space_words(view, space)}" if space.city else space_words(view, space)
    return _("{place} ({names})").format(place=words, names=_(", ").join(names_here)) if names_here else words


# ---- the crews ----------------------------------------------------------------------------------


def here(view: View, seats: Sequence[int]) -> Team:
    """Return the crew whose dashboard is shown: of the reader's, the one that is asked, else the first."""
    own_teams = [view.teams[seat] for seat in seats]
    return next((team for team in own_teams if team.deciding), own_teams[0])


@dataclass(frozen=True)
class Aid:
    """A line of the aid: a card or a tile with what it does."""

    name: str
    face: Face
    where: tuple[str, ...] = ()


def aid(view: View) -> tuple[list[Aid], list[Aid]]:
    """Return all kinds of cards, and all kinds of tiles of this map, with what they do."""
    cards = [Aid(card_name(kind), card_face(view, word)) for kind, word in enumerate(CARDS)]
    tiles = [
        Aid(
            tile_words(view, tile.name),
            Face("tile", tile.name),
            (str(tile.in_bag), str(tile.in_all)),
        )
        for tile in view.tiles
        if tile.in_all
    ]
    return cards, tiles


def face_name(face: Face) -> str:
    """Return the name of a card, a leader or a tile that is drawn."""
    if face.kind == "leader":
        return leader_name(LEADERS.index(face.word))
    return card_name(CARDS.index(face.word)) if face.kind == "card" else tile_name(TILES.index(face.word))


# ---- the protocol -------------------------------------------------------------------------------


_TILES_MATTER = mark("Tiles can make your own way easier, or that of a rival harder.")
_GUARD_MATTERS = mark("A guard that is spent now is missing later. What would this cost you?")
_MATTERS = {
    state.TAKE: mark("Which card helps with what you plan for this turn? What you leave, a rival takes."),
    state.PLANS_STAGE: mark(
        "Each assistant is one action of this turn. Plan what petrol, gauges and money allow: a drive needs "
        "petrol and an engine."
    ),
    state.ACT: mark(
        "Each assistant is used once, and petrol is bought before. After a pass, only Security stays."
    ),
    state.STEP: mark("Petrol and damage of the way count, and what is left for the next turn."),
    state.DAMAGE: mark("An engine at 0 breaks down; the chassis says how many cards you can hold."),
    state.MEND: mark("An engine at 0 cannot drive; the chassis says how many cards you can hold."),
    state.PICK_TILE: _TILES_MATTER,
    state.PLACE_TILE: _TILES_MATTER,
    state.PLACE_SPACE: _TILES_MATTER,
    state.CANCEL: _GUARD_MATTERS,
    state.DANGER: _GUARD_MATTERS,
    state.ARRIVAL: _GUARD_MATTERS,
}


def matters(seen: Seen, seat: int) -> str:
    """Return what matters in the decision of a seat, by its stage."""
    words = _MATTERS.get(seen.state.stage)
    return _(words) if words else ""


def faces(seen: Seen, move: int) -> tuple[str, ...]:
    """Return the card of a move, to draw it."""
    return (CARDS[(move - state.PLAY) % len(CARDS)],) if state.PLAY <= move < state.SEAT else ()


_NOBODY = (state.DESTINATION, state.NUMBERED, state.TURN, state.DEALT, state.SHUFFLED, state.RETURNED_TILE)


def subject(event: Event) -> int | None:
    """Return the seat that a line of the story is about."""
    return None if event.code in _NOBODY else event.a


def is_heading(event: Event) -> bool:
    """Whether a line begins a part of the story: a new turn does."""
    return event.code == state.TURN


_KICKERS = {
    state.DESTINATION: mark("And they are off"),
    state.TURNED_BACK: mark("No way through"),
    state.BROKE_DOWN: mark("Breakdown"),
    state.FLEW: mark("Passage booked"),
    state.CANCELLED: mark("Plot foiled"),
    state.STOLE: mark("Thief at large"),
    state.ARRIVED: mark("Extra! Arrived"),
}


def kicker(event: Event) -> str:
    """Return the headline above a line of the story, as a newspaper would have it."""
    if event.code == state.ORDERED and event.b == 1:
        return _("The race leader")
    if event.code == state.ENDED and event.b == 1:
        return _("The winner")
    return _(_KICKERS[event.code]) if event.code in _KICKERS else ""


SOUNDS = {
    state.TOOK: "card",
    state.PLANNED: "reveal",
    state.PLAYED: "card",
    state.DROVE: "engine",
    state.FLEW: "engine",
    state.EXPLORED: "engine",
    state.HARMED: "danger",
    state.BROKE_DOWN: "danger",
    state.STOLE: "danger",
    state.ENDED: "finish",
}


def standing(view: View, player: int) -> tuple[str, ...]:
    """Return the turn, and the player's progress or place."""
    if not view.turn:
        return ()
    team = view.teams[player]
    place_words = (
        _("arrived, place {n}").format(n=team.arrival)
        if team.arrival
        else _("progress {n}").format(n=team.progress)
    )
    return pgettext("of all crews", "turn {n}").format(n=view.turn), place_words


def pads(seen: Seen, view: View) -> list[Pad[int]]:
    """Return the prestige race by race (GR-9.7)."""
    races = seen.options.rounds
    table = standings(seen.options, seen.rounds).players
    rows = tuple(
        row(seen.names[line.who], (line.who,), line.rounds, races, leads=line.rank == 1 and any(line.places))
        for line in table
    )
    return [Pad(_("Prestige, race by race"), _("Crew"), races, rows)]


def finishers(seen: Seen, view: View) -> list[Finisher]:
    """Return who stands on the podium: everybody who has arrived in a race."""
    table = standings(seen.options, seen.rounds).players
    return [
        Finisher(line.rank, seen.names[line.who], line.total, line.who, _sources(seen, view.teams[line.who]))
        for line in table
        if any(line.places)
    ]


def _sources(seen: Seen, team: Team) -> tuple[int, ...]:
    """GR-9.3 a finisher's prestige by arrival, engine, chassis and money; empty for a series."""
    if seen.options.rounds != 1 or not team.arrival:
        return ()
    g = seen.setup
    engine, chassis = g.level_points * team.engine, g.level_points * team.chassis
    money = team.money // g.francs_a_point
    return team.prestige - engine - chassis - money, engine, chassis, money


def headline(winners: Sequence[str], rounds: int) -> str:
    """Return who won, as a newspaper would."""
    if not winners:
        return _("Nobody reaches the destination")
    if len(winners) == 1:
        return (_("{name} wins the Great Race") if rounds == 1 else _("{name} wins the series")).format(
            name=winners[0]
        )
    return _("{names} share the win").format(names=listed(winners))
