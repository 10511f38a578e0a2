"""What whoever runs the server gets besides."""

from paddock.features.operating import pages
from paddock.features.operating.service import Operating
from paddock.web.feature import Feature

FEATURE = Feature(__name__, service=Operating, pages=pages.router, alone=False)
