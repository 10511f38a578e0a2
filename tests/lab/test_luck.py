"""The luck of a match: it is 0 on average whoever plays, and points without it have the same mean."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import paddock
from lab.here import rows_here
from paddock.core.title import title
from paddock.kernel.source import Seeded
from paddock.lab.journal import Journal, finished
from paddock.lab.luck import Luck, without
from paddock.lab.plan import Plan, make_plan
from paddock.lab.play import BotTeam, play_deal
from paddock.lab.results import Match, make_match
from paddock.lab.rows import GameRow

LINE_UP = ["club", "rookie"]


def measured(deals: range, luck: int = 8) -> tuple[Plan, list[GameRow]]:
    plan = make_plan(title("rasant"), LINE_UP, 5, {}, 30, luck)
    with BotTeam(plan) as team:
        return plan, [row for deal in deals for row in play_deal(plan, deal, team)]


def test_measuring_changes_no_game_and_says_how_lucky_everybody_was() -> None:
    _plan, rows = measured(range(3))
    _plan, plain = rows_here("rasant", LINE_UP, 6, 5)
    assert [row._replace(luck=()) for row in rows] == plain
    assert all(len(row.luck) == 2 and abs(sum(row.luck)) < 1e-3 for row in rows)
    assert any(abs(row.luck[0]) > 1 for row in rows)
    assert measured(range(1, 2))[1] == rows[2:4], "deals have streams of their own"


def test_the_luck_of_a_draw_is_what_it_changed() -> None:
    """A draw from a state is worth 0 on average: the values before and after it are of the same games."""
    plan = make_plan(title("rasant"), LINE_UP, 5, {}, 30, 400)
    rules, setup = plan.title.rules, plan.title.setup_of(plan.options)
    start = rules.State()
    rules.start(start, setup)
    found = []
    for n in range(40):
        after = start.copy()
        rules.run_chance(after, setup, Seeded("draws", n).rng)
        luck = Luck(plan, 0, n)
        luck.drew(start, after)
        found.append(luck.by_player[0])
    error = np.std(found, ddof=1) / len(found) ** 0.5
    assert np.std(found) > 3 * error > 0
    assert abs(np.mean(found)) < 3.5 * error


def test_points_without_luck_keep_their_mean_and_are_surer() -> None:
    rng = np.random.default_rng(1)
    means = []
    for _ in range(300):
        luck = rng.normal(0, 2, 40)
        points = 0.5 + luck + rng.normal(0, 0.5, 40)
        noisy = luck + rng.normal(0, 1, 40)  # as few games measure it
        left = without(points, noisy)
        assert left.std() < 0.75 * points.std()
        means.append(left.mean())
    assert abs(np.mean(means) - 0.5) < 4 * np.std(means) / 300**0.5
    useless = without(points, rng.normal(0, 5, 40))
    assert useless.std() < 1.1 * points.std(), "luck that says nothing counts for nothing"
    assert without(points[:2], luck[:2]).tolist() == (points[:2] - luck[:2]).tolist()
    assert without(points, np.zeros(40)).tolist() == points.tolist()


def match_of(plan: Plan, rows: list[GameRow]) -> Match:
    return make_match(plan, rows)


def test_a_match_shows_points_without_luck(tmp_path: Path) -> None:
    plan, rows = measured(range(6))
    played = match_of(plan, rows)
    club, rookie = played.figures
    assert club.fair == pytest.approx(-rookie.fair) and club.fewer > 0
    assert "without luck" in str(played) and "×" in str(played)
    assert "without luck" not in str(make_match(*rows_here("rasant", LINE_UP, 4, 5)))
    played.write(file := tmp_path / "games.csv")
    assert file.read_text("utf-8").splitlines()[0].endswith("forfeit_2,luck_1,luck_2")


def test_a_match_with_luck_is_resumed_and_not_mixed_with_others(tmp_path: Path) -> None:
    plan, rows = measured(range(2))
    with Journal(plan, tmp_path / "games.csv") as journal:
        journal.add(rows[:2])
        journal.add(rows[2:])
    data = (tmp_path / "games.csv").read_bytes()
    assert finished(plan, data, tmp_path)[0] == rows
    for luck in (0, 9):
        with pytest.raises(paddock.PaddockError, match="has other contents"):
            finished(make_plan(title("rasant"), LINE_UP, 5, {}, 30, luck), data, tmp_path)


@pytest.mark.parametrize("luck", [1, -3, 10**6, "many"])
def test_a_wrong_number_of_games_is_refused(luck: object) -> None:
    with pytest.raises(paddock.PaddockError, match="give a whole number from 2 to 100,000, or 0"):
        paddock.match("rasant", LINE_UP, 2, luck=luck)  # type: ignore[arg-type]
