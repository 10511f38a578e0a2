"""How many people watch tables without playing at them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from paddock.tables.table import Table


class Audience:
    """Nobody counts them. A feature that does takes the place of this, as ``Tables.audience``."""

    async def of(self, tables: Iterable[Table]) -> Mapping[str, int]:
        """Return how many watch tables, by their ids; those that nobody watches may be left out."""
        return {}
