"""The games of one deal, played in one process."""

from __future__ import annotations

from time import perf_counter
from typing import Any, Self

from paddock.core.game import Game
from paddock.core.log import Entry
from paddock.core.series import RoundResult
from paddock.core.source import weighted
from paddock.core.title import Seen, seats_of
from paddock.core.words import CHANCE
from paddock.kernel.chance import SEEDS
from paddock.kernel.source import Seeded
from paddock.lab.compiled import Compiled, parts_of
from paddock.lab.luck import Luck
from paddock.lab.plan import Plan
from paddock.lab.players import Failed, LabPlayer, make_player
from paddock.lab.rows import GameRow, after_forfeits, final
from paddock.records import write

BOT = "bot"  # what the records of matches call every player's level
PLAIN_SECONDS = 2.0  # of play before it pays off to load the compiled rules


class BotTeam:
    """The bots of one process by their index in the line-up, made when they are needed.

    Equal levels and objects share one, as they have no memory; programs do not. ``compiled`` plays all of
    them once it is loaded.
    """

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._players: dict[tuple[int, int], LabPlayer] = {}
        self.compiled: Compiled | None = None
        self._parts = None if plan.luck or plan.record_date else parts_of(plan)
        self._plain_seconds = 0.0

    def _key(self, k: int) -> tuple[int, int]:
        entrant = self._plan.line_up[k]
        return entrant, k if self._plan.entrants[entrant].command else 0

    def player(self, k: int) -> LabPlayer:
        """Return the bot; raise ``Failed`` if it cannot start."""
        key = self._key(k)
        if key not in self._players:
            self._players[key] = make_player(self._plan, self._plan.entrants[key[0]])
        return self._players[key]

    def drop(self, k: int) -> None:
        """Close a bot that failed; a new one plays on."""
        if failed := self._players.pop(self._key(k), None):
            failed.close()

    def played(self, rows: list[GameRow], seconds: float) -> None:
        """Note a deal that was played in plain mode, and load the compiled rules if it is time."""
        self._plain_seconds += seconds
        if self._parts is not None and self._plain_seconds >= PLAIN_SECONDS:
            compiled = Compiled(self._plan, self._parts)
            if compiled.play(rows[0].deal) == rows:  # not if a bot states ``thirds``, but plays otherwise
                self.compiled = compiled
            self._parts = None

    def __call__(self, deals: range) -> list[list[GameRow]]:
        """Play deals, and return the games of each."""
        return [play_deal(self._plan, deal, self) for deal in deals]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for player in self._players.values():
            player.close()


def play_deal(plan: Plan, deal: int, team: BotTeam) -> list[GameRow]:
    """Play a deal once for each rotation of the players."""
    if team.compiled:
        return team.compiled.play(deal)
    began = perf_counter()
    rows = [_Game(plan, deal, rotation, team).play() for rotation in range(len(plan.line_up))]
    team.played(rows, perf_counter() - began)
    return rows


class _Game:
    """One game: a whole series if the options say so."""

    def __init__(self, plan: Plan, deal: int, rotation: int, team: BotTeam) -> None:
        self.plan, self.deal, self.rotation, self.team = plan, deal, rotation, team
        self.seated = plan.seatings(deal)[rotation]
        self.players = range(len(self.seated))
        self.sources = [plan.source(deal, rotation, player) for player in self.players]
        self.forfeits = [""] * len(self.seated)
        self.names = plan.title.usual_names(len(self.seated))  # bots do not know their rivals
        self.rounds: list[RoundResult] = []
        self.luck = Luck(plan, deal, rotation) if plan.luck else None
        self.dealt = False  # whether somebody has decided something
        self.log: list[Entry] | None = [] if plan.record_date else None

    def play(self) -> GameRow:
        """Play to the end."""
        for player in self.players:
            try:
                seed = self.sources[player].below(SEEDS)
                self.team.player(self.seated[player]).begin(player, seed)
            except Failed as failed:
                self._forfeit(player, failed)
        title, options = self.plan.title, self.plan.options
        setup, state = title.setup_of(options), title.rules.State()
        title.rules.start(state, setup)
        while True:
            self._round(state, setup, self.plan.chance(self.deal, len(self.rounds)))
            if len(self.rounds) == options.rounds:
                return self._finish()
            title.again(state, setup)

    def _round(self, s: Any, g: Any, chance: Seeded) -> None:
        """Play a round from its start to its end, and keep its result."""
        rules, seats = self.plan.title.rules, self.plan.options.seats
        while waiting := rules.who(s, g):
            if waiting >> CHANCE:
                before = s.copy() if self.luck and self.dealt else None
                if self.log is None:
                    rules.run_chance(s, g, chance.rng)
                else:  # the same outcomes, one by one
                    self._apply(s, g, CHANCE, weighted(chance, self.plan.title.outcomes(s, g)))
                if self.luck and before is not None:
                    self.luck.drew(before, s)
                continue
            self.dealt = True
            for seat, move in [(seat, self._choose(s, g, seat)) for seat in seats_of(waiting)]:
                self._apply(s, g, seat, move)
        scores, places = self.plan.title.results(s, g)
        self.rounds.append(RoundResult(tuple(scores[:seats]), tuple(places[:seats])))

    def _apply(self, s: Any, g: Any, by: int, what: int) -> None:
        """Apply a move or an outcome, and note it if the match keeps records."""
        self.plan.title.rules.apply(s, g, by, what)
        if self.log is not None:
            self.log.append(Entry(by, what))

    def _choose(self, s: Any, g: Any, seat: int) -> int:
        """Ask the bot of a seat. After a forfeit, its moves are random."""
        title, options = self.plan.title, self.plan.options
        player = options.owners[seat]
        eyes, hidden = options.eyes(player), s.copy()
        title.rules.hide(hidden, g, eyes)
        seen = Seen(title, options, g, hidden, eyes, tuple(self.rounds), self.names)
        legal, source = seen.legal(seat), self.sources[player]
        if not self.forfeits[player]:
            try:
                return self.team.player(self.seated[player]).choose(seen, seat, legal, source)
            except Failed as failed:
                self._forfeit(player, failed)
        return legal[source.below(len(legal))]

    def _forfeit(self, player: int, failed: Failed) -> None:
        self.forfeits[player] = failed.reason
        self.team.drop(self.seated[player])

    def _finish(self) -> GameRow:
        """Tell the bots how the game ended; return its row."""
        points, places = after_forfeits(*final(self.plan.options, self.rounds), self.forfeits)
        for player in self.players:
            if not self.forfeits[player]:
                try:
                    self.team.player(self.seated[player]).end(points[player], places[player])
                except Failed:  # the game is over: it only needs a new process for the next one
                    self.team.drop(self.seated[player])
        bots = tuple(self.plan.line_up[k] for k in self.seated)
        luck = self.luck.by_player if self.luck else ()
        return GameRow(
            self.deal, self.rotation, bots, points, places, tuple(self.forfeits), luck, self._record()
        )

    def _record(self) -> str:
        """Return the record of the game, empty if the match keeps none."""
        if self.log is None:
            return ""
        labels = [self.plan.entrants[self.plan.line_up[k]].label for k in self.seated]
        game = Game(self.plan.title, self.plan.options)
        for entry in self.log:
            game.log.append(entry)  # ``write`` plays and checks them: no need to do it twice
        return write(game, date=self.plan.record_date, players=[(label, BOT) for label in labels])
