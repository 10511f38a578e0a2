"""Sends messages: each by the way of its channel."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import TYPE_CHECKING, Protocol

from paddock.core.errors import PaddockError
from paddock.core.i18n import Sentence
from paddock.features.reach.outside import Outside
from paddock.features.reach.rows import ChannelRow
from paddock.features.reach.ways import way_of
from paddock.features.reach.ways.way import Sent
from paddock.features.reach.words import Message

if TYPE_CHECKING:
    from paddock.features.reach.net import Web


class Post(Protocol):
    """Sends messages."""

    async def send(self, channel: ChannelRow, message: Message, contact: str) -> Sent:
        """Send a message once. ``contact`` is an address at which the operator of this server is known."""

    async def close(self) -> None:
        """Close the connections."""


class Carrier:
    """What a server sends messages with."""

    def __init__(
        self, signing: str, now: Callable[[], datetime], outside: Outside, web: Web | None = None
    ) -> None:
        self.signing = signing
        self.now = now
        self.outside = outside
        self._web = web

    @property
    def web(self) -> Web:
        """The client, made when it is first needed: most servers start without it."""
        if self._web is None:
            from paddock.features.reach.net import CheckedConnections, Web

            self._web = Web(CheckedConnections(self.outside.allowed))
        return self._web

    async def close(self) -> None:
        """Close the connections."""
        if self._web is not None:
            await self._web.close()

    async def send(self, channel: ChannelRow, message: Message, contact: str) -> Sent:
        """Send a message once."""
        try:
            return await way_of(channel.kind).send(self, channel, message, contact)
        except PaddockError as error:
            why = error.message if isinstance(error.message, Sentence) else Sentence(str(error))
            return Sent(False, why=why)
