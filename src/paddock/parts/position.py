"""Parts of ``position.py``: reading and writing a state as ``name=value`` words.

A reader is a function of the state, the setup and the text of one field; it changes the state, or raises
``ValueError`` with a sentence.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias, TypeVar

from paddock.core.errors import BadPosition, brief
from paddock.core.i18n import _
from paddock.kernel.record import layout_of

NONE = "-"  # the text of an empty field
Reader: TypeAlias = Callable[[Any, Any, str], None]
T = TypeVar("T")


def written(fields: Mapping[str, object]) -> str:
    """Return the fields as words, in their order."""
    return " ".join(f"{name}={NONE if value == '' else value}" for name, value in fields.items())


def read(
    s: Any, g: Any, words: Mapping[str, str], readers: Mapping[str, Reader], fields: Sequence[str]
) -> None:
    """Read the words of ``fields`` into the state, in the order of ``readers``.

    Raises ``BadPosition`` with every missing or unknown field, or else with every field that is malformed.
    """
    faults = [_("«{name}=» is missing").format(name=name) for name in fields if name not in words]
    faults += [
        _("there is no field «{name}»; the fields are {fields}").format(name=name, fields=", ".join(fields))
        for name in words
        if name not in fields
    ]
    check(faults)
    for name, reader in readers.items():
        if name not in fields:
            continue
        try:
            reader(s, g, words[name])
        except ValueError as error:
            faults.append(f"{name}={brief(words[name])}: {error}")
    check(faults)


def check(faults: Sequence[str]) -> None:
    """Raise ``BadPosition`` if there are faults."""
    if faults:
        raise BadPosition(faults)


def number(text: str, most: int, least: int = 0, *, or_none: bool = False) -> int:
    """Return the whole number that the text says; raise ``ValueError`` if it is out of bounds.

    There is one text for each number: ``7``, never ``07``. With ``or_none`` the error says that the field may
    be empty, too.
    """
    if re.fullmatch(r"0|-?[1-9][0-9]{0,4}", text) and least <= int(text) <= most:
        return int(text)
    words = _("write a number from {least} to {most}")
    if or_none:
        words = _("write a number from {least} to {most}, or -")
    raise ValueError(words.format(least=least, most=most))


def seat_of(text: str, seats: int) -> int:
    """Return the seat, from 0, of a number from 1; raise ``ValueError``."""
    return number(text, seats, least=1) - 1


def word(text: str, words: Sequence[str]) -> str:
    """Return the text if it is one of the words; raise ``ValueError``."""
    if text in words:
        return text
    raise ValueError(_("write one of {words}").format(words=", ".join(words)))


def parts(text: str, between: str = ",") -> list[str]:
    """Return the parts of a list; none if the field is empty."""
    return [] if text == NONE else text.split(between)


def by_seat(text: str, seats: int, between: str = ",") -> list[tuple[int, str]]:
    """Return the pairs of a list such as ``1:a,3:b``: (seat, text), each seat once; raise ``ValueError``."""
    pairs = [part.partition(":") for part in parts(text, between)]
    if not all(colon for _number, colon, _value in pairs):
        raise ValueError(_("write number:value"))
    named = once([seat_of(number, seats) for number, _colon, _value in pairs], _("name each number once"))
    return [(seat, value) for seat, (_number, _colon, value) in zip(named, pairs, strict=True)]


def once(values: list[T], fault: str) -> list[T]:
    """Return the values if they differ; raise ``ValueError`` with the fault."""
    if len(set(values)) == len(values):
        return values
    raise ValueError(fault)


def values(s: Any) -> dict[str, Any]:
    """Return the fields of a record: numbers, lists, and lists of lists."""
    out: dict[str, Any] = {}
    for name, _code, shape in layout_of(s):
        field = getattr(s, name)
        if len(shape) == 2:
            out[name] = [[field[i, j] for j in range(shape[1])] for i in range(shape[0])]
        else:
            out[name] = list(field) if shape else field
    return out


def fill(s: Any, name: str, value: Any) -> None:
    """Set a field of a record to what ``values`` returns for it."""
    if isinstance(value, list) and isinstance(value[0], list):
        rows = getattr(s, name)
        rows.update(zip(rows, (number for row in value for number in row), strict=True))
    else:
        setattr(s, name, value)


def of_record(s: Any) -> str:
    """Return a record as words, in the order of its fields: ``turn=1 at=0,4 held=1,0/0,2``."""
    return written({name: _joined(value) for name, value in values(s).items()})


def _joined(value: Any) -> str:
    if not isinstance(value, list):
        return str(value)
    return ("/" if isinstance(value[0], list) else ",").join(map(_joined, value))


def into_record(record: type[Any], words: Mapping[str, str]) -> Any:
    """Return the record that ``of_record`` wrote as such words; raise ``BadPosition`` with every fault."""
    s, layout = record(), layout_of(record)
    read(s, None, words, {row[0]: _reader(*row) for row in layout}, [row[0] for row in layout])
    return s


def _reader(name: str, code: str, shape: tuple[int, ...]) -> Reader:
    """Return a reader for a field of numbers, which are as large as their type allows."""
    most = 2 ** (8 * int(code[1:]) - 1)
    number = r"(0|-?[1-9]\d{0,18})"
    row = ",".join([number] * shape[-1]) if shape else number
    pattern = re.compile("/".join([row] * (shape[0] if len(shape) == 2 else 1)), re.ASCII)

    def reader(s: Any, g: Any, text: str) -> None:
        found = pattern.fullmatch(text)
        if not found or not all(-most <= int(number) < most for number in found.groups()):
            raise ValueError(_("write it as in {example}").format(example=example))
        numbers = list(map(int, found.groups()))
        if len(shape) == 2:
            getattr(s, name).update(zip(getattr(s, name), numbers, strict=True))
        else:
            setattr(s, name, numbers if shape else numbers[0])

    example = "/".join([",".join(["0"] * shape[-1] if shape else "0")] * (shape[0] if len(shape) == 2 else 1))
    return reader
