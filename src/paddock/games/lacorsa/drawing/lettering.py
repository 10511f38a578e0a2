"""LACORSA: poster lettering, drawn as strokes so that it looks the same on every machine."""

from __future__ import annotations

from paddock.parts.alphabet import capitals as lettering

__all__ = ["lettering"]
