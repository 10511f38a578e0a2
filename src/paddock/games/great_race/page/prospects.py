"""The Great Race: what its page adds about each crew: prestige in parts, who can still finish this turn."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Sequence
from dataclasses import dataclass

from paddock.core.i18n import _
from paddock.core.title import Seen
from paddock.games.great_race.rules.ending import prestige_at
from paddock.games.great_race.rules.land import lane_end
from paddock.games.great_race.rules.state import (
    CITY,
    CONVOY,
    DRIVER,
    MECHANICS,
    OFF,
    WAYS,
    Setup,
    State,
)
from paddock.games.great_race.words.names import CARDS, card_name, tile_name
from paddock.games.great_race.words.names import TILES as TILE_WORDS
from paddock.games.great_race.words.view import Team, View, shown

YES, WITH_DRIVER, NO = "yes", "driver", "no"
MOST_DRIVES = 8  # that the page looks ahead
DRIVER_WORD = CARDS[DRIVER]


@dataclass(frozen=True)
class Outlook:
    """What everybody can tell about a crew."""

    team: Team
    arrival: int  # prestige for the place of arrival: the next free one for who is in the race
    engine: int
    chassis: int
    money: int
    total: int
    drives: int  # that the destination is away, at the engine's level; 0: farther than anybody looks
    finish: str  # this turn, at the engine's level: YES, WITH_DRIVER (cards that it may hold) or NO
    lacking: int  # drives for which it needs a Driver card each


def outlooks(seen: Seen, view: View) -> list[Outlook]:
    """GR-9.3 the prestige that each would have on arriving next as it is, in the turn order."""
    s, g = shown(seen), seen.setup
    return [_outlook(s, g, view, team) for team in in_order(view)]


def in_order(view: View) -> list[Team]:
    """The crews in the turn order."""
    order = view.order if len(set(view.order)) == len(view.teams) else range(len(view.teams))
    return [view.teams[seat] for seat in order]


def far(seen: Seen) -> dict[int, int]:
    """How many spaces each space by land is from the destination."""
    s, g = shown(seen), seen.setup
    steps = {s.goal: 0} if s.goal != OFF else {}
    queue = deque(steps)
    while queue:
        space = queue.popleft()
        for way in range(WAYS):
            if (to := g.beside[space, way]) != OFF and to not in steps:
                steps[to] = steps[space] + 1
                queue.append(to)
    return steps


def _outlook(s: State, g: Setup, view: View, team: Team) -> Outlook:
    """Return what a crew would have if it arrived next, and how far it still is."""
    place = team.arrival or s.arrived + 1
    engine, chassis = g.level_points * team.engine, g.level_points * team.chassis
    money, total = team.money // g.francs_a_point, prestige_at(s, g, team.seat, place)
    racing = team.space != OFF and s.goal != OFF and not team.arrival
    drives = _drives(s, g, team) if racing else 0
    lacking = max(0, drives - s.assistants[team.seat, MECHANICS])
    return Outlook(
        team,
        total - engine - chassis - money,
        engine,
        chassis,
        money,
        total,
        drives,
        _finish(s, team, drives, lacking, _drivers(g, view, team)),
        lacking,
    )


def _finish(s: State, team: Team, drives: int, lacking: int, drivers: int) -> str:
    """Whether a crew can still arrive this turn, as far as these eyes know; petrol can be bought."""
    if s.phase != CONVOY or not drives or team.passed or not any(team.assistants or ()):
        return NO
    if not lacking:
        return YES
    return WITH_DRIVER if lacking <= drivers else NO


def _drivers(g: Setup, view: View, team: Team) -> int:
    """How many Driver cards a crew can hold at most: those that these eyes see elsewhere, it does not."""
    if team.hand is not None:
        return team.hand.count(DRIVER_WORD)
    others_cards = [card for rival in view.teams if rival is not team for card in rival.hand or rival.known]
    seen = [*view.discard, *view.market, *others_cards].count(DRIVER_WORD)
    return min(g.deck[DRIVER] - seen, team.known.count(DRIVER_WORD) + team.cards - len(team.known))


def _drives(s: State, g: Setup, team: Team) -> int:
    """GR-7.1 how many drives the destination is away: a drive ends in a city, or after so many steps as the
    engine has levels; GR-7.9 a lane is a whole drive. 0 if it is too far or the engine has no level."""
    reached = {team.space}
    latest = reached  # from where the next drive may lead farther
    for drive in range(1, MOST_DRIVES + 1):
        edge = latest
        ends: set[int] = set()
        for space in latest:
            if g.land[space] == CITY and team.engine:
                ends |= {lane_end(g, lane, space) for lane in range(g.lanes)}
        for _step in range(team.engine):
            edge = {g.beside[space, direction] for space in edge for direction in range(WAYS)} - ends
            ends |= edge
            edge = {space for space in edge if space != OFF and g.land[space] != CITY}
        if s.goal in ends:
            return drive
        latest = ends - reached - {OFF}
        reached = reached | latest
    return 0


def parts(look: Outlook) -> str:
    """The parts of the prestige in words."""
    return _("{arrival} arrival, {engine} engine, {chassis} chassis, {money} money").format(
        arrival=look.arrival, engine=look.engine, chassis=look.chassis, money=look.money
    )


def cards(words: Sequence[str]) -> str:
    """Cards in words, equal ones counted: «2 × Jerrycan, Militia»."""
    return _names_listed([card_name(CARDS.index(word)) for word in words])


def tiles(words: Sequence[str]) -> str:
    """Tiles in words, equal ones counted."""
    return _names_listed([tile_name(TILE_WORDS.index(word)) for word in words])


def _names_listed(names: Sequence[str]) -> str:
    """Return names in one line, equal ones counted."""
    counted = Counter(names).items()
    return (
        _(", ").join(_("{n} × {name}").format(n=n, name=name) if n > 1 else name for name, n in counted)
        or "–"
    )
