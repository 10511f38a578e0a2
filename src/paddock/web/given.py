"""What the functions of routes are given: the tables, the pages, and the service of a feature."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Annotated, TypeVar

from fastapi import Depends, Request

from paddock.tables import Tables
from paddock.web.pages import Pages

S = TypeVar("S")

# All are «async», so that no thread is used.


async def _tables(request: Request) -> Tables:
    tables: Tables = request.app.state.tables
    return tables


async def _pages(request: Request) -> Pages:
    pages: Pages = request.app.state.pages
    return pages


GivenTables = Annotated[Tables, Depends(_tables)]
GivenPages = Annotated[Pages, Depends(_pages)]


def service(kind: type[S]) -> Callable[[Tables], Awaitable[S]]:
    """Return a dependency: ``Annotated[Pairing, Depends(service(Pairing))]`` is the service of a feature."""

    async def given(tables: GivenTables) -> S:
        return tables.service(kind)

    return given
