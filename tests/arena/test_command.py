"""The commands of the arena."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import arena_games
from arena.agents import TALKER
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
    """Two measures of the same effect: the second has half the deviation, and luck that pairing takes out."""
    rng = np.random.default_rng(1)
    noise = rng.normal(size=(2, 4000, 4))
    seat = np.array([1.5, -1.5, 0.5, -0.5])  # adds up to nothing over the games of a deal
    differences = np.stack([2 + 2 * noise[0], 2 + noise[1] + seat], 2)
    games = arena_games.needed(differences)
    assert games.plain == pytest.approx([1, (1 + seat.var()) / 4], rel=0.05)
    assert games.paired == pytest.approx([1, 0.25], rel=0.05)
    assert games.k == pytest.approx([1, 4 / (1 + seat.var()), 1, 4], rel=0.05)
    intervals = [arena_games.interval(part) for part in np.split(differences, 100)]
    assert 88 <= sum(low[3] < 4 < high[3] for low, high in intervals) <= 98


def test_the_weaker_level_is_the_one_that_sits_alone(tmp_path: Path) -> None:
    judged = {"decisions": [4, 2], "costs": [1, 3], "gains": [0, -2]}
    line = json.dumps({"bots": [1, 0], "points": [5, 2], "judged": judged})
    file = tmp_path / "games.jsonl"
    file.write_text(f"{{}}\n{line}\n{line}\n{line}\n")
    assert arena_games.differences_of(file, 2).tolist() == [[[3.0, 1.25, 1.0]] * 2]


def test_the_pairs_can_be_played() -> None:
    for name, options, *_levels in arena_games.PAIRS:
        assert title(name).options.read({**title(name).one_round, **options}).players == 4
