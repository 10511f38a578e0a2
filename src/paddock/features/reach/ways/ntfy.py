"""A notification on every device that follows a topic of ntfy."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import urlsplit, urlunsplit

from paddock.core.errors import PaddockError
from paddock.core.i18n import _, mark
from paddock.features.reach.outside import Outside
from paddock.features.reach.ways.way import Hook
from paddock.features.reach.words import Message

_TOPIC = re.compile(r"[A-Za-z0-9_-]{1,64}")  # as ntfy has them


class Ntfy(Hook):
    """A topic of ntfy."""

    kind, name, hint = "ntfy", mark("ntfy"), "https://ntfy.sh/…"
    you_do = (
        "the address of a topic, such as `https://ntfy.sh/my-turns`; what follows a `?`, such as the token "
        "in `?auth=…`, is sent with it"
    )
    you_get = "a notification with a link, on every device that follows the topic"

    def check(self, address: str, outside: Outside) -> None:
        """Raise ``PaddockError`` also for an address without a topic."""
        super().check(address, outside)
        _parts(address)

    def form(self, address: str, message: Message) -> tuple[str, dict[str, Any]]:
        """Return a notification with a link."""
        server, topic = _parts(address)
        return server, {
            "topic": topic,
            "title": message.subject,
            "message": message.text,
            "click": message.url,
            "tags": ["checkered_flag"],
        }


def _parts(address: str) -> tuple[str, str]:
    """Return where a message to a topic is sent, and the topic. Raises ``PaddockError`` without one.

    JSON is sent to the address without the topic; what follows «?» stays, such as the token in ``auth``.
    """
    parts = urlsplit(address)
    path, _slash, topic = parts.path.rstrip("/").rpartition("/")
    if not _TOPIC.fullmatch(topic):
        raise PaddockError(_("write the address of a topic, such as https://ntfy.sh/my-turns"))
    return urlunsplit((parts.scheme, parts.netloc, path or "/", parts.query, "")), topic
