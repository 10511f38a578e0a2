"""The records of a score's games: one file, in the order of the deals, that can be resumed."""

from __future__ import annotations

import hashlib
from collections.abc import Generator, Iterable
from pathlib import Path
from typing import Self

from paddock.core.errors import PaddockError
from paddock.core.i18n import _
from paddock.lab.rows import GameRow
from paddock.records.form import FORMAT


def texts(file: Path) -> Generator[str, None, None]:
    """Yield the text of each record of a file; raise ``OSError``.

    What is before the first record is a part of it. Bytes that are no text are replaced: the record then
    differs from the one that is expected.
    """
    lines: list[str] = []
    with file.open(encoding="utf-8", errors="replace", newline="") as stream:
        for line in stream:
            if line.rstrip() == FORMAT and any(map(str.strip, lines)):
                yield "".join(lines)
                lines = []
            lines.append(line)
    if lines:
        yield "".join(lines)


def sha256(file: Path) -> str:
    """Return the SHA-256 of a file, in hexadecimal digits; raise ``OSError``."""
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


class RecordFile:
    """The open file, which begins with the records of so many ``games``: those after them are cut off.

    Raises ``PaddockError`` if it has fewer.
    """

    def __init__(self, file: Path, games: int) -> None:
        self._stream = file.open("a+b")
        self._stream.seek(0)
        records = kept = 0
        for line in self._stream:
            records += line.rstrip() == FORMAT.encode()
            if records > games:
                break
            kept += len(line)
        if records < games:
            self._stream.close()
            sentence = _("{file} has {n} records, but {games} games are finished: score into a new folder")
            raise PaddockError(sentence.format(file=file, n=records, games=games))
        self._stream.truncate(kept)

    def add(self, rows: Iterable[GameRow]) -> None:
        """Append the records of a deal, and write them out."""
        self._stream.write("".join(f"{row.record}\n" for row in rows).encode())
        self._stream.flush()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._stream.close()
