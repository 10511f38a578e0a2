"""What situations add to Paddock."""

from paddock.features.situations import pages
from paddock.features.situations.service import PlayerMoments
from paddock.web.feature import Beside, BrowserPart, Feature

FEATURE = Feature(
    __name__,
    service=PlayerMoments,
    results=BrowserPart("situations/moments.html", pages.of_browser),
    chores=lambda tables: tables.service(PlayerMoments).count_new(),
    beside=Beside(pages.of_step, moment="situations/moment.html"),
)
