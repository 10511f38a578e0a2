"""What the shell page shows while Python starts: home as a static page, made by the application."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping, Sequence
from tempfile import TemporaryDirectory
from typing import Any

from paddock.core.i18n import LOCALE, languages
from paddock.device.root import RunningApp, start

BASE = "/paddock-base"  # the base path while the pages are made: browsers find the real one
_STATIC = re.compile(rf'"{BASE}/static/\w+/([\w./-]+\.(?:css|svg))"')
_SCRIPTS = re.compile(r"<script\b.*?</script>\s*|<link rel=\"manifest\"[^>]*>\s*", re.DOTALL)
_POLICY = (
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'self'; "
    "img-src 'self' data:; form-action 'self'\">"
)


def file_name(code: str) -> str:
    """Return the name of the page in a language."""
    return f"home.{code}.html"


def still(page: str) -> str:
    """Return a page without scripts, with the addresses that it has as a file of the pack."""
    page = _SCRIPTS.sub("", page).replace("<head>", f"<head>\n{_POLICY}", 1)
    page = _STATIC.sub(lambda named: f'"{named[1].replace("/", "-")}"', page)
    return page.replace(f'"{BASE}/', '"../../')


def homes() -> dict[str, bytes]:
    """Return the pages, and the style sheets and pictures that they name, as files of the pack."""
    with TemporaryDirectory() as folder:
        return asyncio.run(_homes(folder))


async def _homes(folder: str) -> dict[str, bytes]:
    files: dict[str, bytes] = {}
    device = await start(BASE, folder)
    async with device.running:
        for code in ("en", *languages(LOCALE)):
            page = (await _get(device, f"{BASE}/", {"accept-language": code})).decode()
            for named in _STATIC.finditer(page):
                files[named[1].replace("/", "-")] = await _get(device, named[0].strip('"'), {})
            files[file_name(code)] = still(page).encode()
    return files


async def _get(device: RunningApp, address: str, headers: Mapping[str, str]) -> bytes:
    """Return what the application answers. Raises ``ValueError`` if that is an error."""
    sent: list[Sequence[Any]] = []
    url = f"http://localhost{address}"
    await device.answer(0, "GET", url, list(headers.items()), b"", lambda *said: sent.append(said))
    if sent[0][1] != 200:
        raise ValueError(f"{address}: {sent[0][1]}")
    return b"".join(piece for kind, piece, _more in sent if kind == "piece")
