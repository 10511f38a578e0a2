"""One declaration, two layouts: a slotted Python object and a flat NumPy record.

A title writes ``@record class State`` with annotated fields::

    turn: i8
    held: Annotated[Row, i16, CARS]
    hand: Annotated[Grid, i8, CARS, KINDS]

The class itself is the plain life (ints, lists, and a dict of pairs for a grid);
``State.dtype`` is the same layout as one flat record for the compiled life.
"""

from __future__ import annotations

from typing import Annotated, Any, Protocol, Self, TypeAlias, TypeVar, get_args, get_type_hints

import numpy as np

i8: TypeAlias = Annotated[int, "i1"]
i16: TypeAlias = Annotated[int, "i2"]
i32: TypeAlias = Annotated[int, "i4"]
i64: TypeAlias = Annotated[int, "i8"]


class Row(Protocol):
    """A fixed row of integers: item get and set, nothing else."""

    def __getitem__(self, i: int, /) -> int: ...
    def __setitem__(self, i: int, value: int, /) -> None: ...


class Grid(Protocol):
    """A fixed grid of integers, indexed by a pair."""

    def __getitem__(self, ij: tuple[int, int], /) -> int: ...
    def __setitem__(self, ij: tuple[int, int], value: int, /) -> None: ...


class Record(Protocol):
    """What every plain record can do besides holding its fields."""

    dtype: np.dtype[Any]

    def copy(self) -> Self: ...
    def load(self, source: Any) -> Self: ...
    def store(self, target: Any) -> None: ...
    def tobytes(self) -> bytes: ...


C = TypeVar("C")


def _layout(cls: type) -> list[tuple[str, str, tuple[int, ...]]]:
    """(name, scalar code, shape) of each annotated field, in order."""
    fields: list[tuple[str, str, tuple[int, ...]]] = []
    for name, hint in get_type_hints(cls, include_extras=True).items():
        _, *meta = get_args(hint)
        if isinstance(meta[0], str):
            fields.append((name, meta[0], ()))
        else:
            fields.append((name, get_args(meta[0])[1], tuple(meta[1:])))
    return fields


def record(cls: type[C]) -> type[C]:
    """Derive the slotted plain class (all zeros when made) and its ``dtype``."""
    layout = _layout(cls)
    lines = [f"class {cls.__name__}:", f"    __slots__ = {tuple(n for n, _, _ in layout)!r}"]
    init, copy, load, store = [], [], [], []
    for name, _, shape in layout:
        if not shape:
            init.append(f"self.{name} = 0")
            copy.append(f"new.{name} = self.{name}")
            load.append(f"self.{name} = int(source[{name!r}])")
            store.append(f"target[{name!r}] = self.{name}")
        elif len(shape) == 1:
            init.append(f"self.{name} = [0] * {shape[0]}")
            copy.append(f"new.{name} = self.{name}[:]")
            load.append(f"self.{name} = source[{name!r}].tolist()")
            store.append(f"target[{name!r}] = self.{name}")
        else:
            keys = f"_keys_{name}"
            init.append(f"self.{name} = dict.fromkeys({keys}, 0)")
            copy.append(f"new.{name} = self.{name}.copy()")
            load.append(f"self.{name} = dict(zip({keys}, source[{name!r}].ravel().tolist()))")
            store.append(f"target[{name!r}].ravel()[:] = list(self.{name}.values())")
    for head, body in (
        ("__init__(self)", init),
        ("copy(self)", ["new = object.__new__(type(self))", *copy, "return new"]),
        ("load(self, source)", [*load, "return self"]),
        ("store(self, target)", store),
    ):
        lines += [f"    def {head}:", *(f"        {line}" for line in body)]
    dtype = np.dtype([(n, code, shape) if shape else (n, code) for n, code, shape in layout], align=True)
    space: dict[str, Any] = {
        f"_keys_{name}": [(i, j) for i in range(shape[0]) for j in range(shape[1])]
        for name, _, shape in layout
        if len(shape) == 2
    }
    exec("\n".join(lines), space)  # generated once per title, so that a copy costs no loop
    made = space[cls.__name__]
    made.__module__, made.__doc__, made.dtype = cls.__module__, cls.__doc__, dtype
    made.__annotations__ = cls.__annotations__
    made.tobytes = _tobytes
    return made  # type: ignore[no-any-return]  # exec() returns Any


def _tobytes(self: Any) -> bytes:
    """The flat record as bytes: equal bytes, equal state and equal events told."""
    buffer = np.zeros(1, self.dtype)
    self.store(buffer[0])
    if "event" in buffer.dtype.names:
        buffer[0]["event"][self.told :] = 0  # left over from earlier
    return buffer.tobytes()
