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

from paddock.server.app import create_app
from sampling import SEED, count, some
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
    headers = somebody(open_server)
    for phase, body in (
        ("play", RACE | {"seats": ["me", "me", "rookie", "rookie"]}),
        ("lobby", RACE | {"seats": ["me", "open", "open", "rookie"], "lobby": True, "listed": True}),
    ):
        IDS[phase] = fine(httpx.post(f"{url}/tables", json=body, headers=headers, timeout=None), 201)["id"]
    schema = schemathesis.openapi.from_url(f"{url}/openapi.json", timeout=None)
    schema.config.update(headers=headers)
    return schema


def somebody(server: Server) -> dict[str, str]:
    """The headers of a new player."""
    made = httpx.post(f"{server.url}api/v1/tokens", json={"label": "tester"}, timeout=None)
    return {"Authorization": f"Bearer {fine(made, 201)['token']}"}


def operations() -> Iterator[tuple[str, str, GenerationMode]]:
    """Yield every operation except the stream, which never ends, and whether its requests are valid.

    An operation without parameters has no invalid requests, and to look for some takes long.
    """
    for path, methods in create_app("sqlite://").state.api.openapi()["paths"].items():
        for method, facts in () if path.endswith("/stream") else methods.items():
            given = facts.get("parameters") or facts.get("requestBody")
            modes = list(GenerationMode) if given else [GenerationMode.POSITIVE]
            for mode in some(modes, 1, f"{method} {path}"):
                yield path, method, mode


@pytest.mark.slow("the first one reads the description of the API")
@pytest.mark.parametrize(("path", "method", "mode"), [*operations()])
def test_no_request_breaks_the_server(
    api_schema: Any, open_server: Server, path: str, method: str, mode: GenerationMode
) -> None:
    """No 5xx; every response has a status, a media type and a schema of the description."""

    @seed(SEED)
    @settings(max_examples=count(2, 15), suppress_health_check=list(HealthCheck))
    @given(api_schema[path][method].as_strategy(generation_mode=mode))
    def ask(case: schemathesis.Case) -> None:
        if (path, method) == ("/me", "delete"):  # which ends the token
            case.headers.update(somebody(open_server))
        case.validate_response(case.call(timeout=None), checks=CHECKS)
        for id in IDS.values() if "{id}" in path else ():
            case.path_parameters["id"] = id
            case.validate_response(case.call(timeout=None), checks=CHECKS)

    with suppress(Unsatisfiable):  # all that could be sent is valid
        ask()


# ---- routes that the API does not describe: of whoever runs the server, and of a browser

TOKEN = "correct-horse-battery"
TEXT: Any = {"type": "string"}
WORDS = ("close", "open", "delete", "yes", "lacorsa", "rasant", "live", "days", "nice", "3")


def _operation(*parameters: tuple[str, str], body: tuple[str, ...] = ()) -> dict[str, Any]:
    """Describe a route: parameters (where, name) and the fields of its form."""
    found: dict[str, Any] = {
        "parameters": [
            {"in": where, "name": name, "schema": TEXT, "required": where == "path"}
            for where, name in parameters
        ],
        "responses": {"default": {"description": "any"}},
    }
    if body:
        fields = {name: {"anyOf": [TEXT, {"enum": [*WORDS, TOKEN]}]} for name in body}
        form = {"schema": {"type": "object", "properties": fields}}
        found["requestBody"] = {"content": {"application/x-www-form-urlencoded": form}}
    return found


FOR_OPERATORS = ("/metrics", "/admin")
COOKIE = ("cookie", "paddock_admin")
OWN = ("cookie", "paddock_browser")
OPERATOR: dict[str, Any] = {
    "openapi": "3.0.3",
    "info": {"title": "For whoever runs the server", "version": "1"},
    "paths": {
        "/readyz": {"get": _operation()},
        "/healthz/stream": {
            "get": _operation(("header", "X-Forwarded-For"), ("header", "X-Forwarded-Proto"))
        },
        "/metrics": {"get": _operation(("header", "Authorization"), COOKIE)},
        "/admin": {
            "get": _operation(("header", "Authorization"), COOKIE),
            "post": _operation(COOKIE, body=("token", "leave")),
        },
        "/admin/tables/{id}": {"post": _operation(("path", "id"), COOKIE, body=("do",))},
        "/me": {"get": _operation(("query", "all"), OWN), "post": _operation(OWN, body=("name", "number"))},
        "/me/file": {"get": _operation(OWN), "post": _operation(OWN, body=("file",))},
        "/me/device": {"post": _operation(OWN, body=("do",))},
        "/me/device/{secret}": {
            "get": _operation(("path", "secret"), OWN),
            "post": _operation(("path", "secret"), ("query", "lose"), OWN, body=("do",)),
        },
        "/me/alone": {"post": _operation(OWN, body=("next",))},
        "/me/forget": {"post": _operation(OWN, body=("sure",))},
        "/pair": {
            "get": _operation(("query", "title"), ("query", "pace"), OWN),
            "post": _operation(OWN, body=("title", "pace", "name")),
        },
        "/pair/leave": {"post": _operation(OWN, body=("title", "pace"))},
        "/t/{id}/react": {"post": _operation(("path", "id"), OWN, body=("player", "phrase"))},
        "/files/{name}/{option}": {
            "get": _operation(("path", "name"), ("path", "option"), ("query", "of")),
        },
    },
}


@pytest.fixture(scope="module")
def guarded_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with a token for its operator, and without rate limits."""
    with pytest.MonkeyPatch.context() as patch:
        for name, value in (("RATE_ADDRESS", "0"), ("RATE_HOLDER", "0"), ("ADMIN_TOKEN", TOKEN)):
            patch.setenv(f"PADDOCK_{name}", value)
        with serving(tmp_path_factory.mktemp("guarded")) as server:
            yield server


def visits() -> list[tuple[str, str, bool]]:
    """Return the operations, and whether the operator asks: of one for whoever runs the server, both ask."""
    found = [(path, method) for path, methods in OPERATOR["paths"].items() for method in methods]
    return [
        (path, method, known)
        for path, method in found
        for known in some([False, True], 1 + path.startswith(FOR_OPERATORS), f"{method} {path}")
    ]


@pytest.mark.parametrize(("path", "method", "known"), visits())
def test_no_request_of_a_stranger_or_an_operator_breaks_the_server(
    guarded_server: Server, path: str, method: str, known: bool
) -> None:
    schema = schemathesis.openapi.from_dict(OPERATOR)
    schema.config.update(base_url=guarded_server.url.rstrip("/"))
    if known:
        schema.config.update(headers={"Authorization": f"Bearer {TOKEN}"})

    @seed(SEED)
    @settings(max_examples=1 if "stream" in path else count(6, 50), suppress_health_check=list(HealthCheck))
    @given(schema[path][method].as_strategy())
    def ask(case: schemathesis.Case) -> None:
        answer = case.call(timeout=None, allow_redirects=False)
        case.validate_response(answer, checks=[not_a_server_error])
        if not known and path.startswith(FOR_OPERATORS):
            assert "paddock_moves_total" not in answer.text and "/admin/tables" not in answer.text

    ask()
