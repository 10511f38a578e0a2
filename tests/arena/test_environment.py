"""The text environment: the same game as elsewhere, refusals, forfeits and rewards."""

from __future__ import annotations

import pytest

import paddock
from paddock.arena import text
from paddock.core.errors import PaddockError


def play_out(env, choose=lambda legal: legal[-1]["notation"]):
    """Play to the end; return the last step, the sum of the rewards, and all that was said."""
    said, total, done, info = [env.reset()], 0.0, False, {}
    seen = env.session.game.seen(env.options.eyes(env.player))
    legal = [
        {"notation": str(seen.title.text.move(seen.setup, id))} for id in seen.legal(env.session.waiting[0])
    ]
    while not done:
        words, reward, done, info = env.step(choose(legal))
        said.append(words)
        total, legal = total + reward, info["legal"]
    return info, total, said


def test_the_first_game_is_the_one_of_the_seed() -> None:
    env = text("rasant", {"players": 3}, player=1, seed=3)
    said = env.reset()
    game = paddock.start("rasant", players=3, seed=3)
    assert len(game.log) > 0 and env.session.game.log[: len(game.log)] == list(game.log)
    assert said.startswith("# Rasant: the rules") and "You are Player 2" in said
    assert said != env.reset(), "the next game"
    assert said == env.reset(seed=3)
    assert not text("rasant", seed=3, rules="").reset().startswith("#")


@pytest.mark.parametrize(
    ("name", "options"),
    [("lacorsa", {"drivers": 3}), ("lacorsa", {"races": 2}), ("rasant", {}), ("great_race", {})],
)
def test_a_game_is_played_to_its_end(name, options) -> None:
    info, total, said = play_out(text(name, options, seed=5))
    points = info["points"]
    assert total == pytest.approx(points[0] - sum(points) / len(points))
    assert info["forfeits"] == 0 and info["refused"] is None and info["asked"] == len(said) - 1
    assert info["legal"] == [] and f"{points[0]} points" in said[-1]
    assert "Place 1: " in said[-1]
    assert play_out(text(name, options, seed=5)) == (info, total, said)


def test_a_player_with_two_cars_answers_for_both() -> None:
    env = text("lacorsa", {"drivers": 2}, seed=1)
    assert env.options.seats == 4
    said = env.reset()
    cars = [seat for seat, owner in enumerate(env.options.owners) if owner == 0]
    assert env.session.waiting == tuple(cars)
    words, *_ = env.step(env_move(env))
    assert env.session.waiting == (cars[1],) and words != said
    assert "Waiting for Driver 1 (2), Driver 2 (3)" in words, "the own choice counts"


def env_move(env) -> str:
    seat = env.session.waiting[0]
    seen = env.session.game.seen(env.options.eyes(0))
    return str(seen.title.text.move(seen.setup, seen.legal(seat)[0]))


def test_refused_answers_cost_tries_and_then_the_decision() -> None:
    env = text("rasant", {"players": 2}, player=1, seed=3)
    env.reset()
    for left in (2, 1):
        words, reward, done, info = env.step("r60")
        assert (reward, done, info["forfeits"], info["asked"]) == (0.0, False, 0, 0)
        assert info["refused"].startswith("RA-2.2") and "RA-2.2" in words and f"Tries left: {left}" in words
    before = len(env.session.game.log)
    words, _reward, _done, info = env.step("r60")
    assert (info["forfeits"], info["asked"]) == (1, 1)
    assert words.startswith("You have forfeited a decision")
    forfeit = env.session.forfeits[0]
    assert (forfeit.entry, forfeit.player) == (before, 1) and forfeit.reason.startswith("illegal: RA-2.2")
    assert env.session.game.log[before].by == 1
    assert [r.answer for r in env.session.refused] == ["r60"] * 3
    words, *_ = env.step(env.step("x")[3]["legal"][0]["notation"])
    assert "forfeited" not in words


def test_no_answer_is_refused() -> None:
    env = text("rasant", {"players": 2}, seed=3)
    env.reset()
    for answer in (None, ""):  # some models give no text at all
        assert env.step(answer)[3]["refused"].startswith("Empty answer.")


def test_a_forfeited_decision_is_repeatable() -> None:
    logs = []
    for _ in range(2):
        env = text("rasant", {"players": 2}, seed=3, tries=1)
        play_out(env, lambda legal: "nothing")
        assert len(env.session.forfeits) == env.session.asked[0] > 5
        logs.append(list(env.session.game.log))
    assert logs[0] == logs[1]


def test_opponents_are_levels_or_bots() -> None:
    asked = set()

    class First:
        def choose(self, seen, seat, legal, rng):
            asked.add((seat, seen.eyes))
            return legal[0]

    play_out(text("rasant", {"players": 3}, opponents={1: First(), 2: "rookie"}, seed=1))
    assert asked == {(1, 1 << 1)}, "it sees what its own seat sees"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"title": "chess"}, "chess"),
        ({"options": {"players": 9}}, "players=9"),
        ({"player": 7}, "player"),
        ({"opponents": "grandmaster"}, "grandmaster"),
        ({"options": {1: 2}}, "there is no option “1”"),
        ({"opponents": {1: "club"}}, "opponents="),
        ({"opponents": None}, "opponents=None: give a level, or one for each"),
        ({"opponents": {"a": "club", 1: "club", 2: "club"}}, "opponents="),
        ({"tries": 0}, "tries=0"),
        ({"tries": "many"}, "tries=many"),
    ],
)
def test_wrong_arguments_are_named(arguments, said) -> None:
    with pytest.raises(PaddockError, match=said):
        text(**{"title": "rasant", **arguments})


def test_steps_need_a_game() -> None:
    env = text("rasant", {"players": 2}, seed=1)
    with pytest.raises(PaddockError, match="call reset"):
        env.step("r10")
    play_out(env)
    with pytest.raises(PaddockError, match="call reset"):
        env.step("r10")
