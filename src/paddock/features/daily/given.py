"""What routes are given: the service of this feature."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends

from paddock.features.daily.service import Daily
from paddock.web.given import service

GivenDaily = Annotated[Daily, Depends(service(Daily))]
