"""What the end of a game is worth, by hand and beside the standings."""

from __future__ import annotations

import random

import numpy as np
import pytest
from tests.titles import LACORSA, RASANT

import paddock
from paddock.bots.worth import points_over, worth
from paddock.core.series import RoundResult, standings


def seen_after(title, options, rounds=()):
    """What a seat sees in a series after these rounds, as far as ``worth`` looks at it."""
    game = paddock.start(title.name, seed=1, **options)
    game.rounds += rounds
    return game.seen(1)


def test_a_single_race_is_worth_the_points_over_the_fair_share():
    seen = seen_after(LACORSA, {"drivers": 4, "races": 1})
    scores, places = np.array([[9.0, 6, 4, 3], [3, 4, 6, 9]]), np.array([[1.0, 2, 3, 4], [4, 3, 2, 1]])
    assert worth(seen, 0, scores, places).tolist() == [3.5, -2.5]
    assert worth(seen, 2, scores, places).tolist() == [-1.5, 0.5]
    assert points_over(seen.options, 0, scores).tolist() == [3.5, -2.5]


def test_the_cars_of_a_player_count_together():
    seen = seen_after(LACORSA, {"drivers": 2, "races": 1})
    assert worth(seen, 2, np.array([9.0, 6, 4, 3]), np.array([1.0, 2, 3, 4])) == -4.0


def test_a_pair_counts_as_much_as_its_drivers():
    seen = seen_after(LACORSA, {"drivers": 4, "races": 1, "pairs": True})
    assert worth(seen, 0, np.array([9.0, 1, 8, 6]), np.array([1.0, 4, 2, 3])) == ((9 - 6) + (10 - 12)) / 2


def test_the_last_race_of_a_series_decides_the_standings():
    """Points first, then countback; a tie that is left counts in part."""
    before = RoundResult((9, 6, 4, 3), (1, 2, 3, 4))
    seen = seen_after(LACORSA, {"drivers": 4, "races": 2}, [before])
    scores = np.array([[3.0, 4, 6, 9], [3, 6, 4, 9], [9, 6, 4, 3], [3, 9, 6, 4]])
    places = np.array([[4.0, 3, 2, 1], [4, 2, 3, 1], [1, 2, 3, 4], [4, 1, 2, 3]])
    # 12 10 10 12: driver 4 has the same places; 12 12 8 12: and driver 2 has no win; 18 …; 12 15 10 7
    shared = (1 / 2 + (2 + 1 / 2) / 3) / 2
    assert worth(seen, 0, scores, places) == pytest.approx([shared, shared, 1, (0 + 2 / 3) / 2])


@pytest.mark.parametrize(
    ("title", "options"),
    [
        (LACORSA, {"drivers": 5, "races": 3}),
        (LACORSA, {"drivers": 6, "races": 3, "pairs": "1-4/2-3"}),
        (LACORSA, {"drivers": 3, "races": 3}),
        (RASANT, {"players": 4, "games": 3}),
    ],
)
def test_a_share_is_that_of_the_standings(title, options):
    """After the last game nothing is random: for every end, as the standings say."""
    choose = random.Random(1)
    for _ in range(30):
        rounds = [random_round(title, options, choose) for _ in range(3)]
        seen = seen_after(title, options, rounds[:2])
        seat = choose.randrange(seen.options.seats)
        table = standings(seen.options, rounds)
        shares = [share(table.players, seen.options.owners[seat])]
        if seen.options.teams:
            shares.append(share(table.teams, seen.options.teams[seen.options.owners[seat]]))
        now = (np.array([values], float) for values in (rounds[2].scores, rounds[2].places))
        assert worth(seen, seat, *now) == pytest.approx([sum(shares) / len(shares)])


def random_round(title, options, choose):
    seats = title.options.read(options).seats
    places = choose.sample(range(1, seats + 1), seats)
    return RoundResult(tuple(choose.choice([0, 1, 1]) * (seats - place) for place in places), tuple(places))


def share(lines, who):
    rank = next(line.rank for line in lines if line.who == who)
    level = sum(line.rank == rank for line in lines) - 1
    behind = sum(line.rank > rank for line in lines)
    first = 1 / (1 + level) if rank == 1 else 0
    return (first + (behind + level / 2) / (len(lines) - 1)) / 2


def test_before_the_last_race_the_rest_is_played_by_clubs_of_equal_chances():
    seen = seen_after(LACORSA, {"drivers": 4, "races": 4})
    level = worth(seen, 0, np.full(4, 5.0), np.zeros(4))
    assert level == pytest.approx((1 / 4 + 1 / 2) / 2, abs=0.02)  # exact but for ties
    ends = np.array([[9.0, 6, 4, 3], [6, 9, 4, 3], [3, 9, 6, 4]])
    values = worth(seen, 0, ends, np.array([[1.0, 2, 3, 4], [2, 1, 3, 4], [4, 1, 2, 3]]))
    assert values[0] > values[1] > values[2]


def test_a_lead_that_nobody_can_make_up_is_worth_everything():
    """Three races of at most 9 points are left."""
    seen = seen_after(LACORSA, {"drivers": 4, "races": 4})
    ends = np.array([[100.0, 0, 0, 0], [0, 100, 0, 0], [0, 0, 100, 100]])
    values = worth(seen, 0, ends, np.zeros((3, 4)))
    assert values[0] == 1
    assert values[1:] == pytest.approx([(1 + 0) / 3 / 2, 1 / 2 / 3 / 2], abs=0.02)  # half of the level rivals
