"""What watching adds to Paddock."""

from paddock.features.watching import embed, frames, home
from paddock.features.watching.service import Watching
from paddock.web.feature import Feature, HomePart, SharePart

FEATURE = Feature(
    __name__,
    service=Watching,
    pages=embed.router,
    home=HomePart("watching/live.html", home.shown),
    share=SharePart("watching/share.html", frames.frames),
)
