"""Calls players who are away when it is their turn: by push, webhooks, e-mail and a calendar."""

from paddock.core.i18n import mark
from paddock.features.reach import api, pages
from paddock.features.reach.service import Reach
from paddock.web.feature import Feature, Link

FEATURE = Feature(
    __name__,
    service=Reach,
    pages=pages.router,
    api=api.router,
    settings=[Link("/reach", mark("Reach me"))],
    at_table=[Link("/reach?table={table}", mark("Call me when it is my turn"))],
    notifier="push.js",
    # A tenth of a second each
    slow=("paddock.features.reach.calendar", "paddock.features.reach.push"),
    shut_out=mark(
        "Notifications on devices and the link of your calendar end too. E-mail and other ways of «Reach me»"
        " stay: remove there what is not yours."
    ),
)
