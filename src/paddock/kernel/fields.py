"""The fields of an observation: the blocks of numbers that a title's ``features.py`` writes one after
another."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple


class Field(NamedTuple):
    """A block of an observation: its name, how many numbers it has, and what they mean."""

    name: str
    size: int
    says: str


def field(block: Callable[..., int], size: int) -> Field:
    """Describe the ``size`` numbers that a function ``block(s, g, seat, out, n)`` writes from ``out[n]`` on.

    Its name and its docstring are the name and the meaning of the field.
    """
    return Field(block.__name__, size, " ".join((block.__doc__ or "").split()))
