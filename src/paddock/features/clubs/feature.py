"""What clubs and evenings add to Paddock."""

from paddock.features.clubs import api, home, pages
from paddock.features.clubs.service import Clubs
from paddock.web.feature import Feature

FEATURE = Feature(
    __name__,
    service=Clubs,
    pages=home.router,
    api=api.router,
    doors=pages.doors,
    remark=pages.remark,
    named=pages.named,
    needs=["numpy"],
    alone=False,
)
