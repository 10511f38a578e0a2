"""What analyses add to Paddock."""

from paddock.core.i18n import mark
from paddock.features.analyses import api, pages
from paddock.features.analyses.service import Analyses
from paddock.features.analyses.shown import marks
from paddock.web.feature import Beside, Feature

FEATURE = Feature(
    __name__,
    service=Analyses,
    pages=pages.router,
    api=api.router,
    beside=Beside(
        pages.shown,
        label=mark("Analysis"),
        icon="worth",
        panel="analyses/analysis.html",
        marks=marks,
        style="analyses.css",
        script="analyses.js",
    ),
)
