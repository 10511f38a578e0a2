"""The Great Race: what a link of a chain costs, the odds of unknown land, and ready drives."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush

from paddock.core.i18n import _, plural
from paddock.core.title import Chain, Seen
from paddock.games.great_race.rules import state
from paddock.games.great_race.rules.convoy import petrol_price
from paddock.games.great_race.rules.driving import damage_of, fare, levels
from paddock.games.great_race.rules.land import blank, lane_to, petrol_for
from paddock.games.great_race.rules.repair import part_price
from paddock.games.great_race.rules.state import Setup, State
from paddock.games.great_race.words.places import place_name


@dataclass(frozen=True)
class Odds:
    """What the public mix of tiles says of a step into unknown land."""

    payable: float  # share of the tiles that can be paid with what is there, without any help
    petrol: float  # on average
    damage: float  # on average, a danger's included
    danger: float  # share of the tiles


def odds(s: State, g: Setup, seat: int, space: int) -> Odds:
    """GR-7.5 what may come on an unknown space; an empty bag is refilled first (GR-1.6)."""
    counts = [s.bag[kind] if s.bag_size else s.removed[kind] for kind in range(state.TILES)]
    total = max(1, sum(counts))
    risk = int(g.land[space] == state.RISK)
    petrol = [g.tile_petrol[kind] + risk for kind in range(state.TILES)]
    damage = [g.tile_damage[kind] + 2 * g.tile_danger[kind] for kind in range(state.TILES)]
    payable = sum(
        count
        for kind, count in enumerate(counts)
        if petrol[kind] <= s.petrol[seat] and damage[kind] <= levels(s, seat)
    )
    return Odds(
        payable / total,
        sum(n * cost for n, cost in zip(counts, petrol, strict=True)) / total,
        sum(n * cost for n, cost in zip(counts, damage, strict=True)) / total,
        sum(n for kind, n in enumerate(counts) if g.tile_danger[kind]) / total,
    )


def cost(seen: Seen, seat: int, move: int) -> Mapping[str, int]:
    """The petrol, damage and francs of a link, as far as they are known."""
    s, g = seen.state, seen.setup
    if move < state.SPACE + state.SPACES:
        return _step(s, g, seat, move - state.SPACE) if s.stage == state.STEP else {}
    if state.BUY < move < state.VERBS:
        return {"francs": (move - state.BUY) * petrol_price(s, g, seat)}
    if move in (state.BUY_ENGINE, state.BUY_CHASSIS):
        return {"francs": part_price(s, g, seat)}
    return {"francs": g.theft_price} if move == state.PAY else {}


def prey(s: State, name: str, rival: int) -> str:
    """Return what the card or the thief can take from a rival; with a ``name``, after it."""
    if s.action == state.STEALING:
        loot = plural("{n} card", "{n} cards", s.cards[rival])
        loot = _("{cards}, {francs} F").format(cards=loot, francs=s.money[rival])
    elif s.card == state.RANSOM:
        loot = _("{n} F").format(n=s.money[rival])
    elif s.card == state.SIPHONER:
        loot = _("{n} petrol").format(n=s.petrol[rival])
    elif s.card == state.CUSTOMS:
        loot = plural("{n} card", "{n} cards", s.cards[rival])
    else:
        loot = _("engine {engine}, chassis {chassis}").format(
            engine=s.engine[rival], chassis=s.chassis[rival]
        )
    return _("{words}: {price}").format(words=name, price=loot) if name else loot


def _step(s: State, g: Setup, seat: int, space: int) -> Mapping[str, int]:
    """GR-7.2, GR-7.7 to GR-7.9 what a step costs; of unknown land nothing is certain."""
    if g.land[space] == state.CITY:
        lane = lane_to(g, s.at[seat], space)
        return {"petrol": 1} if lane == state.OFF else {"petrol": 1, "francs": fare(s, g, lane, 0)}
    if blank(s, g, space):
        return {}
    costs = {"petrol": petrol_for(s, g, space)}
    if damage := damage_of(s, g, space, 0):
        costs["damage"] = damage
    if g.tile_danger[s.tile[space]]:
        costs["danger"] = 1
    return costs


def ready(seen: Seen, seat: int) -> Sequence[Chain]:
    """GR-7.1 the cheapest way to every known space in reach of the drive under way, the cheapest first.

    A way goes over tiles without damage, danger and stop sign, where nothing is asked on the way; its last
    step may lead to any known tile or city.
    """
    s, g = seen.state, seen.setup
    if s.stage != state.STEP or s.turn != seat or s.discount:
        return []
    chains: dict[int, Chain] = {}
    open: list[tuple[int, int, tuple[int, ...], int]] = [(0, 0, (), s.at[seat])]
    legal = set(seen.legal(seat))
    while open:
        petrol, steps, moves, space = heappop(open)
        if space in chains:
            continue
        label = _("Drive to {place}").format(place=place_name(g, space))
        chains[space] = Chain(moves, label, {"petrol": petrol})
        if steps == s.steps or (moves and _ends(s, g, space)):
            continue
        for direction in range(state.WAYS):
            to = g.beside[space, direction]
            if to == state.OFF or blank(s, g, to):
                continue
            if not moves and state.SPACE + to not in legal:
                continue
            used = petrol + _step(s, g, seat, to)["petrol"]
            damage = 0 if g.land[to] == state.CITY else damage_of(s, g, to, 1)
            if used <= s.petrol[seat] and damage <= levels(s, seat):
                heappush(open, (used, steps + 1, (*moves, state.SPACE + to), to))
    return [chain for chain in chains.values() if chain.moves]


def _ends(s: State, g: Setup, space: int) -> bool:
    """Whether a way over known land can go no further without a question or a stop."""
    if g.land[space] == state.CITY:
        return True
    tile = s.tile[space]
    return bool(g.tile_damage[tile] or g.tile_danger[tile] or g.tile_stop[tile])
