"""A webhook gets our own JSON."""

from __future__ import annotations

from typing import Any

from paddock.core.i18n import mark
from paddock.features.reach.ways.way import Hook
from paddock.features.reach.words import Message


class Webhook(Hook):
    """Any address."""

    kind, name, hint, last = "webhook", mark("Webhook"), "https://…", True
    you_do, you_get = "any address", "[JSON](#the-webhook)"

    def form(self, address: str, message: Message) -> tuple[str, dict[str, Any]]:
        """Return all that a message says."""
        deadline = message.deadline.isoformat(timespec="seconds") if message.deadline else None
        return address, {
            "id": message.id,
            "kind": message.kind,
            "subject": message.subject,
            "text": message.text,
            "url": message.url,
            "game": message.game,
            "title": message.title,
            "table": message.table,
            "waits": list(message.waits),
            "deadline": deadline,
            "made_at": message.made_at.isoformat(timespec="seconds"),
        }
