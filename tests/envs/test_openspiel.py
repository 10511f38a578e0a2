"""The games for OpenSpiel pass OpenSpiel's tests, are the games that ``Game`` plays, and can be searched."""

from __future__ import annotations

import json
import pickle
import random
import subprocess
import sys
from collections import defaultdict
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms import generate_playthrough, ismcts, mcts
from open_spiel.python.observation import INFO_STATE_OBS_TYPE, make_observation
from tests.envs.cases import cases
from tests.titles import LACORSA, RULES

from paddock.core.errors import BadMove, PaddockError
from paddock.core.game import Game
from paddock.core.log import Entry
from paddock.core.title import Title
from paddock.core.words import CHANCE
from paddock.envs import open_spiel
from paddock.envs.rewards import rewards
from paddock.games.great_race.rulebook import TITLE as GREAT_RACE
from paddock.tasks import TASKS, task

SHORT: dict[str, dict[str, Any]] = {"great_race": {"max_turns": 1, "players": 2}}


def choice(state: Any, choose: random.Random) -> int:
    """Return a random outcome or action."""
    if state.is_chance_node():
        outcomes, weights = zip(*state.chance_outcomes(), strict=True)
        return int(choose.choices(outcomes, weights)[0])
    return int(choose.choice(state.legal_actions()))


@cases
def test_it_passes_the_test_of_openspiel(title: Title, options: dict[str, Any]) -> None:
    pyspiel.random_sim_test(open_spiel(title, options), num_sims=1, serialize=True, verbose=False)


@pytest.mark.parametrize("name", list(TASKS))
def test_every_task_passes_the_test_of_openspiel(name: str) -> None:
    """Its states, observations and information states, with their tensors, in one random game."""
    chosen = task(name)
    turns = {"max_turns": 1} if chosen.title is GREAT_RACE else {}  # a random race takes minutes
    game = open_spiel(chosen.title, chosen.test_set_up | turns)
    pyspiel.random_sim_test(game, num_sims=1, serialize=False, verbose=False)


@pytest.mark.slow("twelve players' tensors of all that they were shown are written at each decision")
@cases
def test_openspiel_writes_a_playthrough_of_it(title: Title, options: dict[str, Any]) -> None:
    """Its own command asks for observers of what all see, and of what one player sees besides."""
    lines = generate_playthrough.playthrough_lines(str(open_spiel(title, options, recall=350)), seed=1)
    assert lines[-1].startswith("Returns() = ") and sum("action: " in line for line in lines) > 20
    for told in ("PublicObservationString() = ", "PrivateObservationString(1) = ", "ObservationTensor(1) = "):
        assert any(line.startswith(told) for line in lines)
    assert any(line.startswith("InformationStateTensor(1)") for line in lines)


def test_each_observer_sees_what_it_should() -> None:
    """The public one what a spectator sees, the private one what a player sees besides; none has more."""
    game = open_spiel("rasant", {"players": 3})
    state, kinds = game.new_initial_state(), pyspiel.PrivateInfoType

    def observer(public: bool, private: Any) -> Any:
        return make_observation(game, pyspiel.IIGObservationType(public, False, private))

    everything, private = observer(True, kinds.ALL_PLAYERS), observer(False, kinds.SINGLE_PLAYER)
    public, mine = observer(True, kinds.NONE), observer(True, kinds.SINGLE_PLAYER)
    while state.is_chance_node():
        state.apply_action(state.chance_outcomes()[0][0])
    twin = state.resample_from_infostate(1, random.Random(1).random)
    for one, same in ((public, (0, 1, 2)), (private, (1,)), (mine, (1,)), (everything, ())):
        for player in range(3):
            assert (one.string_from(state, player) == one.string_from(twin, player)) is (player in same)
    assert private.string_from(state, 1).startswith("hand=") and "players" not in private.string_from(
        state, 1
    )
    assert observer(False, kinds.NONE).string_from(state, 0) == ""
    public.set_from(state, 1)
    seen = game.kit.title.features.observe
    row, spectator = [0.0] * game.kit.features, state.play.seen(0)
    seen(spectator.state, spectator.setup, 1, row)
    assert np.array_equal(public.tensor, np.float32(row))
    mine.set_from(state, 1)
    assert not np.array_equal(mine.tensor, public.tensor)


@cases
def test_the_tensor_of_an_information_state_tells_apart_what_its_text_does(
    title: Title, options: dict[str, Any]
) -> None:
    """Two deals, which take different ways: as many tensors as texts, for each player."""
    game = open_spiel(title, options)
    observer = make_observation(game, INFO_STATE_OBS_TYPE)
    texts: dict[bytes, set[str]] = defaultdict(set)
    tensors: dict[str, set[bytes]] = defaultdict(set)
    for seed in range(4):
        deal, later, state = random.Random(seed % 2), random.Random(seed), game.new_initial_state()
        for step in range(230):
            if state.is_terminal():
                break
            state.apply_action(choice(state, deal if state.is_chance_node() else later))
            if step % 5 == 0:
                for player in range(min(3, game.num_players())):
                    observer.set_from(state, player)
                    text, tensor = observer.string_from(state, player), observer.tensor.tobytes()
                    texts[tensor + bytes([player])].add(text)
                    tensors[text].add(tensor)
        player = max(0, state.current_player())
        observer.set_from(state, player)
        assert np.array_equal(np.float32(state.information_state_tensor(player)), observer.tensor)
    assert all(len(some) == 1 for some in (*texts.values(), *tensors.values())) and len(texts) > 20
    assert game.information_state_tensor_shape() == [len(observer.tensor)]


def test_a_resampled_state_has_the_tensor_of_the_true_one() -> None:
    game, choose = open_spiel("rasant", {"players": 3}), random.Random(1)
    state = game.new_initial_state()
    for _ in range(60):
        state.apply_action(choice(state, choose))
    while state.is_chance_node():
        state.apply_action(choice(state, choose))
    player = state.current_player()
    twin = state.resample_from_infostate(player, choose.random)
    assert twin.information_state_tensor(player) == state.information_state_tensor(player)
    other = (player + 1) % 3
    again = twin.resample_from_infostate(other, choose.random)
    assert again.information_state_tensor(other) == twin.information_state_tensor(other)


def test_a_tensor_without_room_says_how_much_it_needs() -> None:
    game = open_spiel("rasant", {"players": 2}, recall=20)
    state, whole_state = game.new_initial_state(), open_spiel("rasant", {"players": 2}).new_initial_state()
    while state.is_chance_node():
        assert len(state.history()) > 20 or state.information_state_tensor(0)
        outcome = state.chance_outcomes()[0][0]
        state.apply_action(outcome)
        whole_state.apply_action(outcome)
    assert len(whole_state.information_state_tensor(0)) > len(state.observation_tensor(0)) + 20 * game.width
    with pytest.raises(PaddockError, match="a player was shown 25 entries: load the game with recall=25"):
        state.information_state_tensor(0)
    assert pickle.loads(pickle.dumps(game)).recall == pyspiel.load_game(str(game)).recall == 20
    for wrong in (0, -1, True, "7", 1 << 40):
        with pytest.raises(PaddockError, match=r"recall=.*: give a whole number from 1 to 1048576"):
            open_spiel("rasant", recall=wrong)  # type: ignore[arg-type]


def test_there_is_no_tensor_of_secrets_alone_and_none_of_all_players() -> None:
    game, kinds = open_spiel("rasant", {"players": 3}), pyspiel.PrivateInfoType
    for public, private in ((False, kinds.SINGLE_PLAYER), (True, kinds.ALL_PLAYERS)):
        observer = make_observation(game, pyspiel.IIGObservationType(public, False, private))
        assert observer.tensor is None
        with pytest.raises(PaddockError, match="there is no tensor of this"):
            observer.set_from(game.new_initial_state(), 0)


@cases
def test_structs_say_what_a_player_sees_and_take_moves(title: Title, options: dict[str, Any]) -> None:
    """A game played by its structs alone is the same game; what others have is in none of a player's."""
    game, choose = open_spiel(title, options), random.Random(title.name)
    state, twin = game.new_initial_state(), game.new_initial_state()
    for step in range(120):
        if state.is_terminal():
            break
        player, action = state.current_player(), choice(state, choose)
        struct = state.action_to_struct(player, action)
        assert state.struct_to_actions(struct) == [action]
        if player >= 0 and step % 4 == 0:
            seen = state.to_observation_struct(player).to_dict()
            legal = {row["action"]: row["move"] for row in seen["legal"]}
            assert sorted(legal) == state.legal_actions() and seen["player"] == player
            assert struct.to_dict() == {"move": legal[action]} and seen["board"] and seen["status"]
            sampled = state.resample_from_infostate(player, choose.random)
            if not state.told.open:
                assert sampled.to_observation_struct(player).to_dict() == seen
            assert "legal" not in state.to_observation_struct((player + 1) % game.num_players()).to_dict()
            struct = game.ActionStruct(json.dumps({"move": legal[action]}))
        state.apply_action(action)
        assert twin.validate_action_struct(struct).ok() and twin.apply_action_struct(struct).ok()
    assert str(twin) == str(state)
    again = game.new_initial_state(state.to_json())
    assert str(again) == str(state) == str(game.new_initial_state(json.loads(state.to_json())))


@cases
def test_a_trace_of_a_match_is_replayed(title: Title, options: dict[str, Any]) -> None:
    game, choose = open_spiel(title, options), random.Random(title.name)
    state = game.new_initial_state()
    for _ in range(200):
        if not state.is_terminal():
            state.apply_action(choice(state, choose))
    text = pyspiel.Trajectory(state).to_string()
    assert json.loads(text)["header"]["game_string"] == str(game)
    assert [row["action"] for row in json.loads(text)["transitions"]] == state.history()
    assert str(pyspiel.Trajectory(text).reconstruct_final_state()) == str(state)


def test_structs_that_say_nothing_are_refused() -> None:
    game = open_spiel("rasant", {"players": 2})
    state = game.new_initial_state()
    assert game.action_struct_spec()[0] == '{"move": string}'
    wrong_outcome = '{"outcome": "no such thing"}'
    for text, sentence in (('{"move": "r10"}', "name what is played as"), (wrong_outcome, "is not possible")):
        with pytest.raises(BadMove, match=sentence):
            state.struct_to_actions(game.ActionStruct(text))
    while state.is_chance_node():
        state.apply_action(state.chance_outcomes()[0][0])
    with pytest.raises(PaddockError, match="write a struct as JSON"):
        game.ActionStruct("r10")
    with pytest.raises(BadMove):
        state.struct_to_actions(game.ActionStruct('{"move": "r11"}'))
    refused = state.validate_action_struct(game.ActionStruct('{"move": "r130"}'))
    assert not refused.ok() and "not legal" in refused.message()
    for wrong in ({}, {"history": 7}, {"history": ["7"]}, "[]", "{"):
        with pytest.raises(PaddockError):
            game.new_initial_state(wrong)
    with pytest.raises(BadMove, match="is not possible here"):
        game.new_initial_state({"history": [999]})


@cases
def test_it_is_the_game_that_game_plays(title: Title, options: dict[str, Any]) -> None:
    """Chance, legal moves, observations and returns, also from a copy and from a serialized state."""
    choose, game = random.Random(title.name), open_spiel(title, options)
    twin, state = Game(title, game.options), game.new_initial_state()
    observer = make_observation(game)
    while not twin.over:
        if twin.chance_due:
            assert state.current_player() == pyspiel.PlayerId.CHANCE
            weights = twin.outcomes()
            total = sum(weights.values())
            given = dict(state.chance_outcomes())
            assert given == pytest.approx(
                {what: weight / total for what, weight in weights.items() if weight}
            )
            what = choice(state, choose)
            twin.append(Entry(CHANCE, what))
        else:
            seat = twin.deciders[0]
            player = game.options.owners[seat]
            assert state.current_player() == player and not state.is_terminal()
            assert state.legal_actions() == sorted(twin.legal(seat).ids)
            vector = twin.seen(game.options.eyes(player)).vector(seat)
            assert np.array_equal(np.float32(state.observation_tensor()), vector)
            observer.set_from(state, player)
            assert np.array_equal(observer.tensor, vector)
            assert not any(state.returns())
            what = choice(state, choose)
            twin.append(Entry(seat, what))
        if choose.random() < 0.05:
            state = state.clone() if choose.random() < 0.5 else pickle.loads(pickle.dumps(state))
        state.apply_action(what)
    assert state.is_terminal() and state.current_player() == pyspiel.PlayerId.TERMINAL
    assert state.returns() == pytest.approx(rewards(game.options, twin.rounds, 0, False))
    assert len(state.history()) == len(twin.log)


@pytest.mark.parametrize("title", RULES, ids=lambda title: title.name)
def test_information_states_say_what_those_of_game_say(title: Title) -> None:
    """Two games have the same text here if and only if they have the same text there, but for the moves of
    others in an open simultaneous decision: only a game for OpenSpiel asks for them one after another."""
    game = open_spiel(title, SHORT.get(title.name))
    here, there = defaultdict(set), defaultdict(set)
    for seed in range(12):
        choose = random.Random(seed % 3)  # three deals, which then take different ways
        later = random.Random(seed)
        state, twin = game.new_initial_state(), Game(title, game.options)
        for _ in range(60):
            if state.is_terminal():
                break
            if state.is_chance_node():
                by, what = CHANCE, choice(state, choose)
            else:
                by, what = twin.deciders[0], choice(state, later)
            twin.append(Entry(by, what))
            state.apply_action(what)
            if state.is_terminal() or state.is_chance_node() or len(twin.deciders) < 1:
                continue
            if state.told.open:
                continue
            for player in range(game.options.players):
                seat = game.options.owners.index(player)
                mine, theirs = state.information_state_string(player), twin.information_state(seat)
                here[mine].add(theirs)
                there[theirs].add(mine)
    assert len(here) > 60
    assert all(len(texts) == 1 for texts in here.values())
    assert all(len(texts) == 1 for texts in there.values())


def test_nobody_sees_what_others_have_chosen_at_the_same_time() -> None:
    """GR-2.1 all plan at the same time: the second to be asked cannot tell what the first has chosen."""
    game = open_spiel(GREAT_RACE, {"players": 3, "max_turns": 2})
    checked = 0
    for seed in range(6):
        choose, state = random.Random(seed), game.new_initial_state()
        while not state.is_terminal() and not (state.told.open and state.current_player() != 0):
            before, action = state.clone(), choice(state, choose)
            state.apply_action(action)
        if state.is_terminal():
            continue
        player = state.current_player()
        for other in before.legal_actions():
            twin = before.child(other)
            if not twin.told.open:
                continue
            assert twin.current_player() == player
            assert twin.observation_tensor() == state.observation_tensor()
            assert twin.observation_string() == state.observation_string()
            assert twin.information_state_string() == state.information_state_string()
            assert twin.legal_actions() == state.legal_actions()
            checked += other != action
    assert checked > 5


@cases
def test_a_resampled_state_is_one_that_the_player_cannot_tell(title: Title, options: dict[str, Any]) -> None:
    choose, game = random.Random(title.name), open_spiel(title, options)
    state, different = game.new_initial_state(), 0
    for step in range(250):
        if state.is_terminal():
            break
        if not state.is_chance_node() and step % 5 == 0:
            player = state.current_player()
            other = (player + 1) % game.options.players
            twin = state.resample_from_infostate(player, choose.random)
            for text in ("information_state_string", "observation_string"):
                assert getattr(twin, text)(player) == getattr(state, text)(player)
                mine = getattr(twin, text)(other)
                assert getattr(twin.resample_from_infostate(other, choose.random), text)(other) == mine
            assert twin.current_player() == player and twin.legal_actions() == state.legal_actions()
            if not state.told.open:
                assert twin.observation_tensor() == state.observation_tensor()
            different += twin.observation_string(other) != state.observation_string(other)
            for _ in range(30):
                if not twin.is_terminal():
                    twin.apply_action(choice(twin, choose))
                    assert twin.is_terminal() or twin.legal_actions()
        state.apply_action(choice(state, choose))
    assert different > 3 or title is GREAT_RACE  # a short race may have no secrets


def test_a_state_resampled_in_an_open_decision_tells_moves_apart_and_hides_the_true_cards() -> None:
    """Two players with two cars each commit for qualifying; the player of the last car searches."""
    game = open_spiel("lacorsa", {"drivers": 2})
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.chance_outcomes()[0][0])
    dealt = str(state).split()
    for _ in range(3):
        state.apply_action(state.legal_actions()[0])
    assert state.current_player() == 1
    twin = state.resample_from_infostate(1, random.Random(1).random)
    shown = str(twin).split()
    assert 0 < shown.count("c:?") < len(dealt)
    assert all(new in (old, "c:?") for new, old in zip(shown, dealt, strict=False))
    twin.apply_action(twin.legal_actions()[0])
    assert twin.current_player() == 0  # what the other player had chosen was taken back
    told = set()
    for action in twin.legal_actions():
        child = twin.child(action)
        child.apply_action(child.legal_actions()[0])
        told.add(child.information_state_string(0))
    assert len(told) == len(twin.legal_actions())


def test_the_end_cannot_be_dealt_again_and_what_is_not_there_is_refused() -> None:
    game, choose = open_spiel("rasant", {"players": 3}), random.Random(4)
    state = game.new_initial_state()
    with pytest.raises(PaddockError, match="there is no player -1"):
        state.observation_tensor()
    with pytest.raises(PaddockError, match="a state begins at the start"):
        game.new_initial_state("{}")
    with pytest.raises(PaddockError, match="there is no player 9: they are 0 to 2"):
        state.resample_from_infostate(9, choose.random)
    for observer in (game.make_py_observer(), make_observation(game, INFO_STATE_OBS_TYPE)):
        for player in (-1, 9):
            with pytest.raises(PaddockError, match=f"there is no player {player}"):
                observer.string_from(state, player)
    while not state.is_terminal():
        state.apply_action(choice(state, choose))
    twin = state.resample_from_infostate(1, choose.random)
    assert twin.is_terminal() and twin.returns() == state.returns()
    spectator = pyspiel.IIGObservationType(
        public_info=True, perfect_recall=True, private_info=pyspiel.PrivateInfoType.NONE
    )
    with pytest.raises(PaddockError, match="SINGLE_PLAYER"):
        game.make_py_observer(spectator)


@pytest.mark.parametrize("title", RULES, ids=lambda title: title.name)
def test_the_ismcts_bot_of_openspiel_plays_a_race(title: Title) -> None:
    game = open_spiel(title, SHORT.get(title.name), reward="win")
    rng, choose = np.random.RandomState(1), random.Random(1)
    searches = 2 if title.name == "great_race" else 4
    evaluator = mcts.RandomRolloutEvaluator(1, rng)
    bot = ismcts.ISMCTSBot(game, evaluator, uct_c=2, max_simulations=searches, random_state=rng)
    state, searched = game.new_initial_state(), 0
    while not state.is_terminal():
        if state.is_chance_node() or state.current_player() != 0 or (title is GREAT_RACE and searched == 3):
            state.apply_action(choice(state, choose))
        else:
            state.apply_action(int(bot.step(state)))
            searched += 1
    assert searched >= 3 and sum(state.returns()) == pytest.approx(0)


def test_games_are_made_from_their_text_too() -> None:
    game = open_spiel("lacorsa", {"drivers": 5, "points": (9, 6), "pairs": "1-3/2-5"}, reward="win")
    again = pyspiel.load_game(str(game))
    assert str(again) == str(game) == str(pickle.loads(pickle.dumps(game)))
    assert again.options == game.options and again.by_win
    typed = pyspiel.load_game("paddock_lacorsa(options=drivers:5 races:2)")
    assert (typed.options.players, typed.options.rounds) == (5, 2)
    assert pyspiel.load_game("paddock_lacorsa").options == LACORSA.options.read({"races": 1})
    assert game.min_utility() == pytest.approx(-0.8) and game.max_utility() == pytest.approx(0.8)
    assert set(pyspiel.registered_names()) >= {f"paddock_{title.name}" for title in RULES}


def test_actions_have_names_and_wrong_ones_are_refused() -> None:
    game = open_spiel("lacorsa", {"drivers": 4})
    state, choose = game.new_initial_state(), random.Random(2)
    outcome = state.chance_outcomes()[0][0]
    assert state.action_to_string(outcome) == LACORSA.text.outcome(game.setup, outcome)
    while state.is_chance_node():
        state.apply_action(choice(state, choose))
    action = state.legal_actions()[0]
    assert state.string_to_action(str(LACORSA.text.move(game.setup, action))) == action
    assert state.legal_actions(1) == [] and state.legal_actions(0) == state.legal_actions()
    for wrong in (-2, 10_000):
        with pytest.raises(BadMove, match=f"{wrong} is not possible here"):
            state.clone().apply_action(wrong)
    with pytest.raises(PaddockError, match="reward='place': write points or win"):
        open_spiel("lacorsa", reward="place")  # type: ignore[arg-type]


def test_python_ends_well_after_a_game() -> None:
    """pyspiel keeps what was registered until the process ends."""
    code = "from paddock.envs import open_spiel; open_spiel('rasant').new_initial_state().chance_outcomes()"
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (ended.returncode, ended.stderr) == (0, "")
