"""Rasant: what ``paddock bench`` times, and the bars."""

from __future__ import annotations

from paddock.kernel.bench import Case

CASES = (Case("4 players", {"players": 4}, compiled=0.031, plain=0, policy=0.004),)
