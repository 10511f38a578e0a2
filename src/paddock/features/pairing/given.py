"""What routes are given: the service of this feature."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends

from paddock.features.pairing.service import Pairing
from paddock.web.given import service

GivenPairing = Annotated[Pairing, Depends(service(Pairing))]
