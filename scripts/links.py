"""Check that no internal link of a built site is broken: ``python scripts/links.py site``.

mkdocs checks the links that are written in Markdown. This also checks links in HTML, such as those from the
rules to the lines of a source, and those that the theme writes. Links to other hosts are not checked.
"""

from __future__ import annotations

import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit


class Page(HTMLParser):
    """The links and the anchors of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.anchors: set[str] = {"", "top"}  # browsers know these two without an element
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note the links and anchors of an element."""
        for name, value in attrs:
            if name in ("href", "src") and value is not None:
                self.links.append(value)
            elif name == "id" or (name == "name" and tag == "a"):
                self.anchors.add(value or "")


def dead(site: Path) -> list[str]:
    """Return a sentence for each link to a missing file or anchor."""
    site = site.resolve()
    pages = {path: Page(path.read_text("utf-8")) for path in sorted(site.rglob("*.html"))}
    faults = []
    for path, page in pages.items():
        for link in page.links:
            address = urlsplit(link)
            if address.scheme or address.netloc:
                continue
            name = unquote(address.path)
            folder = site if name.startswith("/") else path.parent
            target = (folder / name.lstrip("/")).resolve() if name else path
            if target.is_dir():
                target /= "index.html"
            if not target.is_file():
                faults.append(f"{path.relative_to(site)}: no file for {link}")
            elif target in pages and unquote(address.fragment) not in pages[target].anchors:
                faults.append(f"{path.relative_to(site)}: no anchor for {link}")
    return faults


def main() -> int:
    """Print each broken link; return 1 if there is one."""
    faults = dead(Path(sys.argv[1]))
    print("\n".join(faults) or f"{sys.argv[1]}: no broken links")
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())
