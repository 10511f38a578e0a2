"""Files and folders that cannot be read or written: one sentence instead of a traceback."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from paddock.core.errors import PaddockError


@contextmanager
def naming(path: Path) -> Iterator[None]:
    """Raise ``PaddockError`` with the name of the file or folder in place of an ``OSError``."""
    try:
        yield
    except OSError as error:
        raise PaddockError(f"{path}: {error.strerror or error}") from None
