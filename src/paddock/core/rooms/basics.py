"""What the rooms of a title have in common: how a default is written, and what rooms know of a game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Protocol

from paddock.core.series import RoundResult

if TYPE_CHECKING:
    from paddock.core.rooms.rules import Rules


def names(protocol: type[Any]) -> tuple[str, ...]:
    """Return the names of the functions and constants of a protocol."""
    every = (*getattr(protocol, "__annotations__", ()), *vars(protocol))
    return tuple(name for name in every if not name.startswith("_"))


class Move(Protocol):
    """A typed move. ``str(move)`` is its notation: words separated by single spaces, without «;».

    For example:

        >>> import paddock
        >>> move = paddock.start("lacorsa", drivers=4, seed=7).legal(1)[-1]
        >>> str(move), move.id
        ('12+R', 24)
    """

    @property
    def id(self) -> int: ...


class Titled(Protocol):
    """A title, as the defaults of its rooms get it: a ``paddock.Title``, which has more."""

    @property
    def name(self) -> str: ...
    @property
    def label(self) -> str: ...
    @property
    def package(self) -> str: ...
    @property
    def round_name(self) -> str: ...
    @property
    def player_name(self) -> str: ...
    @property
    def rules(self) -> Rules: ...
    @property
    def refusals(self) -> Any: ...
    @property
    def invariants(self) -> Any: ...
    @property
    def draw(self) -> Any: ...
    def legal(self, s: Any, g: Any, seat: int) -> list[int]: ...
    def results(self, s: Any, g: Any) -> tuple[list[int], list[int]]: ...


class Known(Protocol):
    """What some seats know, as a room gets it: a ``paddock.Seen``, which has more."""

    @property
    def title(self) -> Titled: ...
    @property
    def options(self) -> Any: ...
    @property
    def setup(self) -> Any: ...
    @property
    def state(self) -> Any: ...
    @property
    def eyes(self) -> int: ...
    @property
    def rounds(self) -> tuple[RoundResult, ...]: ...
    @property
    def names(self) -> tuple[str, ...]: ...
    @property
    def deciders(self) -> tuple[int, ...]: ...
    @property
    def seat_names(self) -> list[str]: ...
    def seat_name(self, seat: int) -> str: ...


class Usual:
    """The defaults of a room of ``title``, and what it has of its ``own``, which takes precedence.

    The defaults use what the title has of its own, too.
    """

    def __init__(self, title: Titled, own: Mapping[str, Any]) -> None:
        self.title = title
        vars(self).update(own)
