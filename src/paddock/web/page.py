"""A page: what one template gets, as an object with a field for each name that the template uses."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, ClassVar

from paddock.core.title import Title


@dataclass(frozen=True, kw_only=True)
class Page:
    """A subclass for each template declares all its names, and a test finds one that the template lacks or
    does not use. What every page gets besides is in ``Pages``.
    """

    template: ClassVar[str]
    title: Title | None = None  # whose colours and style the page has

    @property
    def context(self) -> dict[str, Any]:
        """What the template gets: name → value."""
        return {field.name: getattr(self, field.name) for field in fields(self)}


def loose(template: str, context: Mapping[str, Any]) -> Page:  # TODO: goes when all pages are typed
    """Return a page whose names nobody has declared."""

    class Loose(Page):
        @property
        def context(self) -> dict[str, Any]:
            return {"title": None} | dict(context)

    Loose.template = template
    return Loose()
