"""Bodies of requests, read: long ones in a worker process.

Two megabytes of tiny values take a tenth of a second. A thread would not help: parsers written in C hold the
lock of the interpreter all the time.
"""

from __future__ import annotations

import asyncio
import json
from typing import Any
from urllib.parse import parse_qsl

from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException
from starlette.formparsers import MultiPartException
from starlette.requests import Request
from starlette.types import Message

from paddock.core.errors import PaddockError
from paddock.core.i18n import _
from paddock.core.wording import number
from paddock.tables.threads import off_loop
from paddock.tables.workers import Workers

LONG = 64 * 1024  # bytes; a shorter body is read in a few milliseconds
MOST_FIELDS = 200  # of a form
MOST_FILES = 8  # of a form: a title may have several options with data
MOST_PART = 2 * 1024 * 1024  # bytes of a field or a file
MOST_VALUES = 10_000  # in JSON; a table with all its options has some hundred
MOST_DEPTH = 50  # lists and objects inside each other
URLENCODED, MULTIPART = "application/x-www-form-urlencoded", "multipart/form-data"


class BadBody(PaddockError):
    """A body that is not what it should be, or has too many parts."""


async def fields(request: Request) -> dict[str, str]:
    """Return the fields of a form, the last one of each name. The value of a file is its text.

    Raises ``Busy``, ``Stopped``, and ``HTTPException`` for anything but a form.
    """
    kind = request.headers.get("content-type", "")
    if _media(kind) not in (URLENCODED, MULTIPART):
        raise HTTPException(415, _("Send this as a form."))
    body = await request.body()
    try:
        if len(body) > LONG:
            return await _workers(request).run(read_form, body, kind)
        return await off_loop(read_form, body, kind)
    except BadBody as error:
        raise HTTPException(400, str(error)) from None


async def values(request: Request) -> Any:
    """Return a body in JSON. Raises ``Busy``, ``Stopped`` and ``BadBody``."""
    body = await request.body()
    return await _workers(request).run(read_json, body) if len(body) > LONG else read_json(body)


def _workers(request: Request) -> Workers:
    workers: Workers = request.app.state.tables.workers
    return workers


def _media(kind: str) -> str:
    return kind.partition(";")[0].strip().lower()


# These two also run in workers.


def read_form(body: bytes, kind: str) -> dict[str, str]:
    """Return the fields of a form of this content type; raise ``BadBody``."""
    if _media(kind) == MULTIPART:
        return asyncio.run(_read_parts(body, kind))
    try:
        return dict(parse_qsl(body.decode(), True, errors="strict", max_num_fields=MOST_FIELDS))
    except UnicodeDecodeError:
        raise BadBody(_("This form is not UTF-8 text.")) from None
    except ValueError:
        raise BadBody(_("A form has at most {n} fields.").format(n=MOST_FIELDS)) from None


async def _read_parts(body: bytes, kind: str) -> dict[str, str]:
    async def receive() -> Message:
        return {"type": "http.request", "body": body, "more_body": False}

    request = Request({"type": "http", "headers": [(b"content-type", kind.encode("latin-1"))]}, receive)
    out: dict[str, str] = {}
    try:
        form = request.form(max_files=MOST_FILES, max_fields=MOST_FIELDS, max_part_size=MOST_PART)
        async with form as parts:
            for name, value in parts.multi_items():
                text = (await value.read()).decode("utf-8-sig") if isinstance(value, UploadFile) else value
                if text or name not in out or not isinstance(value, UploadFile):
                    out[name] = text
    except MultiPartException as error:
        raise BadBody(error.message) from None
    except UnicodeDecodeError:
        raise BadBody(_("This file is not UTF-8 text.")) from None
    return out


def read_json(body: bytes) -> Any:
    """Return what a body in JSON says; raise ``BadBody``."""
    try:
        found = json.loads(body)
    except json.JSONDecodeError as error:
        words = _("the body is no JSON, at character {n}")
        raise BadBody(words.format(n=error.pos + 1)) from None
    except (RecursionError, UnicodeDecodeError):
        raise BadBody(_("the body cannot be read as JSON")) from None
    level, count, depth = [found], 0, 0
    while level:
        count, depth = count + len(level), depth + 1
        if count > MOST_VALUES or depth > MOST_DEPTH:
            words = _("the body has too many parts: send at most {n} values, and {depth} lists in each other")
            raise BadBody(words.format(n=number(MOST_VALUES, ","), depth=MOST_DEPTH))
        level = [part for whole in level for part in _parts(whole)]
    return found


def _parts(whole: Any) -> list[Any]:
    return whole if isinstance(whole, list) else list(whole.values()) if isinstance(whole, dict) else []
