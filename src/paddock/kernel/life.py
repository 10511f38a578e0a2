"""The decorator of every kernel function: nothing when plain, inlined by Numba when compiled."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, NamedTuple, TypeVar

F = TypeVar("F", bound=Callable[..., Any])


class _Life(NamedTuple):
    compile: Callable[[Any], Any] | None
    tell: bool


_PLAIN = _Life(None, True)
_life: ContextVar[_Life] = ContextVar("life", default=_PLAIN)  # of the modules that this thread loads


def rule(function: F) -> F:
    """Mark ``function`` as kernel code: integers, rows and grids in, an integer or nothing out."""
    compile = _life.get().compile
    if compile is not None:
        return compile(function)  # type: ignore[no-any-return]  # Numba has no types
    function.kernel_code = True  # type: ignore[attr-defined]  # functions take any attribute
    return function


def compiling() -> bool:
    """Whether the module being loaded is loaded into a compiled life."""
    return _life.get().compile is not None


def telling() -> bool:
    """Whether the module being loaded is loaded into a life that can tell events."""
    return _life.get().tell


@contextmanager
def loading(compile: Callable[[Any], Any] | None = None, tell: bool = True) -> Iterator[None]:
    """While open, this thread's modules load into the life that ``compile`` makes (None: the plain one)."""
    token = _life.set(_Life(compile, tell))
    try:
        yield
    finally:
        _life.reset(token)
