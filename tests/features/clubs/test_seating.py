"""Who sits where: every table has people, seats go round, and everybody meets as many others as can be."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations

import pytest

from paddock.features.clubs.seating import Round, pair_of, seats, swiss

NAMES = [f"p{number:02}" for number in range(60)]


def meetings(rounds: Sequence[Round]) -> Counter[tuple[str, str]]:
    """Return how often two have met."""
    people = [list(filter(None, table)) for played in rounds for table in played]
    return Counter(pair_of(a, b) for table in people for a, b in combinations(table, 2))


def uneven(rounds: Sequence[Round], names: Sequence[str], size: int) -> int:
    """Return by how much the numbers of times differ at most that somebody had their seats."""
    had = Counter((name, seat) for played in rounds for table in played for seat, name in enumerate(table))
    counts = [[had[name, seat] for seat in range(size)] for name in names]
    return max(max(of_one) - min(of_one) for of_one in counts)


@pytest.mark.parametrize(
    ("people", "size", "rounds"),
    [(16, 4, 5), (60, 4, 6), (24, 3, 8), (11, 4, 7), (5, 4, 6), (7, 2, 5), (1, 4, 2)],
)
def test_seats_go_round_and_bots_are_spread(people: int, size: int, rounds: int) -> None:
    names = NAMES[:people]
    plan = seats(names, size, rounds, "evening")
    assert plan == seats(names[::-1], size, rounds, "evening") != seats(names, size, rounds, "x" * 9)
    assert len(plan) == rounds
    for played in plan:
        assert sorted(name for table in played for name in table if name) == names
        at_tables = [sum(map(bool, table)) for table in played]
        assert len(at_tables) == -(-people // size) and all(len(table) == size for table in played)
        assert max(at_tables) - min(at_tables) <= 1
        assert size == 2 or people == 1 or min(at_tables) >= 2
    assert uneven(plan, names, size) <= 1
    bots = Counter[str]()
    for table in (table for played in plan for table in played):
        bots.update({name: table.count(None) for name in table if name})
    assert max(bots.values()) - min(bots.values()) <= 2


def test_everybody_meets_as_many_others_as_can_be() -> None:
    met = meetings(seats(NAMES, 4, 6, "wide"))
    assert set(met.values()) == {1}, "with 60 people and six rounds nobody meets anybody twice"
    met = meetings(seats(NAMES[:12], 4, 8, "narrow"))
    assert min(met[pair] for pair in combinations(NAMES[:12], 2)) >= 1 and max(met.values()) <= 4


def test_rounds_after_others_go_on_from_them() -> None:
    past = seats(NAMES[:16], 4, 2, "a")
    later = seats(NAMES[:17], 4, 3, "b", past)  # somebody comes late
    assert max(meetings([*past, *later]).values()) <= 2
    assert uneven([*past, *later], NAMES[:16], 4) <= 2


def test_swiss_rounds_bring_neighbours_together_but_not_twice() -> None:
    rounds: list[Round] = []
    for number in range(6):
        rounds.append(swiss(NAMES, 4, "swiss", rounds))
        assert len(rounds[-1]) == 15 and number + 1 == len(rounds)
    met = meetings(rounds)
    apart = [NAMES.index(b) - NAMES.index(a) for a, b in met]
    assert sum(apart) / len(apart) < 12, "20 would be the mean of random tables"
    assert sum(count > 1 for count in met.values()) <= len(met) // 50
    assert uneven(rounds, NAMES, 4) <= 2
    pairs: list[Round] = []
    for _round in range(7):
        pairs.append(swiss(NAMES[:8], 2, "pairs", pairs))
    assert set(meetings(pairs).values()) == {1}, "seven rounds of two among eight: all meet all"
