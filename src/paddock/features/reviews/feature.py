"""What reviews add to Paddock."""

from paddock.core.i18n import mark
from paddock.features.reviews import api, pages
from paddock.features.reviews.service import Reviews
from paddock.web.feature import Beside, Feature

FEATURE = Feature(
    __name__,
    service=Reviews,
    pages=pages.router,
    api=api.router,
    beside=Beside(
        pages.shown,
        label=mark("Notes"),
        icon="note",
        panel="reviews/review.html",
        moment="reviews/notes.html",
        style="review.css",
        script="review.js",
    ),
)
