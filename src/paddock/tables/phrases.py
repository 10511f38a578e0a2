"""Reactions: phrases of a fixed list in the chat, said with one tap, to each reader in their language."""

from __future__ import annotations

from collections.abc import Mapping

from paddock.core.i18n import mark

PHRASES: Mapping[str, str] = {
    "hello": mark("Hello!"),
    "luck": mark("Good luck!"),
    "nice": mark("Nice move!"),
    "wow": mark("Wow!"),
    "ouch": mark("Ouch!"),
    "thanks": mark("Thanks!"),
    "game": mark("Good game!"),
    "again": mark("Once more?"),
}
