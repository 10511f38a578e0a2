"""What routes are given: the service of this feature."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends

from paddock.features.puzzles.service import Puzzles
from paddock.web.given import service

GivenPuzzles = Annotated[Puzzles, Depends(service(Puzzles))]
