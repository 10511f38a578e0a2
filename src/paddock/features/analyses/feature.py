"""What analyses add to Paddock."""

from paddock.features.analyses import api, pages
from paddock.features.analyses.service import Analyses
from paddock.web.feature import Beside, Feature

FEATURE = Feature(
    __name__,
    service=Analyses,
    pages=pages.router,
    api=api.router,
    beside=Beside(
        pages.shown,
        player="analyses/costly.html",
        moment="analyses/verdicts.html",
        below="analyses/analysis.html",
        style="analyses.css",
        script="analyses.js",
    ),
)
