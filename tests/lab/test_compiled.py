"""Deals that are played compiled have the same rows as in plain mode."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from tests.titles import LACORSA, RULES, random_options, shorter

from lab.entrants import First
from paddock.core.title import Title
from paddock.games.lacorsa import bots
from paddock.lab import play
from paddock.lab.compiled import Compiled, policy_parts
from paddock.lab.plan import Plan, make_plan
from paddock.lab.play import Team, play_deal
from paddock.lab.rows import Row


def both(plan: Plan, deals: range) -> tuple[list[list[Row]], list[list[Row]]]:
    """Return the rows of the deals in plain mode and compiled."""
    parts = policy_parts(plan)
    assert parts is not None
    compiled = Compiled(plan, parts)
    with Team(plan) as team:
        plain = [play_deal(plan, deal, team) for deal in deals]
        assert team.compiled is None
    return plain, [compiled.play(deal) for deal in deals]


@pytest.fixture
def slowly(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stay in plain mode, however long it takes."""
    monkeypatch.setattr(play, "PLAIN_SECONDS", float("inf"))


@pytest.mark.usefixtures("slowly")
@pytest.mark.parametrize("title", RULES, ids=lambda title: title.name)
def test_both_modes_give_the_same_rows(title: Title) -> None:
    """With options and bots drawn at random: series, two cars for a driver, the Large Grid."""
    for seed in range(shorter(title, 40)):
        choose = random.Random(seed)
        options = random_options(title, choose)
        line_up = [choose.choice(["club", "rookie"]) for _ in range(options.players)]
        line_up[0] = "club"
        values = {name: getattr(options, name) for name in type(options).model_fields}
        plain, compiled = both(make_plan(title, line_up, seed, values, 30), range(seed, seed + 1))
        assert compiled == plain


@pytest.mark.usefixtures("slowly")
@pytest.mark.parametrize(
    ("name", "line_up", "options"),
    [
        ("lacorsa", ["club", "club", "rookie"], {"races": 3, "championship": "teams"}),
        ("lacorsa", ["club", "rookie"] * 4, {"races": 2, "large_grid": True}),
        ("rasant", ["club", "rookie", "club"], {"games": 4}),
        ("great_race", ["club", "rookie"], {"races": 2, "max_turns": 3}),
    ],
)
def test_a_series_is_the_same_in_both_modes(
    name: str, line_up: list[str], options: dict[str, object]
) -> None:
    (title,) = (one for one in RULES if one.name == name)
    plain, compiled = both(make_plan(title, line_up, "a text", options, 30), range(5, 7))
    assert compiled == plain
    assert len(plain[0]) == len(line_up)


def test_a_team_changes_to_the_compiled_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    plan = make_plan(LACORSA, ["club", "rookie"], 5, {}, 30)
    with Team(plan) as team:
        plain = play_deal(plan, 0, team)
        assert team.compiled is None
        monkeypatch.setattr(play, "PLAIN_SECONDS", 0)
        play_deal(plan, 1, team)
        assert team.compiled is not None
        monkeypatch.setattr(play, "_Game", None)
        assert play_deal(plan, 0, team) == plain


def test_a_bot_that_plays_otherwise_than_it_states_stays_plain(monkeypatch: pytest.MonkeyPatch) -> None:
    class Other(bots.Club):
        def choose(self, seen, seat, legal, rng):
            return legal[0]

    monkeypatch.setattr(play, "PLAIN_SECONDS", 0)
    monkeypatch.setitem(bots.BOTS, "club", Other)
    plan = make_plan(LACORSA, ["club", "rookie"], 5, {}, 30)
    with Team(plan) as team:
        rows = play_deal(plan, 0, team)
        assert team.compiled is None
        assert play_deal(plan, 0, team) == rows


def test_what_is_played_in_plain_mode(
    monkeypatch: pytest.MonkeyPatch, without: Callable[[str], None]
) -> None:
    """A match with an object, with a level that does not state ``thirds``, or without Numba."""
    plan = make_plan(LACORSA, ["club", "rookie"], 5, {}, 30)
    assert policy_parts(plan) == [3, 0]
    assert policy_parts(make_plan(LACORSA, ["club", First()], 5, {}, 30)) is None
    with monkeypatch.context() as changed:
        changed.setattr(bots.Club, "thirds", None)
        assert policy_parts(plan) is None
    without("numba")
    assert policy_parts(plan) is None
