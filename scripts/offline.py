"""Check that a built site loads nothing from other hosts: ``python scripts/offline.py site``."""

from __future__ import annotations

import re
import sys
from pathlib import Path

# What a browser loads by itself. Links that a reader follows do not count.
FETCHED = re.compile(
    r"""<(?:script|img|iframe|source|video|audio|embed)\b[^>]*\bsrc\s*=\s*["']?((?:https?:)?//[^"'\s>]+)"""
    r"""|<link\b(?=[^>]*\brel\s*=\s*["']?(?:stylesheet|icon|preload|modulepreload|preconnect|shortcut))[^>]*"""
    r"""\bhref\s*=\s*["']?((?:https?:)?//[^"'\s>]+)"""
    r"""|(?:@import\s+(?:url\()?|\burl\()\s*["']?((?:https?:)?//[^"'\s)]+)""",
    re.IGNORECASE,
)


def fetched(text: str) -> list[str]:
    """Return the addresses on other hosts that a page or stylesheet loads."""
    return ["".join(groups) for groups in FETCHED.findall(text)]


def main() -> int:
    """Print each file and address; return 1 if there is one."""
    faults = [
        f"{path}: loads {address}"
        for path in sorted(Path(sys.argv[1]).rglob("*"))
        if path.suffix in (".html", ".css")
        for address in fetched(path.read_text("utf-8"))
    ]
    print("\n".join(faults) or f"{sys.argv[1]}: loads nothing from other hosts")
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())
