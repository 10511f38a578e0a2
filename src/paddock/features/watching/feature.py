"""What watching adds to Paddock."""

from fastapi import APIRouter

from paddock.core.i18n import mark
from paddock.features.watching import embed, frames, home, tv, watch
from paddock.features.watching.service import Watching
from paddock.web.feature import BrowserPart, Feature, Place, SharePart

FEATURE = Feature(
    __name__,
    service=Watching,
    alone=False,
    pages=APIRouter(routes=[*watch.router.routes, *tv.router.routes, *embed.router.routes]),
    home=BrowserPart("watching/live.html", home.shown),
    share=SharePart("watching/share.html", frames.frames),
    place=Place("/watch", mark("Watch"), "watch", rank=2),
)
