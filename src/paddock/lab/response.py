"""The best response to a bot in an endgame: what an opponent gains that knows how the bot plays.

A bot may lose nothing against a perfect opponent, who does not care who it is, and yet be easy to beat for
somebody who knows it: for example if it does not mix its moves.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import numpy as np

from paddock.bots import Bot
from paddock.core.words import CHANCE
from paddock.kernel.record import PlainRecord
from paddock.kernel.source import Seeded
from paddock.lab.endgame import Endgame

Mix = dict[int | None, float]  # the share of each move of the bot; None if it has nothing to decide


class Response:
    """The best response of one seat to a bot on the other.

    The bot has no memory, so its play is a mix of moves in each position. It is asked ``asks`` times in every
    one that it may come to. The response is the best one to these answers, and is judged by as many new ones:
    by the same ones, it would look better than it is against a bot that plays at random. So on average
    ``gain`` is at most what a best response gains, and exactly that if the bot always plays the same moves.
    """

    def __init__(self, endgame: Endgame, bot: Bot, seat: int, rng: Seeded, asks: int = 1) -> None:
        self._endgame, self._bot, self._seat, self._rng, self._asks = endgame, bot, seat, rng, asks
        self._best: dict[bytes, tuple[float, int | None]] = {}
        self._judged: dict[bytes, float] = {}

    def gain(self, s: PlainRecord) -> float:
        """Return how much less the bot wins than a perfect player in its place: a share of a win."""
        value = self._endgame.value(s)
        return (value if self._seat == 0 else 1 - value) - self._gain_of_answers(s)

    def best(self, s: PlainRecord) -> tuple[float, int | None]:
        """Return what the bot wins against the best response to its first answers, and its next move."""
        key = s.present()
        if key not in self._best:
            self._best[key] = self._answer(s)
        return self._best[key]

    def _answer(self, s: PlainRecord) -> tuple[float, int | None]:
        """Return the value of the best answer to the bot, and the answer; at the end, the result and None."""
        if self._is_over(s):
            return self._result(s), None
        mix, replies = self._bot_mix(s), self._endgame.moves(s, 1 - self._seat)
        values = [self._mean(s, mix, reply, lambda after: self.best(after)[0]) for reply in replies]
        best_answer = int(np.argmin(values))
        return values[best_answer], replies[best_answer]

    def _gain_of_answers(self, s: PlainRecord) -> float:
        """Return what the bot wins against that response by its new answers."""
        key = s.present()
        if key not in self._judged:
            if self._is_over(s):
                self._judged[key] = self._result(s)
            else:
                self._judged[key] = self._mean(s, self._bot_mix(s), self.best(s)[1], self._gain_of_answers)
        return self._judged[key]

    def _mean(
        self, s: PlainRecord, mix: Mix, reply: int | None, value: Callable[[PlainRecord], float]
    ) -> float:
        """Return the mean of ``value`` after a reply to each move of the bot."""
        total = 0.0
        for move, share in mix.items():
            after = self._endgame.played(s, {self._seat: move, 1 - self._seat: reply})
            total += share * self._after_chance(after, value)
        return total

    def _after_chance(self, s: PlainRecord, value: Callable[[PlainRecord], float]) -> float:
        if not self._endgame.title.rules.who(s, self._endgame.setup) >> CHANCE:
            return value(s)
        states, weights = zip(*self._endgame.drawn(s), strict=True)
        return float(np.average([self._after_chance(state, value) for state in states], weights=weights))

    def _bot_mix(self, s: PlainRecord) -> Mix:
        """Ask the bot for its moves."""
        legal = self._endgame.moves(s, self._seat)
        if len(legal) == 1:
            return {legal[0]: 1.0}
        asked = Counter(self._endgame.ask(s, self._bot, self._seat, self._rng) for _n in range(self._asks))
        return {move: n / self._asks for move, n in asked.items()}

    def _is_over(self, s: PlainRecord) -> bool:
        return not self._endgame.title.rules.who(s, self._endgame.setup)

    def _result(self, s: PlainRecord) -> float:
        share = self._endgame.share(s)
        return share if self._seat == 0 else 1 - share
