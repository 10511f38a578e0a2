"""The environment for PettingZoo: every player is an agent, and is asked when it must decide."""

from __future__ import annotations

from secrets import randbits
from typing import Any

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete
from pettingzoo import AECEnv

from paddock.core.errors import BadMove, PaddockError, quoted
from paddock.core.i18n import _
from paddock.core.options import Options
from paddock.core.title import Title
from paddock.envs.arguments import action_number
from paddock.envs.play import RENDER_MODES, PlayedSeries, kit_of, mode_of, render
from paddock.envs.rewards import rewards
from paddock.kernel.source import seed_number
from paddock.kernel.vector import OVER

Observation = dict[str, Any]  # «observation» and «action_mask»


class AEC(AECEnv[str, Observation, int]):  # type: ignore[misc]  # PettingZoo has no types
    """A series of games for PettingZoo. ``paddock.envs.aec`` makes one.

    Agent ``player_0`` is the first player. A player with several seats is asked for each of them:
    ``infos[agent]["seat"]`` says for which. The action mask of an agent that is not asked is all 0.
    """

    def __init__(
        self, title: Title, options: Options, by_win: bool, render_mode: str | None, short: bool
    ) -> None:
        super().__init__()
        self.metadata = {"name": f"{title.name}_v0", "render_modes": list(RENDER_MODES), "render_fps": 1}
        self.title, self.options, self.render_mode = title, options, mode_of(render_mode)
        kit = kit_of(title, options, short)
        self._play = PlayedSeries(kit, asks_chance=False)
        self._by_win = by_win
        self._seed = randbits(62)
        self._next = 0  # the next game has the chance of this stream of the seed
        self._features, self._actions = kit.features, kit.actions
        self.possible_agents = [f"player_{i}" for i in range(options.players)]
        self.agents: list[str] = []
        self._seats = {a: options.owners.index(player) for player, a in enumerate(self.possible_agents)}
        self._agents = [self.possible_agents[owner] for owner in options.owners]  # by seat
        self.observation_spaces = {agent: self._space() for agent in self.possible_agents}
        self.action_spaces = {agent: Discrete(kit.actions) for agent in self.possible_agents}

    def _space(self) -> Dict:
        observation = Box(-1, 1, (self._features,), np.float32)
        return Dict({"observation": observation, "action_mask": Box(0, 1, (self._actions,), np.int8)})

    def observation_space(self, agent: str) -> Any:
        """Return the space of observations: a ``Dict`` of ``observation`` and ``action_mask``."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """Return the space of actions, the ids of moves."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a series: game 0 of ``seed``, with the chance of ``paddock.start(…, seed=seed)``.

        Without a seed it is the next game of the seed before; of a random seed if there was none. ``options``
        has no effect: the options of the title are those of the environment.
        """
        if seed is not None:
            self._seed, self._next = seed_number(seed), 0
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {"seat": self._seats[agent]} for agent in self.agents}
        self._skip_agent_selection: str | None = None
        self._paid = False  # whether ``rewards`` are not all 0
        self._row = np.zeros(self._features, np.float32)
        self._mask = np.zeros(self._actions, np.int8)
        self._play.begin(self._seed, self._next, self._row, self._mask)
        self._next += 1
        self._select(self._play.asked)

    def _select(self, seat: int) -> None:
        self.agent_selection = agent = self._agents[seat]
        self.infos[agent] = {"seat": seat}

    def step(self, action: int | None) -> None:
        """Play an action of the agent that is asked; an agent that has ended gives None.

        Raises ``BadMove``, and changes nothing, for an action that is not in its mask.
        """
        if not self.agents:
            raise PaddockError(_("the game is over: call reset"))
        agent, play = self.agent_selection, self._play
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        row = np.zeros(self._features, np.float32)  # new arrays: a learner keeps those that it was given
        mask = np.zeros(self._actions, np.int8)
        done = play.finished
        if not play.take(play.asked, action_number(action), row, mask):
            sentence = _("{action} is not a legal action of {agent} now")
            raise BadMove(sentence.format(action=quoted(action), agent=agent))
        self._row, self._mask = row, mask
        self._cumulative_rewards[agent] = 0.0
        if self._paid:
            self._clear_rewards()
            self._paid = False
        if play.finished > done:
            self._pay(done)
        if play.asked == OVER:
            self.terminations = dict.fromkeys(self.agents, True)
            self.agent_selection = self.agents[0]
        else:
            self._select(play.asked)

    def _pay(self, since: int) -> None:
        """Give the rewards for the rounds that have ended in this step."""
        paid = rewards(self.options, self._play.rounds(), since, self._by_win)
        self.rewards = dict(zip(self.agents, paid, strict=True))
        self._accumulate_rewards()
        self._paid = True

    def observe(self, agent: str) -> Observation:
        """Return what an agent sees now, for the seat that is asked or else its first one."""
        if agent == self.agent_selection and self._play.asked != OVER:
            return {"observation": self._row, "action_mask": self._mask}
        row = np.zeros(self._features, np.float32)
        self._play.look(self._seats[agent], row)
        return {"observation": row, "action_mask": np.zeros(self._actions, np.int8)}

    def render(self) -> str | None:
        """Return the board with all hands: as text (``ansi``) or as a drawing (``svg``)."""
        if not self._next:
            raise PaddockError(_("there is no game yet: call reset"))
        return render(self._play.seen((1 << self.options.seats) - 1), self.render_mode)

    def close(self) -> None:
        """Do nothing: there is nothing to release."""
