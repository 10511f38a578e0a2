"""What a kind of channel says of itself: its name, which addresses it takes, and how a message goes out."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, Protocol

from paddock.core.i18n import Sentence
from paddock.features.reach.outside import Outside
from paddock.features.reach.rows import ChannelRow
from paddock.features.reach.words import Message

if TYPE_CHECKING:
    from paddock.features.reach.net import Web


@dataclass(frozen=True)
class Sent:
    """What became of a message."""

    ok: bool
    gone: bool = False  # the channel does not exist any more
    after: float = 0.0  # seconds after which the receiver wants it again
    why: Sentence | None = None


class Means(Protocol):
    """What a server sends messages with."""

    outside: Outside
    signing: str  # the private key by which push services know this server

    @property
    def web(self) -> Web:
        """A client for addresses that strangers name."""

    def now(self) -> datetime:
        """Return what time it is."""


class CallWay:
    """A kind of channel."""

    kind: str  # as it is stored, in the API and in forms
    name: str  # to be translated
    you_do: str  # for the table in docs/reach.md, in Markdown
    you_get: str
    hint = ""  # what to write as an address
    written = True  # whether players write its address; else a script of the page adds it
    last = False  # whether the page lists it after the others
    # Whether the owner of an address must agree first, and each message has a link that ends them
    asks = False

    def offered(self, outside: Outside) -> bool:
        """Whether this server can send such messages."""
        return True

    def check(self, address: str, outside: Outside) -> None:
        """Raise ``PaddockError`` for an address to which nothing can be sent."""

    def shown(self, address: str) -> str:
        """Return what the page shows of an address: of a web address only where it leads."""
        return address.partition("://")[2].partition("/")[0]

    async def send(self, means: Means, channel: ChannelRow, message: Message, contact: str) -> Sent:
        """Send a message once. ``contact`` is an address at which the operator of this server is known.

        Raises ``PaddockError`` where it does not arrive.
        """
        return Sent(False, why=Sentence("this server no longer sends messages this way"))


class Hook(CallWay, ABC):
    """A way on which messages go to a web address, as JSON."""

    def check(self, address: str, outside: Outside) -> None:
        """Raise ``PaddockError`` for an address to which this server sends nothing."""
        from paddock.features.reach.net import CheckedConnections

        CheckedConnections(outside.allowed).check(address)

    @abstractmethod
    def form(self, address: str, message: Message) -> tuple[str, dict[str, Any]]:
        """Return where a message is sent, and what."""

    async def send(self, means: Means, channel: ChannelRow, message: Message, contact: str) -> Sent:
        """Send a message once."""
        url, body = self.form(channel.address, message)
        headers = {
            "Content-Type": "application/json",
            "User-Agent": "Paddock",
            "Paddock-Message": message.id,
        }
        status, said, _text = await means.web.post(url, headers, json.dumps(body).encode())
        return answered(status, said, gone=(410,))


def answered(status: int, said: Mapping[str, str], gone: Collection[int]) -> Sent:
    """Return what the status and the headers of an answer say; with a status of ``gone``, nobody is there."""
    if 200 <= status < 300:
        return Sent(True)
    after = said.get("retry-after", "")
    return Sent(
        False,
        status in gone,
        float(after) if after.isascii() and after.isdigit() and len(after) < 9 else 0.0,
        Sentence("it answered {status}", status=status),
    )
