"""Kernel functions that are generated from a title's records and functions, in both modes.

Compiled code cannot loop over fields, so their sources are written.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import prod
from typing import Any

from paddock.kernel.fields import Field
from paddock.kernel.mode import rule
from paddock.kernel.record import Hidden, Row, layout_of, secrets_of


def _each(shape: tuple[int, ...], line: str) -> list[str]:
    """Return a line that is executed for every number of a field, in loops over ``i`` and ``j``."""
    loops = [f"{'    ' * k}    for {'ij'[k]} in range({size}):" for k, size in enumerate(shape)]
    return [*loops, f"{'    ' * len(shape)}    {line}"]


def _index(shape: tuple[int, ...], first: str = "i") -> str:
    return ("", f"[{first}]", f"[{first}, j]")[len(shape)]


def clearing(state: Any) -> Callable[[Any], None]:
    """Return the rule ``clear(s)``, which sets every field of a state to what it ``Begins`` with, else to 0.

    A state is used for many games, so a ``start`` of your own must set every field: it may begin with this.
    """
    lines = ["@rule", "def clear(s):"]
    for name, _code, shape in layout_of(state):
        lines += _each(shape, f"s.{name}{_index(shape)} = {state.kernel_begins.get(name, 0)}")
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


def secrets(state: type, setup: type) -> str:
    """Return the source of ``hide``, ``undecide`` and ``redeal`` for the fields that are ``Hidden``.

    ``redeal`` deals the cards of hidden hands that are not known from their deck by its weights, and lets a
    seat with a hidden choice choose again among its legal moves, all equally likely.
    """
    shapes = {name: shape for name, _code, shape in layout_of(state)}
    hide: list[str] = []
    by_seats: dict[str, tuple[list[str], list[str], list[str]]] = {}  # of each seat: wiped, undecided, dealt
    for name, secret in secrets_of(state).items():
        if not secret.seats:
            hide += _each(shapes[name], f"s.{name}{_index(shapes[name])} = {secret.empty}")
            continue
        _check_secret(name, secret, shapes, [field for field, _code, _shape in layout_of(setup)])
        wiped, undecided, dealt = by_seats.setdefault(secret.seats, ([], [], []))
        wiped += _wipe(name, secret, shapes[name])
        if secret.choice:
            undecided += [f"if s.{name}[seat] == HIDDEN:", f"    s.{name}[seat] = 0"]
            dealt += [*undecided[-2:], f"    s.{name}[seat] = out[below(rng, legal(s, g, seat, out))] + 1"]
        elif secret.deck:
            known = [f"for kind in range({shapes[name][1]}):", f"    unknown -= s.{secret.known}[seat, kind]"]
            dealt += [
                f"unknown = s.{secret.count}[seat]",
                *(known if secret.known else ()),
                "for _ in range(unknown):",
                "    left = 0",
                f"    for kind in range({shapes[name][1]}):",
                f"        left += s.{secret.deck}[kind]",
                f"    kind = weighted(rng, s.{secret.deck}, left)",
                f"    s.{secret.deck}[kind] -= 1",
                f"    s.{name}[seat, kind] += 1",
            ]
    undecide: list[str] = []
    redeal: list[str] = []
    for seats, (wiped, undecided, dealt) in by_seats.items():
        hide += _loop(seats, wiped, "(eyes >> seat) & 1 == 0")
        undecide += _loop(seats, undecided)
        redeal += _loop(seats, dealt, "(eyes >> seat) & 1 == 0")
    functions = {"hide(s, g, eyes)": hide, "undecide(s, g)": undecide, "redeal(s, g, eyes, rng, out)": redeal}
    return "\n".join(
        line for head, lines in functions.items() if lines for line in ("@rule", f"def {head}:", *lines)
    )


def _loop(seats: str, lines: list[str], condition: str = "") -> list[str]:
    """Return lines that are executed for each ``seat`` for which the condition is true."""
    head = [f"    for seat in range(g.{seats}):", *([f"        if {condition}:"] if condition else [])]
    indent = "    " * (len(head) + 1)
    return [*head, *(indent + line for line in lines)] if lines else []


def _wipe(name: str, secret: Hidden, shape: tuple[int, ...]) -> list[str]:
    """Return lines that remove what a ``seat`` has in a field."""
    if secret.choice:
        return [f"if s.{name}[seat] != 0:", f"    s.{name}[seat] = HIDDEN"]
    row = "seat" if secret.rows == 1 else f"{secret.rows} * seat + i"
    number = f"s.{name}[{row}{', j' * (len(shape) == 2)}]"
    lines = [f"for i in range({secret.rows}):"] if secret.rows > 1 else []
    if len(shape) == 2:
        lines.append(f"{'    ' * len(lines)}for j in range({shape[1]}):")
    indent = "    " * len(lines)
    kept = f"s.{secret.known}[{row}, j]" if secret.known else str(secret.empty)
    back = [f"{indent}s.{secret.deck}[j] += {number} - {kept}"] if secret.deck else []
    return [*lines, *back, f"{indent}{number} = {kept}"]


def _check_secret(
    name: str, secret: Hidden, shapes: Mapping[str, tuple[int, ...]], setup: Sequence[str]
) -> None:
    """Raise ``TypeError`` if a declaration does not fit its field, or names one that is not there."""
    if secret.seats not in setup:
        raise TypeError(
            f"{name}: Hidden names the set-up's number of seats: {', '.join(setup)}; not {secret.seats}"
        )
    for field in filter(None, (secret.deck, secret.count, secret.known)):
        if field not in shapes:
            raise TypeError(f"{name}: Hidden names {field}, and the state has no such field")
    if not shapes[name]:
        raise TypeError(f"{name}: a number that is {secret.seats}' own needs a row with one for each of them")
    if bool(secret.deck) != bool(secret.count):
        raise TypeError(f"{name}: a hidden hand needs both its deck and the row with the count of its cards")
    if secret.deck and shapes[name][1:] != shapes.get(secret.deck):
        raise TypeError(f"{name}: a hand has as many kinds as its deck {secret.deck}")
    if secret.known and (not secret.deck or shapes[name] != shapes.get(secret.known)):
        raise TypeError(f"{name}: what is known of it is a field of the same size, and it has a deck")


def drawn_cards(state: type, outcomes: int) -> str:
    """Return the source of ``outcomes`` for a title whose only chance is its deck: each card is as likely.

    It is empty if the state declares no deck, several, or one that has not as many kinds as outcomes.
    """
    shapes = {name: shape for name, _code, shape in layout_of(state)}
    decks = {secret.deck for secret in secrets_of(state).values() if secret.deck}
    if len(decks) != 1 or shapes[(deck := decks.pop())] != (outcomes,):
        return ""
    return f"""
@rule
def outcomes(s, g, out, weights):
    n = 0
    for kind in range({outcomes}):
        if s.{deck}[kind] > 0:
            out[n] = kind
            weights[n] = s.{deck}[kind]
            n += 1
    return n
"""
