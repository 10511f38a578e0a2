"""What routes are given: the service of this feature."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends

from paddock.features.analyses.service import Analyses
from paddock.web.given import service

GivenAnalyses = Annotated[Analyses, Depends(service(Analyses))]
