"""A game that is played by words: some players are bots, the others answer from outside.

Where several seats decide at the same time, all choose before any move is played, so nobody's answer tells
the others anything.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from paddock.arena.words import answered, describe, legal_moves
from paddock.bots import Bot
from paddock.core.defaults import TRIES
from paddock.core.errors import BadMove, BadOption, PaddockError, brief, whole
from paddock.core.game import ChanceSource, Game
from paddock.core.i18n import _, plural
from paddock.core.title import Seen
from paddock.lab.players import Failed

ILLEGAL = "illegal"  # how the reason of a forfeit after so many refused answers begins


@dataclass(frozen=True)
class Forfeit:
    """A decision that a player did not make: chance made it. ``entry`` is its index in the log."""

    entry: int
    player: int
    reason: str  # «illegal: …», «slow» or «crash: …»


@dataclass(frozen=True)
class RefusedAnswer:
    """An answer that was refused, and why. ``entry`` is the length of the log at that moment."""

    entry: int
    player: int
    answer: str  # its beginning
    reason: str  # with the clause, if a rule forbids it


def check_tries(tries: int) -> int:
    """Return the number of answers to one decision; raise ``BadOption``."""
    number = whole(tries)
    if number is None or not 1 <= number <= 100:
        raise BadOption([_("tries={tries}: give a whole number from 1 to 100").format(tries=tries)])
    return number


class Session:
    """A game with some players outside.

    ``bots`` are those that play inside, by player. ``sources`` has the random numbers of every player: those
    of a bot, and those of the random moves that are played for who forfeits a decision. The game must have a
    chance source.
    """

    def __init__(
        self, game: Game, bots: Mapping[int, Bot], sources: Sequence[ChanceSource], tries: int = TRIES
    ) -> None:
        self.game, self.tries = game, check_tries(tries)
        self.forfeits, self.refused = list[Forfeit](), list[RefusedAnswer]()
        self.asked = [0] * game.options.players  # decisions of each player, forfeited ones included
        self._bots, self._sources = bots, sources
        self._chosen = dict[int, tuple[int, ...]]()  # by seat, until all have chosen
        self._given_up = dict[int, str]()  # why a seat forfeits the decision that is open
        self._refusals = dict[int, list[str]]()  # of the open decision, by seat
        self._since = [0] * game.options.seats  # the length of the log before the seat's last choice
        self._go_on()

    @property
    def waiting(self) -> tuple[int, ...]:
        """The seats whose players are outside and must answer now."""
        return tuple(
            seat
            for seat in self.game.deciders
            if self.game.options.owners[seat] not in self._bots and seat not in self._chosen
        )

    def words(self, seat: int) -> str:
        """Return what the player of a seat is told now: the refusal of their last answer, or the position,
        and at the end the result."""
        game = self.game
        seen = self._seen(seat)
        if game.over:
            story = game.story_for(seen.eyes, self._since[seat])
            return "\n".join([describe(seen, seat, story), "", *self.result()])
        if refusals := self._refusals.get(seat):
            moves = ", ".join(move.notation for move in legal_moves(seen, seat))
            return "\n".join([
                _("This was refused: {reason}").format(reason=refusals[-1]),
                _("Tries left: {n}").format(n=self.tries - len(refusals)),
                _("Your legal moves: {moves}").format(moves=moves),
            ])  # fmt: skip
        said = describe(seen, seat, game.story_for(seen.eyes, self._since[seat]))
        player = game.options.owners[seat]
        if any(f.player == player and f.entry >= self._since[seat] for f in self.forfeits):
            said = _("You have forfeited a decision: a random move was played for you.") + "\n\n" + said
        if seat in self._chosen:
            said += "\n\n" + _("You have chosen; the others have not yet.")
        return said

    def _seen(self, seat: int) -> Seen:
        """Return what the player of a seat knows: of choices that are not played yet, its own."""
        options = self.game.options
        player = options.owners[seat]
        own = {s: moves[0] for s, moves in self._chosen.items() if options.owners[s] == player}
        return self.game.seen(options.eyes(player), own)

    def result(self) -> list[str]:
        """Return the final standings in words, the first player first."""
        lines = self.game.standings().players
        return [
            plural(
                "Place {place}: {name}, {n} point",
                "Place {place}: {name}, {n} points",
                line.total,
                place=str(line.rank or "–"),
                name=self.game.names[line.who],
            )
            for line in lines
        ]

    def answer(self, seat: int, answer: str) -> PaddockError | None:
        """Take the answer of a player outside; return why it is refused, or None.

        The last of ``tries`` that is refused forfeits the decision. Raises ``BadMove`` for a seat that is not
        asked.
        """
        if seat not in self.waiting:
            raise BadMove(_("there is nothing to decide now"))
        game = self.game
        player = game.options.owners[seat]
        try:
            moves = answered(self._seen(seat), seat, answer)
        except PaddockError as error:
            self._refusals.setdefault(seat, []).append(str(error))
            self.refused.append(RefusedAnswer(len(game.log), player, brief(answer, 200), str(error)))
            if len(self._refusals[seat]) == self.tries:
                self.forfeit(seat, f"{ILLEGAL}: {error}")
            return error
        self._choose(seat, moves)
        return None

    def forfeit(self, seat: int, reason: str) -> None:
        """Let chance decide for a seat of a player outside, who cannot."""
        self._give_up(seat, reason)
        self._go_on()

    def _give_up(self, seat: int, reason: str) -> None:
        self._given_up[seat] = reason
        legal = self.game.legal(seat).ids
        self._note(seat, (legal[self._sources[self.game.options.owners[seat]].below(len(legal))],))

    def _choose(self, seat: int, moves: tuple[int, ...]) -> None:
        self._note(seat, moves)
        self._go_on()

    def _note(self, seat: int, moves: tuple[int, ...]) -> None:
        self._chosen[seat] = moves
        self._refusals.pop(seat, None)
        self._since[seat] = len(self.game.log)
        self.asked[self.game.options.owners[seat]] += 1

    def _go_on(self) -> None:
        """Let the bots choose and play all choices, until somebody outside must answer, or to the end."""
        game = self.game
        while not game.over and not self.waiting:
            for seat in game.deciders:
                if seat not in self._chosen:
                    self._ask_bot(seat)
            chosen, self._chosen = self._chosen, {}
            for seat in sorted(chosen):
                if seat in self._given_up:
                    player = game.options.owners[seat]
                    self.forfeits.append(Forfeit(len(game.log), player, self._given_up.pop(seat)))
                game.play(seat, chosen[seat])

    def _ask_bot(self, seat: int) -> None:
        player = self.game.options.owners[seat]
        seen = self.game.seen(self.game.options.eyes(player))
        try:
            move = self._bots[player].choose(seen, seat, seen.legal(seat), self._sources[player])
        except Failed as failed:
            self._give_up(seat, failed.reason)
        else:
            self._note(seat, (move,))
