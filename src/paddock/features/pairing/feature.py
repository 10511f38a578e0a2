"""What it adds to Paddock to play with whoever comes next."""

from paddock.features.pairing import api, pages
from paddock.features.pairing.service import Pairing
from paddock.web.feature import Feature

FEATURE = Feature(
    __name__, service=Pairing, pages=pages.router, api=api.router, doors=pages.doors, alone=False
)
