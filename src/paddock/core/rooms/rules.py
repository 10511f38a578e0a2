"""The modules of the rules: the kernel contract, and the defaults of what is in no compiled code.

``kernel/absent.py`` and ``kernel/derived.py`` have the defaults of the others, because they are compiled.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from paddock.core.log import Event


class Rules(Protocol):
    """The kernel contract: the functions and bounds of the last module in ``Title.kernel``.

    docs/kernel.md describes each of them. A title may add ``again``, ``foreseen`` and ``event_for``.
    """

    ACTIONS: int
    OUTCOMES: int
    MAX_SEATS: int
    MAX_DECISIONS: int
    MAX_EVENTS: int  # the most events of one entry, and of all chance that is due at once
    MIN_SCORE: int
    MAX_SCORE: int
    State: type[Any]
    Setup: type[Any]

    def start(self, s: Any, g: Any) -> None: ...
    def who(self, s: Any, g: Any) -> int: ...
    def legal(self, s: Any, g: Any, seat: int, out: Any) -> int: ...
    def apply(self, s: Any, g: Any, seat: int, move: int) -> None: ...
    def outcomes(self, s: Any, g: Any, out: Any, weights: Any) -> int: ...
    def run_chance(self, s: Any, g: Any, rng: Any) -> None: ...
    def hide(self, s: Any, g: Any, eyes: int) -> None: ...
    def redeal(self, s: Any, g: Any, eyes: int, rng: Any, out: Any) -> None: ...
    def seen(self, s: Any, g: Any, eyes: int, by: int, move: int) -> int: ...
    def places(self, s: Any, g: Any, out: Any) -> None: ...
    def scores(self, s: Any, g: Any, out: Any) -> None: ...


class WholeRules(Rules, Protocol):
    """The rules of a title with everything that the kernel derives from them."""

    INVARIANTS: Sequence[str]
    FEATURES: int
    FIELDS: Sequence[Any]

    def observe(self, s: Any, g: Any, seat: int, out: Any) -> None: ...
    def every_broken(self, s: Any, g: Any) -> int: ...


def nothing_foreseen(s: Any, g: Any, seat: int, move: int) -> int:
    """The default of ``foreseen``: no move can follow in the same submission."""
    return 0


def seen_whole(g: Any, eyes: int, event: Event) -> Event | None:
    """The default of ``event_for``: only the seats that saw an event get it."""
    return event.for_eyes(eyes)
