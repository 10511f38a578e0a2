"""A line in a channel of Discord."""

from __future__ import annotations

import re
from typing import Any

from paddock.core.i18n import mark
from paddock.features.reach.ways.way import Hook
from paddock.features.reach.words import Message

LONGEST = 2000  # characters of a line


class Discord(Hook):
    """A webhook of Discord."""

    kind, name, hint = "discord", mark("Discord"), "https://discord.com/api/webhooks/…"
    you_do, you_get = "the address of a webhook of a channel", "a line in the channel"

    def form(self, address: str, message: Message) -> tuple[str, dict[str, Any]]:
        """Return a line that mentions nobody."""
        words, end = f"**{_plain(message.subject)}**. {_plain(message.text)}", f" {message.url}"
        return address, {"content": words[: LONGEST - len(end)] + end, "allowed_mentions": {"parse": []}}


def _plain(text: str) -> str:
    """Return text in which Discord finds no marks, so that a name is no link."""
    return re.sub(r"([\\\[\](){}*_~`|<>#:])", r"\\\1", text)
