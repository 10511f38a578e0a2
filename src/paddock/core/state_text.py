"""A state as numbers by the names of its fields, and as text: ``name=value`` words.

A reader is a function of the state, the setup and the text of one field; it changes the state, or raises
``ValueError`` with a sentence.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from paddock.core.errors import BadPosition, brief
from paddock.core.i18n import _

NONE = "-"  # the text of an empty field
Reader: TypeAlias = Callable[[Any, Any, str], None]


def written(fields: Mapping[str, object]) -> str:
    """Return the fields as words, in their order."""
    return " ".join(f"{name}={NONE if value == '' else value}" for name, value in fields.items())


def read(
    s: Any, g: Any, words: Mapping[str, str], readers: Mapping[str, Reader], fields: Sequence[str]
) -> None:
    """Read the words of ``fields`` into the state, in the order of ``readers``.

    Raises ``BadPosition`` with every missing or unknown field, or else with every field that is malformed.
    """
    faults = [_("“{name}=” is missing").format(name=name) for name in fields if name not in words]
    faults += [
        _("there is no field “{name}”; the fields are {fields}").format(name=name, fields=", ".join(fields))
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


def values(s: Any) -> dict[str, Any]:
    """Return the fields of a record: numbers, lists, and lists of lists."""
    out: dict[str, Any] = {}
    for name, _code, shape in s.kernel_layout:
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
    s, layout = record(), record.kernel_layout
    read(s, None, words, {row[0]: _reader(*row) for row in layout}, [row[0] for row in layout])
    return s


def _reader(name: str, code: str, shape: tuple[int, ...]) -> Reader:
    """Return a reader for a field of numbers, which are as large as their type allows."""
    most = 2 ** (8 * int(code[1:]) - 1)
    number = r"(0|-?[1-9]\d{0,18})"
    row = ",".join([number] * shape[-1]) if shape else number
    pattern = re.compile("/".join([row] * (shape[0] if len(shape) == 2 else 1)), re.ASCII)

    def reader(s: Any, g: Any, text: str) -> None:
        """Set the field from its text; raise ``ValueError``."""
        match = pattern.fullmatch(text)
        if not match or not all(-most <= int(number) < most for number in match.groups()):
            raise ValueError(_("write it as in {example}").format(example=example))
        numbers = list(map(int, match.groups()))
        if len(shape) == 2:
            getattr(s, name).update(zip(getattr(s, name), numbers, strict=True))
        else:
            setattr(s, name, numbers if shape else numbers[0])

    example = "/".join([",".join(["0"] * shape[-1] if shape else "0")] * (shape[0] if len(shape) == 2 else 1))
    return reader
