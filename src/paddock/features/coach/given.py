"""What routes are given: the service of this feature."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends

from paddock.features.coach.service import Coach
from paddock.web.given import service

GivenCoach = Annotated[Coach, Depends(service(Coach))]
