"""The games of one deal, played in one process."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

from paddock.core.series import RoundResult, standings
from paddock.core.title import Seen, seats_of
from paddock.core.words import CHANCE
from paddock.kernel.source import Seeded
from paddock.lab.plan import Plan
from paddock.lab.players import Failed, Player, make_player


@dataclass(frozen=True)
class Row:
    """The result of one game, by player. ``lost`` is the reason of a bot that lost by the rule, or empty."""

    deal: int
    rotation: int
    bots: tuple[int, ...]  # indices of ``Plan.entrants``
    points: tuple[int, ...]
    places: tuple[int, ...]  # 0: none
    lost: tuple[str, ...]


class Team:
    """The bots of one process by their index in the line-up, made when they are needed.

    Equal levels and objects share one, as they have no memory; programs do not.
    """

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._players: dict[tuple[int, int], Player] = {}

    def _key(self, k: int) -> tuple[int, int]:
        entrant = self._plan.line_up[k]
        return entrant, k if self._plan.entrants[entrant].command else 0

    def player(self, k: int) -> Player:
        """Return the bot; raise ``Failed`` if it cannot start."""
        key = self._key(k)
        if key not in self._players:
            self._players[key] = make_player(self._plan, self._plan.entrants[key[0]])
        return self._players[key]

    def drop(self, k: int) -> None:
        """Close a bot that failed; a new one plays on."""
        if failed := self._players.pop(self._key(k), None):
            failed.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for player in self._players.values():
            player.close()


def play_deal(plan: Plan, deal: int, team: Team) -> list[Row]:
    """Play a deal once for each rotation of the players."""
    return [_Game(plan, deal, rotation, team).play() for rotation in range(len(plan.line_up))]


class _Game:
    """One game: a whole series if the options say so."""

    def __init__(self, plan: Plan, deal: int, rotation: int, team: Team) -> None:
        self.plan, self.deal, self.rotation, self.team = plan, deal, rotation, team
        self.seated = plan.seating(deal, rotation)
        self.players = range(len(self.seated))
        self.sources = [plan.source(deal, rotation, player) for player in self.players]
        self.lost = [""] * len(self.seated)
        word = plan.title.player_name.capitalize()
        self.names = tuple(f"{word} {player + 1}" for player in self.players)  # bots do not know their rivals
        self.rounds: list[RoundResult] = []

    def play(self) -> Row:
        """Play to the end."""
        for player in self.players:
            try:
                seed = self.sources[player].below(2**31 - 1)
                self.team.player(self.seated[player]).begin(player, seed)
            except Failed as failed:
                self._lose(player, failed)
        title, options = self.plan.title, self.plan.options
        setup, state = title.setup_of(options), title.rules.State()
        title.rules.start(state, setup)
        while True:
            self._round(state, setup, self.plan.chance(self.deal, len(self.rounds)))
            if len(self.rounds) == options.rounds:
                return self._result()
            title.again(state, setup)

    def _round(self, s: Any, g: Any, chance: Seeded) -> None:
        rules, seats = self.plan.title.rules, self.plan.options.seats
        while waiting := rules.who(s, g):
            if waiting >> CHANCE:
                rules.run_chance(s, g, chance.rng)
                continue
            for seat, move in [(seat, self._choose(s, g, seat)) for seat in seats_of(waiting)]:
                rules.apply(s, g, seat, move)
        scores, places = [0] * rules.MAX_SEATS, [0] * rules.MAX_SEATS
        rules.scores(s, g, scores)
        rules.places(s, g, places)
        self.rounds.append(RoundResult(tuple(scores[:seats]), tuple(places[:seats])))

    def _choose(self, s: Any, g: Any, seat: int) -> int:
        """Ask the bot of a seat. After it has lost, its moves are random."""
        title, options = self.plan.title, self.plan.options
        player = options.owners[seat]
        eyes, hidden = options.eyes(player), s.copy()
        title.rules.hide(hidden, g, eyes)
        seen = Seen(title, options, g, hidden, eyes, tuple(self.rounds), self.names)
        legal, source = seen.legal(seat), self.sources[player]
        if not self.lost[player]:
            try:
                return self.team.player(self.seated[player]).choose(seen, seat, legal, source)
            except Failed as failed:
                self._lose(player, failed)
        return legal[source.below(len(legal))]

    def _lose(self, player: int, failed: Failed) -> None:
        self.lost[player] = failed.reason
        self.team.drop(self.seated[player])

    def _result(self) -> Row:
        points, places = [0] * len(self.seated), [0] * len(self.seated)
        for line in standings(self.plan.options, self.rounds).players:
            points[line.who], places[line.who] = line.total, line.rank
        points, places = last(points, places, self.lost)
        for player in self.players:
            if not self.lost[player]:
                try:
                    self.team.player(self.seated[player]).end(points[player], places[player])
                except Failed:  # the game is over: it only needs a new process for the next one
                    self.team.drop(self.seated[player])
        bots = tuple(self.plan.line_up[k] for k in self.seated)
        return Row(self.deal, self.rotation, bots, tuple(points), tuple(places), tuple(self.lost))


def last(points: Sequence[int], places: Sequence[int], lost: Sequence[str]) -> tuple[list[int], list[int]]:
    """Return points and places where the players in ``lost`` come last.

    They share the last place and get the lowest points of the game. Those behind them move up; their
    points stay.
    """
    low, ahead = min(points), [p for p, reason in zip(places, lost, strict=True) if p and not reason]
    return (
        [low if reason else own for own, reason in zip(points, lost, strict=True)],
        [
            len(places) if reason else p and 1 + sum(other < p for other in ahead)
            for p, reason in zip(places, lost, strict=True)
        ],
    )
