"""Calls players who are away: what they want (``wishes``), what is sent (``words``), when (``sender``), how
(``post`` and ``ways``), and to which addresses (``net``)."""

from __future__ import annotations

from paddock.features.reach.calls import Calls
from paddock.features.reach.outside import Outside
from paddock.features.reach.post import Carrier, Post
from paddock.features.reach.sender import Sender
from paddock.features.reach.store import ReachStore
from paddock.features.reach.wake import Bell
from paddock.features.reach.wishes import Wishes
from paddock.tables import Tables


class Reach:
    """What browsers say about their calls, and what sends them."""

    def __init__(self, tables: Tables, outside: Outside | None = None, post: Post | None = None) -> None:
        """Hear of turns. By default, the settings say what may be sent, and a ``Carrier`` sends it."""
        outside = outside or Outside.of(tables.settings)

        async def carrier() -> Post:  # most servers never need it
            return post or Carrier(await tables.secrets.signing(), tables.runtime.now, outside)

        store, bell = tables.store.part(ReachStore), Bell()
        self.wishes = Wishes(store, tables.runtime, tables.secrets, bell, outside)
        self.sender = Sender(store, tables.registry, tables.runtime, self.wishes, bell, carrier)
        tables.store.turns.hearing.append(Calls())
        tables.engine.followers.append(self.sender)
        tables.starting.append(self.sender.start)
        tables.closing.append(self.sender.stop)
        tables.pulse.reset.append(bell.ring)  # other messages may be due now
        tables.used.append(self.wishes.used)
