"""The room ``view.py``: what a seat sees, as plain data."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Protocol

from paddock.core.notebook import Drawn
from paddock.core.rooms import above
from paddock.core.rooms.basics import Known, Usual
from paddock.core.state_text import fill, values
from paddock.core.words import HIDDEN


class View(Protocol):
    """The room ``view.py``."""

    def view(self, seen: Known) -> Any:
        """Return what is seen as a frozen dataclass of plain data."""


@dataclass(frozen=True)
class TheView(Drawn):
    """What the eyes see of a game: the numbers of its set-up, and every field of its state."""

    title: str
    round: int  # from 1
    rounds: int
    names: tuple[str, ...]  # of the seats
    deciders: tuple[int, ...]
    over: bool
    setup: Mapping[str, int]
    state: Mapping[str, Any]  # rows as lists, grids as lists of lists; None is a number that is hidden

    def _repr_svg_(self) -> str | None:
        title = above.titles().get(self.title)
        return title.draw.svg(self) if title and title.draw.svg else None


class UsualView(Usual):
    """Everything that the eyes know, field by field."""

    def view(self, seen: Known) -> TheView:
        """Return the state as the eyes know it, with what every title has."""
        g = seen.setup
        return TheView(
            title=self.title.name,
            round=min(len(seen.rounds) + 1, seen.options.rounds),
            rounds=seen.options.rounds,
            names=tuple(seen.seat_names),
            deciders=seen.deciders,
            over=not self.title.rules.who(seen.state, g),
            setup={name: getattr(g, name) for name, _code, shape in g.kernel_layout if not shape},
            state=known(seen),
        )


_WIPED = (0, HIDDEN)


def known(seen: Known) -> dict[str, Any]:
    """Return the fields of a state as ``values``, with None for what the eyes cannot know.

    ``hide`` has wiped a number if it is 0 or HIDDEN, and wipes another number in its place, too.
    """
    fields = values(seen.state)
    for name, value in fields.items():
        trial = seen.state.copy()
        fill(trial, name, _map(value, lambda n: 1 if n in _WIPED else n))
        with suppress(ArithmeticError, LookupError, ValueError):  # no state of the rules: nothing is told
            seen.title.rules.hide(trial, seen.setup, seen.eyes)
            after = values(trial)[name]
            fields[name] = _map(value, lambda n, n_after: None if n in _WIPED and n_after == n else n, after)
    return fields


def _map(value: Any, change: Callable[..., Any], *others: Any) -> Any:
    """Apply a function to every number of a field, and to those of others of the same form."""
    if isinstance(value, list):
        return [_map(part, change, *rest) for part, *rest in zip(value, *others, strict=True)]
    return change(value, *others)
