"""What routes are given: the service of this feature."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends

from paddock.features.reviews.service import Reviews
from paddock.web.given import service

GivenReviews = Annotated[Reviews, Depends(service(Reviews))]
