"""What a store notes about itself, for those who look inside: moves, the time of commits, slow statements."""

from __future__ import annotations

import time
from bisect import bisect_left
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Engine, event

from paddock.store.rows import EventRow

SEATS = 30  # rows of a log by higher numbers are no moves: undo and chance
BOUNDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)  # seconds of commits
WINDOW = 60  # seconds over which the rate of moves is counted
SLOW = 0.25  # seconds after which a statement is slow
KEPT = 20  # slow statements that are kept


@dataclass(frozen=True)
class SlowStatement:
    """A statement that took long. Its values are not noted: they may be secret."""

    at: float  # as ``time.time``
    seconds: float
    text: str


@dataclass
class Measured:
    """Counts since the start."""

    moves: int = 0
    commits: int = 0
    seconds: float = 0.0  # that commits took, with the time that they waited for others
    buckets: list[int] = field(default_factory=lambda: [0] * (len(BOUNDS) + 1))  # commits by their time
    slow: int = 0
    slowest: deque[SlowStatement] = field(default_factory=lambda: deque(maxlen=KEPT))
    _recent: deque[tuple[float, int]] = field(default_factory=deque)  # when, and how many moves

    def commit(self, rows: Sequence[EventRow], seconds: float) -> None:
        """Note a stored change with these rows of a log."""
        moves = sum(row.by < SEATS for row in rows)
        self.commits += 1
        self.seconds += seconds
        self.buckets[bisect_left(BOUNDS, seconds)] += 1
        if moves:
            self.moves += moves
            now = time.monotonic()
            self._recent.append((now, moves))
            self._forget(now)

    def rate(self) -> float:
        """Return the moves a second of the last minute."""
        self._forget(time.monotonic())
        return sum(moves for _at, moves in self._recent) / WINDOW

    def _forget(self, now: float) -> None:
        while self._recent and self._recent[0][0] < now - WINDOW:
            self._recent.popleft()

    def watch(self, engine: Engine) -> None:
        """Note the slow statements of an engine."""

        @event.listens_for(engine, "before_cursor_execute")
        def before(connection: Any, *_more: Any) -> None:
            connection.info["paddock_begun"] = time.perf_counter()

        @event.listens_for(engine, "after_cursor_execute")
        def after(connection: Any, _cursor: Any, statement: str, *_more: Any) -> None:
            seconds = time.perf_counter() - connection.info.get("paddock_begun", time.perf_counter())
            if seconds >= SLOW:
                self.slow += 1
                self.slowest.append(SlowStatement(time.time(), seconds, " ".join(statement.split())[:200]))
