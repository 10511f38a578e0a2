"""The players of an arena: bots that the laboratory knows, and programs that read words and write a line."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from paddock.core.game import ChanceSource
from paddock.core.title import Seen
from paddock.lab.plan import Entrant, Plan
from paddock.lab.players import Failed, LabPlayer, Talk, make_player

ASKED, OVER = "move?", "over"  # the lines that end what a program is told
FAILURES = 3  # crashes and late answers in a game
LONGEST = 20_000  # bytes of a line that a program writes


class _Agent:
    """Counts how often an agent has failed in a game. After ``FAILURES``, it is not asked again in it."""

    _failed: list[Failed]

    def begin(self, player: int, seed: int) -> None:
        """Note that a game begins."""
        self._failed = []

    def _check(self) -> None:
        """Raise the last failure if there were too many."""
        if len(self._failed) >= FAILURES:
            raise self._failed[-1]

    def _note(self, failed: Failed) -> None:
        self._failed.append(failed)
        self.close()

    def close(self) -> None:
        """Stop its process, if it has one."""


class BotAgent(_Agent):
    """A bot of the laboratory: a level, a program with the line protocol, or an object.

    After it has failed, it is made anew for its next decision.
    """

    def __init__(self, plan: Plan, entrant: Entrant) -> None:
        self._plan, self._entrant = plan, entrant
        self._player: LabPlayer | None = None
        self._game = (0, 0)

    def begin(self, player: int, seed: int) -> None:
        """Note the player and the seed of a game, for the bot that plays it."""
        super().begin(player, seed)
        self._game = player, seed
        if self._player:
            try:
                self._player.begin(player, seed)
            except Failed as failed:
                self._note(failed)

    def choose(self, seen: Seen, seat: int, legal: Sequence[int], rng: ChanceSource) -> int:
        """Return the bot's move; raise ``Failed``."""
        self._check()
        try:
            if self._player is None:
                self._player = make_player(self._plan, self._entrant)
                self._player.begin(*self._game)
            return self._player.choose(seen, seat, legal, rng)
        except Failed as failed:
            self._note(failed)
            raise

    def end(self, points: int, place: int) -> None:
        """Tell the bot its result."""
        try:
            if self._player:
                self._player.end(points, place)
        except Failed:  # the game is over: it only needs a new process for the next one
            self.close()

    def close(self) -> None:
        if self._player:
            self._player.close()
        self._player = None


class WordsAgent(_Agent):
    """A program that reads words from its standard input and writes a line for each decision.

    What it is told ends with the line ``move?``; after the end of a game, with ``over``, and no answer is
    read. It is started for its first decision, and anew for the next one after it has failed.
    """

    def __init__(self, plan: Plan, entrant: Entrant) -> None:
        self._seconds, self._command = plan.seconds, entrant.command
        self._talk: Talk | None = None

    def ask(self, words: str, last: str = ASKED) -> str:
        """Tell the program something, and return its line if it is asked for a move; raise ``Failed``."""
        self._check()
        try:
            self._talk = self._talk or Talk(self._command, LONGEST)
            return self._talk.ask(f"{words}\n{last}\n".encode(), self._seconds, answer=last == ASKED)
        except Failed as failed:
            self._note(failed)
            raise

    def end(self, words: str) -> None:
        """Tell the program how the game ended, if it runs."""
        if self._talk:
            with suppress(Failed):  # the game is over: it only needs a new process for the next one
                self.ask(words, OVER)

    def close(self) -> None:
        if self._talk:
            self._talk.close()
        self._talk = None
