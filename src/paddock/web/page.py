"""A page: what one template gets, as an object with a field for each name that the template uses."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, ClassVar

from paddock.core.title import Title
from paddock.web.steps import StepLinks


@dataclass(frozen=True, kw_only=True)
class WebPage:
    """A subclass for each template declares all its names, and a test finds one that the template lacks or
    does not use. What every page gets besides is in ``Pages``.
    """

    template: ClassVar[str]
    title: Title | None = None  # whose colours and style the page has
    step: StepLinks | None = None  # where it is in a replay; its keys are among the shortcuts then

    @property
    def context(self) -> dict[str, Any]:
        """What the template gets: name → value."""
        return {field.name: getattr(self, field.name) for field in fields(self)}


@dataclass(frozen=True, kw_only=True)
class StatusPage(WebPage):
    """A page that says what a table or a puzzle waits for, whose scripts replace its changing part."""

    status: str
    digest: str = ""  # of what it shows
    stream_url: str = ""  # of the stream that keeps it up to date; empty: nothing changes by itself
    your_turn: bool = False


@dataclass(frozen=True)
class LinkPreview:
    """What other sites show for a link to a page."""

    title: str
    text: str
    url: str
    picture: str | None  # the address of a PNG; None if the title draws nothing
