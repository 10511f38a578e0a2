"""Valid and invalid requests, generated from the API's description, to a running server."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, given, seed, settings
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)
from starlette.datastructures import State

from paddock.web.api import api
from sampling import SEED, count
from web.api_helpers import RACE, fine
from web.conftest import Server, serving

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]
pytestmark = pytest.mark.xdist_group("schemathesis")  # one server
IDS: dict[str, str] = {}  # phase → id of a table


@pytest.fixture(scope="module")
def open_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server without rate limits."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PADDOCK_RATE_ADDRESS", "0")
        patch.setenv("PADDOCK_RATE_HOLDER", "0")
        with serving(tmp_path_factory.mktemp("open")) as server:
            yield server


@pytest.fixture(scope="module")
def api_schema(open_server: Server) -> Any:
    """The API's description, with the token of a player who has a running table and hosts a lobby."""
    url = f"{open_server.url}api/v1"
    token = fine(httpx.post(f"{url}/tokens", json={"label": "tester"}, timeout=None), 201)["token"]
    headers = {"Authorization": f"Bearer {token}"}
    for phase, body in (
        ("play", RACE | {"seats": ["me", "me", "rookie", "rookie"]}),
        ("lobby", RACE | {"seats": ["me", "open", "open", "rookie"], "lobby": True, "listed": True}),
    ):
        IDS[phase] = fine(httpx.post(f"{url}/tables", json=body, headers=headers, timeout=None), 201)["id"]
    schema = schemathesis.openapi.from_url(f"{url}/openapi.json", timeout=None)
    schema.config.update(headers=headers)
    return schema


def operations() -> list[tuple[str, str]]:
    """Return every operation except the stream, which never ends."""
    paths = api(State()).openapi()["paths"]
    return [(path, method) for path in paths for method in paths[path] if not path.endswith("/stream")]


@pytest.mark.parametrize(("path", "method"), operations())
@pytest.mark.parametrize("mode", GenerationMode)
def test_no_request_breaks_the_server(api_schema: Any, path: str, method: str, mode: GenerationMode) -> None:
    """No 5xx; every response has a status, a media type and a schema of the description."""

    @seed(SEED)
    @settings(max_examples=count(2, 15), suppress_health_check=list(HealthCheck))
    @given(api_schema[path][method].as_strategy(generation_mode=mode))
    def ask(case: schemathesis.Case) -> None:
        case.validate_response(case.call(timeout=None), checks=CHECKS)
        for id in IDS.values() if "{id}" in path else ():
            case.path_parameters["id"] = id
            case.validate_response(case.call(timeout=None), checks=CHECKS)

    with suppress(Unsatisfiable):  # an operation without parameters has no invalid requests
        ask()
