"""What watching adds to Paddock."""

from fastapi import APIRouter

from paddock.features.watching import embed, frames, home, tv, watch
from paddock.features.watching.service import Watching
from paddock.web.feature import Feature, HomePart, SharePart

router = APIRouter()
for part in (watch, tv, embed):
    router.include_router(part.router)
FEATURE = Feature(
    __name__,
    service=Watching,
    pages=router,
    home=HomePart("watching/live.html", home.shown),
    share=SharePart("watching/share.html", frames.frames),
)
