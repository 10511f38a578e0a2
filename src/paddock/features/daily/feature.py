"""What the race of the day adds to Paddock."""

from paddock.core.i18n import mark
from paddock.features.daily import api, pages
from paddock.features.daily.service import Daily
from paddock.web.feature import Feature, Place

FEATURE = Feature(
    __name__,
    service=Daily,
    pages=pages.router,
    api=api.router,
    doors=pages.doors,
    remark=pages.remark,
    named=pages.named,
    today=pages.today_of,
    place=Place("/daily", mark("Today"), "day", rank=3),
)
