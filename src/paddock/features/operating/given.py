"""What routes are given: the way in, and the service of this feature."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Request
from starlette.exceptions import HTTPException

from paddock.features.operating.entry import TokenEntry
from paddock.features.operating.service import Operating
from paddock.web.given import service


async def entry_of(request: Request) -> TokenEntry:
    """Return the way in at this process, also while its database does not answer; raise a 404 without one."""
    state = request.app.state
    if not state.settings.admin_token:
        raise HTTPException(404)
    if not hasattr(state, "entry"):
        state.entry = TokenEntry(state.settings.admin_token)
    entry: TokenEntry = state.entry
    return entry


GivenEntry = Annotated[TokenEntry, Depends(entry_of)]
GivenOperating = Annotated[Operating, Depends(service(Operating))]
