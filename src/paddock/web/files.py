"""Static files as they are sent: scripts and style sheets are minified, and compressed once for all browsers,
as drawings are.

Style sheets only lose their comments and indentation: rcssmin reads ``a :is(b)`` as ``a:is(b)``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from importlib.resources.abc import Traversable
from pathlib import PurePath

from rjsmin import jsmin
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from paddock.tables.threads import off_loop
from paddock.web.links import place
from paddock.web.packing import BROTLI, with_brotli
from paddock.web.pages import STATIC
from paddock.web.titles import KINDS

TEXTS = (".js", ".css", ".svg")
# What every page needs is sent as one style sheet: three files take an eighth more bytes.
HOUSE, SHEETS = "house.css", ("paddock.css", "components.css", "table.css")
# In style sheets, whose texts in quotes have none of these signs
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_AROUND = re.compile(r"\s*([{};]|[<>]=?)\s*|(?<=[:,])\s+")
BEST = 11  # of brotli: a tenth of a second for all files, once


class Static:
    """Serves static files. Browsers cache them for ever, because a new content gets a new address."""

    def __init__(self, known: Mapping[str, Traversable]) -> None:
        self.known = known

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request. Raises ``HTTPException`` if there is no such file."""
        await (await self._response(scope))(scope, receive, send)

    async def _response(self, scope: Scope) -> Response:
        if scope["method"] not in ("GET", "HEAD"):
            raise HTTPException(405, headers={"Allow": "GET, HEAD"})
        path = PurePath(place(scope).lstrip("/")).as_posix()
        suffix, text = PurePath(path).suffix, await off_loop(text_of, self.known, path)
        if text is not None:
            brotli = BROTLI and "br" in Headers(scope=scope).get("accept-encoding", "")
            content = await off_loop(packed if brotli else minified, text, suffix)
            response = Response(content, media_type=KINDS[suffix], headers={"Vary": "Accept-Encoding"})
            if brotli:
                response.headers["Content-Encoding"] = "br"
        elif own := self.known.get(path):
            response = Response(own.read_bytes(), media_type=KINDS.get(suffix))
        else:
            raise HTTPException(404)
        response.headers["Cache-Control"] = "public, max-age=31536000, immutable"
        return response


@lru_cache(maxsize=256)
def minified(text: str, suffix: str) -> bytes:
    """Return a script or a style sheet without comments and without needless space; a drawing as it is."""
    if suffix == ".js":
        return str(jsmin(text)).encode()
    if suffix == ".svg":
        return text.encode()
    line = " ".join(_COMMENT.sub("", text).split())
    return _AROUND.sub(r"\1", line).replace(";}", "}").encode()


@lru_cache(maxsize=256)
def packed(text: str, suffix: str) -> bytes:
    """The same, compressed with brotli."""
    return with_brotli(minified(text, suffix), BEST)


def text_of(known: Mapping[str, Traversable], path: str) -> str | None:
    """Return the text with this path among the known files; None if there is none."""
    if path == HOUSE:
        return "".join((STATIC / name).read_text("utf-8") for name in SHEETS)
    file = known.get(path)
    return file.read_text("utf-8") if file and PurePath(path).suffix in TEXTS else None


def pack(known: Mapping[str, Traversable]) -> None:
    """Compress all scripts and style sheets, so that no visitor waits for it."""
    prepare = packed if BROTLI else minified
    for path in (HOUSE, *(known.keys() - set(SHEETS))):
        if text := text_of(known, path):
            prepare(text, PurePath(path).suffix)
