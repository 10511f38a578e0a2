"""Deals that are played compiled have the same rows as in plain mode."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from tests.titles import LACORSA, RULES, random_options, shorter

from lab.entrants import First
from paddock.core.title import Title
from paddock.games.lacorsa.bots import bots
from paddock.lab import play
from paddock.lab.compiled import Compiled, parts_of
from paddock.lab.plan import Plan, make_plan
from paddock.lab.play import BotTeam, play_deal
from paddock.lab.rows import GameRow
from sampling import WHOLE, count, seeds


def both(plan: Plan, deals: range, rotations: int = 12) -> tuple[list[list[GameRow]], list[list[GameRow]]]:
    """Return the rows of the deals in plain mode and compiled: of the first rotations, and of the last."""
    parts = parts_of(plan)
    assert parts is not None
    compiled = Compiled(plan, parts)
    count = len(plan.line_up)
    chosen = sorted({*range(count)[:rotations], count - 1})
    with BotTeam(plan) as team:
        plain = [[play._Game(plan, deal, rotation, team).play() for rotation in chosen] for deal in deals]
    return plain, [[rows[rotation] for rotation in chosen] for rows in map(compiled.play, deals)]


@pytest.mark.parametrize("title", RULES, ids=lambda title: title.name)
def test_both_modes_give_the_same_rows(title: Title) -> None:
    """With options and bots drawn at random. The next test has each kind of series in any case."""
    few = title.name == "great_race"  # the plain games of its Club take seconds
    for seed in seeds(1 if few else 8, shorter(title, 40)):
        choose = random.Random(seed)
        options = random_options(title, choose)
        line_up = [choose.choice(["club", "rookie"]) for _ in range(options.players)]
        line_up[0] = "club"
        values = {name: getattr(options, name) for name in type(options).model_fields}
        if few and not WHOLE:
            values |= {"max_turns": 2}
        plan = make_plan(title, line_up, seed, values, 30)
        plain, compiled = both(plan, range(seed, seed + 1), count(1, 12))
        assert compiled == plain


@pytest.mark.parametrize(
    ("name", "line_up", "options"),
    [
        ("lacorsa", ["club", "rookie"], {}),  # two cars for a driver
        ("lacorsa", ["club", "club", "rookie"], {"races": 3, "championship": "teams"}),
        ("lacorsa", ["club", "rookie"] * 4, {"races": 2, "large_grid": True}),
        ("rasant", ["club", "rookie", "club"], {"games": 4}),
        ("great_race", ["club", "rookie"], {"races": 2, "max_turns": 3}),  # nobody arrives
    ],
)
def test_a_series_is_the_same_in_both_modes(
    name: str, line_up: list[str], options: dict[str, object]
) -> None:
    (title,) = (one for one in RULES if one.name == name)
    plain, compiled = both(make_plan(title, line_up, "a text", options, 30), range(5, 7), count(2, 12))
    assert compiled == plain
    assert len(plain) == 2 and {0, 1, len(line_up) - 1} <= {row.rotation for row in plain[0]}


def test_a_team_changes_to_the_compiled_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    plan = make_plan(LACORSA, ["club", "rookie"], 5, {}, 30)
    with BotTeam(plan) as team:
        monkeypatch.setattr(play, "PLAIN_SECONDS", float("inf"))  # however long it takes
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
    with BotTeam(plan) as team:
        rows = play_deal(plan, 0, team)
        assert team.compiled is None
        assert play_deal(plan, 0, team) == rows


def test_what_is_played_in_plain_mode(
    monkeypatch: pytest.MonkeyPatch, without: Callable[[str], None]
) -> None:
    """A match with an object, with a level that does not state ``thirds``, or without Numba."""
    plan = make_plan(LACORSA, ["club", "rookie"], 5, {}, 30)
    assert parts_of(plan) == [3, 0]
    assert parts_of(make_plan(LACORSA, ["club", First()], 5, {}, 30)) is None
    with monkeypatch.context() as changed:
        changed.setattr(bots.Club, "thirds", None)
        assert parts_of(plan) is None
    without("numba")
    assert parts_of(plan) is None
