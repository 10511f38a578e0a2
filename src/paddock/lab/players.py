"""Bots as a worker process plays them: levels inside it, objects and programs in processes of their own."""

from __future__ import annotations

import json
import pickle
import subprocess
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from io import RawIOBase
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any, Protocol, cast

from pydantic_core import to_jsonable_python

from paddock.bots import Bot, bot
from paddock.core.beside import Lost, TaskLate
from paddock.core.errors import brief, quoted, whole
from paddock.core.game import ChanceSource
from paddock.core.options import Options
from paddock.core.processes import Process, kill_group, stop
from paddock.core.title import Seen, Title
from paddock.kernel.chance import SEEDS
from paddock.kernel.source import Seeded
from paddock.lab.plan import Entrant, Plan

VERSION = "1"  # of the line protocol
ENDS = 1.0  # seconds that a program has to end after its output has ended
START = 60.0  # seconds in which a program or an object must be ready; the limit for a decision, if it is more
LONGEST_ANSWER = 1000  # bytes

CRASH, ILLEGAL, SLOW = "crash", "illegal", "slow"


class Failed(Exception):
    """A bot forfeits the game: ``reason`` is one line that begins with ``crash``, ``illegal`` or ``slow``."""

    def __init__(self, kind: str, detail: str = "") -> None:
        self.reason = f"{kind}: {brief(detail, 200)}" if detail else kind
        super().__init__(self.reason)


class LabPlayer(Protocol):
    """A bot at its place. Each method but ``close`` raises ``Failed``; then it can only be closed."""

    def begin(self, player: int, seed: int) -> None:
        """Prepare for a game as ``player``, with a seed for its own random numbers."""

    def choose(self, seen: Seen, seat: int, legal: Sequence[int], rng: ChanceSource) -> int:
        """Return a legal move."""

    def end(self, points: int, place: int) -> None:
        """Learn the result of the game."""

    def close(self) -> None:
        """Stop its process, if it has one."""


class LevelPlayer:
    """A level of Paddock, in this process. It has no time limit, and its faults are not caught."""

    def __init__(self, title: Title, level: str) -> None:
        self._bot = bot(title, level)

    def begin(self, player: int, seed: int) -> None:
        """Do nothing."""

    def choose(self, seen: Seen, seat: int, legal: Sequence[int], rng: ChanceSource) -> int:
        """Ask the level."""
        return _allowed(self._bot.choose(seen, seat, legal, rng), legal)

    def end(self, points: int, place: int) -> None:
        """Do nothing."""

    def close(self) -> None:
        """Do nothing."""


class Isolated:
    """An object of the user in a process of its own, so that it can be stopped, and may even crash Python."""

    def __init__(self, plan: Plan, pickled: bytes) -> None:
        self._seconds = plan.seconds
        self._process = Process(_bot_process, pickled, plan.title, plan.options)
        try:
            self._ask(max(START, self._seconds))
        except Failed:
            self.close()
            raise

    def begin(self, player: int, seed: int) -> None:
        """Do nothing: an object gets its random numbers with each decision."""

    def choose(self, seen: Seen, seat: int, legal: Sequence[int], rng: ChanceSource) -> int:
        """Ask the object."""
        position = seen.state.tobytes(), seen.eyes, seen.rounds, seen.names
        move = self._ask(self._seconds, *position, seat, list(legal), rng.below(SEEDS))
        return _allowed(move, legal)

    def end(self, points: int, place: int) -> None:
        """Do nothing: the interface of bots has no result."""

    def _ask(self, seconds: float, *question: Any) -> int:
        """Ask the process of the bot for a move; raise ``Failed`` for anything but a move."""
        try:
            kind, answer = self._process.do(*question, seconds=seconds)
        except TaskLate:
            raise Failed(SLOW) from None
        except Lost as lost:
            raise Failed(CRASH, str(lost)) from None
        if kind:
            raise Failed(kind, answer)
        return int(answer)

    def close(self) -> None:
        """Kill the process and its children."""
        stop(self._process)


def _bot_process(
    pickled: bytes, title: Title, options: Options
) -> AbstractContextManager[Callable[..., Any]]:
    """Run in the process of an object: make it when it is asked nothing, then ask it for moves."""
    setup, state = title.setup_of(options), title.rules.State
    player: Bot | None = None

    def do(*question: Any) -> tuple[str, int | str]:
        """Return an error, empty if there is none, and the move."""
        nonlocal player
        try:
            if player is None:
                player = pickle.loads(pickled)
                return "", 0
            packed, eyes, rounds, names, seat, legal, seed = question
            seen = Seen(title, options, setup, state.frombytes(packed), eyes, rounds, names)
            move = player.choose(seen, seat, legal, Seeded(seed))
            id = whole(move)
            return (ILLEGAL, quoted(move)) if id is None else ("", id)
        except Exception as error:
            return CRASH, f"{type(error).__name__}: {error}"

    return nullcontext(do)


class Talk:
    """A process that answers lines by a line each.

    A thread writes and reads. Killing the process does not always end a blocked read or write: a child in a
    session of its own may hold the other end of a pipe.
    """

    def __init__(self, command: Sequence[str], longest: int = LONGEST_ANSWER) -> None:
        """Start the process; raise ``Failed``. ``longest`` is the number of bytes of an answer, at most."""
        self._longest = longest
        self._questions = SimpleQueue[tuple[bytes, bool] | None]()
        self._answers = SimpleQueue[bytes | None]()
        try:
            # In a session of its own, Ctrl-C does not reach it, and it can be killed with its children.
            self._process = subprocess.Popen(
                command, bufsize=0, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True
            )
        except OSError as error:
            raise Failed(CRASH, str(error)) from None
        Thread(target=self._talk, daemon=True).start()

    def ask(self, data: bytes, seconds: float, *, answer: bool = True) -> str:
        """Send lines, and return the next line of the process, if an answer is wanted; raise ``Failed``."""
        self._questions.put((data, answer))
        try:
            line = self._answers.get(timeout=seconds)
        except Empty:
            raise Failed(SLOW) from None
        if line is None:
            raise Failed(CRASH, self._ended())
        return line.decode("utf-8", "replace").strip()

    def _talk(self) -> None:
        """Run in the thread: put the answer to each question, or None after the end of the process."""
        stdin, stdout = cast(RawIOBase, self._process.stdin), cast(RawIOBase, self._process.stdout)
        while question := self._questions.get():
            data, answer = question
            try:
                while data:
                    data = data[stdin.write(data) :]
                self._answers.put((stdout.readline(self._longest) or None) if answer else b"")
            except (OSError, ValueError):  # ValueError: ``close`` was faster
                self._answers.put(None)

    def _ended(self) -> str:
        try:
            return f"exit status {self._process.wait(ENDS)}"
        except subprocess.TimeoutExpired:
            return "it closed its output"

    def close(self) -> None:
        """Kill the process and its children."""
        self._questions.put(None)
        kill_group(self._process.pid)
        self._process.kill()
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout):
            cast(RawIOBase, stream).close()


class Program:
    """A program that plays by lines of text: docs/match.md describes the protocol."""

    def __init__(self, plan: Plan, command: Sequence[str]) -> None:
        self._plan, self._process = plan, Talk(command)
        try:
            answer = self._ask(max(START, plan.seconds), ("paddock", VERSION))
            if answer != "ready":
                raise Failed(ILLEGAL, f"{answer} (not “ready”)")
        except Failed:
            self.close()
            raise

    def begin(self, player: int, seed: int) -> None:
        """Announce the game."""
        game = ("game", self._plan.title.name, self._plan.options.text, str(player), str(seed))
        self._ask(self._plan.seconds, game, answer=False)

    def choose(self, seen: Seen, seat: int, legal: Sequence[int], rng: ChanceSource) -> int:
        """Send what the seat sees and the legal moves, and read the answer."""
        title = seen.title
        view = json.dumps(to_jsonable_python(title.view.view(seen)), separators=(",", ":"))
        moves = [str(title.text.move(seen.setup, id)) for id in legal]
        answer = self._ask(self._plan.seconds, ("view", view), ("move", str(seat), *moves))
        if answer not in moves:
            raise Failed(ILLEGAL, answer or "an empty line")
        return legal[moves.index(answer)]

    def end(self, points: int, place: int) -> None:
        """Send the result of the game."""
        self._ask(self._plan.seconds, ("over", str(points), str(place)), answer=False)

    def _ask(self, seconds: float, *lines: Sequence[str], answer: bool = True) -> str:
        """Send lines of fields, and return the next line of the program, if an answer is wanted."""
        data = "".join("\t".join(fields) + "\n" for fields in lines).encode()
        return self._process.ask(data, seconds, answer=answer)

    def close(self) -> None:
        """Kill the program and its children."""
        self._process.close()


def _allowed(move: int, legal: Sequence[int]) -> int:
    """Return the move; raise ``Failed`` unless it is one of ``legal``."""
    if move not in legal:
        raise Failed(ILLEGAL, quoted(move))
    return move


def make_player(plan: Plan, entrant: Entrant) -> LabPlayer:
    """Return a bot that is ready to play; raise ``Failed``."""
    if entrant.level:
        return LevelPlayer(plan.title, entrant.level)
    kind: Any = Program if entrant.command else Isolated
    player: LabPlayer = kind(plan, entrant.command or entrant.pickled)
    return player
