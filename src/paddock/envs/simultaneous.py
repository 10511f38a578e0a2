"""The parallel environment for PettingZoo: all agents act in every step, and who is not asked waits."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from secrets import randbits
from typing import Any

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete
from pettingzoo import ParallelEnv

from paddock.core.errors import BadMove, PaddockError, quoted
from paddock.core.i18n import _
from paddock.envs.arguments import action_number
from paddock.envs.opponents import Opponents
from paddock.envs.play import RENDER_MODES, Kit, PlayedSeries, mode_of, render
from paddock.envs.rewards import rewards
from paddock.kernel.source import Seeded, seed_number
from paddock.kernel.vector import OUTSIDE, OVER

Observation = dict[str, Any]  # «observation» and «action_mask»


class Parallel(ParallelEnv[str, Observation, int]):  # type: ignore[misc]  # PettingZoo has no types
    """A series of games for PettingZoo. ``paddock.envs.parallel`` makes one.

    Agent ``player_0`` is the first player; players that are opponents are no agents. A player with several
    seats that must decide is asked for one of them in each step: ``infos[agent]["seat"]`` says for which.
    ``wait`` is the only legal action of an agent that is not asked. An illegal action is replaced by a random
    legal one, and ``infos[agent]["illegal"]`` is True; or it raises ``BadMove`` if the environment was made
    with ``illegal="error"``. What is no integer always does.
    """

    def __init__(
        self, kit: Kit, opponents: Opponents, by_win: bool, raises: bool, render_mode: str | None
    ) -> None:
        title, options = kit.title, kit.options
        self.metadata = {"name": f"{title.name}_v0", "render_modes": list(RENDER_MODES), "render_fps": 1}
        self.title, self.options, self.render_mode = title, options, mode_of(render_mode)
        self._play = PlayedSeries(kit, False, opponents)
        self._by_win, self._raises = by_win, raises
        self._seed, self._next = randbits(62), 0
        self._lots = Seeded(self._seed)  # what replaces illegal actions
        self.wait = kit.actions  # the id of this action: those before are moves
        self._seats: dict[str, list[int]] = {}  # of each agent
        for seat, owner in enumerate(options.owners):
            if opponents.parts[seat] == OUTSIDE:
                self._seats.setdefault(f"player_{owner}", []).append(seat)
        self._players = {agent: options.owners[seats[0]] for agent, seats in self._seats.items()}
        self.possible_agents = sorted(self._seats, key=self._players.__getitem__)
        self.agents: list[str] = []
        observation = Box(-1, 1, (kit.features,), np.float32)
        mask = Box(0, 1, (self.wait + 1,), np.int8)
        self.observation_spaces = {
            agent: Dict({"observation": observation, "action_mask": mask}) for agent in self.possible_agents
        }
        self.action_spaces = {agent: Discrete(self.wait + 1) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> Any:
        """Return the space of observations: a ``Dict`` of ``observation`` and ``action_mask``."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """Return the space of actions: the ids of moves, and ``wait``."""
        return self.action_spaces[agent]

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, Any]]:
        """Begin a series: game 0 of ``seed``, with the chance of ``paddock.start(…, seed=seed)``.

        Without a seed it is the next game of the seed before; of a random seed if there was none. ``options``
        has no effect: the options of the title are those of the environment.
        """
        if seed is not None:
            self._seed, self._next = seed_number(seed), 0
            self._lots = Seeded(f"{self._seed} illegal")
        self.agents = self.possible_agents[:]
        self._play.asked = OVER
        while self._play.asked == OVER:  # a series in which no agent is ever asked is left out
            self._play.begin(self._seed, self._next)
            self._next += 1
        return self._observations(), self._infos(())

    def _asked(self, agent: str) -> int:
        """Return the seat for which an agent is asked now; −1 if it is not."""
        waiting = 0 if self._play.asked == OVER else self._play.waiting
        return next((seat for seat in self._seats[agent] if waiting >> seat & 1), -1)

    def _infos(self, illegal: Collection[str]) -> dict[str, Any]:
        asked = {agent: self._asked(agent) for agent in self.agents}
        return {
            agent: {"seat": self._seats[agent][0] if seat < 0 else seat, "illegal": agent in illegal}
            for agent, seat in asked.items()
        }

    def _observations(self) -> dict[str, Observation]:
        """Return what every agent sees, and its legal actions."""
        seen: dict[str, Observation] = {}
        for agent in self.agents:
            row = np.zeros(self._play.kit.features, np.float32)
            mask = np.zeros(self.wait + 1, np.int8)
            seat = self._asked(agent)
            if seat >= 0:
                self._play.ask(seat, row, mask[: self.wait])
            else:
                self._play.look(self._seats[agent][0], row)
                mask[self.wait] = 1
            seen[agent] = {"observation": row, "action_mask": mask}
        self._masks = {agent: observed["action_mask"] for agent, observed in seen.items()}
        return seen

    def step(
        self, actions: Mapping[str, Any]
    ) -> tuple[dict[str, Observation], dict[str, float], dict[str, bool], dict[str, bool], dict[str, Any]]:
        """Play the actions of all agents; return observations, rewards, ends, False for each, and infos.

        Raises ``BadMove``, and changes nothing, if an agent has no action or, with ``illegal="error"``,
        one that is not in its mask.
        """
        if not self.agents:
            raise PaddockError(_("the game is over: call reset"))
        given = {agent: self._given(agent, actions) for agent in self.agents}
        illegal = [agent for agent in self.agents if not self._is_legal(agent, given[agent])]
        if illegal and self._raises:
            sentence = _("{action} is not a legal action of {agent} now")
            raise BadMove(sentence.format(action=quoted(actions[illegal[0]]), agent=illegal[0]))
        for agent in illegal:
            legal = np.flatnonzero(self._masks[agent])
            given[agent] = int(legal[self._lots.below(len(legal))])
        play, since = self._play, self._play.finished
        moves = {self._asked(agent): action for agent, action in given.items() if action != self.wait}
        for seat in sorted(moves):
            play.ask(seat)
            play.take(seat, moves[seat])
        over, paid = play.asked == OVER, [0.0] * self.options.players
        if play.finished > since:
            paid = rewards(self.options, play.rounds(), since, self._by_win)
        observed, infos, agents = self._observations(), self._infos(illegal), self.agents
        if over:
            self.agents = []
        return (
            observed,
            {agent: paid[self._players[agent]] for agent in agents},
            dict.fromkeys(agents, over),
            dict.fromkeys(agents, False),
            infos,
        )

    def _given(self, agent: str, actions: Mapping[str, Any]) -> int:
        """Return the action of an agent; raise ``BadMove`` if there is none."""
        if agent not in actions:
            sentence = _("{agent} has no action: every agent acts in every step, if only to wait: {wait}")
            raise BadMove(sentence.format(agent=agent, wait=self.wait))
        return action_number(actions[agent])

    def _is_legal(self, agent: str, action: int) -> bool:
        return 0 <= action <= self.wait and bool(self._masks[agent][action])

    def render(self) -> str | None:
        """Return the board with all hands: as text (``ansi``) or as a drawing (``svg``)."""
        if not self._next:
            raise PaddockError(_("there is no game yet: call reset"))
        return render(self._play.seen((1 << self.options.seats) - 1), self.render_mode)

    def close(self) -> None:
        """Do nothing: there is nothing to release."""
