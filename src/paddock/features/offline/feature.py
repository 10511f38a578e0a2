"""What a server adds that offers its pack."""

from paddock.features.offline import pages
from paddock.web.feature import BrowserPart, Feature

FEATURE = Feature(
    __name__,
    pages=pages.router,
    home=BrowserPart("offline/keep.html", pages.keeping),
    worker="sw.js",
    alone=False,
)
