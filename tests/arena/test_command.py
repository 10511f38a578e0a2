"""The commands of the arena."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import arena_games
from arena.agents import TALKER
from lab.here import played_here
from paddock.core.title import title
from terminal.test_cli import here


def test_words_prints_what_the_first_player_is_told() -> None:
    done = here("arena", "words", "rasant", "-o", "players=2", "--seed", "3")
    assert done.returncode == 0 and "## Notation" in done.stdout
    assert "Hand of Player 1: r70 b20 b30 b120 y100 y130" in done.stdout
    whole = here("arena", "words", "rasant", "--seed", "3", "--rules", "RA-4")
    assert whole.stdout.startswith("## RA-4 ") and "Notation" not in whole.stdout


@pytest.mark.slow("a match with a worker")
def test_a_match_is_played_and_kept(tmp_path: Path) -> None:
    words = ("arena", "match", "rasant", TALKER, "club", "--games", "2", "--worlds", "0", "--processes", "1")
    done = here(*words, "--keep", str(tmp_path / "games"))
    assert done.returncode == 0, done.stderr
    assert "0 of " in done.stdout and "Written: " in done.stdout
    assert len(list((tmp_path / "games").glob("*.paddock"))) == 2
    assert here("replay", str(tmp_path / "games" / "deal-0-game-1.paddock")).returncode == 0


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("match", "rasant", "club", "text:"), "write a command after “text:”"),
        (("match", "chess", "club"), "chess"),
        (("serve", "chess"), "chess"),
        (("words", "rasant", "--rules", "XX-1"), "there is no clause"),
        (("match", "rasant", "club", "club", "--keep", "-"), "--keep"),
    ],
)
def test_what_cannot_be_done_is_one_line(words: tuple[str, ...], said: str) -> None:
    done = here("arena", *words)
    assert done.returncode == 2 and done.stderr.count("\n") == 1 and said in done.stderr


def test_without_the_package_of_the_protocol_the_command_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from paddock.core import extras

    monkeypatch.setattr(extras, "installed", lambda package: package != "mcp")
    done = here("arena", "serve", "rasant")
    assert done.returncode == 2 and "[arena]" in done.stderr


def test_k_is_right_where_it_is_known() -> None:
    """A measure with half the deviation, and luck that pairing takes out."""
    rng = np.random.default_rng(1)
    noise = rng.normal(size=(2, 2000, 4, 1))
    seat = np.array([[1.5], [-1.5], [0.5], [-0.5]])  # adds up to nothing over the games of a deal
    points, costs = 2 + 2 * noise[0], 2 + noise[1] + seat
    games = [np.exp(arena_games.needed(measure)) / 1.96**2 for measure in (points, costs)]
    assert games[0] == pytest.approx([1, 1], rel=0.1)
    assert games[1] == pytest.approx([(1 + seat.var()) / 4, 0.25], rel=0.1)
    covered = 0
    for part, other in zip(np.split(points, 50), np.split(costs, 50), strict=True):
        (logs, variances, freedom), more = arena_games.with_variance(part), arena_games.with_variance(other)
        k, low, high = arena_games.factor((logs[0], variances[0], freedom), (more[0][1], more[1][1], more[2]))
        assert low < k < high
        covered += low < 4 < high
    assert 44 <= covered < 50


def test_the_weaker_level_is_the_one_that_sits_alone(tmp_path: Path) -> None:
    judged = {"decisions": [4, 2], "costs": [1, 3], "gains": [0, -2]}
    line = json.dumps({"bots": [1, 0], "judged": judged})
    file = tmp_path / "games.jsonl"
    file.write_text(f"{{}}\n{line}\n{line}\n{line}\n")
    assert arena_games.of_games(file, 2).tolist() == [[[1.25, 1.0]] * 2]
    played = played_here("rasant", ["rookie", "club", "club"], 3, 1)
    difference = arena_games.of_points(played)
    weak = int(np.argmax(played.bots[1] == 0))
    others = np.delete(played.points[1], weak)
    assert difference.shape == (1, 3, 1) and difference[0, 1, 0] == others.mean() - played.points[1, weak]


def test_a_measure_that_orders_the_wrong_way_has_no_k() -> None:
    rng = np.random.default_rng(1)
    points, costs = rng.normal(2, 1, (20, 4, 1)), rng.normal([-1, 1], 1, (20, 4, 2))
    cells = arena_games.row("a pair", points, costs).split(" | ")
    assert [cell == "does not order them" for cell in cells[7:11]] == [False, True, True, False]
    assert cells[1:3] == ["80", "20"] and cells[4].startswith("-")


def test_the_pairs_can_be_played() -> None:
    for name, options, *_levels in arena_games.PAIRS:
        assert title(name).options.read({**title(name).one_round, **options}).players == 4
