"""What each route declares beside itself: what a request costs, how long it may be, and what it opens.

``costs`` declares it, and ``TableId`` that an address names a table. Nothing else knows an address.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Annotated, Any, Final, NamedTuple, TypeVar, get_type_hints

from fastapi import APIRouter
from fastapi.routing import APIRoute
from starlette.routing import compile_path
from starlette.types import Scope

from paddock.tables.make import is_id
from paddock.web.limits import MOST_FORM
from paddock.web.links import place

C = TypeVar("C", bound=Callable[..., Any])
STATIC = "/static/"  # free, whatever stands behind it: browsers cache these files
FOUND = "paddock.found"  # in the scope of a request: what its route declares
_PRICE = "paddock_price"  # the attribute of a function that answers
_TABLE: Final = object()
# The id of a table in an address: of several servers, the one that has this table answers
TableId = Annotated[str, _TABLE]


@dataclass(frozen=True)
class Price:
    """What a request costs, in requests of usual size, and what else it takes of the server.

    ``by_size``: each ``WEIGHED`` bytes of the answer cost as much as another request. These are paid
    afterwards: nobody knows the size before, and what is made is not thrown away. Who owes something waits
    with the next request.
    """

    asked: float = 1  # before it is answered
    by_size: bool = False
    most: int = MOST_FORM  # bytes of its body
    stream: bool = False  # it stays open
    # It adds a way to be called, or tests one. A visitor has as many browsers as they like, so a limit for
    # each browser would not be enough.
    calls: bool = False
    early: bool = False  # it needs no tables: it answers before the database does
    framed: bool = False  # other sites show it in a frame: it sets no cookies


USUAL, FREE = Price(), Price(0)
# A pattern for all routes, and what each of its groups declares: the price, and whether its table follows
_Known = tuple[re.Pattern[str], dict[int, tuple[Price, bool]]]


class Found(NamedTuple):
    """What the route of a request declares, and the id of the table that its address names."""

    price: Price
    table: str | None = None


def costs(
    asked: float = 1,
    *,
    by_size: bool = False,
    most: int = MOST_FORM,
    stream: bool = False,
    calls: bool = False,
    early: bool = False,
    framed: bool = False,
) -> Callable[[C], C]:
    """Declare the price of a route. It stands below ``@router.get(…)``, above the function that answers.

    Only a GET of usual price may do without.
    """

    def declare(answers: C) -> C:
        setattr(answers, _PRICE, Price(asked, by_size, most, stream, calls, early, framed))
        return answers

    return declare


def price_of(route: APIRoute) -> Price | None:
    """Return what a route declares; None if it says nothing."""
    price: Price | None = getattr(route.endpoint, _PRICE, None)
    return price


def table_of(route: APIRoute) -> str | None:
    """Return the name of the part of a route's address that is a ``TableId``; None without one."""
    hints = get_type_hints(route.endpoint, include_extras=True).items()
    return next((name for name, hint in hints if _TABLE in getattr(hint, "__metadata__", ())), None)


class Prices:
    """What all routes declare."""

    def __init__(self, routers: Iterable[tuple[str, APIRouter]] = ()) -> None:
        """Read the routes of routers, each with the prefix of its addresses."""
        routes: dict[str, list[tuple[str, Price, bool]]] = {}
        for prefix, router in routers:
            for route in router.routes:
                if isinstance(route, APIRoute):
                    table = table_of(route)
                    one = _pattern(prefix + route.path, table), price_of(route) or USUAL, table is not None
                    for method in route.methods or ():
                        routes.setdefault(method, []).append(one)
        self._known = {method: _known(some) for method, some in routes.items()}

    def of(self, scope: Scope) -> Price:
        """Return what the route of a request declares."""
        return self.found(scope).price

    def found(self, scope: Scope) -> Found:
        """Return what the route of a request declares, and the table in its address: matched once."""
        if FOUND not in scope:
            scope[FOUND] = self.at(scope["method"], place(scope))
        found: Found = scope[FOUND]
        return found

    def at(self, method: str, path: str) -> Found:
        """Return the same for an address. HEAD is answered as GET."""
        method = "GET" if method == "HEAD" else method
        known = self._known.get(method)
        if known is None or (found := known[0].fullmatch(path)) is None:
            return Found(FREE if method in ("GET", "OPTIONS") and path.startswith(STATIC) else USUAL)
        group = found.lastindex or 1  # the group around the route closes last
        price, named = known[1][group]
        return Found(price, found[group + 1] if named and is_id(found[group + 1]) else None)


def _pattern(path: str, table: str | None) -> str:
    """Return the pattern of a route's address in a group, with a group for its table, and no others."""

    def group(found: re.Match[str]) -> str:
        return "(" if found[1] == table else "(?:"

    pattern = re.sub(r"\(\?P<(\w+)>", group, compile_path(path)[0].pattern)
    return f"({pattern.removeprefix('^').removesuffix('$')})"


def _known(routes: Iterable[tuple[str, Price, bool]]) -> _Known:
    """Return a pattern for these routes, in their order, and what the group of each means."""
    patterns, groups, next_group = [], {}, 1
    for pattern, price, named in routes:
        patterns.append(pattern)
        groups[next_group] = price, named
        next_group += 1 + named
    return re.compile("|".join(patterns)), groups
