"""Rasant: a bot with hand-written sense. It sees what its player sees."""

from __future__ import annotations

from paddock.parts.club import Club

BOTS = {"club": Club}
