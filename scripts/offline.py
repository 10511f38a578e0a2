"""Check that a built site asks nothing of another host: ``python scripts/offline.py site``."""

from __future__ import annotations

import re
import sys
from pathlib import Path

# What a browser fetches by itself; a link that someone follows is no fetch.
FETCHED = re.compile(
    r"""<(?:script|img|iframe|source|video|audio|embed)\b[^>]*\bsrc\s*=\s*["']?((?:https?:)?//[^"'\s>]+)"""
    r"""|<link\b(?=[^>]*\brel\s*=\s*["']?(?:stylesheet|icon|preload|modulepreload|preconnect|shortcut))[^>]*"""
    r"""\bhref\s*=\s*["']?((?:https?:)?//[^"'\s>]+)"""
    r"""|(?:@import\s+(?:url\()?|\burl\()\s*["']?((?:https?:)?//[^"'\s)]+)""",
    re.IGNORECASE,
)


def fetched(text: str) -> list[str]:
    """The addresses on other hosts that a page or stylesheet would fetch."""
    return ["".join(groups) for groups in FETCHED.findall(text)]


def main() -> int:
    """Exit 1 naming each file and address."""
    faults = [
        f"{path}: fetches {address}"
        for path in sorted(Path(sys.argv[1]).rglob("*"))
        if path.suffix in (".html", ".css")
        for address in fetched(path.read_text("utf-8"))
    ]
    print("\n".join(faults) or f"{sys.argv[1]}: nothing is fetched from elsewhere")
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())
