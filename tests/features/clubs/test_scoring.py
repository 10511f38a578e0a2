"""Points over the field, and strengths that leavers do not spoil."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import replace

import pytest

from paddock.features.clubs.correcting import fit
from paddock.features.clubs.results import Result
from paddock.features.clubs.scoring import missing_tables, over_field, ratings, season, table
from paddock.features.clubs.seating import seats

NAMES = [f"p{number:02}" for number in range(12)]
STRENGTHS = {name: 2.0 * number - 11 for number, name in enumerate(NAMES)}  # 0 together
BOT, SEATS = 5.0, (0.0, 3.0, 1.0, -4.0)


def played(noise: float, seed: int, deals: int = 12, leavers: Sequence[str] = ()) -> list[Result]:
    """Return the results of a season. ``leavers`` leave each deal of their second half after a quarter."""
    draw, results = random.Random(seed), list[Result]()
    for deal, tables in enumerate(seats(NAMES, 4, deals, str(seed))):
        given = [draw.gauss(0, 4) for _seat in SEATS]  # to each seat, at all tables
        for number, names in enumerate(tables):
            level = draw.gauss(50, 20)  # of this table: some earn more than others
            for seat, name in enumerate(names):
                assert name is not None
                result = Result(name, deal, number, seat, 0.0, level="club")
                if name in leavers and deal >= deals // 2:
                    result = replace(result, bot_from=25, entries=100)
                own = result.own_part
                strength = own * STRENGTHS[name] + (1 - own) * BOT
                points = level + strength + SEATS[seat] + given[seat] + draw.gauss(0, noise)
                results.append(replace(result, points=points))
    return results


def test_points_over_the_field_compare_the_same_seat_of_the_same_deal() -> None:
    facts = [
        ("a", 0, 0, 10),
        (None, 0, 1, 4),
        ("b", 1, 0, 7),
        ("c", 1, 1, 4),
        (None, 2, 0, 1),
        ("d", 2, 1, 1),
    ]
    results = [Result(who, 1, at, seat, points) for who, at, seat, points in facts]
    assert over_field(results) == [6.0, 1.5, 1.5, 1.5, -7.5, -3.0]
    assert [(line.entrant, line.points, line.duplicate) for line in table(results)] == [
        ("a", 10, 6.0), ("b", 7, 1.5), ("c", 4, 1.5), ("d", 1, -3.0)
    ]  # fmt: skip
    assert all(math.isnan(line.error) for line in table(results)), "one deal has no interval"
    alone = table(results[:2])
    assert [(line.points, line.deals) for line in alone] == [(10, 1)] and math.isnan(alone[0].duplicate)
    assert [missing_tables(number) for number in (1, 3, 4, 15)] == [3, 1, 0, 0]
    assert table([]) == []


def test_strengths_are_found_whoever_leaves() -> None:
    exact = fit(played(1e-3, 1, leavers=NAMES[::3]))
    assert exact is not None
    assert {name: strength.value for name, strength in exact.entrants.items()} == pytest.approx(
        STRENGTHS, abs=0.05
    )
    assert exact.bots["club"].value == pytest.approx(BOT, abs=0.05)
    mean = sum(SEATS) / 4
    assert len(exact.seats) == 4 and abs(sum(exact.seats)) < 1e-6 and exact.deal > 1 > exact.noise
    assert exact.seats[3] - exact.seats[1] == pytest.approx(SEATS[3] - SEATS[1], abs=6), f"around {mean}"


def test_intervals_cover_the_truth_and_a_season_is_in_the_order_of_strength() -> None:
    covered = 0
    for seed in range(20):
        lines = season(played(8.0, seed, leavers=NAMES[::3]))
        assert [line.corrected for line in lines] == sorted((line.corrected for line in lines), reverse=True)
        assert {line.entrant for line in lines if line.note == "left"} == set(NAMES[::3])
        covered += sum(
            abs(line.corrected - STRENGTHS[line.entrant]) <= line.corrected_error for line in lines
        )
    assert 216 <= covered <= 237, "90 to 99 % of 240"


def test_a_season_does_not_judge_by_missed_deals() -> None:
    results = played(3.0, 4)
    absent = [replace(r, entrant=None) if r.entrant == "p11" and r.deal > 2 else r for r in results]
    lines = season(absent)
    assert lines[0].entrant in ("p10", "p11") and lines[-1].entrant in ("p00", "p01")
    best = next(line for line in lines if line.entrant == "p11")
    others = [line.corrected_error for line in lines if line is not best]
    assert best.deals == 3 and best.corrected_error > max(others), "who played little is less certain"


def test_ratings_go_by_places_and_leave_out_who_left() -> None:
    results = played(3.0, 5, leavers=NAMES[:1])
    rated = ratings([*results, *(replace(r, entrant=None, deal=99) for r in results if r.deal == 0)])
    assert list(rated) == NAMES
    order = sorted(NAMES, key=lambda name: rated[name].value)
    assert set(order[:2]) == {"p00", "p01"} and order[-1] == "p11"
    assert rated["p00"].error == max(rating.error for rating in rated.values()), "six deals less than others"
    assert [rating.value for rating in ratings(results[:1]).values()] == [25], "alone at a table"
    alone = [Result("a", 1, 0, 0, 5.0, level="a"), Result(None, 1, 0, 1, 9.0, level="a")]
    assert ratings(alone)["a"].value < 25, "a bot whose level has the name of an entrant is somebody else"


def test_a_part_of_a_deal_is_what_the_log_says() -> None:
    whole = Result("a", 1, 0, 0, 9.0)
    assert whole.own_part == 1 and replace(whole, entrant=None).own_part == 0
    assert replace(whole, bot_from=30, entries=120).own_part == 0.25
    counted = replace(whole, bot_from=30, entries=120, asked=20, own=15)
    assert counted.own_part == 0.75 and replace(counted, own=20).own_part == 1, "what they decided counts"
    assert replace(counted, asked=0, own=0).own_part == 0.25
    assert replace(whole, bot_from=0, entries=120).own_part == replace(whole, bot_from=3).own_part == 0
    assert fit([]) is None


@pytest.mark.parametrize("points", [(9, 6, 4, 3), (9, 6, 4, 2)])
def test_who_has_decided_nothing_has_missed_the_deal(points: tuple[int, ...]) -> None:
    """Bots played alike at the other tables, so there is no noise that would hide a wrong weight."""
    found = [
        Result(f"{4 * table + seat}" if table < 2 else None, 1, table, seat, (9, 6, 4, 3)[seat], level="club")
        for table in range(4)
        for seat in range(4)
    ]
    found[:4] = [replace(one, points=points[one.seat]) for one in found[:4]]
    found[1] = replace(found[1], bot_from=30, entries=90, asked=8, own=0)
    fitted = fit(found)
    assert fitted and all(math.isfinite(one.value + one.error) for one in fitted.entrants.values())
    others = [one.value for name, one in fitted.entrants.items() if name != "1"]
    assert min(others) - 1e-6 <= fitted.entrants["1"].value <= max(others) + 1e-6, "nothing is known"
