"""The decorator of every kernel function: nothing when plain, inlined by Numba when compiled."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])

_compile: Callable[[Any], Any] | None = None
_tell = True


def rule(function: F) -> F:
    """Mark ``function`` as kernel code: integers, rows and grids in, an integer or nothing out."""
    return function if _compile is None else _compile(function)


def telling() -> bool:
    """Whether the module being loaded should tell events: the value of its ``TELL``."""
    return _tell


@contextmanager
def loading(compile: Callable[[Any], Any] | None, tell: bool) -> Iterator[None]:
    """While open, modules load into the life that ``compile`` makes, telling events or not."""
    global _compile, _tell
    before = _compile, _tell
    _compile, _tell = compile, tell
    try:
        yield
    finally:
        _compile, _tell = before
