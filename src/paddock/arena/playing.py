"""The games of one deal of an arena, played and judged in one process."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Self

from paddock import records
from paddock.arena.agents import BotAgent, WordsAgent
from paddock.arena.cost import Costs, decision_costs
from paddock.arena.session import Forfeit, RefusedAnswer, Session
from paddock.arena.words import rules
from paddock.core.game import Game
from paddock.core.source import weighted
from paddock.kernel.chance import SEEDS
from paddock.lab.plan import Plan
from paddock.lab.players import Failed
from paddock.lab.rows import final
from paddock.records.form import LEVEL


@dataclass(frozen=True)
class ArenaGame:
    """One game, by player. Points and places are those of the game as it was played, forfeits or not."""

    deal: int
    rotation: int
    bots: tuple[int, ...]  # indices of ``Plan.entrants``
    points: tuple[int, ...]
    places: tuple[int, ...]  # 0: none
    asked: tuple[int, ...]  # decisions, forfeited ones included
    forfeits: tuple[Forfeit, ...]
    refused: tuple[RefusedAnswer, ...]
    judged: Costs
    record: str


class DealChance:
    """The chance of a deal: each round has the stream that ``paddock.match`` gives it."""

    def __init__(self, plan: Plan, deal: int) -> None:
        self._plan, self._deal, self._round = plan, deal, 0
        self._chance = plan.chance(deal, 0)

    def pick(self, game: Game, weights: Mapping[int, int]) -> int:
        """Return an outcome, drawn by weight."""
        if len(game.rounds) != self._round:
            self._round = len(game.rounds)
            self._chance = self._plan.chance(self._deal, self._round)
        return weighted(self._chance, weights)

    def below(self, n: int) -> int:
        """Return a uniformly random integer from 0 to n−1."""
        return self._chance.below(n)


class ArenaTeam:
    """The agents of one process, made when they are needed; it plays deals, and judges their decisions in so
    many ``worlds``, or not at all."""

    def __init__(self, plan: Plan, tries: int, worlds: int, date: str) -> None:
        self._plan, self._tries, self._worlds, self._date = plan, tries, worlds, date
        self._agents = [
            (WordsAgent if plan.entrants[k].words else BotAgent)(plan, plan.entrants[k]) for k in plan.line_up
        ]

    def __call__(self, deals: range) -> list[list[ArenaGame]]:
        """Play deals, and return the games of each."""
        return [[self._play(deal, k) for k in range(len(self._agents))] for deal in deals]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for agent in self._agents:
            agent.close()

    def _play(self, deal: int, rotation: int) -> ArenaGame:
        """Play a game to its end, and judge it."""
        plan = self._plan
        seated = plan.seatings(deal)[rotation]
        sources = [plan.source(deal, rotation, player) for player in range(len(seated))]
        bots = dict[int, BotAgent]()
        for player, k in enumerate(seated):
            agent = self._agents[k]
            agent.begin(player, sources[player].below(SEEDS))
            if isinstance(agent, BotAgent):
                bots[player] = agent
        game = Game(plan.title, plan.options, DealChance(plan, deal))
        session = Session(game, bots, sources, self._tries)
        self._ask_all(session, seated)
        points, places = final(plan.options, game.rounds)
        for player, k in enumerate(seated):
            agent = self._agents[k]
            if isinstance(agent, BotAgent):
                agent.end(points[player], places[player])
            else:
                agent.end(session.words(plan.options.owners.index(player)))
        forfeited = {forfeit.entry for forfeit in session.forfeits}
        judged = decision_costs(game, self._worlds, f"{plan.seed} {deal} {rotation}", forfeited)
        return ArenaGame(
            deal,
            rotation,
            tuple(plan.line_up[k] for k in seated),
            points,
            places,
            tuple(session.asked),
            tuple(session.forfeits),
            tuple(session.refused),
            judged,
            self._record(game, seated),
        )

    def _ask_all(self, session: Session, seated: list[int]) -> None:
        """Ask the programs that read words until the game is over. Each is told the rules once a game."""
        plan, told = self._plan, set[int]()
        while waiting := session.waiting:
            player = plan.options.owners[waiting[0]]
            agent = self._agents[seated[player]]
            assert isinstance(agent, WordsAgent)
            words = session.words(waiting[0])
            if player not in told:
                told.add(player)
                words = f"{rules(plan.title, plan.options)}\n{words}"
            try:
                answer = agent.ask(words)
            except Failed as failed:
                session.forfeit(waiting[0], failed.reason)
            else:
                session.answer(waiting[0], answer)

    def _record(self, game: Game, seated: list[int]) -> str:
        """Return the record of a game, with the agents' names."""
        entrants = [self._plan.entrants[self._plan.line_up[k]] for k in seated]
        levels = [entrant.level if re.fullmatch(LEVEL, entrant.level) else None for entrant in entrants]
        names = [entrant.label for entrant in entrants]
        return records.write(game, date=self._date, players=list(zip(names, levels, strict=True)))
