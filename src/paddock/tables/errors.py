"""What a table refuses, beyond what the rules refuse."""

from __future__ import annotations

from paddock.core.errors import PaddockError


class NoTable(PaddockError):
    """There is no table with this id."""


class Forbidden(PaddockError):
    """A seat or a table that this browser may not decide for."""


class Frozen(PaddockError):
    """A table that cannot be continued; ``str(error)`` says why."""
