"""Record classes with two layouts of the same bytes: a Python object with slots, and a flat NumPy record.

A title writes ``@record class State`` with annotated fields::

    turn: i8
    held: Annotated[Row, i16, CARS]
    hand: Annotated[Grid, i8, CARS, KINDS]

Plain mode uses the class itself (ints, lists, and a dict of pairs for a grid). Its slot ``events`` is not
part of the state (see events.py). Compiled mode uses flat records of ``State.dtype``: only these need NumPy.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from math import prod
from struct import Struct
from struct import error as StructError
from typing import TYPE_CHECKING, Annotated, Any, Protocol, Self, TypeAlias, TypeVar, get_args, get_type_hints

if TYPE_CHECKING:
    import numpy as np

i8: TypeAlias = Annotated[int, "i1"]
i16: TypeAlias = Annotated[int, "i2"]
i32: TypeAlias = Annotated[int, "i4"]
i64: TypeAlias = Annotated[int, "i8"]


class Row(Protocol):
    """A row of integers of fixed length. It supports only getting and setting items."""

    def __getitem__(self, i: int, /) -> int: ...
    def __setitem__(self, i: int, value: int, /) -> None: ...


class Grid(Protocol):
    """A grid of integers of fixed size, indexed by a pair."""

    def __getitem__(self, ij: tuple[int, int], /) -> int: ...
    def __setitem__(self, ij: tuple[int, int], value: int, /) -> None: ...


class Past(Grid, Protocol):
    """A grid of what each seat has openly done before: the last field of a state, if it has one.

    No rule reads it, so two states that differ in it alone are the same position: see ``present``.
    """


class Floats(Protocol):
    """A row of numbers that are not part of a state, such as an observation or expected scores."""

    def __getitem__(self, i: int, /) -> float: ...
    def __setitem__(self, i: int, value: float, /) -> None: ...


@dataclass(frozen=True)
class Hidden:
    """Declares a field that some do not see: ``Annotated[Grid, i8, SEATS, KINDS, Hidden("players")]``.

    ``hide``, ``undecide`` and ``redeal`` follow from it: see ``secrets`` in generated.py. Nobody sees a field
    without ``seats``.
    """

    seats: str = ""  # the field of the set-up with the number of seats, each of which sees its own rows
    rows: int = 1  # of each seat, one after another
    empty: int = 0  # what stands in place of a number that is hidden
    choice: bool = False  # a move that a seat has chosen, + 1; 0: none. If hidden, HIDDEN stands in its place
    deck: str = ""  # cards of each kind: hidden ones go back into this row, which has all that is not seen
    count: str = ""  # the row with how many of them each seat has, which everybody sees
    known: str = ""  # the grid with how many of each kind everybody knows in each hand, such as taken openly


@dataclass(frozen=True)
class Begins:
    """Declares what every number of a field is at the start: ``left: Annotated[i8, Begins(40)]``."""

    number: int


class PlainRecord(Protocol):
    """The methods of every plain record. They all ignore ``events``."""

    dtype: np.dtype[Any]
    events: list[tuple[int, int, int, int, int]] | None  # (code, a, b, c, eyes); None: events are dropped

    def copy(self) -> Self:
        """Return a copy without events."""

    def load(self, source: Any) -> Self:
        """Read all fields from a flat record."""

    def store(self, target: Any) -> None:
        """Write all fields to a flat record."""

    def tobytes(self) -> bytes:
        """Return the bytes of the flat record. Equal states have equal bytes."""

    def present(self) -> bytes:
        """Return the bytes of the fields that rules read: those of ``tobytes`` without the ``Past``."""

    @classmethod
    def frombytes(cls, data: bytes) -> Self:
        """Create a record from the bytes of ``tobytes``."""


C = TypeVar("C")
_CODES = {"i1": "b", "i2": "h", "i4": "i", "i8": "q"}
Layout: TypeAlias = list[tuple[str, str, tuple[int, ...]]]


def _layout(cls: type) -> tuple[Layout, bool, dict[str, Hidden], dict[str, int]]:
    """Return (name, scalar code, shape) of each field, in order, whether the last one is a ``Past``, the
    fields that are ``Hidden``, and the numbers that fields begin with."""
    fields: Layout = []
    past = False
    secrets: dict[str, Hidden] = {}
    begins: dict[str, int] = {}
    for name, hint in get_type_hints(cls, include_extras=True).items():
        if past:
            raise TypeError(f"{cls.__name__}: a field of what is past is the last one")
        kind, *every = get_args(hint) or (None,)
        meta = [word for word in every if not isinstance(word, Hidden | Begins)]
        for word in every:
            if isinstance(word, Hidden):
                secrets[name] = word
            elif isinstance(word, Begins):
                begins[name] = word.number
        past = kind is Past
        code, *shape = meta or [None]
        code = code if isinstance(code, str) else (*get_args(code), None, None)[1]
        if code not in _CODES or not all(isinstance(size, int) for size in shape):
            raise TypeError(
                f"{cls.__name__}.{name}: write i8, i16, i32 or i64, Annotated[Row, i8, SIZE] or "
                "Annotated[Grid, i8, ROWS, COLUMNS]"
            )
        fields.append((name, code, tuple(shape)))
    return fields, past, secrets, begins


def layout_of(record: Any) -> Layout:
    """Return (name, scalar code, shape) of each field of a record class or a plain record, in order."""
    layout: Layout = record.kernel_layout
    return layout


def secrets_of(record: Any) -> Mapping[str, Hidden]:
    """Return the fields of a record class that are declared ``Hidden``."""
    secrets: Mapping[str, Hidden] = record.kernel_secrets
    return secrets


def record(cls: type[C]) -> type[C]:
    """Class decorator: create a class with slots, whose fields start at zero, and its ``dtype``."""
    layout, has_past, secrets, begins = _layout(cls)
    packed, present = _struct(layout), _struct(layout[:-1] if has_past else layout)
    init, copy, load, store, values, unpack = [], [], [], [], [], []
    first = 0  # index of the field among the numbers of the record
    for name, _, shape in layout:
        if not shape:
            init.append(f"self.{name} = 0")
            copy.append(f"new.{name} = self.{name}")
            load.append(f"self.{name} = int(source[{name!r}])")
            store.append(f"target[{name!r}] = self.{name}")
            values.append(f"self.{name}")
            unpack.append(f"new.{name} = values[{first}]")
            first += 1
            continue
        last = first + prod(shape)
        if len(shape) == 1:
            init.append(f"self.{name} = [0] * {shape[0]}")
            copy.append(f"new.{name} = self.{name}[:]")
            load.append(f"self.{name} = source[{name!r}].tolist()")
            store.append(f"target[{name!r}] = self.{name}")
            values.append(f"*self.{name}")
            unpack.append(f"new.{name} = list(values[{first}:{last}])")
        else:
            keys = f"_keys_{name}"
            init.append(f"self.{name} = dict.fromkeys({keys}, 0)")
            copy.append(f"new.{name} = self.{name}.copy()")
            load.append(f"self.{name} = dict(zip({keys}, source[{name!r}].ravel().tolist()))")
            store.append(f"target[{name!r}].ravel()[:] = list(self.{name}.values())")
            values.append(f"*self.{name}.values()")
            unpack.append(f"new.{name} = dict(zip({keys}, values[{first}:{last}]))")
        first = last
    checked = ["    _check(self)", "    raise"]
    lines = [f"class {cls.__name__}:", f"    __slots__ = {(*(n for n, _, _ in layout), 'events')!r}"]
    blank = ["new.events = None", "return new"]
    for head, body in (
        ("__init__(self)", [*init, "self.events = None"]),
        ("copy(self)", ["new = object.__new__(type(self))", *copy, *blank]),
        ("load(self, source)", [*load, "return self"]),
        (
            "store(self, target)",
            ["try:", *(f"    {line}" for line in store), "except OverflowError:", *checked],
        ),
        (
            "tobytes(self)",
            ["try:", f"    return _pack({', '.join(values)})", "except _unpackable:", *checked],
        ),
        ("present(self)", [f"return _pack_present({', '.join(values[:-1] if has_past else values)})"]),
        ("frombytes(cls, data)", ["values = _unpack(data)", "new = object.__new__(cls)", *unpack, *blank]),
    ):
        lines += [f"    def {head}:", *(f"        {line}" for line in body)]
    space: dict[str, Any] = {
        f"_keys_{name}": [(i, j) for i in range(shape[0]) for j in range(shape[1])]
        for name, _, shape in layout
        if len(shape) == 2
    }
    space |= {
        "_pack": packed.pack,
        "_pack_present": present.pack,
        "_unpack": packed.unpack,
        "_unpackable": StructError,
    }
    space["_check"] = partial(_check, layout)
    exec("\n".join(lines), space)  # generated code: a copy without a loop is faster
    field_type = space[cls.__name__]
    field_type.__module__, field_type.__doc__, field_type.dtype = cls.__module__, cls.__doc__, _Dtype(layout)
    field_type.__annotations__ = cls.__annotations__
    field_type.frombytes = classmethod(field_type.frombytes)
    field_type.__eq__, field_type.__hash__, field_type.__reduce__ = _equal, None, _reduce
    field_type.kernel_code, field_type.kernel_layout = True, layout
    field_type.kernel_secrets, field_type.kernel_begins = secrets, begins
    return field_type  # type: ignore[no-any-return]  # exec() returns Any


def overflow(field: str) -> str:
    """Return the message of the ``OverflowError``, in both modes."""
    return f"a number does not fit into the field {field}: declare it larger"


def _check(layout: Layout, record: Any) -> None:
    """Raise ``OverflowError`` if a number of a plain record does not fit into its field."""
    for name, code, shape in layout:
        value = getattr(record, name)
        most = 1 << 8 * int(code[1:]) - 1
        for number in value.values() if len(shape) == 2 else value if shape else [value]:
            if isinstance(number, int) and not -most <= number < most:
                raise OverflowError(overflow(name)) from None


class _Dtype:
    """The ``dtype`` of a record class: made when it is first read, because that imports NumPy."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout

    def __get__(self, instance: object, owner: Any) -> np.dtype[Any]:
        import numpy as np  # imported late: plain mode does not need it

        fields = [(name, code, shape) if shape else (name, code) for name, code, shape in self._layout]
        owner.dtype = dtype = np.dtype(fields, align=True)
        return dtype


def _struct(layout: Layout) -> Struct:
    """Return the ``Struct`` that packs the numbers of a record like its ``dtype``: each field aligned to the
    size of its numbers, the record to the largest of them, with zeros as padding."""
    codes, at, sizes = ["="], 0, [1]
    for _name, code, shape in layout:
        size = int(code[1:])
        codes += [f"{-at % size}x", f"{prod(shape)}{_CODES[code]}"]
        at += -at % size + size * prod(shape)
        sizes.append(size)
    return Struct("".join([*codes, f"{-at % max(sizes)}x"]))


def _equal(self: Any, other: Any) -> bool:
    """Whether ``other`` is of the same class with equal fields."""
    return self.tobytes() == other.tobytes() if type(other) is type(self) else NotImplemented


def _reduce(self: Any) -> tuple[Any, ...]:
    """Pickle and ``copy`` records as their bytes."""
    return type(self).frombytes, (self.tobytes(),)
