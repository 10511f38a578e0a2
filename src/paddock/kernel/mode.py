"""The decorator of every kernel function: nothing when plain, inlined by Numba when compiled."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, NamedTuple, TypeVar

F = TypeVar("F", bound=Callable[..., Any])


class _Mode(NamedTuple):
    compile: Callable[[Any], Any] | None
    tell: bool


_PLAIN = _Mode(None, True)
_mode: ContextVar[_Mode] = ContextVar("mode", default=_PLAIN)  # of the modules that this thread loads


def rule(function: F) -> F:
    """Mark ``function`` as kernel code: integers, rows and grids in, an integer or nothing out."""
    compile = _mode.get().compile
    if compile is not None:
        return compile(function)  # type: ignore[no-any-return]  # Numba has no types
    function.kernel_code = True  # type: ignore[attr-defined]  # functions take any attribute
    return function


def compiling() -> bool:
    """Whether the module being loaded is loaded into a compiled life."""
    return _mode.get().compile is not None


def telling() -> bool:
    """Whether the module being loaded is loaded into a life that can tell events."""
    return _mode.get().tell


@contextmanager
def loading(compile: Callable[[Any], Any] | None = None, tell: bool = True) -> Iterator[None]:
    """While open, this thread's modules load into the life that ``compile`` makes (None: the plain one)."""
    token = _mode.set(_Mode(compile, tell))
    try:
        yield
    finally:
        _mode.reset(token)
