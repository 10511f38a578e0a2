"""Titles: what one is (``facts``), what seats know of a game (``seen``), which are installed (``discovery``).

Import from here. The modules of this package import each other directly, never this one: no circles.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from paddock.core import rooms as _rooms
from paddock.core.places import file_in as file_in
from paddock.core.places import room_beside as room_beside
from paddock.core.rooms import Chain as Chain
from paddock.core.rooms import Chains as Chains
from paddock.core.rooms import Dropped as Dropped
from paddock.core.rooms import Maps as Maps
from paddock.core.rooms import Move as Move
from paddock.core.rooms import Order as Order
from paddock.core.rooms import Orders as Orders
from paddock.core.rooms import Rules as Rules
from paddock.core.title.discovery import GROUP as GROUP
from paddock.core.title.discovery import title as title
from paddock.core.title.discovery import titles as titles
from paddock.core.title.facts import PROTOCOL as PROTOCOL
from paddock.core.title.facts import Moves as Moves
from paddock.core.title.facts import Preset as Preset
from paddock.core.title.facts import Title as Title
from paddock.core.title.facts import chain_over as chain_over
from paddock.core.title.facts import links_of as links_of
from paddock.core.title.facts import minutes as minutes
from paddock.core.title.facts import move_id as move_id
from paddock.core.title.facts import notation as notation
from paddock.core.title.facts import seats_of as seats_of
from paddock.core.title.facts import split_notation as split_notation
from paddock.core.title.seen import Preview as Preview
from paddock.core.title.seen import Seen as Seen

if TYPE_CHECKING:
    from paddock.core.rooms import Features as Features
    from paddock.core.rooms import Invariants as Invariants
    from paddock.core.rooms import Refusals as Refusals
    from paddock.core.rooms import SetupRoom as SetupRoom
    from paddock.core.rooms import Text as Text
    from paddock.core.rooms import View as View


def __getattr__(name: str) -> Any:
    """Import the protocol of a room when it is first used."""
    return getattr(_rooms, name)
