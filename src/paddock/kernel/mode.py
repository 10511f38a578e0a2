"""``rule``, the decorator of kernel functions: no effect in plain mode, compiles in compiled mode."""

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
_mode: ContextVar[_Mode] = ContextVar("mode", default=_PLAIN)  # for modules that this thread loads


def rule(function: F) -> F:
    """Mark a function as kernel code: it takes integers, rows and grids, and returns an integer or None."""
    compile = _mode.get().compile
    if compile is not None:
        return compile(function)  # type: ignore[no-any-return]  # Numba has no types
    function.kernel_code = True  # type: ignore[attr-defined]  # functions take any attribute
    return function


def compiling() -> bool:
    """Whether the current module is being loaded in compiled mode."""
    return _mode.get().compile is not None


def telling() -> bool:
    """Whether the current module is being loaded in a mode with events."""
    return _mode.get().tell


@contextmanager
def loading(compile: Callable[[Any], Any] | None = None, tell: bool = True) -> Iterator[None]:
    """Within this context, modules that this thread loads are compiled by ``compile`` (None: plain mode)."""
    token = _mode.set(_Mode(compile, tell))
    try:
        yield
    finally:
        _mode.reset(token)
