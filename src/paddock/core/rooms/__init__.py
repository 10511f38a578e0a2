"""The rooms of a title: the protocol of each module, and beside it the default for what a title leaves out.

``table.py`` lists them. docs/titles.md says which rooms are needed for what.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from paddock.core.rooms.basics import Known as Known
from paddock.core.rooms.basics import Move as Move
from paddock.core.rooms.basics import names as names
from paddock.core.rooms.chains import Chain as Chain
from paddock.core.rooms.chains import Chains as Chains
from paddock.core.rooms.chains import Dropped as Dropped
from paddock.core.rooms.chains import Forced as Forced
from paddock.core.rooms.chains import Order as Order
from paddock.core.rooms.chains import Orders as Orders
from paddock.core.rooms.maps import Maps as Maps
from paddock.core.rooms.rules import Rules as Rules

if TYPE_CHECKING:
    from paddock.core.rooms.observed import Features as Features
    from paddock.core.rooms.observed import Invariants as Invariants
    from paddock.core.rooms.refusals import Refusals as Refusals
    from paddock.core.rooms.setup import SetupRoom as SetupRoom
    from paddock.core.rooms.text import Text as Text
    from paddock.core.rooms.view import View as View


def __getattr__(name: str) -> Any:
    """Import the protocol of a room when it is first used."""
    if name[:1].isupper():
        from paddock.core.rooms import observed, refusals, setup, text, view

        for module in (observed, refusals, setup, text, view):
            if hasattr(module, name):
                return getattr(module, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
