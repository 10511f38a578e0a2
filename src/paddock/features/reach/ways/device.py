"""A notification of the browser itself, also when no page is open. Its service worker shows it."""

from __future__ import annotations

import json
from typing import Any

from paddock.core.i18n import mark
from paddock.features.reach.rows import PUSH, ChannelRow
from paddock.features.reach.ways.way import CallWay, Means, Sent, answered
from paddock.features.reach.words import Message


class Device(CallWay):
    """The push subscription of a browser."""

    kind, name, written = PUSH, mark("A browser"), False
    you_do = "«Call me on this device», or «Notification» where the table offers to call you"
    you_get = (
        "a notification, also when no page is open. It needs HTTPS; on an iPhone, add Paddock to the home "
        "screen first"
    )

    async def send(self, means: Means, channel: ChannelRow, message: Message, contact: str) -> Sent:
        """Send a message to the push service of a browser, encrypted for it."""
        from paddock.features.reach import push

        text = json.dumps(notification(message)).encode()
        headers = {
            "Content-Encoding": "aes128gcm",
            "Content-Type": "application/octet-stream",
            "TTL": str(push.KEPT),
            "Urgency": "high",
            "Topic": push.topic(f"{channel.id} {message.table or message.id}"),
            "Authorization": push.authorization(channel.address, means.signing, contact, means.now()),
        }
        status, said, _text = await means.web.post(
            channel.address, headers, push.encrypted(text, channel.keys)
        )
        return answered(status, said, gone=(404, 410))


def notification(message: Message) -> dict[str, Any]:
    """Return what the service worker gets: it shows one notification for each table."""
    return {
        "id": message.id,
        "title": message.subject,
        "body": message.text,
        "url": message.url,
        "tag": message.table or "paddock",
    }
