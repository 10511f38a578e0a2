"""The environments for Gymnasium: one player learns, levels of Paddock play the others.

Importing this module registers ``paddock/lacorsa-v0`` and so on, one for each title.
"""

from __future__ import annotations

from collections.abc import Mapping
from secrets import randbits
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium.spaces import Box, Discrete
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from paddock.core.errors import BadMove, BadOption, PaddockError, quoted
from paddock.core.i18n import _
from paddock.core.options import Options
from paddock.core.title import Title, titles
from paddock.envs.arguments import (
    Features,
    Illegal,
    Reward,
    action_number,
    player_number,
    raises,
    read,
    reads_short,
    wins,
)
from paddock.envs.opponents import opponents_of
from paddock.envs.play import RENDER_MODES, Kit, Mask, PlayedSeries, Row, kit_of, mode_of, render
from paddock.envs.rewards import rewards
from paddock.envs.vectors import vector
from paddock.kernel.source import Seed, seed_number
from paddock.kernel.vector import OVER

Info = dict[str, Any]
Opponents = str | Mapping[int, str]


class Single(gymnasium.Env[Row, Any]):
    """One player of a series of games, for Gymnasium. ``paddock.envs.single`` makes one.

    ``info["action_mask"]`` and ``action_masks()`` say which actions are legal, ``info["seat"]`` which seat is
    asked. An illegal action is replaced by a random legal one, and ``info["illegal"]`` is True; or it
    raises ``BadMove`` if the environment was made with ``illegal="error"``. What is no integer always does.
    """

    metadata = {"render_modes": list(RENDER_MODES), "render_fps": 1}

    def __init__(
        self,
        title: Title | str,
        options: Mapping[str, Any] | None = None,
        player: int = 0,
        opponents: Opponents = "club",
        reward: Reward = "points",
        illegal: Illegal = "random",
        render_mode: str | None = None,
        features: Features = "all",
    ) -> None:
        self.title, self.options = read(title, options)
        self.player = player_number("player", self.title, self.options, player)
        levels = _levels(self.title, self.options, self.player, opponents)
        self._by_win, self._raises = wins(reward), raises(illegal)
        self.render_mode = mode_of(render_mode)
        kit = kit_of(self.title, self.options, reads_short(self.title, features))
        self._play = PlayedSeries(kit, False, opponents_of(self.title, self.options, levels))
        self._number, self._next = randbits(62), 0
        self._mask = np.zeros(kit.actions, np.int8)
        self.observation_space = Box(-1, 1, (kit.features,), np.float32)
        self.action_space = Discrete(kit.actions)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Row, Info]:
        """Begin a series: game 0 of ``seed``, with the chance of ``paddock.start(…, seed=seed)``.

        Without a seed it is the next game of the seed before; of a random seed if there was none. ``options``
        has no effect: the options of the title are those of the environment.
        """
        super().reset(seed=seed)
        if seed is not None:
            self._number, self._next = seed_number(seed), 0
        self._play.asked = OVER
        while self._play.asked == OVER:  # a series in which the player is never asked is left out
            row, self._mask = _arrays(self._play.kit)
            self._play.begin(self._number, self._next, row, self._mask)
            self._next += 1
        return row, self._info()

    def step(self, action: Any) -> tuple[Row, float, bool, bool, Info]:
        """Play an action; return what is asked next, the reward, whether the series is over, False, and info.

        The reward is the points of the races that have ended in this step, over the mean of all players; or
        once the series is over, 1 for a win over the same mean.
        """
        play, (row, mask) = self._play, _arrays(self._play.kit)
        if play.asked == OVER:
            raise PaddockError(_("the game is over: call reset"))
        seat, since = play.asked, play.finished
        illegal = not play.take(seat, action_number(action), row, mask)
        if illegal and self._raises:
            raise BadMove(_("{action} is not a legal action now").format(action=quoted(action)))
        if illegal:
            play.take(seat, play.choices[self.np_random.integers(play.count)], row, mask)
        over, reward = play.asked == OVER, 0.0
        if play.finished > since:
            reward = rewards(self.options, play.rounds(), since, self._by_win)[self.player]
        if over:
            play.look(seat, row)
        self._mask = mask
        return row, reward, over, False, self._info(illegal, seat)

    def _info(self, illegal: bool = False, last: int = 0) -> Info:
        seat = last if self._play.asked == OVER else self._play.asked
        return {"action_mask": self._mask.copy(), "seat": seat, "illegal": illegal}

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Return for every action whether it is legal now, as libraries for masked policies ask for it."""
        return self._mask.astype(np.bool_)

    def render(self) -> Any:
        """Return the board as the player sees it: as text (``ansi``) or as a drawing (``svg``)."""
        if not self._next:
            raise PaddockError(_("there is no game yet: call reset"))
        return render(self._play.seen(self.options.eyes(self.player)), self.render_mode)


class SingleVector(VectorEnv[Row, Any, Any]):
    """One player in each of ``num_envs`` games, for Gymnasium. ``paddock.envs.single_vector`` makes one.

    A game that ends is followed by the next one in the same step (``AutoresetMode.SAME_STEP``): then
    ``infos["final_obs"]`` has what the player saw at the end. Otherwise like ``Single``, for single games.
    """

    metadata = {"autoreset_mode": AutoresetMode.SAME_STEP, "render_modes": []}

    def __init__(
        self,
        title: Title | str,
        options: Mapping[str, Any] | None = None,
        num_envs: int = 64,
        player: int = 0,
        opponents: Opponents = "club",
        reward: Reward = "points",
        illegal: Illegal = "random",
        threads: int = 1,
        features: Features = "all",
    ) -> None:
        self.title, self.options = read(title, options)
        self.player = player_number("player", self.title, self.options, player)
        levels = _levels(self.title, self.options, self.player, opponents)
        self._raises = raises(illegal)
        self._env = vector(
            self.title, options, num_envs, randbits(62),
            opponents=levels, reward=reward, threads=threads, finals=True, features=features,
        )  # fmt: skip
        self._sample = self._env.sampler(randbits(62))
        self.num_envs = num_envs
        self.render_mode = None
        self.single_observation_space = Box(-1, 1, (self._env.features,), np.float32)
        self.single_action_space = Discrete(self._env.actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def reset(self, *, seed: Any = None, options: dict[str, Any] | None = None) -> tuple[Row, Info]:
        """Begin new games: place i plays the games i, i + n, … of ``seed``, by default a random one."""
        if seed is not None and not isinstance(seed, (int, np.integer)):
            raise PaddockError(_("seed={seed}: give one number for all games").format(seed=quoted(seed)))
        number: Seed = randbits(62) if seed is None else int(seed)
        self._sample = self._env.sampler(f"{number} illegal")  # what replaces illegal actions
        self._env.restart(number)
        return self._env.batch.observations.copy(), self._infos(np.zeros(self.num_envs, np.bool_))

    def step(self, actions: Any) -> tuple[Row, Any, Any, Any, Info]:
        """Play an action in every game; return copies of what is asked next, rewards, ends, and infos."""
        now, chosen = self._env.batch, np.asarray(actions)
        illegal = np.zeros(self.num_envs, np.bool_)
        if not self._raises and chosen.shape == (self.num_envs,) and chosen.dtype.kind in "iu":
            within = (chosen >= 0) & (chosen < self._env.actions)
            chosen = np.where(within, chosen, -1).astype(np.int64)
            illegal = ~(within & now.masks[np.arange(self.num_envs), chosen])
            if illegal.any():
                chosen = np.where(illegal, self._sample(now.observations, now.masks), chosen)
        self._env.step(chosen)
        ends = now.dones.copy()
        infos = self._infos(illegal)
        if ends.any():
            final = np.full(self.num_envs, None, dtype=object)
            for i in np.flatnonzero(ends):
                final[i] = now.finals[i].copy()
            infos |= {"final_obs": final, "_final_obs": ends.copy()}
        rewards = now.rewards[:, self.player].astype(np.float64)
        return now.observations.copy(), rewards, ends, np.zeros(self.num_envs, np.bool_), infos

    def _infos(self, illegal: npt.NDArray[np.bool_]) -> Info:
        infos = {"action_mask": self.action_masks().astype(np.int8), "seat": self._env.batch.seats.copy(),
                 "illegal": illegal}  # fmt: skip
        return infos | {f"_{name}": np.ones(self.num_envs, np.bool_) for name in infos}

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Return for every game and action whether it is legal now."""
        return self._env.batch.masks.copy()

    def close_extras(self, **kwargs: Any) -> None:
        """End the threads."""
        self._env.close()


def _arrays(kit: Kit) -> tuple[Row, Mask]:
    return np.zeros(kit.features, np.float32), np.zeros(kit.actions, np.int8)


def _levels(title: Title, options: Options, player: int, opponents: Opponents) -> dict[int, str]:
    """Return the level of every other player; raise ``BadOption`` if some are missing."""
    other_players = set(range(options.players)) - {player}
    level_names: Any = opponents
    if isinstance(level_names, str):
        return dict.fromkeys(other_players, level_names)
    if not isinstance(level_names, Mapping) or set(level_names) != other_players:
        sentence = _("opponents={value}: give a level, or the level of each of the players {others}")
        raise BadOption(
            [sentence.format(value=quoted(opponents), others=", ".join(map(str, sorted(other_players))))]
        )
    return dict(level_names)


def _register() -> None:
    """Register an environment for each title, so that ``gymnasium.make`` finds it by name."""
    for name in titles():
        gymnasium.register(
            f"paddock/{name}-v0",
            entry_point="paddock.envs.gymnasium:Single",
            vector_entry_point="paddock.envs.gymnasium:SingleVector",
            kwargs={"title": name},
        )


_register()
