"""What the coach adds to Paddock."""

from paddock.core.i18n import mark
from paddock.features.coach import pages
from paddock.features.coach.rules import offered
from paddock.features.coach.service import Coach
from paddock.web.feature import Feature, TablePanel

FEATURE = Feature(
    __name__,
    service=Coach,
    pages=pages.router,
    panel=TablePanel(
        offered,
        "/t/{table}/hint",
        mark("Hint"),
        icon="question",
        script="coach.js",
        prepare=lambda tables, table: tables.service(Coach).prepare(table),
    ),
    remark=pages.remark,
)
