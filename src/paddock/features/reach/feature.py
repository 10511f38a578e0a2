"""What calls add to Paddock."""

from paddock.core.i18n import mark
from paddock.features.reach import api, pages
from paddock.features.reach.service import Reach
from paddock.web.feature import Feature, FeatureLink


def _slow() -> None:
    """Load what takes a tenth of a second each."""
    import paddock.features.reach.calendar
    import paddock.features.reach.push  # noqa: F401 # loaded is all that they have to be


FEATURE = Feature(
    __name__,
    service=Reach,
    pages=pages.router,
    api=api.router,
    settings=[FeatureLink("/reach", mark("Reach me"))],
    at_table=[FeatureLink("/reach?table={table}", mark("Notify me when it is my turn"))],
    notifier="push.js",
    worker="sw.js",
    needs=["cryptography"],
    alone=False,
    slow=_slow,
    shut_out=mark(
        "Notifications on devices and the link of your calendar end too. E-mail and other ways of “Reach me”"
        " stay: remove there what is not yours."
    ),
)
