"""Kernel functions that are generated from a title's records and functions, in both modes.

Compiled code cannot loop over fields, so their sources are written.
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any

from paddock.kernel.fields import Field
from paddock.kernel.mode import rule
from paddock.kernel.record import Row, layout_of


def _each(shape: tuple[int, ...], line: str) -> list[str]:
    """Return a line that is executed for every number of a field, in loops over ``i`` and ``j``."""
    loops = [f"{'    ' * k}    for {'ij'[k]} in range({size}):" for k, size in enumerate(shape)]
    return [*loops, f"{'    ' * len(shape)}    {line}"]


def _index(shape: tuple[int, ...], first: str = "i") -> str:
    return ("", f"[{first}]", f"[{first}, j]")[len(shape)]


def clearing(state: type) -> Callable[[Any], None]:
    """Return the rule ``clear(s)``, which sets every field of a state to 0.

    A state is used for many games, so a ``start`` of your own must set every field: it may begin with this.
    """
    lines = ["@rule", "def clear(s):"]
    for name, _code, shape in layout_of(state):
        lines += _each(shape, f"s.{name}{_index(shape)} = 0")
    namespace: dict[str, Any] = {"rule": rule}
    exec("\n".join(lines), namespace)
    return namespace["clear"]  # type: ignore[no-any-return]


def listing(
    why_not: Callable[[Any, Any, int, int], int], actions: int
) -> Callable[[Any, Any, int, Row], int]:
    """Return the rule ``legal(s, g, seat, out)``, which lists the moves that ``why_not`` lets pass."""

    @rule
    def legal(s: Any, g: Any, seat: int, out: Row) -> int:
        """The moves that ``why_not`` lets pass."""
        n = 0
        for move in range(actions):
            out[n] = move
            n += int(why_not(s, g, seat, move) == 0)
        return n

    return legal


def observation(state: type, setup: type, seats: int) -> tuple[tuple[Field, ...], str]:
    """Return the fields of the observation of a title without ``features.py``, and the source of a function
    ``write_observation(s, g, seat, out)``, which writes all of them but the first.

    They are all numbers of the state and the single ones of the set-up, between −1 and 1 (``squash``). Rows
    with a number for each of the ``seats`` begin with the seat that looks.
    """
    fields = [Field("deciding", seats, "Who must decide: this seat first, then the seats after it.")]
    lines = ["@rule", "def write_observation(s, g, seat, out):"]
    rows = [("g", "set-up", *row) for row in layout_of(setup) if not row[2]]
    at = seats
    for record, owner, name, _code, shape in [*rows, *(("s", "state", *row) for row in layout_of(state))]:
        turned = shape[:1] == (seats,)
        number = f"{record}.{name}{_index(shape, f'(seat + i) % {seats}' if turned else 'i')}"
        place = ("", " + i", f" + i * {prod(shape[1:])} + j")[len(shape)]
        lines += _each(shape, f"out[{at}{place}] = squash({number})")
        fields.append(Field(name, prod(shape), f"`{name}` of the {owner}{', this seat first' * turned}."))
        at += prod(shape)
    return tuple(fields), "\n".join(lines)
