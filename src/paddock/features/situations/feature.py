"""What situations add to Paddock."""

from paddock.features.situations import pages
from paddock.features.situations.service import Moments
from paddock.web.feature import Beside, BrowserPart, Feature

FEATURE = Feature(
    __name__,
    service=Moments,
    results=BrowserPart("situations/moments.html", pages.of_browser),
    beside=Beside(pages.of_step, moment="situations/moment.html"),
)
