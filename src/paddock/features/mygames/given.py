"""What routes are given: the service of this feature."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends

from paddock.features.mygames.service import MyGames
from paddock.web.given import service

GivenMyGames = Annotated[MyGames, Depends(service(MyGames))]
