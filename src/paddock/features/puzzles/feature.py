"""What puzzles add to Paddock."""

from paddock.features.puzzles import api, listing, pages
from paddock.features.puzzles.service import Puzzles
from paddock.web.feature import Feature

FEATURE = Feature(
    __name__,
    service=Puzzles,
    pages=pages.router,
    api=api.router,
    doors=listing.doors,
    analysed="puzzles/_analysed.html",
)
