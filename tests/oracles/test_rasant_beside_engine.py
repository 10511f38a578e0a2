"""Rasant's engine stepped beside the slow oracle through random games with random options and decks."""

from __future__ import annotations

import random

import pytest
from tests.titles import as_written

from paddock.core.words import CHANCE
from paddock.games.rasant.deck import COLOURS, card, kind_of, read_deck
from paddock.games.rasant.rulebook import TITLE
from paddock.games.rasant.rules import rules, state
from paddock.games.rasant.rules.setup import setup
from paddock.kernel.watch import random_options
from sampling import SEED, count

from .rasant import ALL_BLACK_TOP, RECONSTRUCTED, Game


def written(move: int) -> str:
    if move < state.PASS:
        return card(move)
    return "pass" if move == state.PASS else f"pass {card(move - state.DISCARD)}"


def outcome(id: int) -> str:
    if id < state.LINE:
        return card(id)
    return COLOURS[id - state.LINE] if id < state.DEALER else f"player {id - state.DEALER}"


def a_deck(choose: random.Random, players: int) -> str:
    """A shipped deck, or one of the user's own with repeated cards."""
    many = choose.randint(6 * players + 1, 60)
    own = "+".join(["r70", *(choose.choice(RECONSTRUCTED + ALL_BLACK_TOP) for _ in range(many))])
    return choose.choice(["standard", "all-black-top", own])


def compare(game: Game, s: rules.State, g: rules.Setup) -> None:
    players = range(g.players)
    for player in players:
        assert sorted(card(s.hand[player, i]) for i in range(s.cards[player])) == sorted(game.hand(player))
        black = sum(s.hand[player, i] >= state.BLACK for i in range(s.cards[player]))
        assert s.black[player] <= black  # what is known is true
    if s.lined == state.CARS:
        cars = [s.line[i] for i in range(state.CARS)]
        assert sorted(cars) == list(range(state.CARS))
        assert ["k" if car == state.BLACK_CAR else COLOURS[car // 3] for car in cars] == game.line()
    assert [s.score[player] for player in players] == list(game.scores())
    assert s.reserve == game.reserve() == sum(s.deck[kind] for kind in range(state.KINDS))
    assert {card(k): s.discard[k] for k in range(state.KINDS) if s.discard[k]} == dict(game.discard_counts())
    if s.phase == state.ROUND:
        assert {player for player in players if s.passed >> player & 1} == game.passed()
        assert (None if s.colour == state.NO_COLOUR else COLOURS[s.colour]) == game.colour()


@pytest.mark.parametrize("batch", range(count(3, 12)))
def test_engine_and_oracle_agree_on_everything(batch: int) -> None:
    for n in range(25):
        choose = random.Random(SEED * 1_000_000 + batch * 1000 + n)
        players = choose.randint(2, 5)
        cars = list("rrrgggbbbyyy")
        choose.shuffle(cars)
        line = choose.choice(["shuffled", "shuffled", "k" + "".join(cars)])
        given = {"players": players, "games": 1, "deck": a_deck(choose, players), "line": line}
        given |= as_written(TITLE)
        options = random_options(TITLE, choose, given)
        g = setup(options)
        deck = [card(kind) for kind in read_deck(options.deck)]
        more = {name: value for name, value in options.named.items() if name not in given}
        game = Game(players, deck, None, None if line == "shuffled" else list(line), **more)
        s = rules.State()
        rules.start(s, g)
        out, weights = [0] * 200, [0] * 200
        while waiting := rules.who(s, g):
            if waiting >> CHANCE:
                k = rules.outcomes(s, g, out, weights)
                due = {outcome(id): w for id, w in zip(out[:k], weights[:k], strict=True)}
                assert due == game.chance()
                picked = choose.choices(out[:k], weights[:k])[0]
                rules.apply(s, g, CHANCE, picked)
                game.take(outcome(picked))
            else:
                (player,) = (p for p in range(players) if waiting >> p & 1)
                assert game.deciders() == {player}
                ids = out[: rules.legal(s, g, player, out)]
                assert len(set(ids)) == len(ids)
                assert {written(id) for id in ids} == game.legal(player)
                picked = choose.choice(ids)
                rules.apply(s, g, player, picked)
                game.play(player, written(picked))
            compare(game, s, g)
        assert game.over()


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("x", "not part of a deck"),
        ("r15", "“r15”: speeds are 10, 20"),
        ("r10-140", "“r10-140”: speeds are"),
        ("r10 0*g20", "“0\\*g20”: write a count from 1 to 120"),
        ("121*g20", "“121\\*g20”: write a count"),
        ("1000*g20", "“1000\\*g20” is not part of a deck"),
        ("k10-130", "coloured card"),
        ("r130-10", "lower speed first"),
        ("9*r10-130+9*g10-130", "“9\\*g10-130”: a deck has at most 120 cards"),
    ],
)
def test_a_bad_deck_says_what_is_wrong(text: str, sentence: str) -> None:
    """RA-1.2 a deck of the user's own is checked."""
    with pytest.raises(ValueError, match=sentence):
        read_deck(text)


def test_the_shipped_decks_are_those_of_the_clause() -> None:
    """RA-1.2 both have 56 cards."""
    assert sorted(map(card, read_deck("standard"))) == sorted(RECONSTRUCTED)
    assert sorted(map(card, read_deck("all-black-top"))) == sorted(ALL_BLACK_TOP)
    assert kind_of("k130") == state.KINDS - 1
