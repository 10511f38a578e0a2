"""What core gets from modules above it: the kernel, and the titles that are installed.

Core imports neither. They are registered when ``paddock`` is imported.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from paddock.core.rooms.basics import Titled
    from paddock.core.rooms.rules import WholeRules


class Kernel(Protocol):
    """What the kernel does for a title."""

    def whole_rules(self, title: Any) -> WholeRules:
        """Return the last module of a title's rules, with defaults for what it leaves out."""

    def broken(self, title: Any, s: Any, g: Any) -> int:
        """Return the index of an invariant of the title that a state breaks; 0 if there is none."""

    def sample(self, seen: Any, rng: Any) -> Any:
        """Return a game that the eyes of ``seen`` may be in: see ``Seen.sample``."""


_kernels: list[Kernel] = []  # one
_listings: list[Callable[[], Mapping[str, Titled]]] = []  # one


def register_kernel(kernel: Kernel) -> None:
    """Say which kernel runs the rules."""
    _kernels[:] = [kernel]


def register_titles(listing: Callable[[], Mapping[str, Titled]]) -> None:
    """Say which function lists the titles that can be played."""
    _listings[:] = [listing]


def kernel() -> Kernel:
    """Return the kernel."""
    return _kernels[0]


def titles() -> Mapping[str, Titled]:
    """Return every title that can be played, by name."""
    return _listings[0]()
