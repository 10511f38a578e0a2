"""A small pack: the shell of a real one, without Python."""

from __future__ import annotations

from pathlib import Path

from paddock.device import pack


def small_pack(folder: Path, code: bytes = b"no code") -> Path:
    """Write a pack that a browser can keep, and that cannot start; return its folder."""
    pack.write(folder, pack.shell() | {"code.zip": code})
    return folder
