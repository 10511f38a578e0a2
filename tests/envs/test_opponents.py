"""Networks and searching levels as opponents: they choose as they choose at a table."""

from __future__ import annotations

import copy
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.envs.test_vector import Twin
from tests.titles import LACORSA, RASANT

from paddock.bots import bot
from paddock.bots.network import Network
from paddock.core.errors import BadOption, PaddockError
from paddock.core.title import Seen, Title
from paddock.envs import parallel, single, vector
from paddock.kernel.source import Seeded


class BotTwin(Twin):
    """A place of a vector environment, played by ``Game``; bots of Python play all opponents."""

    def chosen(self, level: str, seen: Seen, seat: int, legal: list[int]) -> int:
        """Return the move of a bot, of several."""
        source = Seeded(0)
        source.rng = self.side
        return bot(self.title, level).choose(seen, seat, legal, source)


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """*Works* tries its moves less often, and so is faster."""
    monkeypatch.setattr("paddock.bots.works.DECISIONS", 500)


def network(title: Title, folder: Path) -> str:
    """Write a network with random weights that listens to the title's policy; return its level."""
    room = title.short_features
    Network.new(room.PRESENT_FEATURES, room.OUTPUTS, 5, prior=1.0, hidden=8).save(folder / "some.npz")
    return f"net:{folder / 'some.npz'}"


@pytest.mark.usefixtures("hasty")
@pytest.mark.parametrize(
    ("title", "options", "levels"),
    [
        (LACORSA, {"drivers": 4}, {1: "net:champion", 2: "works", 3: "net"}),
        (LACORSA, {"drivers": 2}, {0: "net"}),
        (RASANT, {"players": 3}, {0: "net", 2: "works"}),
    ],
)
def test_they_choose_in_vector_play_and_alone_as_bots_do(
    title: Title, options: dict[str, Any], levels: dict[int, str], tmp_path: Path
) -> None:
    own = network(title, tmp_path)
    levels = {player: own if level == "net" else level for player, level in levels.items()}
    env = vector(title, options, 2, 6, opponents=levels, threads=2)
    twins = [BotTwin(title, env.options, 6, i, levels) for i in range(2)]
    (player,) = (player for player in range(env.players) if player not in levels)
    alone = single(title, options, player=player, opponents=levels)
    seen, _info = alone.reset(seed=6)
    sample, over = env.sampler(1), False
    for _ in range(20):
        for i, twin in enumerate(twins):
            twin.same(env, i)
        assert over or np.array_equal(seen, env.batch.observations[0])
        actions = sample(env.batch.observations, env.batch.masks).tolist()
        now = env.step(actions)
        for i, twin in enumerate(twins):
            rewards = twin.step(actions[i], 2)
            assert now.rewards[i].tolist() == pytest.approx(rewards or [0.0] * env.players)
        if not over:
            seen, reward, over, _cut, _info = alone.step(actions[0])
            assert reward == pytest.approx(now.rewards[0, player]) and over == now.dones[0]
    env.close()


@pytest.mark.usefixtures("hasty")
def test_a_copy_has_the_same_opponents_without_their_file(tmp_path: Path) -> None:
    levels = {0: network(RASANT, tmp_path), 2: "works"}
    envs = (
        vector(RASANT, {"players": 3}, 2, 7, opponents=levels),
        single(RASANT, {"players": 3}, player=1, opponents=levels),
        parallel(RASANT, {"players": 3}, opponents=levels),
    )
    for env in envs[1:]:
        env.reset(seed=3)
    kept = pickle.dumps(envs)
    (tmp_path / "some.npz").unlink()
    twins = pickle.loads(kept), copy.deepcopy(envs)
    gone_on = three_steps(*envs)
    assert all(three_steps(*twin) == gone_on for twin in twins)


def three_steps(many: Any, one: Any, every: Any) -> list[bytes]:
    """Play the first legal action three times in each environment; return what there is then."""
    for _ in range(3):
        many.step(many.batch.masks.argmax(axis=1))
        row = one.step(int(one.action_masks().argmax()))[0]
        seen = every.step({"player_1": -1})[0]["player_1"]["observation"]
    return [many.save().games.tobytes(), many.batch.observations.tobytes(), row.tobytes(), seen.tobytes()]


def test_champion_where_it_looks_ahead_and_where_it_does_not() -> None:
    """Its network alone plays compiled."""
    env = vector("lacorsa", {"drivers": 4}, 2, opponents={1: "net:champion", 2: "club"})
    assert not env._opponents.bots and env._opponents.parts.tolist() == [-1, 4, 3, -1]
    ahead = vector("lacorsa", {"drivers": 4}, 1, opponents={3: "champion"})
    assert list(ahead._opponents.bots) == [3]


def test_a_network_of_another_title_is_refused(tmp_path: Path) -> None:
    level = network(RASANT, tmp_path)
    with pytest.raises(BadOption, match="this network does not play LACORSA"):
        vector("lacorsa", n=1, opponents={1: level})
    with pytest.raises(PaddockError, match="No such file"):
        single("lacorsa", opponents="net:none.npz")
    with pytest.raises(BadOption, match="there is no bot level “5”"):
        vector("lacorsa", n=1, opponents={1: 5})  # type: ignore[dict-item]
