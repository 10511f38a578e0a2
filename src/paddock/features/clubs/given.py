"""What routes are given: the service of this feature."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends

from paddock.features.clubs.service import Clubs
from paddock.web.given import service

GivenClubs = Annotated[Clubs, Depends(service(Clubs))]
