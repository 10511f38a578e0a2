"""What puzzles add to Paddock."""

from paddock.core.i18n import mark
from paddock.features.puzzles import api, listing, pages
from paddock.features.puzzles.service import Puzzles
from paddock.web.feature import Feature, Place

FEATURE = Feature(
    __name__,
    service=Puzzles,
    pages=pages.router,
    api=api.router,
    doors=listing.doors,
    analysed="puzzles/_analysed.html",
    place=Place("/puzzles", mark("Puzzles"), "question", rank=4),
)
