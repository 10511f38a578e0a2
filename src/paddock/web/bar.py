"""The bar of every page: the places of features, with the number of things that wait there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

from fastapi import Request

from paddock.core.errors import PaddockError
from paddock.core.title import Title
from paddock.web.feature import Feature, Place
from paddock.web.guard import holder
from paddock.web.links import link
from paddock.web.titles import in_order


@dataclass(frozen=True)
class PlaceShown:
    """A place in the bar of a page."""

    place: Place
    waiting: int
    current: bool  # this page is it


async def counted(request: Request) -> None:
    """Count what waits for a browser that opens a page. Streams, updates and programs have no bar.

    A page comes without the numbers while they cannot be read.
    """
    me = holder(request)
    if (
        not me
        or request.app.state.tables is None
        or request.method != "GET"
        or "text/html" not in request.headers.get("accept", "")
    ):
        return
    with suppress(PaddockError):
        request.state.waiting = {
            feature.name: waiting
            for feature in request.app.state.pages.features
            if feature.place and (waiting := await feature.place.waiting(request, me))
        }


def places(features: Sequence[Feature], request: Request) -> tuple[PlaceShown, ...]:
    """Return the places of the bar."""
    waiting: Mapping[str, int] = getattr(request.state, "waiting", {})
    shown = (
        PlaceShown(place, waiting.get(feature.name, 0), request.url.path == link(place.address))
        for feature in features
        if (place := feature.place)
    )
    return tuple(sorted(shown, key=lambda here: here.place.rank))


def lesson_of(title: Title | None) -> str:
    """Return where the bar leads to learn: the lesson of the page's title, or of the first that has one."""
    taught = [known for known in (title, *in_order()) if known and known.learn]
    return link(f"/learn/{taught[0].name}") if taught else ""
