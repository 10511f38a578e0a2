"""The log of a server: one line for each event, as text or as JSON, without secrets."""

from __future__ import annotations

import json
import logging
import re
import sys
from datetime import UTC, datetime

# Secrets of browsers have 43 characters, tokens a prefix too, hashes and keys of servers 64.
_SECRET = re.compile(r"(?<![\w-])(?:(?:paddock_)?[\w-]{43}|[0-9a-f]{64})(?![\w-])")
_LINK = re.compile(r"(/(?:seat|me/device)/)[\w-]+")
_PASSWORD = re.compile(r"(://[^:/@\s]*:)[^\s\"'<>]+(?=@)")  # up to the last @: it may have any characters
_PARAMETER = re.compile(r"(password=)[^&\s\"']+", re.IGNORECASE)
HIDDEN = "…"
_told = set[str]()  # more secrets: see ``set_up``


def without_secrets(text: str) -> str:
    """Return a text without anything that looks like a secret, a recovery link or a password."""
    for pattern in (_LINK, _PASSWORD, _PARAMETER):
        text = pattern.sub(rf"\1{HIDDEN}", text)
    for secret in _told:
        text = text.replace(secret, HIDDEN)
    return _SECRET.sub(HIDDEN, text)


class LogText(logging.Formatter):
    """The message of an event, and the traceback of an error."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line."""
        return without_secrets(super().format(record))


class Json(logging.Formatter):
    """An event as a line of JSON: when, how bad, from where, what, and the traceback of an error."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line."""
        fields = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": without_secrets(record.getMessage()),
        }
        if record.exc_info:
            fields["error"] = without_secrets(self.formatException(record.exc_info))
        return json.dumps(fields, ensure_ascii=False)


def set_up(kind: str, *secrets: str) -> None:
    """Write the events of all parts of the server to the standard error, as «text» or «json».

    Nothing writes these ``secrets``; should something do so all the same, they do not stand there.
    """
    _told.update(filter(None, secrets))
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(Json() if kind == "json" else LogText())
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)
    logging.captureWarnings(True)
