"""The arena as a server of the Model Context Protocol: a language model starts games and plays by words.

Whoever starts a game gets a key for each of its own players, and may hand them to others. A key shows what
its player sees, and nothing else.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from functools import wraps
from threading import Lock
from typing import Any, ParamSpec, TypeVar

from paddock.arena.session import Session, check_tries
from paddock.arena.words import SHORT, legal_moves, rules
from paddock.bots import bot
from paddock.core.defaults import TRIES
from paddock.core.errors import BadOption, PaddockError, brief
from paddock.core.extras import need
from paddock.core.game import ChanceSource, Game
from paddock.core.i18n import _
from paddock.core.source import System
from paddock.core.title import Title, title
from paddock.kernel.source import Seeded

ME = "me"  # a player of whoever starts the game
MOST = 100  # games that are kept: then those that are over go, the oldest first

P = ParamSpec("P")
T = TypeVar("T")


class Hall:
    """The games of a server, by the keys of their players.

    Without a ``seed``, chance comes from the operating system. Each method raises ``PaddockError`` with what
    to do instead.
    """

    def __init__(self, titles: Sequence[Title], seed: int | None = None, tries: int = TRIES) -> None:
        self._titles = {title.name: title for title in titles}
        self._seed, self._tries, self._started = seed, check_tries(tries), 0
        self._players = dict[str, tuple[Session, int]]()  # game and player by key

    def new_game(self, name: str, options: Mapping[str, Any], players: Sequence[str]) -> str:
        """Start a game; return the key of each player that is ``me``. No ``players``: me and *Clubs*.

        The others are levels. Whoever plays is told nothing of the server's files: no ``net:FILE`` plays.
        """
        found_title = self._title(name)
        count, values = found_title.players_option, {**found_title.one_round, **options}
        if players:
            values.setdefault(count, len(players))
        read = found_title.options.read(values)
        seats = list(players) or [ME, *["club"] * (read.players - 1)]
        if len(seats) != read.players or ME not in seats or any(":" in level for level in seats):
            sentence = _("players: name {n}, each a level or “me”, and at least one “me”")
            raise BadOption([sentence.format(n=read.players)])
        bots = {i: bot(found_title, level) for i, level in enumerate(seats) if level != ME}
        self._make_room()
        self._started += 1
        game = Game(found_title, read, self._source("chance"))
        sources = [self._source(f"player {player}") for player in range(read.players)]
        session = Session(game, bots, sources, self._tries)
        keys = {player: secrets.token_urlsafe(12) for player, level in enumerate(seats) if level == ME}
        self._players |= {key: (session, player) for player, key in keys.items()}
        lines = [_("{name}: key {key}").format(name=game.names[p], key=key) for p, key in keys.items()]
        return "\n".join([_("The game has begun. Give a key to look, legal, play and result."), *lines])

    def look(self, key: str) -> str:
        """Return what a player sees, what has happened, and what it may play."""
        session, player = self._at(key)
        return session.words(_seat(session, player))

    def legal(self, key: str) -> list[dict[str, Any]]:
        """Return the legal moves of a player: id, notation and label; none if it has nothing to decide."""
        session, player = self._at(key)
        seat = _seat(session, player)
        if seat not in session.waiting:
            return []
        seen = session.game.seen(session.game.options.eyes(player))
        return [asdict(move) for move in legal_moves(seen, seat)]

    def play(self, key: str, move: str) -> str:
        """Play a move in notation; return what comes next, or why it is refused, with the clause."""
        session, player = self._at(key)
        seat = _seat(session, player)
        session.answer(seat, move)
        return session.words(_seat(session, player))

    def result(self, key: str) -> str:
        """Return the final standings, and how many decisions the player has forfeited."""
        session, player = self._at(key)
        if not session.game.over:
            return _("The game is not over.")
        forfeits = sum(forfeit.player == player for forfeit in session.forfeits)
        sentence = _("Forfeited decisions: {n} of {all}").format(n=forfeits, all=session.asked[player])
        return "\n".join([*session.result(), sentence])

    def rules(self, name: str, part: str) -> str:
        """Return the rules of a title: ``short``, ``whole``, or a chapter or clause."""
        found_title = self._title(name)
        return rules(found_title, found_title.options.read({}), part)

    def _title(self, name: str) -> Title:
        if name not in self._titles:
            sentence = _("there is no title “{name}” here: choose one of {titles}")
            raise PaddockError(sentence.format(name=brief(name), titles=", ".join(self._titles)))
        return self._titles[name]

    def _at(self, key: str) -> tuple[Session, int]:
        if key not in self._players:
            raise PaddockError(_("no player has this key: new_game returns the keys of a game"))
        return self._players[key]

    def _source(self, of: str) -> ChanceSource:
        return System() if self._seed is None else Seeded(f"{self._seed} {self._started} {of}")

    def _make_room(self) -> None:
        """Forget the oldest game that is over, if there are too many; raise ``PaddockError`` if none is."""
        sessions = list(dict.fromkeys(session for session, _player in self._players.values()))
        if len(sessions) >= MOST:
            over = next((session for session in sessions if session.game.over), None)
            if over is None:
                raise PaddockError(_("{n} games are open: play one to its end first").format(n=MOST))
            self._players = {key: at for key, at in self._players.items() if at[0] is not over}


def _seat(session: Session, player: int) -> int:
    """Return the seat of a player that must decide, else the first one."""
    seats = [seat for seat, owner in enumerate(session.game.options.owners) if owner == player]
    return next((seat for seat in seats if seat in session.waiting), seats[0])


def serve(names: Sequence[str], seed: int | None = None, tries: int = TRIES) -> None:
    """Serve these titles on standard input and output until it is closed; raise ``PaddockError``."""
    hall = Hall([title(name) for name in names], seed, tries)
    need("arena", "paddock arena serve")
    server(hall).run("stdio")


def server(hall: Hall) -> Any:
    """Return the ``MCPServer`` of a hall. Its tools answer one after another."""
    from mcp.server import MCPServer
    from mcp.server.mcpserver.exceptions import ToolError

    made = MCPServer("paddock", instructions=_INSTRUCTIONS, log_level="WARNING")
    lock = Lock()

    def tool(answer: Callable[P, T]) -> None:
        """Register a tool by its name and docstring; a ``PaddockError`` is told as the tool's error."""

        @wraps(answer)
        def answered(*args: P.args, **kwargs: P.kwargs) -> T:
            try:
                with lock:
                    return answer(*args, **kwargs)
            except PaddockError as error:
                raise ToolError(str(error)) from None

        made.tool(structured_output=False)(answered)

    def new_game(title: str, options: dict[str, Any] | None = None, players: list[str] | None = None) -> str:
        """Start a game. players has "me" or a bot level (rookie, club, works, champion) for each player; by
        default you and clubs. options are those of the title, such as {"drivers": 4}. Returns a key for each
        "me"."""
        return hall.new_game(title, options or {}, players or [])

    def look(key: str) -> str:
        """Tell what the player with this key sees, what has happened since its last move, and its moves."""
        return hall.look(key)

    def legal(key: str) -> str:
        """List the legal moves of the player with this key as JSON: id, notation and label."""
        return json.dumps(hall.legal(key), ensure_ascii=False)

    def play(key: str, move: str) -> str:
        """Play a move in notation for the player with this key. Tells what comes next, or why the move is
        refused; after too many refused moves a random one is played, which counts as a forfeit."""
        return hall.play(key, move)

    def rules(title: str, part: str = SHORT) -> str:
        """Tell the rules of a title: part is "short", "whole", or a chapter or clause such as "LC-5"."""
        return hall.rules(title, part)

    def result(key: str) -> str:
        """Tell the final standings, and how many decisions the player with this key has forfeited."""
        return hall.result(key)

    for answer in (new_game, look, legal, play, rules, result):
        tool(answer)
    return made


_INSTRUCTIONS = (
    "Racing games at a table. Start a game with new_game, read rules, then look and play with the key of "
    "your player until the game is over. You see your own hand only."
)
