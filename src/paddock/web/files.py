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
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

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


class Static(StaticFiles):
    """Serves static files. Browsers cache them for ever, because a new content gets a new address."""

    def __init__(self, known: Mapping[str, Traversable]) -> None:
        super().__init__(directory=STATIC)
        self.known = known

    async def get_response(self, path: str, scope: Scope) -> Response:
        """Return a shared file, or a file of a title or a feature."""
        path, suffix = PurePath(path).as_posix(), PurePath(path).suffix
        own, text = self.known.get(path), None
        if scope["method"] in ("GET", "HEAD"):
            text = await run_in_threadpool(text_of, self.known, path)
        if text is not None:
            brotli = BROTLI and "br" in Headers(scope=scope).get("accept-encoding", "")
            content = await run_in_threadpool(packed if brotli else minified, text, suffix)
            response = Response(content, media_type=KINDS[suffix], headers={"Vary": "Accept-Encoding"})
            if brotli:
                response.headers["Content-Encoding"] = "br"
        elif own and scope["method"] in ("GET", "HEAD"):
            response = Response(own.read_bytes(), media_type=KINDS[suffix])
        else:
            response = await super().get_response(path, scope)
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
