"""What pages say of numbers of the rules that a set-up changes: docs/designers.md."""

from __future__ import annotations

from paddock.bots.champion import has_networks
from paddock.core.i18n import _
from paddock.core.title import Title


def consequences(title: Title) -> str:
    """Return what follows for a game with changed numbers."""
    counts = _("A game with changed numbers counts for nothing else.")
    learned = _("Champion learned the rulebook's numbers, and may play it badly.")
    return f"{counts} {learned}" if has_networks(title) else counts
