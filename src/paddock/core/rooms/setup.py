"""The room ``setup.py``: converts options to the kernel's ``Setup``."""

from __future__ import annotations

from typing import Any, Protocol, get_args

from paddock.core.errors import PaddockError
from paddock.core.rooms.basics import Usual


class SetupRoom(Protocol):
    """The room ``setup.py``."""

    def setup(self, options: Any) -> Any:
        """Convert validated options to the kernel's ``Setup``."""


class UsualSetup(Usual):
    """The options of the same names."""

    def setup(self, options: Any) -> Any:
        """Return a setup whose fields are the options of these names; raise ``PaddockError`` for others."""
        g = self.title.rules.Setup()
        for name in fill(g, options):
            raise PaddockError(f"no option is Setup.{name}: write {self.title.package}/setup.py")
        return g


def fill(g: Any, options: Any) -> list[str]:
    """Write each option that is a number, yes or no, or a choice to the field of its name in the setup ``g``.

    A choice is written as its place among the choices, from 0. Returns the fields that have no option.
    """
    missing = []
    for name, _code, shape in g.kernel_layout:
        value, field = getattr(options, name, None), type(options).model_fields.get(name)
        choices = get_args(field.annotation) if field else ()
        if isinstance(value, str) and value in choices:
            value = choices.index(value)
        if shape or not isinstance(value, int):
            missing.append(name)
        else:
            setattr(g, name, int(value))
    return missing
