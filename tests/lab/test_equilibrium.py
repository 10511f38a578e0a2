"""Small games are solved exactly, and OpenSpiel finds the same exploitability of every mix."""

from __future__ import annotations

import json
from itertools import product

import numpy as np
import pytest
from open_spiel.python.algorithms import exploitability
from open_spiel.python.policy import Policy

from paddock.bots.registry import Rookie
from paddock.core.errors import BadOption, PaddockError
from paddock.core.title import title
from paddock.envs import open_spiel
from paddock.lab import solve
from paddock.lab.endgame import EXACT
from paddock.lab.equilibrium import bot_exploitability, bot_mixes, tree_of

TITLE = title("rasant")
SMALL = {"players": 2, "dealt": 2, "hand": 2, "deck": "2*r10+2*g20+k30", "line": "krrgbyrgbygby"}
LEAST = {"players": 2, "dealt": 2, "hand": 1, "deck": "2*r10+2*g20", "line": "krrgbyrgbygby"}


@pytest.fixture(scope="module")
def solved():
    return solve("rasant", SMALL)


def mixes(tree, seed):
    """Return random mixes of both players."""
    rng = np.random.default_rng(seed)
    return tuple(
        tree.mix(player, lambda state: rng.dirichlet(np.ones(len(state.moves)))) for player in (0, 1)
    )


def uniform(tree):
    """Return the mixes of *Rookie*."""
    return tuple(bot_mixes(tree, player, Rookie(), "", 1)[0] for player in (0, 1))


@pytest.mark.parametrize("policy", ["equilibrium", "uniform", "random"])
def test_openspiel_finds_the_same_exploitability(solved, policy):
    tree = solved.tree
    chosen = {"equilibrium": solved.equilibrium.mixes, "uniform": uniform(tree)}
    both = chosen.get(policy) or mixes(tree, 1)
    table, game = tree.policy(*both), open_spiel("rasant", SMALL)

    class OfTable(Policy):
        def action_probabilities(self, state, player_id=None):
            return table[state.information_state_string(state.current_player())]

    here = tree.exploitability(*both)
    there = exploitability.exploitability(game, OfTable(game, [0, 1]))
    assert here == pytest.approx(there, abs=1e-9)
    assert (here < 1e-9) is (policy == "equilibrium")


def test_an_equilibrium_gets_its_value_against_everybody(solved):
    tree, (first, second) = solved.tree, solved.equilibrium.mixes
    for seed in range(20):
        mine, theirs = mixes(tree, seed)
        assert tree.value(first, theirs) > solved.equilibrium.value - EXACT
        assert tree.value(mine, second) < solved.equilibrium.value + EXACT
    assert any(0.01 < chance < 0.99 for mix in solved.policy.values() for chance in mix.values())


def test_a_best_response_is_the_best_of_all_pure_plans():
    tree = tree_of(TITLE, TITLE.options.read(LEAST))
    states = tree.states[0]
    assert 1 < np.prod([len(state.moves) for state in states]) < 1000
    _mine, theirs = mixes(tree, 3)
    values = []
    for picks in product(*(range(len(state.moves)) for state in states)):
        pure = dict(zip((state.text for state in states), picks, strict=True))
        values.append(
            tree.value(tree.mix(0, lambda s, pure=pure: np.eye(len(s.moves))[pure[s.text]]), theirs)
        )
    best, mix = tree.best_response(0, theirs)
    assert best == pytest.approx(max(values)) == pytest.approx(tree.value(mix, theirs))
    assert max(values) > min(values)


def test_the_bounds_of_a_bot_hold_its_exploitability(solved):
    """A bot of which nobody knows that it plays at random is asked; its true exploitability is known."""

    class Hidden:
        def choose(self, seen, seat, legal, rng):
            return Rookie().choose(seen, seat, legal, rng)

    tree = solved.tree
    exact = tree.exploitability(*uniform(tree))
    assert bot_exploitability(tree, Rookie(), 1, 2) == pytest.approx((exact, exact))
    intervals = [bot_exploitability(tree, Hidden(), seed, 8) for seed in range(5)]
    assert all(low < exact < high < low + 0.6 for low, high in intervals)


def test_what_cannot_be_solved_is_refused():
    three = {**SMALL, "players": 3, "deck": "2*r10+2*g20+2*k30"}
    for options in (three, {**SMALL, "games": 2}):
        with pytest.raises(PaddockError, match="only a single game of two players can be solved"):
            solve("rasant", options)
    with pytest.raises(PaddockError, match="more than 100 histories: deal fewer cards"):
        solve("rasant", SMALL, most=100)
    with pytest.raises(BadOption, match="there is no bot level"):
        solve("rasant", SMALL, ["nobody"])


def test_it_says_what_it_has_found():
    least = solve("rasant", LEAST, ["rookie"])
    lines = str(least).splitlines()
    assert lines[0] == f"Rasant: {least.options.text}" and lines[1] == f"{least.tree.histories} histories"
    assert lines[2].startswith("player 1: worth 0.0000, ") and lines[3].startswith("player 2: worth 0.0000, ")
    assert lines[5].split() == ["equilibrium", "0.0000"] and lines[6].split()[0] == "rookie"
    written = json.loads(least.json)
    assert written["title"] == "rasant" and len(written["policy"]) == sum(map(len, least.tree.states))
    assert all(sum(mix.values()) == pytest.approx(1) for mix in written["policy"].values())
