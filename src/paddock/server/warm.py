"""What the first visitors would wait for: routes, modules of titles, templates, compressed files."""

from __future__ import annotations

import gc
from collections.abc import MutableMapping
from importlib import import_module
from pkgutil import walk_packages
from typing import Any

from fastapi import FastAPI

from paddock.bots import levels
from paddock.core.title import titles
from paddock.web.files import pack

# How many more objects than before make Python look for cycles among the newest, and how often it then looks
# at older ones. Its own 700 is reached several times by each request: the search took a seventh of a move.
# A second look takes in all that came since the last one, and nobody is answered meanwhile: with Python's own
# 10, a page of many games held everybody up for 54 ms. The third look is as rare as with 10 and 10.
GARBAGE = 25_000, 4, 25


async def ask(app: FastAPI) -> None:
    """Ask for a page and for something of the API, so that FastAPI builds its routes before anybody waits.

    Neither needs the database, which need not answer yet.
    """
    for asked, path in ((app, "/healthz"), (app.state.api, "/titles")):
        scope = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": "GET",
            "scheme": "http",
            "path": path,
            "raw_path": path.encode(),
            "query_string": b"",
            "headers": [(b"host", b"localhost")],
        }
        await asked(scope, _nothing, _unheard)


async def _nothing() -> MutableMapping[str, Any]:
    return {"type": "http.request", "body": b"", "more_body": False}


async def _unheard(_message: MutableMapping[str, Any]) -> None:
    pass


def warm(app: FastAPI) -> None:
    """Load what tables and pages need, one thing after another: in a thread, when the server has started."""
    gc.set_threshold(*GARBAGE)
    gc.freeze()  # what is there already stays: the collection below would hold everybody up to look at it
    for title in titles().values():
        title.setup_of(title.options.read({}))
        levels(title)
        for module in walk_packages(import_module(title.package).__path__, f"{title.package}."):
            import_module(module.name)
    for feature in app.state.pages.features:
        feature.slow()
    environment = app.state.pages.environment
    for name in environment.list_templates():
        environment.get_template(name)
    pack(app.state.pages.files)
    app.state.api.openapi()
    gc.collect()
    gc.freeze()  # all of this stays too
