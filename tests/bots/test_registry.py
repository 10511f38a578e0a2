from __future__ import annotations

import pytest
from tests.titles import TITLES

import paddock
from paddock.bots import bot, levels, thirds
from paddock.bots.champion import has_networks
from paddock.core.title import title
from paddock.kernel.source import Seeded

WITH_POLICY = [name for name in TITLES if title(name).room("policy")]


@pytest.mark.parametrize("name", TITLES)
def test_a_title_with_bots_of_its_own_has_them_after_the_rookie(name):
    champion = ["champion"] * has_networks(title(name))
    assert [level.name for level in levels(name)] == ["rookie", "club", "works", *champion]
    assert all(level.label and level.sentence.endswith(".") for level in levels(name))


def test_an_unknown_level_is_refused_with_the_levels_there_are():
    with pytest.raises(paddock.BadOption, match="choose rookie, club, works or champion"):
        bot("lacorsa", "king")


def test_an_unknown_title_is_refused():
    with pytest.raises(paddock.PaddockError, match="there is no title “chess”"):
        levels("chess")


@pytest.mark.parametrize("level", ["rookie", "club"])
@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("lacorsa", {"drivers": 2, "races": 1}),
        ("lacorsa", {"drivers": 3, "races": 1, "extra_suits": 6, "double_redline": "void"}),
        ("lacorsa", {"drivers": 4, "races": 1, "pairs": True, "points": "10"}),
        ("lacorsa", {"drivers": 5, "races": 1, "double_redline": "void", "points": "0"}),
        ("lacorsa", {"drivers": 6, "races": 1, "extra_suits": 2, "points": "25,18,15,12,10,8,6,4,2,1"}),
        ("lacorsa", {"drivers": 12, "races": 1, "large_grid": True}),
        ("lacorsa", {"drivers": 2, "races": 1, "pit_stops": "yes", "pit_draw": "choose", "pit_refill": True}),
        ("lacorsa", {"drivers": 5, "races": 1, "large_grid": True, "double_redline": "void"}),
        ("lacorsa", {"drivers": 7, "races": 1, "large_grid": True, "pairs": "1-7/2-4", "pit_timing": "turn"}),
        ("lacorsa", {"drivers": 6, "races": 1, "large_grid": True, "off_adjacent": True, "one_draft": True}),
        ("rasant", {"players": 2, "games": 2}),
        ("rasant", {"players": 5, "round_end": "all"}),
        ("rasant", {"players": 3, "deck": "all-black-top", "line": "krgbyrgbyrgby"}),
        ("rasant", {"players": 4, "deck": "2*k10-130+r10-40"}),
    ],
)
def test_every_level_plays_every_kind_of_series(level, name, options):
    for seed in range(10):
        game = paddock.start(name, seed=seed, **options)
        player, rng = bot(name, level), Seeded(seed)
        while not game.over:
            seat = game.deciders[0]
            seen = game.seen(game.options.eyes(game.options.owners[seat]))
            move = player.choose(seen, seat, seen.legal(seat), rng)
            assert move in seen.legal(seat)
            game.play(seat, move)


@pytest.mark.parametrize("name", TITLES)
def test_the_same_question_has_the_same_answer(name):
    game = paddock.start(name, seed=3)
    seat = game.deciders[0]
    seen = game.seen(1 << seat)
    for level in ("rookie", "club"):
        answers = {bot(name, level).choose(seen, seat, seen.legal(seat), Seeded(9)) for _ in range(5)}
        assert len(answers) == 1


@pytest.mark.parametrize("name", WITH_POLICY)
def test_a_club_plays_any_of_the_moves_that_its_policy_finds_equally_good(name):
    """So ties are broken by the policy's random stream as by that of bulk play."""
    game, club, policy = paddock.start(name, seed=3), bot(name, "club"), title(name).room("policy").policy
    ties = 0
    for _ in range(60):
        seat = game.deciders[0]
        seen = game.seen(game.options.eyes(game.options.owners[seat]))
        legal = seen.legal(seat)
        room = [0] * (game.title.rules.ACTIONS + 1 - len(legal))
        streams = [Seeded(i) for i in range(16)]
        best = {
            policy(seen.state, seen.setup, seat, [*legal, *room], len(legal), stream.rng)
            for stream in streams
        }
        assert {club.choose(seen, seat, legal, stream) for stream in streams} == best
        ties += len(best) > 1
        game.play(seat, min(best))
    assert ties or name == "lacorsa"  # there it is rare: tests/games/test_lacorsa_bots.py finds one


@pytest.mark.parametrize("name", WITH_POLICY)
def test_every_level_of_a_title_with_a_policy_says_how_far_it_follows_it(name):
    assert thirds(name, "club") == 3
    assert thirds(name, "rookie") == (2 if name == "great_race" else 0)


def test_a_level_that_cannot_play_compiled_is_refused(monkeypatch):
    from paddock.games.rasant.bots.bots import Club

    with pytest.raises(paddock.BadOption, match="choose rookie, club or works"):
        thirds("rasant", "champion")
    monkeypatch.delattr(Club, "thirds")
    with pytest.raises(paddock.BadOption, match=r"“club” of Rasant cannot play compiled: .*docs/kernel\.md"):
        thirds("rasant", "club")
    assert thirds("rasant", "rookie") == 0
