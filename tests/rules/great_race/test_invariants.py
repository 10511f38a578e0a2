"""Every invariant of The Great Race is found broken where it is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from paddock.games.great_race.rules import state
from paddock.games.great_race.rules.invariants import INVARIANTS, broken

CITY, TRACK, HILLS, FREE = range(4)  # the spaces of a map of four


def race() -> tuple[Any, Any]:
    """Two seats in the convoy on a map of a city, two spaces with a tile, and one without."""
    s: Any = state.State()
    g: Any = state.Setup()
    g.players, g.gauge_max, g.max_turns, g.leaders, g.spaces = 2, 5, 60, 1, 4
    g.land[CITY], g.land[HILLS] = state.CITY, state.RISK
    s.phase, s.stage, s.round, s.card, s.entering = state.CONVOY, state.ACT, 1, state.NO_CARD, state.OFF
    for kind in range(state.CARDS):
        g.deck[kind] = 3
        s.deck[kind] = 3
    s.deck_size = 3 * state.CARDS
    for kind in range(state.TILES):
        g.bag[kind] = 2
        s.bag[kind] = 2
    s.bag_size = 2 * state.TILES
    for space in range(g.spaces):
        s.tile[space] = state.BLANK
    for space, kind in ((TRACK, 0), (HILLS, 8)):
        s.tile[space] = kind
        s.bag[kind] -= 1
        s.bag_size -= 1
    for seat in range(g.players):
        s.order[seat] = s.token_order[seat] = seat
        s.petrol[seat] = s.engine[seat] = s.chassis[seat] = 5
        s.money[seat] = 80
        s.leader[seat] = state.BORIS + seat
        s.at[seat] = (CITY, TRACK)[seat]
        s.assistants[seat, state.SECURITY] = 5
    for kind in (state.MILITIA, state.JERRYCAN):
        s.hand[1, kind] += 1
        s.cards[1] += 1
        s.deck[kind] -= 1
        s.deck_size -= 1
    s.known[1, state.MILITIA] = 1
    s.private[1, state.JERRYCAN] = 1  # seat 0 knows of it
    return s, g


def with_fields(**values: object) -> Callable[[Any], None]:
    def change(s: Any) -> None:
        for name, value in values.items():
            setattr(s, name, value)

    return change


def with_cells(field: str, *cells: tuple[Any, int]) -> Callable[[Any], None]:
    def change(s: Any) -> None:
        for index, value in cells:
            getattr(s, field)[index] = value

    return change


def finished(s: Any) -> None:
    """Seat 1 is at the destination, without cards and assistants."""
    s.goal, s.arrived, s.place[1], s.passed[1], s.at[1] = CITY, 1, 1, 1, CITY
    for kind in (state.MILITIA, state.JERRYCAN):
        s.hand[1, kind] = 0
        s.discard[kind] = 1
    s.cards[1] = s.known[1, state.MILITIA] = s.private[1, state.JERRYCAN] = 0
    s.assistants[1, state.SECURITY] = 0


def finished_but(change: Callable[[Any], None]) -> Callable[[Any], None]:
    def both(s: Any) -> None:
        finished(s)
        change(s)

    return both


def test_a_race_that_breaks_nothing() -> None:
    for change in (with_fields(), finished, with_cells("petrol", (0, 6))):
        s, g = race()
        change(s)
        assert INVARIANTS[broken(s, g)] == ""


BROKEN = [
    (with_cells("deck", (0, 2)), 1),
    (with_cells("discard", (0, 1)), 1),
    (with_cells("market", (0, 1)), 1),
    (with_fields(card=3), 1),
    (with_cells("hand", ((0, 4), 1)), 1),
    (with_cells("drawn", ((0, 4), 1)), 1),
    (with_cells("drawn", ((0, 4), -1), ((0, 5), 1)), 1),
    (with_fields(deck_size=1), 2),
    (with_fields(market_size=1), 2),
    (with_cells("cards", (1, 1)), 2),
    (with_fields(drawn_size=1), 2),
    (with_cells("bag", (3, 1)), 3),
    (with_cells("removed", (3, 1)), 3),
    (with_cells("drawn_tiles", (3, 1)), 3),
    (with_cells("picked_tiles", (3, 1)), 3),
    (with_cells("tile", (FREE, 3)), 3),
    (with_fields(bag_size=1), 3),
    (with_cells("petrol", (1, 6)), 4),
    (with_cells("engine", (0, 7)), 4),
    (with_cells("chassis", (1, -1)), 4),
    (with_cells("money", (0, -10)), 5),
    (with_cells("known", ((1, state.MILITIA), 2)), 6),
    (with_cells("known", ((1, state.JERRYCAN), 1)), 6),
    (with_cells("known", ((1, state.GUIDE), -1)), 6),
    (with_cells("private", ((state.SEATS + 1, state.MILITIA), 1)), 6),
    (with_cells("private", ((state.SEATS, state.GUIDE), 1)), 6),
    (with_cells("chassis", (1, 1)), 7),
    (with_cells("order", (0, 1)), 8),
    (with_cells("token_order", (1, 0)), 8),
    (with_cells("at", (0, FREE)), 9),
    (with_cells("at", (0, 4)), 9),
    (with_cells("at", (0, -1)), 9),
    (finished_but(with_cells("at", (1, TRACK))), 11),
    (finished_but(with_cells("passed", (1, 0))), 11),
    (finished_but(with_cells("assistants", ((1, 0), 1))), 11),
    (finished_but(with_cells("place", (1, 2))), 11),
    (finished_but(with_fields(arrived=0)), 11),
    (with_cells("assistants", ((0, 0), 1)), 12),
    (with_cells("assistants", ((0, 0), -1)), 12),
    (with_cells("plan", (0, 1)), 12),
    (with_fields(stage=state.PLANS_STAGE), 12),
    (with_fields(round=0), 13),
    (with_fields(round=61), 13),
    (with_fields(asked=2), 14),
    (finished_but(with_fields(asked=1)), 14),
    (with_fields(stage=state.DAMAGE), 14),
    (with_fields(stage=state.KEEP), 15),
    (with_fields(stage=state.THEFT), 15),
    (with_cells("leader", (1, state.BORIS)), 16),
]


@pytest.mark.parametrize(("change", "code"), BROKEN)
def test_every_invariant_is_found_broken(change: Callable[[Any], None], code: int) -> None:
    s, g = race()
    change(s)
    assert INVARIANTS[broken(s, g)] == INVARIANTS[code]


def test_a_tile_in_a_city_and_an_empty_deck_are_found() -> None:
    s, g = race()
    s.tile[CITY], s.tile[HILLS] = s.tile[HILLS], state.BLANK
    assert broken(s, g) == 10
    s, g = race()
    for kind in range(state.CARDS):
        s.discard[kind], s.deck[kind] = s.deck[kind], 0
    s.stage, s.deck_size = state.DRAW_CARD, 0
    assert broken(s, g) == 15
    s.stage = state.DEAL
    assert broken(s, g) == 15
    s, g = race()
    for kind in range(state.TILES):
        s.removed[kind], s.bag[kind] = s.bag[kind], 0
    s.stage, s.bag_size = state.DRAW_TILE, 0
    assert broken(s, g) == 15


def test_all_invariants_are_tried() -> None:
    assert {code for _change, code in BROKEN} | {10} == set(range(1, len(INVARIANTS)))
