"""No answer of the API or of a form sends back what turns its line around, or cannot be seen."""

from __future__ import annotations

import html
import importlib
import inspect
import pkgutil
import re
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import quote

import httpx
import pytest
from fastapi import FastAPI
from fastapi.routing import APIRoute

from paddock import web
from test_shown import HOSTILE, unseen
from web.api_helpers import RACE, fine, program
from web.helpers import table

pytestmark = pytest.mark.anyio
FIELDS = re.compile(r"(?:values|said|fields\(request\)\))(?:\.get\(|\[)'([a-z_-]+)'|\(values, '([a-z_-]+)'")
UNREAD = re.compile(r"<(textarea|script|style)\b.*?</\1>|<[^>]*>", re.DOTALL)


def usual(schema: Mapping[str, Any], known: Mapping[str, Any]) -> Any:
    """Return a value of a schema that has a chance to be valid."""
    if "$ref" in schema:
        schema = known[schema["$ref"].rpartition("/")[2]]
    for word in ("default", "const"):
        if word in schema:
            return schema[word]
    for word in ("examples", "enum"):
        if word in schema:
            return schema[word][0]
    if "anyOf" in schema:
        return usual(schema["anyOf"][0], known)
    if schema.get("type") == "object":
        parts = schema.get("properties", {})
        return {name: usual(parts[name], known) for name in schema.get("required", ()) if name in parts}
    return {"integer": 0, "boolean": True, "array": [], "number": 0.0}.get(schema.get("type", ""), "x")


def bodies(schema: Mapping[str, Any], known: Mapping[str, Any]) -> Iterator[Any]:
    """Yield bodies with hostile letters in one place each."""
    whole = usual(schema, known)
    if "$ref" in schema:
        schema = known[schema["$ref"].rpartition("/")[2]]
    yield HOSTILE
    yield whole | {HOSTILE: 1}
    for name in schema.get("properties", {}):
        for value in (HOSTILE, [HOSTILE], {HOSTILE: HOSTILE}, f"{whole.get(name)}{HOSTILE}"):
            yield whole | {name: value}


@pytest.mark.slow("each part of each request is sent")
async def test_no_refusal_of_the_api_does(app: FastAPI, client: httpx.AsyncClient) -> None:
    """Each operation with each part of its body, each parameter, and some that it has not."""
    app.state.checks.limits.address.rate = app.state.checks.limits.holder.rate = 0
    api = await program(app)
    id = fine(await api.post("/tables", json=RACE | {"seats": ["me", "me", "rookie", "rookie"]}), 201)["id"]
    described = app.state.api.openapi()
    known, wrong, refused = described["components"]["schemas"], list[str](), 0
    for path, methods in described["paths"].items():
        for method, facts in methods.items():
            if path.endswith("/stream") or (path, method) == ("/me", "delete"):
                continue
            spots = {one["name"]: one["in"] for one in facts.get("parameters", ())}
            content = facts.get("requestBody", {}).get("content", {}).get("application/json", {})
            asks: list[dict[str, Any]] = [{"params": {HOSTILE: HOSTILE}}]
            asks += [{"params": {name: HOSTILE}} for name, where in spots.items() if where == "query"]
            asks += [{"json": one} for one in bodies(content["schema"], known)] if content else []
            right = {name: {"id": id, "name": "lacorsa"}.get(name, quote(HOSTILE)) for name in spots}
            for ask in asks:
                answer = await api.request(method, path.format(**right), **ask)
                if answer.status_code >= 400:
                    refused += 1
                    if unseen(answer.json()["error"]):
                        wrong.append(f"{method} {path} {ask}: {answer.json()['error']}")
    assert refused > 100 and wrong == []


def posts() -> Iterator[tuple[str, list[str]]]:
    """Yield the addresses of all forms, each with the names of the fields that its module reads."""
    for found in pkgutil.iter_modules(web.__path__, "paddock.web."):
        module = importlib.import_module(found.name)
        names = FIELDS.findall(inspect.getsource(module).replace('"', "'"))
        for route in module.router.routes if hasattr(module, "router") else ():
            if isinstance(route, APIRoute) and "POST" in route.methods:
                yield route.path, sorted({one or other for one, other in names})


@pytest.mark.slow("each field of each form is sent")
async def test_no_refusal_of_a_form_does(app: FastAPI, client: httpx.AsyncClient) -> None:
    """Each field of each form in hostile letters. A page shows what somebody typed in its own field."""
    limits = app.state.checks.limits
    limits.address.rate = limits.holder.rate = limits.calls.rate = 0
    right = {"id": (await table(client)).rpartition("/")[2], "name": "lacorsa", "purpose": "stop"}
    refused, wrong = 0, list[str]()
    for path, names in posts():
        where = re.sub(r"\{(\w+)[^}]*\}", lambda found: right.get(found[1], quote(HOSTILE)), path)
        valid = {"remind": "0", "do": "close", "seat": "0", "decision": "0"}
        for form in (dict.fromkeys(names, HOSTILE), *(valid | {name: HOSTILE} for name in names)):
            answer = await client.post(where, data=form)
            if answer.status_code >= 400:
                refused += 1
                text = re.sub("[\xa0\xad\r]", "", html.unescape(UNREAD.sub(" ", answer.text)))
                if unseen(text):
                    wrong.append(f"{where} {[*form]}: {' '.join(text.split())[:300]}")
    assert refused > 100 and wrong == []
