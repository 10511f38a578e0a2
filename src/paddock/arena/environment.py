"""A text environment for one player: ``reset`` says what is to be decided, ``step`` takes an answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from secrets import randbits
from typing import Any

from paddock.arena.session import Session, check_tries
from paddock.arena.words import SHORT, legal_moves, rules
from paddock.bots import Bot, bot
from paddock.core.defaults import TRIES
from paddock.core.errors import BadOption, PaddockError, quoted
from paddock.core.game import Game
from paddock.core.i18n import _
from paddock.core.title import Title
from paddock.envs.arguments import player_number, read
from paddock.envs.rewards import rewards
from paddock.kernel.source import Seed, Seeded

Opponents = str | Mapping[int, str | Bot]
Info = dict[str, Any]


class TextGame:
    """One player of a series of games, in words. ``paddock.arena.text`` makes one.

    ``session`` is the game, with its forfeits and refused answers.
    """

    def __init__(
        self,
        title: Title | str,
        options: Mapping[str, Any] | None,
        player: int,
        opponents: Opponents,
        seed: Seed | None,
        tries: int,
        rules: str,
    ) -> None:
        self.title, self.options = read(title, options)
        self.player = player_number("player", self.title, self.options, player)
        self._bots = self._opponents(opponents)
        self._seed: Seed = randbits(62) if seed is None else seed
        self._tries, self._rules, self._games = check_tries(tries), rules, 0
        self.session: Session | None = None

    def _opponents(self, opponents: Any) -> dict[int, Bot]:
        """Return the bot of every other player; raise ``PaddockError``."""
        others = [player for player in range(self.options.players) if player != self.player]
        levels = dict.fromkeys(others, opponents) if isinstance(opponents, str) else opponents
        if not isinstance(levels, Mapping) or set(levels) != set(others):
            sentence = _("opponents={value}: give a level, or one for each of the players {players}")
            words = ", ".join(map(str, others))
            raise BadOption([sentence.format(value=quoted(opponents), players=words)])
        made = {level: bot(self.title, level) for level in levels.values() if isinstance(level, str)}
        return {p: made[level] if isinstance(level, str) else level for p, level in levels.items()}

    def reset(self, seed: Seed | None = None) -> str:
        """Begin a game; return the rules and what is to be decided.

        The first game has the chance of ``paddock.start(…, seed=seed)``, each other one has its own. Games in
        which the player has nothing to decide are left out.
        """
        if seed is not None:
            self._seed, self._games = seed, 0
        while True:
            sources = [
                Seeded(f"{self._seed} {self._games} player {player}")
                for player in range(self.options.players)
            ]
            game = Game(self.title, self.options, Seeded(self._seed, self._games))
            self.session, self._games = Session(game, self._bots, sources, self._tries), self._games + 1
            if self.session.waiting:
                break
        told = self._words()
        return f"{rules(self.title, self.options, self._rules)}\n{told}" if self._rules else told

    def step(self, answer: str | None) -> tuple[str, float, bool, Info]:
        """Take an answer; return what is said next, the reward, whether the series is over, and info.

        The reward is the points of the races that have ended in this step, over the mean of all players; 0
        for an answer that is refused, as None is. ``info`` has ``refused`` (why, or None),
        ``asked`` (the player's decisions up to now) and ``forfeits`` (those among them that chance made),
        ``legal`` (id, notation and label of each legal move), and at the end ``points`` and ``places`` by
        player. Raises ``PaddockError`` before ``reset``, and after the end.
        """
        session = self.session
        if session is None or session.game.over:
            raise PaddockError(_("there is no game yet, or it is over: call reset"))
        game, seat = session.game, session.waiting[0]
        since = len(game.rounds)
        refused = session.answer(seat, answer or "")
        reward = rewards(self.options, game.rounds, since, False)[self.player]
        info: Info = {
            "refused": None if refused is None else str(refused),
            "forfeits": len(session.forfeits),
            "asked": session.asked[self.player],
            "legal": [],
        }
        if session.waiting:
            now = session.waiting[0]
            info["legal"] = [asdict(move) for move in legal_moves(game.seen(self._eyes), now)]
        if game.over:
            lines = sorted(game.standings().players, key=lambda line: line.who)
            info |= {"points": [line.total for line in lines], "places": [line.rank for line in lines]}
        return self._words(), reward, game.over, info

    @property
    def _eyes(self) -> int:
        return self.options.eyes(self.player)

    def _words(self) -> str:
        """Return what the player is told now."""
        session = self.session
        assert session
        return session.words(
            session.waiting[0] if session.waiting else self.options.owners.index(self.player)
        )


def text(
    title: Title | str,
    options: Mapping[str, Any] | None = None,
    player: int = 0,
    opponents: Opponents = "club",
    seed: Seed | None = None,
    tries: int = TRIES,
    rules: str = SHORT,
) -> TextGame:
    """Return a text environment: see ``TextGame``.

    ``opponents`` is a level, or a level or bot for each other player by their number. Without a ``seed``,
    games are random. After ``tries`` refused answers, a decision is forfeited: a random legal move is played.
    ``rules`` are those that ``reset`` says first: ``short``, ``whole``, or none if empty.

    Raises ``PaddockError`` if an argument is wrong.

        >>> import paddock.arena
        >>> env = paddock.arena.text("rasant", {"players": 2}, player=1, seed=3)
        >>> print(env.reset().splitlines()[-1])
        Answer with one move as it stands before the colon, or end with a line “move: b60”.
        >>> words, reward, done, info = env.step("move: r60")
        >>> info["refused"]
        'RA-2.2 the hand holds no red 60'
    """
    return TextGame(title, options, player, opponents, seed, tries, rules)
