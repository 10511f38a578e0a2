"""LACORSA's chains: a stop with the card that is chosen for it, and a 3 with what follows it at once."""

from __future__ import annotations

import random

import pytest
from tests.games.test_lacorsa_position import first_at

import paddock
from paddock.core.game import Game


def test_LX_2_1_a_stop_and_the_card_that_is_chosen_are_one_submission() -> None:
    """The die follows as chance, and ends the chain."""
    game = first_at("pits", 0, pit_draw="choose")
    (seat,) = game.deciders
    seen, pile = game.seen(1 << seat), game.view().discard
    first = seen.preview(["pit"])
    assert (first.ended, first.view.phase, first.view.turn) == (False, "pit-draw", seat)
    takes = [str(game.title.text.move(game.setup, id)) for id in first.legal]
    assert takes == [f"take {kind or 'R'}" for kind, count in enumerate(pile) if count]
    after = seen.preview(["pit", takes[-1]])
    assert (after.ended, after.legal, after.view.phase) == (True, (), "pit-die")
    assert len(after.view.cars[seat].hand) == len(game.view(seat).cars[seat].hand) + 1
    with pytest.raises(paddock.BadMove, match="the chain ends with move 2"):
        seen.preview(["pit", takes[-1], takes[-1]])
    entries = len(game.log)
    game.play(seat, ["pit", takes[-1]])
    assert [entry.linked for entry in game.log[entries : entries + 2]] == [False, True]
    assert not game.view().cars[seat].can_pit and game.view().turn != seat
    assert [entry.by for entry in game.undo()] == [seat, seat]
    assert len(game.log) == entries


def test_LX_2_2_a_refill_is_one_chain_card_by_card() -> None:
    game = first_at("pits", 0, pit_draw="choose", pit_refill=True)
    (seat,) = game.deciders
    links = ["pit"]
    while legal := game.seen(1 << seat).preview(links).legal:
        links.append(str(game.title.text.move(game.setup, legal[0])))
    assert len(links) == 1 + game.setup.cards - game.view().cars[seat].cards
    game.play(seat, links)
    assert game.view().cars[seat].cards == game.setup.cards


def test_LX_2_1_a_blind_draw_ends_the_chain() -> None:
    game = first_at("pits", 0)
    (seat,) = game.deciders
    assert game.seen(1 << seat).preview(["pit"]).ended
    with pytest.raises(paddock.BadMove, match="the chain ends"):
        game.play(seat, ["pit", "stay"])


def test_LX_5_1_a_3_and_the_challenge_after_it_are_one_submission() -> None:
    """What is committed then is not: the defender decides at the same time."""
    found = 0
    for seed in range(60):
        game = before_a_draft(seed)
        if game is None:
            continue
        found += 1
        (seat,) = game.deciders
        seen = game.seen(1 << seat)
        assert [str(game.title.text.move(game.setup, id)) for id in seen.preview(["^3"]).legal] == [
            "attack",
            "stop",
        ]
        assert seen.preview(["^3", "stop"]).ended
        attacked = seen.preview(["^3", "attack"])
        assert (attacked.ended, attacked.view.phase) == (True, "challenge")
        with pytest.raises(paddock.BadMove, match="the chain ends with move 2"):
            game.play(seat, ["^3", "attack", "5"])
        game.play(seat, ["^3", "attack"])
        assert len(game.deciders) == 2
    assert found > 5


def before_a_draft(seed: int) -> Game | None:
    choose = random.Random(seed)
    game = paddock.start("lacorsa", drivers=6, races=1, special_drafting=True, seed=seed)
    while not game.over:
        seat = game.deciders[0]
        if "^3" in game.legal(seat) and game.view().cars[seat].gap == 1 and game.view().cars[seat].cards > 1:
            return game
        game.play(seat, choose.choice(game.legal(seat).ids))
    return None


def test_a_commitment_ends_the_chain() -> None:
    """LC-5.1 what the other car has put face down is not foreseen."""
    game = paddock.start("lacorsa", drivers=4, seed=1)
    seen = game.seen(1)
    assert seen.preview([seen.legal(0)[0]]).ended
    assert seen.preview([seen.legal(0)[0]]).view == game.view(0)
