"""A list of whole numbers as fields of a page: see ``Parts`` in core/pages.py."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from paddock.core.i18n import _, mark
from paddock.core.options import Options
from paddock.core.pages import Part


@dataclass(frozen=True)
class Numbers:
    """So many fields; those that are empty at the end are no part of the list."""

    fields: int
    label: str = mark("Number {n}")

    def split(self, value: str, options: Options) -> list[Part]:
        """Return a field for each number, and empty ones after them."""
        texts = value.split(",") if value else []
        texts += [""] * (self.fields - len(texts))
        return [
            Part(_(self.label).format(n=n), text.strip()) for n, text in enumerate(texts[: self.fields], 1)
        ]

    def join(self, texts: Sequence[str]) -> str:
        """Return the numbers, separated by commas."""
        return ",".join(text.strip() for text in texts).rstrip(",")
