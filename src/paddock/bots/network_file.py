"""The file of a network's weights, as ``np.savez`` writes it: read without NumPy, and checked before."""

from __future__ import annotations

import re
from array import array
from ast import literal_eval
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import isfinite, prod
from pathlib import Path
from struct import unpack
from typing import Any, BinaryIO, NamedTuple
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile

from paddock.core.errors import PaddockError
from paddock.core.i18n import _

FORM = 1  # of the file
MOST = 8 << 20  # bytes of numbers in a file
MOST_HEADER = 10_000  # bytes at the beginning of a part, which say what it holds
MOST_FACTS = 20_000 * 4  # bytes: 20,000 characters
PARTS = ("form", "prior", "sharp", "facts", "w0", "b0", "w1", "b1", "w2", "b2")
_MAGIC = b"\x93NUMPY\x01\x00"  # other versions have beginnings of any length
_KIND = re.compile(r"<(?:(f)([248])|(i)([48])|(U)([0-9]{1,6}))|\|(i)(1)")
_CODES = {("f", 2): "e", ("f", 4): "f", ("f", 8): "d", ("i", 1): "b", ("i", 4): "i", ("i", 8): "q"}


class OtherShape(PaddockError):
    """A network that has other numbers of inputs and outputs than were wanted."""


@dataclass(frozen=True, eq=False)
class StoredNetwork:
    """What a file says: the numbers of each layer, row by row, its biases, and how the network plays."""

    layers: tuple[tuple[Sequence[array[float]], array[float]], ...]  # a row for each input of the layer
    prior: float
    sharp: float
    facts: dict[str, Any]


class _Head(NamedTuple):
    """What the beginning of a part says."""

    kind: str
    size: int  # bytes of a number or of the text
    shape: tuple[int, ...]
    by_column: bool


def read(path: Any, shapes: Collection[tuple[int, int]] = ()) -> StoredNetwork:
    """Read a file; raise ``PaddockError`` if it is no network. Nothing in it is executed.

    Raises ``OtherShape`` unless it has one of these ``shapes``, if there are any. Nothing is unpacked before
    its size is known.
    """
    try:
        with path.open("rb") as file:
            return _read(file, shapes, path)
    except OSError as error:
        raise PaddockError(f"{path}: {error.strerror}") from None
    except OtherShape:
        raise
    except Exception:
        # zipfile, zlib and literal_eval raise a dozen kinds for a file that is damaged, or of another kind.
        raise PaddockError(
            _("{path}: this is not a network of this version of Paddock").format(path=path)
        ) from None


def _read(file: BinaryIO, shapes: Collection[tuple[int, int]], path: Path) -> StoredNetwork:
    with ZipFile(file) as archive:
        heads = _heads(archive)
        shape = heads["w0"].shape[0], heads["b2"].shape[0] - 1
        if shapes and shape not in shapes:
            raise OtherShape(_("{path}: this network plays something else").format(path=path))
        values = {name: _numbers(archive, name, head) for name, head in heads.items() if name != "facts"}
        facts = literal_eval(_content(archive, "facts", heads["facts"]).decode("utf-32-le").rstrip("\0"))
    if values["form"] != array("d", [FORM]) or not all(all(map(isfinite, part)) for part in values.values()):
        raise ValueError
    layers = tuple((_rows(values[f"w{i}"], heads[f"w{i}"]), values[f"b{i}"]) for i in range(3))
    return StoredNetwork(layers, values["prior"][0], values["sharp"][0], facts)


def _heads(archive: ZipFile) -> dict[str, _Head]:
    """Return the beginnings of all parts; raise an error unless these are the parts of a network.

    Only the beginning of each part is unpacked, which says how large it is: a small file may hold anything.
    """
    if sorted(archive.namelist()) != sorted(f"{name}.npy" for name in PARTS):
        raise ValueError
    heads = dict[str, _Head]()
    for part in archive.infolist():
        if part.compress_type not in (ZIP_STORED, ZIP_DEFLATED):  # others are unpacked whole
            raise ValueError
        with archive.open(part) as content:
            heads[part.filename.removesuffix(".npy")] = _head(content)
    (inputs, hidden), (outputs,) = heads["w0"].shape, heads["b2"].shape
    expected: dict[str, tuple[int, ...]] = dict.fromkeys(PARTS, ())
    for i, pair in enumerate(pairwise((inputs, hidden, hidden, outputs))):
        expected |= {f"w{i}": pair, f"b{i}": pair[1:]}
    if {name: head.shape for name, head in heads.items()} != expected:
        raise ValueError
    if any(head.kind != {"facts": "U", "form": "i"}.get(name, "f") for name, head in heads.items()):
        raise ValueError
    if (
        sum(head.size * prod(head.shape) for head in heads.values()) > MOST
        or heads["facts"].size > MOST_FACTS
    ):
        raise ValueError
    return heads


def _head(content: Any) -> _Head:
    """Read the beginning of a part: what NumPy writes there."""
    if content.read(len(_MAGIC)) != _MAGIC:
        raise ValueError
    length = int.from_bytes(content.read(2), "little")
    if length > MOST_HEADER:
        raise ValueError
    said = literal_eval(content.read(length).decode("latin-1"))
    kind, shape, by_column = _KIND.fullmatch(said["descr"]), said["shape"], said["fortran_order"]
    if kind is None or not all(type(n) is int and n >= 0 for n in shape):
        raise ValueError
    letter, size = (group for group in kind.groups() if group)
    return _Head(letter, int(size) * (4 if letter == "U" else 1), tuple(shape), bool(by_column))


def _content(archive: ZipFile, name: str, head: _Head) -> bytes:
    """Return the bytes of a part behind its beginning; raise an error if it has fewer or more."""
    with archive.open(f"{name}.npy") as content:
        _head(content)
        size = head.size * prod(head.shape)
        data: bytes = content.read(size)
        if len(data) != size or content.read(1):  # which also compares the check sum of the archive
            raise ValueError
        return data


def _numbers(archive: ZipFile, name: str, head: _Head) -> array[float]:
    count, code = prod(head.shape), _CODES[head.kind, head.size]
    return array("d", unpack(f"<{count}{code}", _content(archive, name, head)))


def _rows(numbers: array[float], head: _Head) -> list[array[float]]:
    rows, columns = head.shape
    if head.by_column:
        return [numbers[row::rows] for row in range(rows)]
    return [numbers[row * columns : (row + 1) * columns] for row in range(rows)]
