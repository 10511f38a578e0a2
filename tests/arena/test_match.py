"""Matches of an arena: the games of ``paddock.match``, programs that read words, forfeits, files, cost."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from arena.agents import ENDS, SLEEPS, TALKER, saying
from lab.entrants import First, Raises
from lab.here import played_here
from paddock import arena, records
from paddock.arena.cost import Costs
from paddock.arena.playing import ArenaGame, ArenaTeam
from paddock.arena.results import ArenaMatch, make_results
from paddock.core.errors import PaddockError
from paddock.core.title import title
from paddock.lab.plan import Plan, make_plan

DATE = "2026-01-31"


def arena_here(
    name: str, agents: list, games: int, seed: int = 0, options=None, seconds=30.0, tries=3, worlds=0
) -> tuple[Plan, ArenaMatch]:
    """A match in this process: a worker costs a second."""
    plan = make_plan(title(name), agents, seed, options or {}, seconds, words=True)
    with ArenaTeam(plan, tries, worlds, DATE) as team:
        played = [game for deal in team(range(games // len(agents))) for game in deal]
    return plan, make_results(plan, played, worlds)


@pytest.mark.parametrize(
    ("name", "agents", "options"),
    [
        ("lacorsa", ["club", "rookie", "rookie", "club"], {}),
        ("lacorsa", ["club", "rookie"], {"races": 3}),
        ("rasant", ["rookie", "club", First()], {}),
        ("great_race", ["club", "rookie", "rookie"], {}),
        ("lacorsa", ["club", *["rookie"] * 11], {"large_grid": True}),
    ],
)
def test_bots_play_the_games_of_a_match(name, agents, options) -> None:
    """The same deals, seats and random numbers as ``paddock.match``."""
    games = 2 * len(agents)
    _plan, here = arena_here(name, agents, games, 7, options)
    there = played_here(name, agents, games, 7, options)
    for part in ("bots", "points", "places"):
        assert np.array_equal(getattr(here.match, part), getattr(there, part)), part


def test_a_program_reads_words_and_plays() -> None:
    _plan, played = arena_here("rasant", [TALKER, "club", "rookie"], 3, 1)
    talker = played.conducts[0]
    assert talker.agent == TALKER and talker.asked > 20
    assert (talker.forfeits, talker.refused) == (0, 0)
    game = played.games[0]
    record = records.read(game.record)
    assert [name for name, _level in record.players] == [played.match.names[k] for k in game.bots]
    assert [level for _name, level in record.players].count(None) == 1
    totals = sorted(record.game().standings().players, key=lambda line: line.who)
    assert tuple(line.total for line in totals) == game.points


@pytest.mark.parametrize(
    ("agent", "reason", "refused"),
    [
        (saying("no idea"), "illegal: ", 2),
        (ENDS, "crash: exit status 3", 0),
        (SLEEPS, "slow", 0),
        (Raises(), "crash: ZeroDivisionError", 0),
    ],
)
def test_who_cannot_decide_forfeits_decisions_and_keeps_the_points(agent, reason, refused) -> None:
    """Forfeits stand apart: points are those of the game as it was played."""
    seconds = 0.02 if agent == SLEEPS else 30.0
    _plan, played = arena_here("rasant", [agent, "rookie"], 2, 1, seconds=seconds, tries=2)
    bad, good = played.conducts
    assert bad.forfeits == bad.asked > 5 and bad.refused == refused * bad.forfeits
    assert (good.forfeits, good.refused) == (0, 0)
    assert all(f.reason.startswith(reason) for game in played.games for f in game.forfeits)
    for game in played.games:
        log = records.read(game.record).game().log
        assert all(log[forfeit.entry].by < 2 for forfeit in game.forfeits)
        assert game.points[game.bots.index(0)] > 0, "random moves win something"
    assert "first forfeited a decision in deal 0, game 0" in str(played)
    assert f"{bad.forfeits} of {bad.asked}" in str(played)


@pytest.mark.slow("three matches with workers")
def test_a_match_does_not_depend_on_its_processes_and_goes_on(tmp_path: Path) -> None:
    agents = [TALKER, "club"]
    two = arena.match("rasant", agents, 6, 5, worlds=0, processes=2, keep=tmp_path / "two")
    first = arena.match("rasant", agents, 4, 5, worlds=0, processes=1, keep=tmp_path / "one")
    file = tmp_path / "one" / "games.jsonl"
    with file.open("a") as stream:
        stream.write('{"deal": 2')  # killed while it was written
    one = arena.match("rasant", agents, 6, 5, worlds=0, processes=1, keep=tmp_path / "one")
    assert first.games == one.games[:4] and one.games == two.games
    names = sorted(path.name for path in (tmp_path / "two").iterdir())
    assert names == sorted(path.name for path in (tmp_path / "one").iterdir())
    assert len(names) == 7
    assert all((tmp_path / "one" / n).read_bytes() == (tmp_path / "two" / n).read_bytes() for n in names)
    lines = file.read_text("utf-8").splitlines()
    assert json.loads(lines[0])["agents"] == agents and len(lines) == 7
    with pytest.raises(PaddockError, match="another match"):
        arena.match("rasant", agents, 6, 6, worlds=0, keep=tmp_path / "one")
    file.write_text(lines[0] + "\n{}\n")
    with pytest.raises(PaddockError, match="cannot be read"):
        arena.match("rasant", agents, 6, 5, worlds=0, keep=tmp_path / "one")
    assert file.read_text() == lines[0] + "\n{}\n", "nothing is lost"


@pytest.mark.slow("loads the compiled rollouts")
def test_a_mistake_costs_and_forfeited_decisions_are_not_judged() -> None:
    _plan, played = arena_here("rasant", ["club", "rookie", saying("?")], 6, 2, tries=1, worlds=8)
    club, rookie, mute = played.conducts
    assert club.judged > 0 and mute.judged == 0 and np.isnan(mute.cost)
    assert rookie.cost > club.cost and rookie.cost_error > 0
    table = played.cells
    assert table[0][-2:] == ["cost of a decision", "gain on the models"] and table[3][-2:] == ["–", "–"]
    assert f"{rookie.cost:.3f} ± {rookie.cost_error:.3f}" == table[2][-2]
    assert "8 worlds" in played.notes[1]


def test_cost_is_a_mean_over_the_games_of_a_deal() -> None:
    def game(rotation: int, bots: tuple, costs: tuple, judged: tuple) -> ArenaGame:
        made = Costs(judged, costs, (0.0, 8.0))
        return ArenaGame(0, rotation, bots, (1, 0), (1, 2), (9, 9), (), (), made, "")

    plan = make_plan(title("rasant"), ["club", "rookie"], 0, {}, 1.0)
    games = [game(0, (0, 1), (1.0, 6.0), (4, 3)), game(1, (1, 0), (0.0, 3.0), (0, 4))]
    played = make_results(plan, games, 8)
    assert played.by_game(0, "cost").tolist() == [0.25, 0.75] and played.by_deal(0, "cost").tolist() == [0.5]
    assert played.by_deal(1, "cost").tolist() == [2.0], "nothing was judged in one game"
    assert played.by_game(1, "gain")[0] == pytest.approx(8 / 3)
    assert np.isnan(played.conducts[0].cost_error), "one deal"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"agents": ["club", "text:"]}, "write a command after “text:”"),
        ({"agents": ["club", "text:no-such-program-here"]}, "there is no program"),
        ({"games": 0}, "games=0"),
        ({"worlds": 3}, "worlds=3"),
        ({"tries": 0}, "tries=0"),
        ({"agents": ["club"] * 9}, "players=9"),
    ],
)
def test_wrong_arguments_are_named(arguments, said) -> None:
    with pytest.raises(PaddockError, match=said):
        arena.match(**{"title": "rasant", "agents": ["club", "rookie"], "games": 2, **arguments})


def test_only_an_arena_has_programs_that_read_words() -> None:
    with pytest.raises(PaddockError, match="text:"):
        make_plan(title("rasant"), [TALKER, "club"], 0, {}, 1.0)
