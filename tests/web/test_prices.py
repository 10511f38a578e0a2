"""What routes declare beside themselves. Every route of the application that must say something does."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from fastapi import APIRouter
from fastapi.routing import APIRoute

from paddock.server.app import declared, routers
from paddock.web.api.fast import API
from paddock.web.limits import DRAWING, MAKING, MOST_FORM, MOST_SETUP, MOST_UPLOAD
from paddock.web.prices import Found, Price, Prices, TableId, costs, price_of, table_of

# Any server answers these: they are about the reader, or the operator, and only then about a table
ANYWHERE = {"/admin/tables/{id}", f"{API}/reach/tables/{{id}}"}


def routes() -> Iterator[tuple[str, APIRoute]]:
    """Yield all routes of the application with their addresses."""
    for prefix, some in zip(("", API), routers(), strict=True):
        for router in some:
            for route in router.routes:
                assert isinstance(route, APIRoute)
                yield prefix + route.path, route


ROUTES = list(routes())
PRICES = declared()


@pytest.mark.parametrize(("path", "route"), ROUTES, ids=lambda one: getattr(one, "name", one))
def test_a_route_declares_what_it_must(path: str, route: APIRoute) -> None:
    if route.methods != {"GET"}:
        assert price_of(route), "say with “costs” what it costs, also if that is 1"
    about = path.startswith(("/t/{", f"{API}/tables/{{")) or "/tables/{" in path
    assert (table_of(route) is not None) == (about and path not in ANYWHERE), "is it a TableId?"
    price = price_of(route) or Price()
    assert price.stream == path.endswith("/stream"), "an event stream is counted while it is open"
    if path.startswith(("/admin", "/metrics")):
        assert price.asked == MAKING, "the operator's token is taken here, and guesses are dear"


def test_what_makes_something_is_dear() -> None:
    for method, path, price in (
        ("POST", "/tables", Price(MAKING, most=MOST_SETUP)),
        ("POST", "/api/v1/tables", Price(MAKING, most=MOST_SETUP)),
        ("POST", "/new/lacorsa", Price(MAKING, most=MOST_SETUP)),
        ("POST", "/records", Price(MAKING, most=MOST_UPLOAD)),
        ("POST", "/me/file", Price(MAKING, most=MOST_UPLOAD)),
        ("POST", "/learn/lacorsa", Price(MAKING)),
        ("POST", "/reach/table", Price(MAKING)),
        ("POST", "/reach/push", Price(MAKING, calls=True)),
        ("POST", "/api/v1/reach/channels/x/test", Price(MAKING, calls=True)),
        ("PUT", "/api/v1/reach/tables/x", Price(MAKING)),
        ("GET", "/watch", Price(by_size=True)),
        ("GET", "/healthz", Price(0, early=True)),
        ("GET", "/static/x/main.js", Price(0)),
        ("POST", "/static/x/main.js", Price()),
        ("GET", "/nothing/here", Price()),
    ):
        assert PRICES.at(method, path) == Found(price), path
    for method, path, price in (
        ("POST", "/t/x/explore", Price(MAKING)),
        ("POST", "/api/v1/tables/x/rematch", Price(MAKING)),
        ("POST", "/t/x/analyse", Price(MAKING)),
        ("POST", "/api/v1/tables/x/analysis", Price(MAKING)),
        ("GET", "/api/v1/tables/x/analysis", Price(by_size=True)),
        ("GET", "/t/x/preview.png", Price(DRAWING)),
        ("GET", "/t/x", Price()),
        ("HEAD", "/t/x", Price()),
        ("POST", "/t/x/move", Price()),
        ("GET", "/t/x/review/stream", Price(stream=True)),
    ):
        assert PRICES.at(method, path) == Found(price, "x"), path
    assert DRAWING == 50 and MOST_FORM < MOST_SETUP < MOST_UPLOAD
    for path in ("/t/x/nothing", "/t/" + "x" * 33, "/t/x y"):
        assert PRICES.at("GET", path).table is None


def test_the_first_route_of_an_address_counts_and_what_it_declares_is_looked_up_once() -> None:
    router, late = APIRouter(), APIRouter()

    @router.get("/records/{id}")
    async def plain() -> None: ...

    @router.get("/{kind}/{id}/{more:path}")
    async def deep(kind: str, more: str, id: TableId) -> None: ...

    @router.get("/{kind}/{id}")
    @costs(3, by_size=True)
    async def dear() -> None: ...

    @late.post("/records")
    @costs()
    async def cheap() -> None: ...

    prices = Prices([("", router), ("/api/v1", late)])
    assert prices.at("GET", "/records/x") == Found(Price(1)) != prices.at("GET", "/tables/x")
    assert prices.at("GET", "/tables/x") == Found(Price(3, True))
    assert prices.at("GET", "/tables/x/y/z") == Found(Price(1), "x")
    assert prices.at("POST", "/api/v1/records") == prices.at("POST", "/records") == Found(Price(1))
    scope = {"type": "http", "method": "GET", "path": "/games/tables/x", "root_path": "/games"}
    assert prices.of(scope) == Price(3, True)
    assert prices.found(scope | {"path": "/other"}) is prices.found(scope)
    assert Prices().at("GET", "/healthz") == Found(Price(1))
