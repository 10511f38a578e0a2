from __future__ import annotations

import pytest

import paddock
from paddock.bots import bot, levels
from paddock.kernel.source import Seeded


def test_a_title_with_bots_of_its_own_has_them_after_the_rookie():
    assert [level.name for level in levels("lacorsa")] == ["rookie", "club"]
    assert all(level.label and level.sentence.endswith(".") for level in levels("lacorsa"))


def test_an_unknown_level_is_refused_with_the_levels_there_are():
    with pytest.raises(paddock.BadOption, match="choose rookie or club"):
        bot("lacorsa", "champion")


def test_an_unknown_title_is_refused():
    with pytest.raises(paddock.PaddockError, match="there is no title «chess»"):
        levels("chess")


@pytest.mark.parametrize("level", ["rookie", "club"])
@pytest.mark.parametrize(
    "options",
    [
        {"drivers": 2},
        {"drivers": 3, "extra_suits": 6, "double_redline": "void"},
        {"drivers": 4, "pairs": True, "points": "10"},
        {"drivers": 5, "double_redline": "void", "points": "0"},
        {"drivers": 6, "extra_suits": 2, "points": "25,18,15,12,10,8,6,4,2,1"},
    ],
)
def test_every_level_plays_every_kind_of_championship(level, options):
    for seed in range(10):
        game = paddock.start("lacorsa", races=1, seed=seed, **options)
        player, rng = bot("lacorsa", level), Seeded(seed)
        while not game.over:
            seat = game.deciders[0]
            seen = game.seen(game.options.eyes(game.options.owners[seat]))
            move = player.choose(seen, seat, seen.legal(seat), rng)
            assert move in seen.legal(seat)
            game.play(seat, move)


def test_the_same_question_has_the_same_answer():
    seen = paddock.start("lacorsa", seed=3).seen(1)
    for level in ("rookie", "club"):
        answers = {bot("lacorsa", level).choose(seen, 0, seen.legal(0), Seeded(9)) for _ in range(5)}
        assert len(answers) == 1
