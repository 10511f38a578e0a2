"""A line in a channel of Slack."""

from __future__ import annotations

from typing import Any

from paddock.core.i18n import mark
from paddock.features.reach.ways.way import Hook
from paddock.features.reach.words import Message


class Slack(Hook):
    """A webhook of Slack."""

    kind, name, hint = "slack", mark("Slack"), "https://hooks.slack.com/services/…"
    you_do, you_get = "the address of a webhook of a channel", "a line in the channel"

    def form(self, address: str, message: Message) -> tuple[str, dict[str, Any]]:
        """Return a line in which Slack finds no marks."""
        words = f"{message.whole} {message.url}"
        for sign, name in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;")):
            words = words.replace(sign, name)
        return address, {"text": words}
