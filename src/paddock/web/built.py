"""Whole answers whose size follows from stored data, such as files and lists of the API.

They are made and compressed beside the event loop, and kept as they are sent: see ``tables/built.py``. Who
sends the tag of the answer that they have (``If-None-Match``) does not get it again. The price of such a
route counts what is sent: ``costs(by_size=True)`` in ``prices.py``.
"""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Awaitable, Callable, Hashable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from fastapi import Request
from starlette.responses import Response
from starlette_compress._utils import parse_accept_encoding

from paddock.core.i18n import language
from paddock.tables import Tables
from paddock.web.packing import BROTLI, with_brotli

D = TypeVar("D")
LEAST = 500  # bytes of an answer that is compressed
JSON, TEXT, CALENDAR = "application/json", "text/plain; charset=utf-8", "text/calendar; charset=utf-8"
AROUND = 500  # bytes that an answer takes in memory besides itself
PACKED: Mapping[str, Callable[[bytes], bytes]] = {
    **({"br": lambda body: with_brotli(body, 6)} if BROTLI else {}),
    "gzip": lambda body: gzip.compress(body, 6, mtime=0),
}


@dataclass(frozen=True)
class BuiltAnswer:
    """An answer as it is sent, and the tag of what it says."""

    body: bytes
    tag: str
    encoding: str | None = None

    @classmethod
    def of(cls, text: str | bytes, encoding: str | None) -> BuiltAnswer:
        """Return a text as an answer, compressed if it is worth it."""
        body = text.encode() if isinstance(text, str) else text
        tag = f'W/"{hashlib.blake2b(body, digest_size=12).hexdigest()}"'
        if encoding is None or len(body) < LEAST:
            return cls(body, tag)
        return cls(PACKED[encoding](body), tag, encoding)


async def answer(
    request: Request,
    key: Hashable,
    stamp: Hashable,
    read: Callable[[], Awaitable[D]],
    make: Callable[[D], str | bytes],
    media_type: str,
    headers: Mapping[str, str] | None = None,
) -> Response:
    """Return what ``make`` makes of what ``read`` returns, as ``Built.of`` does.

    Who may see something else has another ``key``. Raises ``Busy``.
    """
    tables: Tables = request.app.state.tables
    accepted = parse_accept_encoding(request.headers.get("accept-encoding", ""))
    encoding = next((one for one in PACKED if one in accepted), None)
    found = await tables.built.of(
        ("answer", key, language.get(), encoding),
        stamp,
        read,
        lambda data: BuiltAnswer.of(make(data), encoding),
        lambda one: len(one.body) + AROUND,
    )
    said = tagged(found.tag) | {"Vary": "Accept-Encoding"}
    said |= headers or {}
    if has(request, found.tag):
        return Response(status_code=304, headers=said)
    if found.encoding:
        said["Content-Encoding"] = found.encoding
    return Response(found.body, media_type=media_type, headers=said)


def tagged(tag: str) -> dict[str, str]:
    """Return the headers of an answer with a tag: whoever has it asks whether it is still good."""
    return {"ETag": tag, "Cache-Control": "private, no-cache"}


def has(request: Request, tag: str) -> bool:
    """Whether the sender of a GET has the answer with this tag."""
    known = request.headers.get("if-none-match", "").split(",")
    return request.method == "GET" and tag in (each.strip() for each in known)


async def nothing() -> Any:
    """Read nothing: all that is needed is known."""
    return None
