"""What routes are given: the service of this feature."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends

from paddock.features.reach.service import Reach
from paddock.web.given import service

GivenReach = Annotated[Reach, Depends(service(Reach))]
