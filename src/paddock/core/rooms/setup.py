"""The room ``setup.py``: converts options to the kernel's ``Setup``."""

from __future__ import annotations

from typing import Any, Protocol

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
        for name, _code, shape in g.kernel_layout:
            value = getattr(options, name, None)
            if shape or not isinstance(value, int):
                raise PaddockError(f"no option is Setup.{name}: write {self.title.package}/setup.py")
            setattr(g, name, int(value))
        return g
