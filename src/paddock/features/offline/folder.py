"""The folder of a pack, as ``paddock pack`` writes it: its version, its size, and its files."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path

TYPES = {
    ".css": "text/css",
    ".html": "text/html",
    ".js": "text/javascript",
    ".json": "application/json",
    ".mjs": "text/javascript",
    ".svg": "image/svg+xml",
    ".wasm": "application/wasm",
}
ENTRY = "index.html"
_NAMES = re.compile(rf"{re.escape(ENTRY)}|pack\.json|sw\.js|pack/[0-9a-f]{{12}}/[A-Za-z0-9_][A-Za-z0-9_.-]*")


@dataclass(frozen=True)
class Offered:
    """A pack that a browser can keep."""

    version: str
    bytes: int  # that a first visit loads


@dataclass(frozen=True)
class PackFile:
    """A file of a pack, as it is sent."""

    path: Path
    type: str
    lasting: bool  # whether it never changes


def offered(folder: Path | None) -> Offered | None:
    """Return the pack in a folder; None without one, also while it is being written."""
    if folder is None:
        return None
    try:
        version = json.loads((folder / "pack.json").read_bytes())["version"]
        files = json.loads((folder / "pack" / version / "files.json").read_bytes())
        return Offered(version, sum(file["bytes"] for file in files))
    except (OSError, ValueError, KeyError, TypeError):
        return None


def file_of(folder: Path | None, name: str) -> PackFile | None:
    """Return the file of a pack with this name, ``""`` for its page; None if it has none."""
    name = name or ENTRY
    if folder is None or not _NAMES.fullmatch(name):
        return None
    path = folder / name
    if not path.is_file():
        return None
    return PackFile(path, TYPES.get(path.suffix, "application/octet-stream"), name.startswith("pack/"))
