"""What requests cost, in requests of usual size: a route says it where it stands, by ``costs``.

For a route that says nothing, ``limits.cost`` knows it by its address.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from fastapi import APIRouter
from fastapi.routing import APIRoute
from starlette.routing import compile_path

from paddock.web.limits import cost

C = TypeVar("C", bound=Callable[..., Any])
_PRICE = "paddock_price"  # the attribute of a function that answers


@dataclass(frozen=True)
class Price:
    """What a request costs before it is answered, and whether each ``WEIGHED`` bytes of its answer cost as
    much as another one. These are paid afterwards: nobody knows the size before, and what is made is not
    thrown away. Who owes something waits with the next request."""

    asked: float = 1
    by_size: bool = False


def costs(asked: float = 1, *, by_size: bool = False) -> Callable[[C], C]:
    """Declare the price of a route. It stands below ``@router.get(…)``, above the function that answers."""

    def declare(answers: C) -> C:
        setattr(answers, _PRICE, Price(asked, by_size))
        return answers

    return declare


class Prices:
    """The prices of all routes."""

    def __init__(self, routers: Iterable[tuple[str, APIRouter]] = ()) -> None:
        """Read the routes of routers, each with the prefix of its addresses."""
        found: dict[str, list[tuple[str, Price | None]]] = {}
        for prefix, router in routers:
            for route in router.routes:
                if isinstance(route, APIRoute):
                    price: Price | None = getattr(route.endpoint, _PRICE, None)
                    for method in route.methods or ():
                        found.setdefault(method, []).append((_pattern(prefix + route.path), price))
        self._known = {method: _known(some) for method, some in found.items()}

    def of(self, method: str, path: str) -> Price:
        """Return the price of a request."""
        known = self._known.get(method)
        if known is not None and (found := known[0].fullmatch(path)) is not None:
            price = known[1][(found.lastindex or 1) - 1]
            if price is not None:
                return price
        return Price(cost(method, path))


def _pattern(path: str) -> str:
    """Return the pattern of a route's address, without the names of its parts."""
    return re.sub(r"\(\?P<\w+>", "(?:", compile_path(path)[0].pattern).removeprefix("^").removesuffix("$")


def _known(routes: Sequence[tuple[str, Price | None]]) -> tuple[re.Pattern[str], list[Price | None]]:
    """Return a pattern with a group for each route, in their order, and their prices.

    Those after the last that says something are left out: they cannot come before it.
    """
    last = max((n for n, (_pattern, price) in enumerate(routes, 1) if price is not None), default=0)
    some = routes[:last]
    pattern = "|".join(f"({pattern})" for pattern, _price in some) if some else r"(?!)"
    return re.compile(pattern), [price for _pattern, price in some]
