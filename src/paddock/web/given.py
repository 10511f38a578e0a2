"""What the functions of routes are given: the service of a feature."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeVar

from fastapi import Request

from paddock.tables import Tables

S = TypeVar("S")


def service(kind: type[S]) -> Callable[[Request], Awaitable[S]]:
    """Return a dependency: ``Annotated[Pairing, Depends(service(Pairing))]`` is the service of a feature."""

    async def given(request: Request) -> S:
        tables: Tables = request.app.state.tables
        return tables.service(kind)

    return given
